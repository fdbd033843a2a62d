#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# scontrol update on a live cluster: each rule of a submission holds for the
# job as it would then be; who has no say over a job changes nothing and
# learns nothing.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

cluster_up --no-slurmctld --site "$(site grants)" \
	--set PriorityDecayHalfLife=0 --set PriorityUsageResetPeriod=YEARLY \
	--set "PartitionName=DEFAULT DefMemPerCPU=4000 MaxTime=7-00:00:00"
# Seconds of one equivalent and of billing (TRES 5): ada has an hour left.
place_usage "$(date +%s)" 5 <<-'END'
	optics ada 14400 0 14400000
	biology dan 37440 0 37440000
END
daemon start slurmctld || bail "slurmctld starts" "$(tail "$work/daemon.out")"

change() { # USER ID CHANGES...
	as "$1" scontrol update job "$2" "${@:3}" 2>&1
}
policy="Job violates accounting/QOS policy.*"

# FIELD, the regex of what it is afterwards, that of the answer ("" is none),
# name, user, job, changes
check() { # FIELD VALUE ANSWER NAME USER ID CHANGES...
	local got
	got=$(change "${@:5}")
	like "$got" "^$3\$" "$4: the answer"
	like "$(job_field "$6" "$1")" "^$2\$" "$4: the job's $1"
}

# ---- What is left of the grant ----------------------------------------------

id=$(submit ada 0 --hold -n1 -t30)
check TimeLimit 00:30:00 ".*$policy" "a time limit beyond the grant" \
	ada "$id" TimeLimit=61
check TimeLimit 01:00:00 "" "a time limit within it" ada "$id" TimeLimit=60
check NumCPUs 1 ".*$policy" "more cores than the grant has" \
	ada "$id" NumCPUs=2 NumTasks=2
check QOS normal ".*$policy" "a QOS that costs three times as much" \
	ada "$id" QOS=express
check MinMemoryCPU 4000M ".*$policy" "memory beyond it" \
	ada "$id" MinMemoryCPU=4001
check Account ignored "" "an account whose grant does not matter" \
	ada "$id" Account=ignored
check Account ignored ".*$policy" "two changes that are one too many" \
	ada "$id" Account=optics TimeLimit=61
check Account optics "" "and back" ada "$id" Account=optics
# A slurmctld 25.05.8 gives the job the limit of its new QOS, and refuses its owner
# where that has none (Slurm took it back later).
kept=()
[[ $(slurmctld -V) != *' 25.05.'* ]] || kept=(TimeLimit=60)
check QOS bonus "" "a QOS that is free" ada "$id" QOS=bonus "${kept[@]}"
check TimeLimit 10:00:00 "" "which takes any time limit" \
	ada "$id" TimeLimit=600
check QOS bonus ".*$policy" "and not back with that" ada "$id" QOS=normal
check Comment left-alone "" "what no rule is about" \
	ada "$id" Comment=left-alone
ada_job=$id

id=$(submit dan 0 --hold -n1 -t30)
is "$(job_field "$id" QOS)" bonus "dan's job is in the bonus"
check QOS bonus "" "spent: a change to another QOS leads back" \
	dan "$id" QOS=normal
dan_job=$id

# ---- Requirements, caps, pools ----------------------------------------------

id=$(submit fay 0 --hold -n1 -t30)
check Partition cpu ".*$policy" "a partition that wants memory said" \
	fay "$id" Partition=gpu
check Partition gpu "" "with memory said" \
	fay "$id" Partition=gpu MinMemoryNode=1000
# There is no default time: that would be in the record like one that was said.
id=$(submit fay 0 --hold -n1 --mem=1000M)
check Partition cpu ".*(T|t)ime limit.*" "a partition that wants a time limit" \
	fay "$id" Partition=gpu
id=$(submit fay 0 --hold -A def-x -p gpu -n1 -t30 --mem=1000M \
	--gres=gpu:p100:1)
is "$(job_field "$id" Account)" def-x_gpu "a GPU job is in its pool"
check TresPerNode "gres[:/]gpu:p100:1" ".*$policy" "more GPUs than the cap" \
	fay "$id" Gres=gpu:p100:3
check TresPerNode "gres[:/]gpu:p100:2" "" "as many as the cap" \
	fay "$id" Gres=gpu:p100:2
check MinMemoryNode 1000M ".*$policy" "more memory than the cap" \
	fay "$id" MinMemoryNode=64001
check Account def-x_gpu ".*(A|a)ccount.*" "an account of the other pool" \
	fay "$id" Account=def-x_cpu
check Account def-x_gpu "" "a name without a pool" fay "$id" Account=def-x
check Account def-x_gpu ".*(A|a)ccount.*" "an account of others" \
	fay "$id" Account=biology
fay_job=$id
id=$(submit fay 0 --hold -A def-x -n1 -t30 --mem=1000M)
is "$(job_field "$id" Account)" def-x_cpu "a job of cores is in its pool"
check TresPerNode "" ".*(A|a)ccount.*" "GPUs for a job of cores' account" \
	fay "$id" Partition=gpu Gres=gpu:p100:1
check Account def-x_gpu "" "GPUs with an account to choose for" \
	fay "$id" Partition=gpu Gres=gpu:p100:1 Account=def-x

# ---- Whose job it is --------------------------------------------------------

denied=$(change fay "$ada_job" Comment=mine)
like "$denied" 'denied|Invalid user id' "Slurm refuses strangers"
at=$(log_size)
for changes in TimeLimit=99999 Account=optics Account=nosuch Account=def-x \
	QOS=normal QOS=rich Partition=gpu NumCPUs=1000 MinMemoryCPU=999999 \
	Gres=gpu:p100:4 Gres=gpu:nosuch:1 Features=x; do
	is "$(change fay "$ada_job" "$changes")" "$denied" \
		"a stranger's $changes: nothing but that"
done
is "$(change ada "$dan_job" QOS=normal)" "${denied//$ada_job/$dan_job}" \
	"a stranger's change that would be redirected: nothing but that"
is "$(job_field "$ada_job" Account) $(job_field "$ada_job" QOS)" \
	"optics bonus" "refused changes leave the job unchanged"
is "$(log_since "$at" | grep -c 'equitree.*change of')" 0 \
	"no judgement of it is in the log"

check QOS bonus "" "a coordinator's change is led back, too" \
	hal "$dan_job" QOS=normal
like "$(change hal "$dan_job" Account=optics)" 'denied|Invalid user id' \
	"a coordinator of one account alone is a stranger"
check TimeLimit 03:20:00 "" "an operator is bound by no rule" \
	root "$ada_job" QOS=normal TimeLimit=200
is "$(job_field "$ada_job" QOS)" normal "a change by an operator is not redirected"

# ---- A rule that came later -------------------------------------------------

sed -i 's/max = 2/max = 1.5/' "$dir/etc/equitree.conf"
in_cluster scontrol reconfigure
check TimeLimit 00:10:00 "" "what breaks a rule already may be changed else" \
	fay "$fay_job" TimeLimit=10
check TresPerNode "gres[:/]gpu:p100:2" ".*$policy" "but not for the worse" \
	fay "$fay_job" Gres=gpu:p100:3
check TresPerNode "gres[:/]gpu:p100:1" "" "and for the better" \
	fay "$fay_job" Gres=gpu:p100:1

no_equitree_errors
done_testing
