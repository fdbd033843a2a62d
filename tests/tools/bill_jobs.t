#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# equitree bill --job and --user on saved output of sacct: what jobs cost that ran,
# and that run, and what the resources that they used would have cost.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"
export TZ=UTC

conf=$tools_dir/../../sandbox/sites/cedar/equitree.conf
cp "$data/jobs-and-steps.txt" "$work/sacct"
bill() { run bill -f "$conf" --jobs "$work/sacct" "$@"; }
line() { sed -n "/^job $1 /,/^job /p" <<<"$out" | sed '1!{/^job /d}'; }

bill --job 7,8,9_3,10,11,12
is "$status|$err" "0|" "equitree bill --job reads what sacct printed"
is "$(line 7)" "job 7 COMPLETED: cost 2.5 core-equivalents (memory decides), 1.25 h for 0:30:00, at present prices
  it used 1 core and 2000M: a request of these costs 1, 0.5 h" \
	"a job that ended has its price, its cost, and that of what it used"
is "$(line 8)" "job 8 RUNNING: cost 4 core-equivalents (cores decide), 1 h for 0:15:00 so far, at present prices
  at most 8 h for 2:00:00" \
	"a job that runs has its cost so far, and the most"
is "$(line 9_3)" "job 9_3 TIMEOUT: cost 1.5 GPU-equivalents (cores decide), 1.5 h for 1:00:00, at present prices
  it used 8 cores and 2048M: a request of these costs 1.3333, 1.3333 h" \
	"a task of an array with a GPU"
is "$(line 10)" "job 10 PENDING: has not run, and cost nothing" \
	"a job that waits has cost nothing"
is "$(line 11)" "job 11 COMPLETED: no price: AllocTRES is empty" \
	"a job without a record of what it had has no price"
is "$(line 12)" "job 12 COMPLETED: cost 1 core-equivalent (cores decide), 26 h for 1-02:00:00, at present prices" \
	"suspended time costs, if the site charges it"
sed 's/^message.*/charge_suspended = no\npool "cpu" { unit = SU  units = SUs  rate = 0.02  currency = EUR }/' "$conf" >"$work/conf"
run bill -f "$work/conf" --jobs "$work/sacct" --job 12,7
is "$(line 12)" "job 12 COMPLETED: cost 1 SU (cores decide), 24 h (0.48 EUR) for 1-00:00:00, at present prices" \
	"suspended time is free, if the site says so; unit and money are the site's"

# Twenty minutes at the whole price, and ten at half of it.
echo 'week_factor = 0.5 Sat 10:20-12:00' | cat "$conf" - >"$work/conf.week"
run bill -f "$work/conf.week" --jobs "$work/sacct" --job 7
like "$(line 7)" "^job 7 COMPLETED: cost .*, 1.0417 h for 0:30:00, at present prices" \
	"a price at present prices has the mean factor of the run's times of the week"

# A job of two nodes that gave one away after 21 of 41 seconds, as sacct lists it.
cat >"$work/resized" <<'END'
JobIDRaw|JobID|Account|User|Partition|QOS|State|Submit|Start|End|ElapsedRaw|Suspended|TimelimitRaw|AllocTRES|NodeList
11|11|physics|ada|cpu|normal|RESIZING|2026-11-29T06:02:42|2026-11-29T06:02:42|2026-11-29T06:03:03|21|00:00:00|4|billing=2,cpu=2,mem=8000M,node=2|cpu[1-2]
11|11|physics|ada|cpu|normal|COMPLETED|2026-11-29T06:03:03|2026-11-29T06:02:42|2026-11-29T06:03:23|41|00:00:00|4|billing=1,cpu=1,mem=4000M,node=1|cpu1
END
run bill -f "$conf" --jobs "$work/resized" --job 11
is "$out" "job 11 run 1 of 2 RESIZING: cost 2 core-equivalents (cores decide), 0.0117 h for 0:00:21, at present prices
job 11 run 2 of 2 COMPLETED: cost 1 core-equivalent (cores decide), 0.0056 h for 0:00:20, at present prices
  all runs: 0.0172 h" \
	"each size of a resized job costs from its resize on, whatever sacct says of its start"

bill --job 9
is "$status|$(grep -c '^job' <<<"$out")" "0|1" "the id of an array is all its tasks"
bill --user ben
is "$status|$(wc -l <<<"$out")" "0|1" "a user without jobs has an empty table"
bill --user ada --since 2026-11-21
is "$status|$err|$(head -n 2 <<<"$out" | tr -s ' ')" \
	"0||JOB STATE PRICE UNIT BY TIME HOURS MONEY FITTING SOURCE
7 COMPLETED 2.5 core-equivalents memory 0:30:00 1.25 - 0.5 prices" \
	"equitree bill --user prints a table"
bill --user ada --no-headings
is "$(wc -l <<<"$out")" 6 "--no-headings omits the line of names"

bill --job 7 --json
is "$status|$(python3 -c 'import json, sys
job = json.load(sys.stdin)["jobs"][0]
print(job["job"], job["equivalents"], job["dominant"], job["equivalent_hours"],
	job["fitting"]["memory_mib"], job["fitting"]["equivalent_hours"])' <<<"$out")" \
	"0|7 2.5 memory 1.25 2000 0.5" "the same as JSON"
run bill -f "$work/conf" --jobs "$work/sacct" --job 8 --json
is "$(python3 -c 'import json, sys
job = json.load(sys.stdin)["jobs"][0]
print(job["equivalent_hours_max"], job["money"], job["currency"], job["unit"])' <<<"$out")" \
	"8 0.02 EUR SUs" "JSON has the most of a running job, and its money"

queue=$data/why/queue.txt
run bill -f "$conf" --queue "$queue" --job 5,12
is "$status|$out" "0|job 5 PENDING: cost 30 core-equivalents (cores decide), 5 h for 0:10:00
job 12 PENDING: cost at least 1 core-equivalent (cores decide), at least 1 h for 1:00:00" \
	"jobs of squeue that wait have the prices of their requests"
run bill -f "$conf" --queue "$queue" --job 5 --json
is "$(python3 -c 'import json, sys
job = json.load(sys.stdin)["jobs"][0]
print(job["state"], job["equivalents"], job["equivalent_hours_max"])' <<<"$out")" \
	"PENDING 30 5" "JSON has the most of a waiting job"
run bill -f "$conf" --queue "$queue" --jobs "$work/sacct" --job 5,9_3
is "$status|$(grep -c ^job <<<"$out")" "0|2" "one job of squeue, and one of sacct"
run bill -f "$conf" --queue "$queue" --jobs "$work/sacct" --job 7
is "$status|$(sed -n '/^job\|all/p' <<<"$out")" "0|job 7 run 1 of 2 COMPLETED: cost 2.5 core-equivalents (memory decides), 1.25 h for 0:30:00, at present prices
job 7 run 2 of 2 PENDING: cost 1 core-equivalent (cores decide), 1 h for 1:00:00
  all runs: 1.25 h" "a job that waits after a requeue has its first run as well"

{
	head -n 1 "$work/sacct"
	echo '1|1|physics|ada|cpu|normal|RUNNING|1795358640|Unknown|0|00:00:00|30|billing=16,cpu=16,mem=62.50G,node=1|cpu1|||00:00:00'
} >"$work/first-second"
run bill -f "$conf" --queue "$queue" --jobs "$work/first-second" --job 1
like "$status|$out" '^0\|job 1 RUNNING: cost 16 core-equivalents .* so far' \
	"a job in its first second of accounting is that of squeue"

# ---- Many jobs --------------------------------------------------------------------

# A queue and accounting of 20,000 jobs, and a list of 9,000 ids of both.
job_line=$(sed -n 2p "$work/sacct")
{
	head -n 1 "$work/sacct"
	sed 1q <<<"$job_line" | awk 'BEGIN { FS = OFS = "|" } {
		for (id = 10001; id <= 30000; id++) { $1 = $2 = id; print }
	}'
} >"$work/many"
awk 'NR == 1; NR == 2 {
	rest = substr($0, index($0, "|"))
	sub(/^\|[^|]*/, "", rest)
	sub(/[0-9]+$/, "", rest)
	for (id = 30001; id <= 50000; id++) print id "|" id rest id
}' "$queue" >"$work/waiting"
run bill -f "$conf" --queue "$work/waiting" --jobs "$work/many" \
	--job "$(seq -s , 10001 3 23500),$(seq -s , 30001 4 48000)"
is "$status|$err|$(grep -c '^job .* COMPLETED' <<<"$out")|$(grep -c '^job .* PENDING' <<<"$out")" \
	"0||4500|4500" "a list of 9,000 ids is a bill of 9,000 jobs"
run bill -f "$conf" --jobs "$work/many" --job "$(seq -s , 100000 116000)"
like "$status|$err" '^2\|equitree bill: .*expected numbers of jobs with commas between, 100000 letters at most' \
	"a list that no shell takes is refused with the reason"

# What sacct is asked, also about another cluster.
mkdir -p "$work/bin"
printf '#!/bin/sh\necho "$@" >%q\ncat %q\n' "$work/asked" "$work/many" >"$work/bin/sacct"
printf '#!/bin/sh\ncat %q\n' "$work/waiting" >"$work/bin/squeue"
printf '#!/bin/sh\ncase $* in *config*) echo "ClusterName = here" ;; *) cat %q ;; esac\n' \
	"$data/nodes.txt" >"$work/bin/scontrol"
chmod +x "$work/bin"/*
ids=$(seq -s , 10001 11000)
PATH=$work/bin:$PATH run bill -f "$conf" -M other --job "$ids"
is "$(cut -d' ' -f1-2 "$work/asked") $(grep -o -- "-j $ids " "$work/asked" | wc -l)" "-M other 1" \
	"another cluster is asked about 1,000 jobs"

# ---- What accounting was billed -----------------------------------------------

# Since the 21st billing is equitree's: at a scale of 1000, and from noon on of 100.
billed=$work/billed.conf
sed 's/^billing_scale.*//' "$conf" >"$billed"
cat >>"$billed" <<'END'
billing_scale = 100
billing_since = 2026-11-21x1000,2026-11-21T12:00:00
pool "cpu" { unit = core-hour  units = core-hours  rate = 0.02  currency = EUR }
END
head -n 1 "$work/sacct" >"$work/charged"
ran() { # ID START TRES [STATE [SECONDS]]
	local start end seconds=${5-3600}
	start=$(date -d "$2" +%s) end=$(date -d "@$(($(date -d "$2" +%s) + seconds))" +%s)
	echo "$1|$1|physics|ada|${partition-cpu}|normal|${4-COMPLETED}|$start|$end|$seconds|00:00:00|60|$3|${nodes-cpu1}|||00:00:00"
}
{
	ran 20 2026-11-21T08:00:00 billing=32000,cpu=1,mem=1000M,node=1 # --exclusive=user
	ran 21 2026-11-21T08:00:00 billing=125000,cpu=32,mem=1000M,node=1 # whole node, its memory
	ran 22 2026-11-21T08:00:00 billing=2500,cpu=2,mem=10000M,node=1
	ran 23 2026-11-21T13:00:00 billing=250,cpu=2,mem=10000M,node=1
	ran 24 2026-11-20T08:00:00 billing=32000,cpu=2,mem=10000M,node=1
	ran 25 2026-11-21T08:00:00 billing=16000,cpu=16,mem=10000M,node=1 REQUEUED 600
	ran 25 2026-11-21T09:00:00 billing=16000,cpu=16,mem=10000M,node=1 COMPLETED 1800
	ran 26 2026-11-21T11:30:00 billing=250,cpu=2,mem=10000M,node=1
	partition=gone ran 27 2026-11-21T08:00:00 billing=3700,cpu=2,mem=1000M,gres/gpu=1,gres/gpu:old=1
} >>"$work/charged"
billed() { run bill -f "${use-$billed}" --jobs "$work/charged" "$@"; }
billed --job 20
is "$out" "job 20 COMPLETED: cost 32 core-hours, 32 h (0.64 EUR) for 1:00:00, as billed" \
	"a user's whole node is billed, although the job has one core of it"
billed --job 21
is "$out" "job 21 COMPLETED: cost 125 core-hours, 125 h (2.5 EUR) for 1:00:00, as billed" \
	"a whole node whose memory decides is billed"
billed --job 22,23,26
is "$out" "job 22 COMPLETED: cost 2.5 core-hours (memory decides), 2.5 h (0.05 EUR) for 1:00:00, as billed
job 23 COMPLETED: cost 2.5 core-hours (memory decides), 2.5 h (0.05 EUR) for 1:00:00, as billed
job 26 COMPLETED: cost 2.5 core-hours (memory decides), 2.5 h (0.05 EUR) for 1:00:00, as billed" \
	"each billing has the scale of the end of its job"
billed --job 24
is "$out" "job 24 COMPLETED: cost 2.5 core-hours (memory decides), 2.5 h (0.05 EUR) for 1:00:00, at present prices" \
	"a billing from before equitree is not believed"
billed --job 20 --reprice
is "$out" "job 20 COMPLETED: cost 1 core-hour (cores decide), 1 h (0.02 EUR) for 1:00:00, at present prices" \
	"--reprice prices what was allocated"
billed --job 25
is "$out" "job 25 run 1 of 2 REQUEUED: cost 16 core-hours (cores decide), 2.6667 h (0.0533 EUR) for 0:10:00, as billed
job 25 run 2 of 2 COMPLETED: cost 16 core-hours (cores decide), 8 h (0.16 EUR) for 0:30:00, as billed
  all runs: 10.6667 h (0.2133 EUR)" "each run of a requeued job is billed"
billed --job 25 --json
is "$(python3 -c 'import json, sys
print([(job["run"], job["seconds"], job["source"]) for job in json.load(sys.stdin)["jobs"]])' <<<"$out")" \
	"[(1, 600, 'billing'), (2, 1800, 'billing')]" "JSON has each run, and where its charge is from"
billed --user ada --csv
is "$(sed -n '1p;/^20/p;/^24/p' <<<"$out")" "JOB,STATE,PRICE,UNIT,BY,TIME,HOURS,MONEY,FITTING,SOURCE
20,COMPLETED,32,core-hours,,1:00:00,32,0.64 EUR,,billing
24,COMPLETED,2.5,core-hours,memory,1:00:00,2.5,0.05 EUR,,prices" "CSV has a column for the source"
billed --job 27
is "$out" "job 27 COMPLETED: cost 3.7 GPU-equivalents, 3.7 h for 1:00:00, as billed" \
	"a GPU model whose bundle is gone is billed as it was"
sed 's/cores = 1 .*/cores = 4/; s/memory = 4000M/memory = 64000M/' "$billed" >"$work/later.conf"
use=$work/later.conf billed --job 22
is "$out" "job 22 COMPLETED: cost 2.5 core-hours, 2.5 h (0.05 EUR) for 1:00:00, as billed" \
	"other prices afterwards change no bill"
use=$work/later.conf billed --job 22 --reprice
isnt "$out" "job 22 COMPLETED: cost 2.5 core-hours, 2.5 h (0.05 EUR) for 1:00:00, as billed" \
	"a bill with --reprice has the price of today"

# Two kinds of nodes, and a model with two bundles.
cat >"$work/two.conf" <<'END'
bundle "cores" { cores = 1  memory = 4000M }
bundle "gpu:p100" { cores = 4  memory = 32000M  nodes = gpu1 }
bundle "gpu:p100" { cores = 11  memory = 32000M  nodes = gpu2 }
END
sed 's/v100/p100/; /NodeName=cpu2/{s/ThreadsPerCore=1/ThreadsPerCore=2/; s/CoresPerSocket=16/CoresPerSocket=8/}' "$data/nodes.txt" >"$work/two.nodes"
{
	head -n 1 "$work/sacct"
	nodes=cpu2 ran 30 2026-11-20T08:00:00 cpu=4,mem=1000M,node=1
	nodes=cpu1 ran 31 2026-11-20T08:00:00 cpu=4,mem=1000M,node=1
	nodes=gpu1 partition=gpu ran 32 2026-11-20T08:00:00 cpu=11,mem=1000M,gres/gpu=1,gres/gpu:p100=1
	nodes=gpu2 partition=gpu ran 33 2026-11-20T08:00:00 cpu=11,mem=1000M,gres/gpu=1,gres/gpu:p100=1
} >"$work/charged"
use=$work/two.conf billed --job 30,31,32,33 --nodes "$work/two.nodes"
is "$(sed -E 's/ [A-Z]+: cost ([^ ]+) .*/ \1/' <<<"$out")" "job 30 2
job 31 4
job 32 2.75
job 33 1" "a price has the threads and the bundle of the nodes of the job"

misuse() { # TEXT ARGUMENT...
	local text=$1
	shift
	run bill -f "$conf" --jobs "$work/sacct" "$@"
	is "$status|$(grep -cF -- "$text" <<<"$err")" "2|1" "bill $*: $text"
}
misuse 'expected numbers of jobs' --job '7;id'
misuse 'expected numbers of jobs' --job ''
misuse 'expected a user' --user '$(id)'
misuse 'expected a user' --user=-x
misuse '--job excludes --user and --since' --job 7 --user ada
misuse '--since needs --user' --since 2026-11-21
run bill -f "$conf" --jobs "$work/none" --job 7
is "$status|$(grep -c 'none: No such file' <<<"$err")" "1|1" "a list that is not there"
head -n 1 "$work/sacct" >"$work/empty"
run bill -f "$conf" --jobs "$work/empty" --job 7
is "$status|$err" "1|equitree bill: job 7: sacct knows no such job" \
	"a job that sacct does not know"
sed 's/mem=10000M/mem=9.77G/' "$work/sacct" >"$work/rounded"
run bill -f "$conf" --jobs "$work/rounded" --job 7
is "$status|$(grep -c 'line 2: AllocTRES: .*--noconvert' <<<"$err")" "1|1" \
	"rounded amounts are refused, with file and line"
done_testing
