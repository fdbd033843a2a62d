# shellcheck shell=bash disable=SC2154
# SPDX-License-Identifier: GPL-2.0-or-later
# Random requests in sbatch's words, from RANDOM, which the caller seeds: the same
# seed gives the same requests. They are made of what the site named
# (sites.sh); Slurm refuses some, and others never start.

one_of() { REPLY=${!#} && REPLY=${*:$((RANDOM % $# + 1)):1}; } # WORD...
chance() { ((RANDOM % 100 < $1)); } # PERCENT

draw_nodes() {
	if chance 35; then
		one_of 1 1 1 2 2 3 1-2 1-4
		request+=(-N "$REPLY")
	fi
	if ((${#nodes[@]})) && chance 8; then
		one_of "${nodes[@]}"
		request+=(-w "$REPLY")
	elif ((${#nodes[@]})) && chance 4; then
		one_of "${nodes[@]}"
		request+=(-x "$REPLY")
	fi
	if ((${#features[@]})) && chance 8; then
		one_of "${features[@]}"
		request+=(-C "'$REPLY'")
	fi
}

draw_tasks() {
	if chance 70; then
		one_of 1 1 2 2 3 4 5 6 8 10 17 40
		request+=(-n "$REPLY")
	fi
	if chance 30; then
		one_of 1 2 2 3 4 5
		request+=(-c "$REPLY")
	fi
	if chance 12; then
		one_of 1 2 3 4
		request+=("--ntasks-per-node=$REPLY")
	fi
	if chance 3; then
		one_of 2 4 7
		request+=("--mincpus=$REPLY")
	fi
	if chance 8; then
		one_of --threads-per-core=1 --hint=nomultithread \
			--ntasks-per-core=1 --threads-per-core=2
		request+=("$REPLY")
	fi
}

# Sockets, and how tasks are dealt out to them.
draw_layout() {
	chance 8 || return
	one_of --cores-per-socket=8 --cores-per-socket=12 --cores-per-socket=16 \
		--ntasks-per-socket=1 --ntasks-per-socket=2 --sockets-per-node=1 \
		--sockets-per-node=2 -B1:8 --distribution=cyclic \
		--distribution=block:block --distribution=plane=2 \
		--distribution=cyclic:fcyclic --gres-flags=enforce-binding \
		--gres-flags=disable-binding
	request+=("$REPLY")
}

draw_memory() {
	case $((RANDOM % 10)) in
	0 | 1 | 2 | 3)
		one_of 1 500 1000 4000 4001 8000 9000 10000 16001 33000 50000
		request+=("--mem=${REPLY}M")
		;;
	4 | 5 | 6)
		one_of 500 1000 1999 2000 2001 4000 4001 5000 9000 13000
		request+=("--mem-per-cpu=${REPLY}M")
		;;
	7)
		((${#gpu_types[@]})) || return
		one_of 1000 16000 33000 40000
		request+=("--mem-per-gpu=${REPLY}M")
		;;
	esac
}

# "2", "p100:2"
draw_count() { # COUNT...
	local count
	one_of "$@"
	count=$REPLY
	if chance 60; then
		one_of "${gpu_types[@]}"
		REPLY=$REPLY:$count
	else
		REPLY=$count
	fi
}

draw_gpus() {
	((${#gpu_types[@]})) && chance 75 || return
	case $((RANDOM % 7)) in
	0 | 1) draw_count 1 1 2 3 4 && request+=("--gres=gpu:$REPLY") ;;
	2) draw_count 1 2 3 4 5 && request+=("--gpus=$REPLY") ;;
	3) draw_count 1 2 3 && request+=("--gpus-per-node=$REPLY") ;;
	4) draw_count 1 1 2 && request+=("--gpus-per-task=$REPLY") ;;
	5)
		draw_count 1 1 2
		request+=("--gpus-per-socket=$REPLY")
		one_of 1 2 2
		request+=("--sockets-per-node=$REPLY")
		;;
	6)
		draw_count 1 2 3 && request+=("--gpus=$REPLY")
		one_of 1 2
		request+=("--ntasks-per-gpu=$REPLY")
		;;
	esac
	if chance 20; then
		one_of 1 2 4 6 9
		request+=("--cpus-per-gpu=$REPLY")
	fi
}

# Sets request.
draw_request() {
	request=()
	one_of "${partitions[@]}"
	request+=(-p "$REPLY")
	draw_nodes
	draw_tasks
	draw_layout
	draw_gpus
	draw_memory
	if chance 10; then
		one_of --exclusive --exclusive --exclusive --mem=0 --mem=0 \
			--exclusive=user --core-spec=2
		request+=("$REPLY")
	fi
	if chance 3; then
		one_of -O --spread-job
		request+=("$REPLY")
	fi
	if ((${#qos[@]})) && chance 30; then
		one_of "${qos[@]}"
		request+=(-q "$REPLY")
	fi
}
