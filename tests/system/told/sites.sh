# shellcheck shell=bash disable=SC2154
# SPDX-License-Identifier: GPL-2.0-or-later
# The sites of told.t, each a function that brings its cluster up and names the
# partitions, GPU types, nodes and features that its requests are made of. To be
# sourced after lib.sh.
#
# Nodes are larger than one request of most kinds, and smaller than some.

# What the requests of a site are made of.
partitions=() gpu_types=() nodes=() features=() qos=()
pools= # set where the accounts of a site belong to pools
uncounted= # nodes whose GPUs a job holds though Slurm does not count them

# The options that change an allocation, of which each seed takes a set.
plain_options=(
	"CR_Core_Memory"
	"MaxMemPerCPU=4000 LLN"
	"CR_Core"
	"DefMemPerNode FORCE"
	"MaxMemPerNode CR_LLN"
	"CR_Socket_Memory Boards"
	"CR_Socket AllowSpec"
)
threads_options=(
	"CR_Core_Memory"
	"CR_CPU_Memory"
	"CR_ONE_TASK_PER_CORE"
	"CoreSpecCount MemSpecLimit"
	"CR_CPU"
	"MaxMemPerCPU=2000"
	"CR_Socket_Memory MemSpecLimit AllowSpec"
)
gpus_options=(
	"GPUs"
	"DefCpuPerGPU DefMemPerGPU"
	"MaxMemPerCPU=6000"
	"MinTRESPerJob AllowSpec"
	"CR_Socket_Memory"
)
mixed_options=(
	"pools"
	"CR_Core_Memory"
	"pools MaxMemPerCPU=4000"
	"CoreSpecCount AllowSpec"
	"CR_Socket_Memory pools"
)
linear_options=(
	"CR_Memory"
	"FORCE"
	"MaxMemPerCPU=4000"
)

# Sets options, which site_SITE obeys.
choose_options() { # SITE
	local -n all=${1}_options
	options=${all[${TOLD_OPTIONS:-$seed} % ${#all[@]}]}
	pools='' uncounted=''
}

has_option() { [[ " $options " == *" $1"* ]]; } # WORD

node() { # NAME PORT WORDS...: a line of slurm.conf
	printf 'NodeName=%s NodeHostname=head Port=%s %s' "$1" "$2" "${*:3}"
}

told_up() { # OPTIONS...
	local limit made one
	made=$(site told)
	[[ ! $pools ]] || printf 'pool "%s" { suffix = _%s }\n' cpu cpu gpu gpu \
		>>"$made/equitree.conf"
	has_option MaxMemPerCPU= && limit=${options#*MaxMemPerCPU=} &&
		set -- --set "MaxMemPerCPU=${limit%% *}" "$@"
	has_option CR_ONE &&
		set -- --set "SelectTypeParameters=CR_Core_Memory,CR_ONE_TASK_PER_CORE" "$@"
	has_option CR_LLN &&
		set -- --set "SelectTypeParameters=CR_Core_Memory,CR_LLN" "$@"
	for one in CR_Core CR_CPU CR_CPU_Memory CR_Socket CR_Socket_Memory; do
		[[ " $options " != *" $one "* ]] ||
			set -- --set "SelectTypeParameters=$one" "$@"
	done
	has_option AllowSpec && set -- --set AllowSpecResourcesUsage=yes "$@"
	cluster_up --site "$made" \
		--set PriorityDecayHalfLife=0 \
		--set PriorityUsageResetPeriod=YEARLY \
		--set PriorityParameters=period=1 \
		"$@" \
		"${told_set[@]}"
}

# Nodes of one kind and of two, with and without a limit of memory for a CPU.
site_plain() {
	local lln='' force='' most='' boards=''
	partitions=(alike limit limit limit unlike whole 'alike,unlike')
	gpu_types=() nodes=('c1' 'c[1-2]' 'b1') features=(small big 'small|big')
	has_option LLN && lln=' LLN=YES'
	has_option FORCE && force=' OverSubscribe=FORCE:2'
	has_option MaxMemPerNode && most=' MaxMemPerNode=33000'
	has_option Boards && boards='Boards=2 SocketsPerBoard=1'
	has_option DefMemPerNode && set -- "$@" --set \
		"PartitionName=DEFAULT DefMemPerNode=9000 DefaultTime=1:00:00 MaxTime=7-00:00:00"
	told_up --set "$(node 'c[1-4]' '[6861-6864]' "${boards:-Sockets=2}" \
		CoresPerSocket=8 RealMemory=64000 Feature=small)" \
		--set "$(node 'b[1-2]' '[6865-6866]' Sockets=2 \
			CoresPerSocket=16 RealMemory=256000 Feature=big)" \
		--set "PartitionName=alike Nodes=c[1-4] Default=YES$lln$force$most" \
		--set "PartitionName=limit Nodes=c[1-4] MaxMemPerCPU=4000" \
		--set "PartitionName=unlike Nodes=c[1-4],b[1-2]$lln$most" \
		--set "PartitionName=whole Nodes=c[1-4] OverSubscribe=EXCLUSIVE" \
		"$@"
}

# Two threads of a core, alone and beside nodes without.
site_threads() {
	local kept=''
	partitions=(ht ht limit mixed whole)
	gpu_types=() nodes=('h1' 'h[1-2]') features=()
	has_option CoreSpecCount && kept='CoreSpecCount=2 MemSpecLimit=4000'
	has_option CR_Socket && kept=MemSpecLimit=4000
	told_up --set "$(node 'h[1-4]' '[6861-6864]' Sockets=2 \
		CoresPerSocket=8 ThreadsPerCore=2 RealMemory=64000 "$kept")" \
		--set "$(node 'c[1-2]' '[6865-6866]' Sockets=2 \
			CoresPerSocket=8 RealMemory=64000 "$kept")" \
		--set "PartitionName=ht Nodes=h[1-4] Default=YES" \
		--set "PartitionName=limit Nodes=h[1-4] MaxMemPerCPU=2000" \
		--set "PartitionName=mixed Nodes=h[1-4],c[1-2]" \
		--set "PartitionName=whole Nodes=h[1-4] OverSubscribe=EXCLUSIVE"
}

gpu_tres=gres/gpu,gres/gpu:p100,gres/gpu:v100,gres/gpu:t4,gres/gpu:h100,gres/gpu:h100_1g.10gb

# GPUs of three models and slices of a fourth, two to a node of another size, and
# nodes without.
site_gpus() {
	local defaults=''
	partitions=(p100 models models all limit mig)
	gpu_types=(p100 v100 t4 h100 h100_1g.10gb)
	nodes=('p1' 'p[1-2]' 'v1' 'p1,t1') features=()
	has_option DefCpuPerGPU && defaults=' DefCpuPerGPU=3 DefMemPerGPU=16000'
	has_option MinTRESPerJob && qos=(four)
	told_up --set "AccountingStorageTRES=$gpu_tres" \
		--set "$(node 'p[1-3]' '[6861-6863]' Sockets=2 \
			CoresPerSocket=12 RealMemory=128000 Gres=gpu:p100:4)" \
		--set "$(node 'v[1-2]' '[6864-6865]' Sockets=2 \
			CoresPerSocket=16 RealMemory=192000 Gres=gpu:v100:4)" \
		--set "$(node t1 6866 Sockets=2 CoresPerSocket=8 \
			RealMemory=64000 Gres=gpu:t4:8)" \
		--set "$(node 'c[1-2]' '[6867-6868]' Sockets=2 \
			CoresPerSocket=16 RealMemory=128000)" \
		--set "$(node 'm[1-2]' '[6869-6870]' Sockets=2 \
			CoresPerSocket=16 RealMemory=256000 \
			Gres=gpu:h100:2,gpu:h100_1g.10gb:14)" \
		--set "PartitionName=p100 Nodes=p[1-3]$defaults" \
		--set "PartitionName=models Nodes=p[1-3],v[1-2],t1 Default=YES$defaults" \
		--set "PartitionName=limit Nodes=p[1-3] MaxMemPerCPU=4000" \
		--set "PartitionName=mig Nodes=m[1-2]$defaults" \
		--set "PartitionName=all Nodes=p[1-3],v[1-2],t1,c[1-2]"
}

# Partitions of cores and of GPUs, which a request names together.
site_mixed() {
	local kept=''
	partitions=(cores gpus ht 'cores,gpus' 'gpus,cores' 'cores,ht' 'limit,cores' 'whole,gpus' all)
	gpu_types=(p100 v100) nodes=('c1' 'p1' 'h[1-2]') features=(gpu)
	has_option CoreSpecCount && kept='CoreSpecCount=2 MemSpecLimit=2000'
	has_option pools && pools=1
	told_up --set "AccountingStorageTRES=$gpu_tres" \
		--set "$(node 'c[1-3]' '[6861-6863]' Sockets=2 \
			CoresPerSocket=8 RealMemory=64000 "$kept")" \
		--set "$(node 'p[1-2]' '[6864-6865]' Sockets=2 \
			CoresPerSocket=12 RealMemory=128000 Gres=gpu:p100:4 \
			Feature=gpu "$kept")" \
		--set "$(node v1 6866 Sockets=2 CoresPerSocket=16 \
			RealMemory=192000 Gres=gpu:v100:4 Feature=gpu)" \
		--set "$(node 'h[1-2]' '[6867-6868]' Sockets=2 \
			CoresPerSocket=8 ThreadsPerCore=2 RealMemory=64000)" \
		--set "PartitionName=cores Nodes=c[1-3] Default=YES" \
		--set "PartitionName=gpus Nodes=p[1-2],v1" \
		--set "PartitionName=ht Nodes=h[1-2]" \
		--set "PartitionName=limit Nodes=c[1-3] MaxMemPerCPU=3000" \
		--set "PartitionName=whole Nodes=c[1-3] OverSubscribe=EXCLUSIVE" \
		--set "PartitionName=all Nodes=c[1-3],p[1-2],v1,h[1-2]"
}

# Whole nodes alone.
site_linear() {
	local force=''
	uncounted='^p'
	partitions=(alike alike unlike gpus)
	gpu_types=(p100) nodes=('c1' 'p1') features=()
	has_option FORCE && force=' OverSubscribe=FORCE:2'
	told_up --set SelectType=select/linear \
		--set SelectTypeParameters=CR_Memory \
		--set "AccountingStorageTRES=$gpu_tres" \
		--set "$(node 'c[1-4]' '[6861-6864]' Sockets=2 \
			CoresPerSocket=8 RealMemory=64000)" \
		--set "$(node 'b[1-2]' '[6865-6866]' Sockets=2 \
			CoresPerSocket=8 ThreadsPerCore=2 RealMemory=256000)" \
		--set "$(node 'p[1-2]' '[6867-6868]' Sockets=2 \
			CoresPerSocket=12 RealMemory=128000 Gres=gpu:p100:4)" \
		--set "PartitionName=alike Nodes=c[1-4] Default=YES$force" \
		--set "PartitionName=unlike Nodes=c[1-4],b[1-2]" \
		--set "PartitionName=gpus Nodes=p[1-2]"
}
