#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Jobs that keep others off nodes of which they request a part: --exclusive=user,
# --exclusive=mcs, --core-spec, --thread-spec. What is told is billed and charged.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

cluster_up --set PriorityDecayHalfLife=0 --set PriorityUsageResetPeriod=YEARLY \
	--set MCSPlugin=mcs/account --set MCSParameters=ondemandselect \
	--set AllowSpecResourcesUsage=yes \
	--set "NodeName=ht1 NodeHostname=head Port=6869 Sockets=2 CoresPerSocket=8 ThreadsPerCore=2 RealMemory=64000" \
	--set "PartitionName=threads Nodes=ht1,cpu1" \
	--set "PartitionName=apart Nodes=cpu[1-2] ExclusiveUser=YES"

told() { # OPTIONS...: what ada is told
	as ada sbatch --bill=brief --test-only -t10 --mem=1000M "$@" --wrap true 2>&1 |
		sed -nE 's/.*equitree: cost ([0-9.]+ [A-Za-z]+-equivalents?).*/\1/p'
}
billing_of() { # ID
	job_tres "$1" | tr , '\n' | sed -n 's/^billing=//p'
}

# user, account, price, unit, name, options
n=0
while IFS='|' read -r user account price unit name options; do
	read -ra options <<<"$options"
	is "$(told "${options[@]}")" "$price $unit-equivalents" \
		"$name: the message has the price of the node"
	before=$(exact_usage "$account" "$user")
	id=$(submit "$user" 2 -t10 --mem=1000M "${options[@]}")
	[[ $id ]] || bail "$name: it is submitted" "$(cat "$work/sbatch.err")"
	wait_until jobs_ended "$id" || bail "$name: it ends" "$(in_cluster squeue)"
	wait_pass
	is "$(value "$(exact_usage "$account" "$user") - $before")" \
		"$(value "$price * $(elapsed "$id")")" \
		"$name: the charge is that of the node"
	like ",$(account_of "$id" AllocTRES)," ",billing=$price," \
		"$name: the billing is that of the node"
	n=$((n + 1))
done <<'END'
ada|physics|32|core|--exclusive=user|-n1 --exclusive=user
ada|physics|64|core|--exclusive=user on two nodes|-N2 -n2 --exclusive=user
cleo|chemistry|4|GPU|--exclusive=user with one GPU of four|-p gpu -w gpu1 -n1 --gpus=p100:1 --exclusive=user
ada|physics|32|core|--exclusive=mcs|-n1 --exclusive=mcs
ada|physics|32|core|--core-spec|-n1 --core-spec=2
ada|physics|32|core|--thread-spec|-n1 --thread-spec=2
ada|physics|64|core|tasks beside --core-spec on two nodes|-n31 --core-spec=2
ada|physics|64|core|tasks beside --thread-spec on two nodes|-n31 --thread-spec=2
ada|physics|32|core|as many tasks as --core-spec leaves|-n30 --core-spec=2
ada|physics|16|core|--exclusive=user on a node with hyper-threads beside nodes without|-p threads -w ht1 -n1 --exclusive=user
END
is "$n" 10 "all options are tried"
is "$(told -n1 -p apart)" "1 core-equivalent" \
	"a partition with ExclusiveUser=YES changes no price"

# Who else waits for it?
kept=$(submit ada 20 -t10 --mem=1000M -n1 -w cpu1 --exclusive=user)
wait_until job_is "$kept" RUNNING || bail "the job runs"
other=$(submit ben 1 -t10 --mem=1000M -n1 -w cpu1)
sleep 3
is "$(job_field "$other" JobState)" PENDING "nobody else gets a core of the node"
in_cluster scancel "$kept" "$other"

# An operator can set OverSubscribe=NO for a job that waits. Slurm then gives nobody else
# its node, and the job only what it requested.
wait_pass
before=$(exact_usage physics ada)
kept=$(submit ada 600 --hold -t10 --mem=1000M -n1 -w cpu1)
in_cluster scontrol update jobid="$kept" oversubscribe=no
in_cluster scontrol release "$kept"
wait_until job_is "$kept" RUNNING || bail "the job of which the node is not shared runs"
other=$(submit ben 1 -t10 --mem=1000M -n1 -w cpu1)
sleep 3
is "$(job_field "$other" JobState)" PENDING "scontrol update OverSubscribe=NO: nobody else gets a core of the node"
in_cluster scancel "$kept" "$other"
wait_until jobs_ended "$kept" || bail "the job of which the node is not shared ends"
wait_pass
like ",$(account_of "$kept" AllocTRES)," ",billing=32,cpu=1," \
	"scontrol update OverSubscribe=NO: the billing of a job with one core is that of the node"
is "$(value "$(exact_usage physics ada) - $before")" "$(value "32 * $(elapsed "$kept")")" \
	"scontrol update OverSubscribe=NO: the charge is that of the node"

# ---- Where Slurm ignores them --------------------------------------------------

cluster purge
cluster_up --set MCSPlugin=mcs/none
is "$(told -n1 --exclusive=mcs)" "1 core-equivalent" \
	"--exclusive=mcs without labels changes no price"
is "$(told -n1 --core-spec=2)" "1 core-equivalent" \
	"--core-spec that the site does not allow changes no price"
no_equitree_errors
done_testing
