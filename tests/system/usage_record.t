#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# equitree usage --verify on a live cluster: the record of charges explains RawUsage, usage of
# billing, what budgets spent and accounting, while jobs run and after they ended; and bills
# are what the record says.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

equitree=$build/tools/equitree
charge_completing=yes
cluster_up --set PriorityDecayHalfLife=7-0
verify() { in_cluster "$equitree" usage --verify 2>&1; }
proved() { # TEXT
	local out status
	out=$(verify)
	status=$?
	is "$status|$(tail -n 1 <<<"$out" | sed -E 's/.*: ([0-9]+ differences?)/\1/')" "0|0 differences" "$1"
	((status == 0)) || diag "$out"
}
in_cluster "$equitree" budget grant physics 100 >/dev/null
in_cluster "$equitree" budget grant chemistry/cleo 50 >/dev/null
like "$(verify)" "2 budgets with 0 charges, 0 lines of the record: 0 differences" "a cluster without runs has no difference"
a=$(submit ada 3 -n1 --mem=8000M)
b=$(submit ben 30 -n2 --mem=16000M)
c=$(submit cleo 60 -n3 --mem=100M)
d=$(submit dan 3 -n1 --mem=1000M --exclusive=user)
wait_until jobs_ended "$a"
wait_until job_is "$c" RUNNING
in_cluster scontrol suspend "$c"
sleep 3
in_cluster scontrol resume "$c"
in_cluster scontrol requeue "$b"
wait_pass
sleep 10
proved "jobs that run, that were suspended, and one that was requeued are explained"
in_cluster scancel "$b" "$c"
wait_until jobs_ended "$b,$c,$d"
wait_pass
sleep 11
proved "jobs that ended are explained"
like "$(verify)" "2 budgets with [4-9] charges" "charges of budgets are compared"
in_cluster "$equitree" budget refund "$a" >/dev/null
proved "a refund of a budget is explained"
like "$(in_cluster "$equitree" bill --job "$d")" "^job $d COMPLETED: cost 32 core-equivalents .*, as recorded$" \
	"a bill is what the record says"
near "$(in_cluster "$equitree" bill --job "$c" --json | python3 -c 'import json, sys
job = json.load(sys.stdin)["jobs"][0]; print(job["charge"] * job["seconds"])')" "$(exact_usage chemistry cleo)" 0.05 \
	"a bill has each charged second, of nodes that were held as well"
near "$(in_cluster "$equitree" overhead --by user --json --since "$(date -d '-1 hour' +%FT%T)" 2>/dev/null | python3 -c 'import json, sys
print([bill["charged_hours"] * 3600 for bill in json.load(sys.stdin)["bills"] if bill["user"] == "cleo"][0])')" "$(exact_usage chemistry cleo)" 0.05 \
	"the fair bill of a period has what was charged in it"
focus=$(in_cluster "$equitree" usage --format=focus | "$system_dir/../tools/focus.py")
diag "$focus"
near "$(sed -nE 's/.* cleo=([0-9.]+).*/\1/p' <<<"$focus" | awk '{ print $1 * 3600 }')" "$(exact_usage chemistry cleo)" 2 \
	"charges in the columns of FOCUS are what was charged"
is "$(in_cluster "$equitree" budget list --format=ondemand | python3 -c 'import json, sys
print(*("%(user)s/%(project)s=%(value)d" % one for one in json.load(sys.stdin)["balances"]))')" \
	"ada/physics=99 ben/physics=99 cleo/chemistry=49" "the balance file of Open OnDemand has what each user has left"
year=$(in_cluster "$equitree" usage --by submitter --json)
is "$(grep -c '"record": 4' <<<"$year")" 1 "the usage of the year counts runs by the record"
before=$(in_cluster "$equitree" usage --by submitter --csv)
sed -i 's/cores = 1$/cores = 4/; s/memory = 4000M/memory = 64000M/' "$dir/etc/equitree.conf"
in_cluster scontrol reconfigure
is "$(in_cluster "$equitree" usage --by submitter --csv | cut -d, -f1-3)" "$(cut -d, -f1-3 <<<"$before")" \
	"other prices afterwards change no usage"
# The charge of a job, and what its budget has of it, in a copy of StateSaveLocation.
cp -r "$state_dir" "$work/copy"
python3 - "$work/copy/equitree_budgets" "$c" <<'END'
import sys, zlib
path, job = sys.argv[1:]
crc, out, changed = 0, [], False
for line in open(path):
    words = line.split()[:-1]
    if words[0] == "settle" and words[2] == job and not changed:
        part = words[9].split(":")
        part[2], changed = str(int(part[2]) // 2), True
        words[9] = ":".join(part)
    crc = zlib.crc32(" ".join(words).encode(), crc)
    out.append("%s %08x\n" % (" ".join(words), crc))
open(path, "w").writelines(out)
END
out=$(in_cluster "$equitree" usage --verify --state "$work/copy" 2>&1)
is "$?|$(grep -c "^job $c: .* hours charged to budgets" <<<"$out")" "1|1" \
	"a charge of a budget that was changed in a copy of its journal is found, with its run" || diag "$out"
# A return to Slurm's own plugin whose billing is a thousand times as much, and back.
conf=$dir/etc/slurm.conf
long=$(submit ada 600 -n1 --mem=1000M -t20)
wait_until job_is "$long" RUNNING || bail "a job runs through the return"
wait_pass
proved "before the return usage is explained"
plugin() { # TYPE WEIGHTS
	daemon stop slurmctld
	sed -i -E -e "s/^PriorityType=.*/PriorityType=priority\/$1/" -e 's/ TRESBillingWeights="[^"]*"//' "$conf"
	[[ ! ${2-} ]] || sed -i -E "s/^PartitionName=(cpu|gpu) .*/& TRESBillingWeights=\"$2\"/" "$conf"
	daemon start slurmctld || bail "slurmctld starts with $1"
}
in_cluster scancel "$long"
wait_until jobs_ended "$long"
plugin multifactor CPU=1000
other=$(submit ben 600 -n1 --mem=1000M -t20)
wait_until job_is "$other" RUNNING || bail "a job runs with Slurm's own plugin"
sleep 5
# Its pass at the start of another life charges the job.
plugin multifactor CPU=1000
sleep 2
plugin equitree
wait_pass
out=$(verify)
is "$(grep -c 'user ben: RawUsage' <<<"$out")" 1 "what Slurm's own plugin charged a thousand times is a difference" || diag "$out"
repair() { in_cluster env SLURM_CONF="$conf" "$equitree" leave --repair 2>&1; }
like "$(repair)" "slurmctld runs, or was killed" "usage is not repaired while slurmctld runs"
in_cluster scancel "$other"
wait_until jobs_ended "$other"
wait_pass
daemon stop slurmctld
out=$(repair)
is "$?|$(tail -n 1 <<<"$out")" "0|It is what the record says now. Start slurmctld." "usage is repaired from the record of charges" || diag "$out"
daemon start slurmctld || bail "slurmctld starts after the repair"
wait_pass
out=$(verify)
is "$(grep -c '^account' <<<"$out")" 0 "after the repair usage is what the record says" || diag "$out"
record=$(echo "$state_dir"/equitree_charges/charges.*)
sed -i "/ $a 0 0 0 0 /d" "$record"
out=$(verify)
is "$?|$(grep -c "account physics user ada: RawUsage\|job $a: [0-9]* s in accounting, none in the record" <<<"$out")" "1|2" \
	"a charge that the record lacks is found, with its run"
no_equitree_errors

# Somebody removes the file of the day.
sleep 61 # the journal has a minute
wait_pass
daemon stop slurmctld
mv "$record" "$work/record"
daemon start slurmctld || bail "slurmctld starts without the file"
like "$(grep 'error: priority/equitree' "$dir/log/slurmctld.log" | tail -n 1)" "lines 1 to [0-9]* are missing: a file was removed" \
	"a record of charges that is gone is an error in the log"
ended=$(submit ada 1 -n1)
wait_until jobs_ended "$ended"
wait_until test -s "$record"
is "$(verify | grep -c 'user ada: RawUsage')" 1 "usage that the record of charges lacks is a difference"
done_testing
