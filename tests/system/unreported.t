#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Where AccountingStorageEnforce has no limits, slurmctld reports no end of a job to
# the plugin. An hour lies between two passes: jobs are requeued, resized, suspended and
# purged meanwhile, and are charged as sacct has their runs.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

cluster_up --set PriorityDecayHalfLife=0 --set PriorityUsageResetPeriod=YEARLY \
	--set AccountingStorageEnforce=associations --set MinJobAge=10 \
	--set PriorityParameters=period=3600
nodes_up() { [[ $(in_cluster sinfo -h -o %T | sort -u) == idle ]]; }
wait_until nodes_up || bail "the nodes are there"

# The sum of price times time over the runs, as sacct has them: 2.5 for 10000M.
accounted() { # IDS
	account_of "$1" ElapsedRaw,AllocTRES | awk -F'|' '{
		split($2, words, ",")
		for (i in words)
			if (sub(/^mem=/, "", words[i]))
				sum += $1 * words[i] / 4000
	} END { printf "%.15g", sum + 0 }'
}

# What has no record must have been charged before.
is_purged() { ! in_cluster scontrol show job "$1" >/dev/null 2>&1; }
is_running() { job_is "$1" RUNNING; }
runs() { [[ $(account_of "$1" Start | grep -c ^2) -ge $2 ]]; }

# ---- Purged before the next pass -------------------------------------------

purged=$(submit ada 4 -n2 --mem=10000M)
# It lives for two seconds, and ends before the first look.
short=$(submit ben 2 -n2 --mem=10000M)
requeued=$(submit cleo 600 -N1 -n2 --mem=10000M -t 20 --requeue)
resized=$(submit xyz789 600 -N2 -n2 --mem=10000M -t 20)
wait_until is_running "$requeued" || bail "the job to requeue runs"
wait_until is_running "$resized" || bail "the job to resize runs"
in_cluster sleep 6

# ---- Requeued, and started again -------------------------------------------

in_cluster scontrol requeue "$requeued"
wait_until job_is "$requeued" PENDING || bail "the job is requeued"
# A run that begins before slurmd has cleared the old one away can end with it.
in_cluster sleep 3
begin_now() {
	in_cluster scontrol update jobid="$requeued" starttime=now 2>/dev/null
	is_running "$requeued"
}
wait_until begin_now || bail "the job starts again" \
	"$(in_cluster scontrol show job "$requeued")"
in_cluster sleep 3

# ---- Resized -----------------------------------------------------------------

resize() {
	in_cluster scontrol update JobId="$resized" NumNodes=1 \
		>>"$work/scontrol.out" 2>&1
}
wait_until resize || bail "the job is resized" "$(tail -n 3 "$work/scontrol.out")"
in_cluster sleep 3
in_cluster scancel "$requeued" "$resized"
wait_until jobs_ended "$requeued" 2 || bail "sacct knows both runs"
wait_until jobs_ended "$resized" 2 || bail "sacct knows both sizes"
wait_until is_purged "$purged" || bail "the first job is purged"
wait_until is_purged "$short" || bail "the short job is purged"
wait_until is_purged "$requeued" || bail "the requeued job is purged"
wait_until is_purged "$resized" || bail "the resized job is purged"
pass_now

is "$(exact_usage physics ada)" "$(accounted "$purged")" \
	"no limits: a job that is purged before the next pass is charged"
is "$(exact_usage physics ben)" "$(accounted "$short")" \
	"no limits: a job that ends before the first look is charged"
# The first run ends when its nodes are free, which sacct does not count.
near "$(exact_usage chemistry cleo)" "$(accounted "$requeued")" 2.5 \
	"no limits: a requeued job is charged for both of its runs"
is "$(exact_usage bloggs.prj xyz789)" "$(accounted "$resized")" \
	"no limits: a resized job is charged at each of its sizes"
diag "two sizes: $(account_of "$resized" ElapsedRaw,AllocTRES | xargs)"
diag "two runs: $(account_of "$requeued" ElapsedRaw,AllocTRES | xargs)"

# ---- A clean restart between two passes --------------------------------------

job=$(submit dan 600 -N1 -n2 --mem=10000M -t 20 --requeue)
wait_until is_running "$job" || bail "the job runs"
in_cluster sleep 7
in_cluster scontrol requeue "$job"
daemon restart slurmctld || bail "slurmctld restarts"
pass_now
in_cluster scancel "$job"
wait_until runs "$job" 1
near "$(exact_usage chemistry dan)" "$(accounted "$job")" 2.5 \
	"no limits: a run that is requeued at once before a restart is charged"

no_equitree_errors
done_testing
