#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What Slurm may give to a request at the most, on a live cluster: the message says
# it, a cap compares with it, and jobs that start are billed no more.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

fields="NodeHostname=head Sockets=1 CoresPerSocket=8 RealMemory=64000"
threads="$fields ThreadsPerCore=2"
# 22.05 has no such key.
sockets=()
[[ $(slurmctld -V) == *22.05* ]] ||
	sockets=(--set "PartitionName=sockets Nodes=fa[1-2] MaxCPUsPerSocket=4")
# Two GPUs of a node, each near one of its sockets.
made=$(site rules)
echo 'NodeName=near[1-2] Name=gpu Type=v100 File=@DIR@/dev/gpu0 Cores=0-7
NodeName=near[1-2] Name=gpu Type=v100 File=@DIR@/dev/gpu1 Cores=8-15
NodeName=both[1-2] Name=gpu Type=v100 File=@DIR@/dev/gpu[0-1]
NodeName=both[1-2] Name=gpu Type=p100 File=@DIR@/dev/gpu[2-3]' >>"$made/gres.conf"
cluster_up --site "$made" "${sockets[@]}" \
	--set "NodeName=near[1-2] Port=[6843-6844] ${fields/Sockets=1/Sockets=2} Gres=gpu:v100:2" \
	--set "PartitionName=near Nodes=near[1-2]" \
	--set "NodeName=both[1-2] Port=[6845-6846] ${fields/=8/=16} Gres=gpu:v100:2,gpu:p100:2" \
	--set "PartitionName=both Nodes=both[1-2]" \
	--set "PartitionName=pernode Nodes=both[1-2] MaxMemPerNode=20000" \
	--set PriorityDecayHalfLife=0 --set PriorityUsageResetPeriod=YEARLY \
	--set "NodeName=fa[1-2] Port=[6831-6832] $fields Feature=a,c" \
	--set "NodeName=fb[1-2] Port=[6833-6834] $fields Feature=b,c" \
	--set "PartitionName=express Nodes=cpu[1-2]" \
	--set "PartitionName=p100 Nodes=gpu1" \
	--set "PartitionName=half Nodes=cpu[1-2]" \
	--set "PartitionName=feat Nodes=fa[1-2],fb[1-2]" \
	--set "PartitionName=strict Nodes=fa[1-2],fb[1-2]" \
	--set "PartitionName=uncapped Nodes=fa[1-2],fb[1-2] MaxMemPerCPU=2000" \
	--set "PartitionName=limited Nodes=fa[1-2],fb[1-2] MaxMemPerCPU=2000" \
	--set "AccountingStorageTRES=gres/gpu,gres/gpu:p100,gres/gpu:v100,gres/gpu:t4" \
	--set "NodeName=t4few1 Port=6835 $threads Gres=gpu:t4:4" \
	--set "PartitionName=threads Nodes=t4few1 MaxMemPerCPU=1500" \
	--set "NodeName=light1 Port=6836 ${fields/64000/32000}" \
	--set "NodeName=heavy[1-2] Port=[6837-6838] $threads Weight=9" \
	--set "PartitionName=weights Nodes=light1,heavy[1-2]" \
	--set "PartitionName=lln Nodes=heavy[1-2] MaxMemPerCPU=1500 LLN=YES" \
	--set "NodeName=look[1-3] Port=[6839-6841] ${fields/=8/=12} Gres=gpu:v100:2 Weight=5" \
	--set "NodeName=wide1 Port=6842 ${fields/=8 RealMemory=64000/=12 RealMemory=144000} Gres=gpu:v100:2 Weight=9" \
	--set "PartitionName=look Nodes=look[1-3] LLN=YES DefCpuPerGPU=1" \
	--set "PartitionName=lead Nodes=wide1 DefCpuPerGPU=4" \
	--set "PartitionName=next Nodes=gpu2 DefCpuPerGPU=2" \
	--set "PartitionName=whole Nodes=look1,wide1,t4few1" \
	--set "PartitionName=cut Nodes=fa[1-2] MaxCPUsPerNode=4" \
	--set "PartitionName=pair Nodes=light1,heavy[1-2] MinNodes=2" \
	--set "PartitionName=twins Nodes=heavy[1-2] MinNodes=2" \
	--set "PartitionName=raised Nodes=fa[1-2] MaxCPUsPerNode=4 MaxMemPerCPU=2000"
nodes_up() { [[ $(in_cluster sinfo -h -o %T | sort -u) == idle ]]; }
wait_until nodes_up || bail "the nodes are there"

said() { # OPTIONS...
	as ada sbatch --bill=brief --test-only "$@" --wrap true 2>&1 |
		sed -n 's/.*equitree: //p' | head -n 1
}

# ---- What is told, and what such a job is billed ------------------------------

# The rows of CPUs that 22.05 adds or counts twice: later releases refuse such jobs, or count
# their tasks. So
# they do with counts of features outside of brackets, or never start more nodes than these.
added='^(CPUs of .* MaxCPUsPerNode|GPUs of the least loaded|GPUs for both threads|features that nodes may|a feature of one node|one task on two|tasks split among)'
release=$(in_cluster sinfo -V)

# the line, billing, name, options
ids=() bills=() names=()
while IFS='|' read -r line billing name options; do
	[[ $release == *22.05* || ! $name =~ $added ]] || continue
	read -ra options <<<"$options"
	like "$(said "${options[@]}")" "^$line" "a request for $name is told its price"
	id=$(submit ada 2 "${options[@]}")
	# Later releases refuse some: a task on nodes of two features.
	[[ $id || $release == *22.05* ]] || continue
	ids+=("$id")
	bills+=("$billing") names+=("$name")
done <<'END'
cost 4 core-equivalents \(cores decide\),|4000|features of four nodes|-p feat -n1 --mem=4000M -C [a*2&b*2]
cost 2 core-equivalents \(cores decide\),|2000|a feature of two nodes|-p feat -n1 --mem=4000M -C a*2
cost 2 core-equivalents \(cores decide\), [^;]*; up to 4 without -N2|[24]000|features that nodes may have together|-p feat -n1 --mem=4000M -C a*2&c*2
cost 3 core-equivalents \(cores decide\), [^;]*; up to 4 without -N3|[34]000|a node by name beside counted features|-p feat -n1 --mem=4000M -w fb2 -C [c*2&c*1]
cost 20 core-equivalents \(cores decide\),|20000|a feature of one node of four|-p feat -N4 -n20 --mem=4000M -C a*1
cost 4 core-equivalents \(memory decides\),|4000|nodes by name|-p feat -n2 --mem=8000M -w fa1,fb1
cost 16 to 32 core-equivalents \(the partition decides\),|16000|a node by name in two partitions, one of which gives more nodes|-p pair,weights -n1 --mem=4000M --exclusive -w heavy1
cost 10 core-equivalents \(memory decides\),|10000|tasks of two nodes by MaxCPUsPerNode|-p cut -n8 --mem=20000M
cost 3 to 6 core-equivalents \(the nodes decide\),|[36]000|CPUs of MaxMemPerCPU that MaxCPUsPerNode may take|-p raised -n1 --mem=12000M
cost 1 to 6 core-equivalents \(the nodes decide\),|[1-6]000|CPUs of --mincpus that MaxCPUsPerNode may take|-p cut -N1 --mincpus=6 --mem=2000M
cost 1 to 2 GPU-equivalents \(the nodes decide\),|2000|GPUs for both threads of a core that MaxMemPerCPU gives|-p threads -n1 --gpus-per-task=t4:1 --mem=9000M
cost 1 to 2 GPU-equivalents \(the nodes decide\),|2000|GPUs for both threads of a core by --mincpus|-p threads -n1 -N1 --mincpus=6 --gpus-per-task=t4:1 --mem=1500M
cost 5 to 6 GPU-equivalents \(the nodes decide\),|5000|GPUs of the least loaded nodes, which slurmctld looks at twice|-p look -n6 --gpus-per-task=v100:1 --mem=1000M
cost 5 to 16 core-equivalents \(the nodes decide\),|1?[0-9]000|a node without a task by --distribution=plane|-p feat -N1-2 -n2 -c4 --distribution=plane=2 --mem=4000M
cost 2 to 4 GPU-equivalents \(the nodes decide\), [^;]*|4000|whole nodes whose cores near a GPU are fewer|-p near -n10 --gres=gpu:v100:1 --mem=1000M --exclusive
cost 2 GPU-equivalents \(GPUs decide\), [^;]*|2000|whole nodes with a GPU near each core|-p near -n10 --gpus=v100:1 --mem=1000M --exclusive
cost 3 GPU-equivalents \(GPUs decide\),|3000|GPUs of two models, which bring more CPUs than their node has|-p both --gpus-per-node=v100:1,p100:2 --cpus-per-gpu=6 --mem=1000M
cost 1 to 4 core-equivalents \(the nodes decide\),|1000|one task on two nodes with the CPUs of MaxMemPerCPU|-p uncapped -n1 --mem-per-cpu=4000M -C [a*1&b*1]
cost 1 core-equivalent \(cores decide\), [^;]*; up to 2 without -N1|[12]000|a preference for features of two nodes|-p feat -n1 --mem=4000M --prefer [a*1&b*1]
cost 32 to 48 core-equivalents \(the nodes decide\),|32000|tasks split among whole nodes|-p feat --exclusive -n5 -c3 --mem=1000M
cost 20 to 30 core-equivalents \(the nodes decide\),|20000|tasks split among nodes with memory of their own|-p feat -n5 -c3 --mem=40000M
END
wait_until jobs_ended "$(IFS=, && echo "${ids[*]}")" ${#ids[@]} ||
	bail "the jobs run" "$(in_cluster squeue)"
wait_pass
for i in "${!ids[@]}"; do
	like "$(account_of "${ids[i]}" AllocTRES)" "(^|,)billing=${bills[i]}(,|\$)" \
		"a job with ${names[i]} is billed as it was told"
done

# ---- Memory of a node that no job has -----------------------------------------------

# slurmctld takes such jobs and never starts them. The default is for each CPU here.
ids=()
for options in '-n6 -N1' '-n2 -c3 -N1 --mem-per-cpu=4000M' '-N1 -c6 --gpus=1 --mem-per-gpu=1000M'; do
	read -ra words <<<"-p pernode $options"
	like "$(said "${words[@]}")" "less memory of a node .*MaxMemPerNode" \
		"a job that passes MaxMemPerNode with $options is told so"
	ids+=("$(submit ada 2 "${words[@]}")")
done
like "$(said -p pernode -n5 -N1)" '^cost 5 core-equivalents' "a job within MaxMemPerNode has a price"
never() { [[ $(in_cluster squeue -h -j "$(IFS=, && echo "${ids[*]}")" -o %r | sort | uniq -c) == *"3 MaxMemPerLimit" ]]; }
ok "none of these jobs starts" wait_until never
in_cluster scancel "${ids[@]}"

# ---- A choice of nodes ---------------------------------------------------------------

# From 23.02 on a job gets of a longer --nodelist as many nodes as it wants.
each=(-p feat -n2 -N1-2 -w 'fa1,fb1' --mem=8000M)
[[ $release == *22.05* ]] && most='4' || most='2 to 4'
told=$(said "${each[@]}")
like "$told" "^cost $most core-equivalents" "a list of more nodes than -N has the price of some"
is "$(as ada "$build/tools/equitree" bill "${each[@]}" 2>/dev/null | head -n 1)" "$told" \
	"equitree bill says what sbatch says of such a list"

# ---- Nodes beyond the tasks ----------------------------------------------------------

# MinNodes adds a node. Up to 24.11.0 it gives a core as well.
for options in '-n1' '-n1 --overcommit' '-n1 -c3'; do
	read -ra words <<<"-p twins $options --mem=100M"
	told=$(said "${words[@]}")
	id=$(submit ada 2 "${words[@]}")
	wait_until jobs_ended "$id" 1 || bail "the job of two nodes runs"
	told=${told#cost }
	like "$(account_of "$id" AllocTRES)" "billing=${told%% *}000,.*node=2" \
		"a job of $options on the two nodes of MinNodes costs what it was told"
done

# ---- CPUs of GPUs by default, in several partitions ----------------------------------

# slurmctld looks at partition lead first, whose node is in use.
filled=$(submit ada 60 -p lead --exclusive -n1 --mem=100M)
wait_until job_is "$filled" RUNNING || bail "a job uses the node of partition lead"
each=(-n2 --gpus-per-task=v100:1 --mem=1000M)
told=$(said -p lead,next "${each[@]}")
like "$told" '^cost 2 to 4 GPU-equivalents \(the partition decides\),' \
	"tasks may have GPUs by the CPUs of GPUs in another partition"
is "$(as ada "$build/tools/equitree" bill -p lead,next "${each[@]}" 2>/dev/null | head -n 1)" \
	"$told" "equitree bill says what sbatch says of several partitions"
like "$(said -p next "${each[@]}")" '^cost 2 GPU-equivalents \(GPUs decide\),' \
	"tasks of one partition have their own GPUs"
id=$(submit ada 60 -p lead,next "${each[@]}")
wait_until job_is "$id" RUNNING || bail "the job of two partitions runs"
[[ $release != *22.05* ]] ||
	is "$(job_tres "$id" | grep -o 'gres/gpu=.*,')" 'gres/gpu=4,' \
		"tasks have the GPUs of the CPUs in the first partition"
in_cluster scancel "$id" "$filled"

# ---- Caps -----------------------------------------------------------------------

while IFS='|' read -r line name options; do
	read -ra options <<<"$options"
	like "$(as ada sbatch -t5 "${options[@]}" --wrap true 2>&1)" "$line" "$name"
done <<'END'
4 core-equivalents are more than the 3 of one job in partition strict, if it gets more than 1 node: -N1 prevents that|a cap holds for more nodes than the request needs|-p strict -n2 --mem=8000M
Submitted batch job|a number of nodes makes it fit|-p strict -N1 -n2 --mem=8000M
4 core-equivalents are more than the 3 of one job in partition strict|a cap holds for counted features|-p strict -n1 --mem=4000M -C [a*2&b*2]
4 GPU-equivalents are more than the 2 of one job in partition gpu|a cap holds for nodes by name|-p gpu -n2 --gres=gpu:2 --mem=1000M -w gpu[1-2]
END

# A program that submits through libslurm and raises no number of nodes.
cp "$build/tests/system/hostile" "$dir/home/ada/hostile"
listed() { as ada ./hostile nodes "$@" 2>/dev/null; } # PARTITION LIST MIB MINUTES
like "$(listed strict 'fa[1-2]' 8000 5)" 'violates accounting/QOS policy' \
	"a cap holds for the nodes that a program names"
id=$(listed strict 'fa[1-2]' 6000 5)
ok "a program may name nodes that the cap allows" wait_until job_is "$id" COMPLETED
wait_pass
# 26.05 gives it one of them.
[[ $release == *26.05* ]] ||
	like "$(account_of "$id" AllocTRES)" '(^|,)node=2(,|$)' "such a job has all of them"

# A user's job that waits, and a change that would pass the cap.
# name, options, change
while IFS='|' read -r name options change; do
	read -ra options <<<"$options"
	id=$(submit ada 0 --hold -t5 "${options[@]}")
	like "$(as ada scontrol update job "$id" "$change" 2>&1)" \
		'violates accounting/QOS policy' "a cap holds for a change of $name"
	in_cluster scancel "$id"
done <<'END'
the node list|-p gpu -n1 --gres=gpu:2 --mem=1000M|ReqNodeList=gpu[1-2]
the node list, each node of which is on the job's partition|-p strict -n1 --mem=8000M|ReqNodeList=fa[1-2]
features|-p strict -n1 --mem=4000M|Features=[a*2&b*2]
END

# ---- Limits on one job -------------------------------------------------------------

in_cluster sacctmgr -iQ add qos few set MaxTRESPerJob=billing=3000 >/dev/null
in_cluster sacctmgr -iQ modify user ada set qos+=few >/dev/null
knows_qos() { grep -q 'QOS=few(' < <(in_cluster scontrol show assoc_mgr flags=qos); }
wait_until knows_qos
while IFS='|' read -r line name options; do
	read -ra options <<<"$options"
	like "$(as ada sbatch -t5 -q few "${options[@]}" --wrap true 2>&1)" "$line" "$name"
done <<'END'
billing 4000 is more than MaxTRESPerJob=billing=3000 of QOS few|a limit on the billing of a job refuses one that is billed more|-p feat -N1 -n4 --mem=1000M
if it gets more than 1 node: -N1 prevents that|a limit on billing holds for more nodes than the request needs|-p feat -n2 --mem=8000M
Submitted batch job|a number of nodes makes a job fit a limit on billing|-p feat -N1 -n2 --mem=8000M
END
id=$(submit ada 0 --hold -t5 -p feat -N1 -n4 --mem=1000M)
like "$(as ada scontrol update job "$id" QOS=few 2>&1)" \
	'violates accounting/QOS policy' "a limit on billing holds for a change of the QOS"
in_cluster scancel "$id"
# Up to 24.11.0 slurmctld then gives the job two CPUs.
id=$(submit ada 0 --hold -t5 -p feat -q few -n60 --mem=40000M)
[[ $release != *22.05* ]] ||
	like "$(as ada scontrol update job "$id" NumCPUs=2 2>&1)" 'violates accounting/QOS policy' \
		"a limit on billing holds for fewer CPUs than all nodes were too few for"
in_cluster scancel "$id"
in_cluster sacctmgr -iQ modify account physics set grptres=billing=3000 >/dev/null
sees_limit() {
	grep -q 'billing 4000 is more than GrpTRES=billing=3000 of' \
		< <(as ada sbatch -t5 -p feat -N1 -n4 --mem=1000M --wrap true 2>&1)
}
ok "a limit on the billing of an account refuses a job that is billed more" \
	wait_until sees_limit
in_cluster sacctmgr -iQ modify account physics set grptres=billing=-1 >/dev/null

# A reservation of nodes that the cap allows, and a change to another one.
in_cluster scontrol create reservation ReservationName=v100 Users=ada \
	StartTime=now Duration=60 Nodes=gpu2 >/dev/null
in_cluster scontrol create reservation ReservationName=any Users=ada \
	StartTime=now Duration=60 Nodes=gpu1 Flags=FLEX >/dev/null
untyped=(-p gpu -t5 --gpus=1 -n13 --mem=1000M)
like "$(as ada sbatch "${untyped[@]}" --wrap true 2>&1)" \
	'2.1667 GPU-equivalents are more than the 2 of one job in partition gpu' \
	"a cap holds for all nodes of the partition"
id=$(submit ada 0 --hold "${untyped[@]}" --reservation=v100)
like "$id" '^[0-9]+$' "a cap holds for the nodes of the reservation alone"
like "$(as ada scontrol update job "$id" ReservationName=any 2>&1)" \
	'violates accounting/QOS policy' "a cap holds for a change of the reservation"
in_cluster scancel "$id"

# ---- Nodes that are free now -----------------------------------------------------------

sized() { # the message of a job of whole nodes of two sizes
	said -p weights --exclusive -n1 --mem=1000M "$@"
}
bill_says() { # MESSAGE NAME: the same by equitree bill
	is "$(as ada "$build/tools/equitree" bill -p weights --exclusive -n1 --mem=1000M |
		head -n 1)" "$1" "equitree bill names $2"
}
range='^cost 8 to 16 core-equivalents \(the nodes decide\)'
like "$(sized)" "$range.*; 8 if it starts now\$" "a range names the price on the lightest nodes"
bill_says "$(sized)" "the price on the lightest nodes"
filled=$(submit ada 60 -p weights -w light1 -n1 --mem=1000M)
fills() { [[ $(in_cluster squeue -h -j "$filled" -o %t) == R ]]; }
wait_until fills
like "$(sized)" "$range.*; 16 if it starts now\$" \
	"a job of whole nodes starts on heavier ones where the light one is in use"
bill_says "$(sized)" "the price on heavier nodes where the light one is in use"
in_cluster scancel "$filled"
light_is_idle() { grep -q 'State=IDLE ' < <(in_cluster scontrol show node light1); }
wait_until light_is_idle
in_cluster scontrol create reservation ReservationName=held Users=root StartTime=now \
	Duration=60 Nodes=light1 >/dev/null
like "$(sized)" "$range.*; 16 if it starts now\$" \
	"a job starts on no node that is reserved for others"
bill_says "$(sized)" "the price without nodes that are reserved for others"
in_cluster scontrol delete ReservationName=held
like "$(sized --contiguous)" "${range}[^;]*\$" \
	"--contiguous takes nodes side by side, whatever they weigh"
in_cluster scontrol update NodeName=heavy1,heavy2 Weight=1
like "$(sized)" "${range}[^;]*\$" "nodes of one weight and two prices are no one number"
bill_says "$(sized)" "no price that nodes of one weight do not have"
# Whole nodes have CPUs and memory for all of their GPUs: the light t4few1 has too few.
for each in cpus-per-gpu=5 mem-per-gpu=17000M; do
	whole=(-p whole --exclusive --gpus-per-node=1 --"$each")
	like "$(said "${whole[@]}")" \
		'^cost 2 to 3 GPU-equivalents .*; 2 if it starts now$' \
		"whole nodes that lack what --$each counts for their GPUs take no part"
	id=$(submit ada 2 "${whole[@]}")
	wait_until jobs_ended "$id" || bail "a job of whole nodes ends"
	wait_pass
	like "$(account_of "$id" AllocTRES)" '(^|,)billing=2000(,|$)' \
		"a job of whole nodes with --$each is billed what it was told to cost now"
done
is "$(said -p feat --exclusive -n9 --mem=1000M | grep -o 'up to.*')" "" \
	"whole nodes are no more than the job needs"

# ---- CPUs that each node must have ------------------------------------------------------

each=(-p feat -n8 --mincpus=4 --mem=20000M)
like "$(said "${each[@]}")" '^cost 8 core-equivalents .*; up to 10 without -N1$' \
	"a job has no more nodes than its CPUs fill by --mincpus"
fills=()
for node in fa1 fa2 fb1 fb2; do
	fills+=("$(submit ada 600 -p feat -w "$node" -n3 --mem=100M)")
done
all_run() { [[ $(in_cluster squeue -h -j "$1" -o %t | sort -u) == R ]]; }
wait_until all_run "$(IFS=, && echo "${fills[*]}")" || bail "jobs use a part of each node"
id=$(submit ada 2 "${each[@]}")
wait_until jobs_ended "$id" || bail "the job ends"
wait_pass
is "$(job_field "$id" NumNodes)" 2 "beside others it has two nodes"
like "$(account_of "$id" AllocTRES)" '(^|,)billing=10000(,|$)' "two nodes beside others are billed as it was told"
more=()
for node in fa1 fa2 fb1 fb2; do
	more+=("$(submit ada 600 -p feat -w "$node" -n2 --mem=100M)")
done
wait_until all_run "$(IFS=, && echo "${more[*]}")" || bail "more jobs use a part of each node"
id=$(submit ada 2 "${each[@]}")
wants_nodes() { grep -q 'Reason=Resources' < <(in_cluster scontrol show job "$1"); }
ok "nodes of fewer CPUs each do not take it" wait_until wants_nodes "$id"
in_cluster scancel "$id" "${fills[@]}" "${more[@]}"

# ---- GPUs of the job on several nodes ---------------------------------------------------

# From 24.05 on each node of a job with --gpus has one of its own. Of tasks that share cores
# by threes, a node of 26.05 has a multiple of three.
each=(-p look -n4 --ntasks-per-core=3 --gpus=1 --mem=100M)
[[ $release == *22.05* ]] ||
	like "$(said "${each[@]}")" '^cost 1 GPU-equivalent .*; up to 3 without -N1$' \
		"each node of a job with --gpus may have a GPU"
id=$(submit ada 2 "${each[@]}")
wait_until jobs_ended "$id" || bail "the job ends"
wait_pass
[[ $release != *26.05* ]] ||
	like "$(account_of "$id" AllocTRES)" '(^|,)billing=2000(,|$)' \
		"two nodes of a job with a GPU have one each"

# Later releases raise the CPUs of tasks by MaxMemPerCPU before features count nodes.
each=(-p raised -n3 --mem=6000M -C '[a*1&c*1]')
if [[ $release == *26.05* ]]; then
	like "$(said "${each[@]}")" '^cost 3 to 6 core-equivalents' \
		"CPUs of MaxMemPerCPU may be those of one node where features count two"
	id=$(submit ada 2 "${each[@]}")
	wait_until jobs_ended "$id" || bail "the job ends"
	wait_pass
	like "$(account_of "$id" AllocTRES)" '(^|,)billing=3000(,|$)' \
		"CPUs of MaxMemPerCPU are those of one node where features count two"
	in_cluster scontrol update NodeName=heavy1,heavy2 Weight=9
	like "$(said -p weights --spread-job --mem=4000M)" '^cost 1 to 2 core-equivalents' \
		"--spread-job takes a node of each weight"
	id=$(submit ada 2 -p weights --spread-job --mem=4000M)
	wait_until jobs_ended "$id" || bail "the job ends"
	wait_pass
	like "$(account_of "$id" AllocTRES)" '(^|,)billing=2000(,|$)' \
		"a job that is spread to two weights is billed for two nodes"
fi

# ---- MaxCPUsPerSocket ------------------------------------------------------------------

if [[ ${sockets[*]} ]]; then
	is "$(said -p sockets -N1 -n6 --mem=1000M)" \
		"the request allows fewer nodes (-N) than it needs" \
		"a node has no more CPUs for a job than MaxCPUsPerSocket"
	like "$(said -p sockets -n6 --mem=1000M)" '^cost 6 core-equivalents' \
		"a job of more CPUs than MaxCPUsPerSocket is told its price"
	id=$(submit ada 60 -p sockets -n6 --mem=1000M)
	ok "a job of more CPUs than MaxCPUsPerSocket starts" wait_until job_is "$id" RUNNING
	is "$(job_field "$id" NumNodes)" 2 "MaxCPUsPerSocket spreads a job over two nodes"
	in_cluster scancel "$id"
fi

# ---- Hints ------------------------------------------------------------------------------

fewer='; --cpus-per-task=6: 1$'
like "$(said -p p100 -c12 --gres=gpu:1 --mem=1000M)" "$fewer" \
	"a hint of fewer CPUs for a task"
is "$(said -p p100 -c12 --mincpus=12 --gres=gpu:1 --mem=1000M | grep -o ';.*')" "" \
	"no hint of fewer CPUs for a task beside --mincpus, which keeps them"

# Slurm refuses the cheaper one where the least loaded nodes are taken (LLN).
is "$(said -p lln -N2 --ntasks-per-core=3 --mem=9000M | grep -o ';.*')" "" \
	"no hint to fewer CPUs of each node than a core is to have tasks"
[[ $release != *22.05* ]] ||
	like "$(as ada sbatch -p lln -N2 --ntasks-per-core=3 --mem=1500M --wrap true 2>&1)" \
		'node configuration is not available' "Slurm refuses what such a hint would be"

look=(-p look -n6 --gpus-per-task=v100:1 --mem=1000M)
is "$(as ada "$build/tools/equitree" bill "${look[@]}" | head -n 1)" "$(said "${look[@]}")" \
	"equitree bill sees that a partition has the least loaded nodes"

# A name that stands twice is one node after a change.
id=$(submit ada 0 --hold -t5 -p strict -n1 --mem=8000M)
is "$(as ada scontrol update job "$id" ReqNodeList=fa1,fa1 2>&1)" "" \
	"a change may name a node twice"
in_cluster scancel "$id"
no_equitree_errors
done_testing
