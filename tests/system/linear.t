#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# select/linear gives out whole nodes: that is the price told and charged, and
# all GPUs of a node are the job's that has it.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

cluster_up --set PriorityDecayHalfLife=0 --set PriorityUsageResetPeriod=YEARLY \
	--set SelectType=select/linear --set SelectTypeParameters=CR_Memory \
	--set "PartitionName=shared Nodes=cpu[1-2] OverSubscribe=FORCE:4"

said() { # USER OPTIONS...
	local user=$1
	shift
	as "$user" sbatch --test-only "$@" --wrap true 2>&1 |
		sed -n 's/^.*equitree: //p'
}

# name, price told, unit, charge a second, options
while IFS='|' read -r name price unit charge options; do
	read -ra options <<<"$options"
	like "$(said ada -t60 "${options[@]}")" \
		"^cost $price $unit-equivalents? \\([A-Za-z]* decides?\\)" "$name: sbatch prints the price"
	before=$(exact_usage physics ada)
	id=$(submit ada 2 -t60 "${options[@]}")
	wait_until jobs_ended "$id" || bail "$name: runs" "$(in_cluster squeue)"
	wait_pass
	is "$(exact_usage physics ada)" \
		"$(value "$before + $charge * $(elapsed "$id")")" \
		"$name: the price is charged"
	diag "$(account_of "$id" AllocTRES)"
done <<'END'
one core is a node|32|core|32|-n1 --mem=1G
two nodes|64|core|64|-N2 -n2 --mem=1G
a GPU is all of its node's|4|GPU|4|-p gpu --gres=gpu:p100:1 -n1 --mem=1G
a node of GPUs without asking for any|4|GPU|4|-p gpu -w gpu1 -n1 --mem=1G
shared nodes count whole, too|32|core|32|-p shared -n2 --mem=1G
END
no_equitree_errors
done_testing
