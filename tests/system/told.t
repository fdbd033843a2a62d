#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Random requests on private sites of five kinds: what sbatch tells of each at its
# submission is what the job that starts is charged: the price, within its range,
# or up to what more nodes cost; in the unit, and in the account, of what it
# holds. TOLD_JOBS is 200; the other variables are in told/run.sh.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=told/run.sh
. "$(dirname "$0")/told/run.sh"

# Each request as a line of a script; of number N the message is in N.err, the
# job's id in N.id.
write_submissions() {
	local i
	for ((i = 0; i < jobs; i++)); do
		printf 'sbatch --parsable -o /dev/null --bill=brief -t 10 %s --wrap "sleep 0.2" >%d.id 2>%d.err\n' \
			"${requests[i]}" "$i" "$i"
	done
}

# A line for each request, for told/compare.awk.
list_requests() {
	local i id line message
	for ((i = 0; i < jobs; i++)); do
		id=$(<"$home/$i.id") message=
		while IFS= read -r line; do
			[[ $line != 'sbatch: equitree: '* || $message ]] ||
				message=${line#sbatch: equitree: }
		done <"$home/$i.err"
		printf '%s\t%s\t%s\t%s\n' "$i" "$id" "$message" "${requests[i]}"
	done
}

run_site() {
	start_site "$site" "${TOLD_JOBS:-200}"
	write_submissions >"$home/submit"
	chmod -R a+rwX "$home"
	as ada bash ./submit
	wait_for_starts "$jobs"
	in_cluster scancel -t PD -u ada
	wait_pass
	in_cluster scontrol -o show job >"$work/jobs"
	list_requests >"$work/requests"
	awk -v NAME="$site $seed" -v POOLS="$pools" -v GPUS="$uncounted" \
		-v ALL="${TOLD_ALL-}" -v KEPT='^[pvtm]' \
		-f "$system_dir/told/compare.awk" "$work/jobs" "$work/requests" \
		>"$work/compared"
	grep '^#' "$work/compared"
	read -r ran outside exact width < <(tail -n 1 "$work/compared")
	ok "$name: of $jobs requests jobs ran" test "$ran" -gt 0
	is "$outside" 0 "$name: no job is charged another price than its message said"
	diag "$ran jobs ran, $exact were told one number; the median range of the others is 1 to $width"
	no_equitree_errors
	cluster purge
}

for site in "${sites[@]}"; do
	run_site
done
done_testing
