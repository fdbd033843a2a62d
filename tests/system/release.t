#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What changed between the releases of Slurm, as users and operators meet it:
# how GPUs are spelled, jobs with several QOS, what a QOS counts for a user, the
# words that a refused change has, many submissions at once. docs/design/0021
# has the table. What the installed release does not have is left out.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

release=$(slurmctld -V | sed -E 's/^[^ ]* ([0-9]+)\.([0-9]+).*/\1\2/')

since() { ((release >= $1)); } # RELEASE

cluster_up --site "$(site rules)" \
	--set PriorityDecayHalfLife=0 --set PriorityUsageResetPeriod=YEARLY \
	--set PriorityWeightQOS=1000 --set PriorityWeightPartition=100 \
	--set "PartitionName=strict Nodes=cpu[1-2]" \
	--set "PartitionName=p100 Nodes=gpu1" \
	--set "PartitionName=more Nodes=cpu1 PriorityJobFactor=2"

price() { # OPTIONS...: what ada is told
	as ada sbatch --test-only -t10 "$@" --wrap true 2>&1 |
		sed -nE 's/.*equitree: cost ([0-9.]+ [A-Za-z]+-equivalents?).*/\1/p'
}

# ---- Spellings --------------------------------------------------------------

# 22.05's clients say gres:gpu, later ones gres/gpu; -c and --gpus-per-task are
# one text "cpu=3,gres/gpu:p100=1" in the later ones.
is "$(price -p gpu --gres=gpu:p100:2 -n2)" "2 GPU-equivalents" "sbatch --gres has the price of its GPUs"
is "$(price -p gpu --gpus=p100:2 -n2)" "2 GPU-equivalents" "sbatch --gpus has the price of its GPUs"
is "$(price -p gpu -N1 --gpus-per-node=p100:2 -n2)" "2 GPU-equivalents" \
	"sbatch --gpus-per-node has the price of its GPUs"
is "$(price -p gpu -n2 -c3 --gpus-per-task=p100:1 --mem-per-cpu=100M)" \
	"2 GPU-equivalents" "--gpus-per-task with -c"
is "$(price -p gpu -n1 -c9 --gpus-per-task=p100:1 --mem-per-cpu=100M)" \
	"1.5 GPU-equivalents" "--gpus-per-task with more cores than its own"

# ---- Many submissions at once ------------------------------------------------

# 24.11 calls the plugin for several of them at the same time.
submit_many() { # USER MEMORY
	local i
	for ((i = 0; i < 15; i++)); do
		as "$1" sbatch --test-only -n2 --mem="$2M" -t10 --wrap true
	done
}
memory=8000
for user in ada ben cleo dan; do
	memory=$((memory + 2000))
	submit_many "$user" "$memory" >"$work/many.$user" 2>&1 &
done
wait
told=
for user in ada ben cleo dan; do
	told+=$(grep -oE 'equitree: cost [0-9.]+ core-equivalents' \
		"$work/many.$user" | sort | uniq -c |
		sed -E "s/ *([0-9]+) equitree: cost ([^ ]*).*/$user: \1 of \2;/")
done
is "$told" "ada: 15 of 2.5;ben: 15 of 3;cleo: 15 of 3.5;dan: 15 of 4;" \
	"60 submissions of four users at once: each is told its own price"

# ---- A change that is refused -------------------------------------------------

id=$(as ada sbatch --parsable -n2 --mem=8000M -t10 --hold --wrap true \
	2>/dev/null)
said=$(as ada scontrol update job "$id" partition=strict numtasks=8 \
	mincpus=8 2>&1)
isnt "$(job_field "$id" Partition)" strict "a change against a rule is refused"
! since 2302 ||
	like "$said" "equitree: .*strict" "with the rule's words"
in_cluster scancel "$id"

# ---- Several QOS ---------------------------------------------------------------

{
	in_cluster sacctmgr -iQ add qos high priority=50
	in_cluster sacctmgr -iQ add qos low priority=10
	in_cluster sacctmgr -iQ modify user ada set qos=normal,high,low
} >"$work/sacctmgr.out"
knows_qos() { grep -q high \
	< <(in_cluster sacctmgr -nP show assoc user=ada format=qos); }
wait_until knows_qos

# Pending and ranked: there is no partition to run in.
for partition in cpu more; do
	in_cluster scontrol update partitionname=$partition state=down
done
if since 2411; then
	id=$(as ada sbatch --parsable -n2 --mem=8000M -t10 -p cpu,more \
		--qos=low,high --wrap true 2>"$work/several.err") ||
		diag "$(cat "$work/several.err")"
	wait_pass
	# partition, QOS, points of each, priority
	is "$(in_cluster sprio -h -j "$id" -o '%r %n %P %Q' | sort)" \
		"cpu high 50 1000
cpu low 50 200
more high 100 1000
more low 100 200" "a job with two QOS in two partitions: sprio has all four"
	# Kept in this order for slurmctld's schedulers.
	is "$(in_cluster sprio -h -j "$id" -o '%Y' | sort -n | uniq | wc -l)" 4 \
		"a job with two QOS in two partitions: four priorities"
	in_cluster scancel "$id"
fi
for partition in cpu more; do
	in_cluster scontrol update partitionname=$partition state=up
done

# ---- What a QOS counts for a user ------------------------------------------------

# Run-minutes of ada and of her account within the QOS: what slurmctld adds at
# a job's start is the plugin's to take off.
run_minutes() {
	in_cluster scontrol show assoc_mgr flags=qos qos=normal |
		sed -nE 's/.*MaxTRESRunMinsP([AU])=cpu=[0-9N]*\(([0-9]+)\).*/\1\2/p' |
		sort | tr '\n' ' '
}
if since 2405; then
	id=$(submit ada 3 -p cpu -n2 -t10)
	wait_until job_is "$id" RUNNING
	# A pass may have taken off its first seconds.
	like "$(run_minutes)" '^A(20 U20|20 U19|19 U19) $' \
		"run-minutes of user and account in a QOS: 20 at the start"
	wait_until job_is "$id" COMPLETED
	is "$(run_minutes)" "A0 U0 " \
		"run-minutes of user and account in a QOS: 0 at the end"
fi

no_equitree_errors
done_testing
