#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Budgets and jobs that wait: they are cancelled, or their account is moved in the tree.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

equitree=$build/tools/equitree
cluster_up

budget() { in_cluster "$equitree" budget "$@"; }
manage() { in_cluster sacctmgr -iQ "$@"; }
# One number of a budget in equivalent-minutes, which jobs of one core have.
balance() { # ID COLUMN
	budget list --csv | awk -F, -v id="$1" -v want="$2" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$1 == id { printf "%.6g\n", $(at[want]) * 60 }'
}
balance_is() { [[ $(balance "$1" "$2") == "$3" ]]; } # ID COLUMN MINUTES
# It could start, but for its begin time.
submit_later() { submit "$1" 300 --begin=now+1hour "${@:2}"; } # USER OPTIONS...
# What slurmdbd has changed has reached slurmctld.
has_association() { # WORDS...
	grep -qE "$*" < <(in_cluster scontrol show assoc_mgr flags=assoc | tr -s ' \n' ' ')
}

# ---- Cancelled ----------------------------------------------------------------------

# Without a held job all commitments are compared with the jobs once a minute. Right after
# that, only a look at changed jobs can be as fast as this.
budget grant physics 1 >/dev/null # budget 1, 60 minutes
slowest=0
for ((i = 0; i < 3; i++)); do
	job=$(submit_later ada -t20)
	wait_until balance_is 1 committed 20 || bail "a waiting job commits its price"
	array=$(submit_later ben -t5 -a1-4)
	wait_until balance_is 1 committed 40 || bail "a waiting array commits its price"
	in_cluster scancel "$job" "${array}_2"
	SECONDS=0
	wait_until balance_is 1 committed 15 ||
		bail "what was cancelled is returned" "$(budget list)"
	((slowest >= SECONDS)) || slowest=$SECONDS
	in_cluster scancel "$array"
	wait_until balance_is 1 committed 0 || bail "the rest of an array is returned"
done
ok "a cancelled waiting job gives its commitment back within seconds ($slowest s at most)" \
	test "$slowest" -le 15
ok "the journal says that the job never ran" \
	wait_until budgets_file_has "settle .* $job .*it%20ended%20before%20it%20ran"
as ada sbatch -t60 --wrap 'sleep 300' >"$work/all" 2>&1
is "$?|$(grep -c 'the job waits' "$work/all")" "0|0" "a job that needs all of the budget fits again"
in_cluster scancel -A physics
ok "all of the budget is left when nobody waits" wait_until balance_is 1 committed 0

# ---- An account that is moved --------------------------------------------------------

for account in east west 'lab parent=east'; do
	# shellcheck disable=SC2086 # words
	manage add account $account >/dev/null
done
manage add user ada account=lab >/dev/null
wait_until has_association 'Account=lab UserName=ada' || bail "slurmctld knows the accounts"
budget grant east 1 >/dev/null # budget 2
budget grant west 1 >/dev/null # budget 3
waits=$(submit_later ada -A lab -t10)
runs=$(submit ada 300 -A lab -t20)
wait_until job_is "$runs" RUNNING
is "$(balance 2 committed)|$(balance 3 committed)" "30|0" "jobs commit to the account above theirs"
manage modify account lab set parent=west >/dev/null
wait_until has_association 'Account=lab .*ParentAccount=west\S* '
sleep 3
is "$(balance 2 committed)|$(balance 3 committed)" "30|0" "after a move waiting and running jobs keep what they have committed"
in_cluster scontrol reconfigure
ok "after a reconfigure a waiting job has committed to the account that is above it now" \
	wait_until balance_is 3 committed 10
is "$(balance 2 committed)" 20 "after a reconfigure a running job keeps what it has committed"
in_cluster scancel "$waits" "$runs"
ok "a job that has committed anew gives it back" wait_until balance_is 3 committed 0
ok "a job that kept its commitment gives it back to the former account" wait_until balance_is 2 committed 0
is "$(balance 3 spent)" 0 "nothing is spent of the budget of a job that never ran"
like "$(budget verify)" '^balanced: 3 budgets' "after cancelled jobs and a move, verify says balanced"

no_equitree_errors
done_testing
