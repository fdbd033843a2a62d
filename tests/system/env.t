#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The price in the environment of a job: batch scripts, srun, salloc, arrays
# and heterogeneous jobs see the price that the submission was told, whatever
# the user had in these variables, and what is charged does not depend on them.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

cluster_up --site "$(site rules)" \
	--set PriorityDecayHalfLife=0 --set PriorityUsageResetPeriod=YEARLY \
	--set "NodeName=t4few1 NodeHostname=head Port=6826 CoresPerSocket=16 RealMemory=192000 Gres=gpu:t4:4" \
	--set "NodeName=t4many1 NodeHostname=head Port=6827 CoresPerSocket=44 RealMemory=192000 Gres=gpu:t4:4" \
	--set "AccountingStorageTRES=gres/gpu,gres/gpu:p100,gres/gpu:v100,gres/gpu:t4" \
	--set "PartitionName=t4 Nodes=t4few1,t4many1" \
	--set "PartitionName=express Nodes=cpu[1-2]" \
	--set "PartitionName=mixed Nodes=cpu[1-2],gpu2" \
	--set "PartitionName=p100 Nodes=gpu1"

# What a job prints to tell its variables, and one line of them.
show='env | grep ^EQUITREE_ | LC_ALL=C sort'
vars() { # PRICE[-MAX] UNIT DECIDED RATE[-MAX] BILLING
	echo "BILLING=$5 CURRENCY= DECIDED_BY=$3 MONEY_RATE= PRICE=${1%-*} PRICE_MAX=${1#*-}" \
		"RATE=${4%-*} RATE_MAX=${4#*-} UNIT=$2-equivalents"
}
one_line() { sed 's/^EQUITREE_//' | tr '\n' ' ' | sed 's/ $//'; }

batch_of() { # USER OPTIONS...: the id; its output is in the user's home
	local user=$1
	shift
	as "$user" sbatch --parsable -o "$dir/home/$user/%j.out" "$@" \
		--wrap "$show; echo end" 2>>"$work/sbatch.err"
}
has_ended() { grep -qs '^end$' "$1"; }
said_by() { # USER ID
	wait_until has_ended "$dir/home/$1/$2.out"
	grep -v '^end$' "$dir/home/$1/$2.out" | one_line
}
batch() { said_by "$1" "$(batch_of "$@")"; } # USER OPTIONS...

# ---- Every way to start a job -----------------------------------------------

two_and_half=(-n2 --mem=10000M -t10)
want=$(vars 2.5 core memory 2.5 2500)
is "$(batch ada "${two_and_half[@]}")" "$want" "a batch script"
is "$(as ada srun -N1 "${two_and_half[@]}" sh -c \
	"[ \$SLURM_PROCID = 1 ] || $show" 2>/dev/null | one_line)" "$want" \
	"a step of srun's own job"
is "$(as ada salloc "${two_and_half[@]}" sh -c "$show" 2>/dev/null | one_line)" \
	"$want" "what salloc starts"
is "$(as ada salloc "${two_and_half[@]}" srun -n1 sh -c "$show" 2>/dev/null |
	one_line)" "$want" "a step within salloc"
id=$(as ada sbatch --parsable -o "$dir/home/ada/step.out" "${two_and_half[@]}" \
	--wrap "srun -n1 sh -c '$show'; echo end" 2>>"$work/sbatch.err")
wait_until has_ended "$dir/home/ada/step.out"
is "$(grep -v '^end$' "$dir/home/ada/step.out" | one_line)" "$want" \
	"a step within a batch script"
is "$(batch ada --export=NONE "${two_and_half[@]}")" "$want" \
	"a batch script without the user's environment"
is "$(as ada srun -N1 -n1 --export=NONE --mem=10000M /bin/sh -c \
	"PATH=/usr/bin:/bin; $show" 2>/dev/null | one_line)" "" \
	"srun --export=NONE passes on none"

# ---- What the user brings along ---------------------------------------------

forged() { # COMMAND...: with variables of the user's own
	as ada env EQUITREE_PRICE=0 EQUITREE_RATE=0 EQUITREE_BILLING=0 \
		EQUITREE_PRICE_MAX=0 SLURM_SPANK_EQUITREE_PRICE=0 "$@"
}
wait_pass
before=$(exact_usage physics ada)
id=$(forged sbatch --parsable -o "$dir/home/ada/forged.out" "${two_and_half[@]}" \
	--wrap "$show; echo end; sleep 2" 2>>"$work/sbatch.err")
wait_until has_ended "$dir/home/ada/forged.out"
is "$(grep -v '^end$' "$dir/home/ada/forged.out" | one_line)" "$want" \
	"a batch script sees the true price"
wait_until jobs_ended "$id"
wait_pass
is "$(exact_usage physics ada)" \
	"$(value "$before + 2.5 * $(elapsed "$id")")" "the price of the environment is charged"
like "$(account_of "$id" AllocTRES)" 'billing=2500(,|$)' \
	"the billing TRES is the price of the environment"
is "$(forged srun -N1 -n1 --mem=10000M sh -c "$show" 2>/dev/null | one_line)" \
	"$want" "srun: the true price"
is "$(forged salloc -n1 --mem=10000M sh -c "$show" 2>/dev/null | one_line)" \
	"$want" "salloc: the true price"
is "$(as ada salloc -n1 --mem=10000M sh -c \
	"EQUITREE_PRICE=0 srun sh -c '$show'" 2>/dev/null | one_line)" "$want" \
	"srun within salloc: the true price"
is "$(batch ada --export=ALL,EQUITREE_PRICE=0,EQUITREE_RATE=0 \
	"${two_and_half[@]}")" "$want" "sbatch --export: the true price"

# ---- Rules, whole nodes, GPUs, arrays ---------------------------------------

while IFS='|' read -r name user want options; do
	read -ra options <<<"$options"
	read -ra shown <<<"$want"
	want=$(vars "${shown[@]}")
	is "$(batch "$user" "${options[@]}")" "$want" "sbatch sets the variables of: $name"
	is "$(as "$user" salloc "${options[@]}" sh -c "$show" 2>/dev/null |
		one_line)" "$want" "salloc sets the variables of: $name"
done <<'END'
factors of partition and QOS are in the rate|ada|2.5 core memory 3.75 3750|-p express -q half -n2 --mem=10000M
a queue that is free|cleo|2 core cores 0 0|-q bonus -n2
UsageFactor is in the rate, not in billing|ada|2 core cores 4 2000|-q double -n2
the default QOS|xyz789|2 core cores 1 1000|-n2
tasks of several cores|ada|6 core cores 6 6000|-n2 -c3
tasks of a node|ada|4 core cores 4 4000|-N2 --ntasks-per-node=2
a whole node|ada|32 core cores 32 32000|--exclusive
all memory|ada|32 core memory 32 32000|-n1 --mem=0
memory for each CPU|ada|4 core memory 4 4000|-n2 --mem-per-cpu=8000M
a bundle of the node|dan|2 GPU cores 2 2000|-p t4 -w t4few1 -N1 --gpus=t4:1 -n8 --mem=1G
a GPU|dan|1.5 GPU cores 1.5 1500|-p p100 --gpus=p100:1 -n9 --mem=1000M
GPUs by tasks|dan|2 GPU GPUs 2 2000|-p p100 -n2 --gpus-per-task=1 --mem=1000M
cores among GPUs|dan|0.5 GPU cores 0.5 500|-p gpu -t10 -n3 --mem=1000M
END

# Where the allocation decides, the variables say between what.
is "$(batch dan -p t4 --gpus=t4:1 -n8 --mem=1G)" "$(vars 1-2 GPU GPUs 1-2 1000)" \
	"the nodes decide: the least and the most"
is "$(batch dan -p cpu,express -n1 --mem=1G)" "$(vars 1 core cores 1-3 1000)" \
	"the partition decides"
is "$(batch dan -p mixed --exclusive)" "$(vars 32- core cores 32- 32000)" \
	"whole nodes that differ: the least, and no most"

id=$(as ada sbatch --parsable -a 1-2 -o "$dir/home/ada/%A_%a.out" -n3 \
	--wrap "$show; echo end" 2>>"$work/sbatch.err")
for task in 1 2; do
	is "$(said_by ada "${id}_$task")" "$(vars 3 core cores 3 3000)" \
		"task $task of an array: the price of one"
done

het=(-N1 -n1 --mem=4000M -t5 : -N1 -n2 --mem=12000M -t5)
is "$(as ada srun "${het[@]}" sh -c "$show" 2>/dev/null |
	sort -u | one_line)" "$(vars 1 core cores 1 1000)" \
	"srun of a heterogeneous job: its first component"
is "$(as ada salloc "${het[@]}" sh -c "$show" 2>/dev/null |
	grep -E '^EQUITREE_(PRICE|UNIT)_' | grep -vE 'MAX|PACK' | tr '\n' ' ')" \
	"EQUITREE_PRICE_HET_GROUP_0=1 EQUITREE_PRICE_HET_GROUP_1=3 EQUITREE_UNIT_HET_GROUP_0=core-equivalents EQUITREE_UNIT_HET_GROUP_1=core-equivalents " \
	"salloc: each component of a heterogeneous job"
id=$(as ada sbatch --parsable -o "$dir/home/ada/%j.out" "${het[@]}" \
	--wrap "$show; echo end" 2>>"$work/sbatch.err")
is "$(said_by ada "$id")" "$(vars 1 core cores 1 1000)" \
	"the script of a heterogeneous job: its first component"

# ---- What the job asks for, in slurmctld's texts ------------------------------

# With names, as scontrol tells it of a job that waits, and with numbers, as
# slurmdbd has it: the price is in both, and nothing else is another.
asked() { # ID
	in_cluster scontrol show job "$1" -o |
		sed -nE 's/.* (Req)?TRES=([^ ]*).*/\2/p'
}
in_order() { tr , '\n' | LC_ALL=C sort | tr '\n' ' '; }
stored_is() { # ID TRES
	[[ $(account_of "$1" ReqTRES | in_order) == "$(in_order <<<"$2")" ]]
}
billed() { # ID TRES NAME
	is "$(asked "$1")" "$2" "TRES of $3"
}

partitions_are() { # STATE
	local partition
	for partition in cpu p100; do
		in_cluster scontrol update "partitionname=$partition" "state=$1"
	done
}

partitions_are down # so that nothing starts
while IFS='|' read -r name user named stored options; do
	read -ra options <<<"$options"
	id=$(batch_of "$user" "${options[@]}")
	billed "$id" "$named" "$name"
	ok "sacct's of $name" wait_until stored_is "$id" "$stored"
	as "$user" scancel "$id"
done <<'END'
cores and memory|ada|cpu=2,mem=10000M,node=1,billing=2500|cpu=2,mem=10000M,node=1,billing=2500|-n2 --mem=10000M
memory in another unit|ada|cpu=3,mem=8G,node=1,billing=3000|cpu=3,mem=8192M,node=1,billing=3000|-n3 --mem=8G
GPUs of a model|dan|cpu=9,mem=1000M,node=1,billing=1500,gres/gpu=1,gres/gpu:p100=1|cpu=9,mem=1000M,node=1,billing=1500,gres/gpu=1,gres/gpu:p100=1|-p p100 --gpus=p100:1 -n9 --mem=1000M
a job that is free|cleo|cpu=2,mem=1000M,node=1|cpu=2,mem=1000M,node=1|-q bonus -n2 --mem=1000M
END

id=$(batch_of ada -n12 --mem=1000M)
billed "$id" cpu=12,mem=1000M,node=1,billing=12000 "five digits"
in_cluster scontrol update "jobid=$id" qos=half
billed "$id" cpu=12,mem=1000M,node=1,billing=6000 "four after them"
in_cluster scontrol update "jobid=$id" qos=normal
billed "$id" cpu=12,mem=1000M,node=1,billing=12000 "five again"
in_cluster scontrol update "jobid=$id" minmemorynode=100000
billed "$id" cpu=12,mem=100000M,node=1,billing=25000 "a job that asks for more"
as ada scancel "$id"
id=$(batch_of cleo -q bonus -n2 --mem=1000M)
in_cluster scontrol update "jobid=$id" qos=normal
billed "$id" cpu=2,mem=1000M,node=1,billing=2000 "a job that is free no more"
as cleo scancel "$id"
id=$(batch_of ada --hold "${two_and_half[@]}")
billed_soon() { [[ $(asked "$id") == "$1" ]]; }
ok "a held job's TRES have its price after a pass" \
	wait_until billed_soon cpu=2,mem=10000M,node=1,billing=2500
as ada scancel "$id"
partitions_are up

# ---- Later ------------------------------------------------------------------

id=$(batch_of ada --hold "${two_and_half[@]}")
in_cluster scontrol update "jobid=$id" minmemorynode=16000
in_cluster scontrol release "$id"
is "$(said_by ada "$id")" "$(vars 4 core memory 4 4000)" \
	"a job that was updated has its new price"

id=$(batch_of ada --begin=now+3600 "${two_and_half[@]}")
daemon restart slurmctld || bail "slurmctld starts again"
in_cluster scontrol update "jobid=$id" starttime=now
is "$(said_by ada "$id")" "$(vars 2.5 core memory 2.5 2500)" \
	"the price is there after slurmctld started again"

no_equitree_errors

# A request without a price has none of the user's either.
sed -i '/bundle "gpu:v100"/,/}/d; s/,gpu:v100//' "$dir/etc/equitree.conf"
in_cluster scontrol reconfigure
is "$(forged sbatch --parsable -p gpu --gres=gpu:v100:1 --mem=1G -n1 -t1 \
	-o "$dir/home/ada/none.out" --wrap "$show; echo end" 2>/dev/null |
	grep -c '^[0-9]*$')" 1 "a request that has no price is taken"
wait_until has_ended "$dir/home/ada/none.out"
is "$(grep -v '^end$' "$dir/home/ada/none.out" | one_line)" \
	"BILLING= CURRENCY= DECIDED_BY= MONEY_RATE= PRICE= PRICE_MAX= RATE= RATE_MAX= UNIT=" \
	"a job that has no price has empty variables"

# Without the plugin there is nothing.
cluster purge
cluster_up --stock
is "$(batch ada "${two_and_half[@]}")" "" "without the plugins: no variable"
done_testing
