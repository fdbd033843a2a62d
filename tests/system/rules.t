#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The rules of equitree.conf on a live cluster: what they make of a price, of
# a submission and of its account, and that message, billing, sacct and usage
# tell the same number.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

# Without decay usage is plain arithmetic.
cluster_up --site "$(site rules)" \
	--set PriorityDecayHalfLife=0 --set PriorityUsageResetPeriod=YEARLY \
	--set "NodeName=ht1 NodeHostname=head Port=6825 Sockets=1 CoresPerSocket=8 ThreadsPerCore=2 RealMemory=64000" \
	--set "NodeName=thin1 NodeHostname=head Port=6828 CPUs=1 Sockets=1 CoresPerSocket=1 ThreadsPerCore=2 RealMemory=64000" \
	--set "NodeName=t4few1 NodeHostname=head Port=6826 CoresPerSocket=16 RealMemory=192000 Gres=gpu:t4:4" \
	--set "NodeName=t4many1 NodeHostname=head Port=6827 CoresPerSocket=44 RealMemory=192000 Gres=gpu:t4:4" \
	--set "AccountingStorageTRES=gres/gpu,gres/gpu:p100,gres/gpu:v100,gres/gpu:t4" \
	--set "PartitionName=t4 Nodes=t4few1,t4many1" \
	--set "PartitionName=express Nodes=cpu[1-2]" \
	--set "PartitionName=strict Nodes=cpu[1-2]" \
	--set "PartitionName=limited Nodes=cpu[1-2] MaxMemPerCPU=2000" \
	--set "PartitionName=p100 Nodes=gpu1" \
	--set "PartitionName=ht Nodes=ht1" \
	--set "PartitionName=thin Nodes=thin1"

# What the plugin says of a submission that runs nothing.
said() { # USER OPTIONS...
	local user=$1
	shift
	as "$user" sbatch --test-only "$@" --wrap true 2>&1 |
		grep -F 'equitree: '
}
tool() { in_cluster "$build/tools/equitree" "$@" 2>&1; }

# ---- Factors, bundles and hyper-threads: one number everywhere --------------

# user, account, price told, unit, charge a second, name, options
table="
ada|physics|2.5|core|7.5|a partition's factor|-p express -n2 --mem=10000M
ada|physics|2.5|core|1.25|a QOS has a factor|-p cpu -q half -n2 --mem=10000M
ben|physics|2.5|core|3.75|factors of partition and QOS multiply|-p express -q half -n2 --mem=10000M
cleo|chemistry|2|core|0|a factor of 0 is free|-q bonus -n2
xyz789|bloggs.prj|2|core|1|a QOS by default has its factor|-n2
dan|chemistry|0.5|GPU|0.5|cores among GPUs|-p gpu -t10 -n3 --mem=1000M
dan|chemistry|1.5|GPU|1.5|any GPU where one model is|-p p100 --gpus=1 -n9 --mem=1000M
dan|chemistry|3|core|3|cores that hold among GPUs|-p p100 -n3 --mem=1000M
abc123|bloggs.prj|2|core|2|hyper-threads: two to a core|-p ht -n3 --mem=1000M
abc123|bloggs.prj|4|core|4|hyper-threads: memory of all CPUs|-p ht -n3
abc123|bloggs.prj|4|core|4|hyper-threads: one a core|-p ht -n4 --mem=1000M --threads-per-core=1
abc123|bloggs.prj|3|core|3|hyper-threads: a core for each task|-p ht -n3 --mem=1000M --ntasks-per-core=1
abc123|bloggs.prj|16|core|16|hyper-threads: a whole node, which has more memory|-p ht -n1 --mem=1000M --exclusive
abc123|bloggs.prj|1|core|1|hyper-threads: a node with fewer CPUs than a core has|-p thin -n1 --mem=1000M
"

declare -A sum
rows=() ids=()
while IFS= read -r row; do
	[[ $row ]] && rows+=("$row")
done <<<"$table"
for row in "${rows[@]}"; do
	IFS='|' read -r user account price unit charge name options <<<"$row"
	read -ra options <<<"$options"
	like "$(said "$user" "${options[@]}")" \
		"equitree: (cost $price $unit-equivalents? \\([A-Za-z]* decides?\\)|free)" \
		"$name: the user is told $price $unit-equivalents"
	ids+=("$(submit "$user" 2 "${options[@]}")")
	[[ ${ids[-1]} ]] ||
		bail "$name: it is submitted" "$(cat "$work/sbatch.err")"
done
wait_until jobs_ended "$(IFS=, && echo "${ids[*]}")" ${#ids[@]} ||
	bail "the jobs run" "$(in_cluster squeue)"
wait_pass || bail "a pass saves its results"
for i in "${!rows[@]}"; do
	IFS='|' read -r user account price unit charge name options \
		<<<"${rows[i]}"
	want=billing=$(value "1000 * $charge")
	got=$(account_of "${ids[i]}" AllocTRES | tr , '\n' | grep billing)
	# Slurm does not show what is 0.
	is "${got:-billing=0}" "$want" "$name: sacct has $want"
	sum[$account $user]+=" + $charge * $(elapsed "${ids[i]}")"
done
for owner in "${!sum[@]}"; do
	read -r account user <<<"$owner"
	is "$(exact_usage "$account" "$user")" "$(value "0${sum[$owner]}")" \
		"$user is charged what was told"
done

like "$(said ada -p express -q half -n2)" \
	'×3 in partition express ×0.5 in QOS half, 3 h for ' \
	"factors are told by name, and the charge of the time limit"
like "$(said ada -p cpu,express -n2)" \
	'cost 2 to 6 core-equivalents \(the partition and its factor decide\), 2 to 6 h for ' \
	"of several partitions the range of what they charge is told"

# UsageFactor multiplies what is charged, once.
like "$(said ben -p express -q double -n1 -t60)" \
	'equitree: cost 1 core-equiv.* ×3 in partition express ×2 by UsageFactor of QOS double, 6 h for 1:00:00' \
	"Slurm's UsageFactor is told, and what comes of it"
id=$(submit ben 2 -p express -q double -n1)
before=$(exact_usage physics ben)
wait_until jobs_ended "$id"
wait_pass
is "$(exact_usage physics ben)" "$(value "$before + 3 * 2 * $(elapsed "$id")")" \
	"Slurm's UsageFactor is on top of the partition's"
like "$(account_of "$id" AllocTRES)" "billing=3000(,|\$)" \
	"the UsageFactor of a QOS is not in the billing TRES"

# ---- Bundles of nodes -------------------------------------------------------

like "$(said dan -p t4 --gpus=t4:1 -n8 --mem=1G)" \
	'equitree: cost 1 to 2 GPU-equivalents \(the nodes decide\)' \
	"a model with two bundles: the range is told"
# name, charge a second, options
while IFS='|' read -r name charge options; do
	read -ra options <<<"$options"
	before=$(exact_usage chemistry dan)
	id=$(submit dan 2 -p t4 "${options[@]}")
	wait_until jobs_ended "$id"
	wait_pass
	is "$(exact_usage chemistry dan)" \
		"$(value "$before + $charge * $(elapsed "$id")")" \
		"a model with two bundles: $name"
done <<'END'
that of the node is charged|2|-w t4few1 --gpus=t4:1 -n8 --mem=1G
that of all other nodes is charged|1|-w t4many1 --gpus=t4:1 -n8 --mem=1G
GPUs of any model|2|-w t4few1 --gpus=1 -n8 --mem=1G
each node brings its own|32/15|-N2 --gpus-per-node=t4:1 -n16 --ntasks-per-node=8 --mem=1G
END

# ---- Requirements and caps --------------------------------------------------

is "$(said ada -p strict -n1 --mem=1G)" \
	"sbatch: error: equitree: partition strict wants --time" \
	"sbatch: a time limit is wanted"
is "$(said ada -p strict -t1 --mem=1G)" \
	"sbatch: error: equitree: partition strict wants --ntasks or --cpus-per-task" \
	"sbatch: cores are wanted"
is "$(said ada -p strict -t1 -n1)" \
	"sbatch: error: equitree: partition strict wants --mem (or --mem-per-cpu, --mem-per-gpu)" \
	"sbatch: memory is wanted"
is "$(said ada -p cpu,strict -n1 --mem=1G)" \
	"sbatch: error: equitree: partition strict wants --time" \
	"sbatch: each of several partitions has its say"
like "$(said ada -p limited -n1 --mem=6000M)" "equitree: cost 3 core-equivalents " \
	"MaxMemPerCPU makes three CPUs of 6000M, which max allows"
like "$(said ada -p limited -n1 --mem=6001M)" "error: equitree: 4 core-equivalents are more than the 3 of one job in partition limited" \
	"MaxMemPerCPU makes four CPUs of 6001M, which max refuses"
like "$(said ada -p strict -n1 -t1 --mem=1G)" "equitree: cost 1 core-equivalent " \
	"what says all is taken"
like "$(as ada salloc -p strict -n1 --mem=1G true 2>&1)" \
	"salloc: error: equitree: partition strict wants --time" \
	"salloc is refused"
like "$(as ada srun -p strict -n1 --mem=1G true 2>&1)" \
	"srun: error: equitree: partition strict wants --time" \
	"srun is refused"
ok "what says all runs" as ada srun -p strict -n1 -t1 --mem=1G true
is "$(said ada -p strict -t1 -n1 --mem=12001M)" \
	"sbatch: error: equitree: 3.0003 core-equivalents are more than the 3 of one job in partition strict" \
	"a cap is refused with the number and the cap"
like "$(said ada -p strict -t1 -N1 -n3 --mem=12000M)" "equitree: cost 3 core" \
	"a request at the cap is taken"
is "$(said ada -p strict -t1 -N1-2 -n2 --mem=8000M)" \
	"sbatch: error: equitree: 4 core-equivalents are more than the 3 of one job in partition strict" \
	"a cap is compared with what the most nodes of a range cost"
like "$(said dan -p p100,gpu -t1 -n1 --mem=1G --gpus=v100:1)" \
	'equitree: cost [0-9.]+ GPU-equivalents? ' \
	"a job that has no price in its first partition has that of the next"
is "$(said dan -p p100,gpu -t1 -n1 --mem=1G --gpus=v100:3)" \
	"$(said dan -p gpu -t1 -n1 --mem=1G --gpus=v100:3)" \
	"a cap holds for a job that has no price in its first partition"
is "$(said dan -p gpu -t1 --gpus=3)" \
	"sbatch: error: equitree: 3 GPU-equivalents are more than the 2 of one job in partition gpu" \
	"a cap of GPUs"

# ---- The command ------------------------------------------------------------

bill() { as dan "$build/tools/equitree" bill "$@" 2>&1; } # OPTIONS...

like "$(bill -p express -q half -n2 --mem=10000M -t60)" \
	'cost 2.5 core-equivalents \(memory decides\) ×3 in partition express ×0.5 in QOS half, 3.75 h' \
	"equitree bill: the rules of -p and -q hold"
like "$(bill -p express -q double -n1 --mem=1G -t60)" \
	' ×3 in partition express ×2 by UsageFactor of QOS double, 6 h' \
	"equitree bill: it asks for the UsageFactor"
is "$(bill -p strict -n2 --mem=10000M)" \
	"equitree bill: partition strict wants --time" \
	"equitree bill: what is missing"
is "$(bill --json -p express -n2 --mem=10000M |
	grep -E '^ *"(charge|billing)":' | tr -d ' \n')" \
	'"charge":7.5,"billing":7500,' \
	"equitree bill: the charge as JSON"

in_cluster scontrol update PartitionName=express DefaultTime=UNLIMITED MaxTime=UNLIMITED
like "$(said ada -p express -n1 --mem=1G -a 1-3)" \
	'equitree: cost 1 core-equivalent a task \(cores decide\), 3 tasks: 3 ×3 in partition express' \
	"the sum of an array is told before the factor that it does not have"

# ---- Pools ------------------------------------------------------------------

account_used() { # USER OPTIONS...: the account of a job that is submitted
	local id
	id=$(submit "$1" 0 --hold "${@:2}")
	job_field "$id" Account
	in_cluster scancel "$id"
}
gpus=(-p p100 --gpus=1)
is "$(account_used eve -n1)" def-x_cpu "the default account fits"
is "$(account_used eve "${gpus[@]}")" def-x_gpu \
	"GPUs: the default account's pool is corrected"
is "$(account_used eve -A def-x "${gpus[@]}")" def-x_gpu \
	"GPUs: a name without a pool goes to that of the GPUs"
is "$(account_used eve -A def-x --gres=gpu:1 -p p100)" def-x_gpu \
	"GPUs: however they are asked for"
is "$(account_used eve -A Def-X -n1)" def-x_cpu \
	"CPUs: a name without a pool, in capitals"
is "$(account_used eve -A def-x_gpu "${gpus[@]}")" def-x_gpu \
	"GPUs: the right account stays"
is "$(account_used fay -A def-y "${gpus[@]}")" def-y_gpu \
	"GPUs: another group's"
is "$(account_used hal "${gpus[@]}")" staff "an account outside pools stays"
is "$(account_used eve -p gpu -t1 -n1)" def-x_gpu \
	"cores that are priced as GPUs belong to their pool"
like "$(said eve -A def-x "${gpus[@]}")" "equitree: charged to account def-x_gpu" \
	"the user is told which account it is"
is "$(said eve -A def-x_cpu "${gpus[@]}")" \
	"sbatch: error: equitree: account def-x_cpu is not for GPUs, which the job asks for; your accounts for GPUs: def-x_gpu" \
	"the wrong pool by name is refused"
is "$(said eve -A def-y "${gpus[@]}")" \
	"sbatch: error: equitree: you may not use account def-y_gpu; your accounts for GPUs: def-x_gpu" \
	"an account of others is refused"
is "$(said eve -A def-y_gpu "${gpus[@]}")" \
	"sbatch: error: equitree: you may not use account def-y_gpu; your accounts for GPUs: def-x_gpu" \
	"by its whole name, too"
is "$(said fay -n1)" \
	"sbatch: error: equitree: you may not use account def-y_cpu; no account for CPUs belongs to that name or to your default account" \
	"who has no account of a pool is told so"
is "$(said eve -A nosuch -n1)" \
	"sbatch: error: equitree: you may not use account nosuch; your accounts for CPUs: def-x_cpu" \
	"an account that does not exist is refused"
is "$(said eve -A staff -n1)" \
	"sbatch: error: equitree: you may not use account staff; your accounts for CPUs: def-x_cpu" \
	"an account that only others have is refused"
isnt "$(said eve -A $'def-x\e[31m' -n1 | tr -dc '\e')" $'\e' \
	"no control character comes back"

# ---- Suspended jobs ---------------------------------------------------------

state_for() { # ID STATE SECONDS
	wait_until job_is "$1" "$2"
	sleep "$3"
}
before=$(exact_usage physics ada)
long=$(submit ada 14 -n1)
cancelled=$(submit ada 60 -n1)
state_for "$long" RUNNING 2
in_cluster scontrol suspend "$long,$cancelled"
state_for "$long" SUSPENDED 5
in_cluster scontrol resume "$long,$cancelled"
state_for "$long" RUNNING 1
in_cluster scontrol suspend "$long,$cancelled"
state_for "$long" SUSPENDED 1
in_cluster scontrol resume "$long"
state_for "$long" RUNNING 1
in_cluster scancel "$cancelled"
wait_until jobs_ended "$long,$cancelled" 2
wait_pass
is "$(exact_usage physics ada)" \
	"$(value "$before + $(elapsed "$long,$cancelled")")" \
	"charge_suspended = no: only what ran is charged"
diag "$(in_cluster sacct -n -X -j "$long,$cancelled" \
	-o JobID,Start,End,Elapsed,Suspended,State)"
suspended=$(account_of "$long,$cancelled" Suspended)
isnt "$suspended" $'00:00:00\n00:00:00' "the jobs were suspended for some seconds"

before=$(exact_usage physics ben)
long=$(submit ben 8 -n1)
state_for "$long" RUNNING 1
in_cluster scontrol suspend "$long"
# slurmctld writes it down within five seconds.
state_for "$long" SUSPENDED 7
daemon kill slurmctld
daemon start slurmctld || bail "slurmctld starts"
wait_pass
in_cluster scontrol resume "$long"
wait_until jobs_ended "$long"
wait_pass
is "$(exact_usage physics ben)" "$(value "$before + $(elapsed "$long")")" \
	"charge_suspended = no: a kill of slurmctld charges no suspended time"

# ---- What the file says at another time -------------------------------------

sed -i '/charge_suspended/d' "$dir/etc/equitree.conf"
printf 'minimum = 1.5\nround_unit = 2\n' >>"$dir/etc/equitree.conf"
pass_now || bail "a pass is run"
before=$(exact_usage chemistry cleo)
small=$(submit cleo 2 -n1 --mem=100M)
third=$(submit cleo 2 -n1 --mem=9000M)
long=$(submit cleo 3 -n2)
state_for "$long" RUNNING 1
in_cluster scontrol suspend "$long"
state_for "$long" SUSPENDED 4
in_cluster scontrol resume "$long"
wait_until jobs_ended "$small,$third,$long" 3
wait_pass
like "$(account_of "$small" AllocTRES)" "billing=1500(,|\$)" \
	"minimum: billing has the least of a job"
like "$(account_of "$third" AllocTRES)" "billing=2500(,|\$)" \
	"round_unit = 2: 2.25 is 2.5"
like "$(said cleo -n1 --mem=100M)" \
	"equitree: cost 1.5 core-equivalents \(the least for a job\)," \
	"minimum: the user is told"
times=$(account_of "$long" Start,End | tr '|' ' ')
wall=$(($(date -d "${times#* }" +%s) - $(date -d "${times% *}" +%s)))
is "$(exact_usage chemistry cleo)" "$(value "$before + \
	1.5 * $(elapsed "$small") + 2.5 * $(elapsed "$third") + 2 * $wall")" \
	"charge_suspended = yes: all time is charged"
ok "charge_suspended = yes: the charge is more than what ran" test "$wall" -gt "$(elapsed "$long")"

no_equitree_errors
done_testing
