#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Ways around a budget: requeues of a job with a priority of its own, holds of jobs
# that a budget holds, and what the log and the journal say of time limits and needs.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

equitree=$build/tools/equitree
# Nodes of ended jobs complete as long as the file "wait" is there.
mkdir -m 755 "$work/epilogs"
cat >"$work/epilogs/epilog" <<END
#!/bin/bash
while [[ -e $work/epilogs/wait ]]; do sleep 0.1; done
END
chmod 755 "$work" "$work/epilogs/epilog"
cluster_up --set SchedulerParameters=batch_sched_delay=0,sched_min_interval=1,sched_interval=1,bf_interval=1 \
	--set "Epilog=$work/epilogs/epilog"

budget() { in_cluster "$equitree" budget "$@"; }
# One number of a budget in equivalent-minutes, which jobs of one core have.
balance() { # ID COLUMN
	budget list --csv | awk -F, -v id="$1" -v want="$2" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$1 == id { printf "%.6g\n", $(at[want]) * 60 }'
}
balance_is() { [[ $(balance "$1" "$2") == "$3" ]]; } # ID COLUMN MINUTES
balance_is_about() { awk -v is="$(balance "$1" "$2")" -v near="$3" 'BEGIN { exit !(is > near - 1 && is <= near) }'; } # ID COLUMN MINUTES
reason_like() { [[ $(in_cluster squeue -h -j "$1" -o %r) =~ $2 ]]; } # JOB REGEX
committed_times() { grep -c "^commit [0-9]* $1 " "$state_dir/equitree_budgets"; } # JOB
runs_again() { (($(job_field "$1" Restarts) > $2)) && job_is "$1" RUNNING; } # JOB RESTARTS
waits_committed() { job_is "$1" PENDING && balance_is 1 committed "$2"; } # JOB MINUTES
no_node_completes() { [[ ! $(in_cluster sinfo -h -o %t) =~ comp ]]; }
# The thread of the budgets has worked after all before.
thread_has_worked() { budget grant chemistry 0.01 >/dev/null; }
# Give budget 1 back what its jobs have spent, so that 29.4 minutes are left, however long
# the jobs have run on a slow machine. Budget 2 pays.
give_back() {
	budget transfer 2 1 "$(awk -v left="$(balance 1 left)" \
		'BEGIN { printf "%.6f", (29.4 - left) / 60 }')" >/dev/null 2>&1
}

# ---- A priority of its own --------------------------------------------------------

budget grant physics 0.5 >/dev/null # budget 1, 30 minutes
job=$(submit ada 300 -t20 --begin=now+1hour)
in_cluster scontrol update jobid="$job" priority=5000 starttime=now
wait_until job_is "$job" RUNNING
is "$(balance 1 committed)" 20 "a job with an operator's priority commits its price"
as ada scontrol requeue "$job"
ok "a requeued job with an operator's priority commits its price again before it starts" wait_until waits_committed "$job" 20
other=$(submit ben 300 -t20)
ok "after a requeue its price is not there for others" wait_until reason_like "$other" '^Budget 1 '
in_cluster scancel "$other"
is "$(job_field "$job" Priority)" 5000 "a requeued job with an operator's priority has its priority again"
# slurmd refuses a run that begins in the second in which the one before it was ended.
wait_until no_node_completes
sleep 2
in_cluster scontrol update jobid="$job" starttime=now
wait_until runs_again "$job" 0
node=$(job_field "$job" NodeList)
in_cluster scontrol update nodename="$node" state=down reason=test
ok "a job of a failed node commits its price again before it starts" wait_until waits_committed "$job" 20
is "$(job_field "$job" Priority)" 5000 "a job of a failed node has its own priority again"
in_cluster scontrol update nodename="$node" state=resume 2>"$work/resume"
in_cluster scancel -A physics
wait_until balance_is 1 committed 0 || bail "what is cancelled gives back"

# ---- Held by somebody else --------------------------------------------------------

for who in operator operator_for_user user; do
	first=$(submit ada 300 -t20)
	wait_until job_is "$first" RUNNING
	job=$(submit ben 300 -t15)
	wait_until reason_like "$job" '^Budget 1 ' || bail "a budget holds a job"
	case $who in
	operator) in_cluster scontrol hold "$job" ;;
	operator_for_user) in_cluster scontrol uhold "$job" ;;
	user) as ben scontrol hold "$job" ;;
	esac
	thread_has_worked
	like "$(in_cluster squeue -h -j "$job" -o %r)" '^JobHeld(Admin|User)$' \
		"a job that a budget holds takes a hold ($who)"
	in_cluster scancel "$first"
	wait_until balance_is 1 committed 0
	thread_has_worked
	is "$(job_field "$job" Priority)|$(balance 1 committed)" "0|0" \
		"a held job stays held when the budget has room ($who)"
	first=$(submit ada 300 -t20)
	wait_until job_is "$first" RUNNING
	in_cluster scontrol release "$job"
	ok "after the release of a held job the budget holds it again ($who)" wait_until reason_like "$job" '^Budget 1 '
	in_cluster scontrol hold "$job"
	in_cluster scancel "$first"
	wait_until balance_is 1 committed 0
	in_cluster scontrol release "$job"
	ok "after its release a held job starts where it fits ($who)" wait_until job_is "$job" RUNNING
	in_cluster scancel "$job"
	wait_until balance_is 1 committed 0
done

# ---- Requeued, and not settled yet -------------------------------------------------

requeue_unsettled() { # sets job
	# The epilogs of earlier jobs must not wait, too: they would keep the nodes.
	wait_until no_node_completes
	: >"$work/epilogs/wait"
	job=$(submit ada 300 -t20)
	wait_until job_is "$job" RUNNING
	in_cluster scontrol requeue "$job"
	wait_until reason_like "$job" '^Budget settles the last run first$'
}
settle() {
	rm "$work/epilogs/wait"
	wait_until no_node_completes
	thread_has_worked
}
ok "a requeued job says that its last run is settled first" requeue_unsettled
settle
ok "a requeued job commits again when its nodes are free" wait_until waits_committed "$job" 20
in_cluster scancel "$job"
wait_until balance_is 1 committed 0
for who in operator user; do
	requeue_unsettled
	case $who in
	operator) in_cluster scontrol hold "$job" ;;
	user) as ada scontrol hold "$job" ;;
	esac
	settle
	thread_has_worked
	like "$(in_cluster squeue -h -j "$job" -o '%r')$(job_field "$job" Priority)" '^JobHeld(Admin|User)0$' \
		"a hold between the end of a run and its settlement stays ($who)"
	as "$([[ $who == user ]] && echo ada || echo root)" scontrol release "$job"
	ok "after its release it commits ($who)" wait_until waits_committed "$job" 20
	in_cluster scancel "$job"
	wait_until balance_is 1 committed 0
done
requeue_unsettled
jobs_saved "$job"
daemon kill slurmctld
daemon start slurmctld
settle
ok "a requeued job commits again if slurmctld is killed before" wait_until waits_committed "$job" 20
in_cluster scancel "$job"
wait_until balance_is 1 committed 0

# ---- Log and journal ---------------------------------------------------------------

job=$(submit ada 300 -t20 --begin=now+1hour)
array=$(submit ada 300 -t1 -a1-3 --begin=now+1hour)
wait_until balance_is 1 committed 23
in_cluster scontrol reconfigure
thread_has_worked
budget grant physics 0.1 --start 2099-01-01 >/dev/null
budget transfer 1 2 0.01 >/dev/null 2>&1
is "$(committed_times "$job")$(committed_times "$array")" "11" \
	"a waiting job whose need did not change writes nothing to the journal"
in_cluster scancel "$job" "$array"
wait_until balance_is 1 committed 0

give_back
from=$(log_size)
job=$(submit ada 300 -t10)
wait_until job_is "$job" RUNNING
in_cluster scontrol update jobid="$job" timelimit=UNLIMITED
is "$(job_field "$job" TimeLimit)" "00:29:00" "a time limit without end is cut to what is left"
like "$(log_since "$from")" "job $job has its time limit cut to 29 minutes" "the log says what an unlimited time limit is cut to"
is "$(log_since "$from" | grep -cE 'cut by (0|[0-9]{7,}) minutes')" 0 "the log has no cut of nothing"
in_cluster scancel "$job"

wait_until balance_is 1 committed 0

# ---- Time beyond the limit ------------------------------------------------------------

partition_over() { in_cluster scontrol update partitionname=cpu overtimelimit="$1"; } # MINUTES
partition_over 5
give_back
like "$(as ada sbatch --test-only -t40 --wrap true 2>&1)" 'this job needs 0\.75' \
	"a submission needs its time limit and OverTimeLimit"
job=$(submit ada 300 -t10)
ok "a job commits its time limit and OverTimeLimit" wait_until balance_is 1 committed 15
wait_until job_is "$job" RUNNING
ok "a job that runs keeps its commitment for OverTimeLimit" balance_is_about 1 committed 15
in_cluster scontrol update jobid="$job" timelimit=100
limit=$(job_field "$job" TimeLimit)
ok "a longer time limit leaves OverTimeLimit paid for ($limit)" test "$limit" = 00:24:00
in_cluster scancel "$job"
wait_until balance_is 1 committed 0
partition_over UNLIMITED
said=$(as ada sbatch -t1 --wrap true 2>&1)
like "$said" 'this job needs another partition: cpu has OverTimeLimit=UNLIMITED' \
	"where jobs may run without end, a submission is refused with the partition"
is "$(in_cluster squeue -h -A physics)" "" "the refused submission is no job"
partition_over 0
job=$(submit ada 300 -t10 --begin=now+1hour)
wait_until balance_is 1 committed 10
partition_over UNLIMITED
in_cluster scontrol reconfigure
partition_over UNLIMITED
in_cluster scontrol update jobid="$job" comment=x
ok "a waiting job is held where jobs may run without end" \
	wait_until reason_like "$job" 'job needs a partition without OverTimeLimit=UNLIMITED'
in_cluster scancel "$job"
wait_until balance_is 1 committed 0

# ---- A shorter time limit -------------------------------------------------------------

partition_over 0
budget grant bloggs.prj 0.04 >/dev/null # 2.4 minutes
short=$(budget list --csv | awk -F, 'END { print $1 }')
short_job() { # TIME-MIN [OPTIONS]
	as abc123 sbatch --parsable -o /dev/null -A bloggs.prj -t10 --time-min="$1" "${@:2}" \
		--wrap 'sleep 300' 2>"$work/short"
}
first=$(short_job 1 --begin=now+1hour)
like "$(<"$work/short")" 'has 0\.04 equivalent-hours left: the time limit becomes what they pay for' \
	"a job with --time-min is accepted where that time fits"
is "$(job_field "$first" TimeLimit)" "00:02:00" "a job with --time-min gets the time that is left"
ok "its commitment is what that time limit costs" wait_until balance_is "$short" committed 2
in_cluster scontrol update jobid="$first" starttime=now
wait_until job_is "$first" RUNNING
# Backfill may start it with less.
like "$(job_field "$first" TimeLimit)" '^00:0[12]:00$' "a job with --time-min starts with the time that is left"
job=$(short_job 2)
ok "another job with --time-min waits for its least time" \
	wait_until reason_like "$job" '^Budget .* job needs 0\.0334'
in_cluster scancel "$first"
ok "a job with --time-min starts when its least time fits" wait_until job_is "$job" RUNNING
is "$(job_field "$job" TimeLimit)" "00:02:00" "its time limit is what is left then"
in_cluster scancel "$job"
wait_until balance_is "$short" committed 0
is "$(short_job 3)" "" "a job is refused whose least time never fits"

like "$(budget verify)" '^balanced' "after everything, verify says balanced"
no_equitree_errors
done_testing
