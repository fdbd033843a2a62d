#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# equitree recover: when a Level FS is back at 1, from saved output.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

sshare=$data/sshare.txt
recover() { run recover --shares "$sshare" "$@"; }
row() { awk -v name="$1" '$0 ~ "-" name " " { sub(/^[-| `]*/, ""); print }' \
	<<<"$out" | tr -s ' '; }

recover physics --config "$data/config.txt"
is "$status$err" 0 "the half-life is found in a saved configuration"
is "$(row physics)" "physics 0.6106 0.8891 0.6867 3 d 20 h 16 d 12 h" \
	"an account beyond its share: soonest, and with the others as now"
like "$out" "the half-life is"$'\n'"7 d 0 h" "the half-life is said"
((widest=$(widest), widest <= 80))
is "$?" 0 "the table of levels fits 80 columns ($widest)"
recover physics --half-life 1:00:00
is "$(row physics)" "physics 0.6106 0.8891 0.6867 0 h 33 min 2 h 22 min" \
	"--half-life sets the half-life"
recover chemistry --half-life 7-0
is "$(row chemistry)" "chemistry 0.3874 0.0370 10.4564 now now" \
	"an account within its share"
recover bloggs.prj/xyz789 --half-life 7-0
is "$(row bloggs.prj)" "bloggs.prj 0.0901 1.0000 0.0901 24 d 8 h never" \
	"nobody else used anything: others as now is never"
like "$(row xyz789)" "0.3549 10 d 12 h 34 d" "the user's own, below it"
recover physics --half-life 0
is "$(row physics)" "physics 0.6106 0.8891 0.6867 never never" \
	"no half-life, no decay: never"
like "$out" "usage does not decay" "no half-life: a line says that usage never decays"
sed '/ResetPeriod/s/NONE/MONTHLY/' "$data/config.txt" >"$work/monthly"
recover physics --config "$work/monthly"
like "$out" "PriorityUsageResetPeriod=MONTHLY also resets all usage" \
	"a reset of usage is said"
recover xyz789 --half-life 7-0 --json
is "$(grep -c soonest_s <<<"$out")|$(grep -c '"half_life_s": 604800' <<<"$out")|$(grep -c 'soonest_s": null' <<<"$out")" \
	"3|3|1" "JSON: each association; none for Fairshare=parent"
job() { # ID USER ACCOUNT BILLING [STATE]
	echo "$1|$2|$3|cpu|${5-RUNNING}|1|1|cpu=1,mem=1G,billing=$4|None|$1"
}
# Owed are 3192 - 1800 / 2948 * 3590 = 1000.0, gained 10 * 1800 / 2948 a second.
{
	echo "JOBID|USER|ACCOUNT|PARTITION|STATE|NODES|PRIORITY|TRES_ALLOC|REASON|JOBID"
	job 1 cleo chemistry 4000
	job 2 dan chemistry 6000
	job 3 dan chemistry 9000 PENDING
	job 4 eve elsewhere 5000
} >"$work/jobs"
{
	cat "$tools_dir/../../sandbox/sites/cedar/equitree.conf"
	echo "billing_scale = 1000"
} >"$work/equitree.conf"
going() { recover "$@" --half-life 7-0 --jobs "$work/jobs" -f "$work/equitree.conf"; }
going physics
is "$status|$err|$(row physics)" "0||physics 0.6106 0.8891 0.6867 3 d 20 h 16 d 12 h 0 h 3 min" \
	"if the others' running jobs go on"
like "$out" "1 running jobs belong to no listed association" "a job of nobody who is listed"
((widest=$(widest), widest <= 80))
is "$?" 0 "the table with running jobs fits 80 columns ($widest)"
going physics --json
is "$(sed -n 's/^ *"jobs_go_on_s": \([0-9]*\)[.].*/\1/p' <<<"$out")" 163 "to the second"
job 5 ada physics 20000 >>"$work/jobs"
going physics
is "$(row physics)" "physics 0.6106 0.8891 0.6867 3 d 20 h 16 d 12 h never" \
	"its own jobs are more than its share"
recover physics --half-life 7-0 --jobs "$work/jobs" -f "$work/none"
is "$status" 1 "equitree recover --jobs fails without equitree.conf"
like "$err" "the usage of running jobs is unknown without billing_scale" "without equitree.conf the usage of running jobs is unknown"
refuses "$sshare: no \"nobody\"" "nobody" \
	recover --shares "$sshare" --half-life 7-0 nobody
for bad in soon 7d "" -1; do
	refuses "\"$bad\": expected a half-life such as 7-0 (seven days)" \
		"a half-life of \"$bad\"" \
		recover --shares "$sshare" "--half-life=$bad" ada
done
refuses "$sshare: no PriorityDecayHalfLife: expected the output of \"scontrol show config\"" \
	"a configuration that is none" recover --config "$sshare" ada
run recover
is "$status" 2 "nobody named is misuse"
done_testing
