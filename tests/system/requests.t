#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A pending job is changed, and an hour passes until the next pass: scontrol and squeue
# show the price of the new request at once. Of a held job they show it as soon as the
# job is released, or after a pass.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

cluster_up --set PriorityParameters=period=3600
submit ben 600 -N2 -n2 --mem=120000M -t 20 -w cpu1,cpu2 >"$work/blocker"
wait_until job_is "$(<"$work/blocker")" RUNNING || bail "the nodes are taken"
plain=$(submit ada 60 -n2 --mem=10000M -t 20 -w cpu1)
array=$(submit ada 60 -a 1-3 -n2 --mem=10000M -t 20 -w cpu1)
later=$(submit ada 60 -n2 --mem=10000M -t 20 -w cpu1 --begin=now+1hour)
held=$(submit ada 60 -n2 --mem=10000M -t 20 -w cpu1 --hold)
declare -A names=([$plain]="a pending job" [$array]="a pending array"
	[$later]="a job that begins later")

billing() { job_tres "$1" | sed -nE 's/.*billing=([0-9]+).*/\1/p'; }
of_squeue() {
	in_cluster squeue -h -j "$1" -O tres-alloc:80 |
		sed -nE 's/.*billing=([0-9]+).*/\1/p'
}
update() { in_cluster scontrol update jobid="$1" "${@:2}"; }

# A price of 2.5 for 10000M is a billing of 3.
for job in "$plain" "$array" "$later"; do
	is "$(billing "$job")" 3 "${names[$job]} has the price of its request"
	update "$job" MinMemoryNode=40000
	is "$(billing "$job") $(of_squeue "$job")" "10 10" \
		"${names[$job]} has another price at once when its memory changes"
	update "$job" NumCPUs=16
	is "$(billing "$job") $(of_squeue "$job")" "16 16" \
		"${names[$job]} has another price at once when its CPUs change"
done
pass_now
update "$held" MinMemoryNode=40000
pass_now
is "$(billing "$held") $(of_squeue "$held")" "10 10" \
	"a held job has the price of its request after a pass"
update "$held" MinMemoryNode=20000
in_cluster scontrol release "$held"
is "$(billing "$held") $(of_squeue "$held")" "5 5" \
	"a held job has the price of its request when it is released"

no_equitree_errors
done_testing
