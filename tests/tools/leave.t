#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# equitree leave --check on saved output. On a cluster it is in tests/system/leave.t.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

saved=$work/saved
cp -r "$data/leave" "$saved"
leave() { # OPTION...
	run leave --check --config "$saved/config.txt" \
		--partitions "$saved/partitions.txt" --jobs "$saved/jobs.txt" "$@"
}
alter() { # FILE EXPRESSION
	sed -E "$2" "$data/leave/$1.txt" >"$saved/$1.txt"
}
job() { # ID STATE PARTITION TRES [REASON]: as squeue prints it
	echo "$1|$1|ada|physics|$3|normal|$2|100|1|1|$4|1:00:00|0:00|1|1|N/A|N/A||(null)|(null)||YES||(null) ${5-None}|$1"
}
queue() { head -n 1 "$data/why/queue.txt"; }

leave
like "$status|$err|$out" "^0\|\|Safe: 3 jobs " "all jobs have Slurm's own billing"
leave --json
is "$out" '{"safe":true,"stock_billing":true,"jobs":3,"other":[],"held":[]}' "the same as JSON"

# state of a job, its billing, the weights of both partitions, PriorityFlags
while IFS='|' read -r tres weights flags want name; do
	{ queue; job 7 RUNNING p "$tres"; } >"$saved/jobs.txt"
	echo "PartitionName=p TRESBillingWeights=$weights" >"$saved/partitions.txt"
	alter config "s/MAX_TRES/$flags/"
	leave --json
	like "$status$out" "^${want/safe/0.*\"other\":\\[\\]}" "$name"
done <<'ROWS'
cpu=2,mem=10000M,node=1,billing=2|(null)|MAX_TRES|safe|without weights it is the CPUs
cpu=2,mem=10000M,node=1,billing=2500|(null)|MAX_TRES|1.*"billing":2500,"own":2\}|a price in thousandths is not
cpu=2,mem=10000M,node=1,billing=2|CPU=1,Mem=0.25G|MAX_TRES|safe|the largest: 2.44 is truncated
cpu=2,mem=10000M,node=1,billing=4|CPU=1,Mem=0.25G|SMALL|safe|without MAX_TRES the sum, 4.44
cpu=2,mem=10000M,node=1,billing=3|CPU=1,Mem=0.25G|SMALL|1.*"own":4\}|and not 3
cpu=2,mem=9.77G,node=1,billing=4|CPU=1,Mem=0.25G|SMALL|safe|rounded memory
cpu=2,mem=8G,node=1,billing=4|cpu=1,mem=0.000244140625|SMALL|safe|a weight of memory without a unit is per MiB
cpu=2,node=1,billing=5,gres/gpu=1,gres/gpu:p100=1|CPU=1,GRES/gpu=1,GRES/gpu:p100=2|SMALL|safe|a model is added to all GPUs
cpu=2,node=1,billing=3,gres/gpu=3,gres/gpu:p100=1|CPU=1,GRES/gpu=1,GRES/gpu:p100=2|MAX_TRES|safe|with MAX_TRES it is not
cpu=2,node=1,billing=5,gres/gpu=1,gres/gpu:p100=1|CPU=1,GRES/gpu=1,GRES/gpu:p100=2|MAX_TRES_GRES|safe|with MAX_TRES_GRES GPUs are added
cpu=2,node=1,billing=6,license/x=4|CPU=1,License/x=1|MAX_TRES|safe|licences are added always
ROWS

cp "$data"/leave/* "$saved/"
alter config 's/stock_billing,//'
leave
like "$status|$out" "^1\|Not yet: add stock_billing" "without stock_billing it is not safe"
alter config 's/stock_billing/stock_compat/'
leave
is "$status" 0 "stock_compat has it, too"
alter config 's|stock_billing,||; s|priority/equitree|priority/multifactor|'
leave
is "$status" 0 "under multifactor only the jobs count"

cp "$data"/leave/* "$saved/"
{
	queue
	for ((i = 10; i < 30; i++)); do
		job "$i" RUNNING cpu cpu=1,billing=1000
	done
} >"$saved/jobs.txt"
leave
is "$status|$(grep -c "^job" <<<"$out")|$(grep '^and' <<<"$out")" "1|10|and 10 more" \
	"of many jobs ten are listed"
{
	queue
	job 5 PENDING cpu cpu=1,billing=1 "Budget 2 of physics has 0 left, job needs 1"
	job 6 PENDING cpu cpu=1,billing=1 Priority
	job 7 COMPLETING cpu cpu=1,billing=1000
} >"$saved/jobs.txt"
leave
like "$status|$out" "^0\|Safe: 2 jobs.*Budgets hold 1 jobs.*scontrol release 5\$" "jobs that budgets hold are named with the command that releases them"
queue >"$saved/jobs.txt"
leave
like "$status|$out" "^0\|Safe: 0 jobs" "an empty queue is safe"

rm "$saved/jobs.txt"
leave
is "$status|$out|$err" "1||equitree leave: $saved/jobs.txt: No such file or directory" \
	"a missing file"
run leave --config "$saved/config.txt"
is "$status|$out" "2|" "saved output without --check is misuse"

# slurmctld with a pass once a day: after a reconfigure it has Slurm's own billing.
mkdir "$work/bin"
cat >"$work/bin/scontrol" <<'END'
#!/bin/bash
case "$*" in
*config) cat "$SAVED/config.txt" ;;
*partition) cat "$SAVED/partitions.txt" ;;
reconfigure)
	sed -i 's/^PriorityParameters.*/PriorityParameters = stock_billing/' "$SAVED/config.txt"
	sed -i 1q "$SAVED/jobs.txt"
	;;
esac
END
# shellcheck disable=SC2016
printf '#!/bin/bash\ncat "$SAVED/jobs.txt"\n' >"$work/bin/squeue"
chmod +x "$work/bin"/*
{ queue; job 7 RUNNING cpu cpu=1,billing=1000; } >"$saved/jobs.txt"
echo "PriorityParameters=stock_billing" >"$work/leave.conf"
printf '%s\n' "SLURM_CONF = $work/leave.conf" 'PriorityType = priority/equitree' \
	'PriorityCalcPeriod = 1-00:00:00' >"$saved/config.txt"
echo 'PriorityParameters = (null)' >>"$saved/config.txt"
SAVED=$saved PATH=$work/bin:$PATH run leave
like "$status|$err|$out" "^0\|\|1 jobs run.* in at most 86400 s,.*Safe: 0 jobs" \
	"a period of a day is waited for"
rm "$work/leave.conf"

# ---- A repair -------------------------------------------------------------------

# Association 7 (a user) below 2 below 1, the root; 9 is gone. A run of 2 equivalents for an
# hour, one half-life before the pass, one that goes on since ten minutes, and a snapshot
# that has a thousand times as much.
cat >"$work/make.py" <<'END'
import math, os, sys, zlib
work = sys.argv[1]
PASS, H = 1780000000, 7 * 86400
def seal(text): return "%s%08x\n" % (text, zlib.crc32(text.encode()))
def line(number, kind, job, assoc, start, length, rate):
    return seal(f"c {number} {kind} {job} 0 0 0 0 {start} 0 {length} 0 {rate.hex()} 0x1p+0 1 1000 {int(rate * 1000)} {assoc} 1 0 cc 0 0 0 physics ada cpu normal - - ")
os.makedirs(work + "/state/equitree_charges", exist_ok=True)
with open(work + "/state/equitree_charges/charges.2026-05-28", "w") as out:
    out.write(seal("equitree-charges 1 test 2026-05-28 "))
    out.write(line(1, "e", 1, 7, PASS - H - 3600, 3600, 2.0))
    if os.environ.get("GONE"): out.write(line(2, "e", 3, 9, PASS - 600, 60, 1.0))
    # The journal has what came after the pass.
    else: out.write(line(2, "e", 3, 7, PASS - 60, 120, 1.0))
with open(work + "/state/equitree_charges/open", "w") as out:
    out.write(seal("equitree-charges 1 test open "))
    out.write(line(0, "o", 2, 7, PASS - 600, 600, 3.0))
body = f"equitree-usage 1 {PASS} 0 5 1 5\n"
for assoc in (1, 2, 7): body += f"a {assoc} {float(3406033).hex()} 0x0p+0 0x0p+0 {float(99).hex()}\n"
body += f"q 1 {float(17).hex()} 0x0p+0 0x0p+0 0x0p+0\np 7 2\np 2 1\nu 1000 0\nend 4 "
open(work + "/state/equitree_usage", "w").write(seal(body))
open(work + "/state/equitree_owner", "w").write(os.environ.get("OWNER", "released") + "\n")
open(work + "/state/priority_last_decay_ran", "wb").write((PASS + int(os.environ.get("LATER", 0))).to_bytes(8, "big") + bytes(8))
END
printf '%s\n' 'PriorityType=priority/equitree' 'PriorityDecayHalfLife=7-0' "StateSaveLocation=$work/state" >"$work/slurm.conf"
make() { rm -rf "$work/state" && python3 "$work/make.py" "$work"; }
repair() { TZ=UTC SLURM_CONF=$work/slurm.conf run leave --repair "$@"; }
usage() { # of each row of the snapshot
	python3 -c 'import sys
for line in open(sys.argv[1]):
    word = line.split()
    if word[0] in "aq": print(word[0] + word[1], round(float.fromhex(word[2])), round(float.fromhex(word[5])), end=" ")' "$work/state/equitree_usage"
}
make
chmod 600 "$work/state/equitree_usage"
was=$(usage)
cp "$work/state/equitree_usage" "$work/was"
repair --check
is "$status|$(head -n 1 <<<"$out")|$(usage)" \
	"1|Usage of 3 of 3 associations differs from the record of charges, which|$was" \
	"--repair --check says what the record of charges would change, and changes nothing"
repair
is "$status|$err|$(usage)" "0||a1 5452 5451963 a2 5452 5451963 a7 5452 5451963 q1 17 0 " \
	"usage is what the record says as of the pass: decayed, with what runs, and nothing after it"
is "$(stat -c %a "$work/state/equitree_usage")|$(cmp "$work/was" "$work/state/equitree_usage.before")" "600|" \
	"the repaired file has its mode, and the one before is kept"
repair
is "$status|$(grep -c '^Usage of 0 of' <<<"$out")" "0|1" "a second repair changes nothing"
GONE=1 make
repair
is "$status|$(tail -n 2 <<<"$out" | head -n 1)" "0|1 associations of the record are gone, and their usage with them." \
	"usage of an association that is gone is named"
OWNER=7 make
repair
is "$status|$(usage)" "1|$was" "nothing is repaired while slurmctld runs"
LATER=60 make
repair
like "$status|$err" "^1.*Slurm's own plugin has run since" "a snapshot that the next start would not read is not repaired"
make
sed -i 's/^c 1 e 1/c 1 e 4/' "$work/state/equitree_charges"/charges.*
repair
is "$status|$err|$(usage)" "1|equitree leave: the record is not whole|$was" "a damaged record repairs nothing"
make
sed -i 's/equitree/multifactor/' "$work/slurm.conf"
repair
like "$status|$err" "^1.*expected PriorityType=priority/equitree" "multifactor would not read what is repaired"
run leave --state x
is "$status" 2 "--state without --repair is misuse"
done_testing
