#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Jobs that keep others off their block of the topology (--exclusive=topo, and
# partitions with ExclusiveTopo=YES): Slurm allocates what they ask for, and they
# are told and charged whole nodes. Under another topology nobody is kept off.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

release=$(slurmctld -V | sed -E 's/^[^ ]* ([0-9]+)\.([0-9]+).*/\1\2/')
((release >= 2405)) || skip_all "--exclusive=topo came with Slurm 24.05"

options=(--set PriorityDecayHalfLife=0 --set PriorityUsageResetPeriod=YEARLY
	--set "PartitionName=kept Nodes=cpu[1-2] ExclusiveTopo=YES")
cluster_up --site "$(site blocks)" --set TopologyPlugin=topology/block \
	"${options[@]}"

told() { # OPTIONS...: what ada is told
	as ada sbatch --test-only -t10 --mem=1000M "$@" --wrap true 2>&1 |
		sed -nE 's/.*equitree: cost ([0-9.]+ [A-Za-z]+-equivalents?).*/\1/p'
}

bill() { # OPTIONS...: what the command says of the same
	local what
	for what in partition node config; do
		in_cluster scontrol show "$what" >"$work/$what"
	done
	"$build/tools/equitree" bill --json -f "$dir/etc/equitree.conf" \
		--partition-info="$work/partition" --node-info="$work/node" \
		--config-info="$work/config" --mem=1000M "$@" |
		sed -n 's/^ *"equivalents": \(.*\),$/\1/p' | head -n 1
}

billing_is() { [[ $(job_tres "$1"), =~ billing=$2, ]]; } # ID BILLING
field_is() { [[ $(job_field "$1" "$2") == "$3" ]]; } # ID FIELD VALUE

# ---- What is told -----------------------------------------------------------

is "$(told -n1)" "1 core-equivalent" "a job that shares its node"
is "$(told -n1 --exclusive=topo)" "32 core-equivalents" "--exclusive=topo: the node"
is "$(told -N2 -n2 --exclusive=topo)" "64 core-equivalents" "--exclusive=topo: each of two nodes has the price of the whole node"
is "$(told -n1 --exclusive=user)" "32 core-equivalents" "--exclusive=user: the node, under topology/block too"
is "$(told -n1 -p kept)" "32 core-equivalents" "a partition with ExclusiveTopo=YES"
is "$(told -n1 -p gpu -w gpu1 --gpus=p100:1 --exclusive=topo)" \
	"4 GPU-equivalents" "--exclusive=topo: all GPUs of the node"

is "$(bill -n1 --exclusive=topo)|$(bill -n1 -p kept)" "32|32" "equitree bill says the same of both"

# ---- What is charged ----------------------------------------------------------

# shellcheck disable=SC2016 # the job is to look
waits='echo "$EQUITREE_PRICE" >"$HOME/price"
until [ -e "$HOME/end" ]; do sleep 0.3; done'
start() { # USER OPTIONS...
	local user=$1
	shift
	as "$user" sbatch --parsable -o /dev/null -t10 --mem=1000M "$@" \
		--wrap "$waits" 2>>"$work/sbatch.err"
}

topo=$(start ada -n1 -w cpu1 --exclusive=topo)
gpus=$(start cleo -n1 -p gpu -w gpu1 --gpus=p100:1 --exclusive=topo)
ok "two jobs with --exclusive=topo run" wait_until eval 'job_is "$topo" RUNNING && job_is "$gpus" RUNNING'
like "$(job_tres "$topo")" "^cpu=1,mem=1000M," "Slurm allocates what was asked for"
other=$(start dan -n1 -w cpu2)
ok "nobody else gets a node of an exclusive block" \
	wait_until field_is "$other" Reason Resources
ok "its billing is that of the node" wait_until billing_is "$topo" 32
ok "the billing of a job in a block counts all GPUs of the node" wait_until billing_is "$gpus" 4
wait_until test -s "$dir/home/ada/price"
is "$(cat "$dir/home/ada/price")" 32 "the environment of the job has the price of the node"
touch "$dir/home/ada/end" "$dir/home/cleo/end" "$dir/home/dan/end"
wait_until jobs_ended "$topo,$gpus,$other" 3 ||
	bail "the jobs end" "$(in_cluster squeue)"
kept=$(submit xyz789 1 -p kept -n1 --mem=1000M)
wait_until jobs_ended "$kept" || bail "the job of the partition ends"
pass_now || bail "a pass saves its results"
is "$(exact_usage physics ada)" "$(value "32 * $(elapsed "$topo")")" \
	"32 a second are charged"
is "$(exact_usage chemistry cleo)" "$(value "4 * $(elapsed "$gpus")")" \
	"of a node of GPUs 4"
is "$(exact_usage chemistry dan)" "$(value "$(elapsed "$other")")" \
	"of who waited for them 1"
is "$(exact_usage bloggs.prj xyz789)" "$(value "32 * $(elapsed "$kept")")" \
	"of a job of the partition 32"
no_equitree_errors

# ---- Without blocks ----------------------------------------------------------

cluster purge
cluster_up "${options[@]}"
is "$(told -n1 --exclusive=topo)" "1 core-equivalent" \
	"without blocks nobody is kept off"
# From 26.05 on the partition gives out whole nodes then.
if ((release >= 2605)); then
	is "$(told -n1 -p kept)" "32 core-equivalents" "without blocks the partition has whole nodes"
	id=$(submit cleo 60 -n1 -p kept --mem=1000M)
	ok "the job of the partition runs" wait_until job_is "$id" RUNNING
	like "$(job_tres "$id")" "^cpu=32," "the job of the partition has a whole node"
	ok "the billing of the job of the partition is that of the node" wait_until billing_is "$id" 32
	in_cluster scancel "$id"
else
	is "$(told -n1 -p kept)" "1 core-equivalent" "without blocks the partition keeps nobody off"
fi
is "$(bill -n1 --exclusive=topo)|$(bill -n1 -p kept) core-equivalents" \
	"1|$(told -n1 -p kept | sed 's/equivalent$/&s/')" "without blocks equitree bill says the same of both"
id=$(submit ada 1 -n1 --mem=1000M --exclusive=topo)
wait_until jobs_ended "$id" || bail "the job ends"
pass_now || bail "a pass saves its results"
is "$(exact_usage physics ada)" "$(value "$(elapsed "$id")")" \
	"without blocks the charge is that of the request"
no_equitree_errors
done_testing
