#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# slurmctld is killed with -9 again and again under a steady load, at random
# moments and at chosen ones: as a snapshot is written, as a job ends, between
# one file and the next; in between it is reconfigured, and restarted cleanly.
# Jobs start, end, and end while it is down. Afterwards each user has been
# charged the price of each second, once.
#
# KILLS=200 tests/system/kills.t kills so often; otherwise 20 times. The random
# moments are those of KILLS_SEED.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

kills=${KILLS:-20}
RANDOM=${KILLS_SEED:-$$}
diag "KILLS=$kills KILLS_SEED=${KILLS_SEED:-$$}"
users=(ada ben cleo xyz789)
declare -A account=([ada]=physics [ben]=physics [cleo]=chemistry
	[xyz789]=bloggs.prj)
price=5 # of 4 cores with the memory of 5

cluster_up --set PriorityParameters=period=1 --set MinJobAge=3600 \
	--set BatchStartTimeout=1 \
	--set PriorityDecayHalfLife=0 --set PriorityUsageResetPeriod=YEARLY

# ---- The load --------------------------------------------------------------

# All of it waits, and is written down, before the first kill: of a job that
# slurmctld has not written down yet, it knows nothing afterwards. Twelve fit,
# less those that have ended but run for slurmctld, which forgot that. Where it has
# heard of the end of such a job's epilog, only the time limit ends it.
load() { # USER COUNT
	local i seconds=()
	for ((i = 0; i < $2; i++)); do
		seconds+=($((RANDOM % 8 + 1)))
	done
	as "$1" bash -c 'for s in "$@"; do sbatch -Q -o /dev/null -n4 -N1 \
		-t 1 --mem=20000M --wrap "sleep $s" >/dev/null || exit 1; done' \
		load "${seconds[@]}"
}
for user in "${users[@]}"; do
	load "$user" $((kills * 2 + 10)) || bail "$user submits"
done
last=$(submit dan 1 --hold)
jobs_saved "$last" || bail "slurmctld saves its jobs"

# ---- The kills -------------------------------------------------------------

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
	[[ $(nice -n -10 "$system_dir/kill-when" "$pid" "$patience" "${moment[@]}") == \
		*hit ]] && hits=$((hits + 1))
	daemon kill slurmctld
	echo "$(date +%s) $(saved_as_of)" >>"$work/kills"
	((RANDOM % 3)) || in_cluster sleep $((RANDOM % 2 + 1))
	daemon start slurmctld || bail "slurmctld starts after kill $round" \
		"$(tail "$work/daemon.out")"
	((RANDOM % 3)) || in_cluster scontrol reconfigure
	((round % 5 != 4)) || daemon restart slurmctld ||
		bail "slurmctld restarts" "$(tail "$work/daemon.out")"
done
diag "$hits of $kills kills came at the moment that was meant"
ok "most of the moments were met" test "$hits" -ge $((kills / 2))

# ---- The sum ---------------------------------------------------------------

# What has not begun need not.
all_gone() {
	in_cluster scancel --state=PENDING
	[[ -z $(in_cluster squeue -h -o %i) ]]
}
wait_asking all_gone || bail "the jobs end" "$(in_cluster squeue)"
# What slurmctld has to tell slurmdbd waits in its memory. Killed after it wrote down
# that a job has ended, and before it told of that, it never tells again: Slurm's way
# with every priority plugin. Of such a job slurmctld's word counts.
only_untold() {
	sed -nE 's/^slurmctld: ([0-9]+)\|.*\|(COMPLETED|FAILED|TIMEOUT) slurmdbd: \1\|.*\|Unknown$/\1/p' \
		"$work/disagree" >"$work/untold"
	[[ -s $work/untold && $(wc -l <"$work/untold") == $(wc -l <"$work/disagree") ]]
}
records() {
	in_cluster env SLURM_TIME_FORMAT=%s sacct -aDXnP -S 2000-01-01 \
		-o jobidraw,user,start,end,state
	in_cluster env SLURM_TIME_FORMAT=%s squeue -h -r -t all \
		-o '%A|%u|%S|%e|%T' | grep -E "^($(paste -sd'|' "$work/untold"))\|"
}
: >"$work/untold"
wait_until ends_agree "$(seq -s, "$last")" || only_untold ||
	bail "slurmdbd knows all ends" "$(cat "$work/disagree")"
diag "ends that slurmdbd was never told: $(paste -sd' ' "$work/untold")"
records >"$work/records"
wait_pass
ran=$("$system_dir/ran-seconds" "$dir/log/slurmctld.log" "$work/kills" \
	<"$work/records" 2>"$work/forgotten") ||
	bail "all runs are known" "$(cat "$work/forgotten")"
ok "several users had jobs that ran" test "$(wc -l <<<"$ran")" -ge 2
after_failure() { diag "--- the runs that slurmctld forgot" "$(<"$work/forgotten")"; }
while read -r user seconds forgotten runs; do
	usage=$(exact_usage "${account[$user]}" "$user")
	diag "$user: $(value "$usage / $price") s charged; accounted $seconds s" \
		"and $forgotten s of $runs runs that slurmctld forgot"
	near "$usage" "$price * ($seconds + $forgotten)" "$price * $runs" \
		"$user is charged each second once"
done <<<"$ran"

no_equitree_errors
done_testing
