#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Jobs that end through no fault of their user: nodes that fail, and preemption. What
# is charged to the budget and to fair share, as equitree.conf says.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

equitree=$build/tools/equitree
charge_completing=yes
site=$work/site
cp -r "$system_dir/../../sandbox/sites/cedar" "$site"
# What of equitree.conf changes; reconfigured when the cluster is up.
refunds() { # FAIR-SHARE BUDGET
	printf '%s\n' "priority { refund = $1 }" "budget { refund = $2 }" \
		>"$work/refunds"
}
reconfigure() { # FAIR-SHARE BUDGET
	refunds "$1" "$2"
	{
		grep -vE '^(priority|budget) ' "$dir/etc/equitree.conf"
		cat "$work/refunds"
	} >"$work/equitree.conf"
	cp "$work/equitree.conf" "$dir/etc/equitree.conf"
	in_cluster scontrol reconfigure
	wait_pass
}
refunds node_fail,preempted node_fail,preempted
cat "$work/refunds" >>"$site/equitree.conf"
# An epilog that lasts as many seconds as this file says.
echo 0 >"$work/epilog-seconds"
printf '#!/bin/bash\nsleep "$(<%q)"\n' "$work/epilog-seconds" >"$work/epilog"
chmod 755 "$work" "$work/epilog"
cluster_up --site "$site" --set PreemptType=preempt/qos --set PreemptMode=REQUEUE \
	--set "Epilog=$work/epilog"
in_cluster sacctmgr -iQ add qos weak set preemptmode=cancel
in_cluster sacctmgr -iQ add qos urgent set preempt=normal,weak
in_cluster sacctmgr -iQ modify user ada,ben,cleo,dan set qos+=weak,urgent
nodes_up() { [[ $(in_cluster sinfo -h -o %T | sort -u) == idle ]]; }
wait_until nodes_up || bail "the nodes are there"

budget() { in_cluster "$equitree" budget "$@"; }
balance() { # ID COLUMN
	budget list --csv | awk -F, -v id="$1" -v want="$2" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$1 == id { print $(at[want]) + 0 }'
}
is_spent() { [[ $(balance "$1" spent) == "$2" ]]; }
usage_of() { # ACCOUNT USER -> RAW WALL CPU-SECONDS... as saved
	wait_pass
	saved_row a "$(assoc_id "$1" "$2")"
}
# A job is charged by passes before it ends.
charged() { [[ $(exact_usage "$1" "$2") != 0 ]]; } # ACCOUNT USER
begun() { # JOB ACCOUNT USER
	wait_until job_is "$1" RUNNING && wait_until charged "$2" "$3"
}
waits() { [[ $(job_field "$1" JobState) == PENDING ]]; } # JOB
fail_node() { # NODE
	in_cluster scontrol update nodename="$1" state=down reason=test
}
mend_node() { # NODE
	in_cluster scontrol update nodename="$1" state=resume 2>>"$work/resume"
}
# Another user's urgent job takes the node away.
preempt() { # USER NODE
	submit "$1" 2 -q urgent -w "$2" --exclusive -t1
}
is_like_none() { # TEXT NAME
	is "$(tr ' ' '\n' <<<"$1" | grep -vxE '0|')" "" "$2"
}

budget grant physics/ben 10 >/dev/null # budget 1
budget grant chemistry/dan 10 >/dev/null # budget 2

# ---- Nodes that fail --------------------------------------------------------------

own=$(submit ada 3 -w cpu2 -t5)
job=$(submit ben 300 -w cpu1 -t20 --no-requeue)
ok "passes charge a job before its node fails" begun "$job" physics ben
before=$(log_size)
fail_node cpu1
wait_until jobs_ended "$job"
is "$(account_of "$job" State)" NODE_FAIL "the job ends because its node fails"
is_like_none "$(usage_of physics ben)" "after a failure of a node nothing is left of the job's usage"
is "$(balance 1 spent)|$(balance 1 committed)" "0|0" "after a failure of a node nothing is spent of the budget"
ok "the log says that the job is not charged" log_has "$before" \
	"job $job: not charged to fair share \(node failure\)"
mend_node cpu1

job=$(submit ben 300 -w cpu1 -t20)
begun "$job" physics ben || bail "a second job runs"
fail_node cpu1
ok "a job is requeued when its node fails" wait_until waits "$job"
is_like_none "$(usage_of physics ben)" "nothing is left of the usage of a job that a failure requeued"
is "$(balance 1 spent)" 0 "a job that a failure requeued has spent nothing of the budget"
as ben scancel "$job"
mend_node cpu1

wait_until jobs_ended "$own"
seconds=$(elapsed "$own")
near "$(usage_of physics ada | cut -d' ' -f1)" "$seconds" 0.02 "a job that ends by itself is charged"
near "$(usage_of physics '' | cut -d' ' -f1)" 0 0 "an account has no usage of its own"
near "$(share physics '' rawusage)" "$seconds" 1 "the account has the usage of the job that is charged, and no other"

# ---- Preemption -------------------------------------------------------------------

job=$(submit dan 300 -w cpu2 -t20)
begun "$job" chemistry dan || bail "a job runs that can be preempted"
urgent=$(preempt cleo cpu2)
ok "an urgent job preempts another one, which is requeued" wait_until waits "$job"
wait_until jobs_ended "$urgent"
is "$(account_of "$job" State | head -n 1)" PREEMPTED "accounting calls the run preempted"
is "$(balance 2 spent)" 0 "a preempted and requeued job has spent nothing of its budget"
is_like_none "$(usage_of chemistry dan)" "nothing is left of the usage of a job that was preempted and requeued"
ok "the journal of budgets says why" wait_until budgets_file_has "^settle .* $job .* preempted"
near "$(balance 2 committed)" 0.3333333 1e-5 "the requeued job has committed its price again"
as dan scancel "$job"

job=$(submit dan 300 -w cpu2 -t20 -q weak)
begun "$job" chemistry dan || bail "a job runs that preemption cancels"
urgent=$(preempt cleo cpu2)
wait_until jobs_ended "$job"
is "$(account_of "$job" State)" PREEMPTED "an urgent job cancels a weak one"
is "$(balance 2 spent)" 0 "a job that preemption cancels spends nothing of its budget"
is_like_none "$(usage_of chemistry dan)" "nothing is left of the usage of a job that preemption cancels"
wait_until jobs_ended "$urgent"

job=$(submit dan 300 -w cpu2 -t20)
begun "$job" chemistry dan || bail "a job runs that its user requeues"
as dan scontrol requeue "$job"
wait_until waits "$job"
as dan scancel "$job"
ran=$(elapsed "$job")
near "$(usage_of chemistry dan | cut -d' ' -f1)" "$ran" 1.1 "a job that its user requeues is charged to fair share"
near "$(value "$(balance 2 spent) * 3600")" "$ran" 1.1 "a job that its user requeues is charged to its budget"

# ---- kill -9 ----------------------------------------------------------------------

usage=$(usage_of chemistry dan | cut -d' ' -f1)
job=$(submit dan 300 -w cpu2 -t20 -q weak)
wait_until job_is "$job" RUNNING
wait_pass
urgent=$(preempt cleo cpu2)
wait_until jobs_ended "$job"
keeper=$(submit ada 600 -p gpu -t20)
jobs_saved "$keeper"
daemon kill slurmctld
daemon start slurmctld
wait_until in_cluster scontrol ping >/dev/null
near "$(usage_of chemistry dan | cut -d' ' -f1)" "$usage" 0.01 "after a kill the usage of a preempted job stays away"
is "$(in_cluster "$equitree" budget verify >/dev/null 2>&1; echo $?)" 0 "after a kill the budgets are balanced"
wait_until jobs_ended "$urgent"

usage=$(usage_of chemistry dan | cut -d' ' -f1)
job=$(submit dan 300 -w cpu2 -t20 -q weak)
wait_until job_is "$job" RUNNING
wait_pass
echo 8 >"$work/epilog-seconds"
urgent=$(preempt cleo cpu2)
completes() { [[ $(in_cluster squeue -h -j "$1" -o %t) == CG ]]; }
ok "a preempted job completes while its epilog runs" wait_until completes "$job"
daemon restart slurmctld
wait_until in_cluster scontrol ping >/dev/null
ok "a preempted job still completes after a restart of slurmctld" wait_until completes "$job"
echo 0 >"$work/epilog-seconds"
wait_until jobs_ended "$urgent"
near "$(usage_of chemistry dan | cut -d' ' -f1)" "$usage" 0.01 \
	"a preempted job that completes through a restart is not charged"

# ---- As configured ----------------------------------------------------------------

reconfigure none preempted
spent=$(balance 2 spent) usage=$(usage_of chemistry dan | cut -d' ' -f1)
job=$(submit dan 300 -w cpu2 -t20 -q weak)
wait_until job_is "$job" RUNNING
wait_pass
wait_pass
preempt cleo cpu2 >/dev/null
wait_until jobs_ended "$job"
is "$(balance 2 spent)" "$spent" "refund = preempted in section budget: the budget is not charged"
near "$(value "$(usage_of chemistry dan | cut -d' ' -f1) - $usage")" "$(elapsed "$job")" 1.1 \
	"refund = none in section priority: fair share is charged"

reconfigure preempted none
usage=$(usage_of chemistry dan | cut -d' ' -f1)
job=$(submit dan 300 -w cpu2 -t20)
wait_until job_is "$job" RUNNING
wait_pass
wait_pass
preempt cleo cpu2 >/dev/null
wait_until waits "$job"
as dan scancel "$job"
near "$(usage_of chemistry dan | cut -d' ' -f1)" "$usage" 0.01 "refund = preempted in section priority: fair share is not charged"
near "$(value "($(balance 2 spent) - $spent) * 3600")" "$(elapsed "$job")" 1.1 \
	"refund = none in section budget: a preempted and requeued job is charged to its budget"
no_equitree_errors
done_testing
