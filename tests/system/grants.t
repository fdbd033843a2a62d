#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Grants on a live cluster: what a submission is told, and what becomes of it,
# when GrpTRESMins=billing of its account, or of one above, is spent or too
# little is left; with Slurm's limits enforced and without.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

cluster_up --no-slurmctld --site "$(site grants)" \
	--set "PartitionName=dear Nodes=cpu[1-2]" \
	--set "PartitionName=limited Nodes=cpu[1-2] MaxMemPerCPU=2000" \
	--set "PartitionName=long Nodes=cpu[1-2] DefaultTime=2:00:00" \
	--set PriorityDecayHalfLife=0 --set PriorityUsageResetPeriod=YEARLY

# Seconds of one equivalent and, as 1000 units are one, of billing (TRES 5).
place() {
	place_usage "$(date +%s)" 5 <<-'END'
		optics ada 14400 0 14400000
		chemistry ben 36000 0 36000000
		geology cleo 3600 0 3600000
		biology dan 37440 0 37440000
	END
}
place
daemon start slurmctld || bail "slurmctld starts" "$(tail "$work/daemon.out")"

cp "$build/tests/system/hostile" "$dir/home/ada/hostile"

said() { # USER OPTIONS...
	local user=$1
	shift
	as "$user" sbatch --test-only "$@" --wrap true 2>&1 |
		sed -n 's/^.*equitree: //p'
}

# name, what is said of the grant, user, options; the second line of what is
# said, or the refusal alone.
check_table() {
	local name want user options said
	while IFS='|' read -r name want user options; do
		read -ra options <<<"$options"
		said=$(said "$user" "${options[@]}")
		[[ $said == @(cost|free)*$'\n'* ]] && said=${said#*$'\n'}
		want=${want//(/\\(} want=${want//)/\\)}
		like "$said" "^$want\$" "$name"
	done
}

# Told alike whether Slurm enforces limits or only associations.
both_ways() {
	check_table <<'END'
enough is left: the price alone|cost 1 core-equivalent (cores decide), 0.5 h for 0:30:00|ada|-n1 -t30
just enough is enough|cost 1 core-equivalent (cores decide), 1 h for 1:00:00|ada|-n1 -t60
too little is left|account optics has used 4 of its grant of 5 equivalent-hours, and this job may use 1.0167|ada|-n1 -t61
too little for what memory makes of it|account optics has used 4 of its grant of 5 equivalent-hours, and this job may use 2.5|ada|-n2 --mem=10000M -t30
a number of nodes would make it fit|account optics has used 4 of its grant of 5 equivalent-hours, and this job may use 1.3333, if it gets more than 1 node: -N1 prevents that|ada|-n2 --mem=8000M -t20
and does|cost 2 core-equivalents (cores decide), 0.6667 h for 0:20:00|ada|-N1 -n2 --mem=8000M -t20
enough for the CPUs of its memory|cost 1 core-equivalent (cores decide), 1 h for 1:00:00|ada|-p limited -n1 --mem=2000M -t60
too little for the CPUs that MaxMemPerCPU adds|account optics has used 4 of its grant of 5 equivalent-hours, and this job may use 2|ada|-p limited -n1 --mem=2001M -t60
no time limit|account optics has used 4 of its grant of 5 equivalent-hours, and this job has no time limit|ada|-n1 -t0
UsageFactorSafe: by what will be charged|account optics has used 4 of its grant of 5 equivalent-hours, and this job may use 1.05|ada|-n1 -t21 -q express
UsageFactor is told with its result|cost 1 core-equivalent (cores decide) ×3 by UsageFactor of QOS express, 1 h for 0:20:00|ada|-n1 -t20 -q express
each task of an array by itself|cost 1 core-equivalent (cores decide), 9 h for 9x1:00:00|ada|-n1 -t60 -a1-9
the most that it needs in one of several partitions|account optics has used 4 of its grant of 5 equivalent-hours, and this job may use 2 in partition dear|ada|-p cpu,dear -n1 -t60
wherever that stands in the list|account optics has used 4 of its grant of 5 equivalent-hours, and this job may use 2 in partition dear|ada|-p dear,cpu -n1 -t60
by the time limit that each of them gives|account optics has used 4 of its grant of 5 equivalent-hours, and this job may use 2 in partition long|ada|-p cpu,long -n1
enough for all of them|cost 1 to 2 core-equivalents (the partition and its factor decide), 0.5 to 1 h for 0:30:00|ada|-p cpu,dear -n1 -t30
a grant of the QOS takes the account's place|cost 1 core-equivalent (cores decide), 2 h for 2:00:00|ada|-n1 -t120 -q rich
free of charge needs no grant|free (QOS bonus)|ada|-n1 -t120 -q bonus
spent above the account|account faculty has used 10 of its grant of 10 equivalent-hours|ben|-n1 -t1
spent by one user of it|account geology of user cleo has used 1 of its grant of 1 equivalent-hours|cleo|-n1 -t1
to the bonus|account biology has used 10.4 of its grant of 10 equivalent-hours; the job goes to QOS bonus|dan|-n1 -t1
to the bonus from any of several partitions|account biology has used 10.4 of its grant of 10 equivalent-hours; the job goes to QOS bonus|dan|-p cpu,dear -n1 -t1
who names the bonus is left alone|free (QOS bonus)|dan|-n1 -t1 -q bonus
a bonus that may not be used|account biology has used 10.4 of its grant of 10 equivalent-hours; you may not use QOS bonus instead|eve|-n1 -t1
a name in capitals|account biology has used 10.4 of its grant of 10 equivalent-hours; you may not use QOS bonus instead|eve|-A BIOLOGY -n1 -t1
nothing was granted: warned|account warned has used 0 of its grant of 0 equivalent-hours|ada|-A warned -n1 -t1
nothing was granted: ignored|cost 1 core-equivalent (cores decide), 0.0167 h for 0:01:00|ada|-A ignored -n1 -t1
no grant is no limit|cost 1 core-equivalent (cores decide), 100 h for 4-04:00:00|fay|-n1 -t6000
END
	like "$(as ben sbatch -n1 -t1 --wrap true 2>&1)" \
		'error: equitree: account faculty .*Batch job submission failed' \
		"a spent grant: sbatch is refused"
	like "$(as ben srun -n1 -t1 true 2>&1)" 'srun: error: equitree: acc' \
		"a spent grant: srun is refused, too"
	id=$(submit ada 0 --hold -A warned -n1 -t1)
	like "$id" '^[0-9]+$' "an account with a warning: the job is taken"
	in_cluster scancel "$id"
	id=$(submit dan 1 -n1 -t1)
	is "$(job_field "$id" QOS)" bonus "bonus: the job is in the QOS"
	ok "bonus: Slurm lets it run" wait_until jobs_ended "$id"
	like "$(account_of "$id" State,AllocTRES)" \
		'^COMPLETED\|cpu=1,mem=4000M,node=1$' \
		"bonus: it ran there, without billing"
	wait_pass
	is "$(exact_usage biology dan)" 37440 "bonus: nothing is charged"
	# A program that submits through libslurm and raises no number of nodes.
	like "$(as ada ./hostile nodes cpu 'cpu[1-2]' 8000 20 2>/dev/null)" \
		'violates accounting/QOS policy' \
		"a grant has too little left for the nodes that a program names"
	id=$(as ada ./hostile nodes cpu cpu1 8000 20 2>/dev/null)
	ok "enough is left for one of them" wait_until jobs_ended "$id"
}

diag "limits are enforced"
both_ways
before=$(submit ada 300 -n1 -t24)
runs() { job_is "$before" RUNNING; }
wait_until runs || bail "a job runs" "$(in_cluster squeue)"
like "$(said ada -n1 -t57)" \
	'^account optics has used 4.* of its grant of 5 equivalent-hours, running jobs may use 0\.(4|3[0-9]*) more, and this job may use 0.95$' \
	"what runs counts beside it"
in_cluster scancel "$before"
wait_until jobs_ended "$before"

diag "associations alone are enforced"
daemon stop slurmctld
sed -i '/^AccountingStorageEnforce=/s/=.*/=associations/' "$dir/etc/slurm.conf"
place
daemon start slurmctld || bail "slurmctld starts" "$(tail "$work/daemon.out")"
both_ways

no_equitree_errors
done_testing
