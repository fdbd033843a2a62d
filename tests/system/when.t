#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# equitree when: jobs whose start is known, on real daemons.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

equitree=$build/tools/equitree
export TZ=UTC

cluster_up --set SchedulerParameters=bf_interval=2,bf_resolution=1 \
	--set "NodeName=old[1-4] NodeHostname=head Port=[6831-6834] Sockets=1 CoresPerSocket=4 RealMemory=16000" \
	--set "PartitionName=full Nodes=old1" \
	--set "PartitionName=kept Nodes=old2" \
	--set "PartitionName=idle Nodes=old[3-4]"
nodes_up() { [[ $(in_cluster sinfo -h -o %T | sort -u) == idle ]]; }
wait_until nodes_up || bail "the nodes are there"

one() { as ada sbatch --parsable -o /dev/null "${@:1:$#-1}" --wrap "sleep ${*: -1}" 2>>"$work/sbatch.err"; }
runs=$(one -p full -n4 -t 3 60)
wait_until job_is "$runs" RUNNING
blocked=$(one -p full -n4 -t 1 5)
in_cluster scontrol create reservation reservationname=night users=root nodes=old2 \
	starttime=now duration=20 flags=ignore_jobs >/dev/null
behind=$(one -p kept -n1 -t 5 5)
held=$(one -p idle -n1 -H 5)
depends=$(one -p full -n1 -t 1 -d "afterany:$blocked" 5)
never=$(one -p idle -n1 -d "afterok:$held" 5)
begins=$(one -p idle -n1 -b now+10minutes 5)

# ---- The record of forecasts -----------------------------------------------------------

# The report records those of eligible jobs that wait.
mkdir "$dir/record"
echo "forecasts = \"$dir/record\"" >>"$dir/etc/equitree.conf"
record=$dir/record/cedar.forecasts
waits=() # jobs that are changed before they start
for _ in released changed cancelled; do
	waits+=("$(one -p full -n4 -t 2 5)")
done
are_eligible() { # squeue knows it after a look of the scheduler
	[[ $(in_cluster squeue -h -t PD -j "$(IFS=,; echo "$blocked,${waits[*]}")" -O EligibleTime:30 |
		grep -c T) == 4 ]]
}
wait_until are_eligible
sleep 1
report() { in_cluster "$equitree" report --out "$work/pages" 2>&1; }
is "$(report)" "" "the report records forecasts without an error"
is "$(cut -d' ' -f1 "$record" | sort -n | paste -sd' ')" "$(printf '%s\n' "$blocked" "$behind" "${waits[@]}" | sort -n | paste -sd' ')" \
	"the record has the jobs that may start, and no others"
asked=$(awk -v job="$blocked" '$1 == job { print $3 }' "$record")
like "$(stat -c %a "$record")|$(grep -vc '^[0-9 ]*$' "$record")" "644|0" "the record is public, and has numbers alone"
# The next run sees two of the changes, and sacct the third one.
in_cluster scontrol update jobid="${waits[1]}" timelimit=1
in_cluster scancel "${waits[2]}"
sleep 1 # a new forecast of a changed job has another time
is "$(report)|$(awk -v at="$asked" '$3 == at { print $1 }' "$record" | grep -cx "${waits[1]}\|${waits[2]}")" "|0" \
	"forecasts of jobs that were changed or cancelled are left out"
in_cluster scontrol hold "${waits[0]}"
in_cluster scontrol release "${waits[0]}"

# What Slurm answers now is saved, and all forecasts are of that moment.
in_cluster "$equitree" when --save "$work/saved"
as ada "$equitree" when --user ada --csv >"$work/csv" 2>"$work/err"
is "$?|$(cat "$work/err")" "0|" "a user may ask for a forecast"
like "$(in_cluster "$equitree" why "$blocked" | tr -s ' \n' ' ')" "Forecast starts between .* and .* with 80 %" \
	"the page of a job has a line of its forecast"
runs_to=$(date -d "$(in_cluster squeue -h -j "$runs" -o %e)" +%s)
reserved_to=$(date -d "$(in_cluster scontrol show reservation night | grep -o 'EndTime=[^ ]*' | cut -d= -f2)" +%s)
begins_at=$(date -d "$(in_cluster squeue -h -j "$begins" -o %S)" +%s)
before=$(cat "$work/saved/time.txt")
forecast() { "$equitree" when --from "$work/saved" --json "$@" >"$work/json" 2>"$work/err"; }
field() { python3 -c 'import json, sys
print(json.load(open(sys.argv[1]))["jobs"][0][sys.argv[2]])' "$work/json" "$1"; }
# The forecast's interval holds a time, within some seconds.
holds() { # NAME TIME SLACK
	local early late
	early=$(field early_s) late=$(field late_s)
	if (($2 >= early - $3 && $2 <= late + $3)); then
		pass "$1"
	else
		fail "$1" "$early to $late, expected $2"
	fi
}

forecast "$blocked"
is "$(cat "$work/err")" "" "a forecast prints no errors"
early=$(field early_s) late=$(field late_s)
ok "a job behind a running one starts after now" test "$early" -ge "$before"
ok "a job behind a running one starts by the end of that one's time limit" test "$late" -le $((runs_to + 5))
like "$(field waits_for)" "Resources|Priority|None" "a blocked job waits for Slurm's reason"
forecast "$depends"
ok "a dependent job starts after the job that it waits for" test "$(field median_s)" -gt "$early"
is "$(field waits_for)" "Dependency" "a dependent job waits for its dependency"
forecast "$behind"
holds "a job behind a reservation starts when that ends" \
	"$reserved_to" 10
forecast "$begins"
holds "a job with a begin time starts then" "$begins_at" 10
forecast "$held"
is "$(field median_s)|$(field waits_for)" "None|it is held" "a held job has no forecast"
forecast "$never"
is "$(field median_s)" "None" "a job that waits for a held job has no forecast"
forecast "$runs"
is "$(field waits_for)" "nothing: it runs" "a running job waits for nothing"
forecast -p idle -n4 -t 10
holds "a request for free nodes starts now" "$before" 10
forecast --user ben -A physics -p full -n4 -t 10
ok "a request for a full partition starts later" test "$(field median_s)" -gt "$early"
# old1 has 16000 MiB.
forecast --user ben -A physics -p full -N1 -n2 --mem-per-cpu=8001M -t 10
like "$(cat "$work/err")" "nodes here together are too few" "slurmctld's refusal is forecast, too"
printf '#!/bin/bash\n#SBATCH -p idle -N1 -n4 -t 10\n' >"$work/job.sh"
forecast -a 0-3 "$work/job.sh"
holds "the first task of an array in a script starts now" "$before" 10
ok "the tasks that have no node wait" python3 -c 'import json, sys
first, last = json.load(open(sys.argv[1]))["jobs"]
sys.exit(last["median_s"] < first["median_s"] + 60)' "$work/json"
is "$(head -n 1 "$work/csv")|$(wc -l <"$work/csv")" "JOB,EARLY,MEDIAN,LATE,WAITS FOR|9" \
	"a user sees a line for each of her waiting jobs"
in_cluster "$equitree" when 999999 >"$work/out" 2>"$work/err"
is "$?|$(cat "$work/err")" "1|equitree when: no job 999999 runs or waits" "a job that is not there is an error"
"$equitree" when --from "$work/saved" "$blocked" --seed 3 >"$work/one"
"$equitree" when --from "$work/saved" "$blocked" --seed 3 --futures 400 >"$work/two"
is "$(sed -n 2p "$work/one")" "$(sed -n 2p "$work/two")" "the same seed and folder make the same forecast"

# ---- A budget ------------------------------------------------------------------------

# One job has all of it, and gives back what it does not use when it ends; another needs
# more than the budget has.
budget() { in_cluster "$equitree" budget "$@"; }
reads() { [[ $(in_cluster squeue -h -j "$1" -o %r) == Budget* ]]; } # JOB
minutes() { awk -v m="$1" 'BEGIN { printf "%.6f", m / 60 }'; } # -> hours of one core
budget grant chemistry "$(minutes 60)" --refill dates --dates "$(date -d '+10 days' +%Y-%m-%d)" \
	--refill-amount 100 >/dev/null
payer=$(as cleo sbatch --parsable -o /dev/null -A chemistry -p idle -n2 -t 25 --wrap "sleep 60")
wait_until job_is "$payer" RUNNING
returns=$(as cleo sbatch --parsable -o /dev/null -A chemistry -p idle -n1 -t 12 --wrap "sleep 5")
refill=$(as cleo sbatch --parsable -o /dev/null -A chemistry -p idle -n2 -t 31 --wrap "sleep 5")
wait_until reads "$returns" && wait_until reads "$refill" || bail "a budget holds jobs"
in_cluster "$equitree" when --save "$work/paid"
cp "$work/site-up/equitree.conf" "$work/paid/" # for the prices
payer_to=$(date -d "$(in_cluster squeue -h -j "$payer" -o %e)" +%s)
before=$(cat "$work/paid/time.txt")
forecast_paid() { "$equitree" when --from "$work/paid" --json --futures 100 "$@" >"$work/json" 2>"$work/err"; }
forecast_paid "$returns"
paid_early=$(field early_s) paid_late=$(field late_s)
ok "a job that its budget holds starts after now" test "$paid_early" -ge "$before"
ok "a job that its budget holds starts in half of the futures before the other's time limit is over" \
	test "$(field median_s)" -lt "$payer_to"
like "$(field waits_for)" "^Budget 1 of chemistry has .* left, job needs " \
	"a job that its budget holds waits for the budget"
forecast_paid "$refill"
is "$(date -d "@$(field early_s)" +%F)" "$(date -d '+10 days' +%F)" \
	"a job that needs more than its budget has starts at the refill"
"$equitree" when --from "$work/paid" "$refill" >"$work/out"
like "$(tr -s '\n ' '  ' <"$work/out")" "the job needs 1\.0334\. .*So the job waits for the refill on " \
	"a job that waits for a refill: the numbers"
has_begun() { [[ $(in_cluster sacct -nXP -j "$returns" -o Start) == 2* ]]; }
wait_until has_begun
started=$(date -d "$(in_cluster sacct -nXP -j "$returns" -o Start)" +%s)
ok "the job that its budget held starts within its interval" \
	test "$started" -ge $((paid_early - 5)) -a "$started" -le $((paid_late + 5))

# ---- A limit -------------------------------------------------------------------------

in_cluster sacctmgr -iQ modify account bloggs.prj set GrpTRES=cpu=1 >/dev/null
has_limit() { grep -q "GrpTRES=cpu=1(" < <(in_cluster scontrol -o show assoc_mgr flags=assoc); }
wait_until has_limit
in_cluster "$equitree" when --user abc123 -A bloggs.prj -p idle -n2 -t 10 --futures 10 >"$work/out" 2>"$work/err"
like "$(tr -s '\n ' '  ' <"$work/out")" "because it wants more than the limit GrpTRES=cpu=1 of account bloggs.prj\." \
	"a request that is larger than a limit starts later, and the limit is named"

# Without a time of its start it has not started.
has_started() { [[ $(in_cluster sacct -nXP -j "$blocked" -o Start) == 2* ]]; }
wait_until has_started
started=$(date -d "$(in_cluster sacct -nXP -j "$blocked" -o Start)" +%s)
ok "the blocked job starts within its interval" test "$started" -ge $((early - 5)) -a "$started" -le $((late + 5))

# A later report has the real wait of the job that started, and leaves out the others. Another
# job waits, so that there is something to forecast.
another=$(one -p kept -n1 -t 5 5)
settled() { report >/dev/null; grep -q "^0 0 $asked " "$record"; }
wait_until settled
is "$(grep "^0 0 $asked " "$record" | cut -d' ' -f7)" $((started - asked)) "the record has the real wait of a job that started"
was_held() { report >/dev/null; ! grep -q "^${waits[0]} " "$record"; }
ok "a forecast of a job that was held is left out" wait_until was_held
is "$(grep -c "^0 0 $asked " "$record")" 1 "a job that was held and started is left out"
like "$(cut -d' ' -f1 "$record" | paste -sd' ')" "(^| )$behind( |$)" "a job that still waits stays in the record"
# Such a wait in many other forecasts, ten times as long as expected, and a damaged line.
for ((i = 1; i <= 60; i++)); do
	echo "0 0 $((asked - 100 - i)) 30 60 90 900"
done >>"$record"
echo "damaged" >>"$record"
as ada "$equitree" when "$another" >"$work/out" 2>"$work/err"
like "$(tr -s '\n ' '  ' <"$work/out")" "Corrected by 6[0-9] forecasts of the last .* held\." \
	"a user's forecast is corrected by the record"
is "$(<"$work/err")" "equitree: $record: 1 damaged line is left out" "a user learns of a damaged line"
is "$(report)" "equitree: $record: 1 damaged line is left out" "the report leaves a damaged line out"
is "$(report)|$(wc -l <"$record" | awk '$1 > 60 { print "all" }')" "|all" "the record is whole again"
like "$(<"$work/pages/user/ada/index.html")" "lie in its range\. Corrected by 6[0-9] forecasts" \
	"the pages are corrected by the record"
# Whenever a report is killed, the record is the old or the new one.
for after in 0.05 0.1 0.15 0.2 0.25 0.3 0.4; do
	in_cluster timeout -s KILL "$after" "$equitree" report --out "$work/pages" >/dev/null 2>&1
	grep -v '^[0-9 ]*[0-9]$' "$record"
	(($(wc -l <"$record") > 60)) || echo "lines are lost"
done >"$work/killed"
is "$(<"$work/killed")" "" "a report that is killed leaves a whole record"
# Only a folder that is named has to be there.
rm -r "$dir/record"
is "$(report)|$?" "equitree report: no forecast is recorded: $record: No such file or directory|0" \
	"a folder that is not there: the pages are written nevertheless"

done_testing
