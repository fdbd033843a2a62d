#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Sites and requests that a seed invents (worlds/world.py): what a request is told at its
# submission is what the job is charged, within its range; what "equitree bill" prints is
# what was told; and no job passes the cap of its partition or a limit on its billing,
# whether it was submitted or changed. Ends of ranges are looked for by asking Slurm for
# the same request on each set of kinds of nodes: one that no set gives cannot happen.
#
# WORLDS_SEEDS: the seeds ("4 6"); WORLDS_JOBS: requests of each site (25); WORLDS_ENDS:
# ranges of each site whose ends are looked for (2), and WORLDS_FILLS: beside how many sets of
# other jobs (8); WORLDS_NOW: ranges that are asked for again on free nodes (1); WORLDS_REPORT: a
# file to which a line for each site is added; WORLDS_KEEP: a folder that keeps each site with
# its requests and answers; WORLDS_BILL: "no" asks "equitree bill" nothing. The long form is
#   WORLDS_SEEDS="$(seq -s' ' 101 140)" WORLDS_JOBS=125 WORLDS_ENDS=5 tests/system/worlds.t
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

command -v python3 >/dev/null || skip_all "no python3"
worlds=$system_dir/worlds
jobs=${WORLDS_JOBS:-25} ends=${WORLDS_ENDS:-2} again=${WORLDS_NOW:-1} fills=${WORLDS_FILLS:-8}
equitree=$build/tools/equitree
release=$(slurmctld -V)

# One line of a script for a request, whose number is N: what was told is in N.err, the
# job's id in N.id, and what the command says in N.bill.
write_request() { # NUMBER KIND WORDS
	local n=$1 words=${3%% => *}
	case $2 in
	sbatch | update)
		local hold=
		[[ $2 == sbatch ]] || hold=-H
		printf 'sbatch %s --parsable -o /dev/null --bill=brief -t 10 %s --wrap "sleep 0.2" >%d.id 2>%d.err\n' \
			"$hold" "$words" "$n" "$n"
		;;
	srun)
		printf 'timeout 20 srun --immediate=9 --bill=brief -t 10 %s sh -c '\''echo $SLURM_JOB_ID >%d.id'\'' </dev/null 2>%d.err &\n' \
			"$words" "$n" "$n"
		;;
	salloc)
		printf 'timeout 20 salloc --immediate=9 --bill=brief -t 10 %s sh -c '\''echo $SLURM_JOB_ID >%d.id'\'' </dev/null 2>%d.err &\n' \
			"$words" "$n" "$n"
		;;
	esac
	[[ $2 != update ]] ||
		printf '[[ -s %d.id ]] && { scontrol update JobId=$(<%d.id) "%s" 2>%d.change; scontrol release $(<%d.id); }\n' \
			"$n" "$n" "${3#* => }" "$n" "$n"
	[[ ${WORLDS_BILL-} == no ]] ||
		printf '%q bill -t 10 %s 2>&1 | head -n 1 >%d.bill\n' "$equitree" "$words" "$n"
}

run_world() { # SEED
	local name="seed $1" made=$work/world n=0 kind words line
	rm -rf "$made"
	python3 "$worlds/world.py" "$1" "$jobs" "$made" || bail "a world is made"
	# slurmctld of 24.05 and 24.11 follows a null pointer for nodes with GPUs then
	# (_eval_nodes_spread()).
	[[ $release != *' 24.'* ]] || sed -i '/spread-job/{/gres\|gpu/d}' "$made/requests"
	cp "$system_dir/../../sandbox/sites/cedar/plugstack.conf" "$made/"
	cluster_up --site "$made"
	home=$dir/home/ada
	while IFS= read -r line; do
		read -ra words <<<"$line"
		in_cluster scontrol "${words[@]}" >/dev/null
	done <"$made/set"
	while IFS=$'\t' read -r kind words; do
		write_request "$n" "$kind" "$words"
		n=$((n + 1))
	done <"$made/requests" >"$home/submit"
	echo wait >>"$home/submit"
	chmod -R a+rwX "$home"
	as ada bash ./submit
	wait_for_starts "$jobs"
	in_cluster scancel -t PD -u ada
	wait_pass
	in_cluster scontrol -o show job >"$made/jobs"
	python3 "$worlds/judge.py" "$made" "$home" >"$made/judged"
	sed -n '/^#/p' "$made/judged"
	tell outside "no job is charged another price than it was told"
	tell passed "no job passes a cap"
	[[ ${WORLDS_BILL-} == no ]] || tell billed "equitree bill prints what was told"
	tell limited "no job passes a limit on its billing"
	follow_hints
	start_now
	search_ends
	diag "$name: $(grep '^figures' "$made/judged")"
	[[ ! ${WORLDS_REPORT-} ]] || {
		printf 'seed %s ' "$1"
		sed -nE 's/^(figures|hinted|begun|untrue|now|otherwise|looked|ends) //p' "$made/judged" | paste -sd' '
	} >>"$WORLDS_REPORT"
	no_equitree_errors
	[[ ! ${WORLDS_KEEP-} ]] || world_keep "$WORLDS_KEEP/$1"
	cluster purge
}

# The site, its cluster in scontrol's words, the home of its user, and what was judged.
world_keep() { # FOLDER
	local what
	mkdir -p "$1" && cp -r "$made"/* "$home" "$1/"
	for what in config partition node; do
		in_cluster scontrol show "$what" >"$1/show.$what"
	done
}

tell() { # WORD TEXT: the count of judge.py is 0
	is "$(sed -n "s/^$1 //p" "$made/judged")" 0 "the site $name: $2"
}

# Requests that were told how to be cheaper, as they were told.
follow_hints() {
	python3 "$worlds/judge.py" --hints "$made" "$home" >"$home/hints"
	chmod -R a+rwX "$home"
	as ada bash ./hints
	wait_for_starts "$jobs"
	in_cluster scancel -u ada
	wait_pass
	in_cluster scontrol -o show job >"$made/jobs"
	python3 "$worlds/judge.py" --hinted "$made" "$home" >"$made/followed"
	cat "$made/followed" >>"$made/judged"
	sed -n '/^#/p' "$made/followed"
	tell untrue "each hint is true"
}

# Ranges that are asked for again, each when all nodes are free.
start_now() {
	((again)) || return 0
	python3 "$worlds/judge.py" --now "$made" "$home" "$again" >"$home/now"
	chmod -R a+rwX "$home"
	as ada bash ./now
	wait_for_starts "$jobs"
	in_cluster scancel -u ada
	wait_pass
	in_cluster scontrol -o show job >"$made/jobs"
	python3 "$worlds/judge.py" --started "$made" "$home" >"$made/free"
	cat "$made/free" >>"$made/judged"
	sed -n '/^#/p' "$made/free"
	tell otherwise "jobs that start now cost what they were told"
}

# Ranges whose ends are looked for, each on all sets of kinds of nodes of its partition, on
# free nodes and, for ends that none of these gives, beside other jobs.
search_ends() {
	local fill
	((ends)) || return 0
	for fill in none $(seq 0 "$fills"); do
		python3 "$worlds/judge.py" --ends "$made" "$home" "$ends" >"$home/look" ||
			return
		[[ -s $home/look ]] || break
		[[ $fill == none ]] || {
			python3 "$worlds/judge.py" --fill "$made" "$home" "$fill" \
				"$ends" >"$home/fill" || return
			as ada bash ./fill
			sleep 1
		}
		chmod -R a+rwX "$home"
		as ada bash ./look
		wait_for_starts "$jobs"
		in_cluster scancel -u ada
		wait_pass
		in_cluster scontrol -o show job >>"$made/jobs"
	done
	python3 "$worlds/judge.py" --found "$made" "$home" "$ends" >"$made/found"
	cat "$made/found" >>"$made/judged"
	sed -n '/^#/p' "$made/found"
	tell ends "each end of a range that was looked for happens on some nodes"
}

for seed in ${WORLDS_SEEDS:-4 6}; do
	run_world "$seed"
done
done_testing
