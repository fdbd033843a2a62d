#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# GPUs without a type beside GPUs of a model, and two bundles for them: message, billing,
# usage and bill have the bundle of the node.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

cp -r "$system_dir/../../sandbox/sites/cedar" "$work/site"
sed -i 's/gpu:v100:4/gpu:4/; s/,gres\/gpu:v100//
	/^NodeName=gpu2/p; /^NodeName=gpu2/{s/gpu2/gpu3/; s/Port=6824/Port=6825/; s/$/ Feature=old/}
	s/^\(PartitionName=gpu .*\)gpu\[1-2\]/\1gpu[1-3]/' "$work/site/slurm.conf"
sed -i 's/^NodeName=gpu2 Name=gpu Type=v100/NodeName=gpu[2-3] Name=gpu/' "$work/site/gres.conf"
cat >"$work/site/equitree.conf" <<'END'
message = brief
bundle "cores" { cores = 1  memory = 4000M }
bundle "gpu:p100" { cores = 6  memory = 32000M  weight = 3 }
bundle "gpu" { cores = 16  memory = 96000M  weight = 0.25  features = old }
bundle "gpu" { cores = 8  memory = 48000M  weight = 0.5 }
billing_scale = 1000
END
cluster_up --site "$work/site" --set PriorityDecayHalfLife=0 \
	--set PriorityUsageResetPeriod=YEARLY

ids=() rows=()
# price, billing, name, options
while IFS='|' read -r price billing name options; do
	read -ra options <<<"$options"
	told=$(as dan sbatch --test-only -p gpu -t10 "${options[@]}" --wrap true 2>&1 | sed -n 's/.*equitree: cost //p')
	like "$told" "^$price GPU-equivalents?" "$name: the user is told $price"
	id=$(submit dan 3 -p gpu "${options[@]}")
	[[ $id ]] || bail "$name: it is submitted" "$(cat "$work/sbatch.err")"
	ids+=("$id") rows+=("$id|$billing|$price|$name")
done <<'END'
0.5|500|a GPU without a type|-w gpu2 --gres=gpu:1 -n1 --mem=1000M
0.25|250|a GPU without a type on a node with a feature|-w gpu3 --gres=gpu:1 -n1 --mem=1000M
1|1000|GPUs of the job|-w gpu2 --gpus=2 -n1 --mem=1000M
2|2000|a whole node|-w gpu2 --gres=gpu:1 -n1 --exclusive
2|2000|a whole node, without asking for GPUs|-w gpu2 -n1 --exclusive --mem=1000M
3|3000|a GPU of a model|-w gpu1 --gres=gpu:1 -n1 --mem=1000M
0.5 to 1|750|GPUs of both bundles|-N2 -w gpu2,gpu3 --gpus-per-node=1 -n2 --mem=1000M
END
wait_until jobs_ended "$(IFS=, && echo "${ids[*]}")" ${#ids[@]} || bail "the jobs run" "$(in_cluster squeue)"
wait_pass
sum=0
for row in "${rows[@]}"; do
	IFS='|' read -r id billing price name <<<"$row"
	is "$(account_of "$id" AllocTRES | tr , '\n' | grep billing)" "billing=$billing" "$name: sacct has $billing"
	like "$(in_cluster "$build/tools/equitree" bill --reprice --job "$id" 2>&1)" \
		"(cost|at most) ${price##* } GPU-equivalents?" "$name: equitree bill has the same, or the most"
	sum+=" + $billing / 1000 * $(elapsed "$id")"
done
is "$(exact_usage chemistry dan)" "$(value "$sum")" "usage is what was told"
no_equitree_errors
done_testing
