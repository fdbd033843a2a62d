#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Random jobs and arrays of eight users on four budgets, with cancels, requeues and
# other time limits: what is spent and committed never exceeds a budget, and at the
# end what is spent is what the jobs ran.
# BUDGET_JOBS (60) submissions; BUDGET_SEED.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

equitree=$build/tools/equitree
readonly jobs=${BUDGET_JOBS:-60}
RANDOM=${BUDGET_SEED:-5}
cluster_up

budget() { in_cluster "$equitree" budget "$@"; }
for account in physics chemistry bloggs.prj bloggs; do
	budget grant "$account" 0.3 --reason random >/dev/null
done
owners=(physics:ada physics:ben chemistry:cleo chemistry:dan bloggs.prj:abc123
	bloggs.prj:ijk456 bloggs.prj:xyz789 bloggs.prj.low:abc123)

# ID AMOUNT SPENT COMMITTED of each budget, each second, until there is $work/over.
watch_budgets() {
	while [[ ! -e $work/over ]]; do
		budget list --csv --no-headings | cut -d, -f1,5-7
		sleep 1
	done >>"$work/seen" 2>/dev/null
}
watch_budgets &
watcher=$!

some_job() { # STATE: the id of any
	in_cluster squeue -h -t "$1" -o %A | shuf -n1 --random-source=<(yes "$RANDOM")
}
for ((i = 0; i < jobs; i++)); do
	owner=${owners[RANDOM % 8]}
	array=()
	((RANDOM % 5)) || array=(-a "1-$((RANDOM % 4 + 2))")
	submit "${owner#*:}" "$((RANDOM % 5))" -A "${owner%:*}" -t "$((RANDOM % 6 + 1))" \
		"${array[@]}" >>"$work/ids"
	case $((RANDOM % 8)) in
	0) in_cluster scancel "$(some_job all)" ;;
	1) in_cluster scontrol requeue "$(some_job R)" ;;
	2) in_cluster scontrol update jobid="$(some_job R)" timelimit="$((RANDOM % 9 + 1))" ;;
	3) in_cluster scontrol update jobid="$(some_job PD)" timelimit="$((RANDOM % 9 + 1))" ;;
	esac >/dev/null 2>&1
done
ids=$(paste -sd, "$work/ids")
ok "$jobs random submissions of eight users are taken" test "$(wc -l <"$work/ids")" -gt $((jobs / 2))

# Jobs wait for the budget or for two minutes after a requeue: what waits is cancelled.
sleep 15
for user in ada ben cleo dan abc123 ijk456 xyz789; do in_cluster scancel -t PD -u "$user"; done
none_left() { [[ ! $(in_cluster squeue -h) ]]; }
ok "all jobs end" wait_until none_left
settled() { [[ $(budget list --csv --no-headings | awk -F, '{ sum += $7 } END { print sum + 0 }') == 0 ]]; }
ok "nothing stays committed when all jobs have ended" wait_until settled
touch "$work/over"
wait "$watcher"
is "$(awk -F, '$3 + $4 > $2 + 1e-6' "$work/seen")" "" "spent and committed never exceed a budget ($(wc -l <"$work/seen") looks)"
ok "jobs were committed while the test looked" grep -qE ',0\.[0-9]*$' "$work/seen"

# Seconds charged to an account, from its journal; all jobs have one core.
charged() { budget list "$1" --csv --no-headings | awk -F, '{ printf "%.0f\n", $6 * 3600 }'; }
ran() { # ACCOUNTS: seconds, and how often jobs ran
	in_cluster sacct -DXnP -S 2000-01-01 -A "$1" -o ElapsedRaw,Start |
		awk -F'|' '$2 ~ /^[0-9]/ { sum += $1; runs++ } END { print sum + 0, runs + 0 }'
}
known() { [[ ! $(in_cluster sacct -DXnP -S 2000-01-01 -o End,Start | grep '^Unknown|[0-9]') ]]; }
wait_until known
for account in physics chemistry bloggs.prj,bloggs.prj.low; do
	read -r seconds runs <<<"$(ran "$account")"
	budgeted=${account%%,*}
	[[ $account == *,* ]] && budgeted=bloggs
	difference=$(($(charged "$budgeted") - seconds))
	((${difference#-} <= runs))
	is "$?" 0 "$budgeted is charged what its jobs ran, to a second each ($seconds s in $runs runs, differs by $difference)"
done
like "$(budget verify)" '^balanced' "verify finds random balances in the journal"
diag "submitted: ${ids:0:60}..."
no_equitree_errors
done_testing
