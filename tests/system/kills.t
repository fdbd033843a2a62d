#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# slurmctld is killed with -9 again and again under a steady load, at random
# moments and at chosen ones: as a snapshot is written, as a job ends, between
# one file and the next; in between it is reconfigured, and restarted cleanly.
# Jobs start, end, and end while it is down. Afterwards each user has been charged the
# price of each second that a slurmctld believed a job to run, once. slurmdbd is not
# asked: after a kill it may know ends that slurmctld does not, and lose some.
#
# KILLS=200 tests/system/kills.t kills so often; otherwise 20 times. The random
# moments are those of KILLS_SEED. KILLS_LIMITS=no is a site where slurmctld reports no
# ends (no limits in AccountingStorageEnforce). With KILLS_KINDS=yes some jobs are arrays,
# heterogeneous, or of two nodes, and in each round some are requeued, suspended and
# resumed, or resized. KILLS_DEBUG=debug2 makes slurmctld log each charge.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

kills=${KILLS:-20}
RANDOM=${KILLS_SEED:-$$}
diag "KILLS=$kills KILLS_SEED=${KILLS_SEED:-$$} KILLS_LIMITS=${KILLS_LIMITS:-yes}"
enforce=associations,limits,qos,safe
[[ ${KILLS_LIMITS:-yes} == yes ]] || enforce=associations
users=(ada ben cleo xyz789)
declare -A account=([ada]=physics [ben]=physics [cleo]=chemistry
	[xyz789]=bloggs.prj)
# A job has on each node 4 cores with the memory of 5: 5 equivalents. Slurm would give
# another number of cores to each of two nodes, if it were not told.

cluster_up --set PriorityParameters=period=1 --set MinJobAge=3600 \
	--set BatchStartTimeout=1 \
	--set AccountingStorageEnforce=$enforce \
	--set "SlurmctldDebug=${KILLS_DEBUG:-verbose}" --set DebugFlags=TraceJobs,HetJob \
	--set PriorityDecayHalfLife=0 --set PriorityUsageResetPeriod=YEARLY

# ---- The load --------------------------------------------------------------

# All of it waits, and is written down, before the first kill: of a job that
# slurmctld has not written down yet, it knows nothing afterwards. Twelve fit,
# less those that have ended but run for slurmctld, which forgot that. Where it has
# heard of the end of such a job's epilog, only the time limit ends it.
load() { # USER COUNT
	local i kind jobs=()
	for ((i = 0; i < $2; i++)); do
		kind=none
		[[ ${KILLS_KINDS:-no} == no ]] || kind=$((RANDOM % 8))
		jobs+=("$kind $((RANDOM % 8 + 1))")
	done
	# shellcheck disable=SC2016 # the user's shell expands it
	as "$1" bash -c 'one="-n4 -N1 --mem=20000M"
		for job in "$@"; do
			read -r kind seconds <<<"$job"
			case $kind in
			0) options="$one -a 1-2" rest= ;;
			1) options=$one rest=": $one" ;;
			2 | 3) options="-n8 -N2 --ntasks-per-node=4 --mem=20000M" rest= ;;
			*) options=$one rest= ;;
			esac
			sbatch -Q -o /dev/null -t 1 $options --requeue \
				--wrap "sleep $seconds" $rest >/dev/null || exit 1
		done' load "${jobs[@]}"
}

# Something happens to a few jobs that run, while slurmctld lives.
disturb() { # SEED
	# shellcheck disable=SC2016
	in_cluster timeout 10 bash -c 'RANDOM=$1
		for i in 1 2 3; do
			read -r job nodes < <(squeue -h -t R -o "%A %D" |
				shuf -n 1 --random-source=<(yes $RANDOM))
			[[ $job ]] || exit
			case $((RANDOM % 3)) in
			0) echo "requeue $job"; scontrol requeue "$job" ;;
			1)
				echo "suspend $job"
				scontrol suspend "$job"
				sleep $((RANDOM % 3)).$((RANDOM % 10))
				scontrol resume "$job"
				;;
			2)
				[[ $nodes -lt 2 ]] && continue
				echo "resize $job"
				scontrol update jobid="$job" numnodes=1
				;;
			esac
		done' disturb "$1" >>"$work/disturb" 2>&1
}
for user in "${users[@]}"; do
	load "$user" $((kills * 2 + 10)) || bail "$user submits"
done
last=$(submit dan 1 --hold)
jobs_saved "$last" || bail "slurmctld saves its jobs"

# A kill comes between a suspension and its end; for a slurmctld that forgot the end of
# such a job, it is suspended for ever.
resume_all() {
	# shellcheck disable=SC2016
	in_cluster timeout 10 bash -c 'squeue -h -t S -o %A |
		xargs -r -n 1 scontrol resume' >>"$work/disturb" 2>&1
}

# ---- The kills -------------------------------------------------------------

# What a slurmctld that has just started believes to run; ran-seconds compares.
note_beliefs() {
	echo "boot $(log_size)"
	in_cluster env SLURM_TIME_FORMAT=%s squeue -h -r -t R,S -o '%A %S %D'
}

: >"$work/disturb"
state=$dir/state
moments=("always" "appears $state/equitree_usage.new"
	"grows $state/equitree_journal" "changes $state/equitree_journal"
	"always" "appears $state/priority_last_decay_ran.new"
	"appears $state/job_state.new" "changes $state/equitree_usage")
hits=0
for ((round = 0; round < kills; round++)); do
	read -ra moment <<<"${moments[round % ${#moments[@]}]}"
	# To be hit in the moment, or a random time after the start. Moments are of
	# microseconds and come back every second or few: who looks for them must not
	# wait for a processor, and may miss some.
	patience=$((RANDOM % 30 / 10)).$((RANDOM % 10))
	[[ ${moment[0]} == always ]] || patience=6
	pid=$(cluster daemon pid slurmctld) || bail "slurmctld runs"
	[[ ${KILLS_KINDS:-no} == no ]] || disturb $((RANDOM)) &
	[[ $(nice -n -10 "$system_dir/kill-when" "$pid" "$patience" "${moment[@]}") == \
		*hit ]] && hits=$((hits + 1))
	daemon kill slurmctld
	wait
	echo "$(date +%s) $(saved_as_of) $(log_size)" >>"$work/kills"
	((RANDOM % 3)) || in_cluster sleep $((RANDOM % 2 + 1))
	daemon start slurmctld || bail "slurmctld starts after kill $round" \
		"$(tail "$work/daemon.out")"
	note_beliefs >>"$work/beliefs"
	resume_all
	((RANDOM % 3)) || in_cluster scontrol reconfigure
	((round % 5 == 4)) || continue
	daemon restart slurmctld || bail "slurmctld restarts" "$(tail "$work/daemon.out")"
	note_beliefs >>"$work/beliefs"
done
diag "$hits of $kills kills came at the moment that was meant"
ok "most of the moments were met" test "$hits" -ge $((kills / 2))

# ---- The sum ---------------------------------------------------------------

# What has not begun need not.
all_gone() {
	in_cluster scancel --state=PENDING
	resume_all
	[[ -z $(in_cluster squeue -h -o %i) ]]
}
wait_asking all_gone || bail "the jobs end" "$(in_cluster squeue)"
in_cluster env SLURM_TIME_FORMAT=%s squeue -h -r -t all -o '%A %u %S %e' >"$work/jobs"
wait_pass
ran=$("$system_dir/ran-seconds" "$dir/log/slurmctld.log" "$work/kills" "$work/beliefs" \
	<"$work/jobs" 2>"$work/forgotten") ||
	bail "all runs are known" "$(cat "$work/forgotten")"
ok "several users had jobs that ran" test "$(wc -l <<<"$ran")" -ge 2
after_failure() { diag "--- the runs that slurmctld forgot" "$(<"$work/forgotten")"; }
diag "what happened to jobs: $(cut -d' ' -f1 "$work/disturb" |
	grep -E '^(requeue|suspend|resize)$' | sort | uniq -c | xargs)"
# A start is saved within five seconds; a busy machine may take some more.
longest=$(sed -nE 's/.*its start at ([0-9]+) was forgotten at .* charged to ([0-9]+)$/\2 \1/p' \
	"$work/forgotten" | awk '$1 - $2 > most { most = $1 - $2 } END { print most + 0 }')
ok "a run whose start was forgotten was charged for no longer than slurmctld takes to save ($longest s)" \
	test "$longest" -le 15
# Without reports an end is known to a look, which a kill may prevent once more.
slack_s=1
[[ ${KILLS_LIMITS:-yes} == yes ]] || slack_s=2
while read -r user charge seconds forgotten lost disturbed; do
	usage=$(exact_usage "${account[$user]}" "$user")
	diag "$user: $usage charged; expected $charge for $seconds s," \
		"and $forgotten of runs whose start slurmctld forgot, in all $lost a second;" \
		"others that were requeued or resized, or whose end was forgotten: $disturbed;" \
		"difference $(value "$usage - $charge - $forgotten")"
	near "$usage" "$charge + $forgotten" "$slack_s * ($lost + $disturbed)" \
		"$user is charged each second once"
done <<<"$ran"

no_equitree_errors
done_testing
