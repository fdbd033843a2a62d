#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# job_end_note in plugstack.conf: the output of a batch job ends with its cost.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

cluster_up
home=$dir/home/ada
ask=(--bill=off -n2 --mem=10000M -t10)

batch() { # FILE COMMAND [OPTION...]: the id
	local file=$1 command=$2
	shift 2
	as ada sbatch --parsable -o "$home/$file" "${ask[@]}" "$@" --wrap "$command" \
		2>>"$work/sbatch.err"
}
run() { # FILE COMMAND [OPTION...]: sets $id, to the end of the job
	id=$(batch "$@")
	wait_until jobs_ended "$id" || bail "job $id ends" "$(in_cluster squeue)"
}
# The cost of 2.5 for the seconds that the line itself names.
exact_line() { # LINE
	awk -v line="$1" 'BEGIN {
		if (!match(line, /^equitree: cost 2\.5 core-equivalents \(memory decides\), [0-9.]+ h for 0:00:[0-9][0-9]$/))
			exit 1
		n = split(line, w, " ")
		seconds = substr(w[n], 6) + 0
		hours = w[7] + 0
		wanted = sprintf("%.4f", 2.5 * seconds / 3600) + 0
		exit !(hours == wanted && seconds >= 1)
	}'
}
ends_with_cost() { # FILE NAME
	local line
	line=$(tail -n 1 "$home/$1")
	is "$(exact_line "$line" || cat "$home/$1")" "" "$2"
}

run without.out 'echo said; sleep 1'
is "$(<"$home/without.out")" said "without the argument nothing is added to the output"

echo "optional spank_equitree.so job_end_note" \
	>"$dir/etc/plugstack.conf"
run plain.out 'echo said; sleep 2'
is "$(head -n 1 "$home/plain.out")" said "what the script printed stays"
is "$(wc -l <"$home/plain.out")" 2 "one line is added"
ends_with_cost plain.out "the last line is what the job cost"
told=$(tail -n 1 "$home/plain.out" | sed 's/.*0:00:0*//')
near "$told" "$(elapsed "$id")" 1 "its time is the time of sacct"

run fails.out 'echo said; sleep 1; exit 3'
ends_with_cost fails.out "a script that fails has the line"
is "$(account_of "$id" ExitCode)" 3:0 "its exit code stays"

run quiet.out 'sleep 1; cd /; exec >/dev/null 2>&1'
ends_with_cost quiet.out "a script that sends its own output elsewhere has the line"

as ada sh -c "echo before >'$home/append.out'"
run append.out 'sleep 1; echo said' --open-mode=append
is "$(sed '$d' "$home/append.out" | tr '\n' ' ')" "before said " \
	"--open-mode=append keeps what the file had"
ends_with_cost append.out "--open-mode=append: the line is the last one"

run steps.out "srun -n1 -o $home/step.out sh -c 'sleep 1; echo stepped'"
ends_with_cost steps.out "a script with a step has the line"
is "$(<"$home/step.out")" stepped "the output of a step has none"

id=$(batch array.%a 'sleep 1' -a 1-2)
wait_until jobs_ended "$id"
ends_with_cost array.1 "the first task of an array has the line"
ends_with_cost array.2 "the second task of an array has the line"

id=$(batch cancelled.out 'echo said; sleep 60')
wait_until grep -qs said "$home/cancelled.out"
sleep 1
in_cluster scancel "$id"
wait_until jobs_ended "$id"
has_cost() { exact_line "$(tail -n 1 "$1")"; }
wait_until has_cost "$home/cancelled.out"
ends_with_cost cancelled.out "a cancelled job has the line"

# slurmstepd must wait for nobody.
as ada mkfifo "$home/fifo"
sleep 30 <>"$home/fifo" &
holder=$!
run fifo 'echo said'
is "$(account_of "$id" State)" COMPLETED "a job whose output is a pipe ends"
kill "$holder"
id=$(as ada sbatch --parsable -o /dev/null "${ask[@]}" --wrap true 2>>"$work/sbatch.err")
wait_until jobs_ended "$id"
is "$(account_of "$id" State)" COMPLETED "a job whose output goes nowhere ends"

echo "optional spank_equitree.so job_end_notes" \
	>"$dir/etc/plugstack.conf"
run wrong.out 'echo said'
like "$(<"$work/sbatch.err")" \
	'plugstack.conf: spank_equitree.so: unknown argument "job_end_notes"' \
	"an unknown argument is an error that names it"
is "$(grep -c '^said$' "$home/wrong.out")" 1 "with an unknown argument jobs run"
no_equitree_errors
done_testing
