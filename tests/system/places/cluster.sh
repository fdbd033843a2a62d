# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The cluster of the requests: all of them run at once, since nodes are numbers.
# To be sourced after lib.sh.
node() { # NAME PORT WORDS...: a line of slurm.conf
	printf 'NodeName=%s NodeHostname=head Port=%s %s' "$1" "$2" "${*:3}"
}
gpu_types=(p100 v100 h100 h100_1g t4)
places_up() { # OPTIONS...
	local tres
	tres=gres/gpu$(printf ',gres/gpu:%s' "${gpu_types[@]}")
	cluster_up --site "$(site places)" \
		--set PriorityDecayHalfLife=0 \
		--set PriorityUsageResetPeriod=YEARLY \
		--set PriorityParameters=period=1 \
		--set "AccountingStorageTRES=$tres" \
		--set "$(node 'cpu[1-2]' '[6821-6822]' Sockets=2 \
			CoresPerSocket=128 RealMemory=4000000)" \
		--set "$(node gpu1 6823 Sockets=2 CoresPerSocket=128 \
			RealMemory=4000000 Gres=gpu:p100:40)" \
		--set "$(node gpu2 6824 Sockets=2 CoresPerSocket=128 \
			RealMemory=4000000 Gres=gpu:v100:40)" \
		--set "$(node gpu3 6825 Sockets=2 CoresPerSocket=128 \
			RealMemory=4000000 Gres=gpu:h100:8,gpu:h100_1g:8)" \
		--set "$(node t4few1 6826 CoresPerSocket=64 \
			RealMemory=1000000 Gres=gpu:t4:8)" \
		--set "$(node t4many1 6827 CoresPerSocket=64 \
			RealMemory=1000000 Gres=gpu:t4:8)" \
		--set "$(node 'ht[1-2]' '[6831-6832]' CoresPerSocket=32 \
			ThreadsPerCore=2 RealMemory=256000)" \
		--set "$(node 'w[1-20]' '[6841-6860]' CoresPerSocket=4 \
			RealMemory=16000)" \
		--set "$(node 'b[1-3]' '[6861-6863]' CoresPerSocket=8 \
			RealMemory=64000)" \
		--set "PartitionName=express Nodes=cpu[1-2] PriorityTier=2" \
		--set "PartitionName=p100 Nodes=gpu1" \
		--set "PartitionName=v100 Nodes=gpu2" \
		--set "PartitionName=h100 Nodes=gpu3" \
		--set "PartitionName=t4 Nodes=t4few1,t4many1" \
		--set "PartitionName=ht Nodes=ht1" \
		--set "PartitionName=ht2 Nodes=ht2" \
		--set "$(node ht3 6833 Sockets=2 CoresPerSocket=8 \
			ThreadsPerCore=2 RealMemory=64000)" \
		--set "PartitionName=ht3 Nodes=ht3" \
		--set "PartitionName=limit Nodes=cpu[1-2] MaxMemPerCPU=4000" \
		--set "PartitionName=small Nodes=w[1-20]" \
		--set "PartitionName=whole Nodes=w[1-20] OverSubscribe=EXCLUSIVE" \
		--set "PartitionName=mixed Nodes=w[1-20],b[1-3]" \
		"$@"
}
