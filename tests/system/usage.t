#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# equitree usage beside a live cluster: what slurmdbd has of jobs, priced.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

equitree=$build/tools/equitree
cluster_up --set JobAcctGatherType=jobacct_gather/linux --set JobAcctGatherFrequency=1 \
	--set AccountingStoreFlags=job_comment

# A job that ends with its fourth second of CPU time; a job of 2 cores by memory, one that is requeued, one with GPUs.
busy=$(as abc123 sbatch --parsable -o /dev/null -n1 --mem=100M -p cpu --wrap 'ulimit -t 4; while :; do :; done')
a=$(submit ada 3 -n1 --mem=8000M -p cpu)
b=$(submit ben 3 -n1 --mem=16000M --gres=gpu:p100:2 -p gpu)
c=$(submit cleo 600 -n3 --mem=100M -p cpu)
wait_until jobs_ended "$busy"
wait_until jobs_ended "$a,$b" 2 || bail "the jobs end" "$(in_cluster sacct -aX)"
wait_until job_is "$c" RUNNING
sleep 2
in_cluster scontrol requeue "$c"
wait_until job_is "$c" PENDING
in_cluster scancel "$c"
wait_until jobs_ended "$c"

# Elapsed seconds of all runs of a job.
ran() { elapsed "$1"; }
field() { # KEY ACCOUNT: of the JSON object of an account
	in_cluster "$equitree" usage --json | awk -v key="\"$1\":" -v who="\"$2\"" '
		$1 == "\"account\":" { on = index($2, who) == 1 }
		on && $1 == key { print $2 + 0; exit }'
}
year_s() {
	in_cluster "$equitree" usage --json | awk '
		/"from_s"/ { from = $2 + 0 } /"until_s"/ { print $2 - from; exit }'
}
seconds=$(year_s)
want=$(value "2 * $(ran "$a")")
# The record of charges has a run when its nodes are free, accounting when it ends.
same() { # KEY ACCOUNT UNIT-SECONDS
	wait_until is_same "$@"
}
is_same() {
	calc "$(field "$1" "$2") * $seconds - $3 < 0.5 &&
		$3 - $(field "$1" "$2") * $seconds < 0.5"
}
ok "core-years of memory, to the second of sacct" same core_years physics "$want"
ok "GPU-years of two GPUs" same gpu_years physics "$(value "2 * $(ran "$b")")"
ok "each run of a requeued job counts" \
	same core_years chemistry "$(value "3 * $(ran "$c")")"

# A hold of a running job takes back when it became eligible, by which sacct
# selects jobs unless it is told states.
d=$(submit dan 12 -n1 --mem=100M -p cpu)
wait_until job_is "$d" RUNNING
in_cluster scontrol hold "$d"
wait_until jobs_ended "$d"
ok "a job that was held while it ran counts" \
	same core_years chemistry "$(value "3 * $(ran "$c") + $(ran "$d")")"

# A job's name may hold what scontrol prints of others.
forged=$'x\nJobId=9 JobName=y UserId=eve(1) JobState=PENDING NumNodes=1\nJobId=8'
e=$(submit ada 600 -J "$forged" --begin=now+1hour -n1 --mem=100M -p cpu)
f=$(submit ben 600 -n1 --mem=100M -p cpu)
wait_until job_is "$f" RUNNING
# slurmdbd hears of a start some seconds later, and a run has no length in its first second.
has_run() { (($(in_cluster sacct -nXP -j "$1" -o ElapsedRaw))); }
wait_until has_run "$f"
# Pages of the same: the jobs of ada in sacct and in the queue, and none of ben.
pages=$(in_cluster "$equitree" report --out "$work/pages" 2>&1)
is "$?$pages" 0 "pages of a live cluster are written"
page=$(<"$work/pages/user/ada/index.html")
like "$page" ">$a</td>.*>2</td><td class=\"t\">core-equivalents" \
	"the page of a user has a job that ended, with its price"
like "$page" "<td class=\"t\">$e</td><td class=\"words\">it is not to begin before its time" \
	"the page of a user has a job that waits, and why"
is "$(grep -c "class=\"t\">$b</td>\|JobId=9" "$work/pages/user/ada/index.html")" 0 \
	"the page of a user has no job of others"
# A run that slurmdbd has as eligible after its start has no wait that is known.
starts=$(in_cluster env SLURM_TIME_FORMAT=%s sacct -aXDnP -s R,S -S now-1hour -E now -o Eligible,Start |
	awk -F'|' '$1 <= $2' | wc -l)
like "$(<"$work/pages/index.html")" ">all</td><td[^>]*>$starts</td>" \
	"the page of the cluster has the waits of all $starts starts"
# Of one busy job and sleeping ones, by sacct: TotalCPU of the whole jobs, with their steps.
cpu_s=$(in_cluster sacct -aXDnP -s R,S -S now-1hour -E now -o AllocCPUS,ElapsedRaw,State |
	awk -F'|' '$3 !~ /RUNNING/ { s += $1 * $2 } END { print s }')
share=$(sed -nE 's/<tr>(.*)<\/tr>/\1/p' "$work/pages/index.html" | sed -E 's/<\/td>/|/g; s/<[^>]*>//g' |
	awk -F'|' '$1 == "all" && $5 ~ /%/ { print $5 + 0 }')
total=$(in_cluster sacct -anDP -j "$busy" -o TotalCPU | head -n 1)
like "$total" "00:0[3-5]" "sacct has the CPU time of the busy job"
ok "the page of the cluster has the part that was busy: $share % of $cpu_s CPU-seconds" \
	awk "BEGIN { busy = ${share:-0} * $cpu_s / 100; exit !(busy > 2.5 && busy < 7) }"
queue=$(in_cluster "$equitree" overhead --json 2>"$work/queue.err")
is "$?$(<"$work/queue.err")|$(grep -m1 waiting_else <<<"$queue" | tr -dc 0-9)" "0|1" \
	"a job whose name holds lines of scontrol is one job that waits"
in_cluster "$equitree" recover ben >"$work/recover" 2>&1
is "$?|$(grep -c 'belong to no listed' "$work/recover")" "0|0" \
	"a job whose name holds lines of scontrol adds nothing to what runs"
in_cluster scancel "$e" "$f"
wait_until jobs_ended "$e,$f"

# The same from a saved list, in local times.
in_cluster env TZ=UTC sacct -aXDP --noconvert -S 2020-01-01 -E now \
	-s R,S -o ALL >"$work/saved"
in_cluster cat /etc/slurm/equitree.conf >"$work/equitree.conf"
from_saved() {
	TZ=UTC "$equitree" usage --json --jobs "$work/saved" -f "$work/equitree.conf"
}
years() { grep -E '"(account|core_years|gpu_years)":' <<<"$1"; }
live() { years "$(in_cluster env TZ=UTC "$equitree" usage --json)"; }
saved=$(years "$(from_saved)")
is_saved() { [[ $(live) == "$saved" ]]; }
wait_until is_saved
is "$(live)" "$saved" \
	"a saved list of all columns gives the same, outside the cluster"
like "$(in_cluster "$equitree" usage --assocs)" \
	'root +core-years' "allocations by the shares of the cluster"
is "$(in_cluster "$equitree" usage --year 2001 | grep -c years)" 1 \
	"a year without jobs is empty"

# What nodes had free, and bills, from the same accounting.
bill=$(in_cluster "$equitree" overhead --by job --json 2>"$work/bill.err")
is "$?$(<"$work/bill.err")|$(python3 -c 'import json, sys
for bill in json.load(sys.stdin)["bills"]:
    if bill["job"] == sys.argv[1]:
        print(round(bill["requested_core_hours"] * 3600), bill["billed_core_hours"] >= bill["requested_core_hours"])' "$d" <<<"$bill")" \
	"0|$(ran "$d") True" "the fair bill of a job has its seconds, and no less than it requested"
in_cluster scontrol update NodeName=cpu1 State=DRAIN Reason=test
has_event() { [[ $(in_cluster sacctmgr -nP show event event=node format=NodeName,TimeEnd nodes=cpu1) == *cpu1\|Unknown* ]]; }
wait_until has_event
sleep 3
since=$(date -d '1 second ago' +%Y-%m-%dT%H:%M:%S)
sleep 1
in_cluster env TZ="$(date +%Z)" "$equitree" overhead --by day --since "$since" -p cpu --unit cores=1 --json >"$work/days" 2>"$work/days.err"
is "$?$(<"$work/days.err")|$(python3 -c 'import json, sys
all = json.load(sys.stdin)
print(round(all["units"][0]["period"]["capacity_node_hours"] * 3600) / (all["until_s"] - all["since_s"]))' <"$work/days")" \
	"0|$(($(in_cluster sinfo -hN -p cpu -o %N | wc -l) - 1)).0" "a node that is drained counts neither as free nor at all"
in_cluster scontrol update NodeName=cpu1 State=RESUME

# A user may give any text as a comment.
words=$(as abc123 sbatch --parsable -o /dev/null -n1 --mem=100M -p cpu --comment=$'a|b\n\n1|2' --wrap 'sleep 2')
wait_until jobs_ended "$words"
out=$(in_cluster "$equitree" usage --by comment --json 2>&1)
is "$?$(grep -c '"comment": "a|b\\n1|2' <<<"$out")" 01 "a comment may have | and line ends"

daemon kill slurmdbd
gone=$(in_cluster "$equitree" usage 2>&1; echo "status $?")
like "$gone" 'without slurmdbd there is no past usage' "no slurmdbd: it says so"
like "$gone" 'status 1$' "no slurmdbd: equitree usage fails"
no_equitree_errors
done_testing
