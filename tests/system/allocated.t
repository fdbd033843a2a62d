#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# allocated_now = SECONDS: a running job counts at once for what it takes in
# that time; without the line only what was used counts.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

made=$(site groups)
cluster_up --no-slurmctld --site "$made" --set PriorityParameters=period=1 \
	--set PriorityDecayHalfLife=0 --set PriorityUsageResetPeriod=YEARLY

# Each group has used what its shares say: Level FS 1 for all, about.
place_usage "$(date +%s)" <<-'END'
	g5 five 500000
	g3 three 300000
	g2 two 200000
END
daemon start slurmctld || bail "slurmctld starts" "$(tail "$work/daemon.out")"
level_is() { calc "$(share "$1" "" levelfs) $2"; } # ACCOUNT CONDITION
# The root user has a share too, hence a little less than 1.
ok "g5 stands at its share" wait_until level_is g5 '> 0.998'

id=$(submit five 300 -n32 -N1 -t 10)
job_runs() { job_is "$id" RUNNING; }
wait_until job_runs || bail "the job runs" "$(in_cluster squeue)"
wait_pass
ok "a burst hardly counts while it has used nothing" level_is g5 '> 0.99'

echo 'priority { allocated_now = 3600 }' | in_cluster tee -a /etc/slurm/equitree.conf >/dev/null
in_cluster scontrol reconfigure
# 32 cores for an hour are 115200 beside 500000 used: S / U, with
# S = 500/1001 and U = 615200 / 1115200.
ok "with a horizon it counts at once" wait_until level_is g5 '< 0.91'
near "$(share g5 "" levelfs)" \
	"$(value '(500 / 1001) / (615200 / 1115200)')" 0.001 \
	"as used for the length of the horizon"
near "$(share g3 "" levelfs)" "$(value '(300 / 1001) / (300000 / 1115200)')" \
	0.001 "other users stand higher because of a present allocation"
near "$(exact_usage g5 five)" 500000 20000 "a present allocation is not charged before its time"

in_cluster scancel "$id"
ok "when it ends, it counts as what it used" wait_until level_is g5 '> 0.98'
no_equitree_errors
done_testing
