#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Three groups with shares 5:3:2 and endless work: within minutes what is
# allocated to them stands 5:3:2, although the second one comes late and the
# third one's jobs are short. All of it by what sacct says. The cluster has room for
# thirty jobs: of 32, the nearest to 16 : 9.6 : 6.4 are 16 : 10 : 6, which is 6 % off.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

readonly late_s=40 settle_s=50 window_s=90

made=$(site groups)
echo 'priority { rank_by = allocated  order = jobs  rank_every = 200 }' \
	>>"$made/equitree.conf"
cluster_up --site "$made" --set PriorityParameters=period=2 \
	--set PriorityWeightAge=0 \
	--set 'PartitionName=cpu Nodes=cpu[1-2] Default=YES MaxCPUsPerNode=30'

# 30 jobs of two cores fill the two nodes.
submit_many() { # USER COUNT SHORTEST SPREAD [OPTION]
	local i
	as "$1" bash -c '
		for ((i = 0; i < $1; i++)); do
			sbatch --parsable -o /dev/null -n2 -N1 -t 5 ${4-} \
				--wrap "sleep $(($2 + i % $3))"
		done' _ "${@:2}" >"$work/$1.ids" 2>"$work/$1.err"
}
waits_for() { # USER: so many of its jobs wait
	in_cluster squeue -h -t PD -u "$1" -o %i | grep -c .
}
# No job starts while others are submitted, or the work would end on a slow machine.
in_cluster scontrol update PartitionName=cpu State=DOWN
submit_many five 260 14 7 &
submit_many two 330 5 2 &
submit_many three 150 14 9 --hold &
wait
in_cluster scontrol update PartitionName=cpu State=UP
began=$(date +%s)
while (($(date +%s) < began + late_s)); do sleep 0.5; done
in_cluster scontrol release "$(paste -sd, "$work/three.ids")"
from=$(($(date +%s) + settle_s))
until_s=$((from + window_s))
while (($(date +%s) < until_s)); do sleep 0.5; done
for user in five three two; do
	ok "work of $user did not end" calc "$(waits_for $user) > 0"
done
in_cluster scancel -u five
in_cluster scancel -u three
in_cluster scancel -u two
ended() { [[ ! $(in_cluster squeue -h) ]]; }
ok 'all jobs end' wait_until ended
known() {
	local jobs
	jobs=$(in_cluster sacct -aXnP -S 2000-01-01 -o end,state) &&
		[[ $jobs && ! $jobs =~ Unknown|RUN|PEND ]]
}
ok 'slurmdbd knows it' wait_until known

# Core-seconds of a group within the window, and of all.
in_cluster env SLURM_TIME_FORMAT=%s \
	sacct -aXnP -S 2000-01-01 -o account,ncpus,start,end |
	awk -F'|' -v from="$from" -v to="$until_s" '
		{
			start = $3 < from ? from : $3
			end = $4 > to ? to : $4
			if ($3 ~ /^[0-9]/ && end > start)
				used[$1] += $2 * (end - start)
		}
		END {
			all = used["g5"] + used["g3"] + used["g2"]
			if (!all)
				exit 1
			print all / 60 / (to - from)
			print used["g5"] / all, used["g3"] / all, used["g2"] / all
		}' >"$work/parts"
{
	read -r full
	read -r five three two
} <"$work/parts"
diag "full: $full of the cores; parts: $five $three $two"
ok 'the cluster was as good as full' calc "$full > 0.7"
near "$five" 0.5 0.035 'five shares have half of it, to 7 %'
near "$three" 0.3 0.021 'three shares, late, three tenths'
near "$two" 0.2 0.014 'two shares, in short jobs, a fifth'
no_equitree_errors
done_testing
