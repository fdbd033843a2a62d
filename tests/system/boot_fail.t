#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Nodes that are powered down and do not boot for a job: what the job is called then, and
# whether it is charged to fair share and to its budget.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

equitree=$build/tools/equitree
site=$work/site
cp -r "$system_dir/../../sandbox/sites/cedar" "$site"
refunds() { # STATES
	printf '%s\n' "priority { refund = $1 }" "budget { refund = $1 }"
}
refunds node_fail,boot_fail >>"$site/equitree.conf"
# Nothing powers a node up.
cluster_up --site "$site" --set SuspendProgram=/bin/true --set ResumeProgram=/bin/true \
	--set SuspendTime=86400 --set SuspendTimeout=1 --set ResumeTimeout=15
nodes_up() { [[ $(in_cluster sinfo -h -n cpu2 -o %T) == idle ]]; }
wait_until nodes_up || bail "the nodes are there"

budget() { in_cluster "$equitree" budget "$@"; }
balance() { # COLUMN
	budget list --csv | awk -F, -v want="$1" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		{ print $(at[want]) + 0 }'
}
balance_is() { [[ $(balance "$1") == "$2" ]]; } # COLUMN HOURS
usage_of_ben() {
	wait_pass
	saved_row a "$(assoc_id physics ben)" | cut -d' ' -f1
}
node_is() { [[ $(in_cluster scontrol show node cpu2) =~ State=[A-Z+*_]*$1 ]]; }
boot_fails() { in_cluster "$build/tests/system/boot_fail" "$job"; } # of $job
configure() { # STATES
	{
		grep -vE '^(priority|budget) ' "$dir/etc/equitree.conf"
		refunds "$1"
	} >"$work/equitree.conf"
	cp "$work/equitree.conf" "$dir/etc/equitree.conf"
	in_cluster scontrol reconfigure
	wait_pass
}
# A job that passes have charged, for more than a second.
run_job() { # OPTIONS...
	job=$(submit ben 300 -w cpu1 -t20 "$@")
	wait_until job_is "$job" RUNNING ||
		bail "a job runs" "$(in_cluster scontrol show job "$job")"
	wait_pass
	wait_pass
}
# A job that waits until cpu2 is up, which nothing powers up.
boot_job() {
	power_down
	wait_pass
	spent=$(balance spent) usage=$(usage_of_ben)
	job=$(submit ben 300 -w cpu2 -t20 --no-requeue)
	wait_until configures ||
		bail "a job waits for its node to boot" "$(in_cluster scontrol show job "$job")"
}
configures() { [[ $(in_cluster squeue -h -j "$job" -o %t) == CF ]]; }

is_down() { [[ $(in_cluster scontrol show node cpu2) =~ State=DOWN ]]; }

# The node is down if it has not booted by ResumeTimeout, after the end of its job too.
power_down() {
	! is_down || in_cluster scontrol update nodename=cpu2 state=resume
	in_cluster scontrol update nodename=cpu2 state=power_down_force
	wait_until node_is POWERED_DOWN || bail "cpu2 is powered down" \
		"$(in_cluster scontrol show node cpu2)"
}

budget grant physics 10 >/dev/null

# ---- A program says that nodes did not boot ------------------------------------------

before=$(log_size)
run_job --no-requeue
boot_fails
wait_until jobs_ended "$job"
is "$(account_of "$job" State)" BOOT_FAIL "a job that is not requeued is BOOT_FAIL when a program says that its node did not boot"
is "$(usage_of_ben)" 0 "with refund = boot_fail nothing is left of the usage of its job"
is "$(balance spent)|$(balance committed)" "0|0" "with refund = boot_fail nothing is spent of its budget"
ok "the log says that the job is not charged" log_has "$before" \
	"job $job: not charged to fair share \(boot failure\)"
ok "the journal of budgets says why" wait_until budgets_file_has "^settle .* $job .* boot%20failure"

run_job
boot_fails
waits() { [[ $(job_field "$job" JobState) == PENDING ]]; }
ok "a job that may be requeued waits again when its node did not boot" wait_until waits
as ben scancel "$job"
ok "nothing of the requeued job stays committed" wait_until balance_is committed 0
spent=$(balance spent) usage=$(usage_of_ben)
ok "a job that is requeued because its node did not boot is charged ($spent h, $usage s)" \
	awk "BEGIN { exit !($spent > 0 && $usage > 0) }"

configure node_fail
run_job --no-requeue
boot_fails
wait_until jobs_ended "$job"
is "$(account_of "$job" State)" BOOT_FAIL "the node of another job does not boot"
ok "with refund = node_fail alone a job that is BOOT_FAIL is charged to fair share" \
	awk "BEGIN { exit !($(usage_of_ben) > $usage) }"
ok "with refund = node_fail alone a job that is BOOT_FAIL is charged to its budget" \
	awk "BEGIN { exit !($(balance spent) > $spent) }"

# ---- ResumeTimeout --------------------------------------------------------------------

in_cluster bash -c 'kill $(cat /run/slurmd.cpu2.pid)'
boot_job
ok "a job whose node is to boot has committed its price" test "$(balance committed)" != 0
wait_until jobs_ended "$job"
is "$(account_of "$job" State)" NODE_FAIL "a job is NODE_FAIL when its node has not booted by ResumeTimeout"
is "$(balance spent)|$(balance committed)" "$spent|0" "with refund = node_fail nothing is spent of its budget"
ok "a node that does not boot adds nothing to the usage of its job" \
	awk "BEGIN { exit !($(usage_of_ben) <= $usage) }"

configure none
boot_job
# Its commitment is compared with the job in the first seconds.
sleep 8
ok "while its node boots a job is not charged to fair share" \
	awk "BEGIN { exit !($(usage_of_ben) <= $usage) }"
as ben scancel "$job"
wait_until jobs_ended "$job"
ok "accounting counts the time in which the node booted ($(elapsed "$job") s)" test "$(elapsed "$job")" -ge 8
is "$(balance spent)|$(balance committed)" "$spent|0" "a job that is cancelled while its node boots spends nothing of its budget"
ok "the journal of budgets says that the node was not up yet" \
	wait_until budgets_file_has "^settle .* $job .*not%20up%20yet"
# At its end the part since the last pass is charged, as by Slurm's own plugin.
ok "a job that is cancelled while its node boots is charged for a pass at most ($usage s, $(usage_of_ben) s)" \
	awk "BEGIN { exit !($(usage_of_ben) <= $usage + 5) }"
boot_job
wait_pass
in_cluster slurmd -b -N cpu2 >"$work/slurmd" 2>&1
wait_until job_is "$job" RUNNING ||
	bail "a job runs when its node has booted" "$(in_cluster scontrol show job "$job")"
sleep 5
as ben scancel "$job"
wait_until jobs_ended "$job"
near "$(value "($(balance spent) - $spent) * 3600")" "$(elapsed "$job")" 1.1 \
	"a job is charged to its budget from when its node has booted"
near "$(value "$(usage_of_ben) - $usage")" "$(elapsed "$job")" 1.1 \
	"a job is charged to fair share from when its node has booted"
like "$(budget verify)" '^balanced: 1 budgets' "after nodes that did not boot, verify says balanced"

no_equitree_errors
done_testing
