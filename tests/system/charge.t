#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What a job is charged: its price, the maximum over its bundle, for each
# second that it ran, whatever resource decides.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

# Without decay usage is plain arithmetic.
cluster_up --set PriorityDecayHalfLife=0 --set PriorityUsageResetPeriod=YEARLY

# user, price, billing TRES (rounded up), name, options
table="
ada|2.5|3|2 cores with the memory of 2.5|-n2 --mem=10000M
ben|1.5|2|1 GPU with the cores of 1.5|-p gpu --gres=gpu:p100:1 -n9 --mem=32000M
cleo|2|2|2 GPUs, though cores and memory are of 1|-p gpu --gres=gpu:p100:2 -n6 --mem=32000M
dan|1.5|2|1 GPU with the memory of 1.5|-p gpu --gres=gpu:p100:1 -n6 --mem=48000M
abc123|1.25|2|1 V100 has the larger bundle|-p gpu --gres=gpu:v100:1 -n10 --mem=32000M
xyz789|32|32|an exclusive node is charged whole|-n1 --exclusive --mem=4000M
"

declare -A job account=(
	[ada]=physics [ben]=physics [cleo]=chemistry [dan]=chemistry
	[abc123]=bloggs.prj [xyz789]=bloggs.prj
)
rows=()
while IFS= read -r row; do
	[[ $row ]] && rows+=("$row")
done <<<"$table"

# All at once: each has an association of its own.
for row in "${rows[@]}"; do
	IFS='|' read -r user price billing name options <<<"$row"
	read -ra options <<<"$options"
	job[$user]=$(submit "$user" 3 "${options[@]}")
	[[ ${job[$user]} ]] ||
		bail "$user submits" "$(cat "$work/sbatch.err")"
done
ids=$(IFS=, && echo "${job[*]}")
wait_until jobs_ended "$ids" ${#rows[@]} ||
	bail "the jobs run" "$(in_cluster squeue)"
pass_now || bail "a pass saves its results"

for row in "${rows[@]}"; do
	IFS='|' read -r user price billing name options <<<"$row"
	id=${job[$user]}
	seconds=$(elapsed "$id")
	ok "$name: the job ran" test "$seconds" -gt 0
	usage=$(exact_usage "${account[$user]}" "$user")
	is "$usage" "$(value "$price * $seconds")" \
		"$name: $price a second are charged"
	is "$(share "${account[$user]}" "$user" rawusage)" \
		"$(value "int($price * $seconds)")" \
		"$name: sshare shows it"
	like "$(job_tres "$id")" "billing=$billing(,|\$)" \
		"$name: scontrol shows it as $billing units of billing"
	like "$(account_of "$id" AllocTRES)" "billing=$billing(,|\$)" \
		"$name: sacct shows it as $billing units of billing"
done

# An account's usage is the sum of what is below it.
is "$(share physics "" rawusage)" "$(value "int($(exact_usage physics ada) + \
	$(exact_usage physics ben))")" "an account has the usage of its users"

# Finer units of billing, asked for while the cluster is up.
sed -i '$a billing_scale = 1000' "$dir/etc/equitree.conf"
pass_now || bail "a pass is run"
id=$(submit ada 1 -n2 --mem=10000M)
wait_until jobs_ended "$id"
like "$(account_of "$id" AllocTRES)" "billing=2500(,|\$)" \
	"billing_scale 1000: billing tells 2.5 equivalents exactly"

no_equitree_errors
done_testing
