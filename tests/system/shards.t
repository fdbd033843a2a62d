#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Parts of GPUs, gres/shard and gres/mps: each is priced by its bundle, in the message,
# the billing and the charge; whole nodes have the price of their GPUs, whose shards
# count no second time.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=priced.sh
. "$(dirname "$0")/priced.sh"
equitree=$build/tools/equitree

cluster_up --site "$(site shards)" \
	--set PriorityDecayHalfLife=0 --set PriorityUsageResetPeriod=YEARLY \
	--set GresTypes=gpu,shard,mps \
	--set AccountingStorageTRES=gres/gpu,gres/gpu:p100,gres/gpu:v100,gres/shard,gres/mps \
	--set "NodeName=gpu1 NodeHostname=head Port=6823 Sockets=2 CoresPerSocket=12 RealMemory=128000 Gres=gpu:p100:4,shard:16" \
	--set "NodeName=gpu2 NodeHostname=head Port=6824 Sockets=2 CoresPerSocket=16 RealMemory=192000 Gres=gpu:v100:4,mps:400" \
	--set "PartitionName=many Nodes=gpu1 DefCpuPerGPU=2 DefMemPerGPU=9000"
nodes_up() { [[ $(in_cluster sinfo -h -o %T | sort -u) == idle ]]; }
wait_until nodes_up || bail "the nodes are there"

# Price in thousandths, account and user, name, options.
n=0
while IFS='|' read -r price user account name options; do
	read -ra options <<<"$options"
	costs "$price" "$user" "$account" "$name" "GPU-equivalents? " -p gpu "${options[@]}"
	n=$((n + 1))
done <<'END'
250|ada|physics|one shard of four|-n1 --gres=shard:1
750|ben|physics|three shards|-n1 --gres=shard:3
1280|cleo|chemistry|two shards with much memory|-n1 --gres=shard:2 --mem=40960M
500|dan|chemistry|half a GPU of mps|-n1 --gres=mps:50
250|dan|chemistry|a shard of one task, which --mincpus gives no more CPUs|-n1 --mincpus=12 --gres=shard:1
1000|ada|physics|a whole GPU beside shards|-n1 --gpus=p100:1
4000|ben|physics|a whole node with shards|-n1 -w gpu1 --exclusive
4000|cleo|chemistry|a kept node with shards|-n1 -w gpu1 --exclusive=user
END
is "$n" 8 "all kinds are tried"

told() { # OPTIONS...
	as ada sbatch --bill=brief --test-only -t5 "$@" --wrap true 2>&1 |
		sed -nE 's/.*equitree: cost ([0-9.]+) .*/\1/p'
}
is "$(told -p many -n1 --mem=1000M --gres=shard:2)" 0.5 \
	"CPUs and memory of a GPU are not those of its shards"

like "$(as ada sbatch --bill=brief --test-only -t5 -p many -n1 --mem=1000M --gpus=2 --wrap true 2>&1)" \
	'equitree: cost 2 GPU-equivalents \(GPUs decide\),' \
	"a GPU without a model is no shard"

# Jobs with shards share a GPU, and nobody else has it whole.
jobs=()
for ((i = 0; i < 4; i++)); do jobs+=("$(submit ada 30 -p gpu -t5 -n1 --gres=shard:1)"); done
for id in "${jobs[@]}"; do wait_until job_is "$id" RUNNING || bail "the jobs with shards run"; done
whole=$(submit ben 1 -p gpu -t5 -n1 --gpus=p100:4)
in_cluster sleep 3
is "$(job_field "$whole" JobState)" PENDING "a GPU with shards in use is no whole GPU for others"
in_cluster scancel "$whole" "${jobs[@]}"

out=$(in_cluster "$equitree" check 2>&1)
is "$(grep -E 'shard|mps|gpu[12]' <<<"$out")" "" "check finds no fault with the bundles of shares"
no_equitree_errors
done_testing
