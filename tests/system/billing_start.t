#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Limits on billing hold from the start of a job, before any pass has seen it: its
# billing is then the most that it may get, and the first pass corrects it.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

cluster_up --set PriorityDecayHalfLife=0 --set PriorityUsageResetPeriod=YEARLY \
	--set PriorityParameters=period=3600 \
	--set "PartitionName=DEFAULT DefMemPerCPU=4000 DefaultTime=1:00:00 MaxTime=7-00:00:00 TRESBillingWeights=CPU=1" \
	--set "NodeName=big1 NodeHostname=head Port=6841 Sockets=2 CoresPerSocket=32 RealMemory=256000 Weight=100" \
	--set "PartitionName=both Nodes=cpu[1-2],big1"
manage() { in_cluster sacctmgr -iQ "$@" >>"$work/sacctmgr.out" 2>&1; }
nodes_up() { [[ $(in_cluster sinfo -h -o %T | sort -u) == idle ]]; }
wait_until nodes_up || bail "the nodes are there"
billing() { job_tres "$1" | tr , '\n' | sed -n 's/^billing=//p'; } # ID
used() { # of the account
	in_cluster scontrol -o show assoc_mgr flags=assoc account=physics |
		grep 'UserName= ' | grep -o 'GrpTRES=[^ ]*' |
		grep -o 'billing=[0-9]*([0-9]*)' | sed 's/.*(\(.*\))/\1/'
}
reason_is() { [[ $(job_field "$1" Reason) == "$2" ]]; }

# name, limit, billing at the start, options
while IFS='|' read -r name limit want options; do
	manage modify account physics set "grptres=billing=$limit"
	read -ra options <<<"$options"
	one=$(submit ada 60 "${options[@]}")
	wait_until job_is "$one" RUNNING ||
		bail "$name: a job runs" "$(cat "$work/sbatch.err")"
	is "$(billing "$one")" "$want" "$name: the billing of the start is that of the allocation"
	is "$(used)" "$want" "$name: the limit counts it"
	two=$(submit ada 60 --exclusive -n1)
	ok "$name: the limit holds for the next job" \
		wait_until reason_is "$two" AssocGrpBilling
	in_cluster scancel "$two" "$one"
	wait_until jobs_ended "$one"
	is "$(used)" 0 "$name: nothing is left in the limit"
done <<'END'
whole nodes|40|32|--exclusive -n1
two whole nodes|70|64|--exclusive -N2 -n2
END

# The most is corrected by the first pass.
manage modify account physics set grptres=billing=1000
one=$(submit ada 60 -n1 --mem=1000M)
two=$(submit ada 60 -p both --exclusive -n1)
wait_until job_is "$two" RUNNING || bail "jobs run"
is "$(billing "$one")" 1 "a job that has no choice has its billing"
is "$(billing "$two")" 64 "a job of any whole node starts with that of the largest"
pass_now
is "$(billing "$two")" 32 "the first pass corrects it"
is "$(used)" 33 "the limit counts the price after the first pass"
in_cluster scancel "$one" "$two"
no_equitree_errors
done_testing
