#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# equitree overhead --by: true overhead of days, and the fair bill of jobs that ran.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"
export TZ=UTC

node() { # NAME CORES MEMORY-GB [GPUS]
	local gpus=${4-0}
	echo "NodeName=$1 CPUAlloc=0 CPUTot=$2 Gres=$( ((gpus)) && echo "gpu:$gpus" || echo "(null)")" \
		"RealMemory=$(($3 * 1024)) AllocMem=0 State=IDLE Partitions=${part-all}" \
		"CfgTRES=cpu=$2$( ((gpus)) && echo ",gres/gpu=$gpus") AllocTRES= X=y"
}
{ # as in the figure of the paper, where nodes have ten cores
	node osg1 10 20
	node osg2 10 20
	node osg3 10 20
	node osg4 10 16
} >"$work/nodes"
columns=JobIDRaw\|Cluster\|Account\|User\|Partition\|QOS\|State\|Start\|End\|ElapsedRaw\|Suspended\|AllocTRES\|NodeList
serial=0
job() { # ACCOUNT USER START SECONDS CPUS MEMORY-MB NODES [GPUS]
	local start
	serial=$((serial + 1))
	start=$(date -d "$3" +%s)
	echo "$serial|c|$1|$2|all|normal|COMPLETED|$start|$((start + $4))|$4|00:00:00|cpu=$5,mem=$6M,node=1${8:+,gres/gpu=$8}|$7"
}
list() { echo "$columns"; cat; }
overhead() { run overhead --nodes "$work/nodes" --unit cores=1,memory=2G --since 2026-05-01 --until 2026-05-02 --history "$work/jobs" "$@"; }
day=86400

# The three cases of section 3.3, for a day: two jobs take all cores and 14 of 20 GB,
# two jobs half of the cores and all memory, one job leaves 3 cores and 7 GB of 10 and 16.
{
	job a u 2026-05-01 $day 6 8192 osg1
	job b v 2026-05-01 $day 4 6144 osg1
	job a u 2026-05-01 $day 2 10240 osg2
	job b v 2026-05-01 $day 3 10240 osg2
	job c w 2026-05-01 $day 7 9216 osg4
} | list >"$work/jobs"
overhead --by job --no-headings
is "$status$err" 0 "saved jobs and nodes are read"
is "$(awk '$NF == "%" { print $1, $2, $(NF - 1) }' <<<"$out")" \
	"1 core-hours 100
1 GiB-hours 143
2 core-hours 100
2 GiB-hours 143
3 core-hours 200
3 GiB-hours 100
4 core-hours 200
4 GiB-hours 100
5 core-hours 100
5 GiB-hours 111" "the paper's bills of jobs: memory at 143 %, cores at 200 %, memory at 111 %"
overhead --by account --csv
is "$out" "ACCOUNT,UNIT,REQUESTED,BILLED,RATE
a,core-hours,192.00,240.00,125
a,GiB-hours,432.00,514.29,119
b,core-hours,168.00,240.00,143
b,GiB-hours,384.00,445.71,116
c,core-hours,168.00,168.00,100
c,GiB-hours,216.00,240.00,111" "the bill of accounts is the sum of that of their jobs"
overhead --by user --json
is "$(python3 -c 'import json, sys
for bill in json.load(sys.stdin)["bills"]:
    print(bill["user"], round(bill["requested_core_hours"], 6), round(bill["billed_core_hours"], 6), round(bill["billed_memory_gib_hours"], 6), bill["billed_gpu_hours"])' <<<"$out")" \
	"u 192.0 240.0 514.285714 0.0
v 168.0 240.0 445.714286 0.0
w 168.0 168.0 240.0 0.0" "the bill of users as JSON"
overhead --by account
is "$(grep '^In all' <<<"$out" | sed -n 1p)" \
	"In all 528.00 core-hours requested, 648.00 billed; 312.00 true overhead, charged to nobody." \
	"requested, billed and what nobody pays: osg3 is empty, and osg4 has three units"
is "$(awk -v all=$((4 * 10 * 24)) '/core-hours requested/ { print $6 + $8 == all }' <<<"$out" |
	tail -n 1)" 1 "billed cores and true overhead are all cores"

overhead --by day --csv
is "$out" "DAY,UNIT,UNIT HOURS,UNIT HOURS OF,TRUE OVERHEAD,NODE HOURS,NODE HOURS OF
2026-05-01,\"cores=1,memory=2G\",312.0,912.0,34.2,33.0,96.0" \
	"a day of the paper's nodes: 0, 0, 10 and 3 units"
overhead --by day
is "$(sed -n '/^ *UNITS/,$p' <<<"$out" | awk '{ print $1, $2 }')" \
	"UNITS FREE
0 48.0
1 0.0
2-3 24.0
4-7 0.0
8-15 24.0" "the histogram of a period has the hours of nodes"
((widest=$(widest), widest <= 80))
is "$?" 0 "the report of days fits 80 columns ($widest)"

# A job of 30 hours over midnight, one that runs still, and one before the period.
{
	job a u 2026-04-29 $day 10 20480 osg1
	job a u 2026-05-01T18:00:00 $((30 * 3600)) 10 20480 osg1
	job b v 2026-05-02T12:00:00 1 5 10240 osg2 | sed 's/|1777723201|/|Unknown|/'
} | list >"$work/jobs"
over() { run overhead --nodes "$work/nodes" --unit cores=1,memory=2G --since 2026-05-01 --until 2026-05-04 --history "$work/jobs" "$@"; }
over --by day --csv --no-headings
is "$status|$err|$(cut -d, -f1,4 <<<"$out" | xargs)" \
	"0||2026-05-01,852.0 2026-05-02,612.0 2026-05-03,792.0" \
	"jobs are cut at midnight, and a job without an end goes on"
over --by day --csv --no-headings --history "$work/jobs" --json
is "$(python3 -c 'import json, sys
unit = json.load(sys.stdin)["units"][0]
print(sum(day["unit_hours"] for day in unit["days"]) == unit["period"]["unit_hours"],
      sum(bin["node_hours"] for bin in unit["histogram"]) == unit["period"]["capacity_node_hours"])' <<<"$out")" \
	"True True" "days and histogram add up to the period"

# Nodes that were down for twelve hours, and one that still is.
printf 'NodeName|TimeStart|TimeEnd\n|2026-05-01T00:00:00|2026-05-02T00:00:00\nosg3|2026-05-01T06:00:00|2026-05-01T18:00:00\nosg4|2026-05-03T00:00:00|Unknown\ngone|2026-05-01T00:00:00|Unknown\n' >"$work/events"
over --by day --csv --no-headings --events "$work/events"
is "$(cut -d, -f1,4,5 <<<"$out" | xargs)" "2026-05-01,732.0,792.0 2026-05-02,612.0,912.0 2026-05-03,600.0,720.0" \
	"hours in which a node was unavailable are neither overhead nor capacity"

# Several nodes: all they have, or equal parts; GPUs by their own unit.
{
	node osg1 10 20
	node osg2 20 40
	part=gpu node gpu1 16 64 4
} >"$work/nodes"
{
	job a u 2026-05-01 3600 30 61440 'osg[1-2]'
	job a u 2026-05-01T02:00:00 3600 10 2048 'osg[1-2],old1' # a node that is no more
	job b v 2026-05-01 3600 4 8192 gpu1 3
} | list >"$work/jobs"
run overhead --nodes "$work/nodes" --since 2026-05-01 --until 2026-05-02 --history "$work/jobs" --by job
is "$(awk '$NF == "%" { print $1, $2, $3, $4, $5 }' <<<"$out")" \
	"1 core-hours 30.00 30.00 100
1 GiB-hours 60.00 60.00 100
2 core-hours 7.00 7.00 100
2 GiB-hours 1.33 14.00 1049
3 GPU-hours 3.00 3.00 100" "a job on nodes of two sizes has all of both, or equal parts; a GPU node is billed in GPUs"
like "$out" "NOT COUNTED: 1 jobs on nodes that are no more" "jobs on nodes that are no more are named"
run overhead --nodes "$work/nodes" --since 2026-05-01 --until 2026-05-02 --history "$work/jobs" --by day \
	--unit cores=1,memory=2G --unit gpu:gpu=1 --csv --no-headings
is "$(cut -d, -f 2- <<<"$out" | grep gpu)" "gpu:gpu=1,93.0,96.0,96.9,23.2,24.0" "a partition has its own thresholds over time"
run overhead --nodes "$work/nodes" --since 2026-05-01 --until 2026-05-02 --history "$work/jobs" --by day -p gpu --csv --no-headings --unit gpu=1
is "$(wc -l <<<"$out")|$(cut -d, -f3,4 <<<"$out")" "1|93.0,96.0" "the days of one partition"

# ---- Drawings -----------------------------------------------------------------

if command -v gnuplot >/dev/null; then
	over --by day --plot "$work/days.svg"
	is "$status$err|$(grep -c '</svg>' "$work/days.svg")|$(grep -o 'node-hours of true overhead' "$work/days.svg" | head -n 1)" \
		"0|1|node-hours of true overhead" "--plot draws true overhead of days"
fi

# ---- What is wrong ------------------------------------------------------------

misuse() { # TEXT NAME OPTION...
	local text=$1 name=$2
	shift 2
	run overhead "$@"
	is "$status|$(grep -cF -- "$text" <<<"$err")" "2|1" "$name"
}
# ---- The record of charges --------------------------------------------------

# Of the day: an hour of 2, half an hour of 4 that a suspension began, an hour of which half
# is before it, one that was given back, and one that goes on.
mkdir "$work/record"
python3 - "$work/record" "$(date -d 2026-05-01 +%s)" <<'END'
import sys, zlib
folder, day = sys.argv[1], int(sys.argv[2])
def seal(text): return "%s%08x\n" % (text, zlib.crc32(text.encode()))
def line(number, kind, job, start, length, idle, rate, account, factor=1.0):
    return seal(f"c {number} {kind} {job} 0 0 0 0 {start} 0 {length} {idle} {rate.hex()} {factor.hex()} 1 1000 0 7 1 0 cc 0 0 0 {account} u all normal - - ")
with open(folder + "/charges.2026-05-01", "w") as out:
    out.write(seal("equitree-charges 1 test 2026-05-01 "))
    out.write(line(1, "e", 1, day + 600, 3600, 0, 2.0, "a"))
    out.write(line(2, "e", 2, day + 600, 3600, 1800, 4.0, "b"))
    out.write(line(3, "e", 3, day - 1800, 3600, 0, 8.0, "a"))
    out.write(line(4, "e", 4, day + 600, 3600, 0, 1.0, "c"))
    out.write(line(5, "f", 4, day + 600, 3600, 0, 1.0, "c", -1.0))
with open(folder + "/open", "w") as out:
    out.write(seal("equitree-charges 1 test open "))
    out.write(line(0, "o", 5, day + 86400 - 900, 1800, 0, 4.0, "d"))
    out.write(line(0, "o", 2, day + 600, 600, 0, 4.0, "b"))
END
overhead --by account --csv --no-headings --charges "$work/record"
is "$(grep charged <<<"$out")" "a,charged hours,,6.00,
b,charged hours,,2.00,
d,charged hours,,1.00," "bills have what the record charged within the period"
overhead --by account --charges "$work/record" -p none --json
is "$(grep -c '"charged_hours": [1-9]' <<<"$out")" 0 "a partition has its own charges alone"
misuse "--charges needs --by" "charges are of a period" --charges x
misuse '"week": expected day, job, user or account' "another key" --by week
misuse "--plot needs --by=day" "bills are not drawn" --by job --plot x.svg
misuse "--by excludes --list, --partitions and --jobs" "a list is of a moment" --by day --list
misuse "--history needs --nodes" "saved jobs need saved nodes" --by day --history x
misuse "--events needs --history" "saved events need saved jobs" --by day --events x
misuse "need --by" "a period needs a key" --since 2026-05-01
misuse "the period has no time" "a period that ends before it begins" --by day --since 2026-05-02 --until 2026-05-01
misuse "expected a time" "a time that is none" --by day --since soon
job a u 2026-05-01 60 1 1 osg1 | sed 's/cpu=1,mem=1M,node=1/cpu=x/' | list >"$work/bad"
refuses "$work/bad: line 2: AllocTRES: \"cpu=x\": expected amounts" "amounts that are none" \
	overhead --nodes "$work/nodes" --by day --history "$work/bad" --since 2026-05-01 --until 2026-05-02
printf 'Node|Start\nx|y\n' >"$work/bad"
refuses "$work/bad: line 1: no column \"NodeName\" among Node, Start" "another list as events" \
	overhead --nodes "$work/nodes" --by day --history "$work/jobs" --events "$work/bad" --since 2026-05-01 --until 2026-05-02

# ---- Local disk --------------------------------------------------------------

# A job with a quarter of the disk and all cores pays for the disk that nobody can use.
echo "NodeName=d1 CPUAlloc=0 CPUTot=4 Gres=jobfs:400G RealMemory=8192 AllocMem=0 State=IDLE" \
	"Partitions=all CfgTRES=cpu=4,gres/jobfs=429496729600 AllocTRES= X=y" >"$work/nodes"
job a u 2026-05-01 3600 4 8192 d1 |
	sed 's/node=1/node=1,gres\/jobfs=107374182400/' | list >"$work/jobs"
run overhead --nodes "$work/nodes" --unit cores=1,gres/jobfs=100G --since 2026-05-01 \
	--until 2026-05-02 --history "$work/jobs" --by user --csv --no-headings
is "$out" "u,core-hours,4.00,4.00,100
u,disk-GiB-hours,100.00,400.00,400" "the fair bill has local disk"
done_testing
