#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Prices that depend on the nodes: bundles by feature, GPUs without a model,
# several models in one job, slices of GPUs, whole nodes and all memory. The
# range is told at submission, what is allocated is charged.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

gpus=gres/gpu,gres/gpu:p100,gres/gpu:v100,gres/gpu:t4
cluster_up --site "$(site nodes)" \
	--set PriorityDecayHalfLife=0 --set PriorityUsageResetPeriod=YEARLY \
	--set "AccountingStorageTRES=$gpus,gres/gpu:a100_2g.10gb,gres/gpu:h100_2g.20gb" \
	--set "NodeName=t4few1 NodeHostname=head Port=6825 CoresPerSocket=16 RealMemory=192000 Gres=gpu:t4:4 Feature=few,skylake" \
	--set "NodeName=t4mid1 NodeHostname=head Port=6826 CoresPerSocket=32 RealMemory=192000 Gres=gpu:t4:4 Feature=new,few,skylake" \
	--set "NodeName=t4many1 NodeHostname=head Port=6827 CoresPerSocket=44 RealMemory=192000 Gres=gpu:t4:4 Feature=many,fewer" \
	--set "NodeName=mig1 NodeHostname=head Port=6828 CoresPerSocket=32 RealMemory=256000 Gres=gpu:a100_2g.10gb:4,gpu:h100_2g.20gb:4" \
	--set "NodeName=mix1 NodeHostname=head Port=6829 CoresPerSocket=32 RealMemory=192000 Gres=gpu:p100:2,gpu:v100:2" \
	--set "NodeName=fat1 NodeHostname=head Port=6830 CoresPerSocket=8 RealMemory=192000" \
	--set "PartitionName=mix Nodes=mix1" \
	--set "PartitionName=fat Nodes=fat1" \
	--set "PartitionName=t4 Nodes=t4few1,t4mid1,t4many1" \
	--set "PartitionName=mig Nodes=mig1" \
	--set "PartitionName=unlike Nodes=gpu1,t4few1,t4many1" \
	--set "PartitionName=whole Nodes=cpu[1-2] OverSubscribe=EXCLUSIVE" \
	--set "PartitionName=all Nodes=cpu[1-2],gpu[1-2]"

said() { # USER OPTIONS...
	local user=$1
	shift
	as "$user" sbatch --test-only "$@" --wrap true 2>&1 |
		sed -n 's/^.*equitree: //p'
}

# ---- What is told -----------------------------------------------------------

is "$(said ada -t60 --mem=1G -p t4 --gpus=t4:1 -n8 -C nosuch)" \
	"no node here has what the request wants of one" \
	"--constraint: what no node has gets no price"

# name, what is told, options
while IFS='|' read -r name want options; do
	read -ra options <<<"$options"
	want=${want//(/\\(} want=${want//)/\\)}
	like "$(said ada -t60 --mem=1G "${options[@]}")" "^$want, " "$name"
done <<'END'
any node: from the best to the worst|cost 1 to 2 GPU-equivalents (the nodes decide)|-p t4 --gpus=t4:1 -n8
--constraint: the nodes that have it|cost 1 to 2 GPU-equivalents (the nodes decide)|-p t4 --gpus=t4:1 -n8 -C few
--constraint: one bundle is left|cost 1 GPU-equivalent (GPUs decide)|-p t4 --gpus=t4:1 -n8 -C new
--constraint: all of a list of features|cost 1.25 GPU-equivalents (cores decide)|-p t4 --gpus=t4:1 -n10 -C few&new
--constraint: none of its words is part of another|cost 1 GPU-equivalent (GPUs decide)|-p t4 --gpus=t4:1 -n8 -C fewer
--constraint: any of some features|cost 1.25 to 2.5 GPU-equivalents (the nodes decide)|-p t4 --gpus=t4:1 -n10 -C new|skylake
--constraint: alternatives in brackets|cost 1 to 1.25 GPU-equivalents (the nodes decide)|-p t4 --gpus=t4:1 -n10 -C [new*1&many*1]
--nodelist: one node|cost 2 GPU-equivalents (cores decide)|-p t4 --gpus=t4:1 -n8 -w t4few1 -N1
--nodelist: others may help without -N|cost 1 to 2 GPU-equivalents (the nodes decide)|-p t4 --gpus=t4:1 -n8 -w t4few1
--nodelist: none helps one task|cost 2 GPU-equivalents (cores decide)|-p t4 --gpus=t4:1 -n1 -c8 -w t4few1
--nodelist: one node, named twice|cost 2 GPU-equivalents (cores decide)|-p t4 --gpus=t4:1 -n8 -w t4few1,t4few[1-1] -N1
--nodelist: but more nodes than it has|cost 2 to 4 GPU-equivalents (the nodes decide)|-p t4 --gres=gpu:t4:1 -n16 -w t4few1 -N2
--exclude|cost 1 GPU-equivalent (GPUs decide)|-p t4 --gpus=t4:1 -n8 -x t4few1
--exclude: all but one, by a range|cost 2 GPU-equivalents (cores decide)|-p t4 --gpus=t4:1 -n8 -x t4many[1-1],t4mid1
a T4 by no model's name|cost 1 to 2 GPU-equivalents (the model decides)|-p t4 --gpus=1 -n8
any of two models|cost 2 to 3.9 GPU-equivalents (the model decides)|-p gpu --gpus=1 -n12
any of two models: by its node|cost 2 GPU-equivalents (cores decide)|-p gpu --gpus=1 -n12 -w gpu1 -N1
any of two models: --gres|cost 2.6 GPU-equivalents (GPUs decide)|-p gpu --gres=gpu:1 -n8 -x gpu1
several models: weights are summed|cost 3.6 GPU-equivalents (GPUs decide)|-p mix --gpus=p100:1,v100:1 -n11
several models: cores cost what the dearest of them do|cost 6.825 GPU-equivalents (cores decide)|-p mix --gres=gpu:p100:1,gpu:v100:1 -n21
untyped GPUs on nodes that are named|cost 2 to 2.8333 GPU-equivalents (the model decides)|-p unlike -w gpu1,t4many1 -N2 --gpus=2 -n17
a slice of a GPU|cost 1.14 GPU-equivalents (GPUs decide)|-p mig --gpus=a100_2g.10gb:1 -n3
slices of another|cost 6.96 GPU-equivalents (GPUs decide)|-p mig --gres=gpu:h100_2g.20gb:2 -n6
slices of both|cost 13.92 GPU-equivalents (cores decide)|-p mig --gres=gpu:a100_2g.10gb:1,gpu:h100_2g.20gb:1 -n12
a slice of any|cost 1.14 to 3.48 GPU-equivalents (the model decides)|-p mig --gpus=1 -n3
OverSubscribe=EXCLUSIVE: the whole node|cost 32 core-equivalents (cores decide)|-p whole -n1
whole nodes: with all their memory|cost 48 core-equivalents (memory decides)|-p fat -n1 --exclusive
OverSubscribe=EXCLUSIVE: two of them|cost 64 core-equivalents (cores decide)|-p whole -N2
all memory|cost 32 core-equivalents (memory decides)|-p cpu -n1 --mem=0
all memory: of the node that is named|cost 4 GPU-equivalents (memory decides)|-p all -w gpu1 --gres=gpu:p100:1 -n1 --mem=0
all memory of nodes that differ|cost 32 to 48 core-equivalents (the nodes decide)|-p all -n1 --mem=0
whole nodes: those that have the GPU|cost 4 GPU-equivalents (GPUs decide)|-p all --gpus=p100:1 -n1 --exclusive
whole nodes that differ, with GPUs and without|cost 4 to 10.4 GPU-equivalents or 32 core-equivalents (the nodes decide)|-p all -n1 --exclusive
whole nodes that differ, but for one|cost 4 GPU-equivalents (GPUs decide)|-p all -w gpu1 -n1 --exclusive
END
like "$(said ada -p t4 --gpus=t4:1 -n8 --mem=1G -t1 --bill=full)" \
	'as gpu:t4 with feature few,new: 1, .*as gpu:t4 with feature few: 2, .*as gpu:t4: 1,' \
	"--bill=full: each bundle with its feature"

# ---- What is charged --------------------------------------------------------

# name, charge a second, options
while IFS='|' read -r name want options; do
	read -ra options <<<"$options"
	before=$(exact_usage chemistry dan)
	id=$(submit dan 2 -t5 "${options[@]}")
	wait_until jobs_ended "$id" || bail "$name: runs" "$(in_cluster squeue)"
	wait_pass
	is "$(exact_usage chemistry dan)" \
		"$(value "$before + $want * $(elapsed "$id")")" \
		"the job is charged: $name"
done <<'END'
few cores to a T4|2|-p t4 -C few -x t4mid1 --gpus=t4:1 -n8 --mem=1G
both features|1|-p t4 -C new --gpus=t4:1 -n8 --mem=1G
no feature that a bundle names|1|-p t4 -C many --gpus=t4:1 -n8 --mem=1G
a T4 by no model's name|2|-p t4 -w t4few1 --gpus=1 -n8 --mem=1G
any of two models: a P100|2|-p gpu -w gpu1 --gpus=1 -n12 --mem=1G
any of two models: a V100|3.9|-p gpu -w gpu2 --gpus=1 -n12 --mem=1G
several models|6.825|-p mix --gpus=p100:1,v100:1 -n21 --mem=1G
any of the models of one node, as it was given|1|-p mix --gpus=1 -n1 --mem=1G
untyped GPUs on nodes that are named|17/6|-p unlike -w gpu1,t4many1 -N2 --gpus=2 -n17 --mem=1G
slices of both|13.92|-p mig --gres=gpu:a100_2g.10gb:1,gpu:h100_2g.20gb:1 -n12 --mem=1G
a slice of any, as it was given|1.14|-p mig --gres=gpu:a100_2g.10gb:1 -n3 --mem=1G
OverSubscribe=EXCLUSIVE|32|-p whole -n1 --mem=1G
a whole node with all its memory|48|-p fat -n1 --exclusive --mem=1G
all memory|32|-p cpu -n1 --mem=0
END

# ---- Reservations -------------------------------------------------------------

reserve() { # NAME FIELDS...
	in_cluster scontrol create reservation ReservationName="$1" Users=ada,dan \
		StartTime=now Duration=60 "${@:2}" >/dev/null
}
reserve one Nodes=t4few1 PartitionName=t4
reserve two Nodes=t4mid1
reserve flex Nodes=t4many1 Flags=FLEX
reserve count NodeCnt=1 PartitionName=all
while IFS='|' read -r name want options; do
	read -ra options <<<"$options"
	want=${want//(/\\(} want=${want//)/\\)}
	told=$(said ada -t60 --mem=1G "${options[@]}")
	like "$told" "^$want, " "$name"
	is "$(as ada "$build/tools/equitree" bill -t60 --mem=1G "${options[@]}" 2>&1 |
		head -n 1)" "$told" "equitree bill says what is told: $name"
done <<'END'
--reservation: its node alone|cost 2 GPU-equivalents (cores decide)|-p t4 --gpus=t4:1 -n8 --reservation=one
--reservation: its partition, where none is named|cost 2 GPU-equivalents (cores decide)|--gpus=t4:1 -n8 --reservation=one
--reservation: the nodes of several|cost 1 to 2 GPU-equivalents (the nodes decide)|-p t4 --gpus=t4:1 -n8 --reservation=one,two
--reservation: a node that --exclude leaves|cost 1 GPU-equivalent (GPUs decide)|-p t4 --gpus=t4:1 -n8 --reservation=one,two -x t4few1
--reservation: jobs may leave one with FLEX|cost 1 to 2 GPU-equivalents (the nodes decide)|-p t4 --gpus=t4:1 -n8 --reservation=flex
--reservation: they may leave one of several|cost 1 to 2 GPU-equivalents (the nodes decide)|-p t4 --gpus=t4:1 -n8 --reservation=one,flex
--reservation: Slurm may replace its node|cost 4 to 10.4 GPU-equivalents or 32 core-equivalents (the nodes decide)|-p all -n1 --exclusive --reservation=count
END
id=$(submit dan 2 -t5 -p t4 --gpus=t4:1 -n8 --mem=1G --reservation=one)
wait_until jobs_ended "$id" || bail "a job of a reservation runs"
wait_pass
like "$(account_of "$id" AllocTRES)" '(^|,)billing=2000(,|$)' \
	"a job of a reservation is billed as it was told"
for name in one two flex count; do
	in_cluster scontrol delete ReservationName="$name"
done

# A feature that is added while slurmctld runs counts for what comes.
in_cluster scontrol update NodeName=t4many1 \
	AvailableFeatures=few ActiveFeatures=few
like "$(said dan -p t4 -w t4many1 -N1 --gpus=t4:1 -n8 --mem=1G)" \
	'^cost 2 GPU-equivalents \(cores decide\)' \
	"a feature that a node is given counts at once"

# So do the nodes that a partition has, from one submission to the next.
# name, nodes, what is told
while IFS='|' read -r name nodes want; do
	in_cluster scontrol update PartitionName=t4 "Nodes=$nodes"
	want=${want//(/\\(} want=${want//)/\\)}
	like "$(said dan -p t4 --gpus=t4:1 -n8 --mem=1G)" "^$want" \
		"a partition's nodes: $name"
done <<'END'
of one bundle|t4mid1|cost 1 GPU-equivalent (GPUs decide)
of another|t4few1|cost 2 GPU-equivalents (cores decide)
of both|t4few1,t4mid1|cost 1 to 2 GPU-equivalents (the nodes decide)
END

# And what slurm.conf says of a node, when it is read again.
t4mid1=(-p t4 -w t4mid1 -N1 --gpus=t4:1 -n8 --mem=1G)
like "$(said dan "${t4mid1[@]}")" 'cost 1 GPU-equivalent \(GPUs decide' \
	"the price on t4mid1 is that of its features in slurm.conf"
sed -i '/^NodeName=t4mid1 /s/Feature=new,few,/Feature=few,/' \
	"$dir/etc/slurm.conf"
in_cluster scontrol reconfigure
like "$(said dan "${t4mid1[@]}")" 'cost 2 GPU-equivalents \(cores decide' \
	"a feature that a reconfigure takes away counts at the next submission"

# Slurm would look up, and log, each of a million names.
like "$(said dan -p t4 -n1 -x 't4few1,x[1-999][1-999]')" \
	'^--exclude: there is no node x11$' \
	"a list with a name that no node has is refused by that name"
like "$(said dan -p t4 -n1 -w 'no\033such')" '^--nodelist: there is no node ' \
	"a name that no node has is refused in --nodelist as well"

no_equitree_errors
done_testing
