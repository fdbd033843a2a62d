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
is "$?" 0 "it fits 80 columns ($widest)"
is "$(grep ^Unit <<<"$out")" \
"Unit cores=1,memory=2G: 29 of 120 units are true overhead (24.2 %),
Unit gpu=1: 5 of 8 units are true overhead (62.5 %)," \
	"two units side by side unless told otherwise"
is "$(grep -m1 '^cpu2' <<<"$out" | tr -s ' ' | sed 's/ *$//')" \
	"cpu2 12 88000M 0 12 32 100 % 259 %" \
	"a node: free, units, capacity and fair bill"
is "$(grep -m1 '^ *16-31' <<<"$out" | awk '{ print $2 }')" 1 "the histogram"
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

bad() { refuses "stdin: $1" "$2" overhead --nodes -; }
bad "empty" "nothing" </dev/null
bad 'line 1: not what "scontrol show" prints: no NodeName=' "something else" \
	<"$data/sshare.txt"
overhead
single=$out
run overhead --nodes <(sed 's/  *\([A-Z]\)/\n   \1/g' "$nodes")
is "$out" "$single" "several lines a node are read as well"
bad 'line 1: no State=' "a node without a state" \
	< <(sed '1s/ State=[^ ]*//' "$nodes")
bad 'line 2: CPUAlloc: "x" is no number' "a bad number" \
	< <(sed '2s/CPUAlloc=[0-9]*/CPUAlloc=x/' "$nodes")
bad 'line 3: the node has GPUs, but Slurm does not tell how many are allocated: that needs gres/gpu in AccountingStorageTRES' \
	"GPUs that are not counted" < <(sed 's/,gres.gpu[^ ]*//g' "$nodes")
bad 'line 4: cut off: the line has no end' "cut within a line" \
	< <(head -c -20 "$nodes")
run overhead --nodes "$nodes" --unit disk=1
is "$status" 2 "an unknown resource is misuse"
done_testing
