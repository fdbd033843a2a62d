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
is "$(line 7)" "job 7 COMPLETED: cost 2.5 core-equivalents (memory decides), 1.25 h for 0:30:00
  it used 1 core and 2000M: a request of these costs 1, 0.5 h" \
	"a job that ended has its price, its cost, and that of what it used"
is "$(line 8)" "job 8 RUNNING: cost 4 core-equivalents (cores decide), 1 h for 0:15:00 so far
  at most 8 h for 2:00:00" \
	"a job that runs has its cost so far, and the most"
is "$(line 9_3)" "job 9_3 TIMEOUT: cost 1.5 GPU-equivalents (cores decide), 1.5 h for 1:00:00
  it used 8 cores and 2048M: a request of these costs 1.3333, 1.3333 h" \
	"a task of an array with a GPU"
is "$(line 10)" "job 10 PENDING: has not run, and cost nothing" \
	"a job that waits has cost nothing"
is "$(line 11)" "job 11 COMPLETED: no price: AllocTRES is empty" \
	"a job without a record of what it had has no price"
is "$(line 12)" "job 12 COMPLETED: cost 1 core-equivalent (cores decide), 26 h for 1-02:00:00" \
	"suspended time costs, if the site charges it"
sed 's/^message.*/charge_suspended = no\npool "cpu" { unit = SU  units = SUs  rate = 0.02  currency = EUR }/' "$conf" >"$work/conf"
run bill -f "$work/conf" --jobs "$work/sacct" --job 12,7
is "$(line 12)" "job 12 COMPLETED: cost 1 SU (cores decide), 24 h (0.48 EUR) for 1-00:00:00" \
	"suspended time is free, if the site says so; unit and money are the site's"

bill --job 9
is "$status|$(grep -c '^job' <<<"$out")" "0|1" "the id of an array is all its tasks"
bill --user ben
is "$status|$(wc -l <<<"$out")" "0|1" "a user without jobs has an empty table"
bill --user ada --since 2026-11-21
is "$status|$err|$(head -n 2 <<<"$out" | tr -s ' ')" \
	"0||JOB STATE PRICE UNIT BY TIME HOURS MONEY FITTING
7 COMPLETED 2.5 core-equivalents memory 0:30:00 1.25 - 0.5" \
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
run bill -f "$conf" --queue "$queue" --jobs "$work/sacct" --job 5,7
is "$status|$(grep -c ^job <<<"$out")" "0|2" "one job of squeue, and one of sacct"
run bill -f "$conf" --queue "$queue" --job 4711
is "$status|$err" "1|equitree bill: job 4711: squeue knows no such job" \
	"a job that squeue does not know"

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
