#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# equitree usage: core-years and GPU-years of saved jobs.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"
export TZ=UTC

conf=$tools_dir/../../sandbox/sites/cedar/equitree.conf
head=JobIDRaw\|Account\|User\|Partition\|QOS\|Start\|End\|ElapsedRaw\|Suspended\|AllocTRES
serial=0
job() { # ACCOUNT USER PARTITION START SECONDS TRES [QOS [SUSPENDED]]
	local start end
	serial=$((serial + 1))
	start=$(date -d "$4" +%s)
	end=$(date -d "@$((start + $5))" +%Y-%m-%dT%H:%M:%S)
	echo "$serial|$1|$2|$3|${7-normal}|$(date -d "@$start" +%Y-%m-%dT%H:%M:%S)|$end|$5|${8-00:00:00}|$6"
}
list() { echo "$head"; cat; }
usage() { run usage -f "$conf" --now 2026-07-01 "$@"; }
# The value of a key in the object that has KEY NAME.
of() { # NAME KEY
	awk -v name="\"$1\"" -v key="\"$2\":" '
		/^ *"(account|project|submitter|month|day|partition|qos|cluster|comment|wckey)":/ { on = index($0, name) }
		on && $1 == key { sub(/,$/, "", $2); print $2; exit }' <<<"$out"
}
# Days that a value in years is, of an allocation year of 365.
days() { awk -v years="$(of "$@")" 'BEGIN { printf "%.4f", years * 365 }'; }
day=86400

# ---- Failures -----------------------------------------------------------------

mkdir "$work/bin"
printf '#!/bin/sh\necho "sacct: error: no slurmdbd" >&2; exit 1\n' >"$work/bin/sacct"
printf '#!/bin/sh\ncat %q\n' "$data/nodes.txt" >"$work/bin/scontrol"
chmod +x "$work/bin"/*
PATH=$work/bin:$PATH run usage -f "$conf" --now 2026-07-01
is "$status|$out|$(tail -n 1 <<<"$err")" \
	"1||equitree usage: sacct: empty; without slurmdbd there is no past usage" \
	"a failure of sacct names sacct, and not the line that ran it"

# ---- Units ------------------------------------------------------------------

one() { # TEXT WANT-KEY WANT-DAYS TRES [PARTITION]: a day's job
	job a u "${5-cpu}" 2026-05-01 $day "$4" | list >"$work/one"
	usage --jobs "$work/one" --json
	is "$status|$err|$(days a "$2")" "0||$3" "$1"
}
one "memory decides" core_years 2.5000 billing=3,cpu=2,mem=10000M,node=1
job a u cpu 2026-05-01 $day billing=3,cpu=3,mem=1M,node=1 normal 20574-06:33:42 |
	sed "s/|$day|/|0|/" | list >"$work/one"
usage --jobs "$work/one" --json
is "$status|$err|$(days a core_years)" "0||3.0000" \
	"a suspension whose begin slurmdbd has not is none, and the job ran to its end"
# The clock was set meanwhile: the job ended when it began, after a suspension of a minute.
{
	job a u cpu 2026-05-01 $day billing=3,cpu=3,mem=1M,node=1
	job a u cpu 2026-05-01 0 billing=3,cpu=3,mem=1M,node=1 normal 00:01:00
} | list >"$work/one"
usage --jobs "$work/one" --json
is "$status|$err|$(days a core_years)" "0||3.0000" \
	"a suspension by two clocks is none, and the job ran for no time"
one "cores decide" core_years 4.0000 cpu=4,mem=100M,node=1
one "two GPUs, one bundle of the rest" gpu_years 2.0000 \
	cpu=6,gres/gpu:p100=2,gres/gpu=2,mem=32000M
one "nine cores beside a GPU" gpu_years 1.5000 cpu=9,gres/gpu:p100=1,gres/gpu=1,mem=32000M
one "48G beside a GPU" gpu_years 1.5000 cpu=6,gres/gpu:p100=1,gres/gpu=1,mem=48000M
one "a GPU without a model is the dearest" gpu_years 2.0000 cpu=12,gres/gpu=1,mem=1M
is "$(grep -c '"uncertain": 1,' <<<"$out")" 1 "a GPU without a model is counted as uncertain"
one "gigabytes that are whole megabytes" core_years 16.0000 cpu=1,mem=62.5G
usage --jobs "$work/one" --json
is "$(days a allocated_cores_core_years)" 1.0000 "cores count as allocated"
sed 's/^billing_scale.*//' "$conf" >"$work/weights.conf"
cat >>"$work/weights.conf" <<'END'
bundle "gpu:a100" {
	cores = 8
	memory = 64000M
	weight = 4.0
}
partition "express" { factor = 3 }
qos "half" { factor = 0.5 }
charge_suspended = no
END
weighed() { run usage -f "$work/weights.conf" --now 2026-07-01 --json --jobs -; }
weighed < <(job a u gpu 2026-05-01 $day cpu=8,mem=1M,gres/gpu:a100=2 | list)
is "$(days a gpu_years)|$(days a rgu_years)" "2.0000|8.0000" "GPU-years and RGU-years by weight"
weighed < <(job a u express 2026-05-01 $day cpu=2,mem=1M half | list)
is "$(days a core_years)" 3.0000 "factors of partition and QOS"
weighed < <(job a u cpu 2026-05-01 43200 cpu=2,mem=1M normal 12:00:00 |
	sed 's/2026-05-01T12:00:00/2026-05-02T00:00:00/' | list)
is "$(days a core_years)" 1.0000 "suspended time is not charged where it is not to be"
usage --json --jobs - < <(job a u cpu 2026-05-01 43200 cpu=2,mem=1M normal 12:00:00 |
	sed 's/2026-05-01T12:00:00/2026-05-02T00:00:00/' | list)
is "$(days a core_years)" 2.0000 "suspended time is charged where it is to be"
usage --json --threads-per-core 2 --jobs - < <(job a u cpu 2026-05-01 $day cpu=5,mem=1M | list)
is "$(days a core_years)" 3.0000 "CPUs that are hyper-threads"
ht() { usage --json --nodes "$work/ht" --jobs - < <(job a u "$1" 2026-05-01 $day cpu=4,mem=1M | list); }
halved='s/ThreadsPerCore=1/ThreadsPerCore=2/; s/CoresPerSocket=16/CoresPerSocket=8/; s/CoresPerSocket=12/CoresPerSocket=6/'
sed 's/ThreadsPerCore=1/ThreadsPerCore=2/' "$data/nodes.txt" >"$work/ht"
ht cpu
is "$(days a core_years)" 4.0000 "nodes of as many CPUs as cores give out cores"
sed "$halved" "$data/nodes.txt" >"$work/ht"
ht cpu
is "$(grep -c ThreadsPerCore=2 "$work/ht")|$(days a core_years)" \
	"$(wc -l <"$work/ht")|2.0000" "as the nodes tell"
sed "/NodeName=gpu/!{$halved}" "$data/nodes.txt" >"$work/ht"
ht cpu
is "$(days a core_years)" 2.0000 "the nodes of the job's partition determine the price"
ht gpu
is "$(days a core_years)" 4.0000 "where they differ"

# GPUs that accounting counts under no type: node gpu2 has such GPUs, gone1 is not known.
printf 'bundle "%s" { cores = %d  weight = %s }\n' cores 1 1 gpu:p100 6 3 gpu 8 0.5 |
	sed '1s/  weight = 1//' >"$work/bare.conf"
sed 's/gpu:v100/gpu/' "$data/nodes.txt" >"$work/bare"
for node in gpu2 gone1 gpu2; do
	serial=$((serial + 1)) # job runs in a shell of its own
	job a u gpu 2026-05-01 $day cpu=1,gres/gpu=1,mem=1M,node=1 | sed "s/$/|$node/"
done | { echo "$head|NodeList"; cat; } >"$work/bare.jobs"
run usage -f "$work/bare.conf" --now 2026-07-01 --json --nodes "$work/bare" --jobs "$work/bare.jobs"
is "$status|$err|$(days a rgu_years)|$(grep -c "uncertain.: 1" <<<"$out")" "0||4.0000|1" "GPUs without a type have the bundle of their node"

# ---- Periods ----------------------------------------------------------------

{
	job a u cpu 2026-03-31 $((2 * day)) cpu=1,mem=1M # half of it counts
	job a v cpu 2026-04-30 $((2 * day)) cpu=1,mem=1M # two months
	job b v gpu 2026-06-30 $((4 * day)) cpu=6,mem=1M,gres/gpu:p100=1 # a day so far
	job b v cpu 2026-02-01 $day cpu=1,mem=1M # the year before
} | list >"$work/jobs"
usage --jobs "$work/jobs" --json
is "$(days a core_years)|$(days b gpu_years)|$(days b core_years)" "3.0000|1.0000|0.0000" \
	"cut at the edges of the period"
is "$(awk -v p="$(of a projected_core_years)" 'BEGIN { printf "%.4f", p * 365 }')" \
	"$(awk 'BEGIN { printf "%.4f", 3 * 365 / 91 }')" "projected as it went on so far"
usage --jobs "$work/jobs" --json --by month
is "$(days 2026-04 core_years) $(days 2026-05 core_years) $(days 2026-06 gpu_years)" \
	"2.0000 1.0000 1.0000" "--by month prints a row for each month"
is "$(grep -c projected <<<"$out")" 0 "a month is not projected"
usage --jobs "$work/jobs" --by month
is "$(head -n 1 <<<"$out" | xargs)" "MONTH UNIT USED" "the report of a month has no column for a projection"
usage --jobs "$work/jobs" --json --by submitter
is "$(days u core_years) $(days v core_years)" "1.0000 2.0000" "--by submitter prints a row for each submitter"
usage --jobs "$work/jobs" --by partition,month --no-headings
is "$(head -n 1 <<<"$out" | awk '{ print $1, $2, $3 }')" "cpu 2026-04 core-hours" "by two keys"
usage --jobs "$work/jobs" --json --year 2025
is "$(days b core_years)|$(days a core_years)|$(grep -c projected <<<"$out")" \
	"1.0000|1.0000|0" "a year that is over is not projected"
usage --jobs "$work/jobs" --json --year-start 01-01
is "$(days b core_years)|$(days a core_years)" "1.0000|4.0000" "years that begin with January"
usage --jobs "$work/jobs" --jobs "$work/jobs" --json
is "$(days a core_years)|$(grep -c '"listed_twice": 3,' <<<"$out")" "3.0000|1" \
	"jobs that are listed twice count once"
sed -e '2s/|2026-03-31T00:00:00|2026-04-02T00:00:00|/|1774915200|Unknown|/' "$work/jobs" >"$work/running"
usage --jobs "$work/running" --json
is "$(days a core_years)" 3.0000 "seconds since the epoch; a job that runs"
usage --jobs "$work/jobs"
((widest=$(widest), widest <= 80))
is "$?" 0 "the report fits 80 columns ($widest)"

# ---- Allocations ------------------------------------------------------------

printf 'Account|CoreYears|GPUYears\na|0.016438|\n' >"$work/targets"
printf 'b||1\nidle|7|\n' >>"$work/targets"
usage --jobs "$work/jobs" --targets "$work/targets"
is "$(awk '$1 == "a" { print $5, $6 }' <<<"$out")" "50.0 %" "utilisation of a target"
is "$(awk '$1 == "idle" { print $3, $4, $5 }' <<<"$out")" "0.0000 7.0000 0.0" "who did nothing"
((widest=$(widest), widest <= 80))
is "$?" 0 "the report of allocations fits 80 columns ($widest)"
sed 's/^\([0-9]*\)|a|/\1|physics|/' "$work/jobs" >"$work/tree-jobs"
usage --jobs "$work/tree-jobs" --assocs="$data/sshare.txt" --cores 100 --gpus 8 --json
is "$(days root core_years)|$(days physics core_years)|$(of root target_core_years)" \
	"3.0000|3.0000|100.0" "by shares: accounts sum up the tree"
sed 's/physics/lab_cpu/g; s/chemistry/lab_gpu/g' "$data/sshare.txt" >"$work/pools"
{ cat "$conf" && printf 'pool "cpu" { suffix = _cpu }\npool "gpu" { suffix = _gpu }\n'; } >"$work/pools.conf"
run usage -f "$work/pools.conf" --now 2026-07-01 --jobs "$work/jobs" \
	--assocs="$work/pools" --cores 100 --gpus 8 --json
is "$(of lab_cpu target_core_years)|$(of lab_cpu target_gpu_years)|$(of lab_gpu target_gpu_years)" \
	"100.0|null|8.0" "a pool is shared among its own accounts"
sed 's/^\([0-9]*\)|a|/\1|lab_cpu|/; s/^\([0-9]*\)|b|/\1|lab_gpu|/' "$work/jobs" >"$work/pool-jobs"
run usage -f "$work/pools.conf" --now 2026-07-01 --jobs "$work/pool-jobs" --by project --json
is "$(days lab core_years)|$(days lab gpu_years)" "3.0000|1.0000" "a project is in both pools"
refuses "--assocs: expected the cluster's size: --nodes, or --cores and --gpus" \
	"a cluster of no known size" usage -f "$conf" --now 2026-07-01 \
	--jobs "$work/jobs" --assocs="$data/sshare.txt"
run usage --by account,month --targets "$work/targets"
is "$status" 2 "targets are those of accounts"

# ---- What portals show ------------------------------------------------------

usage --jobs "$work/jobs" --json --by day
is "$(days 2026-05-01 core_years) $(days 2026-06-30 gpu_years)|$(grep -c '"day"' <<<"$out")|$(grep -c projected <<<"$out")" \
	"1.0000 1.0000|4|0" "--by day prints a row for each day, and no projection"
sed -e '1s/$/|Comment|WCKey/' -e '2,3s/$/|run 7|wk/' -e '4,$s/$/||/' "$work/jobs" >"$work/words"
usage --jobs "$work/words" --json --by comment
is "$(days 'run 7' core_years)" 3.0000 "--by comment prints a row for each comment"
usage --jobs "$work/words" --json --by wckey
is "$(days wk core_years)" 3.0000 "--by wckey prints a row for each wckey"
refuses "$work/jobs: line 1: no column \"Comment\" among JobIDRaw, Account, User, Partition, QOS, Start, End, ElapsedRaw, Suspended, AllocTRES" \
	"--by comment needs the column" usage -f "$conf" --now 2026-07-01 --jobs "$work/jobs" --by comment

# A core with 10000 MB is 2.5 core-equivalents, and one core to a portal.
usage --raw --jobs - < <(job a u cpu 2026-05-01 $((73 * day)) cpu=1,mem=10000M | list)
is "$(awk '$1 == "a" { print $3, $4 }' <<<"$out")" "0.4178 0.1671" \
	"--raw prints allocated cores beside core-equivalents"

# Two cores for ten days, and then one of them for ten more: Slurm gives both sizes the
# start of the job, and the second one the time of the resize as Submit.
cat >"$work/resized" <<'END'
JobIDRaw|Account|User|Partition|QOS|State|Submit|Start|End|ElapsedRaw|Suspended|AllocTRES
1|a|u|cpu|normal|RESIZING|2026-05-01T00:00:00|2026-05-01T00:00:00|2026-05-11T00:00:00|864000|00:00:00|cpu=2
1|a|u|cpu|normal|COMPLETED|2026-05-11T00:00:00|2026-05-01T00:00:00|2026-05-21T00:00:00|1728000|00:00:00|cpu=1
END
usage --jobs "$work/resized"
is "$(awk '$1 == "a" { print $3 }' <<<"$out")" "0.0822" \
	"each size of a resized job counts from its resize on"

printf 'Account|Title|Owner\na|Ocean currents|ada\nx|Unused|ben\n' >"$work/titles"
usage --jobs "$work/jobs" --titles "$work/titles" --no-headings
is "$(grep -c '^a *Ocean currents  *ada' <<<"$out")" 1 "--titles prints the title and the owner of an account"
usage --jobs "$work/jobs" --titles "$work/titles" --json
is "$(grep -A2 '"account": "a"' <<<"$out" | tail -n 1 | xargs)" "owner: ada," "--titles: JSON has them"
refuses "$work/targets: line 1: expected a column Title or Owner" "--titles needs a title or an owner" \
	usage -f "$conf" --now 2026-07-01 --jobs "$work/jobs" --titles "$work/targets"

# Of account a, cluster north has the first job, and south the second.
sed -e '1s/$/|Cluster/' -e '2s/$/|north/' -e '3,$s/$/|south/' "$work/jobs" >"$work/clusters"
printf 'Account|Cluster|CoreYears\na|north|1\na|south|2\nidle|south|4\n' >"$work/cluster-targets"
by_cluster() { # OF ... the lines of an account, with cluster, use in days and target
	awk -v FS='": ' '{ sub(/,$/, "", $2); gsub(/"/, "", $2); sub(/.*"/, "", $1) }
		$1 == "account" { account = $2 } $1 == "cluster" { cluster = $2 }
		$1 == "core_years" { used = $2 * 365 }
		$1 == "target_core_years" { printf "%s %s %.0f %s;", account, cluster, used, $2 }' <<<"$out"
}
usage --jobs "$work/clusters" --by account,cluster --targets "$work/cluster-targets" --json
is "$(by_cluster)" "a north 1 1.0;a south 2 2.0;b south 0 null;idle south 0 4.0;" \
	"targets of each cluster, with a column Cluster"
usage --jobs "$work/clusters" --targets "$work/cluster-targets" --json
is "$(of a target_core_years)|$(days a core_years)" "3.0|3.0000" \
	"an account's targets on all clusters are added up"
refuses "$work/targets: line 1: --by=cluster needs a column Cluster" \
	"targets without a cluster are not divided among clusters" \
	usage -f "$conf" --now 2026-07-01 --jobs "$work/clusters" --by account,cluster --targets "$work/targets"

# A year of 365 days that was extended by 30: a core that was used all the time is
# still one core-year of a target of one.
printf 'Account|CoreYears\na|1\n' >"$work/one-year"
usage_extended() { run usage -f "$conf" --now 2027-07-01 --year 2026 --jobs - --json --targets "$work/one-year" "$@"; }
usage_extended --year-end 2027-04-30 < <(job a u cpu 2026-04-01 $((395 * day)) cpu=1,mem=1M | list)
is "$(of a core_years)|$(of a percent_of_target_core_years)" "1.0|100.0" \
	"an extended year keeps what a target gives access to"
usage_extended < <(job a u cpu 2026-04-01 $((395 * day)) cpu=1,mem=1M | list)
is "$(of a core_years)" 1.0 "without the extension the year has 365 days"
refuses 'the allocation year of 2026-04-01 cannot end on 2026-03-01' "a year that ends before it begins" \
	usage -f "$conf" --now 2026-07-01 --year-end 2026-03-01 --jobs "$work/jobs"

run usage -f "$conf" --now 2026-07-01 --jobs "$work/jobs" --assocs="$data/sshare.txt" --share-years=1 --json
is "$(of bloggs target_core_years)|$(of physics target_core_years)|$(of physics target_gpu_years)" \
	"$(awk -F'|' '$1 == " bloggs" { print $3 ".0" }' "$data/sshare.txt")|$(awk -F'|' '$1 == " physics" { print $3 ".0" }' "$data/sshare.txt")|null" \
	"--share-years=1: a share stands for a core-year"

# ---- Many jobs --------------------------------------------------------------

# 300,000 jobs are 33 MB of text; the whole process has less.
many() {
	list < <(awk -v n="$1" 'BEGIN {
		for (i = 1; i <= n; i++) {
			start = 1775001600 + 20 * i
			printf "%d|group%d|u%d|cpu|normal|%d|%d|600|00:00:00|billing=1,cpu=%d,mem=4000M,node=1\n",
				i, i % 500, i % 900, start, start + 600, 1 + i % 4
		}
	}')
}
many 300000 >"$work/many"
(ulimit -v 30000 && usage --jobs "$work/many" --json && cp "$work"/out "$work/many-out")
is "$(grep -c '"account"' "$work/many-out")|$(grep '"jobs": 300000' "$work/many-out")" \
	'500|  "jobs": 300000,' "memory does not grow with the number of jobs"
{ head -n 1 "$work/many" && tail -n +2 "$work/many" | tac; } >"$work/mixed"
usage --jobs "$work/mixed" --json
is "$(grep -c '"jobs": 300000' <<<"$out")" 1 "a list in another order is read as well"
refuses "stdin: line 3: not in the order of sacct; save the list to a file" \
	"standard input must have the order of sacct" \
	usage -f "$conf" --now 2026-07-01 --jobs - < <(head -n 3 "$work/mixed")
rm "$work/many" "$work/mixed"

# ---- What was billed, and hours -----------------------------------------------

sed 's/^billing_scale.*//' "$conf" >"$work/billed.conf"
printf 'billing_scale = 1000\nbilling_since = 2026-05-01T12:00:00\n' >>"$work/billed.conf"
{
	job a u cpu 2026-05-01 3600 billing=32000,cpu=1,mem=1M # before
	job a u cpu 2026-05-02 3600 billing=32000,cpu=1,mem=1M
	job b u gpu 2026-05-02 3600 billing=1500,cpu=9,gres/gpu:p100=1,gres/gpu=1,mem=32000M
} | list >"$work/billed"
billed() { run usage -f "$work/billed.conf" --now 2026-07-01 --jobs "$work/billed" "$@"; }
billed --json
is "$(of a core_hours) $(of b gpu_hours)|$(awk '/"sources"/ { on = 1 } on && /"(prices|billing)"/ { sub(/,/, " ", $2); printf "%s", $2 }' <<<"$out")" \
	"33.0 1.5|1 2 " "jobs count as they were billed, and those from before at the present prices"
billed --json --reprice
is "$(of a core_hours)" 2.0 "--reprice counts all at the present prices"
billed
is "$(awk '$1 == "a" { print $2, $3 }' <<<"$out")|$(grep 'jobs count' <<<"$out")" \
	"core-hours 33.0|2 jobs count as they were billed.
1 jobs count at the present prices." "a day of a small group is in hours, and the report says what it counts by"
billed --unit years
is "$(awk '$1 == "a" { print $2, $3 }' <<<"$out")" "core-years 0.0038" "--unit=years prints years"
billed --csv --no-headings
is "$out" "a,core-years,0.0038,0.0151,billing+prices
b,GPU-years,0.0002,0.0007,billing" "CSV has years and the source of each line"
sed -i 's/billing=1500/billing=3000/' "$work/billed"
billed --json
is "$(of b gpu_hours)" 3.0 "GPU-hours of another price than the present one"
printf 'bundle "gpu:a100" {\n\tcores = 8\n\tmemory = 64000M\n\tweight = 4.0\n}\n' >>"$work/billed.conf"
{ job a u gpu 2026-05-02 3600 billing=16000,cpu=8,mem=1M,gres/gpu:a100=2,gres/gpu=2; } | list >"$work/billed"
billed --json
is "$(of a rgu_hours)|$(of a gpu_hours)" "16.0|4.0" "billing is weighted, and GPU-hours keep their ratio to it"
run usage -f "$work/billed.conf" --unit days
is "$status|$(grep -c 'expected hours or years' <<<"$err")" "2|1" "--unit=days is refused"

# ---- The site's own unit and money --------------------------------------------

sed 's/^billing_scale.*//' "$conf" >"$work/money.conf"
cat >>"$work/money.conf" <<'END'
pool "cpu" { unit = SU  units = SUs  rate = 0.02  currency = EUR }
pool "gpu" { unit = RGU  rate = 1.5  currency = EUR }
END
{
	job a u cpu 2026-05-01 $day cpu=2,mem=10000M
	job a u gpu 2026-05-02 $day cpu=6,gres/gpu:p100=2,gres/gpu=2,mem=32000M
} | list >"$work/paid"
run usage -f "$work/money.conf" --now 2026-07-01 --jobs "$work/paid"
is "$status|$(sed -n '1,3p;/They cost/p' <<<"$out" | tr -s ' ')" "0|ACCOUNT UNIT USED PROJECTED MONEY
a SU-hours 60.0 240.7 1.20 EUR
a RGU-hours 48.0 192.5 72.00 EUR
They cost 73.20 EUR, by the present rates." "the site's units and money in a table"
run usage -f "$work/money.conf" --now 2026-07-01 --jobs "$work/paid" --csv
is "$(tail -n 1 <<<"$out")" "a,RGU-years,0.0055,0.0220,72.00 EUR,prices" "the same as CSV"
run usage -f "$work/money.conf" --now 2026-07-01 --jobs "$work/paid" --json
is "$(python3 -c 'import json, sys
all = json.load(sys.stdin)
row = all["usage"][0]
print(all["currency"], all["core_unit"], all["gpu_unit"], round(row["core_money"], 6), round(row["gpu_money"], 6))' <<<"$out")" \
	"EUR SU-years RGU-years 1.2 72.0" "the same as JSON"
sed -i 's/rate = 1.5  currency = EUR/rate = 1.5  currency = CHF/' "$work/money.conf"
run usage -f "$work/money.conf" --now 2026-07-01 --jobs "$work/paid"
is "$status|$(grep -c 'MONEY\|They cost' <<<"$out")" "0|0" "no money in two currencies"

# ---- What is wrong ----------------------------------------------------------

bad() { # TEXT NAME, the list on stdin
	refuses "stdin: $1" "$2" usage -f "$conf" --now 2026-07-01 --jobs -
}
bad "empty" "nothing" </dev/null
bad "line 5: cut off: no line end" "cut within a line" < <(head -c -5 "$work/jobs")
bad "line 3: 9 columns: expected 10" "a line that lacks a column" \
	< <(sed '3s/|[^|]*$//' "$work/jobs")
bad 'line 1: no column "AllocTRES" among JobIDRaw, Account, User, Partition, QOS, Start, End, ElapsedRaw, Suspended, ReqTRES' \
	"another release's columns" < <(sed '1s/AllocTRES/ReqTRES/' "$work/jobs")
bad 'line 2: Start: "31 mars 00:00": expected a time' "another locale's times" \
	< <(sed '2s/2026-03-31T00:00:00/31 mars 00:00/' "$work/jobs")
bad 'line 2: Start: "2026-13-31T00:00:00": expected a time' "a month that is none" \
	< <(sed '2s/2026-03-31T/2026-13-31T/' "$work/jobs")
bad 'line 2: ElapsedRaw: "172 800": expected a whole number up to 1099511627776' \
	"another locale's numbers" < <(sed '2s/172800/172 800/' "$work/jobs")
bad 'line 2: End is not Start + ElapsedRaw + Suspended' "times that contradict" \
	< <(sed '2s/172800/3/' "$work/jobs")
bad 'line 2: Suspended: "soon": expected a length of time' "a length that is none" \
	< <(sed '2s/00:00:00|cpu=/soon|cpu=/' "$work/jobs")
bad 'line 2: AllocTRES: "cpu=1,mem=7.81G": expected exact amounts, as with sacct --noconvert' \
	"rounded memory" < <(sed '2s/mem=1M/mem=7.81G/' "$work/jobs")
bad 'line 2: AllocTRES: "cpu=-1": expected exact amounts, as with sacct --noconvert' \
	"a negative count" < <(sed '2s/cpu=1.*/cpu=-1/' "$work/jobs")
bad 'line 2: JobIDRaw: "x": expected a job'\''s id' "an id that is none" \
	< <(sed '2s/^[0-9]*/x/' "$work/jobs")
usage --json --jobs - <<<"$head"
is "$status|$err|$(grep -c '"jobs": 0' <<<"$out")" "0||1" "no jobs at all"
usage --json --jobs - < <(sed '2p;2s/^[0-9]*/&.batch/' "$work/jobs")
is "$(days a core_years)" 3.0000 "steps are part of their jobs"
usage --jobs - < <(sed '3s/cpu=1,mem=1M//' "$work/jobs")
like "$out" "NOT COUNTED: 1 jobs without a price; the first is"$'\n'"job [0-9]+: AllocTRES is empty" \
	"a job of which nothing is told is named"
odd=$'a"b\\c\xc3\xa9 <&>'
usage --jobs - --json < <(job "$odd" "o'u" cpu 2026-05-01 $day cpu=1,mem=1M | list)
is "$status|$(grep -c 'a\\"b\\\\cé <&>' <<<"$out")" "0|1" "odd names in JSON"
usage --jobs - < <(job $'a\033[1mb' u cpu 2026-05-01 $day cpu=1,mem=1M | list)
is "$status|$(grep -c $'\033' <<<"$out")" "0|0" "no name reaches the terminal raw"
target() { # TEXT NAME TARGETS
	printf '%s\n' "$3" >"$work/bad"
	refuses "$work/bad: $1" "$2" usage -f "$conf" --now 2026-07-01 \
		--jobs "$work/jobs" --targets "$work/bad"
}
target 'line 2: CoreYears: "1,5": expected a number' "a comma in a target" $'Account|CoreYears\na|1,5'
target 'line 3: duplicate account "a"' "a target twice" $'Account|CoreYears\na|1\na|2'
target 'line 1: expected a column CoreYears, GPUYears or RGUYears' "no targets" $'Account|Years\na|1'
for wrong in "--by soon" "--year x" "--year-start 04" "--now soon" "--cores x"; do
	# shellcheck disable=SC2086
	run usage -f "$conf" --jobs "$work/jobs" $wrong
	isnt "$status" 0 "$wrong is refused"
done
refuses '"02-29": expected a day of every year such as 04-01' "a day that most years lack" \
	usage -f "$conf" --now 2026-07-01 --jobs "$work/jobs" --year-start 02-29
refuses 'the allocation year of 2027-04-01 has not begun' "a year to come" \
	usage -f "$conf" --now 2026-07-01 --jobs "$work/jobs" --year 2027
# ---- The price of a run that is like another one --------------------------------------

# What reports with prices of the week, and 100 jobs whose energies differ.
{ cat "$conf"; echo 'week_factor = 0.5 19:00-07:00'; } >"$work/week.conf"
{ job day u cpu "2026-05-04 10:00" 14400 cpu=6,mem=100M,node=1
	job night u cpu "2026-05-04 20:00" 14400 cpu=6,mem=100M,node=1
	job both u cpu "2026-05-04 17:00" 14400 cpu=6,mem=100M,node=1; } | list >"$work/times"
run usage -f "$work/week.conf" --now 2026-07-01 --jobs "$work/times" --unit hours --no-headings
is "$(awk '$2 == "core-hours" { print $1, $3 }' <<<"$out" | xargs)" "both 18.0 day 24.0 night 12.0" \
	"jobs that hold the same have the prices of their own times of the week"
{ for ((i = 0; i < 20; i++)); do
	job a u cpu 2026-05-04 $day "billing=6,cpu=6,energy=$((i * 977)),fs/disk=$i,mem=100M,node=1"
done; job b u cpu 2026-05-04 $day billing=6,cpu=6,energy=x,mem=100M,node=1; } | list >"$work/energies"
usage --jobs "$work/energies"
like "$err$out" "AllocTRES.*energy=x" "energies do not hide that another list has no amounts"
sed -i '$d' "$work/energies"
usage --jobs "$work/energies" --json
is "$(days a core_years)" 120.0000 "energies and file systems do not change prices"

# ---- Drawings ----------------------------------------------------------------

if command -v gnuplot >/dev/null; then
	{ job a u cpu 2026-04-10 $((3 * day)) cpu=4,mem=100M,node=1
		job a u gpu 2026-05-02 $day cpu=6,gres/gpu:p100=2,gres/gpu=2,mem=32000M
	} | list >"$work/plot"
	usage --jobs "$work/plot" --by day --plot "$work/it's.svg"
	is "$status$err|$(grep -c '</svg>' "$work/it's.svg")|$(grep -oE '(core|GPU)-equivalents in use' "$work/it's.svg" | xargs)" \
		"0|1|core-equivalents in use GPU-equivalents in use" "--plot draws days, a panel for each unit"
	usage --jobs "$work/plot" --by month --plot "$work/p.png"
	is "$status|$(head -c 4 "$work/p.png" | tr -d '\211')" "0|PNG" "--plot draws months, also as PNG"
	list </dev/null >"$work/none"
	run usage -f "$conf" --now 2026-07-01 --jobs "$work/none" --by day --plot "$work/none.svg"
	is "$status|$err" "1|equitree usage: $work/none.svg: there is no usage to draw" \
		"--plot without usage is an error"
fi
usage --jobs "$work/one" --plot "$work/p.svg"
is "$status" 2 "--plot without dates is misuse"
usage --jobs "$work/one" --by day --plot "$work/p.gif"
is "$status" 2 "--plot to another kind of file is misuse"
done_testing
