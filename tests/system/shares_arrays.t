#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Three groups with shares 5:3:2, each with one array of many tasks, and a full
# cluster that is given away at one moment. With tasks_ahead the tasks that start
# are divided by the shares; without it, who is first takes all.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

readonly ahead=40 slots=30 tasks=100

made=$(site groups)
settings='rank_by = allocated  order = jobs  rank_every = 200'
echo "priority { $settings }" >>"$made/equitree.conf"
# Thirty tasks of two cores fill the two nodes.
cluster_up --site "$made" --set PriorityParameters=period=2 \
	--set PriorityWeightAge=0 \
	--set "NodeName=cpu[1-2] NodeHostname=head Port=[6821-6822] CoresPerSocket=30 RealMemory=128000"

nodes_up() { [[ $(in_cluster sinfo -h -p cpu -o %T) == idle ]]; }
wait_until nodes_up || bail "the nodes are up" "$(in_cluster sinfo)"

declare -A array
# A job of root has the cluster while the arrays are submitted.
fill_and_submit() {
	local user
	filler=$(submit root 900 -N2 --exclusive -t 20)
	wait_until job_is "$filler" RUNNING || bail "the cluster is full"
	for user in five three two; do
		array[$user]=$(submit "$user" 900 -a "1-$tasks" -n2 -N1 -t 20)
	done
}
# "ACCOUNT TASKS" of those in a state, each as a line.
tasks_in() { # STATE
	in_cluster squeue -h -r -t "$1" -o %a | grep '^g' | sort | uniq -c |
		awk '{ print $2, $1 }'
}
slots_taken() { (($(tasks_in R | awk '{ sum += $2 } END { print sum + 0 }') == slots)); }
give_away() {
	in_cluster scancel "$filler"
	wait_until slots_taken ||
		bail "the cluster is full again" "$(in_cluster squeue)"
}
all_gone() { [[ -z $(in_cluster squeue -h) ]]; }
cancel_all() {
	local user
	for user in five three two; do
		in_cluster scancel -u "$user"
	done
}
clear_queue() {
	cancel_all
	wait_until all_gone || bail "the queue is empty"
}
priority_of() { # ID
	in_cluster sprio -h -j "$1" -o %Y 2>/dev/null | grep -oE '[0-9]+ *$' ||
		echo 0
}
all_ranked() { # all arrays have a place
	local user
	for user in five three two; do
		calc "$(priority_of "${array[$user]}") > 1" || return 1
	done
}

# ---- Arrays that are whole --------------------------------------------------

fill_and_submit
wait_until all_ranked || bail "the arrays are ranked" "$(in_cluster sprio -l)"
is "$(in_cluster squeue -h -t PD -o %i | wc -l)" 3 "an array is one line"
give_away
is "$(tasks_in R | wc -l)" 1 "without tasks_ahead one array takes all there is"
clear_queue

# ---- Tasks with places of their own -----------------------------------------

sed -i "s/^priority .*/priority { $settings  tasks_ahead = $ahead }/" \
	"$dir/etc/equitree.conf"
in_cluster scontrol reconfigure
fill_and_submit

# "PRIORITY|ACCOUNT|TASKS" of each record in the order of their places. squeue
# would show what waits of an array as one.
in_order() {
	in_cluster scontrol -o show job | sed -nE \
		's/.* ArrayTaskId=([^ ]+) .* Priority=([0-9]+) .* Account=([^ ]+) .* JobState=PENDING .*/\2|\3|\1/p' |
		sort -t'|' -k1,1nr
}
singles_in_front() {
	in_order >"$work/order"
	(($(wc -l <"$work/order") > ahead)) &&
		! grep -q '[^0-9]' \
			< <(head -n "$ahead" "$work/order" | cut -d'|' -f3) &&
		[[ -z $(cut -d'|' -f1 "$work/order" | uniq -d) ]]
}
ok "the first $ahead places are of single tasks" wait_until singles_in_front
for part in "10:g5 5,g3 3,g2 2" "20:g5 10,g3 6,g2 4" "40:g5 20,g3 12,g2 8"; do
	is "$(head -n "${part%%:*}" "$work/order" | cut -d'|' -f2 | sort |
		uniq -c | awk '{ print $2, $1 }' | sort -r |
		sort -t' ' -k2,2nr | paste -sd,)" "${part#*:}" \
		"the first ${part%%:*} are divided by the shares"
done
ok "no more tasks are taken out than are needed" \
	test "$(wc -l <"$work/order")" -le $((2 * ahead))
is "$(in_cluster squeue -h -r -t PD -o %i | wc -l)" $((3 * tasks)) \
	"no task is lost"
is "$(in_cluster squeue -h -t PD -o %i | sort | paste -sd' ')" \
	"$(printf '%s\n' "${array[@]/%/_[1-$tasks]}" | sort | paste -sd' ')" \
	"squeue shows an array as one line still"

give_away
is "$(tasks_in R | paste -sd,)" "g2 6,g3 9,g5 15" \
	"what starts at one moment is divided by the shares"

# ---- They stay tasks of their array -----------------------------------------

is "$(in_cluster squeue -h -r -t PD,R -o %i | wc -l)" $((3 * tasks)) \
	"the others wait still"
daemon restart slurmctld || bail "slurmctld starts again"
is "$(in_cluster squeue -h -r -t PD,R -o %i | wc -l)" $((3 * tasks)) \
	"all tasks wait still after a restart of slurmctld"
in_cluster scancel "${array[five]}"
gone() { [[ -z $(in_cluster squeue -h -u five) ]]; }
ok "the array's number means all of its tasks" wait_until gone
cancel_all
wait_until all_gone
# Each task has one record, whether it ran or was taken out only. slurmdbd is told
# of them one by one. One that was cancelled before slurmdbd had heard of it gets its
# end for a start, so what tells that it ran are its nodes.
records() { in_cluster sacct -aXnP -S 2000-01-01 -j "${array[five]}" -o "$1"; }
ran() { records nodelist | grep -cv '^None'; }
accounted() { (($(ran) >= 15)) && ! grep -q Unknown < <(records end); }
ok "slurmdbd knows the end of all" wait_until accounted
is "$(records jobid | sort | uniq -d)" "" "slurmdbd has each task of the array once"
is "$(ran)" 15 "fifteen of them ran"
no_equitree_errors
done_testing
