#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What builds from Slurm's public headers alone, beside Slurm's own priority
# plugin: prices at submission, --bill, the command.
# shellcheck source=../system/lib.sh
. "$(dirname "$0")/../system/lib.sh"

mkdir -p "$work/plugins"
cp -L "$build"/plugins/{job_submit,spank}/.libs/*_equitree.so "$work/plugins/"
cluster up --plugins "$work/plugins" --set PriorityType=priority/multifactor \
	--set PriorityParameters= >"$work/up.out" 2>&1 ||
	bail "the cluster comes up" "$(tail -n 20 "$work/up.out")"

said() { as ada sbatch --test-only -t60 "$@" --wrap true 2>&1 |
	grep -F equitree:; }
like "$(said -n2 --mem=10000M)" \
	"equitree: cost 2.5 core-equivalents \(memory decides\), 2.5 h for 1:00:00" \
	"a price of cores"
like "$(said -p gpu --gres=gpu:p100:2 -n2 --mem=1000M)" \
	"equitree: cost 2 GPU-equivalents" "a price of --gres"
like "$(said -p gpu -n3 -c3 --gpus-per-task=p100:1 --mem-per-cpu=100M)" \
	"equitree: cost 3 GPU-equivalents" "a price of --gpus-per-task with -c"
is "$(said --bill=off -n2 --mem=10000M)" "" "sbatch --bill=off prints nothing"
like "$(said --bill=full -n2 --mem=10000M)" "which decides" "sbatch --bill=full prints the whole price"

id=$(submit ada 1 -n2)
wait_until jobs_ended "$id"
is "$(account_of "$id" State)" COMPLETED "a job runs and ends"
as ada srun --bill=brief -n1 -t1 true >"$work/srun.out" 2>&1
is "$?" 0 "srun loads the client plugin, and its tasks run"
like "$(cat "$work/srun.out")" "equitree: .*core-equivalent" \
	"srun tells the price"
like "$(in_cluster "$build/tools/equitree" bill -n2 --mem=10000M 2>&1)" \
	"2.5 core-equivalents" "the command knows the same price"
like "$(in_cluster "$build/tools/equitree" tree 2>&1)" "physics" \
	"the command reads sshare of this release"

in_cluster scontrol reconfigure
wait_until daemon pid slurmctld
like "$(said -n2 --mem=10000M)" "2.5 core-equivalents" \
	"a price after a reconfigure"
no_equitree_errors
done_testing
