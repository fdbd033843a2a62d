#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# equitree overhead: canonical units and fair bill of saved nodes.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

nodes=$data/nodes.txt
overhead() { run overhead --nodes "$nodes" "$@"; }

overhead --list
is "$status$err" 0 "saved nodes are read"
((widest=$(widest), widest <= 80))
is "$?" 0 "the table of nodes fits 80 columns ($widest)"
is "$(grep ^Unit <<<"$out")" \
"Unit cores=1,memory=2G: 29 of 120 units are true overhead (24.2 %),
Unit gpu=1: 5 of 8 units are true overhead (62.5 %)," \
	"two units side by side unless told otherwise"
mkdir "$work/etc"
printf 'bundle "cores" { cores = 1.5 memory = 3500M }\n' >"$work/etc/equitree.conf"
touch "$work/etc/slurm.conf"
SLURM_CONF=$work/etc/slurm.conf run overhead --nodes "$nodes"
is "$(sed -n 's/^Unit \([^:]*\): .*/\1/p' <<<"$out" | xargs)" "cores=2,memory=3500M gpu=1" \
	"the unit of cores is the bundle of the equitree.conf beside slurm.conf"
overhead --list
is "$(grep -m1 '^cpu2' <<<"$out" | tr -s ' ' | sed 's/ *$//')" \
	"cpu2 12 88000M 0 12 32 100 % 259 %" \
	"a node: free, units, capacity and fair bill"
is "$(grep -m1 '^ *16-31' <<<"$out" | awk '{ print $2 }')" 1 "equitree overhead prints the histogram of nodes"
overhead --unit gpu=1,cores=6,mem=32000M -p gpu --json
is "$(grep -c '"node":' <<<"$out")|$(grep '"true_overhead"' <<<"$out" | tr -dc 0-9)" \
	"2|2" "JSON: a unit of three resources, one partition"

# The examples of the paper: "1 core and 2 GB".
node() { # NAME CORES MEMORY-GB CORES-USED MEMORY-USED-GB [STATE]
	echo "NodeName=$1 CPUAlloc=$4 CPUTot=$2 Gres=(null)" \
		"RealMemory=$(($3 * 1024)) AllocMem=$(($5 * 1024))" \
		"State=${6-MIXED} Partitions=all CfgTRES=cpu=$2 AllocTRES= X=y"
}
{
	node cores 8 10 8 7
	node memory 8 16 4 16
	node third 8 16 5 9
	node below 8 16 5 15
	node two 8 16 5 12
	node gone 8 16 0 0 IDLE+DRAIN
	node lost 8 16 0 0 'DOWN*'
} >"$work/paper"
run overhead --nodes "$work/paper" --unit cores=1,memory=2G --list
is "$(awk '$1 ~ /^[a-z]+$/ && $8 == "%" { print $1, $5, $7, $9 }' <<<"$out")" \
"cores 0 100 143
memory 0 200 100
third 3 100 111
below 0 160 107
two 2 120 100" "the paper's examples: units, and percent for cores and memory"
like "$out" "Not counted: 2 nodes" "nodes that take no jobs"

# The queue: pending jobs, against what is free.
squeue_columns="JOBID|USER|ACCOUNT|PARTITION|STATE|NODES|PRIORITY|TRES_ALLOC|REASON|JOBID"
job() { # ID PRIORITY PARTITION NODES TRES
	echo "$1|ada|a|$3|${state-PENDING}|$4|$2|$5|${reason-Resources}|$1"
}
{ # cpu2 has 12 cores and 88000M, gpu1 17 cores and 3 P100 free
	echo "$squeue_columns"
	job 1 90 cpu 1 cpu=10,mem=4G,node=1,billing=10
	job 2 80 cpu 1 cpu=4,mem=1000M
	job 3 70 gpu,cpu 1 cpu=1,mem=1G,gres/gpu=2,gres/gpu:p100=2
	job 4 60 gpu 1 cpu=1,mem=1G,gres/gpu=1,gres/gpu:v100=1
	job 5 50 gpu 2 cpu=2,mem=2G,gres/gpu=2
	job 6 40 cpu 1 cpu=2,mem=0.50G
	reason=Dependency job 7 30 cpu 1 cpu=1,mem=1G
	job 8 0 cpu 1 cpu=1,mem=1G
	state=RUNNING job 9 1 cpu 1 cpu=1,mem=1G
	state=COMPLETED job 10 1 cpu 1 cpu=1,mem=1G
	job 11 20 elsewhere 1 cpu=1,mem=1G
} >"$work/jobs"
overhead --jobs "$work/jobs" --json
fits() { grep -A6 '"queue"' <<<"$out" | tr -dc '0-9,\n' | grep . | tr -d '\n'; }
is "$status|$(fits)" "0|6,2,20,6,43,0,5,3,1" \
	"pending jobs: how many, held ones, units, fit by units, fit by request"
overhead --jobs "$work/jobs"
like "$out" "Jobs wait although nodes have room for them" "pending jobs: a line says what the numbers mean"
is "$(awk '$1 == "1" { print $2, $3; exit }' <<<"$out")" "0 3" \
	"the histogram has the jobs beside the nodes"
((widest=$(widest), widest <= 80))
is "$?" 0 "the histogram with jobs fits 80 columns ($widest)"
{ echo "$squeue_columns"; job 1 5 cpu 2 cpu=24,mem=32G; } >"$work/wide"
overhead --jobs "$work/wide" --unit cores=1,memory=2G
like "$out" "There are enough units, but not in the shape" \
	"units that no node has in one piece"
# A reason may hold what somebody wrote; nothing that he writes is another job.
{ echo "$squeue_columns"; reason='a|b' job 1 5 cpu 1 cpu=1,mem=1G; } >"$work/bar"
overhead --jobs "$work/bar"
like "$out" "Jobs that wait for these units: 1, for 1 units" \
	"a reason with a column separator is a reason"
{ echo "$squeue_columns"; reason=$'a\nb' job 1 5 cpu 1 cpu=1,mem=1G; } >"$work/broken"
refuses "$work/broken: line 2: 9 columns: expected 10" \
	"a reason with a line end" overhead --nodes "$nodes" --jobs "$work/broken"
{ echo "$squeue_columns"; reason=$'a|2\nb' job 1 5 cpu 1 cpu=1,mem=1G; } >"$work/broken"
refuses "$work/broken: line 2: the line of job \"1\" does not end with its id" \
	"a reason that ends its line with another id" \
	overhead --nodes "$nodes" --jobs "$work/broken"
forged=$'a|1\n9|root|a|cpu|PENDING|1|99|cpu=9,mem=1G|None|9\n1|x|x|x|DONE|1|1|cpu=1|b'
{ echo "$squeue_columns"; reason=$forged job 1 5 cpu 1 cpu=1,mem=1G; } >"$work/forged"
refuses "$work/forged: job 1: two lines" \
	"a reason that holds whole lines of other jobs" \
	overhead --nodes "$nodes" --jobs "$work/forged"
echo "JobId=1 JobName=x UserId=ada(1) Priority=5" >"$work/scontrol"
refuses "$work/scontrol: line 1: expected the columns $squeue_columns" \
	"what scontrol prints, where job names may hold lines" \
	overhead --nodes "$nodes" --jobs "$work/scontrol"
echo "$squeue_columns" >"$work/none"
overhead --jobs "$work/none"
is "$status$err" 0 "a list without jobs is no error"
overhead --jobs "$data/jobs.txt"
like "$out" "Jobs that wait for these units: 3, for 180 units" "jobs of a real cluster"
{ echo "$squeue_columns"; job 1 5 cpu 1 cpu=x; } >"$work/bad"
refuses "$work/bad: line 2: TRES_ALLOC: \"cpu=x\": expected NAME=NUMBER,..." "a bad job" \
	overhead --nodes "$nodes" --jobs "$work/bad"

# Many jobs and nodes, against one look at each node for each job. Numbers come
# from a generator that always makes the same.
perl -e '
	my ($dir, $at) = (shift, 7);
	sub pick { $at = ($at * 1103515245 + 12345) % 2**31; $_[int($at / 65536) % @_] }
	my (@nodes, @jobs);
	for my $i (0 .. 199) {
		my $gpu = pick(0, 0, 0, 1);
		my $model = pick("p100", "v100");
		my %n = (in => $gpu ? pick("gpu,short", "gpu") : pick("cpu,short", "cpu,long", "fat"),
			gres => $gpu ? "gpu:$model:4" : "(null)",
			free => [pick(0 .. 32), 1000 * pick(0 .. 64), $gpu ? pick(0 .. 4) : 0]);
		push @nodes, \%n;
		printf "NodeName=n%d CPUAlloc=%d CPUTot=32 Gres=%s RealMemory=64000 AllocMem=%d " .
			"State=MIXED Partitions=%s CfgTRES=cpu=32%s AllocTRES=%s X=y\n",
			$i, 32 - $n{free}[0], $n{gres}, 64000 - $n{free}[1], $n{in},
			$gpu ? ",gres/gpu=4" : "", $gpu ? "gres/gpu=" . (4 - $n{free}[2]) : "";
	}
	open my $file, ">", "$dir/many-jobs";
	print $file "JOBID|USER|ACCOUNT|PARTITION|STATE|NODES|PRIORITY|TRES_ALLOC|REASON|JOBID\n";
	for my $i (1 .. 2000) {
		my %j = (in => pick("cpu", "long,cpu", "short,gpu", "gpu", "fat", "fat,cpu,none"),
			nodes => pick(1, 1, 1, 2, 9), priority => 5000 - $i,
			each => [pick(1 .. 8), 500 * pick(1 .. 40), pick(0, 0, 0, 1, 2)],
			model => pick("", "", "p100", "v100"));
		$j{model} = "" unless $j{each}[2];
		push @jobs, \%j;
		my @all = map { $_ * $j{nodes} } @{$j{each}};
		print $file "$i|ada|a|$j{in}|PENDING|$j{nodes}|$j{priority}|" .
			"cpu=$all[0],mem=$all[1]M,gres/gpu=$all[2]" .
			($j{model} ? ",gres/gpu:$j{model}=$all[2]" : "") . "|Resources|$i\n";
	}
	my $fit = 0;
	for my $j (@jobs) {
		my @taken;
		my %in = map { $_ => 1 } split /,/, $j->{in};
		for my $n (@nodes) {
			next if @taken == $j->{nodes} || !grep { $in{$_} } split /,/, $n->{in};
			next if $j->{model} && $n->{gres} !~ /:$j->{model}/;
			push @taken, $n unless grep { $n->{free}[$_] < $j->{each}[$_] } 0 .. 2;
		}
		next if @taken < $j->{nodes};
		$fit++;
		for my $n (@taken) { $n->{free}[$_] -= $j->{each}[$_] for 0 .. 2 }
	}
	open my $count, ">", "$dir/many-fit";
	print $count $fit;
' "$work" >"$work/many-nodes"
run overhead --nodes "$work/many-nodes" --jobs "$work/many-jobs" --unit cores=1 --json
fit=$(<"$work/many-fit")
is "$status|$(grep fit_by_request <<<"$out" | tr -dc 0-9)" "0|$fit" "2,000 jobs on 200 nodes: those that fit ($fit)"
((fit > 100 && fit < 1900))
is "$?" 0 "some do and some do not"

# Partitions and units side by side.
overhead --partitions --unit cores=1,memory=2G --unit gpu=1 --unit cores=16
is "$status|$err|$(sed 1d <<<"$out" | tr -s ' ' | sed 's/ $//')" "0||cpu cores=1,memory=2G 2 12 64 18.8 %
cpu cores=16 2 1 4 25.0 %
gpu cores=1,memory=2G 2 17 56 30.4 %
gpu gpu=1 2 5 8 62.5 %
gpu cores=16 2 1 3 33.3 %" \
	"print one line per partition and unit"
overhead --partitions --json
is "$(grep -c '"capacity"' <<<"$out")|$(grep -c '"partition": "gpu"' <<<"$out")" "3|2" "equitree overhead prints JSON"
overhead --partitions --list
is "$status|$out" "2|" "not with the list of nodes"

# Pictures.
if command -v gnuplot >/dev/null; then
	overhead --jobs "$work/jobs" --plot "$work/it's.svg"
	is "$status$err|$(grep -c '</svg>' "$work/it's.svg")" "0|1" "--plot writes an SVG file"
	like "$(<"$work/it's.svg")" "Unit cores=1,memory=2G: 24.2 % is true overhead" "the SVG file has a title"
	overhead --plot "$work/p.png"
	is "$status|$(head -c 4 "$work/p.png" | tr -d '\211')" "0|PNG" "--plot writes a PNG file"
	run overhead --nodes "$nodes" --plot "$work/none/p.png"
	is "$status" 1 "a folder that is not there"
	like "$err" "gnuplot failed" "a folder that is not there is reported"
	overhead --unit "gpu=1,gpu=1" --plot "$work/x.svg"
	is "$status" 2 "a unit that is none is no picture"
fi
overhead --plot "$work/p.gif"
is "$status" 2 "another kind of picture is misuse"

bad() { refuses "stdin: $1" "$2" overhead --nodes -; }
bad "empty" "nothing" </dev/null
bad 'line 1: expected NodeName=..., as "scontrol show" prints it' "something else" \
	<"$data/sshare.txt"
overhead
single=$out
run overhead --nodes <(sed 's/  *\([A-Z]\)/\n   \1/g' "$nodes")
is "$out" "$single" "several lines a node are read as well"
bad 'line 1: no State=' "a node without a state" \
	< <(sed '1s/ State=[^ ]*//' "$nodes")
bad 'line 2: CPUAlloc: "x": expected a number' "a bad number" \
	< <(sed '2s/CPUAlloc=[0-9]*/CPUAlloc=x/' "$nodes")
bad 'line 3: the node has GPUs, but Slurm does not count allocated ones: add gres/gpu to AccountingStorageTRES' \
	"GPUs that are not counted" < <(sed 's/,gres.gpu[^ ]*//g' "$nodes")
bad 'line 4: cut off: no line end' "cut within a line" \
	< <(head -c -20 "$nodes")
run overhead --nodes "$nodes" --unit disk=1
is "$status" 2 "an unknown resource is misuse"
# ---- Thresholds of a partition ----------------------------------------------

run overhead --nodes "$data/nodes.txt" --partitions --csv --no-headings \
	--unit cores=1,memory=2G --unit gpu:gpu=1
is "$out" 'cpu,"cores=1,memory=2G",2,12,64,18.8
gpu,gpu=1,2,5,8,62.5' "a partition has its own unit, the others those of all"
run overhead --nodes "$data/nodes.txt" --unit cpu:cores=1,memory=2G
like "$out" "^Unit cpu:cores=1,memory=2G: 12 of 64 units are true overhead .*on 2 nodes" \
	"the unit of a partition counts its nodes alone"
run overhead --nodes "$data/nodes.txt" --unit cpu:cores=1 -p gpu
is "$status" 2 "-p and the unit of a partition exclude each other"
run overhead --nodes "$data/nodes.txt" --unit :cores=1
is "$status" 2 "a unit of a partition without a name is misuse"

# ---- Local disk --------------------------------------------------------------

disk_node() { # NAME USED-CORES USED-DISK TMPDISK
	echo "NodeName=$1 CPUAlloc=$2 CPUTot=8 Gres=jobfs:800G RealMemory=16384" \
		"AllocMem=0 TmpDisk=$4 State=MIXED Partitions=all" \
		"CfgTRES=cpu=8,mem=16G,gres/jobfs=858993459200" \
		"AllocTRES=cpu=$2$( (($3)) && echo ",gres/jobfs=$(($3 << 30))") X=y"
}
{
	disk_node free 4 0 81920
	disk_node full 4 750 20480
} >"$work/disks"
run overhead --nodes "$work/disks" --unit cores=1,memory=2G,gres/jobfs=100G --list --csv --no-headings
is "$out" "free,4,16384M,0,4,8,100,,,858993459200,
full,4,16384M,0,0,8,200,,,53687091200,107" "a unit may have local disk, which a node runs out of"
run overhead --nodes "$work/disks" --unit cores=1,tmpdisk=20G --list --csv --no-headings
is "$(cut -d, -f 1,5,6 <<<"$out")" "free,4,4
full,1,1" "TmpDisk counts as free, since Slurm allocates none"
run overhead --nodes "$work/disks" --unit gres/jobfs=1 --unit tmpdisk=1
is "$status" 2 "nodes have one kind of local disk"
run overhead --nodes <(sed 's/,gres.jobfs=[0-9]*//g' "$work/disks") --unit gres/jobfs=1G
is "$status" 1 "local disk that Slurm does not count is an error"
like "$err" "line 1: Slurm does not count gres/jobfs of the node: add it to AccountingStorageTRES" \
	"the error says what to add"
done_testing
