#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""judge.py WORLD HOME: compare what requests were told with what they are charged.

Prints a "# ..." block for each failure, then counts: "outside N", "passed N", "billed N",
and "figures NAME=VALUE ...".
judge.py --hints WORLD HOME: print a script that follows all hints; --hinted WORLD HOME:
compare what these requests were told and charged.
judge.py --now WORLD HOME N: print a script that asks, one after another, for the requests of N
ranges on free nodes; --started WORLD HOME: compare what these were told to cost if they start
now with what they were charged.
judge.py --ends WORLD HOME N: print a script that asks for the requests of N ranges, whose
ends are not all found yet, on each set of kinds of nodes; --fill WORLD HOME F N: print a script
of jobs that leave a part of nodes for one of these requests, another one for each F; --found WORLD HOME N: compare the
ends with what these were charged.
"""
import itertools
import json
import os
import random
import re
import sys

EXACT = 0.00006  # four digits are told


def text_of(path):
    try:
        with open(path, errors="replace") as file:
            return file.read()
    except OSError:
        return ""


class Told:
    """A price message."""

    def __init__(self, message):
        self.message = message
        self.low = self.high = None
        self.upto = False
        self.least, self.factors, self.now = False, [], None
        if message.startswith("free"):
            self.low = self.high = self.own = 0.0
        if not message.startswith("cost "):
            return
        rest = message[len("cost "):]
        self.least = rest.startswith("at least ")
        head = re.split(r"[;,(×]", rest)[0]
        numbers = [float(n) for n in re.findall(r"\d+\.?\d*", head)]
        if not numbers:
            return
        self.low, self.high = min(numbers), max(numbers)
        self.own = self.high
        self.units = ["core" if "core-eq" in head else "",
                      "GPU" if "GPU-eq" in head else ""]
        more = re.search(r"; up to ([0-9.]+) without", rest)
        if more:
            self.upto = float(more.group(1)) > self.high + EXACT
            self.high = max(self.high, float(more.group(1)))
        now = re.search(r"; ([0-9.]+) if it starts now", rest)
        self.now = float(now.group(1)) if now else None
        self.factors = [float(f) for f in re.findall(r"[x×]([0-9.]+) in ",
                                                     rest)]

    @property
    def known(self):
        return self.low is not None

    @property
    def exact(self):
        return self.known and self.low == self.own and not self.least


def settled(message):
    """A message without the price on nodes that are free now, which changes."""
    return re.sub(r"; [0-9.]+ if it starts now", "", message)


def message_of(text):
    for line in text.splitlines():
        found = re.search(r"equitree: (.*)", line)
        if found:
            return found.group(1)
    return ""


def read_jobs(path):
    jobs = {}
    for line in text_of(path).splitlines():
        if not line.startswith("JobId="):
            continue
        job = dict(re.findall(r"(?:^| )([A-Za-z]+(?:/[A-Z]+)?)=(\S*)", line))
        job["line"] = line
        jobs[job["JobId"]] = job
    return jobs


def started(job):
    return bool(job) and re.match(r"\d", job.get("StartTime", "")) and \
        re.match(r"[a-z]", job.get("NodeList", ""))


def tres_of(job):
    tres = job.get("AllocTRES") or job.get("TRES") or ""
    if tres == "(null)":
        tres = job.get("TRES", "")
    return dict(item.split("=", 1) for item in tres.split(",") if "=" in item)


def billing(job):
    return float(tres_of(job).get("billing", 0))


class World:
    def __init__(self, made, home):
        self.made, self.home = made, home
        with open(os.path.join(made, "world.json")) as file:
            self.about = json.load(file)
        self.jobs = read_jobs(os.path.join(made, "jobs"))
        self.requests = []
        for n, line in enumerate(text_of(os.path.join(made, "requests"))
                                 .splitlines()):
            kind, words = line.split("\t")
            self.requests.append((n, kind, words))

    def home_text(self, name):
        return text_of(os.path.join(self.home, name))

    def job(self, name):
        return self.jobs.get(self.home_text(name).strip())

    def told(self, n):
        return Told(message_of(self.home_text("%d.err" % n)))

    # Factor of the partition and the QOS in which it ran.
    def factor(self, job):
        part = self.about["partitions"].get(job["Partition"], {"factor": 1})
        return part["factor"] * (0.5 if job.get("QOS") == "cheap" else 1)


def quantile(values, share):
    values = sorted(values)
    return values[min(len(values) - 1, int(len(values) * share))] \
        if values else 1


def why_outside(world, told, job):
    """What is wrong with the charge of a job that was not changed, or None."""
    if not told.known:
        return "nothing was told"
    factor, scale = world.factor(job), world.about["scale"]
    charged = billing(job) / scale
    slack = EXACT + 1 / scale
    # A message of several partitions has the factors in its range.
    ends = [(told.low * f, told.high * f)
            for f in ([factor] if factor in (1, None) or told.factors
                      else [factor, 1])]
    for low, high in ends:
        if charged >= low - slack * max(1, factor) and (
                told.least or charged <= high + slack * max(1, factor)):
            return None
    return "outside"


def cap_passed(world, job):
    """The cap that a job has passed, or None."""
    part = world.about["partitions"].get(job["Partition"])
    factor, scale = world.factor(job), world.about["scale"]
    if part and part["cap"] and factor and \
            billing(job) / scale / factor > part["cap"] + EXACT + 1 / scale:
        return "passes the cap of %s" % part["cap"]
    return None


def limit_passed(world, job):
    """The same of the limit on billing of its QOS."""
    scale = world.about["scale"]
    if job.get("QOS") == "few" and \
            billing(job) > world.about["few"] * scale + 1:
        return "passes the limit of %s" % world.about["few"]
    return None


def show(what, request, job, told, bill=""):
    n, kind, words = request
    print("# %d %s: %s" % (n, kind, words))
    print("#   %s: charged %s for %s on %s in %s" % (
        what, billing(job) if job else "-",
        ",".join("%s=%s" % t for t in tres_of(job).items()
                 if t[0] != "billing") if job else "-",
        job.get("NodeList") if job else "-",
        job.get("Partition") if job else "-"))
    print("#   told: %s" % told.message)
    if bill:
        print("#   bill: %s" % bill)


def judge(world):
    outside = passed = billed = ran = exact = uppers = changed = limited = 0
    priced = refused = never = 0
    widths = []
    for request in world.requests:
        n, kind, _ = request
        told, job = world.told(n), world.job("%d.id" % n)
        bill = world.home_text("%d.bill" % n).strip()
        if told.known:
            priced += 1
            # The command takes what sbatch derives from the words; srun differs.
            if kind not in ("srun", "salloc") and \
                    settled(bill) != settled(told.message) and not bill.startswith("equitree bill"):
                billed += 1
                show("bill differs", request, job or {}, told, bill)
        if not job:
            refused += 1
        if not started(job):
            never += bool(job)
            continue
        ran += 1
        for why, is_cap in ((cap_passed(world, job), True),
                            (limit_passed(world, job), False)):
            passed += bool(why) and is_cap
            limited += bool(why) and not is_cap
            if why:
                show(why, request, job, told)
        if kind == "update" and not errors_of_update(world, n):
            changed += 1
            continue
        if kind != "srun" and told.known and \
                bill.startswith("equitree bill") and \
                "Broken pipe" not in bill:
            billed += 1
            show("bill refuses", request, job, told, bill)
        why = why_outside(world, told, job)
        if why:
            outside += 1
            show(why, request, job, told)
        if told.exact:
            exact += 1
            uppers += told.upto
        elif told.known and told.low > 0:
            widths.append(told.high / told.low)
    print("outside %d" % outside)
    print("passed %d" % passed)
    print("limited %d" % limited)
    print("billed %d" % billed)
    print("figures requests=%d priced=%d started=%d changed=%d never=%d "
          "refused=%d exact=%d upto=%d ranges=%d median=%.3g p90=%.3g "
          "max=%.3g outside=%d capped=%d limited=%d billed=%d" % (
              len(world.requests), priced, ran, changed, never, refused,
              exact, uppers, len(widths), quantile(widths, 0.5),
              quantile(widths, 0.9), max(widths, default=1), outside, passed,
              limited, billed))


def errors_of_update(world, n):
    return world.home_text("%d.change" % n).strip()


# ---- Ends of ranges ------------------------------------------------------------


def nodes_of(world, letters):
    return ",".join("%s[1-%d]" % (kind["name"], kind["count"])
                    for kind in world.about["kinds"]
                    if kind["name"] in letters)


def candidates(world):
    """Requests with a range, of sbatch, whose words leave the nodes open.

    With CR_Socket a range is from one socket to all: what others leave of them is not tried.
    Features with counts leave the rest of the nodes open: ranges are wider (docs/design/0085).
    """
    if world.about["sockets"]:
        return
    for request in world.requests:
        n, kind, words = request
        told = world.told(n)
        if kind != "sbatch" or not told.known or told.least or \
                told.high <= told.low * 1.001 or "'-x" in words or \
                "'-w" in words or "--reservation" in words or "*" in words or \
                not started(world.job("%d.id" % n)):
            continue
        yield request, told


def looked_for(world, count):
    found = list(candidates(world))
    random.Random(1).shuffle(found)
    return found[:count]


def print_ends(world, count):
    given = prices_found(world)
    for request, told in looked_for(world, count):
        n, _, words = request
        if missing(told, given.get(n, ())) == "":
            continue
        names = re.search(r"'-p([^']*)'", words).group(1).split(",")
        for name in names + ([",".join(names)] if names[1:] else []):
            kinds = sorted({kind for one in name.split(",") for kind in
                            world.about["partitions"][one]["kinds"]})
            nodes = [""] if "'-N" in words else ["", "-N1", "-N2", "-N3"]
            if re.search(r"'-N\d-\d'", words):
                nodes = ["", "-N1", "-N2", "-N3", "-N4"]
            for size in range(1, len(kinds) + 1):
                for chosen in itertools.combinations(kinds, size):
                    print_looks(world, n, models_of(world, words), name,
                                chosen, nodes)


def number_of(words, option, default=1):
    found = re.search(r"'-%s(\d+)'" % option, words)
    return int(found.group(1)) if found else default


def left_on_nodes(draw, world, words, number):
    """CPUs to leave on each node: in turn those of the request, on one or several of
    them, and as many on each, which are too few for two tasks."""
    each = number_of(words, "c")
    cpus = each * number_of(words, "n", number_of(words, "-ntasks-per-node="))
    names = re.search(r"'-p([^']*)'", words).group(1).split(",")
    nodes = [(kind, i + 1) for kind in world.about["kinds"]
             for i in range(kind["count"])
             if any(kind["name"] in world.about["partitions"][name]["kinds"]
                    for name in names)]
    if number % 2:
        few = [each, 2 * each - 1, each + 1, 1][number // 2 % 4]
        return {kind["name"] + str(i): few for kind, i in nodes}
    draw.shuffle(nodes)
    nodes = nodes[:draw.randint(1, max(1, min(len(nodes), cpus)))]
    left = {}
    for i, (kind, node) in enumerate(nodes):
        rest = cpus - sum(left.values())
        part = rest if i == len(nodes) - 1 else \
            draw.randint(min(each, rest), max(min(each, rest),
                                              2 * cpus // len(nodes)))
        left[kind["name"] + str(node)] = max(0, min(part, rest))
    return left


def fill_words(draw, kind, left):
    """Options of a job that leaves so many CPUs of a node; None: that is all of it."""
    cpus = (kind["sockets"] * kind["cores"] - kind["spec"]) * kind["threads"]
    if left == 0:
        return "--exclusive"
    memory = draw.choice([1, 1, 1, kind["memory"] // 2,
                          kind["memory"] * draw.randint(5, 9) // 10])
    gpus = sum(g[2] for g in kind["gres"] if g[0] == "gpu")
    gres = " --gres=gpu:%d" % draw.randint(1, gpus - 1) \
        if gpus > 1 and draw.randint(0, 3) == 0 else ""
    if left >= cpus:
        return None
    return "-n1 -c%d --mem=%d%s" % (cpus - left, memory, gres)


def print_fill(world, number, count):
    """A job on each node: all but a core of it, all but a GPU, or any part."""
    draw = random.Random(number)
    given = prices_found(world)
    wanted = [request[2] for request, told in looked_for(world, count)
              if missing(told, given.get(request[0], ())) != ""]
    left = left_on_nodes(draw, world, wanted[number // 2 % len(wanted)], number)
    for kind in world.about["kinds"]:
        for i in range(kind["count"]):
            name = kind["name"] + str(i + 1)
            gpus = any(g[0] == "gpu" for g in kind["gres"])
            words = "-n1 --mem=1" + " --gres=gpu:1" * (number == 1 and gpus) \
                if number < 2 else fill_words(draw, kind, left.get(name, 0))
            if words:
                print("sbatch -J fill -p fill -w %s %s -t 60 -o /dev/null "
                      "--wrap 'sleep 600' >/dev/null 2>&1" % (name, words))


def models_of(world, words):
    """The words, and the same with each model where a GPU has none."""
    spelled = [words]
    for model in filter(None, world.about["models"]):
        typed = re.sub(r"(gpu:|--gpus(?:-per-[a-z]+)?=)(\d)",
                       r"\g<1>%s:\2" % model, words)
        if typed != words:
            spelled.append(typed)
    return spelled


def print_looks(world, n, spelled, name, chosen, nodes):
    without = [kind["name"] for kind in world.about["kinds"]
               if kind["name"] not in chosen]
    for i, words in enumerate(spelled):
        for number in nodes:
            print("sbatch --parsable -o /dev/null -t 10 %s -p %s %s %s "
                  "--wrap 'sleep 0.1' >>look.%d.%s.%s.%d%s 2>/dev/null" % (
                      words, name, number,
                      "-x " + nodes_of(world, without) if without else "",
                      n, name, "".join(chosen), i, number))


def prices_found(world):
    """What the looks for each request were charged."""
    given = {}
    for name in os.listdir(world.home):
        if not name.startswith("look."):
            continue
        n = int(name.split(".")[1])
        for job in map(world.jobs.get, world.home_text(name).split()):
            if not started(job):
                continue
            factor = world.factor(job)
            price = billing(job) / world.about["scale"]
            # Where factors differ between partitions, they are in the range.
            for one in {price, price / factor if factor else price}:
                given.setdefault(n, set()).add(round(one, 3))
    return given


def missing(told, given):
    """The ends of a range that were not found."""
    slack = 0.0011
    lows, highs = (any(abs(p - end) <= slack * max(1, p) for p in given)
                   for end in (told.low, told.own))
    return "" if lows and highs else "the high end" if lows \
        else "the low end" if highs else "both ends"


def found_ends(world, count):
    given = prices_found(world)
    bad = looked = 0
    for request, told in looked_for(world, count):
        n = request[0]
        if n not in given:
            continue
        looked += 1
        what = missing(told, given[n])
        if what == "":
            continue
        bad += 1
        show("%s cannot happen; found %s" % (
            what, " ".join("%g" % p for p in sorted(given[n]))),
            request, world.job("%d.id" % n), told)
    print("looked %d" % looked)
    print("ends %d" % bad)


# ---- What is free now ----


def print_now(world, count):
    for (n, _, words), _ in looked_for(world, count):
        print("timeout 60 sbatch -W --parsable -o /dev/null --bill=brief -t 10 %s "
              "--wrap true >now.%d.id 2>now.%d.err" % (words, n, n))


def judge_now(world):
    tried = untrue = 0
    for request in world.requests:
        n = request[0]
        told = Told(message_of(world.home_text("now.%d.err" % n)))
        job = world.job("now.%d.id" % n)
        if told.now is None or not started(job):
            continue
        tried += 1
        charged = billing(job) / world.about["scale"]
        factor = world.factor(job)
        if all(abs(charged - told.now * one) > (EXACT + 0.001) * max(1, factor)
               for one in (factor, 1)):
            untrue += 1
            show("if it starts now", request, job, told)
    print("now %d" % tried)
    print("otherwise %d" % untrue)


# ---- Hints -----------------------------------------------------------------------


def hints(world):
    """Requests of sbatch that were told what would make them cheaper."""
    for request in world.requests:
        told = world.told(request[0])
        hint = re.search(r"; (-[-a-z]+[= ]?[0-9]+M?): ([0-9.]+)$",
                         told.message)
        if request[1] == "sbatch" and hint:
            yield request, hint.group(1), float(hint.group(2))


def print_hints(world):
    for (n, _, words), option, _ in hints(world):
        print("sbatch --parsable -o /dev/null --bill=brief -t 10 %s %s "
              "--wrap 'sleep 0.2' >hint.%d.id 2>hint.%d.err" % (
                  words, option, n, n))


def judge_hints(world):
    tried = ran = untrue = 0
    for request, option, price in hints(world):
        n = request[0]
        told = Told(message_of(world.home_text("hint.%d.err" % n)))
        job = world.job("hint.%d.id" % n)
        if not job and not world.job("%d.id" % n):
            continue  # refused as it was
        tried += 1
        why = None
        if not job:
            why = "the request with %s is refused" % option
        elif not told.known or abs(told.own - price) > EXACT or \
                not (told.low == told.own or told.own == price):
            why = "with %s it is told another price" % option
        elif started(job):
            ran += 1
            why = why_outside(world, told, job)
        if why:
            untrue += 1
            show("%s (%s)" % (why, told.message), request, job,
                 world.told(n))
    print("hinted %d" % tried)
    print("begun %d" % ran)
    print("untrue %d" % untrue)


def main():
    args = [a for a in sys.argv[1:] if not a.startswith("--")]
    world = World(args[0], args[1])
    if "--hints" in sys.argv:
        print_hints(world)
    elif "--hinted" in sys.argv:
        judge_hints(world)
    elif "--now" in sys.argv:
        print_now(world, int(args[2]))
    elif "--started" in sys.argv:
        judge_now(world)
    elif "--ends" in sys.argv:
        print_ends(world, int(args[2]))
    elif "--fill" in sys.argv:
        print_fill(world, int(args[2]), int(args[3]))
    elif "--found" in sys.argv:
        found_ends(world, int(args[2]))
    else:
        judge(world)


if __name__ == "__main__":
    main()
