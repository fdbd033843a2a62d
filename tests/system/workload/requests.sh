# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Random requests in the words of sbatch, srun and salloc, from RANDOM: what is
# requested, in which form (one job, array, heterogeneous), and by which command. To be
# sourced by drive.

one_of() { REPLY=${*:$((RANDOM % $# + 1)):1}; } # WORD...
chance() { ((RANDOM % 100 < $1)); } # PERCENT

# What a job or a component gets; whole nodes are few, or the queue stands still.
draw_size() {
	case $((RANDOM % 26)) in
	0 | 1 | 2) size=(-n1) ;;
	3 | 4) size=(-n3) ;;
	5) size=(-n2 -c2) ;;
	6 | 7) size=(-N1 -n2 --mem=10000M) ;;
	8) size=(-n3 --mem-per-cpu=5000M) ;;
	9) size=(-n1 -c5 --mem=1000M) ;;
	10) size=(-n4 -O) ;;
	11) size=(-n1 --mincpus=3) ;;
	12 | 13 | 14) size=(-N2 -n4 --ntasks-per-node=2) ;;
	15) size=(-N1-2 -n2 --mem=9000M) ;;
	16) size=(-p gpu --gpus=p100:1 -n1) ;;
	17) size=(-p gpu --gres=gpu:v100:2 -n1 --mem=60000M) ;;
	18) size=(-p gpu --gpus-per-task=1 -n2 --cpus-per-gpu=4) ;;
	19) size=(-p 'cpu,gpu' -n1 --mem=2500M) ;;
	20 | 21) size=(-p dear -n2) ;;
	22) size=(-n2 -L scope:1) ;;
	23)
		one_of --exclusive --exclusive=user --mem=0 --core-spec=2
		size=(-n1 "$REPLY")
		;;
	24)
		one_of --spread-job --contiguous --use-min-nodes
		size=(-n4 "$REPLY")
		;;
	25) size=(-n2 --hint=nomultithread --mem=7000M) ;;
	esac
}

draw_options() {
	options=()
	if chance 20; then
		one_of half double
		options+=(-q "$REPLY")
	fi
	if [[ $user == ada ]] && chance 20; then
		options+=(-A biology)
	fi
	if chance 5; then
		one_of --no-requeue --no-kill --nice=5
		options+=("$REPLY")
	fi
	if chance 8; then
		one_of --hold --begin=now+2 "--dependency=afterany:${last:-1}" \
			"--dependency=singleton --job-name=one"
		read -ra words <<<"$REPLY"
		options+=("${words[@]}")
	fi
}

# Sets size, options, seconds, form and command.
draw_request() {
	draw_size
	draw_options
	one_of 0.3 0.8 1 1 2 2 3 4
	seconds=$REPLY
	rest=() command=sbatch
	case $((RANDOM % 20)) in
	0 | 1)
		one_of 1-2 1-3 1-5%2 0,4
		options+=(-a "$REPLY")
		;;
	2)
		first=("${size[@]}")
		draw_size
		rest=(: "${size[@]}")
		size=("${first[@]}")
		;;
	3) command=srun ;;
	4) command=salloc ;;
	5)
		# Its time is over before it is; nobody has a minute but in a long run.
		[[ ! ${LONG-} ]] || seconds=100
		;;
	6)
		# It ignores the end, and holds its nodes until KillWait.
		seconds=stubborn
		;;
	esac
	# A step of such a job makes slurmctld 22.05 divide by 0, and salloc run for ever.
	[[ ${size[*]} != *--gpus-per-task* ]] || command=sbatch
}
