#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# equitree bill: sbatch's options and batch scripts as prices.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

cat >"$work/equitree.conf" <<'END'
bundle "cores" { cores = 1  memory = 4000M }
bundle "gpu:p100" { cores = 6  memory = 32000M }
bundle "gpu:v100" { cores = 8  memory = 48000M }
partition "express" { factor = 3  max = 64 }
partition "strict" { require = time }
qos "half" { factor = 0.5 }
billing_scale = 10
END
{ cat "$work/equitree.conf" && echo 'minimum = 4'; } >"$work/least.conf"
bill() { run bill -f "$work/equitree.conf" "$@"; }
refused() { # TEXT NAME ARGUMENT...
	refuses "$1" "$2" bill -f "$work/equitree.conf" "${@:3}"
}

# number KEY: of the first such key in the JSON.
number() { sed -n "s/^ *\"$1\": \(.*[^,]\),\{0,1\}$/\1/p" <<<"$out" | head -n 1; }

# costs EQUIVALENTS NAME ARGUMENT...
costs() {
	local wanted=$1 name=$2
	shift 2
	bill --json "$@"
	is "$status|$(number equivalents)" "0|$wanted" "$name"
}

# script LINE...: a batch script, beside an end that counts for nothing.
script() { printf '%s\n' '#!/bin/bash' "$@" 'srun hostname' '#SBATCH -n 99' >"$work/job.sh"; }

# ---- One request ----------------------------------------------------------------
bill -n2 --mem=10000M -t 1:00:00
is "$status|$out|$err" "0|cost 2.5 core-equivalents (memory decides), 2.5 h for 1:00:00; up to 5 without -N1; --mem=8000M: 2
  cores   2 at 1 an equivalent: 2
  memory  10000M at 4000M an equivalent: 2.5, which decides
  2.5 core-equivalent-hours for the time limit of 1:00:00
  5 if it gets 2 nodes, which -N1 prevents
  --mem=8000M would make it 2|" \
	"a price, and its derivation resource by resource"
bill --json -n2 --mem=10000M -a 0-9%2 -t30
is "$(number equivalents)|$(number unit)|$(number dominant)|$(number billing)|$(number array_tasks)|$(number equivalent_hours)" \
	'2.5|"core-equivalents"|"memory"|25|10|1.25' "the same as JSON, for each task of an array"
is "$(tr -d ' \n' <<<"$out" | grep -o '"per_resource":.*}},')" \
	'"per_resource":{"cores":{"amount":2,"equivalents":2},"memory":{"amount":10000,"equivalents":2.5},"gpus":{"amount":0,"equivalents":0}},' \
	"--json has the price of each resource"
run bill --json -f "$work/least.conf" -n1
is "$(number dominant)" '"minimum"' "a job's least price decides: no resource does"
bill --json --gpus=2 -n12 --mem=1G
is "$(number equivalents)|$(number equivalents_max)" "2|2" "a range: the model is open, and does not matter"
bill --json --gpus=1 -n8 --mem=1G
is "$(number equivalents)|$(number equivalents_max)" "1|1.3333333333333333" "a range of models"
bill --json --gres=gpu:p100:1 -N1-2 --mem=32000M
is "$(number equivalents)|$(number equivalents_max)" "1|2" "a range of nodes"
bill --json --gpus=p100:1 -N1-2 --mem=32000M
is "$(number equivalents)|$(number equivalents_max)" "1|1" "one GPU of a job is on one node"
bill --json -n3 --mem=10000M
is "$(number equivalents)|$(number spread_nodes)|$(number equivalents_spread)" "3|3|7.5" "what more nodes would cost"
costs 4 "--gres and --gpus-per-node are one list" --gres=gpu:p100:1 -N2 --gpus-per-node=v100:1 --mem=1G
costs 2 "a later --gres replaces the one before" --gres=gpu:p100:4 --gres=gpu:p100:2 --mem=1G
costs 1 "--gres=none takes it back" --gres=gpu:p100:4 --gres=none --mem=1000M
bill --json -p express -q HALF -n2 --mem=4G
is "$(number charge)|$(number partition)" '3|"express"' "rules of a partition and of a QOS, in any case"
bill --json -p strict,express -n2 --mem=4G -t5
is "$(number charge)|$(number charge_max)" "2|6" "several partitions: the range"
refused "partition strict wants --time" "what a partition requires" -p express,strict -n2
refused "65 core-equivalents are more than the 64 of one job in partition express" "its cap" -p express -n65 --mem=1G

# ---- sbatch's other options ------------------------------------------------------
others=(--acctg-freq=1 --batch=x --bb=x --bbf=x -b now --bell -D / --cluster-constraint=x
	-M c --comment=c -C c --container=x --contiguous -S1 --cores-per-socket=1 --cpu-freq=low
	--deadline=now --delay-boot=1 -d after:1 -m block -e x -x n1 --export=NONE
	--export-file=x --get-user-env=5L --get-user-env --gid=1 --gpu-bind=none --gpu-freq=low
	--gres-flags=x --hint=x -H --ignore-pbs -i x -J "a name" --kill-on-invalid-dep=yes -L a:1
	--mail-type=END --mail-user=u --mcs-label=x --mem-bind=none --network=x --nice=5 --nice
	--no-bell -k --no-requeue -F x -w n1 --ntasks-per-socket=1 --open-mode=append -o x -s
	--parsable --power=level --prefer=x --priority=1 --profile=none --propagate=ALL -Q
	--reboot --requeue --reservation=x --signal=B:1@2 --spread-job --switches=1@2
	--test-only --thread-spec=1 --threads-per-core=1 --time-min=1 --tmp=1G --uid=1
	--use-min-nodes -v -vv -W --wait-all-nodes=0 --wckey=x --bill=off --segment=1
	--stepmgr --external-launcher --resv-ports=1 --wrap='srun x')
costs 2 "all other options are taken" "${others[@]}" -n2 --mem=1G
costs 2 "names may be cut, as in sbatch" -n2 --mem-per-c=1G --job-n x
run bill -f "$work/equitree.conf" --nonsense
is "$status" 2 "others are misuse"
for bad in -n0 -n=x -nx -N4-2 --mem=much --time=soon --gpus-per-task; do
	bill "$bad"
	is "$status" 2 "$bad is misuse"
done
refused "gpu:h100 has no price" "a model without a bundle" --gpus=h100:1

# ---- Scripts ---------------------------------------------------------------------
script '#SBATCH -n 2 --mem=10000M' '' '# a comment' '  ' '#SBATCH --time=60'
costs 2.5 "#SBATCH lines, several options a line, until the first command" "$work/job.sh"
is "$(number time_limit_minutes)" 60 "all of them"
costs 2.5 "what follows the script is its own" "$work/job.sh" -n 8 --nonsense
costs 10 "the command line wins" -n10 "$work/job.sh"
costs 2.5 "a script on stdin" - <"$work/job.sh"
script '#SBATCH --job-name="a # b -n 7" --comment='"'"'-n 8'"'"' -n "3" --mem=1G # -n 9'
costs 3 "quotes, and comments behind options" "$work/job.sh"
script '#SBATCH --job-name=a\ b\#c -n 5' '#SBATCH --mem' '#SBATCH 1G' '#SLURM -c2'
costs 10 "backslashes, an option on two lines, the old word" "$work/job.sh"
script '#SBATCH -n2 --mem=1G' ' #SBATCH -n3' '#sbatch -n4' '##SBATCH -n5' '#SBATCH-n6'
costs 6 "only #SBATCH at the line's begin counts" "$work/job.sh"
script '#SBATCH -n1 --gpus=p100:1 --mem=1G' '#SBATCH hetjob' '#SBATCH -n4 --mem=1G' '#SBATCH hetjob -n5 --mem=2G'
bill --json "$work/job.sh"
is "$status|$(grep '"equivalents":' <<<"$out" | grep '^      "' | tr -dc '0-9,')" "0|1,4,5," \
	"a heterogeneous job: each component"
bill "$work/job.sh"
is "$(grep -c ^Component <<<"$out")" 3 "a heterogeneous job: each component in words"
is "$(grep -c "^All components: cost" <<<"$out")" 0 \
	"components of different units have no sum"
bill -n2 --mem=8000M : -n3 --mem=4000M
is "$(tail -n 1 <<<"$out")" "All components: cost 5 core-equivalents" \
	"components of one unit have a sum"
bill --json -n2 : -n6 --mem=8G : : -n7 --mem=1G "$work/job.sh"
is "$(grep '"equivalents":' <<<"$out" | grep '^      "' | tr -dc '0-9,')" "1,6,5,7," \
	"the command line's components over the script's"

script '#SBATCH -n1 --mem=1G' '#SBATCH hetjob' '#SBATCH -N2 --ntasks-per-node=3 --mem=1G'
bill --json "$work/job.sh"
is "$(grep '"equivalents":' <<<"$out" | grep '^      "' | tr -dc '0-9,')" "1,6," \
	"the tasks of a node count in a component of the script alone, too"

# Lines of PBS and LSF, which sbatch translates.
script '#PBS -l nodes=2:ppn=4,mem=20gb,walltime=1:00:00 -N name -V' '#PBS -j oe'
costs 10.24 "#PBS: nodes, tasks and memory of each" "$work/job.sh"
is "$(number time_limit_minutes)" 60 "#PBS: the time limit"
costs 8 "--ignore-pbs on the command line" --ignore-pbs -n8 --mem=1G "$work/job.sh"
costs 20.48 "the command line wins over #PBS lines" -N4 "$work/job.sh"
script '#SBATCH -n3 --mem=1G' '#PBS -l select=2:ncpus=8:mpiprocs=2 -J 0-4'
costs 16 "#PBS: chunks of PBS Pro" -n4 "$work/job.sh"
is "$(number array_tasks)" 5 "#PBS: a job array"
script '#SBATCH --mem=1000M' '#PBS -l nodes=1:ppn=2:gpus=3'
costs 3 "#PBS: GPUs of a node" -p gpu "$work/job.sh"
script '#SBATCH --mem=1000M' '#PBS -l naccelerators=2'
costs 2 "#PBS: accelerators" "$work/job.sh"
printf '%s\n' '#!/bin/bash' 'true' '#SBATCH -n9' '#PBS -l nodes=1:ppn=3,mem=1gb' >"$work/job.sh"
costs 3 "#PBS lines behind commands count" "$work/job.sh"
printf '%s\n' '#!/bin/bash' '#PBS -l nodes=1:ppn=3' '#BSUB -n 2,5 -M 2000000 -W 30' >"$work/job.sh"
costs 5 "#BSUB lines count, and #PBS lines beside them do not" "$work/job.sh"
script '#BSUB -x -q cpu'
costs 32 "#BSUB: whole nodes, the partition" --partition-info "$data/partitions.txt" \
	--node-info "$data/nodes-long.txt" "$work/job.sh"
script '#PBS -Y 3'
refused "$work/job.sh:2: \"-Y\": unknown option, which sbatch refuses" "#PBS: an unknown option" "$work/job.sh"
costs 2 "#SBATCH --ignore-pbs" -n2 --mem=1G --ignore-pbs "$work/job.sh"
script '#PBS -l mem=much'
refused "$work/job.sh:2: \"much\": expected an amount of memory" "#PBS: a bad value, and its line" "$work/job.sh"
script '#PBS -q'
refused "$work/job.sh:2: \"-q\": its value is missing" "#PBS: no value" "$work/job.sh"

# Odd content.
bad_script() { # TEXT NAME: for $work/job.sh
	refused "$work/job.sh:$1" "$2" "$work/job.sh"
}
script '#SBATCH -n 2' '#SBATCH --mem=x'
bad_script '3: "x": expected an amount of memory' "a bad value: its line"
script '#SBATCH -n 2' '#SBATCH -n 3 --nonsense=1'
bad_script '3: "--nonsense=1": unknown option of sbatch, or its value is missing' "an unknown option"
script '#SBATCH -n'
bad_script '2: "-n": unknown option of sbatch, or its value is missing' "an option without its value"
script '#SBATCH -n 2' '#SBATCH word'
bad_script '3: "word": expected an option' "a word"
script '#SBATCH --comment="x'
bad_script '2: unclosed quote' "an open quote"
script '#SBATCH -n1' '#SBATCH -f /dev/null'
bad_script '3: this is an option of equitree, not of sbatch' "this command's options are none of a script's"
printf '#SBATCH -n2\n' >"$work/job.sh"
bad_script '1: not a batch script: expected #! as in #!/bin/bash' "no script"
printf '#!/bin/sh\n#SBATCH -n\0002\n' >"$work/job.sh"
bad_script '2: a NUL byte' "a NUL byte"
printf '#!/bin/sh\r\n#SBATCH -n2\r\n' >"$work/job.sh"
bad_script '1: DOS line end, which sbatch rejects' "DOS line ends"
printf '#!/bin/sh\n#SBATCH --mem=\033[31m\377%%n%%s\n' >"$work/job.sh"
bill "$work/job.sh"
is "$status|$(tr -dc '\033' <<<"$err" | wc -c)" "1|0" "escape sequences are not passed on"
{
	echo '#!/bin/sh'
	for ((i = 0; i < 129; i++)); do echo '#SBATCH hetjob'; done
} >"$work/job.sh"
bad_script '129: more components than a heterogeneous job may have' "too many components"
{
	printf '#!/bin/sh\n#SBATCH --comment='
	head -c 2000000 /dev/zero | tr '\0' x
	printf ' -n2 --mem=1G\n'
} >"$work/job.sh"
costs 2 "a line of two megabytes" "$work/job.sh"
head -c 20000000 /dev/zero | tr '\0' '#' >"$work/job.sh"
sed -i '1s/^/#!/' "$work/job.sh"
bad_script '1: more than 16 MiB' "a line that is too long"
: >"$work/job.sh"
refused "$work/job.sh: empty" "an empty file" "$work/job.sh"
refused "$work/none: No such file or directory" "no file" "$work/none"
refused "$work: Is a directory" "a folder" "$work"
script '#SBATCH --json'
refused "$work/job.sh: --json, --no-headings and --color are options of equitree, not of sbatch" \
	"nor its common ones" "$work/job.sh"

# ---- Saved partitions and nodes --------------------------------------------------
SLURM_CONF=$work/none/slurm.conf run bill -n2
is "$status|$err" "1|equitree: $work/none/equitree.conf: No such file or directory; -f FILE reads another" \
	"no equitree.conf, and what to do"
known=(--partition-info "$data/partitions.txt" --node-info "$data/nodes-long.txt")
bill -n2
like "$err" "no memory requested" "without partitions their defaults are not known"
bill --json "${known[@]}" -n2
is "$err|$(number equivalents)|$(number partition)|$(number time_limit_minutes)" '|2|"cpu"|60' \
	"the default partition, its memory and time"
is "$(tr -d ' \n' <<<"$out" | grep -o '"memory":{"amount":[0-9]*')" '"memory":{"amount":8000' "the price counts DefMemPerCPU of the partition"
costs 32 "a whole node" "${known[@]}" --exclusive
bill "${known[@]}" -p cpu,cpu -n2 --mem=16G
like "$out" "; --mem=8000M: 2" "a hint that holds in both partitions"
costs 32 "nobody else in the block: a whole node" "${known[@]}" -n1 --exclusive=topo
costs 32 "other users are kept off: a whole node" "${known[@]}" -n1 --exclusive=user
costs 32 "other labels are kept off: a whole node" "${known[@]}" -n1 --exclusive=mcs
costs 32 "cores for the system: a whole node" "${known[@]}" -n1 -S 2
costs 32 "threads for the system: a whole node" "${known[@]}" -n1 --thread-spec=2
config() { # KEY VALUE: 24.11's configuration with another value
	sed -E "s,^($1 += ).*,\\1$2," "$data/24.11/config.txt" >"$work/config"
	known[5]=$work/config
}
known+=(--config-info "$data/24.11/config.txt")
# What sbatch of a release makes of a request (docs/design/0039).
since() { # RELEASE NAME BEFORE AFTER ARGUMENT...: the outcome up to it, and from it on
	local release=$1 name=$2 want=("$3" "$4") got i
	for i in 0 1; do
		sed -E "s/^(SLURM_VERSION +=) .*/\1 $([[ $i == 0 ]] && before "$release" || echo "$release")/" \
			"$data/24.11/config.txt" >"$work/config"
		bill --json "${known[@]:0:4}" --config-info "$work/config" "${@:5}"
		got="$(number equivalents)-$(number equivalents_max)"
		[[ $status == 0 ]] || got=refused
		is "$got" "${want[i]}" "$name: $([[ $i == 0 ]] && echo before || echo from) $release"
	done
}
before() { # RELEASE: the one before it
	local last=${1##*.}
	[[ $last == 0 ]] && echo 22.05.11 || echo "${1%.*}.$((last - 1))"
}
since 23.02.0 "--nodelist of more nodes than --nodes" refused 8-8 -w cpu1,cpu2 -N1 -n8 --mem=1G
since 23.02.0 "--nodelist of more nodes than the least of --nodes" 4-4 2-4 -w cpu1,cpu2 -N1-4 -n2 --mem=8000M
since 23.02.0 "--cpus-per-gpu without GPUs" 1-1 refused -n1 --mem=1G --cpus-per-gpu=2
since 23.02.0 "--ntasks-per-core above --threads-per-core" 2-2 refused -n2 --mem=1G --ntasks-per-core=2 --threads-per-core=1
since 23.11.2 "-n and --ntasks-per-node name nodes: GPUs are too few" 1-1 refused -p gpu -n4 --ntasks-per-node=2 --gpus=1 --mem=1G
linear() { # RELEASE WANTED NAME ARGUMENT...: under select/linear
	local outcome=$2 name=$3
	sed -E "s/^(SLURM_VERSION +=) .*/\1 $1/; s/^(SelectType +=) .*/\1 select\/linear/" \
		"$data/24.11/config.txt" >"$work/config"
	bill --json "${known[@]:0:4}" --config-info "$work/config" -p gpu --mem=1G "${@:4}"
	is "$status|$(number equivalents)" "$outcome" "$name"
}
linear 23.02.8 "1|" "select/linear: --gpus is refused by 23.02" --gpus=p100:1
linear 23.11.11 "0|4" "select/linear: 23.11 takes --gpus for a whole node" --gpus=p100:1
linear 24.11.5 "1|" "select/linear: --gpus is refused by 24.11" --gpus=p100:1
sed -i -E 's/^MaxMemPer.* =.*/MaxMemPerCPU = 2000/; s/^(SLURM_VERSION +=) .*/\1 22.05.8/' "$work/config"
sed 's/4000M/2000M/' "$work/equitree.conf" >"$work/lean.conf"
run bill -f "$work/lean.conf" "${known[@]:0:4}" --config-info "$work/config" -p cpu \
	-n2 --ntasks-per-node=1 --mem-per-cpu=9G
is "$(grep -o -e '--mem.*' <<<"$out")" "" "select/linear: no hint of --mem beside --mem-per-cpu"
linear 23.11.11 "1|" "select/linear: --gpus-per-task is refused by 23.11" -n1 --gpus-per-task=p100:1
costs 1 "AllowSpecResourcesUsage=no: cores for the system are ignored" "${known[@]}" -n1 --mem=1G -S 2
costs 1 "MCSPlugin=mcs/none: --exclusive=mcs is ignored" "${known[@]}" -n1 --mem=1G --exclusive=mcs
costs 1 "no blocks: --exclusive=topo is ignored" "${known[@]}" -n1 --mem=1G --exclusive=topo
config AllowSpecResourcesUsage yes
costs 32 "AllowSpecResourcesUsage=yes: a whole node" "${known[@]}" -n1 --mem=1G -S 2
config MCSPlugin mcs/user
costs 32 "MCSPlugin=mcs/user: a whole node" "${known[@]}" -n1 --mem=1G --exclusive=mcs
sed 's/ OverSubscribe=NO/& ExclusiveTopo=YES/; s/^ *OverSubscribe=NO/& ExclusiveTopo=YES/' \
	"$data/partitions.txt" >"$work/kept"
sed 's/ ExclusiveTopo=YES/ Exclusive=TOPO/' "$work/kept" >"$work/kept-26.05"
costs 1 "no blocks: ExclusiveTopo=YES is ignored" "${known[@]}" --partition-info "$work/kept" -n1 --mem=1G
costs 32 "no blocks: Exclusive=TOPO of 26.05 gives whole nodes" "${known[@]}" --partition-info "$work/kept-26.05" -n1 --mem=1G
config TopologyPlugin topology/block
costs 32 "topology/block: a whole node" "${known[@]}" -n1 --mem=1G --exclusive=topo
costs 32 "topology/block: ExclusiveTopo=YES gives a whole node" "${known[@]}" --partition-info "$work/kept" -n1 --mem=1G
config TopologyPlugin topology/ring
costs 32 "topology/ring: a whole node" "${known[@]}" -n1 --mem=1G --exclusive=topo
known=("${known[@]:0:4}")
costs 32 "a partition that keeps others off" --partition-info "$work/kept" "${known[@]:2}" -n1
costs 32 "all memory of a node" "${known[@]}" -n1 --mem=0
bill --json "${known[@]}" -p gpu --exclusive
is "$(number at_least)|$(number equivalents)|$(number equivalents_max)|$(number unit)" \
	'false|4|4|"GPU-equivalents"' \
	"nodes that differ: from the cheapest to the dearest"
# No more CPUs than cores: Slurm gives out cores.
sed 's/ThreadsPerCore=1/ThreadsPerCore=2/' "$data/nodes-long.txt" >"$work/threads"
threads=("${known[@]:0:2}" --node-info "$work/threads")
costs 4 "cores of two threads that are given out whole" "${threads[@]}" -n4 --mem=1000M
costs 4 "the same with --threads-per-core=1" "${threads[@]}" -n4 --mem=1000M --threads-per-core=1
sed -i 's/CoresPerSocket=16/CoresPerSocket=8/; s/CoresPerSocket=12/CoresPerSocket=6/' "$work/threads"
costs 2 "hyper-threads: two to a core" "${threads[@]}" -n4 --mem=1000M
costs 4 "hyper-threads: --threads-per-core=1" "${threads[@]}" -n4 --mem=1000M --threads-per-core=1
costs 4 "hyper-threads: three parts of -B" "${threads[@]}" -n4 --mem=1000M -B1:4:1
costs 4 "hyper-threads: -B without threads, and then the option" "${threads[@]}" -n4 --mem=1000M -B1:4 --threads-per-core=1
costs 2 "hyper-threads: -B without threads takes the option before it back" "${threads[@]}" -n4 --mem=1000M --threads-per-core=1 -B1:4
costs 2 "hyper-threads: any number of threads in -B" "${threads[@]}" -n4 --mem=1000M --threads-per-core=1 "-B*:4:*"
costs 4 "hyper-threads: a range in -B" "${threads[@]}" -n4 --mem=1000M -B1-2:4-8:1-2
costs 4 "hyper-threads: --hint=nomultithread" "${threads[@]}" -n4 --mem=1000M --hint=nomultithread
bill --json "${known[@]}" -n9 --mem=100000M
is "$(number spread_nodes)" 2 "no more nodes than the partition has"
lacks() { # TEXT NAME ARGUMENT...
	refuses "$1" "$2" bill -f "$work/equitree.conf" "${known[@]}" "${@:3}"
}
lacks "no node here is large enough for the request" "memory that no node has" -n9 --mem=400000M
lacks "all nodes here together are too few for the request" "more tasks than CPUs" -n999 --mem=1G
lacks "no node here has what the request wants of one" "GPUs where there are none" --gpus=p100:1 --mem=1G
bill --json "${known[@]}" -p cpu,gpu -n1 --gpus=p100:1 --mem=1G
is "$(number equivalents)|$(number equivalents_max)|$(number unit)" '1|1|"GPU-equivalents"' \
	"of several partitions those count that have nodes for it"
sed 's/gpu:v100:4/gpu:p100:2(S:0-1)/; s/=192000/=128000/; s/CPUEfctv=32 CPUTot=32/CPUEfctv=24 CPUTot=24/' \
	"$data/nodes-long.txt" >"$work/nodes"
sed '/^NodeName=gpu1/,/^$/d' "$work/nodes" >"$work/nodes2"
bill --json "${known[@]:0:2}" --node-info "$work/nodes2" -p gpu --exclusive --mem=0
is "$(number equivalents)|$(number at_least)" "4|false" "a whole node of GPUs, sockets named"
sed '/^NodeName=gpu2/,/^$/s/ActiveFeatures=.*/ActiveFeatures=new,big/' "$data/nodes-long.txt" >"$work/features"
with=(--partition-info "$data/partitions.txt" --node-info "$work/features" -p gpu --gpus=1 -n8 --mem=1G)
bill --json "${with[@]}"
is "$(number equivalents)|$(number equivalents_max)" "1|1.3333333333333333" "GPUs of any model of the partition"
bill --json "${with[@]}" -C 'big&new'
is "$(number equivalents)|$(number equivalents_max)" "1|1" "--constraint selects the kind of nodes"
bill --json "${with[@]}" -w gpu1 -N1
is "$(number equivalents)|$(number equivalents_max)" "1.3333333333333333|1.3333333333333333" "--nodelist selects the kind of nodes"
bill --json "${with[@]}" -w gpu1
is "$(number equivalents)|$(number equivalents_max)" "1|1.3333333333333333" "--nodelist without a number of nodes: tasks may run on others, too"
sed -E 's/^(SLURM_VERSION +=) .*/\1 22.05.8/' "$data/24.11/config.txt" >"$work/old"
bill --json "${with[@]:0:6}" --mem=1G --gpus=1 -n1 -c8 -w gpu2,gpu1 --config-info "$work/old"
is "$(number equivalents)|$(number equivalents_max)" "1.3333333333333333|1.3333333333333333" "of a list that names more nodes than tasks the first in order remain"
bill --json "${with[@]}" --gpus=2 -N2 -n16 -w gpu1
is "$(number equivalents)|$(number equivalents_max)" "2|2.6666666666666665" "which leaves others if more are wanted"
bill --json "${with[@]}" --prefer 'new*2' -n1 --gpus=1 --mem=16G
is "$(number equivalents)|$(number spread_nodes)" "1|2" "--prefer counts nodes"
{ sed -n 1,36p "$data/nodes-long.txt" && sed -n 19,36p "$data/nodes-long.txt" | sed s/cpu2/cpu3/; } >"$work/row"
sed 's/TotalNodes=2/TotalNodes=3/' "$data/partitions.txt" >"$work/three"
bill --json --partition-info "$work/three" --node-info "$work/row" -p cpu -w cpu1,cpu3 --contiguous -n4 --mem=16G
is "$(number equivalents)" "12.288" "--contiguous has the nodes between those of --nodelist"
bill --json "${with[@]}" -x gpu1
is "$(number equivalents)|$(number equivalents_max)" "1|1" "--exclude leaves the models of the other nodes"
cat >"$work/generic.conf" <<'END'
bundle "cores" { cores = 1 }
bundle "gpu" { cores = 8 }
bundle "gpu" { cores = 4  nodes = gpu2 }
END
run bill --json -f "$work/generic.conf" "${known[@]}" -p gpu --gpus=p100:1 -n8
is "$(number equivalents)|$(number equivalents_max)" "1|1" "by the nodes that have the model"
run bill --json -f "$work/generic.conf" "${known[@]}" -p gpu --gpus=1 -n8
is "$(number equivalents)|$(number equivalents_max)" "1|2" "of any model by all nodes that have GPUs"
sed 's/OverSubscribe=NO/OverSubscribe=EXCLUSIVE/; s/JobDefaults=(null)/JobDefaults=DefCpuPerGPU=3,DefMemPerGPU=64000/' \
	"$data/partitions.txt" >"$work/partitions"
costs 32 "OverSubscribe=EXCLUSIVE" --partition-info "$work/partitions" --node-info "$data/nodes-long.txt" -n1
sed 's/MinNodes=[0-9]*/MinNodes=2/' "$data/partitions.txt" >"$work/least-two"
costs 2 "MinNodes=2: two nodes for one task" --partition-info "$work/least-two" "${known[@]:2}" -n1
refused "the partition gives a job more nodes than the request allows (-N)" "MinNodes=2: -N1 never starts" \
	--partition-info "$work/least-two" "${known[@]:2}" -N1 -n1
refused "the partition gives a job fewer nodes than the request wants (-N)" "-N above the nodes of the partition" \
	"${known[@]}" -N9 -n9
sed 's/ExclusiveUser=NO/Exclusive=NODE/' "$data/partitions.txt" >"$work/since-26.05"
costs 32 "Exclusive=NODE, as 26.05 says it" --partition-info "$work/since-26.05" --node-info "$data/nodes-long.txt" -n1
sed -i 's/Exclusive=NODE/Exclusive=USER/' "$work/since-26.05"
costs 1 "Exclusive=USER: others of that user may have the rest" --partition-info "$work/since-26.05" --node-info "$data/nodes-long.txt" -n1
costs 2 "DefMemPerGPU" --partition-info <(sed 's/EXCLUSIVE/NO/' "$work/partitions") -p gpu --gpus=p100:1
tr '\n' '|' <"$data/partitions.txt" | sed 's/|   / /g; s/||/\n/g; s/|$/\n/' >"$work/oneline"
bill --json --partition-info "$work/oneline" -n2
is "$(number equivalents)" 2 "scontrol -o is read as well"
refused "$data/partitions.txt: no partition gone" "an unknown partition" "${known[@]}" -p gone
refused "$data/nodes-long.txt: line 1: expected PartitionName=..., as \"scontrol show\" prints it" "another file" \
	--partition-info "$data/nodes-long.txt"

# ---- The account of a pool ---------------------------------------------------------
# last_line WANTED NAME ARGUMENT...
last_line() {
	bill -f "$work/pools.conf" "${@:3}"
	is "$status|$(tail -n 1 <<<"$out")" "0|$1" "$2"
}
{ cat "$work/equitree.conf" && echo 'pool "cpu" { suffix = _cpu } pool "gpu" { suffix = _gpu }'; } >"$work/pools.conf"
last_line "charged to account def-x_cpu" "-A names a group: the account of the cores" -A def-x -n1 --mem=1000M
last_line "charged to account def-x_gpu" "-A names a group: the account of the GPUs" --account=Def-X -n1 --mem=1000M --gpus=p100:1
last_line "  memory  1000M at 4000M an equivalent: 0.25" "an account that stays has no line" -A def-x_cpu -n1 --mem=1000M
last_line "  memory  1000M at 4000M an equivalent: 0.25" "a request without -A has no line of an account" -n1 --mem=1000M
script '#SBATCH -A def-y' '#SBATCH -n1 --mem=1000M'
last_line "charged to account def-y_cpu" "the account of an #SBATCH line" "$work/job.sh"
script '#PBS -A def-z' '#SBATCH -n1 --mem=1000M'
last_line "charged to account def-z_cpu" "the account of a #PBS line" "$work/job.sh"
bill -f "$work/pools.conf" --json -A def-x -n1 --mem=1000M
is "$(number account)" '"def-x_cpu"' "--json has the account of the pool"
refuses "account def-x_gpu is not for CPUs, which the job asks for" "an account of the other pool" \
	bill -f "$work/pools.conf" -A def-x_gpu -n1 --mem=1000M
refuses "the job may get nodes that are charged to account def-x_cpu or nodes that are charged to account def-x_gpu, and Slurm cannot change the account when it starts; name a partition or nodes of one kind" \
	"nodes of two pools" bill -f "$work/pools.conf" "${known[@]}" -A def-x -p cpu,gpu --exclusive -N1 --mem=1000M
done_testing
