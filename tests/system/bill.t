#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# equitree bill prints what sbatch prints: random requests are submitted with
# --test-only on the private sites of told.t, and the lines are compared with those
# of the command, which knows the cluster by what scontrol has printed of it. What
# sbatch refuses the command refuses. On a site with pools each request names an
# account, since the command does not know that of the user.
#
# TOLD_JOBS is 250; the other variables are in told/run.sh.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=told/run.sh
. "$(dirname "$0")/told/run.sh"

# All submissions in one go, and the command in another: of request N the lines are
# in N.sbatch and N.bill, and whether it was refused in N.sbatch.rc and N.bill.rc.
write_submissions() {
	local i accounts=(told told told_cpu told_gpu)
	for ((i = 0; pools && i < jobs; i++)); do
		requests[i]+=" -A ${accounts[i % 4]}"
	done
	for ((i = 0; i < jobs; i++)); do
		printf 'sbatch --test-only --bill=full -t 10 %s --wrap true 2>%d.sbatch; echo $? >%d.sbatch.rc\n' \
			"${requests[i]}" "$i" "$i" >>"$home/submit"
		printf '%q bill -f equitree.conf --partition-info=partitions --node-info=nodes --config-info=config -t 10 %s >%d.bill 2>%d.bill.err; echo $? >%d.bill.rc\n' \
			"$build/tools/equitree" "${requests[i]}" "$i" "$i" "$i" >>"$work/bill"
	done
}

# The lines of sbatch without what it puts before them; no line of it that is not
# equitree's.
price_lines() { # FILE
	sed -nE 's/^sbatch: (error: )?//; /^equitree: .*-equivalent/,$ {
		s/^equitree: //
		/^(Job [0-9]+ to start|allocation failure|Batch job|.*error: )/d
		p
	}' "$1"
}

compare() {
	local i said billed refused
	same=0 differ=0 both=0
	for ((i = 0; i < jobs; i++)); do
		said=$(price_lines "$home/$i.sbatch")
		billed=$(<"$work/$i.bill")
		refused=$(<"$home/$i.sbatch.rc")
		if [[ ! $said && $refused != 0 ]]; then
			# What no node can hold slurmctld refuses later than we look.
			if [[ $(<"$work/$i.bill.rc") != 0 ]] ||
				grep -qE 'Requested node configuration|More processors requested|Requested partition configuration|Node count specification|Job violates|Memory required|Requested nodes are busy' "$home/$i.sbatch"
			then
				both=$((both + 1))
				continue
			fi
		elif [[ $said == "$billed" ]]; then
			same=$((same + 1))
			continue
		fi
		differ=$((differ + 1))
		diag "$site $seed.$i: ${requests[i]}" "  sbatch: $(<"$home/$i.sbatch")" \
			"  bill: $(cat "$work/$i.bill" "$work/$i.bill.err")"
	done
}

run_site() {
	start_site "$site" "${TOLD_JOBS:-250}"
	rm -f "$work"/*.bill* "$work/bill"
	write_submissions
	chmod -R a+rwX "$home"
	as ada bash ./submit
	in_cluster scontrol show partition >"$work/partitions"
	in_cluster scontrol show node >"$work/nodes"
	in_cluster scontrol show config >"$work/config"
	cp "$dir/etc/equitree.conf" "$work/"
	(cd "$work" && bash ./bill)
	compare
	ok "$name: sbatch printed a price" test "$same" -gt 0
	is "$differ" 0 "$name: equitree bill printed what sbatch did"
	diag "$same prices, $both refusals of $jobs requests"
	cluster purge
}

for site in "${sites[@]}"; do
	run_site
done
done_testing
