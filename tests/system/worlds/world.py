#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""world.py SEED JOBS DIR: invent a site and requests for it.

The same seed gives the same world. DIR gets what sandbox/cluster takes as a site, whose
slurm.conf is made of that of sandbox/sites/cedar, and:
  requests    a line for each: KIND<TAB>words of sbatch
  set         "scontrol create" lines for the cluster when it is up
  world.json  what the search over nodes needs to know
KIND is sbatch, srun, salloc, or update, whose words have " => " and then what
"scontrol update" changes.
"""
import json
import os
import random
import sys

CEDAR = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..",
                     "..", "sandbox", "sites", "cedar")
# Cores, memory and weight of a bundle for each model.
MODELS = {
    "p100": (6, 32000, 1), "v100": (8, 48000, 1.7), "t4": (2, 8000, 0.5),
    "h100": (16, 128000, 4), "h100_1g.10gb": (2, 16000, 0.5),
    "rtx": (4, 16000, 0.9), "": (3, 24000, 0.8),
}
FEATURES = ["a", "b", "ib", "big"]


class World:
    def __init__(self, seed):
        self.draw = random.Random(seed)
        self.kinds, self.partitions, self.set, self.lines = [], [], [], []
        self.select()
        self.nodes()
        self.make_partitions()
        self.bundles()

    def chance(self, percent):
        return self.draw.random() * 100 < percent

    def one(self, *words):
        return self.draw.choice(words)

    # ---- The site ------------------------------------------------------------

    def select(self):
        self.linear = self.chance(6)
        self.type = self.one(*["CR_Core_Memory"] * 4, "CR_Core", "CR_CPU",
                             "CR_CPU_Memory", "CR_Socket", "CR_Socket_Memory")
        parts = [self.type]
        if self.chance(35) and not self.type.startswith("CR_CPU"):
            parts.append("CR_ONE_TASK_PER_CORE")
        if self.chance(12):
            parts.append(self.one("CR_LLN", "CR_Pack_Nodes"))
        if self.linear:
            parts = ["CR_Memory"]
            self.lines.append("SelectType=select/linear")
        self.memory = "Memory" in parts[0]
        self.lines.append("SelectTypeParameters=" + ",".join(parts))
        if self.chance(15):
            self.lines.append("MaxMemPerCPU=%d" % self.one(2000, 4000, 6000))
        elif self.chance(8):
            self.lines.append("MaxMemPerNode=%d" % self.one(33000, 50000))
        if self.chance(20):
            self.lines.append("AllowSpecResourcesUsage=yes")
        if self.chance(20) and not self.linear:
            self.lines.append("DefCpuPerGPU=%d" % self.one(1, 3, 6))

    def gres(self):
        """The GRES of a kind of nodes, as (name, type, count)."""
        if not self.chance(55):
            return []
        which = self.draw.random()
        if which < 0.15:
            return [("gpu", "h100", 2), ("gpu", "h100_1g.10gb", 14)]
        if which < 0.35 and not self.linear:
            return [("gpu", "rtx", 4), ("shard", "", self.one(8, 16))]
        if which < 0.5:
            return [("gpu", "p100", 2), ("gpu", "v100", 2)]
        # Many sites give their GPUs no type.
        return [("gpu", self.one("p100", "v100", "t4", "h100", ""),
                 self.one(1, 2, 4, 4, 8))]

    def nodes(self):
        port, total = 6861, 0
        for letter in "cdefg"[:self.draw.randint(2, 4)]:
            kind = {
                "name": letter, "count": self.draw.randint(1, 3),
                "sockets": self.one(1, 2, 2),
                "cores": self.one(4, 6, 8, 12, 16),
                "threads": self.one(1, 1, 2, 2, 4),
                "memory": self.one(16000, 64000, 64000, 128000, 256000),
                "features": sorted(self.draw.sample(
                    FEATURES, self.draw.randint(0, 2))),
                "gres": self.gres(), "extra": "", "spec": 0,
            }
            if self.chance(12) and not self.linear and \
                    not self.type.startswith("CR_Socket"):
                kind["extra"] = "CoreSpecCount=2"
                kind["spec"] = 2
            if self.chance(12):
                kind["extra"] += " MemSpecLimit=2000"
            # A site that gives out cores alone says so by CPUs=.
            if kind["threads"] > 1 and not kind["spec"] and self.chance(15):
                kind["extra"] += " CPUs=%d" % (kind["sockets"] *
                                               kind["cores"])
            # How many GPUs of each model the first socket has, of two.
            kind["near"] = (self.one(0, 1, 2, 4) if kind["sockets"] == 2 and
                            self.chance(40) else None)
            if self.chance(40):
                kind["extra"] += " Weight=%d" % self.one(1, 5, 5, 20)
            kind["port"] = port
            port += kind["count"]
            self.kinds.append(kind)
        self.kinds[0]["count"] = max(2, self.kinds[0]["count"])
        # Ports may overlap by that: number them again.
        port = 6861
        for kind in self.kinds:
            kind["port"] = port
            port += kind["count"]
        self.models = sorted({g[1] for k in self.kinds for g in k["gres"]
                              if g[0] == "gpu"})
        self.shards = any(g[0] == "shard" for k in self.kinds
                          for g in k["gres"])

    @staticmethod
    def names(kind):
        return "%s[1-%d]" % (kind["name"], kind["count"])

    def partition_extra(self):
        extra = []
        if self.chance(22):
            extra.append("MaxMemPerCPU=%d" % self.one(1500, 3000, 4000))
        elif self.chance(8):
            extra.append("MaxMemPerNode=%d" % self.one(20000, 40000))
        if self.chance(25):
            extra.append(self.one("DefMemPerCPU=1000", "DefMemPerCPU=3000",
                                  "DefMemPerNode=9000"))
        if self.chance(15):
            extra.append("DefCpuPerGPU=%d" % self.one(2, 4))
        if self.chance(10):
            extra.append("DefMemPerGPU=9000")
        if self.chance(12):
            extra.append("OverSubscribe=EXCLUSIVE")
        elif self.chance(12):
            extra.append("OverSubscribe=" + self.one("FORCE:4", "YES:2"))
        if self.chance(6):
            extra.append("MinNodes=2")
        elif self.chance(8):
            extra.append("MaxNodes=1")
        if self.chance(8):
            extra.append("MaxCPUsPerNode=%d" % self.one(6, 10))
        if self.chance(8):
            extra.append("LLN=YES")
        if self.chance(6):
            extra.append("ExclusiveUser=YES")
        return extra

    def make_partitions(self):
        self.partitions.append({"name": "every", "kinds": list(self.kinds),
                                "extra": ["Default=YES"]})
        for kind in self.kinds:
            self.partitions.append({"name": "only" + kind["name"],
                                    "kinds": [kind],
                                    "extra": self.partition_extra()})
        for name in ("some", "other"):
            self.partitions.append({
                "name": name, "extra": self.partition_extra(),
                "kinds": self.draw.sample(self.kinds, self.draw.randint(
                    1, len(self.kinds)))})
        for part in self.partitions:
            part["factor"] = (self.one(0, 0.5, 2, 3) if self.chance(25)
                              else 1)
            part["cap"] = self.one(2, 4, 9) if self.chance(12) else None

    def bundles(self):
        self.scale = 1000
        cores = 'bundle "cores" { cores = 1 memory = %dM }' % self.one(2000,
                                                                       4000)
        if self.chance(12):
            cores = self.one(
                'bundle "cores" { cores = 0.75 per core memory = 0.375 per G }',
                'bundle "cores" { node = 2 cores = 1 memory = 4000M }',
                'bundle "cores" { term { cores = 1 per core } '
                'term { memory = 0.25 per G } }')
        lines = ["message = brief", "billing_scale = %d" % self.scale, cores]
        models = list(self.models)
        if self.shards and self.chance(60):
            lines.append('bundle "shard" { cores = 1 memory = 4000M '
                         'weight = 0.25 }')
        for model in models:
            cores, memory, weight = MODELS[model]
            gpu = "gpu:" + model if model else "gpu"
            # The first bundle that names a node counts there.
            if self.chance(20):
                lines.append('bundle "%s" { cores = %s memory = %dM '
                             'weight = %s %s }' % (
                                 gpu, cores * 2, memory * 2, weight * 2,
                                 "features = " + self.one(*FEATURES)
                                 if self.chance(50) else
                                 "nodes = %s1" % self.one(*self.kinds)["name"]))
            lines.append('bundle "%s" { cores = %s memory = %dM '
                         'weight = %s }' % (gpu, cores, memory, weight))
        if self.chance(15):
            lines.append('minimum = 0.5')
        for part in self.partitions:
            rule = ""
            if part["factor"] != 1:
                rule += " factor = %s" % part["factor"]
            if part["cap"]:
                rule += " max = %s" % part["cap"]
            if rule:
                lines.append('partition "%s" {%s }' % (part["name"], rule))
        lines.append('qos "cheap" { factor = 0.5 }')
        self.equitree = "\n".join(lines) + "\n"

    def slurm_conf(self):
        keys = [line.split("=")[0] for line in self.lines]
        tres = ["gres/gpu"] + ["gres/gpu:" + m for m in self.models if m]
        own = self.lines + [
            "AccountingStorageTRES=" + ",".join(
                tres + (["gres/shard"] if self.shards else [])),
            "GresTypes=gpu" + (",shard" if self.shards else ""),
            "PriorityDecayHalfLife=0", "PriorityUsageResetPeriod=YEARLY",
            "PriorityParameters=period=1",
            # What is charged is read when all have ended, however long that takes.
            "MinJobAge=36000"]
        keys += [line.split("=")[0] for line in own]
        keys += ["NodeName", "PartitionName"]
        with open(os.path.join(CEDAR, "slurm.conf")) as file:
            lines = [line.rstrip("\n") for line in file
                     if line.split("=")[0] not in keys]
        lines += own
        for kind in self.kinds:
            gres = ",".join(":".join(filter(None, map(str, g)))
                            for g in kind["gres"])
            lines.append(
                "NodeName=%s NodeHostname=head Port=[%d-%d] Sockets=%d "
                "CoresPerSocket=%d ThreadsPerCore=%d RealMemory=%d%s%s %s"
                % (self.names(kind), kind["port"],
                   kind["port"] + kind["count"] - 1, kind["sockets"],
                   kind["cores"], kind["threads"], kind["memory"],
                   " Feature=" + ",".join(kind["features"])
                   if kind["features"] else "",
                   " Gres=" + gres if gres else "", kind["extra"]))
        lines.append("PartitionName=DEFAULT DefaultTime=1:00:00 "
                     "MaxTime=7-00:00:00")
        for part in self.partitions:
            lines.append("PartitionName=%s Nodes=%s %s" % (
                part["name"], ",".join(map(self.names, part["kinds"])),
                " ".join(part["extra"])))
        # Of jobs that leave a part of each node (judge.py).
        lines.append("PartitionName=fill Nodes=%s" %
                     ",".join(map(self.names, self.kinds)))
        return "\n".join(lines) + "\n"

    def gres_conf(self):
        lines = []
        for kind in self.kinds:
            device = 0
            for name, model, count in kind["gres"]:
                line = "NodeName=%s Name=%s" % (self.names(kind), name)
                if name == "shard":
                    lines.append(line + " Count=%d" % count)
                    continue
                for few, cores in self.near(kind, count):
                    files = (str(device) if few == 1 else
                             "[%d-%d]" % (device, device + few - 1))
                    lines.append("%s%s File=@DIR@/dev/gpu%s%s" % (
                        line, model and " Type=" + model, files, cores))
                    device += few
        return "\n".join(lines) + "\n"

    @staticmethod
    def near(kind, count):
        """GPUs of each socket and its cores in gres.conf, or all GPUs."""
        if kind["near"] is None:
            return [(count, "")]
        first = min(kind["near"], count)
        cores = kind["cores"]
        parts = [(first, " Cores=0-%d" % (cores - 1)),
                 (count - first, " Cores=%d-%d" % (cores, 2 * cores - 1))]
        return [part for part in parts if part[0] > 0]

    # ---- Requests --------------------------------------------------------------

    def fit(self, most, *numbers):
        """One of the numbers, mostly of those that fit."""
        some = [n for n in numbers if n <= most]
        return self.one(*(some if some and self.chance(92) else numbers))

    def draw_nodes(self, part, out):
        nodes = [kind["name"] + str(i + 1) for kind in part["kinds"]
                 for i in range(kind["count"])]
        if self.chance(35):
            number = self.fit(len(nodes), 1, 1, 1, 2, 2, 3)
            if self.chance(30):
                number = "1-%d" % self.one(2, 4)
            out.append("-N%s" % number)
        if self.chance(7):
            out.append("-w" + self.one(
                *nodes, ",".join(self.draw.sample(
                    nodes, min(len(nodes), 2)))))
        elif self.chance(5) and len(nodes) > 1:
            out.append("-x" + self.one(*nodes))
        if self.chance(14):
            self.draw_features(part, out)

    def draw_features(self, part, out):
        has = sorted({f for kind in part["kinds"] for f in kind["features"]})
        if self.chance(8) or not has:
            has = FEATURES
        a, b = self.one(*has), self.one(*has)
        out.append("-C" + self.one(
            a, a, "%s|%s" % (a, b), "%s&%s" % (a, b), "[%s|%s]" % (a, b),
            a + "*1", a + "*2", "[%s*1&%s*1]" % (a, b),
            "[%s*2&%s*1]" % (a, b)))

    def draw_tasks(self, part, out):
        cpus = max(kind["sockets"] * kind["cores"] for kind in part["kinds"])
        each = 1
        if self.chance(30):
            each = self.fit(cpus, 1, 2, 2, 3, 4, 5, 7)
        if self.chance(70):
            out.append("-n%s" % self.fit(cpus * 2 // each, 1, 1, 2, 2, 3, 4, 5,
                                         6, 8, 10, 17, 40))
        if each > 1:
            out.append("-c%s" % each)
        if self.chance(12):
            out.append("--ntasks-per-node=%s" % self.one(1, 2, 3, 4))
        if self.chance(4):
            out.append("--mincpus=%s" % self.one(2, 4, 7))
        if self.chance(15):
            out.append(self.one(
                "--threads-per-core=1", "--threads-per-core=2",
                "--threads-per-core=3", "--hint=nomultithread",
                "--hint=multithread", "--ntasks-per-core=1",
                "--ntasks-per-core=2", "--ntasks-per-core=3"))
        if self.chance(6):
            out.append(self.one(
                "--cores-per-socket=4", "--ntasks-per-socket=1",
                "--ntasks-per-socket=2", "--sockets-per-node=1",
                "--sockets-per-node=2", "-B1:4", "--distribution=cyclic",
                "--distribution=plane=2", "--gres-flags=enforce-binding",
                "--gres-flags=disable-binding"))

    def count(self, has, *counts):
        gpus = [g for g in has if g[0] == "gpu"]
        if not gpus or self.chance(4):
            gpus = [("gpu", self.one(*self.models), 4)]
        _, model, most = self.one(*gpus)
        number = self.fit(most, *counts)
        # Several models at once.
        typed = sorted({g[1] for g in gpus if g[1]})
        if len(typed) > 1 and self.chance(10):
            both = self.draw.sample(typed, 2)
            return "%s:1,%s%s:%s" % (both[0], self.gres_word, both[1], number)
        return ("%s:%s" % (model, number) if model and self.chance(60)
                else str(number))

    def draw_gpus(self, part, out):
        has = [g for kind in part["kinds"] for g in kind["gres"]]
        if not self.models or not self.chance(75 if has else 3):
            return
        if any(g[0] == "shard" for g in has) and self.chance(25):
            out.append("--gres=shard:%s" % self.one(1, 2, 4, 9))
            return
        which = self.draw.randint(0, 13)
        self.gres_word = "gpu:" if which < 4 else ""
        if which < 4:
            out.append("--gres=gpu:" + self.count(has, 1, 1, 2, 3, 4))
        elif which < 7:
            out.append("--gpus=" + self.count(has, 1, 2, 3, 4, 5))
        elif which < 10:
            out.append("--gpus-per-node=" + self.count(has, 1, 2, 3))
        elif which < 12:
            out.append("--gpus-per-task=" + self.count(has, 1, 1, 2))
        elif which == 12:
            out += ["--gpus-per-socket=" + self.count(has, 1, 1, 2),
                    "--sockets-per-node=%s" % self.one(1, 2)]
        else:
            out += ["--gpus=" + self.count(has, 1, 2, 3),
                    "--ntasks-per-gpu=%s" % self.one(1, 2)]
        if self.chance(20):
            out.append("--cpus-per-gpu=%s" % self.one(1, 2, 4, 6))

    def draw_memory(self, part, out):
        most = max(kind["memory"] for kind in part["kinds"])
        which = self.draw.randint(0, 9)
        if which < 5:
            out.append("--mem=%dM" % self.fit(
                most, 1, 500, 1000, 4000, 4001, 9000, 16001, 33000, 60001))
        elif which < 8:
            out.append("--mem-per-cpu=%dM" % self.fit(
                most // 8, 500, 1000, 1999, 2001, 4000, 5000, 9000, 13000))
        elif which == 8 and any("gpu" in word for word in out):
            out.append("--mem-per-gpu=%dM" % self.fit(most // 2, 1000, 16000,
                                                      33000))

    def request(self):
        out = []
        part = self.one(*self.partitions)
        name = part["name"]
        if self.chance(12):
            name += "," + self.one(*self.partitions)["name"]
        out.append("-p" + name)
        self.draw_nodes(part, out)
        self.draw_tasks(part, out)
        self.draw_gpus(part, out)
        self.draw_memory(part, out)
        if self.chance(10):
            out.append(self.one("--exclusive", "--exclusive", "--mem=0",
                                "--exclusive=user", "--core-spec=2",
                                "--thread-spec=1"))
        if self.chance(5):
            out.append(self.one("-O", "--spread-job", "--contiguous",
                                "--prefer=a*2", "--prefer=b"))
        if self.chance(15):
            out.append("-q" + self.one("cheap", "few", "few"))
        if self.reserved and self.chance(8):
            out.append("--reservation=kept")
        return out

    def update(self):
        return self.one(
            "NumCPUs=%d" % self.one(2, 5, 9), "NumTasks=%d" % self.one(3, 8),
            "MinMemoryNode=%d" % self.one(2000, 20000),
            "MinMemoryCPU=%d" % self.one(2000, 5000),
            "NumNodes=%s" % self.one("1", "2", "1-2"),
            "Features=" + self.one("a", "b", "a*1", "[a*1&b*1]"),
            "Partition=" + self.one(*self.partitions)["name"],
            "ReqNodeList=" + ",".join(self.draw.sample(
                [k["name"] + "1" for k in self.kinds], 2)),
            "MinCPUsNode=%d" % self.one(3, 6), "OverSubscribe=no",
            "QOS=cheap", "CoreSpec=1")

    def requests(self, count):
        for _ in range(count):
            words = self.request()
            which = self.draw.random()
            # A step of fewer tasks than the job has nodes ends slurmctld
            # 22.05 (a division by zero in its step manager).
            least = any("MinNodes=2" in p["extra"] for p in self.partitions)
            if which < 0.06 and not least and "*" not in " ".join(words):
                yield "srun", " ".join("'%s'" % w for w in words)
            elif 0.06 <= which < 0.12:
                yield "salloc", " ".join("'%s'" % w for w in words)
            elif 0.12 <= which < 0.22:
                yield "update", "%s => %s" % (
                    " ".join("'%s'" % w for w in words), self.update())
            else:
                yield "sbatch", " ".join("'%s'" % w for w in words)

    reserved, gres_word = None, ""


def write(folder, name, text):
    with open(os.path.join(folder, name), "w") as file:
        file.write(text)


def main():
    seed, jobs, folder = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
    world = World(seed)
    os.makedirs(folder, exist_ok=True)
    lines = []
    if world.chance(25):
        world.reserved = world.one(*world.kinds)["name"] + "1"
        lines.append("create reservation ReservationName=kept Users=ada "
                     "StartTime=now Duration=1-0 Nodes=%s "
                     "Flags=IGNORE_JOBS\n" % world.reserved)
    if world.chance(15):
        lines.append("update NodeName=%s1 State=DRAIN Reason=repair\n"
                     % world.one(*world.kinds)["name"])
    write(folder, "set", "".join(lines))
    write(folder, "slurm.conf", world.slurm_conf())
    write(folder, "gres.conf", world.gres_conf())
    write(folder, "equitree.conf", world.equitree)
    write(folder, "users", "ada\n")
    few = world.one(3, 8)
    write(folder, "accounts", "\n".join([
        "sacctmgr -iQ add cluster cedar",
        "sacctmgr -iQ add account told fairshare=10",
        "sacctmgr -iQ add user ada defaultaccount=told account=told",
        "sacctmgr -iQ add qos cheap,few",
        "sacctmgr -iQ modify qos few set MaxTRESPerJob=billing=%d"
        % (few * world.scale),
        "sacctmgr -iQ modify user ada set qos=normal,cheap,few"]) + "\n")
    write(folder, "requests", "".join(
        "%s\t%s\n" % row for row in world.requests(jobs)))
    write(folder, "world.json", json.dumps({
        "few": few, "scale": world.scale, "models": world.models,
        "sockets": world.type.startswith("CR_Socket"),
        "kinds": [dict({k: kind[k] for k in ("name", "count", "sockets",
                                             "cores", "memory", "gres",
                                             "spec")},
                       threads=1 if "CPUs=" in kind["extra"]
                       else kind["threads"])
                  for kind in world.kinds],
        "partitions": {p["name"]: {"kinds": [k["name"] for k in p["kinds"]],
                                   "factor": p["factor"], "cap": p["cap"]}
                       for p in world.partitions}}, indent=1))


if __name__ == "__main__":
    main()
