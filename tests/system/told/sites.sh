# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The sites of told.t, each a function that brings its cluster up and names the
# partitions, GPU types, nodes and options that its requests are made of. To be
# sourced after lib.sh.
#
# Nodes are larger than one request of most kinds, and smaller than some.

node() { # NAME PORT WORDS...: a line of slurm.conf
	printf 'NodeName=%s NodeHostname=head Port=%s %s' "$1" "$2" "${*:3}"
}

told_up() { # OPTIONS...
	cluster_up --site "$(site told)" \
		--set PriorityDecayHalfLife=0 \
		--set PriorityUsageResetPeriod=YEARLY \
		--set PriorityParameters=period=1 \
		"${told_set[@]}" \
		"$@"
}

# Nodes of one kind and of two, with and without a limit of memory for a CPU.
site_plain() {
	partitions=(alike limit limit limit unlike whole)
	gpu_types=() nodes=('c1' 'c[1-2]' 'b1')
	told_up --set "$(node 'c[1-4]' '[6861-6864]' Sockets=2 \
		CoresPerSocket=8 RealMemory=64000)" \
		--set "$(node 'b[1-2]' '[6865-6866]' Sockets=2 \
			CoresPerSocket=16 RealMemory=256000)" \
		--set "PartitionName=alike Nodes=c[1-4] Default=YES" \
		--set "PartitionName=limit Nodes=c[1-4] MaxMemPerCPU=4000" \
		--set "PartitionName=unlike Nodes=c[1-4],b[1-2]" \
		--set "PartitionName=whole Nodes=c[1-4] OverSubscribe=EXCLUSIVE"
}

# Two threads of a core, alone and beside nodes without.
site_threads() {
	partitions=(ht ht limit mixed)
	gpu_types=() nodes=('h1' 'h[1-2]')
	told_up --set "$(node 'h[1-4]' '[6861-6864]' Sockets=2 \
		CoresPerSocket=8 ThreadsPerCore=2 RealMemory=64000)" \
		--set "$(node 'c[1-2]' '[6865-6866]' Sockets=2 \
			CoresPerSocket=8 RealMemory=64000)" \
		--set "PartitionName=ht Nodes=h[1-4] Default=YES" \
		--set "PartitionName=limit Nodes=h[1-4] MaxMemPerCPU=2000" \
		--set "PartitionName=mixed Nodes=h[1-4],c[1-2]"
}

# GPUs of three models, two to a node of another size, and nodes without.
site_gpus() {
	partitions=(p100 models models all limit)
	gpu_types=(p100 v100 t4) nodes=('p1' 'p[1-2]' 'v1' 'p1,t1')
	told_up --set "AccountingStorageTRES=gres/gpu,gres/gpu:p100,gres/gpu:v100,gres/gpu:t4" \
		--set "$(node 'p[1-3]' '[6861-6863]' Sockets=2 \
			CoresPerSocket=12 RealMemory=128000 Gres=gpu:p100:4)" \
		--set "$(node 'v[1-2]' '[6864-6865]' Sockets=2 \
			CoresPerSocket=16 RealMemory=192000 Gres=gpu:v100:4)" \
		--set "$(node t1 6866 Sockets=2 CoresPerSocket=8 \
			RealMemory=64000 Gres=gpu:t4:8)" \
		--set "$(node 'c[1-2]' '[6867-6868]' Sockets=2 \
			CoresPerSocket=16 RealMemory=128000)" \
		--set "PartitionName=p100 Nodes=p[1-3]" \
		--set "PartitionName=models Nodes=p[1-3],v[1-2],t1 Default=YES" \
		--set "PartitionName=limit Nodes=p[1-3] MaxMemPerCPU=4000" \
		--set "PartitionName=all Nodes=p[1-3],v[1-2],t1,c[1-2]"
}
