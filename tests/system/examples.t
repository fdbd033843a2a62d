#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The examples at the top of the tree load as they are, but for what the sandbox
# rules itself (paths, ports, how the daemons run), and hold what they say.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=pages.sh
. "$(dirname "$0")/pages.sh"
top=$system_dir/../..

make_site "$top"/{slurm,equitree}.conf.example "$cedar/accounts" \
	"$top/plugstack.conf.example"
cluster_up --site "$made"
page_ready

config() { in_cluster scontrol show config | sed -nE "s/^$1 += (.*)/\1/p"; }
is "$(config PriorityType)" priority/equitree "the priority plugin is loaded"
is "$(config PriorityWeightFairShare)" 1000000 "weights are those of the file"
like "$(in_cluster scontrol show partition gpu)" 'Nodes=gpu\[1-2\]' \
	"partitions are those of the file"
is "$(type_command root 'equitree check')" "" "equitree check finds nothing"
like "$(as ada sbatch --bill=brief -p gpu --gpus=v100:1 -N1 -n8 --wrap 'sleep 1' 2>&1)" \
	'^sbatch: equitree: cost 2.2 GPU-equivalents \(GPUs decide\)' \
	"a job is priced by the bundles of the file"
like "$(as ada sbatch -n1 --wrap 'sleep 1' 2>&1)" \
	'^Submitted batch job [0-9]+$' "a program hears no price by default"

# What is commented out is right as well.
sed -E 's/^#([a-z]+ "?[^ ]*"? *\{|[a-z_]+ = )/\1/' "$top/equitree.conf.example" \
	>"$work/all.conf"
is "$(grep -c '^#[a-z]' "$work/all.conf")" 0 "every example is tried"
checked=$(SLURM_CONF=/nowhere "$build/tools/equitree" check \
	-f "$work/all.conf" 2>"$work/check.err")
is "$?|$checked" "0|" "each example is right"
no_equitree_errors
done_testing
