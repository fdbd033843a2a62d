#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# equitree why JOB: each reason for which a live cluster lets a job wait, produced
# on real daemons, with the number behind it.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

equitree=$build/tools/equitree
export TZ=UTC

# ---- Limits ----------------------------------------------------------------
#
# REASON|LIMIT|FIRST JOB|SECOND JOB|WORDS: a QOS (Qn) or an account (An) of its own
# gets the limit. The first job runs, "-" is none; the second waits.
limits="
QOSGrpCpuLimit|grptres=cpu=2|-n1|-n2|QOS q[0-9]+ allows 2 CPUs in all; 1 are taken, this job wants 2
QOSGrpMemLimit|grptres=mem=5000|-n1|-n1|allows 5000 MiB of memory in all; 4000 are taken, this job wants 4000
QOSGrpNodeLimit|grptres=node=1|-n1|-N2 -n2|allows 1 nodes in all; 1 are taken, this job wants 2
QOSGrpJobsLimit|grpjobs=1|-n1|-n1|allows 1 running jobs in all; 1 are taken, this job wants 1
QOSGrpGRES|grptres=gres/gpu=1|-p gpu -G1|-p gpu -G1|allows 1 GPUs in all; 1 are taken, this job wants 1
QOSGrpBilling|grptres=billing=2|-n2|-n2|allows 2 billing units in all; 2 are taken, this job wants 2
QOSGrpLicense|grptres=license/matlab=1|-n1 -L matlab|-n1 -L matlab|allows 1 license/matlab in all; 1 are taken, this job wants 1
QOSGrpCPUMinutesLimit|grptresmins=cpu=50|-|-n1 -t60|allows 50 CPU-minutes in all; 0 are used up, this job wants 60
QOSGrpMemoryMinutes|grptresmins=mem=9000|-|-n1 -t60|allows 9000 MiB-minutes of memory in all; 0 are used up, this job wants 240000
QOSGrpNodeMinutes|grptresmins=node=50|-|-n1 -t60|allows 50 node-minutes in all; 0 are used up, this job wants 60
QOSGrpGRESMinutes|grptresmins=gres/gpu=50|-|-p gpu -G1 -t60|allows 50 GPU-minutes in all; 0 are used up, this job wants 60
QOSGrpBillingMinutes|grptresmins=billing=50|-|-n1 -t60|allows 50 billing-minutes in all; 0 are used up, this job wants 60
QOSGrpCPURunMinutesLimit|grptresrunmins=cpu=70|-n1 -t60|-n1 -t60|allows 70 CPU-minutes in all, to the ends of running jobs; [0-9]+ are taken, this job wants 60
QOSGrpMemoryRunMinutes|grptresrunmins=mem=280000|-n1 -t60|-n1 -t60|allows 280000 MiB-minutes of memory in all, to the ends of running jobs; [0-9]+ are taken, this job wants 240000
QOSGrpWallLimit|grpwall=50|-|-n1 -t60|allows 50 minutes in all; 0 are used up, this job wants 60
QOSMaxCpuPerJobLimit|maxtresperjob=cpu=1|-|-n2|allows 1 CPUs a job; this job asks for 2
QOSMaxMemoryPerJob|maxtresperjob=mem=3000|-|-n1|allows 3000 MiB of memory a job; this job asks for 4000
QOSMaxNodePerJobLimit|maxtresperjob=node=1|-|-N2 -n2|allows 1 nodes a job; this job asks for 2
QOSMaxGRESPerJob|maxtresperjob=gres/gpu=1|-|-p gpu -G2|allows 1 GPUs a job; this job asks for 2
QOSMaxCpuPerNode|maxtrespernode=cpu=1|-|-N1 -n2|allows 1 CPUs a node of a job; this job asks for 2
QOSMaxMemoryPerNode|maxtrespernode=mem=3000|-|-n1|allows 3000 MiB of memory a node of a job; this job asks for 4000
QOSMaxCpuMinutesPerJobLimit|maxtresminsperjob=cpu=50|-|-n1 -t60|allows 50 CPU-minutes a job; this job asks for 60
QOSMaxMemoryMinutesPerJob|maxtresminsperjob=mem=9000|-|-n1 -t60|allows 9000 MiB-minutes of memory a job; this job asks for 240000
QOSMaxWallDurationPerJobLimit|maxwall=50|-|-n1 -t60|allows 50 minutes a job; this job asks for 60
QOSMaxCpuPerUserLimit|maxtresperuser=cpu=2|-n1|-n2|QOS q[0-9]+ allows 2 CPUs a user; ada has 1, this job wants 2
QOSMaxMemoryPerUser|maxtresperuser=mem=5000|-n1|-n1|allows 5000 MiB of memory a user; ada has 4000, this job wants 4000
QOSMaxNodePerUserLimit|maxtresperuser=node=1|-n1|-N2 -n2|allows 1 nodes a user; ada has 1, this job wants 2
QOSMaxGRESPerUser|maxtresperuser=gres/gpu=1|-p gpu -G1|-p gpu -G1|allows 1 GPUs a user; ada has 1, this job wants 1
QOSMaxJobsPerUserLimit|maxjobsperuser=1|-n1|-n1|allows 1 running jobs a user; ada has 1, this job wants 1
MaxCpuPerAccount|maxtresperaccount=cpu=2|-n1|-n2|allows 2 CPUs an account; physics has 1, this job wants 2
MaxMemoryPerAccount|maxtresperaccount=mem=5000|-n1|-n1|allows 5000 MiB of memory an account; physics has 4000, this job wants 4000
MaxJobsPerAccount|maxjobsperaccount=1|-n1|-n1|allows 1 running jobs an account; physics has 1, this job wants 1
QOSMinCpuNotSatisfied|mintresperjob=cpu=2|-|-n1|wants at least 2 CPUs a job; this job asks for 1
QOSMinMemory|mintresperjob=mem=9000|-|-n1|wants at least 9000 MiB of memory a job; this job asks for 4000
QOSMinGRES|mintresperjob=gres/gpu=2|-|-p gpu -G1|wants at least 2 GPUs a job; this job asks for 1
AssocGrpCpuLimit|grptres=cpu=2|-n1|-n2|account a[0-9]+ allows 2 CPUs in all; 1 are taken, this job wants 2
AssocGrpMemLimit|grptres=mem=5000|-n1|-n1|allows 5000 MiB of memory in all; 4000 are taken, this job wants 4000
AssocGrpNodeLimit|grptres=node=1|-n1|-N2 -n2|allows 1 nodes in all; 1 are taken, this job wants 2
AssocGrpJobsLimit|grpjobs=1|-n1|-n1|allows 1 running jobs in all; 1 are taken, this job wants 1
AssocGrpGRES|grptres=gres/gpu=1|-p gpu -G1|-p gpu -G1|allows 1 GPUs in all; 1 are taken, this job wants 1
AssocGrpBilling|grptres=billing=2|-n2|-n2|allows 2 billing units in all; 2 are taken, this job wants 2
AssocGrpCPUMinutesLimit|grptresmins=cpu=50|-|-n1 -t60|allows 50 CPU-minutes in all; 0 are used up, this job wants 60
AssocGrpBillingMinutes|grptresmins=billing=100|-n1 -t60|-n1 -t60|allows 100 billing-minutes in all; [0-9] are used up, [56][0-9] are reserved by running jobs, this job wants 60
AssocGrpMemMinutes|grptresmins=mem=9000|-|-n1 -t60|allows 9000 MiB-minutes of memory in all; 0 are used up, this job wants 240000
AssocGrpCPURunMinutesLimit|grptresrunmins=cpu=70|-n1 -t60|-n1 -t60|allows 70 CPU-minutes in all, to the ends of running jobs; [0-9]+ are taken, this job wants 60
AssocGrpWallLimit|grpwall=50|-|-n1 -t60|allows 50 minutes in all; 0 are used up, this job wants 60
AssocMaxJobsLimit|maxjobs=1|-n1|-n1|allows 1 running jobs a user; ada has 1, this job wants 1
AssocMaxCpuPerJobLimit|maxtresperjob=cpu=1|-|-n2|allows 1 CPUs a job; this job asks for 2
AssocMaxMemPerJob|maxtresperjob=mem=3000|-|-n1|allows 3000 MiB of memory a job; this job asks for 4000
AssocMaxNodePerJobLimit|maxtresperjob=node=1|-|-N2 -n2|allows 1 nodes a job; this job asks for 2
AssocMaxGRESPerJob|maxtresperjob=gres/gpu=1|-|-p gpu -G2|allows 1 GPUs a job; this job asks for 2
AssocMaxCpuPerNode|maxtrespernode=cpu=1|-|-N1 -n2|allows 1 CPUs a node of a job; this job asks for 2
AssocMaxCpuMinutesPerJobLimit|maxtresminsperjob=cpu=50|-|-n1 -t60|allows 50 CPU-minutes a job; this job asks for 60
AssocMaxWallDurationPerJobLimit|maxwall=50|-|-n1 -t60|allows 50 minutes a job; this job asks for 60
"

cluster_up --set Licenses=matlab:8,scarce:1 \
	--set AccountingStorageTRES=gres/gpu,gres/gpu:p100,gres/gpu:v100,license/matlab \
	--set "NodeName=old[1-6] NodeHostname=head Port=[6831-6836] Sockets=1 CoresPerSocket=4 RealMemory=16000 Feature=old" \
	--set "PartitionName=full Nodes=old1" \
	--set "PartitionName=gone Nodes=old2" \
	--set "PartitionName=off Nodes=old3 State=DOWN" \
	--set "PartitionName=idle Nodes=old3" \
	--set "PartitionName=small Nodes=old[3-4] MaxNodes=1 MaxTime=10" \
	--set "PartitionName=kept Nodes=old[4-5]" \
	--set "PartitionName=picky Nodes=old3" \
	--set "PartitionName=choosy Nodes=old3" \
	--set "PartitionName=odd Nodes=old6"

# One script makes all QOS and accounts, another submits: each call of sacctmgr and
# sbatch alone would enter the cluster again.
n=0 qos="" accounts="" manage="" first="" second=""
while IFS='|' read -r reason limit before after words; do
	[[ $reason ]] || continue
	n=$((n + 1))
	if [[ $reason == Assoc* ]]; then
		accounts+=,A$n
		where="-A A$n"
		manage+="sacctmgr -iQ modify account A$n set $limit"$'\n'
	else
		qos+=,Q$n
		where="--qos=Q$n"
		manage+="sacctmgr -iQ modify qos Q$n set $limit"$'\n'
	fi
	line="sbatch --parsable -o /dev/null -t10 $where"
	[[ $before == - ]] || first+="$line $before --wrap 'sleep 900'"$'\n'
	second+="echo $n \$($line $after --wrap 'sleep 900')"$'\n'
done <<<"$limits"
manage="sacctmgr -iQ add qos ${qos#,},spare
sacctmgr -iQ add account ${accounts#,},lost
sacctmgr -iQ add user ada account=${accounts#,},lost
sacctmgr -iQ modify user ada set qos=normal$qos
sacctmgr -iQ modify user xyz789 set qos=normal,spare
$manage"
# slurmctld tells slurmdbd which TRES there are when it starts.
in_cluster sh -c "$manage" >"$work/sacctmgr.out" 2>&1
nodes_up() { [[ $(in_cluster sinfo -h -o %T | sort -u) == idle ]]; }
wait_until nodes_up || bail "the nodes are there"

one() { as "$1" sbatch --parsable -o /dev/null "${@:2}" --wrap 'sleep 900' 2>>"$work/sbatch.err"; }
# Later releases keep associations and QOS of jobs that slurmdbd knows: it must not hear
# of these before both are gone.
daemon stop slurmdbd
lost=$(one ada -n1 -A lost --begin=now+8)
spare=$(one xyz789 -n1 --qos=spare --begin=now+8)
daemon stop slurmctld
daemon start slurmdbd
in_cluster sacctmgr -iQ delete user ada account=lost >/dev/null
in_cluster sacctmgr -iQ delete qos spare >/dev/null
daemon start slurmctld || bail "slurmctld starts" "$(tail "$work/daemon.out")"
wait_until nodes_up || bail "the nodes are there after a restart"
as ada sh -c "$first" >"$work/first" 2>"$work/first.err"
first_run() {
	[[ $(in_cluster squeue -h -t R -o %A | wc -l) == $(wc -l <"$work/first") ]]
}
wait_until first_run || bail "the first jobs run" "$(cat "$work/first.err"; in_cluster squeue)"
as ada sh -c "$second" >"$work/second" 2>"$work/second.err"

# ---- Everything else ---------------------------------------------------------

now_and() { date -d "now + $1" +%Y-%m-%dT%H:%M:%S; }
other=()
expects() { other+=("$1|$2|$3"); } # JOB REASON WORDS
runs=$(one ben -p full -n4 -t 30)
wait_until job_is "$runs" RUNNING
turn=$(one ben -p full -n4 -t 20)
later=$(one ben -p full -n2 -t 5 --nice=1000000)
expects "$turn" Resources "it wants 1 node with 4 CPUs each, and 0 of 1 that fit are free now"
expects "$later" Priority "other jobs go first: 1 of the 2 jobs waiting there has a higher priority"
depends=$(one ben -n1 -d "afterok:$runs")
expects "$depends" Dependency "afterok:$runs\(unfulfilled\): job $runs runs, for .* at most"
gone=$(one ben -n1 -H)
never=$(one ben -n1 -d "afterok:$gone")
in_cluster scancel "$gone"
expects "$never" DependencyNeverSatisfied "cannot come to pass any more: afterok:$gone\(failed\): job $gone has ended"
expects "$(one ben -n1 --begin=now+2hours)" BeginTime "not to begin before its time: that is .*\(in 1 h 5[89] min\)"
expects "$(one ben -n1 -H)" JobHeldUser "its user holds it"
held=$(one ben -n1 --begin=now+2hours)
in_cluster scontrol hold "$held"
expects "$held" JobHeldAdmin "an operator or a plugin holds it"
expects "$(one ben -p off -n1)" PartitionDown "its partition starts no jobs: partition off is DOWN"
inactive=$(one ben -p idle -n1 --begin=now+3)
in_cluster scontrol update partitionname=idle state=inactive
expects "$inactive" PartitionInactive "partition idle is INACTIVE"
expects "$(one ben -p small -N2 -t5)" PartitionNodeLimit "it has 2 nodes and allows 0 to 1 a job; this job wants 2"
expects "$(one ben -p small -n1 -t60)" PartitionTimeLimit "it allows 00:10:00; this job asks for 1 h 0 min"
in_cluster scontrol update nodename=old2 state=drain reason=fan
expects "$(one ben -p gone -n1)" "Nodes required for job are DOWN" "of 1 nodes that fit, 1 are drained, 0 are down"
# Later releases say that the nodes may be reserved, as others of its partitions are.
expects "$(one ben -p kept,gone -w old2 -n1)" ReqNodeNotAvail "nodes that it needs do not take jobs: of 1 nodes that fit, 1 are drained"
in_cluster scontrol create reservation reservationname=repair nodes=old4 users=root \
	starttime=now duration=120 flags=maint,ignore_jobs >/dev/null
expects "$(one ben -p kept -w old4 -n1)" ReqNodeNotAvail "reserved.*: repair has old4 from "
in_cluster scontrol create reservation reservationname=course nodes=old5 users=ben \
	starttime=now+60minutes duration=60 >/dev/null
expects "$(one ben -p kept -n1 --reservation=course)" Reservation "its reservation course is from 20"
scarce=$(one ben -n1 -L scarce)
wait_until job_is "$scarce" RUNNING
expects "$(one ben -n1 -L scarce)" Licenses "too few licences are free: scarce: it wants 1, 0 of 1 are free"
array=$(one ben -n1 --array=1-4%1)
expects "$array" JobArrayTaskLimit "1 may run at once, and 1 do"
in_cluster scontrol update nodename=old6 availablefeatures=old,odd activefeatures=old,odd
odd=$(one ben -p odd -n1 -C odd --begin=now+8)
in_cluster scontrol update nodename=old6 availablefeatures=old activefeatures=old
expects "$odd" BadConstraints "no nodes can meet its request: .* of 0 that fit are free now"
expects "$spare" InvalidQOS "its QOS does not exist any more"
expects "$lost" InvalidAccount "its account or association does not exist any more"
picky=$(one ben -p picky -n1 --begin=now+8)
in_cluster scontrol update partitionname=picky allowaccounts=chemistry
# From 23.02 on Slurm gives no reason.
not_permitted="Job's account not permitted"
[[ $(slurmctld -V) == *' 22.05.'* ]] || not_permitted=None
expects "$picky" "$not_permitted" "its partition does not allow its account: partition picky has AllowAccounts=chemistry"
choosy=$(one ben -p choosy -n1 --begin=now+8)
in_cluster scontrol update partitionname=choosy denyqos=normal
expects "$choosy" "Job's QOS not permitted" "its partition does not allow its QOS"
in_cluster "$equitree" budget grant chemistry 1 --reason test >/dev/null
spends=$(one cleo -n1 -t 50)
wait_until job_is "$spends" RUNNING
expects "$(one cleo -n1 -t 50)" "Budget 1 of chemistry" "has [0-9.]+ left, job needs [0-9.]+"
again=$(one ben -n1)
wait_until job_is "$again" RUNNING
in_cluster scontrol requeue "$again"
expects "$again" BeginTime "it ran before and was requeued, and Slurm lets it begin again a little later"
requeued=$(one ben -n1)
wait_until job_is "$requeued" RUNNING
in_cluster scontrol requeuehold "$requeued"
expects "$requeued" "job requeued in held state" "it was requeued, and is held"

# ---- All of them at once -------------------------------------------------------

# What each job is expected to wait for, "JOB REASON".
wanted() {
	local row id
	paste -d'|' <(sort -n "$work/second" | cut -d' ' -f2) \
		<(grep '|' <<<"$limits" | cut -d'|' -f1)
	for row in "${other[@]}"; do
		IFS='|' read -r id row _ <<<"$row"
		echo "$id|$row"
	done
}
wanted >"$work/wanted"
all_wait() {
	in_cluster squeue -h -t PD -o '%A|%r' | awk -F'|' '
		NR == FNR { reason[$1] = $2; next }
		index(reason[$1], $2) != 1 { print $1, "wants", $2, "has", reason[$1]; bad = 1 }
		END { exit bad }' - "$work/wanted" >"$work/differ"
}
wait_until all_wait || diag "$(cat "$work/differ" "$work/sacctmgr.out" "$work/second.err" | head -40)"
in_cluster "$equitree" why --save "$work/saved" 2>"$work/save.err"
is "$?|$(cat "$work/save.err")" "0|" "equitree why --save writes what Slurm answers"

# The page as one line, since its lines are cut anywhere.
page() { "$equitree" why "$1" --from "$work/saved" 2>&1 | tr -s ' \n' ' '; }
job_of() { awk -v n="$1" '$1 == n { print $2 }' "$work/second"; }
n=0
while IFS='|' read -r reason limit before after words; do
	[[ $reason ]] || continue
	n=$((n + 1))
	like "$(page "$(job_of $n)")" "Reason $reason: .*$words.* You can [a-z]" "$reason ($limit): the number behind it"
	like "$(page "$(job_of $n)")" "Obstacles .*[0-9]\\. limit: .*$words" "$reason ($limit): the limit is an obstacle that is found without Slurm's reason"
done <<<"$limits"
for row in "${other[@]}"; do
	IFS='|' read -r id reason words <<<"$row"
	like "$(page "$id")" "Reason ${reason//\(/\\(}.*$words.* You can [a-z]" "$reason: in words"
done
widest=$(while IFS='|' read -r id _; do "$equitree" why "$id" --from "$work/saved"; done <"$work/wanted" | awk '{ if (length > w) w = length } END { print w }')
ok "the widest line of all pages has at most 80 columns: $widest" test "$widest" -le 80

# ---- Live ------------------------------------------------------------------------

like "$(as ben "$equitree" why "$turn" | tr -s ' \n' ' ')" "Job $turn of ben .* waited in full .*Reason Resources: .*Nodes it wants 1 node with 4 CPUs .*place 1 of [0-9]+ pending there" \
	"a user sees the page of her job"
like "$(as cleo "$equitree" why "$(tail -n1 "$work/wanted" | cut -d'|' -f1)" | tr -s ' \n' ' ')" "Reason job requeued in held state" "a user sees the page of a job of another"
like "$(in_cluster "$equitree" why "$(grep 'Budget' "$work/wanted" | cut -d'|' -f1)" | tr -s ' \n' ' ')" "Budget 1 of chemistry: [0-9.]+ of 1 equivalent-hours left \\([0-9.]+ spent, 0.8[0-9]* committed\\)" \
	"the page has the budget"
like "$(in_cluster "$equitree" why "$(one dan -x old1 -p full -n1)" | tr -s ' \n' ' ')" "0 fit: 1 not in --nodelist, or in --exclude \(old1\)|Reason" "the page knows --exclude"
like "$(in_cluster "$equitree" why "$runs")" "^Job +$runs of ben .* is RUNNING" "a job that runs is shown as such"
like "$(in_cluster "$equitree" why 99999 2>&1)" "no job 99999 runs or waits" "a job that is not there is an error"
no_equitree_errors
done_testing
