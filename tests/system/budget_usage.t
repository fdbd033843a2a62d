#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A budget is charged what fair share is charged: the same seconds at the same price,
# with suspensions, resizes, epilogs, requeues, other prices and a kill -9. Nothing
# decays here, so that the usage of a user and what a budget has spent are one number.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

equitree=$build/tools/equitree
make_epilog

charge_completing=yes
limits=$([[ ${BUDGET_USAGE_LIMITS:-yes} == yes ]] && echo associations,limits || echo associations)
cluster_up --set PriorityDecayHalfLife=0 --set PriorityUsageResetPeriod=YEARLY \
	--set "AccountingStorageEnforce=$limits" --set PriorityParameters=period=3 \
	--set "Epilog=$work/epilogs/epilog" \
	--set SchedulerParameters=batch_sched_delay=0,sched_min_interval=1,sched_interval=1,bf_interval=1
echo 'charge_suspended = no' >>"$dir/etc/equitree.conf"
in_cluster scontrol reconfigure

budget() { in_cluster "$equitree" budget "$@"; }
# What a budget has spent, in equivalent-seconds.
spent() { # [ID]
	budget list --csv | awk -F, -v id="${1:-1}" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$1 == id { printf "%.6f\n", $(at["spent"]) * 3600 }'
}
# Each has a digit that the other's text does not show.
agree() { # AT-LEAST
	awk -v spent="$(spent)" -v used="$(exact_usage physics ada)" -v least="$1" 'BEGIN {
		d = spent - used
		exit !(used >= least && d * d < 0.0001) }'
}
same() { # NAME AT-LEAST
	wait_pass
	ok "$1: budget $(spent), fair share $(exact_usage physics ada)" wait_until agree "$2"
}
runs() { # ID
	wait_until job_is "$1" RUNNING || bail "job $1 runs"
}
over() { # ID
	in_cluster scancel "$1"
	wait_until jobs_ended "$1" || bail "job $1 ends"
	wait_until nothing_completes || bail "the nodes of job $1 are free"
}
nothing_completes() { [[ ! $(in_cluster squeue -h -t CG,R -o %A) ]]; }

budget grant physics 100 >/dev/null

job=$(submit ada 300 -t20 -n3)
runs "$job"
sleep 2
over "$job"
same "a plain job" 3

# The suspension before the resize and the one after it are both free.
job=$(submit ada 300 -t20 -N2 -n2)
runs "$job"
sleep 2
in_cluster scontrol suspend "$job"
sleep 5
in_cluster scontrol resume "$job"
sleep 2
resize() { in_cluster scontrol update JobId="$job" NumNodes=1 >"$work/resize" 2>&1; }
ok "a running job gives a node away" wait_until resize
sleep 2
in_cluster scontrol suspend "$job"
sleep 5
in_cluster scontrol resume "$job"
sleep 4
over "$job"
same "a job that is suspended, resized and suspended again" 10

echo 6 >"$work/epilogs/seconds"
before=$(spent)
job=$(submit ada 300 -t20 -n4)
runs "$job"
sleep 1
in_cluster scancel "$job"
wait_until jobs_ended "$job"
is "$(budget list --csv | awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } { print ($(at["committed"]) > 0) }')" \
	1 "an ended job that still holds nodes keeps its commitment"
wait_until nothing_completes
same "a job with an epilog" 20
ok "the time of the epilog is spent" awk "BEGIN { exit !($(spent) - $before >= 20) }"
free() { [[ $(budget list --csv | awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } { print $(at["committed"]) }') == 0 ]]; }
ok "after the epilog nothing is committed" wait_until free

job=$(submit ada 300 -t20 -n4 --requeue)
runs "$job"
sleep 2
in_cluster scontrol requeue "$job"
wait_until nothing_completes || bail "the nodes of the requeued job are free"
# Slurm lets a requeued job wait for two minutes, from when its nodes are free.
now() { in_cluster scontrol update JobId="$job" StartTime=now 2>"$work/now"; }
waits() { [[ $(in_cluster squeue -h -j "$job" -t PD -o %r) == BeginTime ]]; }
wait_until waits || bail "the requeued job waits for its time"
ok "a requeued job may begin at once" wait_until now
wait_until job_is "$job" RUNNING || bail "the requeued job runs again"
sleep 2
over "$job"
same "a requeued job with an epilog" 40
rm "$work/epilogs/seconds"

job=$(submit ada 300 -t20 -n2)
runs "$job"
sleep 2
echo 'partition "cpu" { factor = 3 }' >>"$dir/etc/equitree.conf"
in_cluster scontrol reconfigure
wait_pass
sleep 2
over "$job"
same "a job whose price changed while it ran" 50

job=$(submit ada 300 -t20 -N2 -n2)
runs "$job"
sleep 2
ok "a running job gives a node away at the new price" wait_until resize
sleep 4
sed -i '/^partition "cpu" { factor/d' "$dir/etc/equitree.conf"
in_cluster scontrol reconfigure
wait_pass
sleep 2
over "$job"
same "a job that was resized before its price fell" 60

job=$(submit ada 300 -t20 -n2)
runs "$job"
wait_pass
jobs_saved "$job" || bail "slurmctld has saved job $job"
daemon kill slurmctld
daemon start slurmctld
sleep 1
over "$job"
same "a job that ran through a kill -9 of slurmctld" 60

job=$(submit cleo 300 -t20 -n2)
runs "$job"
wait_pass
sleep 3
granted=$(date +%s)
budget grant chemistry 100 >/dev/null
wait_pass
over "$job"
ended=$(in_cluster env SLURM_TIME_FORMAT=%s scontrol -o show job "$job" | sed -nE 's/.* EndTime=([0-9]+) .*/\1/p')
wait_pass
# Both clocks cut their seconds, and the grant takes one.
near "$(spent 2)" "2 * ($ended - $granted)" 4 "a budget pays for a job that runs from its grant on"
ok "before that the job was charged to fair share alone" \
	calc "$(exact_usage chemistry cleo) >= $(spent 2) + 2 * 2"

budget verify >"$work/verify" 2>&1
is "$?" 0 "equitree budget verify finds the journal balanced"
no_equitree_errors
done_testing
