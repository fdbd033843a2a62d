#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# equitree bill prints what sbatch prints: random requests are submitted with
# --test-only on the private sites of told.t, and the lines are compared with those
# of the command, which asks the same cluster. What sbatch refuses the command refuses,
# an unknown partition, account or QOS with the same words. Components of a
# heterogeneous job get the options of others as in sbatch. The accounts of jobs that are
# submitted are those that the command has printed, from the cluster and from files of what
# scontrol printed.
#
# TOLD_JOBS is 250; the other variables are in told/run.sh.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=told/run.sh
. "$(dirname "$0")/told/run.sh"

# All submissions in one go, each beside the command: of request N the lines are
# in N.sbatch and N.bill, and whether it was refused in N.sbatch.rc and N.bill.rc.
write_submissions() {
	local i accounts=('' '-A told' '-A told_cpu' '-A told_gpu')
	for ((i = 0; pools && i < jobs; i++)); do
		requests[i]+=" ${accounts[i % 4]}"
	done
	for ((i = 0; i < jobs; i++)); do
		printf 'sbatch --test-only --bill=full -t 10 %s --wrap true 2>%d.sbatch; echo $? >%d.sbatch.rc\n' \
			"${requests[i]}" "$i" "$i"
		printf '%q bill -t 10 %s >%d.bill 2>%d.bill.err; echo $? >%d.bill.rc\n' \
			"$build/tools/equitree" "${requests[i]}" "$i" "$i" "$i"
	done >"$home/submit"
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
		billed=$(<"$home/$i.bill")
		refused=$(<"$home/$i.sbatch.rc")
		# Later releases refuse some requests after they have asked for the price.
		if [[ $refused != 0 && $(<"$home/$i.bill.rc") != 0 ]]; then
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
			"  bill: $(cat "$home/$i.bill" "$home/$i.bill.err")"
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
	write_submissions
	chmod -R a+rwX "$home"
	as ada bash ./submit
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

# The same where it asks the cluster, which knows the account of the user.
account_asked() { # WORD...
	local text
	text=$(as ada "$build/tools/equitree" bill -t 10 "$@" 2>&1) ||
		{ echo refused && return; }
	sed -n 's/^charged to account //p' <<<"$text"
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
	is "$(account_asked -p gpus --gpus=p100:1)|$(account_asked -p cores -n2)" \
		"told_gpu|told_cpu" "equitree bill knows the user's own account"
	is "$(account_asked -A told_cpu -p gpus --gpus=p100:1)" refused \
		"an account of the other pool is refused"
}

# What sbatch says of a request of several components, each without its number.
said_of_components() {
	as ada sbatch --test-only --bill=full "$@" --wrap true 2>&1 |
		sed '/ to start at /d; s/^sbatch: //; s/^[0-9]*: equitree: //'
}

billed_of_components() {
	as ada "$build/tools/equitree" bill "$@" 2>&1 |
		sed 's/^Component [0-9]*: //; /^All components/d; /^$/d'
}

test_components() {
	local request
	while read -r request; do
		read -ra request <<<"$request"
		is "$(billed_of_components "${request[@]}")" \
			"$(said_of_components "${request[@]}")" \
			"components as in sbatch: ${request[*]}"
	done <<-'END'
		-n1 : -n1 : -n1 --mem=8000M
		-n1 : -n1 --mem=8000M : -n1 --mem=12000M
		-n1 --mem=4000M : -n1 : -n2
		-n1 --mem-per-cpu=8000M : -n1 --mem=4000M
		-n1 : -n1 -c3 -t5
		-n2 -t30 : -n1
	END
}

# The words of Slurm's refusal, or of the submission plugin's, and no price.
test_refusals() {
	local wanted request said
	while IFS='|' read -r wanted request; do
		read -ra request <<<"$request"
		said=$(as ada "$build/tools/equitree" bill "${request[@]}" 2>&1)
		is "$?|$said" "1|equitree bill: $wanted" \
			"what Slurm refuses: ${request[*]}"
	done <<-'END'
		invalid partition specified: nosuch|-p nosuch -n1
		Invalid qos specification|-q nosuch -n1
		you may not use account nosuch; your accounts for CPUs: told_cpu|-A nosuch -n1
		Invalid feature specification|-n1 -C nosuch
	END
}

# One table of all partitions: whole nodes cost more, and what has no GPU is refused.
test_all_partitions() {
	local text
	text=$(as ada "$build/tools/equitree" bill --all-partitions -n2 -t60 --mem=1000M 2>&1)
	like "$text" '^PARTITION +COST +UNIT +HOURS +START +REMARK' "--all-partitions: a table"
	like "$text" $'\n''cores +2 core-equivalents +2 20[^ ]+' "... with price, hours and start"
	like "$text" $'\n''whole +16 core-equivalents +16 20' "... a partition of whole nodes"
	text=$(as ada "$build/tools/equitree" bill --all-partitions --gpus=p100:1 -t60 2>&1)
	like "$text" $'\n''cores +- - +- - +[a-z]' "... what no node of a partition has"
	text=$(as ada "$build/tools/equitree" bill --all-partitions --json -n2 -t60 2>&1)
	is "$(grep -c '"partition": "' <<<"$text")" 8 "... as JSON"
	text=$(as ada "$build/tools/equitree" bill --all-partitions -A nosuch -n2 2>&1)
	is "$?" 1 "... none takes the job"
}

for site in "${sites[@]}"; do
	run_site
done
test_accounts
test_components
test_refusals
test_all_partitions
cluster purge
done_testing
