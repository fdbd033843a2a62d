#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The life of jobs with a budget: warnings, other time limits, resize, suspension,
# heterogeneous jobs, another account or price, a refill, a bonus, and failures.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

equitree=$build/tools/equitree
cluster_up --set SchedulerParameters=batch_sched_delay=0,sched_min_interval=1,sched_interval=1,bf_interval=1
nodes_up() { [[ $(in_cluster sinfo -h -o %T | sort -u) == idle ]]; }
wait_until nodes_up || bail "the nodes are there"

budget() { in_cluster "$equitree" budget "$@"; }
# One number of a budget in equivalent-minutes, which jobs of one core have: amount,
# spent, committed, left.
balance() { # ID COLUMN
	budget list --csv | awk -F, -v id="$1" -v want="$2" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$1 == id { printf "%.6g\n", $(at[want]) * 60 }'
}
balance_is() { [[ $(balance "$1" "$2") == "$3" ]]; } # ID COLUMN MINUTES
balance_near() { calc "$(balance "$1" "$2") > $3 && $(balance "$1" "$2") <= $4"; } # ID COLUMN ABOVE TO
calc() { awk "BEGIN { exit !($1) }"; }
reason_like() { [[ $(in_cluster squeue -h -j "$1" -o %r) =~ $2 ]]; } # JOB REGEX
ended() { [[ ! $(in_cluster squeue -h -j "$1" 2>/dev/null) ]]; }
end_all() { # ACCOUNT
	in_cluster scancel -A "$1"
	wait_until none_of "$1"
}
none_of() { [[ ! $(in_cluster squeue -h -A "$1") ]]; }
sbatch_said() { # USER OPTIONS...
	local user=$1
	shift
	as "$user" sbatch --bill=brief -o /dev/null "$@" --wrap 'sleep 300' 2>&1
}

# ---- Warnings ---------------------------------------------------------------------

before=$(log_size)
budget grant physics 1 >/dev/null # budget 1, 60 minutes
sbatch_said ada -t29 >"$work/said"
is "$(grep -c 'spent and committed' "$work/said")" 0 "sbatch warns of nothing below the first threshold"
sbatch_said ada -t17 >"$work/said"
like "$(cat "$work/said")" 'equitree: budget 1 of physics: 76 % spent and committed, 0\.2333 of 1 equivalent-hours left' \
	"sbatch warns when a budget reaches a threshold"
told() { log_has "$before" 'budget 1 of physics: 76 % spent and committed'; }
ok "the log says that a budget reached a threshold" wait_until told
sbatch_said ada -t5 >"$work/said"
sleep 2
is "$(log_since "$before" | grep -c 'spent and committed')" 1 "the log says it once for each threshold"
like "$(sbatch_said ben -t5 -a1-4)" 'budget 1 of physics has 0\.15 equivalent-hours left, enough for 1 of 4 tasks; the others wait' \
	"sbatch says how many tasks of an array fit"
end_all physics

held=$(submit ada 300 -t50)
wait_until job_is "$held" RUNNING
held=$(submit ada 300 -t20 --parsable)
wait_until reason_like "$held" '^Budget 1 '
as ada "$equitree" why "$held" >"$work/why"
like "$(tr '\n' ' ' <"$work/why")" "Reason +Budget 1 of physics has .* left, job needs 0\.3334.* Budget +1 of physics: [0-9]+(\\.[0-9]{1,4})? of 1 equivalent-hours left" \
	"equitree why explains a job that a budget holds"
like "$(as ada "$equitree" why "$held" --json)" '"reason": "Budget 1 of physics has' "equitree why explains it as JSON, too"
like "$(as ada "$equitree" why "$held" 999999 --json | tr -s ' \n' ' ')" \
	"\"job\": \"$held\", \"held_by_budget\": \"Budget 1 of physics has .*\"left_hours\": [0-9.]+, \"next_refill_s\": null" \
	"of two jobs equitree why names the one that a budget holds"

# ---- Changes of waiting jobs ---------------------------------------------------------

as ada scontrol update jobid="$held" timelimit=90 >"$work/update" 2>&1
is "$?|$(job_field "$held" TimeLimit)" "1|00:20:00" "a waiting job gets no time limit that can never fit"
as ada scontrol update jobid="$held" timelimit=5
ok "a waiting job with a shorter limit starts when it fits" wait_until job_is "$held" RUNNING
end_all physics

budget grant chemistry 0.5 --when-spent refuse >/dev/null # budget 2, 30 minutes
job=$(submit cleo 300 -t20 --begin=now+1hour)
is "$(balance 2 committed)" 20 "a job that waits for its time has committed its price"
as cleo scontrol update jobid="$job" timelimit=25 2>"$work/update"
is "$?|$(balance 2 committed)" "0|25" "what a job has committed counts for its own change"
as cleo scontrol update jobid="$job" timelimit=31 2>"$work/update"
is "$?|$(balance 2 committed)" "1|25" "a refused change leaves the commitment as it is"
end_all chemistry

in_cluster sacctmgr -iQ add user ada account=chemistry >"$work/sacctmgr"
sleep 1
job=$(submit ada 300 -t10 --begin=now+1hour -A physics)
ok "a waiting job commits to its account" wait_until balance_is 1 committed 10
as ada scontrol update jobid="$job" account=chemistry
ok "a change of the account moves the commitment" balance_is 2 committed 10
is "$(balance 1 committed)" 0 "the account before has it back"
echo 'partition "cpu" { factor = 2 }' >>"$dir/etc/equitree.conf"
in_cluster scontrol reconfigure
ok "a new price changes what a waiting job has committed" wait_until balance_is 2 committed 20
in_cluster scancel "$job"
cp "$work/site-up/equitree.conf" "$dir/etc/equitree.conf"
in_cluster scontrol reconfigure
ok "a cancelled job commits nothing" wait_until balance_is 2 committed 0

# ---- Resize, suspension, heterogeneous jobs ---------------------------------------------

budget grant bloggs 10 >/dev/null # budget 3, 600 minutes
# With --ntasks-per-node slurmctld of 24.11.7 refuses to change the nodes of a running job.
job=$(submit abc123 300 -A bloggs.prj -t10 -N2 -n2 -c4)
wait_until job_is "$job" RUNNING
ok "a job of two nodes commits for both" wait_until balance_near 3 committed 79 80
sleep 2
resize() { in_cluster scontrol update JobId="$job" NumNodes=1 >"$work/resize" 2>&1; }
ok "a running job gives a node away" wait_until resize
ok "a resized job keeps what its rest needs" wait_until balance_near 3 committed 30 40
spent=$(balance 3 spent)
ok "what it used before is spent ($spent)" calc "$spent > 0"
end_all bloggs.prj
ok "a resized job gives the rest back at its end" wait_until balance_is 3 committed 0

job=$(submit abc123 300 -A bloggs.prj -t10)
wait_until job_is "$job" RUNNING
in_cluster scontrol suspend "$job"
sleep 3
in_cluster scontrol resume "$job"
spent=$(balance 3 spent)
in_cluster scancel "$job"
wait_until jobs_ended "$job"
ok "a suspended job commits nothing after its end" wait_until balance_is 3 committed 0
near=$(awk "BEGIN { d = ($(balance 3 spent) - $spent) * 60 - $(elapsed "$job") - 3; print d * d <= 4 }")
is "$near" 1 "charge_suspended: its suspended time is spent as well"

as abc123 sbatch --parsable -A bloggs.prj -o /dev/null -t10 -n1 : -t20 -n2 --wrap 'sleep 300' >"$work/het" 2>&1
runs_two() { (($(in_cluster squeue -h -t R -A bloggs.prj -o %A | wc -l) == 2)); }
ok "a heterogeneous job starts" wait_until runs_two
ok "its components commit each their price" balance_near 3 committed 49 50
end_all bloggs.prj
ok "its components settle" wait_until balance_is 3 committed 0

# ---- Refill at a date, bonus ---------------------------------------------------------------

when=$(date -d '+20 seconds' +%Y-%m-%dT%H:%M:%S)
budget grant bloggs.prj.low 0.1 --refill dates --dates "$when" --refill-amount 0.5 >/dev/null # budget 4
job=$(submit abc123 300 -A bloggs.prj.low -t20)
ok "a job waits for the refill, whose date it says" wait_until reason_like "$job" 'needs 0\.3334, next 20'
ok "after the refill it starts" wait_until job_is "$job" RUNNING
is "$(balance 4 amount)" 30 "what was not used lapsed at the refill"
end_all bloggs.prj.low

in_cluster sacctmgr -iQ add qos free >"$work/sacctmgr"
in_cluster sacctmgr -iQ modify user dan set qos+=free >"$work/sacctmgr"
sleep 1
budget close 2 --lift >/dev/null
budget grant chemistry/dan 0.1 --when-spent bonus --qos free >/dev/null # budget 5
like "$(sbatch_said dan -t10)" 'budget 5 of chemistry/dan has 0\.1 of 0\.1 .* the job goes to QOS free' \
	"when the budget is spent, sbatch names the QOS of the bonus"
bonus_runs() { [[ $(in_cluster squeue -h -t R -u dan -o %q) == free ]]; }
ok "the job goes on in the QOS of the bonus" wait_until bonus_runs
is "$(balance 5 committed)" 0 "in the QOS of the bonus it draws on no budget"
sbatch_said cleo -t1 >"$work/said"
is "$(grep -c 'goes to QOS' "$work/said")" 0 "a budget of one user moves no other one"
end_all chemistry

# ---- Failures and refunds ---------------------------------------------------------------------

job=$(submit abc123 300 -A bloggs.prj -t10 --no-requeue)
wait_until job_is "$job" RUNNING
sleep 2
spent=$(balance 3 spent)
node=$(job_field "$job" NodeList)
in_cluster scontrol update nodename="$node" state=down reason=test
wait_until jobs_ended "$job"
is "$(account_of "$job" State)" NODE_FAIL "a node fails"
ok "after a failure of a node nothing stays committed" wait_until balance_is 3 committed 0
is "$(balance 3 spent)" "$spent" "a failure of a node is not charged"
ok "the journal says why" wait_until budgets_file_has "^settle .* $job .* node%20failure"
in_cluster scontrol update nodename="$node" state=resume 2>"$work/resume"

job=$(submit abc123 3 -A bloggs.prj -t10)
wait_until jobs_ended "$job"
wait_until balance_is 3 committed 0
spent=$(balance 3 spent)
is "$(budget refund "$job" 0.0002)" "refund 0.0002 hours of job $job: done" "a part of a job is refunded"
near=$(awk "BEGIN { d = $spent - $(balance 3 spent) - 0.012; print d * d < 1e-9 }")
is "$near" 1 "a refund of an amount gives back that amount"
like "$(budget refund "$job" 5 2>&1)" 'was charged .* less than 5' "no more is refunded than was charged"
budget refund "$job" >/dev/null
like "$(budget refund "$job" 2>&1)" 'everything is refunded' "the rest is refunded once"

# ---- Tasks that run, and their array ---------------------------------------------------------------

budget grant bloggs.prj.high 0.25 >/dev/null # budget 6, 15 minutes
array=$(submit abc123 300 -A bloggs.prj.high -t5 -a1-3%2)
two_run() { (($(in_cluster squeue -h -t R -A bloggs.prj.high -o %A | wc -l) == 2)); }
wait_until two_run
is "$(balance 6 left)" 0 "an array has committed all of a budget"
in_cluster scontrol update jobid="$array" timelimit=8
limits() { in_cluster squeue -h -t R -A bloggs.prj.high -o %l | awk -F: '{ sum += $1 } END { print sum }'; }
is "$(limits)|$(balance 6 committed)" "15|15" "tasks that run get a longer limit only out of what their array has committed"
end_all bloggs.prj.high
ok "tasks settle after a change of their array" wait_until balance_is 6 committed 0

budget grant bloggs.prj.high 1 >/dev/null # budget 7
spent_high() { budget list bloggs.prj.high --csv --no-headings | awk -F, '{ sum += $6 } END { printf "%.0f\n", sum * 3600 }'; }
spent=$(spent_high)
array=$(submit abc123 10 -A bloggs.prj.high -t5 -a1-4)
four_run() { (($(in_cluster squeue -h -t R -A bloggs.prj.high -o %A | wc -l) == 4)); }
wait_until four_run
in_cluster scontrol requeue "${array}_1"
of_array() { in_cluster sacct -DXnP -S 2000-01-01 -j "$array" -o State,ElapsedRaw; }
three_ended() { (($(of_array | grep -c '^COMPLETED|') == 3)); }
wait_until three_ended
# Of either budget, or of both: the parts are rounded when they are printed.
one_waits() { calc "($(balance 6 committed) + $(balance 7 committed) - 5) ^ 2 < 1e-6"; }
ok "a task that was requeued has committed its price again" wait_until one_waits
near=$(($(spent_high) - spent - $(of_array | awk -F'|' '{ sum += $2 } END { print sum }')))
ok "a requeued task leaves the other ones of its array their shares, which they are charged to (differs by $near s)" \
	test "${near#-}" -le 5
end_all bloggs.prj.high

# ---- Several budgets of one level, and none in force ----------------------------------------------

is "$(budget grant bloggs 1 --when-spent bonus --qos nix 2>&1 | grep -o 'QOS nix.*')" "QOS nix does not exist" \
	"a budget for a QOS that is not there is refused"
in_cluster sacctmgr -iQ add account late >"$work/sacctmgr"
in_cluster sacctmgr -iQ add user ben account=late >"$work/sacctmgr"
sleep 1
end=$(date -d '+20 seconds' +%Y-%m-%dT%H:%M:%S)
budget grant late 2 --end "$end" >/dev/null
budget grant late 5 --start 2099-01-01 >/dev/null
like "$(sbatch_said ben -A late -t180)" 'of late has 2 of 2 equivalent-hours left \(0 spent, 0 committed\), and this job needs 3; the next refill is on 2099-01-01' \
	"sbatch names the budget in force, whose numbers add up, and not the one to come"
budget grant late 1 --end "$end" >/dev/null
like "$(sbatch_said ben -A late -t240)" 'budget [0-9]+ and 1 more of late have 0 of 3 equivalent-hours left \(0 spent, 3 committed\), and this job needs 4;' \
	"of two budgets in force sbatch says what both have"
is "$(sbatch_said ben -A late -t999 | grep -o 'needs.*')" 'needs 16.65' \
	"sbatch names no refill that is too small for the job"
end_all late
none_is_in_force() {
	[[ $(sbatch_said ben -A late -t600) == *'of late begins at 2099-01-01T00:00:00, and this job needs 10'* ]]
}
ok "where no budget is in force yet, sbatch says when one begins" wait_until none_is_in_force
budget close "$(budget list late --csv --no-headings | awk -F, '$5 == 5 { print $1 }')" >/dev/null
like "$(sbatch_said ben -A late -t10)" "of late ended at $end, and this job needs 0\.1667" \
	"where all budgets have ended, sbatch says when"

# ---- Two operators ------------------------------------------------------------------------------

for ((i = 0; i < 8; i++)); do
	budget transfer 3 1 5 --reason "operator $i" >>"$work/transfers" 2>&1 &
done
wait
is "$(grep -c ": done" "$work/transfers")|$(grep -c 'has only' "$work/transfers")" "1|7" \
	"of eight transfers at once that each take most of a budget, one is done"
like "$(budget verify)" '^balanced' "after everything, verify says balanced"

no_equitree_errors
done_testing
