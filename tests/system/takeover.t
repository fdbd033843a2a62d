#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A backup slurmctld takes over when the first one is killed, and gives back;
# jobs run, end, and end while there is none. Usage goes on with each change.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

cluster_up --backup --set PriorityParameters=period=3600 \
	--set SlurmctldTimeout=5 \
	--set PriorityDecayHalfLife=0 --set PriorityUsageResetPeriod=YEARLY
nodes_up() { [[ $(in_cluster sinfo -h -o %T | sort -u) == idle ]]; }
wait_until nodes_up || bail "the nodes are there"
backup_log=$dir/log/slurmctld.backup.log

declare -A jobs=()
run() { # USER SECONDS: a job of 2.5 equivalents
	id=$(submit "$1" "$2" -n2 --mem=10000M)
	[[ $id ]] || bail "$1 submits" "$(cat "$work/sbatch.err")"
	jobs[$1]+=${jobs[$1]+,}$id
}
usage_is() { # USER NAME
	is "$(exact_usage physics "$1")" \
		"$(value "2.5 * $(elapsed "${jobs[$1]}")")" "$2"
}
times_loaded() { # LOG COUNT
	(($(grep -c 'priority/equitree: loaded' "$1") >= $2))
}
# Who asks while the one goes and the other comes is refused.
answered() { in_cluster "$@" 2>>"$work/refused.err"; }
pass_seen() { # as pass_now, through whichever slurmctld it is
	local now
	in_cluster sleep 1
	now=$(date +%s)
	wait_until answered scontrol reconfigure || return 1
	wait_until saved_since "$now"
}

run ada 2
run ben 600
ben=$id
wait_until job_is "$ben" RUNNING || bail "ben's job runs"
wait_until jobs_ended "${jobs[ada]}" || bail "ada's job runs"
is "$(exact_usage physics ada)" 0 "what has ended is in no snapshot"
jobs_saved "$ben" || bail "slurmctld saves its jobs"

daemon kill slurmctld
ok "the backup takes over" wait_until times_loaded "$backup_log" 1
ok "the backup logs what it found" wait_until grep -q \
	'priority/equitree: usage of .* recovered from equitree_usage, 1 ends' \
	"$backup_log"
pass_seen || bail "the backup runs a pass"
usage_is ada "the backup charges what the first one had in its journal"

run ada 3
wait_until jobs_ended "$id" || bail "the backup runs a job"
jobs_saved "$ben" || bail "the backup saves its jobs"
daemon start slurmctld || bail "the first one comes back" \
	"$(tail "$work/daemon.out")"
ok "the first one takes back" wait_until times_loaded \
	"$dir/log/slurmctld.log" 2
pass_seen || bail "the first one runs a pass"
usage_is ada "and goes on from where the backup was"

# Both alive: asked to.
in_cluster scontrol takeover >>"$work/takeover" 2>&1
ok "the backup takes over when it is asked to" \
	wait_until times_loaded "$backup_log" 2
# The second time, the backup of 26.05.3 has no connection to slurmdbd, which never
# hears of an end; with Slurm's own plugin it is the same.
if [[ $(slurmctld -V) != *' 26.05.'* ]]; then
	wait_until answered scancel "$ben" || bail "ben's job is cancelled" \
		"$(cat "$work/refused.err")"
	wait_until ends_agree "$ben" || bail "ben's job ends" \
		"$(tail -n 5 "$work"/{disagree,told,squeue})"
	pass_seen || bail "the backup runs a pass again"
	usage_is ben "a job that ran through all of it is charged once"
fi
is "$(grep 'error:.*priority/equitree' "$backup_log")" "" \
	"the backup's log has no error of equitree"

no_equitree_errors
done_testing
