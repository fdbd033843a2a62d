#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# equitree bill prints what sbatch prints: random requests are submitted with
# --test-only on the private sites of told.t, and the lines are compared with those
# of the command, which knows the cluster by what scontrol has printed of it. What
# sbatch refuses the command refuses. On a site with pools each request names an
# account, since the command does not know that of the user; and the accounts of jobs
# that are submitted are those that the command has printed.
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
		# Later releases refuse some requests after they have asked for the price.
		if [[ $refused != 0 && $(<"$work/$i.bill.rc") != 0 ]]; then
			both=$((both + 1))
			continue
		elif [[ ! $said && $refused != 0 ]]; then
			# What no node can hold slurmctld refuses later than we look.
			if grep -qE 'Requested node configuration|More processors requested|Requested partition configuration|Node count specification|Job violates|Memory required|Requested nodes are busy' \
				"$home/$i.sbatch"; then
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

# What scontrol prints of the cluster, for the command.
save_cluster() {
	in_cluster scontrol show partition >"$work/partitions"
	in_cluster scontrol show node >"$work/nodes"
	in_cluster scontrol show config >"$work/config"
	cp "$dir/etc/equitree.conf" "$work/"
}

run_site() {
	start_site "$site" "${TOLD_JOBS:-250}"
	rm -f "$work"/*.bill* "$work/bill"
	write_submissions
	chmod -R a+rwX "$home"
	as ada bash ./submit
	save_cluster
	(cd "$work" && bash ./bill)
	compare
	ok "$name: sbatch printed a price" test "$same" -gt 0
	is "$differ" 0 "$name: equitree bill printed what sbatch did"
	diag "$same prices, $both refusals of $jobs requests"
	cluster purge
}

# The account that the command prints for a request of account OWN, which a request
# without such a line keeps.
account_billed() { # OWN WORD...
	local text
	text=$(cd "$work" && "$build/tools/equitree" bill -f equitree.conf \
		--partition-info=partitions --node-info=nodes \
		--config-info=config -t 10 -A "$@" 2>&1) ||
		{ echo refused && return; }
	text=$(sed -n 's/^charged to account //p' <<<"$text")
	echo "${text:-$1}"
}

# The one that sbatch prints, and that of the job.
account_submitted() { # OWN WORD...
	local id said
	id=$(as ada sbatch -H --parsable --bill=full -t 10 -A "$@" --wrap true \
		2>"$work/said") || { echo "refused refused" && return; }
	said=$(sed -n 's/^sbatch: equitree: charged to account //p' "$work/said")
	echo "${said:-$1} $(in_cluster squeue -h -j "$id" -o %a)"
}

test_accounts() {
	local own account request
	TOLD_OPTIONS=0 choose_options mixed
	site_mixed
	save_cluster
	while read -r own account request; do
		read -ra request <<<"$request"
		is "$(account_billed "$own" "${request[@]}") $(account_submitted "$own" "${request[@]}")" \
			"$account $account $account" \
			"sbatch and equitree bill name the account of the job: -A $own ${request[*]}"
	done <<-'END'
		told told_cpu -p cores -n2
		told told_gpu -p gpus --gpus=p100:1
		told told_gpu -p gpus -N1 --exclusive
		told told_gpu -p gpus,cores --gpus=1
		told told_cpu -p gpus,cores -n2
		told_cpu told_cpu -p cores -n2
		told_gpu told_gpu -p gpus --gpus=p100:1
		told_cpu refused -p gpus --gpus=p100:1
		told_gpu refused -p cores -n2
		told refused -p gpus,cores -N1 --exclusive
	END
	cluster purge
}

for site in "${sites[@]}"; do
	run_site
done
test_accounts
done_testing
