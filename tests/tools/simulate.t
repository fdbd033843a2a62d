#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# equitree simulate: saved jobs, clusters and shares under several policies.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

policies=$data/policies
simulate() { # ARGUMENT...
	run simulate --shares "$data/sshare.txt" --fresh "$@"
}
saved() { # FILE ARGUMENT...
	local jobs=$1
	shift
	simulate --policy "$policies/shares.conf" --nodes "$data/nodes.txt" \
		--partitions "$data/partitions.txt" --jobs "$jobs" "$@"
}

# ---- Jobs that sacct printed ------------------------------------------------

head='JobIDRaw|User|Account|Partition|QOS|Eligible|ElapsedRaw|TimelimitRaw|State|AllocTRES'
job() { # ID USER ACCOUNT AT RUN-S TRES [PARTITION]
	echo "$1|$2|$3|${7-cpu}|normal|2026-11-21T$4|$5|60|COMPLETED|$6"
}
all=billing=32,cpu=32,mem=64G,node=1
{
	echo "$head"
	# Both nodes of cpu for an hour; then ada, who has them, and cleo.
	job 1 ada physics 10:00:00 3600 billing=64,cpu=64,mem=62.50G,node=2
	echo "1.batch||physics|||2026-11-21T10:00:00|3600||COMPLETED|cpu=32"
	job 2 ada physics 10:00:10 3600 "$all"
	job 3 ada physics 10:00:20 3600 "$all"
	job 4 cleo chemistry 10:00:30 3600 "$all"
	job 5 cleo chemistry 10:00:40 600 "$all"
	job 6 ben physics 10:01:00 60 \
		billing=2,cpu=2,gres/gpu:p100=1,gres/gpu=1,mem=8000M,node=1 gpu
	job 7 ben physics 10:02:00 0 ''
} >"$work/sacct"

saved "$work/sacct" --starts "$work/starts"
is "$status|$err" "0|equitree simulate: 1 jobs that never ran are left out" \
	"saved jobs are replayed; one that never ran is told of"
is "$(awk -F'|' 'NR > 1 { print $1, $5 - 1795255200 }' "$work/starts" | sort -n | paste -sd,)" \
	"1 0,2 4200,3 7200,4 3600,5 3600,6 60" \
	"who has used nothing is first, and each starts when there is room"
like "$out" "evaluated: 0:01:00 from" \
	"the time looked at ends with the last job's coming"
like "$out" "physics" "accounts that have jobs are listed"
((widest=$(widest), widest <= 80))
is "$?" 0 "the result of a simulation fits 80 columns ($widest)"

# ---- Limits and reservations --------------------------------------------------

mkdir "$work/enforced"
cp "$policies/equitree.conf" "$work/enforced/"
{
	cat "$policies/age.conf"
	echo "AccountingStorageEnforce=associations,limits"
} >"$work/enforced/slurm.conf"
one=billing=1,cpu=1,mem=1000M,node=1
{
	echo "$head|Reservation"
	echo "$(job 1 ada physics 10:00:00 600 $one)|"
	echo "$(job 2 ada physics 10:00:00 600 $one)|"
	echo "$(job 3 ben physics 10:00:00 600 $one)|"
	echo "$(job 4 cleo chemistry 10:00:00 600 $one)|"
} >"$work/four"
limited() { # SLURM.CONF ARGUMENT... -> starts: seconds after the first job, by job
	simulate --policy "$1" --nodes "$data/nodes.txt" --partitions "$data/partitions.txt" \
		--jobs "$work/four" --starts "$work/starts" "${@:2}"
	starts=$status:$(awk -F'|' 'NR > 1 { print $1, $5 - 1795255200 }' "$work/starts" |
		sort -n | paste -sd,)
}
printf '%s\n' 'Name|Priority|UsageFactor|GrpTRES|GrpJobs|MaxTRESPU|MaxJobsPU|MaxTRESPA|MaxJobsPA' \
	'normal|0|1||||1||' >"$work/qos"
limited "$work/enforced/slurm.conf" --qos "$work/qos"
is "$starts" "0:1 0,2 600,3 0,4 0" \
	"a replay holds MaxJobsPU of a QOS for each user"
limited "$policies/age.conf" --qos "$work/qos"
is "$starts" "0:1 0,2 0,3 0,4 0" \
	"a policy that enforces no limits has none in a replay"
sed -i '2s/.*/normal|0|1|||||cpu=1|/' "$work/qos"
limited "$work/enforced/slurm.conf" --qos "$work/qos"
is "$starts" "0:1 0,2 600,3 1200,4 0" \
	"a replay holds MaxTRESPA of a QOS for each account"
sed -i '2s/.*/normal|0|1|mem=2000M|||||/' "$work/qos"
limited "$work/enforced/slurm.conf" --qos "$work/qos"
is "$starts" "0:1 0,2 0,3 600,4 600" \
	"a replay holds GrpTRES of a QOS for all jobs"
printf '%s\n' 'Account|User|Partition|Priority|GrpTRES|GrpJobs|MaxJobs' 'physics|||||2|' \
	'physics|ada|||||1' >"$work/assocs"
limited "$work/enforced/slurm.conf" --assocs "$work/assocs"
is "$starts" "0:1 0,2 600,3 0,4 0" \
	"a replay holds MaxJobs of a user"
sed -i '2s/.*/physics||||cpu=1||/; 3d' "$work/assocs"
limited "$work/enforced/slurm.conf" --assocs "$work/assocs"
is "$starts" "0:1 0,2 600,3 1200,4 0" \
	"a replay holds GrpTRES of an account for all its users"
sed 's|QoS=N/A|QoS=part|' "$data/partitions.txt" >"$work/partitions"
sed -i '2s/.*/part|0|1||1||||/' "$work/qos"
limited "$work/enforced/slurm.conf" --qos "$work/qos" --partitions "$work/partitions"
is "$starts" "0:1 0,2 600,3 1200,4 1800" "a replay holds GrpJobs of the QOS of a partition"
sed -i '2s/.*/normal|0|1|cpu=0|||||/' "$work/qos"
limited "$work/enforced/slurm.conf" --qos "$work/qos"
is "$starts|$err" \
	"0:1 0,2 0,3 0,4 0|equitree simulate: 4 jobs are larger than a limit, which does not count for them" \
	"a limit below what a job had is left out for it, and told"

echo "ReservationName=upkeep StartTime=2026-11-21T10:05:00 EndTime=2026-11-21T11:00:00 Nodes=cpu[1-2] Users=root State=INACTIVE" \
	>"$work/reservations"
limited "$policies/age.conf" --reservations "$work/reservations"
is "$starts" "0:1 3600,2 3600,3 3600,4 3600" "a reservation keeps off jobs whose time limit reaches into it"
sed -i 's/^\(2|.*\)|$/\1|upkeep/' "$work/four"
sed -i 's/^2|ada|physics|cpu|normal|2026-11-21T10:00:00|600|60/2|ada|physics|cpu|normal|2026-11-21T10:00:00|600|20/' "$work/four"
limited "$policies/age.conf" --reservations "$work/reservations"
is "$starts" "0:1 3600,2 300,3 3600,4 3600" "a job of a reservation runs within it"
simulate --policy "$policies/age.conf" --cluster nodes=1,cpus=4 --generate 5 \
	--reservations "$work/reservations"
like "$status|$err" "1|.*--reservations needs --jobs" \
	"reservations for generated jobs are refused"

simulate --policy "fifo=$policies/age.conf" --nodes "$data/nodes.txt" \
	--jobs "$work/sacct" --starts "$work/starts"
is "$(awk -F'|' 'NR > 1 { print $1, $5 - 1795255200 }' "$work/starts" | sort -n | paste -sd,)" \
	"1 0,2 3600,3 3600,4 7200,5 7200,6 60" "by age alone: in the order of coming"

saved "$work/sacct" --window 3:00:00 --json
is "$(python3 - "$work/out" <<'END'
import json, sys
policy = json.load(open(sys.argv[1]))["policies"][0]
of = {a["account"]: a for a in policy["accounts"] if not a["user"]}
# ada 64 + 32 + 32 cores for an hour each (62.5G of 64 cores' memory), ben one
# P100 for a minute; cleo 32 cores for an hour and for ten minutes.
physics = 64 * 3600 + 2 * 32 * 3600 + 60
chemistry = 32 * 3600 + 32 * 600
got = of["physics"]["asked"] / of["chemistry"]["asked"]
print(abs(got - physics / chemistry) < 1e-9,
      abs(of["physics"]["got"] + of["chemistry"]["got"] - 1) < 1e-9,
      of["physics"]["jobs"], of["chemistry"]["wait_median_s"],
      policy["wait_p95_s"], len(of["physics"]["got_over_time"]))
END
)" "True True 4 3560 7180 48" "JSON: parts of the work by price, waits, time"

# ---- The Standard Workload Format ----------------------------------------------

swf() { simulate --policy "$policies/age.conf" --cluster nodes=2,cpus=4 --swf "$1" --swf-out "$work/swf.out" "${@:2}"; }
waits() { awk '!/^;/ { print $1 ":" $3 }' "$work/swf.out" | sort -n | paste -sd' '; }
cat >"$work/trace.swf" <<'END'
; Version: 2.2
; UnixStartTime: 1000000000
; a comment in between
1 0 -1 100 8 -1 -1 8 200 -1 1 1 1 -1 -1 -1 -1 -1
2 10 -1 50 4 -1 -1 -1 -1 -1 1 2 1 -1 -1 1 -1 -1
; and another
3 20.5 -1 50 -1 -1 -1 4 100 2048 1 99 -1 -1 -1 -1 -1 -1
4 30 -1 -1 -1 -1 -1 4 100 -1 5 2 1 -1 -1 1 -1 -1
END
swf "$work/trace.swf"
is "$status|$err|$(waits)" "0|equitree simulate: 1 jobs that never ran are left out|1:0 2:90 3:80" \
	"SWF: comments and missing values are read, and waits are written"
is "$(sed -n '/UnixStartTime/p; /^3 /p' "$work/swf.out" | paste -sd'|')" \
	"; UnixStartTime: 1000000000|3 20 80 50 4 -1 2048 4 100 2048 1 1 0 -1 -1 1 -1 -1" "SWF: what is written has 18 values, -1 for those that are not known"
mv "$work/swf.out" "$work/again.swf"
swf "$work/again.swf"
is "$(waits)" "1:0 2:90 3:80" "SWF: what was written is read back with the same waits"
printf '%s\n' "5 40 -1 50 4 -1" "6 50 -1 60 4 -1 -1 4 100 -1 1 1 1 -1 -1 1 -1 -1" >>"$work/trace.swf"
swf "$work/trace.swf"
is "$status|${err##*: line }" "1|9: expected 18 numbers" "SWF: a damaged line stops the run"
swf "$work/trace.swf" --skip-damaged
is "$status|$(tail -n 1 <<<"$err")|$(waits)" \
	"0|equitree simulate: 1 lines that cannot be read are left out|1:0 2:90 3:80 6:100" "SWF: --skip-damaged leaves a damaged line out and counts it"
sed 's/ -1 -1 1 -1 -1$/ -1 -1 3 -1 -1/' "$work/trace.swf" >"$work/gone.swf"
swf "$work/gone.swf" --cluster nodes=1,cpus=4,partition=b --skip-damaged
like "$status|$err" "1|.*no such partition in the cluster \(--skip-unknown" "SWF: a partition that is gone stops the run"
swf "$work/gone.swf" --cluster nodes=1,cpus=4,partition=b --skip-damaged --skip-unknown
like "$status|$(tr '\n' ' ' <<<"$err")" "^0.*2 jobs of partitions that the cluster does not have are left out" "SWF: --skip-unknown leaves such jobs out and counts them"
{
	cat "$work/sacct"
	job 8 ada physics 10:03:00 60 "$all" gone
	echo "garbage"
	echo "9|ada|physics|cpu|normal|yesterday|60|60|COMPLETED|$all"
} >"$work/damaged"
saved "$work/damaged" --skip-unknown
is "$status|${err##*: line }" "1|11: 1 columns: expected 10" "a damaged line of sacct stops the run"
saved "$work/damaged" --skip-unknown --skip-damaged
is "$status|$(tail -n 2 <<<"$err" | paste -sd'|')" \
	"0|equitree simulate: 1 jobs of partitions that the cluster does not have are left out|equitree simulate: 2 lines that cannot be read are left out" \
	"--skip-damaged and --skip-unknown leave damaged lines and jobs of a partition that is gone out, with their numbers"

# ---- Long queues -----------------------------------------------------------------

# Twice as many jobs come as the node can run, so that 30,000 of them wait in the end.
awk 'BEGIN { for (i = 1; i <= 60000; i++) print i, i * 20, -1, 160, 4, -1, -1, 4, 3600, -1, 1, i % 7, 1, -1, -1, -1, -1, -1 }' >"$work/long.swf"
TIMEFORMAT=%U
taken=$({ time simulate --policy "$policies/shares.conf" --cluster nodes=1,cpus=16 --swf "$work/long.swf" >"$work/long" 2>&1; } 2>&1)
ok "a simulation in which tens of thousands of jobs wait takes no time that grows with their square: $taken s" \
	awk -v taken="$taken" 'BEGIN { exit !(taken < 20) }'

# ---- Weights of QOS, associations and TRES -----------------------------------

# ordered NAME=VALUE WANT NAME OPTION...: the ids in the order of their starts,
# by that key alone; each job takes the whole node.
{
	echo "$head"
	for i in 1 2 3 4; do
		echo "$i|ada|physics|main|normal|$i|3600|60|COMPLETED|cpu=4,mem=1M,node=1"
	done
	echo "5|ben|physics|main|urgent|5|3600|60|COMPLETED|cpu=4,mem=1M,node=1"
	echo "6|cleo|chemistry|main|idle|6|3600|60|COMPLETED|cpu=4,mem=2M,node=1"
} >"$work/six"
printf 'Name|Priority|UsageFactor\nnormal|10|1.000000\nurgent|100|2.000000\nidle||0.500000\n' \
	>"$work/qos"
printf 'Cluster|Account|User|Partition|Share|Priority\nc|physics|||1|\nc|physics|ada||1|3\nc|physics|ben|main|1|900\nc|physics|ben||1|1\nc|chemistry|cleo||1|5\n' \
	>"$work/assocs"
ordered() {
	local want=$2 name=$3
	echo "$1" >"$work/slurm.conf"
	shift 3
	simulate --policy "$work/slurm.conf,$policies/equitree.conf" \
		--cluster nodes=1,cpus=4,memory=8M,partition=main \
		--jobs "$work/six" --starts "$work/starts" "$@"
	is "$status|$err|$(sort -t'|' -k5n "$work/starts" | awk -F'|' '/^[0-9]/ { print $1 }' |
		paste -sd' ')" "0||$want" "$name"
}
ordered PriorityWeightQOS=1000 "1 5 2 3 4 6" "QOS: the higher priority is first" \
	--qos "$work/qos"
ordered PriorityWeightAssoc=1000000 "1 6 2 3 4 5" \
	"associations: those of a partition do not count, the highest does" \
	--assocs "$work/assocs"
ordered PriorityWeightTRES=Mem=0.25G "1 2 3 4 5 6" \
	"TRES: half a point of memory is none" --seed 1
ordered PriorityWeightTRES=Mem=8000 "1 6 2 3 4 5" "TRES: more memory is first"
ordered PriorityWeightTRES=cpu=100,gres/gpu:p100=7 "1 2 3 4 5 6" \
	"TRES: equal ones, in the order of coming"

# Times without a zone are local, as in equitree usage: four hours behind UTC.
printf '%s\n1|ada|physics|cpu|normal|2026-07-01T12:00:00|60|60|COMPLETED|cpu=1,mem=1M,node=1\n' \
	"$head" >"$work/local"
TZ=XYZ4 saved "$work/local" --starts "$work/local-starts"
is "$status|$(cut -d'|' -f4 "$work/local-starts" | tail -n 1)" \
	"0|$(date -ud 2026-07-01T16:00:00 +%s)" "times without a zone are local"
bad_priorities() { # OPTION LINE TEXT NAME
	printf '%s\n%s\n' "$2" "$3" >"$work/bad"
	echo PriorityWeightQOS=1 >"$work/slurm.conf"
	simulate --policy "$work/slurm.conf,$policies/equitree.conf" \
		--cluster nodes=1,cpus=4 --generate 5 "$1" "$work/bad"
	is "$status|$out|$err" "1||equitree simulate: $work/bad: line 2: $4" "$5"
}
bad_priorities --qos "Name|Priority|UsageFactor" "normal|10|1,5" \
	'UsageFactor: "1,5": expected a number' "a factor with a comma"
bad_priorities --qos "Name|Priority|UsageFactor" "normal|-1|1" \
	'Priority: "-1": expected a whole number up to 4294967293' "a priority below 0"
bad_priorities --assocs "Account|User|Partition|Priority" "a|b||x" \
	'Priority: "x": expected a whole number up to 4294967293' "one that is no number"

# ---- A long trace ---------------------------------------------------------------

# 40,000 jobs are several parts of what is kept of a trace.
long_trace() { # JOBS
	awk -v n="$1" 'BEGIN {
		for (i = 1; i <= n; i++)
			printf "%d %d -1 %d %d -1 -1 1 %d -1 1 %d 1 -1 -1 1 -1 -1\n", i,
				300 * int(i / 3), 30 + i * 7919 % 400, 1 + i % 4,
				500 + i % 7 * 60, 1 + i % 5
	}'
}
long_trace 40000 >"$work/long"
swf "$work/long"
grep -v '^;' "$work/swf.out" >"$work/in-order"
shuf --random-source=<(yes) "$work/long" >"$work/shuffled"
swf "$work/shuffled"
is "$status|$(wc -l <"$work/in-order")|$(grep -v '^;' "$work/swf.out" | cmp - "$work/in-order")" \
	"0|40000|" "a long trace in any order: the same starts"
long_trace 300000 >"$work/long"
(ulimit -v 32000 && swf "$work/long" && cp "$work/out" "$work/long-out")
like "$(cat "$work/long-out")" ".*300000 of 300000 jobs started.*" \
	"300,000 jobs of a trace in 32 MB, with the command itself"

simulate --policy "$policies/shares.conf" --policy "age=$policies/age.conf" \
	--policy "places=$policies/shares.conf,$policies/places.conf" \
	--cluster nodes=4,cpus=32 --generate 500 --days 2
is "$status|$err" "0|" "three policies on made-up jobs"
is "$(grep -A3 '^POLICY' <<<"$out" | awk '{ print $1 }' | paste -sd' ')" \
	"POLICY shares age places" "one table compares them"
first=$out
simulate --policy "$policies/shares.conf" --policy "age=$policies/age.conf" \
	--policy "places=$policies/shares.conf,$policies/places.conf" \
	--cluster nodes=4,cpus=32 --generate 500 --days 2
is "$out" "$first" "the same seed, the same numbers"
simulate --policy "$policies/age.conf" --cluster nodes=4,cpus=32 \
	--generate 500 --days 2 --seed 2 --history --no-headings
is "$(grep -c 'ACCOUNT\|Policy' <<<"$out")" 0 "no headings if so wanted"
like "$out" '10:59:05 physics +61.1 % +0.3 % +0.1 %' "shares over time"

for kind in svg png; do
	simulate --policy "$policies/age.conf" --cluster nodes=4,cpus=32 \
		--generate 500 --days 2 --plot "$work/plot.$kind"
	is "$status|$(file -b --mime-type "$work/plot.$kind")" \
		"0|image/$([[ $kind == svg ]] && echo svg+xml || echo png)" \
		"a picture: .$kind"
done

# ---- What is refused ----------------------------------------------------------

bad() { # TEXT NAME LINE: the second line of a file
	printf '%s\n%s\n' "$head" "$3" >"$work/bad"
	saved "$work/bad"
	is "$status|$out|$err" "1||equitree simulate: $work/bad: line 2: $1" "$2"
}
bad "user \"eve\" of account \"physics\" is not in $data/sshare.txt (--skip-unknown leaves such jobs out)" \
	"a user who is not in the tree" "$(job 1 eve physics 10:00:00 5 "$all")"
bad 'Partition: "long": no such partition in the cluster (--skip-unknown leaves such jobs out)' \
	"a partition that is not there" "$(job 1 ada physics 10:00:00 5 "$all" long)"
bad 'Eligible: "2026-11-21T25:00:00": expected a time' \
	"a time that is none" "$(job 1 ada physics 25:00:00 5 "$all")"
bad 'ElapsedRaw: "-5": expected a whole number up to 31622400' \
	"a length that is none" "$(job 1 ada physics 10:00:00 -5 "$all")"
bad 'AllocTRES: "cpu=many,node=1": expected NAME=NUMBER,...' \
	"an amount that is none" "$(job 1 ada physics 10:00:00 5 cpu=many,node=1)"
bad 'AllocTRES: "cpu=1,gres/gpu:h100=1,node=1": no node has GPUs of this model' \
	"GPUs of a model that no node has" \
	"$(job 1 ada physics 10:00:00 5 cpu=1,gres/gpu:h100=1,node=1)"
bad 'JobIDRaw: "4_1": tasks of arrays need the column JobIDRaw' \
	"a task of an array by its other name" "$(job 4_1 ada physics 10:00:00 5 "$all")"
bad "11 columns: expected 10" "a line with a column too many" \
	"$(job 1 ada physics 10:00:00 5 "$all")|"
printf '%s' "$head" >"$work/bad"
saved "$work/bad"
is "$status|$out" "1|" "a file that is cut off"
saved - <<<"$head"
is "$status|$out|$err" "1||equitree simulate: stdin: no job that ran" "a list without a job"
sed 's/|AllocTRES//' <<<"$head" >"$work/bad"
echo '1|ada|physics|cpu|normal|5|5|60|COMPLETED' >>"$work/bad"
saved "$work/bad"
is "$status" 1 "a column that is missing"
like "$err" "AllocTRES" "the error says which column is missing"
{ echo "$head"; job 1 eve physics 10:00:00 5 "$all"; job 2 ada physics 10:00:00 5 "$all"; } >"$work/some"
saved "$work/some" --skip-unknown
is "$status|$err" "0|equitree simulate: 1 jobs of unknown users are left out" \
	"unknown users are left out if so wanted"

policy() { # TEXT NAME LINE
	echo "$3" >"$work/slurm.conf"
	simulate --policy "$work/slurm.conf,$policies/equitree.conf" \
		--cluster nodes=1,cpus=4 --generate 5
	is "$status|$out|$err" "1||equitree simulate: $work/slurm.conf:1: $1" "$2"
}
policy "PriorityWeightAge=lots: expected another value" \
	"a weight that is none" PriorityWeightAge=lots
policy "PriorityDecayHalfLife=soon: expected another value" \
	"a half-life that is none" PriorityDecayHalfLife=soon
policy "PriorityWeightTRES=cpu=x: expected another value" \
	"weights of TRES that are none" PriorityWeightTRES=cpu=x
policy "SchedulerParameters=bf_interval=0: expected another value" \
	"an interval that is none" SchedulerParameters=bf_interval=0
policy "SchedulerParameters=bf_job_part_count_reserve=x: expected another value" \
	"a number of reservations that is none" \
	SchedulerParameters=bf_job_part_count_reserve=x
reserving() { # JOBS: the starts of a workload when nodes are held for so many
	echo "SchedulerParameters=bf_continue,bf_job_part_count_reserve=$1" \
		>"$work/slurm.conf"
	simulate --policy "$work/slurm.conf,$policies/equitree.conf" \
		--cluster nodes=8,cpus=16,memory=64G --generate 600 --load 2 \
		--starts "$work/starts.$1"
	is "$status|$(grep -c '^[0-9]' "$work/starts.$1")" "0|600" \
		"bf_job_part_count_reserve=$1: all jobs start"
}
reserving 0
reserving 1
reserving 20
cmp -s "$work/starts.0" "$work/starts.1"
is "$?" 0 "one job is planned unless told otherwise"
cmp -s "$work/starts.1" "$work/starts.20"
is "$?" 1 "more planned jobs: other starts"
policy "PriorityFlags=NO_FAIR_TREE: only Fair Tree can be simulated" \
	"another tree than Fair Tree" PriorityFlags=NO_FAIR_TREE
echo PriorityWeightQOS=5 >"$work/slurm.conf"
simulate --policy "$work/slurm.conf,$policies/equitree.conf" \
	--cluster nodes=1,cpus=4 --generate 5
is "$status|$err" \
	"0|equitree simulate: PriorityWeightQOS: all QOS count as 0 without --qos" \
	"a weight of what is not known is told of"
echo PriorityUsageResetPeriod=YEARLY >"$work/slurm.conf"
simulate --policy "$work/slurm.conf,$policies/equitree.conf" \
	--cluster nodes=1,cpus=4 --generate 5
is "$status|$err" "0|equitree simulate: $work/slurm.conf:1: PriorityUsageResetPeriod is not simulated" \
	"a key that is not modelled is told of"
echo PriorityWeightTRES=cpu=1,license/matlab=2 >"$work/slurm.conf"
simulate --policy "$work/slurm.conf,$policies/equitree.conf" \
	--cluster nodes=1,cpus=4 --generate 5
is "$status|$err" "0|equitree simulate: $work/slurm.conf:1: PriorityWeightTRES is not simulated except for cpu, mem, node and gres/gpu" \
	"a TRES that is not simulated is told of"
simulate --policy "$policies/age.conf" --cluster nodes=1,cores=4 --generate 5
is "$status|$err" '1|equitree simulate: --cluster nodes=1,cores=4: "cores=4": expected nodes, cpus, memory, gpus or partition' \
	"a cluster of what it does not know"
for wrong in "" "--policy x" "--policy x --jobs a --generate 4" \
	"--policy x --generate 0" "--policy x --generate 4 --load none" \
	"--policy x --generate 4 --plot x.gif"; do
	# shellcheck disable=SC2086
	run simulate $wrong
	is "$status|$out" "2|" "misused: ${wrong:-nothing at all}"
done
done_testing
