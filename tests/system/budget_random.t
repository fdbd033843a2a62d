#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Random jobs and arrays of eight users on four budgets, with cancels, requeues,
# resizes and other time limits: what is spent and committed never exceeds a budget,
# no job runs that does not fit, none is held that fits, and at the end what is spent
# is what the jobs ran.
# BUDGET_JOBS (60) submissions; BUDGET_HOURS (0.3) of each budget; BUDGET_SEED.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

equitree=$build/tools/equitree
readonly jobs=${BUDGET_JOBS:-60}
RANDOM=${BUDGET_SEED:-5}
cluster_up

budget() { in_cluster "$equitree" budget "$@"; }
for account in physics chemistry bloggs.prj bloggs; do
	budget grant "$account" "${BUDGET_HOURS:-0.3}" --reason random >/dev/null
done
owners=(physics:ada physics:ben chemistry:cleo chemistry:dan bloggs.prj:abc123
	bloggs.prj:ijk456 bloggs.prj:xyz789 bloggs.prj.low:abc123)

# Each second, until there is $work/over: a line "look", a line for each budget
# (b ID AMOUNT SPENT COMMITTED), for each running job (r ID ACCOUNT CPUS TIME-LEFT)
# and for each held one (h ID ACCOUNT NEED).
watch_budgets() {
	while [[ ! -e $work/over ]]; do
		echo look
		budget list --csv --no-headings |
			awk -F, '{ print "b", $1, $5, $6, $7 }'
		in_cluster squeue -h -t R,PD -o '%A %a %C %L %t %r' | awk '
			$5 == "R" { print "r", $1, $2, $3, $4 }
			$5 == "PD" && $6 == "Budget" && match($0, /needs [0-9.]+/) {
				print "h", $1, $2, substr($0, RSTART + 6, RLENGTH - 6)
			}'
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
	size=()
	case $((RANDOM % 10)) in
	0 | 1) size=(-a "1-$((RANDOM % 4 + 2))") ;;
	2) size=(-N2) ;;
	esac
	submit "${owner#*:}" "$((RANDOM % 5))" -A "${owner%:*}" -t "$((RANDOM % 6 + 1))" \
		"${size[@]}" >>"$work/ids"
	case $((RANDOM % 9)) in
	0) in_cluster scancel "$(some_job all)" ;;
	1) in_cluster scontrol requeue "$(some_job R)" ;;
	2) in_cluster scontrol update jobid="$(some_job R)" timelimit="$((RANDOM % 9 + 1))" ;;
	3) in_cluster scontrol update jobid="$(some_job PD)" timelimit="$((RANDOM % 9 + 1))" ;;
	4) in_cluster scontrol update jobid="$(in_cluster squeue -h -t R -o '%A %D' |
		awk '$2 == 2 { print $1; exit }')" numnodes=1 ;;
	esac >/dev/null 2>&1
done
ids=$(paste -sd, "$work/ids")
ok "$jobs random submissions of eight users are taken" test "$(wc -l <"$work/ids")" -gt $((jobs / 2))

# Jobs wait for the budget or for two minutes after a requeue: what waits is cancelled.
few_wait() { (($(in_cluster squeue -h -r -t PD,R -o '%r %t' | grep -cvE '^BeginTime') == 0)); }
sleep 15
((jobs < 100)) || wait_until few_wait
for user in ada ben cleo dan abc123 ijk456 xyz789; do in_cluster scancel -t PD -u "$user"; done
none_left() { [[ ! $(in_cluster squeue -h) ]]; }
ok "all jobs end" wait_until none_left
settled() { [[ $(budget list --csv --no-headings | awk -F, '{ sum += $7 } END { print sum + 0 }') == 0 ]]; }
ok "nothing stays committed when all jobs have ended" wait_until settled
touch "$work/over"
wait "$watcher"
is "$(awk '$1 == "b" && $4 + $5 > $3 + 1e-6' "$work/seen")" "" "spent and committed never exceed a budget ($(grep -c look "$work/seen") looks)"
ok "jobs were committed while the test looked" grep -qE '^b .* 0\.[0-9]*$' "$work/seen"

# What squeue says of running jobs, against the budgets of their levels.
levels='
	BEGIN { own["physics"] = 1; own["chemistry"] = 2; own["bloggs.prj"] = 3 }
	function hours(t,   d, p) { # D-HH:MM:SS
		d = 0
		if (split(t, p, "-") == 2) { d = p[1]; t = p[2] }
		n = split(t, p, ":")
		return d * 24 + (n == 3 ? p[1] * 3600 + p[2] * 60 + p[3] : p[1] * 60 + p[2]) / 3600
	}'
is "$(awk "$levels"'
	$1 == "look" { check(); delete left }
	$1 == "b" { amount[$2] = $3; spent[$2] = $4 }
	$1 == "r" {
		left[own[$3]] += $4 * hours($5)
		if ($3 ~ /^bloggs/)
			left[4] += $4 * hours($5)
	}
	END { check() }
	function check(   i) {
		for (i = 1; i <= 4; i++)
			if (spent[i] + left[i] > amount[i] + 1e-6)
				print "look " NR ": budget " i ": " spent[i] " + " left[i]
	}' "$work/seen")" "" "what running jobs may still use never exceeds what a budget has left"
# Four looks in a row are longer than the plugin may take.
is "$(awk "$levels"'
	$1 == "look" { look++ }
	$1 == "b" { free[$2] = $3 - $4 - $5 }
	$1 == "h" {
		fits = own[$3] && free[own[$3]] < $4 ? 0 : 1
		if ($3 ~ /^bloggs/ && free[4] < $4)
			fits = 0
		row[$2] = fits ? (seen[$2] == look - 1 ? row[$2] : 0) + 1 : 0
		seen[$2] = look
		if (row[$2] == 4)
			print "job " $2 " of " $3 " needs " $4
	}' "$work/seen")" "" "no job is held for long that fits ($(grep -c '^h' "$work/seen") held jobs were looked at)"

# Seconds charged to an account, from its journal; all jobs have one core a node.
charged() { budget list "$1" --csv --no-headings | awk -F, '{ printf "%.0f\n", $6 * 3600 }'; }
ran() { # ACCOUNTS: core-seconds, and how often cores ran
	in_cluster sacct -DXnP -S 2000-01-01 -A "$1" -o ElapsedRaw,Start,AllocCPUS |
		awk -F'|' '$2 ~ /^[0-9]/ { sum += $1 * $3; runs += $3 } END { print sum + 0, runs + 0 }'
}
# The jobs that differ by more than a second a run and core, with all that the journal has
# of them.
compare_jobs() { # ACCOUNTS
	local id seconds runs spent
	in_cluster sacct -DXnP -S 2000-01-01 -A "$1" -o JobIDRaw,ElapsedRaw,AllocCPUS,State,Start,End |
		awk -F'|' '
			$5 ~ /^[0-9]/ { sum[$1] += $2 * $3; runs[$1] += $3 }
			END { for (id in sum) print id, sum[id], runs[id] }' >"$work/sums"
	while read -r id seconds runs; do
		spent=$(cat "$state_dir"/equitree_budgets* | awk -v id="$id" '
			$1 == "settle" && $3 == id {
				for (i = 1; i <= NF; i++)
					if (split($i, p, ":") == 4) { sum += p[3]; break }
			}
			END { printf "%d\n", sum / 1000000 }')
		((seconds - spent <= runs && spent - seconds <= runs)) && continue
		# slurmdbd has a resized job run on after a requeue, until it is cancelled.
		[[ $(grep -cE "(set node count to 1 for|Requeuing) JobId=$id\$" "$dir/log/slurmctld.log") -gt 1 ]] && continue
		echo "$id" >>"$work/different"
		diag "job $id: $seconds s by sacct, $spent s by the journal"
		diag "$(in_cluster sacct -DXnP -S 2000-01-01 -j "$id" -o JobIDRaw,ElapsedRaw,AllocCPUS,State,Start,End)"
		diag "$(cat "$state_dir"/equitree_budgets* | awk -v id="$id" '$3 == id || $4 == id')"
		diag "$(grep -E "JobId=${id}([ _:(]|$)" "$dir/log/slurmctld.log")"
	done <"$work/sums"
}
: >"$work/different"
known() { [[ ! $(in_cluster sacct -DXnP -S 2000-01-01 -o End,Start | grep '^Unknown|[0-9]') ]]; }
wait_until known
for account in physics chemistry bloggs.prj,bloggs.prj.low; do
	read -r seconds runs <<<"$(ran "$account")"
	budgeted=${account%%,*}
	[[ $account == *,* ]] && budgeted=bloggs
	difference=$(($(charged "$budgeted") - seconds))
	compare_jobs "$account" >"$work/compared"
	cat "$work/compared"
	is "$(paste -sd' ' "$work/different")" "" "each job of $budgeted is charged what it ran, to a second each run ($seconds s in $runs runs, differs by $difference)"
done
like "$(budget verify)" '^balanced' "verify finds random balances in the journal"
diag "submitted: ${ids:0:60}..."
no_equitree_errors
done_testing
