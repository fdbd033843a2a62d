#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A random workload against accounting: jobs, arrays and heterogeneous jobs of four users
# are submitted by sbatch, srun and salloc, changed, held, suspended, requeued, resized,
# split and cancelled in all ways (workload/requests.sh, workload/events.sh). Afterwards
# each job has been charged its price, computed here from what sacct shows, times the time
# that it kept something from others, which slurmctld's log shows: to a second of each run.
#
# WORKLOAD_JOBS: submissions (140; one is one to five jobs); WORKLOAD_SEED: what they are
# drawn from; WORKLOAD_LIMITS=no: a site where slurmctld reports no ends;
# WORKLOAD_RESTARTS: clean restarts of slurmctld meanwhile (1).
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

readonly jobs=${WORKLOAD_JOBS:-140}
readonly restarts=${WORKLOAD_RESTARTS:-1}
readonly seed=${WORKLOAD_SEED:-$((RANDOM))}
diag "WORKLOAD_JOBS=$jobs WORKLOAD_SEED=$seed WORKLOAD_LIMITS=${WORKLOAD_LIMITS:-yes}"
enforce=associations,limits,qos,safe
[[ ${WORKLOAD_LIMITS:-yes} == yes ]] || enforce=associations,qos
users=(ada ben cleo dan)
owners=("physics ada" "physics ben" "chemistry cleo" "chemistry dan" "biology ada")

charge_completing=yes
cluster_up --site "$(site workload)" \
	--set PriorityDecayHalfLife=0 --set PriorityUsageResetPeriod=YEARLY \
	--set PriorityParameters=period=2 --set MinJobAge=7200 --set KillWait=3 \
	--set AccountingStorageEnforce=$enforce \
	--set AllowSpecResourcesUsage=yes --set Licenses=scope:6 --set MaxArraySize=100 \
	--set SchedulerParameters=batch_sched_delay=0,sched_min_interval=1,sched_interval=1,bf_interval=1,permit_job_expansion,enable_user_top \
	--set "PartitionName=dear Nodes=cpu[1-2]" \
	--set DebugFlags=TraceJobs,HetJob --set SlurmctldDebug=debug2
nodes_up() { [[ $(in_cluster sinfo -h -o %T | sort -u) == idle ]]; }
wait_until nodes_up || bail "the nodes are there"

# ---- The workload ------------------------------------------------------------

mkdir -m 755 "$work/done"
chmod 755 "$work"
long=()
((jobs < 1000)) || long=(LONG=1)
drivers=()
for i in "${!users[@]}"; do
	in_cluster env "${long[@]}" "$system_dir/workload/drive" "${users[i]}" \
		$(((jobs + 3 - i) / 4)) $(((seed + 7919 * i) % 32768)) "$work/done" \
		>>"$work/drive.out" 2>&1 &
	drivers+=($!)
done
submitted() { cat "$work"/done/*.done 2>/dev/null | grep -vc '^event'; }
driven() { ! kill -0 "${drivers[@]}" 2>/dev/null; }
# A slurmctld that dies takes what it has not saved with it, and accounting has no ends of that.
lives() { in_cluster pidof slurmctld >"$work/pid"; }
for ((r = 1; r <= restarts; r++)); do
	until driven || ! lives || (($(submitted) >= jobs * r / (restarts + 1))); do sleep 0.5; done
	lives || bail "slurmctld does not die of a request" "$(tail "$dir/log/slurmctld.log")"
	daemon restart slurmctld || bail "slurmctld restarts" "$(tail "$work/daemon.out")"
done
wait "${drivers[@]}"
ok "slurmctld does not die of a request" lives

let_go() {
	in_cluster bash -c 'squeue -h -t S -o %A | xargs -r -n 1 scontrol resume
		scontrol update nodename=cpu[1-2],gpu[1-2] state=resume' >/dev/null 2>&1
	[[ -z $(in_cluster squeue -h -t R,CG,S,CF -o %A) ]]
}
in_cluster sleep 5
in_cluster scancel --state=PENDING
none_left() {
	let_go || return 1
	in_cluster scancel --state=PENDING
	[[ -z $(in_cluster squeue -h -o %A) ]]
}
((jobs < 1000)) || in_cluster sleep 100
# A restart of slurmctld may come between the start of a job and its launch: Slurm lets such a
# job run to its limit.
wait_until none_left || in_cluster bash -c 'squeue -h -r -o %i | xargs -r scancel'
ok "all jobs end" wait_until none_left

# ---- The comparison -------------------------------------------------------------

records() {
	# By their ids: sacct passes over jobs that were held while they ran.
	in_cluster env SLURM_TIME_FORMAT=%s sacct -aDXnP --noconvert -S 2000-01-01 \
		-j "$(in_cluster squeue -h -r -t all -o %A | paste -sd,)" \
		-o jobidraw,account,user,partition,qos,start,end,state,alloctres,nodelist
}
# Of a job that gives its node to another one in the second of its start, slurmdbd has one
# more row, without resources, and never hears its end.
ends_known() {
	records >"$work/sacct" &&
		! grep -qE '^([^|]*\|){5}[0-9]+\|[^0-9|][^|]*\|[^|]*\|[^|]' "$work/sacct" &&
		[[ ! $(comm -23 <(charged) <(cut -d'|' -f1 "$work/sacct" | sort -u)) ]]
}
charged() {
	sed -nE 's/.*equitree: job ([0-9]+)(:| held nodes) .*for [1-9][0-9]* s.*/\1/p' \
		"$dir/log/slurmctld.log" | sort -u
}
ok "slurmdbd knows all ends" wait_until ends_known
in_cluster scontrol -o show job >"$work/records"
wait_pass
for owner in "${owners[@]}"; do
	read -r account user <<<"$owner"
	echo "$owner $(exact_usage "$account" "$user")"
done >"$work/usage"
"$system_dir/workload/compare" "$dir/log/slurmctld.log" "$work/records" "$work/usage" \
	<"$work/sacct" >"$work/compared" || bail "the records can be compared"
grep -E '^(torn )?job' "$work/compared" | head -n 20 | sed 's/^/# /'
read -r runs ran exact one more torn widest < <(grep -E '^[0-9]' "$work/compared")
diag "$(submitted) submissions, $ran jobs ran, $runs runs: $exact jobs exact, $one within a second a run, $torn torn in accounting; widest $widest s" \
	"events: $(cat "$work"/done/*.done | sed -nE 's/^event ([a-z_]*): ok.*/\1/p' | sort | uniq -c | awk '{ printf "%s %s, ", $1, $2 }')"
ok "at least a third of as many jobs ran as were submitted" test "$ran" -gt $((jobs / 3))
is "$more" 0 "each job is billed and charged what it kept from others, to a second a run"
while read -r _ account user charged usage low high; do
	near "$usage" "$charged" "1e-6 * (1 + $charged)" \
		"$user in $account: usage is the sum of the charges of the jobs ($usage)"
	ok "$user in $account: usage is what the jobs kept from others" \
		calc "$low <= $usage + 1e-6 && $usage <= $high + 1e-6"
done < <(grep '^user' "$work/compared")
no_equitree_errors
done_testing
