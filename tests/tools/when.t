#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# equitree when: forecasts from saved answers of Slurm.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

saved=$work/saved
mkdir "$saved"
cp "$data"/why/*.txt "$data/config.txt" "$saved/"
when() { run when --from "$saved" --futures 40 "$@"; } # whatever the machine
cell() { sed -n "$1p" <<<"$out" | cut -d, -f"$2"; } # LINE COLUMN
# Values of the first job in the JSON of $out.
pick() { # KEY...
	perl -MJSON::PP -e '
		my $job = decode_json(do { local $/; <STDIN> })->{jobs}[0];
		print join "|", map { $job->{$_} // "null" } @ARGV' "$@" <<<"$out"
}

when 5 --csv
is "$status$err" 0 "a forecast needs only saved answers"
is "$(sed -n 1p <<<"$out")" "JOB,EARLY,MEDIAN,LATE,WAITS FOR" "the columns of the CSV"
is "$(cell 2 1)|$(cell 2 5)" "5|Licenses" "a waiting job and Slurm's reason"
first=$out
when 5 --csv
is "$out" "$first" "the same seed makes the same forecast"
when 5 --json
IFS='|' read -r early median late <<<"$(pick early_s median_s late_s)"
now=$(cat "$saved/time.txt")
ok "the quantiles are in order, and not before now" \
	test "$now" -le "$early" -a "$early" -le "$median" -a "$median" -le "$late"
when --user dan --csv
ok "a user's jobs have a line each" test "$(wc -l <<<"$out")" -gt 3
when -p cpu -n4 -t 10 --json
is "$(pick job waits_for partition)" "null|not submitted|cpu" "a request has no id"
when -p cpu -N2 -n64 --mem=1G -t 1:00:00 --begin 2026-11-23T00:00:00 --json
ok "a request does not start before its begin" \
	test "$(pick early_s)" -ge "$(TZ=UTC date -d 2026-11-23 +%s)"

when -p gpu --gpus=p100:2 -n1 -t 10 --csv
first=$out
when -p gpu --gres=gpu:p100:2 -n1 -t 10 --csv
is "$status|$out" "0|$first" "--gres asks for GPUs of a node"
when -p gpu --gpus-per-node=p100:2 -n1 -t 10 --csv
is "$status|$out" "0|$first" "--gpus-per-node asks for GPUs of a node"
when -p gpu --gpus-per-node=p100:3 -N2 -t 10 --csv
is "$status|$err" "1|equitree when: all nodes here together are too few for the request" \
	"--gpus-per-node counts on each node"
when -p gpu --gpus-per-task=p100:1 -n2 -t 10 --csv
is "$status|$out" "0|$first" "--gpus-per-task counts for each task"
when -p cpu -n1 -t 10 -x 'cpu[1-2]' --csv
is "$status|$(cell 2 3)" "0|later" "a job that excludes all nodes does not start"
when -p cpu -n1 -t 10 -x cpu1 --csv
like "$(cell 2 3)" "^[0-9]" "a job that excludes one node starts on another"

# ---- The record of past forecasts ------------------------------------------------------

recorded=$work/recorded
cp -r "$saved" "$recorded"
# Past forecasts of jobs that waited so many times as long as the median was.
record() { # COUNT TIMES [SECONDS_BETWEEN]
	awk -v now="$now" -v n="$1" -v times="$2" -v step="${3:-1}" 'BEGIN {
		for (i = 1; i <= n; i++)
			print 0, 0, now - 864000 - i * step, 1000, 4000, 16000, 4000 * times }'
}
ends() { run when --from "$recorded" --futures 40 --json "$@" && pick early_s median_s late_s; }
basis() { run when --from "$recorded" --futures 40 "$@" && tr -s '\n ' '  ' <<<"$out"; }
asked=(-p cpu -N1 -n16 -t 1:00:00 --user ben -A physics)
plain=$(ends "${asked[@]}")
IFS='|' read -r early median late <<<"$plain"
record 49 8 >"$recorded/forecasts.txt"
is "$(ends "${asked[@]}")" "$plain" "49 past forecasts change nothing"
like "$(basis "${asked[@]}")" "The record has 49 forecasts of the last 10 d 0 h, of which 0 % held: too few to correct by\. $" \
	"a record that is too short says so"
record 60 8 >"$recorded/forecasts.txt"
IFS='|' read -r early2 median2 late2 <<<"$(ends "${asked[@]}")"
ok "past forecasts that were too short make the interval wider" \
	test "$early2" -le "$early" -a "$median2" = "$median" -a "$late2" -gt "$late"
like "$(basis "${asked[@]}")" "Corrected by 60 forecasts of the last 10 d 0 h, of which 0 % held\. $" \
	"a forecast says by what it is corrected"
run when --from "$recorded" --futures 40 --json "${asked[@]}"
like "$(tr -d ' \n' <<<"$out")" '"record":\{"forecasts":60,"held":0,"span_s":864060,"corrects":true\}' "JSON: the record"
record 60 1 4000 >"$recorded/forecasts.txt"
is "$(ends "${asked[@]}")" "$plain" "past forecasts that held change nothing"
like "$(basis "${asked[@]}")" "The record has 60 forecasts .*, of which 100 % held: no correction\. $" \
	"a record that changes nothing says so"
record 60 8 >"$recorded/forecasts.txt"
# Those of which nobody knows yet whether they will hold do not count.
printf '%s\n' "7 1 $((now - 60)) 10 20 3000 60" "0 0 $((now - 3000)) 100 200 3001 5" >>"$recorded/forecasts.txt"
is "$(ends "${asked[@]}")" "$early2|$median2|$late2" "forecasts whose late end is not over do not count yet"
# A job that waits beyond its late end counts before it starts.
printf '%s\n' "7 1 $((now - 4000)) 10 20 3000 4000" >>"$recorded/forecasts.txt"
like "$(basis "${asked[@]}")" "Corrected by 61 forecasts" "a job that waits beyond its late end counts"
printf '%s\n' "0 0 $now 5 4 6 5" "0 0 $now 1 2 3" "0 0 $now 1 2 3 4 5" "x" "-1 0 $now 1 2 3 4" \
	"0 0 99999999999999999999999 1 2 3 4" "0 0 $now 1 2 99999999999 4" >>"$recorded/forecasts.txt"
printf 'a\0b' >>"$recorded/forecasts.txt"
run when --from "$recorded" --futures 40 "${asked[@]}"
is "$status|$err" "0|equitree: $recorded/forecasts.txt: 8 damaged lines are left out" "damaged lines are counted"
like "$(tr -s '\n ' '  ' <<<"$out")" "Corrected by 61 forecasts" "the other lines of a damaged record count"
record 200 1 80000 >"$recorded/forecasts.txt"
IFS='|' read -r early3 _ late3 <<<"$(ends "${asked[@]}")"
ok "past forecasts that were too cautious make the interval narrower" \
	test "$early3" -ge "$early" -a "$late3" -lt "$late"

# ---- Words of slurm.conf -----------------------------------------------------------

slow=$work/slow
cp -r "$saved" "$slow"
echo "SchedulerParameters     = (null)" >>"$slow/config.txt"
scheduled() { # SCHEDULERPARAMETERS -> the forecast of all jobs of dan
	sed -i "s/^SchedulerParameters .*/SchedulerParameters     = $1/" "$slow/config.txt"
	run when --from "$slow" --futures 40 --user dan --csv
	echo "$out"
}
plain=$(scheduled "(null)") small=$(scheduled bf_interval=86400) large=$(scheduled BF_Interval=86400)
is "$large" "$small" "words of SchedulerParameters count in any case, as Slurm takes them"
ok "SchedulerParameters in small letters change the forecast" test "$plain" != "$small"
is "$(scheduled bf_job_part_count_reserve=50)" "$plain" "a forecast plans 50 jobs of a partition"
ok "a forecast plans as many as slurm.conf says" \
	test "$(scheduled bf_job_part_count_reserve=1)" != "$plain"

# ---- Nodes that are down -------------------------------------------------------------

when -p gpu -w gpu2 -n1 -t 5
is "$status|$err" "1|equitree when: no node with what it asks for is up" \
	"a node list of a drained node is no forecast"
when -p gpu -x gpu2 -n1 -t 10 --csv
like "$(cell 2 3)" "^[0-9]" "a drained node can be excluded"

# ---- Long queues ---------------------------------------------------------------------

# Jobs of one kind, of which a limit lets two run at a time.
long=$work/long
cp -r "$saved" "$long"
{
	head -n 1 "$saved/queue.txt"
	grep RUNNING "$saved/queue.txt"
	for i in {1000..12999}; do
		echo "$i|$i|ben|physics|cpu|normal|PENDING|20000000|1|16|cpu=16,mem=64000M,node=1,billing=16|1:00:00|0:00|1795258639|1795258639|N/A|N/A|(null)|(null)|(null)||OK||(null) Priority|$i"
	done
} >"$long/queue.txt"
run when --from "$long" 1003 --csv
like "$status|$(cell 2 3)" "^0\|[0-9]" "the first of 12,000 jobs at a limit has a forecast"
first=$(cell 2 3)
run when --from "$long" 10003 --csv
ok "jobs of one second start in the order of their numbers, whatever their digits" \
	test "$first" "<" "$(cell 2 3)"
run when --from "$long" 12900 --futures 1
like "$status|$out" "^0\|.*later: after 2026-12-2" \
	"the last of 12,000 jobs at a limit starts later than a time that is told"
like "$(tr '\n' ' ' <<<"$out")" "go, because it is at the limit MaxTRESPU=cpu=40 of qos normal, user ben: 11901 jobs that run or go first want 190416 of it\." \
	"why the last of 12,000 jobs at a limit starts later"
run when --from "$long" 12900 --futures 1 --json
like "$out" '"later_because": "it is at the limit MaxTRESPU=cpu=40 of qos normal, user ben: ' "JSON: why a job starts later"
like "$(run when --from "$long" 12900 --futures 5 && echo "$out")" "These are few futures|This is little history" \
	"with few futures the times are a guess"

# 100,000 jobs of four users with limits of their own. Each has a priority of its own. One
# future of three seconds is the most that a job gets that does not start; the rest is for
# reading, and for a busy machine.
{
	head -n 1 "$saved/queue.txt"
	grep RUNNING "$saved/queue.txt"
	perl -e 'my @user = ("ada|physics", "ben|physics", "cleo|chemistry", "dan|chemistry");
		for my $i (0 .. 99999) {
			my ($id, $cpus) = (1000 + $i, 1 << int($i / 4) % 5);
			my $at = 1795258639 + int($i / 10);
			printf "%d|%d|%s|cpu|normal|PENDING|%d|1|%d|cpu=%d,mem=%d000M,node=1,billing=%d|%d:00:00|0:00|%d|%d|N/A|N/A|(null)|(null)|(null)||OK||(null) Priority|%d\n",
				$id, $id, $user[$i % 4], 20000000 - int($i / 100), $cpus, $cpus, $cpus, $cpus,
				1 + $i % 9, $at, $at, $id;
		}'
} >"$long/queue.txt"
for job in 1000 51000 100999; do
	before=$(date +%s%N)
	run when --from "$long" "$job"
	took_ms=$((($(date +%s%N) - before) / 1000000))
	ok "there is an answer for job $job of 100,000 in seconds" test "$status" = 0 -a "$took_ms" -lt 15000
done
# With jobs that run for 31 days, as all before them, the last one starts beyond the 30 days, on a
# fast machine as well.
perl -pi -e 's/\|\d:00:00\|/|31-00:00:00|/ if /PENDING/' "$long/queue.txt"
{
	echo "JobIDRaw|Account|User|Partition|QOS|State|Submit|Start|ElapsedRaw|TimelimitRaw|AllocTRES"
	for i in {1..20}; do
		echo "$i|physics|ada|cpu|normal|COMPLETED|$((now - 900000))|$((now - 800000))|2678400|44640|cpu=1,mem=1000M,node=1"
	done
} >"$long/history.txt"
run when --from "$long" 100999
like "$(tr '\n' ' ' <<<"$out")" "later: after [^ ]*, which is how far the futures go, because it is at the limit .* [0-9]+ jobs that run or go first want [0-9]+ of it\." \
	"why the last of 100,000 jobs starts later"

# ---- A budget ------------------------------------------------------------------------

short=$work/short
cp -r "$saved" "$short"
sed -i 's/Licenses|5$/Budget 1 of physics has 16.75 left, job needs 30, next 2026-12-01|5/' "$short/queue.txt"
run when --from "$short" 5 --csv
is "$status|$(cell 2 3)|$(sed -n 2p <<<"$out" | cut -d , -f 5-)" \
	'0||"Budget 1 of physics has 16.75 left, job needs 30, next 2026-12-01"' \
	"a job that its budget holds: what is left, what it needs and the next refill"

# Job 5 needs 5 equivalent-hours of the budget of its account. Running jobs of the account
# have at most 43.6 together, and none of them has a history.
printf '%s\n' 'bundle "cores" { cores = 1  memory = 4000M }' \
	'bundle "gpu:p100" { cores = 6  memory = 32000M }' >"$short/equitree.conf"
sed -i 's/^5|5|.*/5|5|cleo|chemistry|cpu|normal|PENDING|0|1|30|cpu=30,mem=120000M,node=1,billing=30|10:00|0:00|1795358639|1795358639|N\/A|N\/A|(null)|(null)|(null)||OK||(null) Budget 1 of chemistry has 4 left, job needs 5|5/' \
	"$short/queue.txt"
# What slurmctld answers to "list": hours that are granted, spent and committed, and a refill
# in some days.
budgets() { # AMOUNT SPENT COMMITTED [DAYS REFILL]
	python3 -c 'import sys, zlib
now, hour = 1795358740, 3600000000
amount, spent, committed, days, refill = map(int, (sys.argv[1:] + ["0", "0"])[:5])
text = "budget %d 1 chemistry - 0 0 - %d %d 0 %d %d 0 - %d %d %d %d 0 0 %d 0 0 0 0 - 0 0" % (
    now, amount * hour, now - 9, days > 0, refill * hour, days and now + days * 86400,
    committed * hour, amount * hour, spent * hour, now - 9)
print("0\n%s %08x" % (text, zlib.crc32(text.encode())))' "$@" >"$short/budgets.txt"
}
short_when() { run when --from "$short" --futures 100 "$@"; }
budgets 100 75 21
short_when 5 --csv
like "$status|$(cell 2 2)|$(cell 2 3)|$(cell 2 5)" "^0\|2026-11-22T14.*\|2026-11-22T15.*\|\"Budget 1 of" \
	"a job that its budget holds starts when running jobs have given back enough"
first=$(cell 2 3)
short_when 5
like "$(tr -s '\n ' '  ' <<<"$out")" "Budget 1 of chemistry has 4 equivalent-hours left, and the job needs 5. Jobs have committed 21; what they do not use comes back when they end. (What|No)" \
	"what a job lacks of its budget is told"
budgets 100 75 1
short_when 5 --csv
ok "a job starts later if running jobs have committed less" test "$(cell 2 3)" ">" "$first"
budgets 100 96 0
short_when 5 --csv
is "$status|$(cell 2 3)|$(sed -n 2p <<<"$out" | cut -d , -f 5-)" \
	'0||"never: budget 1 of chemistry has 4 left and 0 committed, job needs 5"' \
	"a job that needs more than its budget can have never starts"
budgets 100 96 0 10 100
short_when 5 --csv
is "$(cell 2 2)" "2026-12-02T14:45" "a job starts after the refill of its budget"
short_when 5
like "$(tr -s '\n ' '  ' <<<"$out")" "the job needs 5. So the job waits for the refill on 2026-12-02\. " \
	"a job that waits for a refill: its date"
budgets 100 96 0 60 100
short_when 5 --json
is "$(pick early_s forecast waits_for)" \
	"null|0|not before 2027-01-21: budget 1 of chemistry has 4 left and 0 committed, job needs 5" \
	"a job that waits for a refill in two months: its date"
budgets 100 96 0 10 4
short_when 5 --csv
is "$(cell 2 3)" later "a refill that is too small does not start the job"
budgets 100 75 21
short_when -p cpu -n8 -t 10:00:00 --user cleo -A chemistry --csv
is "$(cell 2 3)|$(sed -n 2p <<<"$out" | cut -d , -f 5-)" \
	'|"never: budget 1 of chemistry has 4 left and 21 committed, job needs 80"' \
	"a request that needs more than its budget can have never starts"
short_when -p cpu -n8 -t 1:00:00 --user cleo -A chemistry
like "$(tr -s '\n ' '  ' <<<"$out")" "and the job needs 8\. .* a time limit of 0:30:00: [^ ]*, .* sooner" \
	"a request that its budget would hold: a shorter limit starts it sooner"
short_when -p cpu -n8 -t 1:00:00 --user ada -A physics
is "$(grep -c Budget <<<"$out")" 0 "a request of another account draws on no budget of this one"
run why 5 --from "$short"
like "$(tr -s '\n ' '  ' <<<"$out")" "Budget 1 of chemistry: 4 of 100 equivalent-hours left \(75 spent, 21 committed\).*Forecast starts between" \
	"equitree why has the budget and the forecast from a folder, too"
rm "$short/equitree.conf"
short_when 5 --csv
is "$(cell 2 3)" "" "without prices there is no forecast of a job that its budget holds"

# ---- What would start it sooner ------------------------------------------------------

when 14 --json
first=$(perl -MJSON::PP -e '
	my $all = decode_json(do { local $/; <STDIN> });
	print join "|", map { "$_->{change} $_->{part}" } @{$all->{sooner}}' <<<"$out")
for i in 1 2 3; do
	when 14 --json
	is "$(perl -MJSON::PP -e '
		my $all = decode_json(do { local $/; <STDIN> });
		print join "|", map { "$_->{change} $_->{part}" } @{$all->{sooner}}' <<<"$out")" \
		"$first" "the same folder and seed give the same advice ($i)"
done
is "$(perl -MJSON::PP -e '
	my $all = decode_json(do { local $/; <STDIN> });
	print scalar grep { $_->{part} < 0.8 } @{$all->{sooner}}' <<<"$out")" 0 \
	"advice helps in four of five futures at least"

when -p cpu -N2 -n4 -t 7 --user ada
like "$out" "half the size, 1 node with 2 CPUs: 2026-11-22T14:45" \
	"a smaller request that would start at once is advised"
when -p cpu -N2 -n4 -t 4:00:00 --user ada
is "$(grep -c "half the size" <<<"$out")" 0 \
	"a smaller request that would start later, though sooner, is not advised"

when -p cpu -w cpu2 -n1 -t 2:00:00 --user ada
like "$(tr -s '\n ' '  ' <<<"$out")" "a time limit of 0:07:00: 2026-11-22T14:4[0-9], 1 h . min sooner \(in 100 %" \
	"a limit that ends before a reservation is advised, however much shorter it is"
# A job of both nodes goes first, and waits for a job that leaves half of a node free.
sed -n '1p; /^1|/p; s/^14|14|dan|chemistry\(.*\)|21428621|2|2|.*|20:00|0:00|\(.*\)|1795362840|1795364040|/14|14|dan|chemistry\1|921428621|2|64|cpu=64,mem=8000M,node=2,billing=64|20:00|0:00|\2|1795360440|1795364040|/p' \
	"$data/why/queue.txt" >"$saved/queue.txt"
sed 's/^\(Res.*\) Nodes=cpu2 /\1 Nodes=gpu2 /' "$data/why/reservations.txt" >"$saved/reservations.txt"
sed -i 's/MaxTRESPU=cpu=40(22)/MaxTRESPU=/' "$saved/limits.txt"
when -p cpu -w cpu1 -n1 --mem=1G -t 4:00:00 --user ada
like "$(tr -s '\n ' '  ' <<<"$out")" "a time limit of 0:25:00: 2026-11-22T14:4" \
	"a limit that ends before a planned start is advised"
cp "$data"/why/{queue,reservations,limits}.txt "$saved/"

# ---- Where nothing is known ----------------------------------------------------------

when 5
like "$out" "From [0-9]+ futures, .* guessed" "the last lines say what lengths are drawn from"
run when --from "$saved" --futures 1 5
like "$out" "From 1 future, [0-9]+ running or waiting jobs and " "one future is not called futures"
rm "$saved/limits.txt" && cp "$data/why/limits.txt" "$saved/"
printf '%s\n' 'JobIDRaw|Account|User|Partition|QOS|State|Submit|Start|ElapsedRaw|TimelimitRaw|AllocTRES' \
	>"$saved/history.txt"
for i in {1..20}; do
	echo "$i|chemistry|cleo|cpu|normal|COMPLETED|$((now - 90000 + i))|$((now - 90000 + i))|60|10|cpu=1,mem=100M,node=1,billing=1"
done >>"$saved/history.txt"
when 5
like "$(tr '\n' ' ' <<<"$out")" "same user \(([1-9][0-9]*) jobs?\)" "lengths of the user's own jobs are drawn"

# A cluster that is a minute old, and a job that nothing can run.
sed -i "s/|[0-9]*|[0-9]*|60|10|/|$((now - 90))|$((now - 90))|60|10|/" "$saved/history.txt"
when 5
like "$(tr '\n' ' ' <<<"$out")" "and [0-9]+ of the last 1 min\. This is little history: take the times for a guess\." "a young cluster: the forecast says how much history it has, and that it is a guess"
when 5 --json
like "$out" '"history_s": 101' "JSON: the length of the history"
run why 5 --from "$saved"
like "$(tr -s '\n ' '  ' <<<"$out")" "\(a guess: there is little history\)" "equitree why says that its forecast is a guess, too"
when -p cpu -n4000 -t 1:00:00 --csv
is "$status|$err" "1|equitree when: all nodes here together are too few for the request" \
	"a young cluster, and a job that is too large"

# ---- All that sbatch takes -----------------------------------------------------------

# Each line is the same job in other words: 8 CPUs and 4000 MiB on one node.
when -p cpu -N1 -n8 --mem=4000M -t 20 --csv
first=$out
while read -r words; do
	read -ra list <<<"$words"
	when -p cpu -t 20 --csv "${list[@]}"
	is "$status|$out" "0|$first" "the same job as $words"
done <<'END'
-n8 -N1 --mem-per-cpu=500M
-N1 --ntasks-per-node=8 --mem=4000M
-n2 -c4 -N1 --mem-per-cpu=500M
-N1-1 --ntasks=8 --mem=4000M --job-name=any --mail-type=ALL
END
cat >"$work/job.sh" <<'END'
#!/bin/bash
#SBATCH -p cpu -N1 -n4
#SBATCH --mem=4000M -t 20
END
when --csv -n8 "$work/job.sh" an argument
is "$status|$out" "0|$first" "options of the command line replace those of the script"
echo '#SBATCH --seed=4' >>"$work/job.sh"
when "$work/job.sh"
is "$status|$err" "1|equitree when: $work/job.sh:4: this is an option of equitree, not of sbatch" \
	"a script has no options of this command"
when -p cpu -n8 -t 20 -a 0-9 --json
is "$(pick name job)" "first task|null" "an array has a line for its first task"
first=$(pick median_s)
last=$(perl -MJSON::PP -e 'print decode_json(do { local $/; <STDIN> })->{jobs}[1]{median_s}' <<<"$out")
ok "the last task of an array starts after the first" test "$last" -gt "$first"
when -p cpu -n1 -t 20 -a 0-9%1 --json
alone=$(perl -MJSON::PP -e 'print decode_json(do { local $/; <STDIN> })->{jobs}[1]{median_s}' <<<"$out")
when -p cpu -n1 -t 20 -a 0-9 --json
last=$(perl -MJSON::PP -e 'print decode_json(do { local $/; <STDIN> })->{jobs}[1]{median_s}' <<<"$out")
ok "tasks one after the other end later" test "$alone" -gt "$last"
when -p cpu -n1 -t 20 -a 0-999 --csv
is "$(cell 3 5)" "the array has too many tasks" "the last of a thousand tasks is not looked at"
when -p cpu -n1 -t 10 --begin=now+2hours --json
ok "a begin counts from now" test "$(pick early_s)" -ge $((now + 7200))
# A job of both nodes cannot start between 14:49 and the end of the reservation of one. Most
# futures have no room on the other before.
when -p cpu -N2 -n14 -t 5 --user ada --json
is "$(pick median_s)" "$(date -u -d '2026-11-22 15:54' +%s)" "a request with -N is not spread over fewer nodes"
when -p cpu -n1 --begin=16:00 --json
is "$(pick early_s)" "$(date -u -d '2026-11-22 16:00' +%s)" "a begin is a time of the day"
when -p cpu -n1 --begin=teatime --json
is "$(pick early_s)" "$(date -u -d '2026-11-22 16:00' +%s)" "a begin is one of Slurm's words for it"
when -p cpu -n1 --begin=12:00:30 --json
is "$(pick early_s)" "$(date -u -d '2026-11-23 12:00:30' +%s)" "a time that is over is that of tomorrow"
when -p cpu -n1 --begin=2020-01-01 --json
is "$status$err" 0 "a begin of the past is none"

# ---- Who may use a partition -----------------------------------------------------------

cp "$data/sshare.txt" "$saved/shares.txt"
# A node of gpu is drained, so that the partition cpu is advised where it may be used.
while IFS='|' read -r key want name; do
	sed "/^PartitionName=cpu /s/${key%%=*}=[^ ]*/$key/" \
		"$data/why/partitions.txt" >"$saved/partitions.txt"
	when -p gpu -n32 -t 12:00:00 --user xyz789 -A bloggs.prj
	is "$(grep -c 'partition cpu' <<<"$out")" "$want" "$name"
	when -p cpu -n1 --user xyz789 -A bloggs.prj -q normal
	is "$status" "$((!want))" "$name: the same of a request"
done <<'END'
AllowAccounts=physics|0|a partition that names other accounts is not advised
AllowAccounts=bloggs|1|a partition that names an account above is advised
AllowQos=long|0|a partition that names other QOS is not advised
END

# The QOS and account of a request that names none are those that slurmdbd has.
while IFS='|' read -r row allow want name; do
	printf '%s\n' 'Cluster|User|Def Acct|Account|Partition|Def QOS|QOS' "${row//+/|}" >"$saved/users.txt"
	sed "/^PartitionName=cpu /s/AllowQos=[^ ]*/AllowQos=$allow/" "$data/why/partitions.txt" >"$saved/partitions.txt"
	when -p cpu -n1 -t 10 --user xyz789 --json
	like "$status|$err|$(pick account)" "$want" "$name"
done <<'END'
cedar+xyz789+bloggs.prj.low+bloggs.prj.low++long+long,normal|normal|^1.*partition cpu does not allow QOS long|a default QOS that the partition does not allow
cedar+xyz789+bloggs.prj.low+bloggs.prj.low++long+long,normal|long|^0..bloggs.prj.low|the default QOS and account of a user
cedar+xyz789+bloggs.prj.low+bloggs.prj.low+++long|normal|^1.*does not allow QOS long|the only QOS that a user may have is the default
cedar+xyz789+bloggs.prj.low+bloggs.prj.low+++long,normal|normal|^0..bloggs.prj.low|a user of several QOS without a default has normal
cedar+xyz789+bloggs.prj.low+bloggs.prj.low+cpu+long+long,normal|normal|^1.*does not allow QOS long|the default QOS of the association of the partition
other+xyz789+bloggs.prj.low+bloggs.prj.low++long+long,normal|normal|^0|a default QOS on another cluster does not count
END
rm "$saved/users.txt"
cp "$data/why/partitions.txt" "$saved/"
sed -i 's/PartitionName=(null)/PartitionName=gpu/; s/Nodes=cpu2/Nodes=gpu1/' "$saved/reservations.txt"
when -n1 -t 5 --reservation=maint --user root --json
is "$(pick partition)" gpu "a request in a reservation has its partition, as a job has"
cp "$data/why/reservations.txt" "$saved/"

# ---- Bad input -------------------------------------------------------------------------

while IFS='|' read -r words want name; do
	read -ra list <<<"$words"
	when "${list[@]}"
	like "$status $err" "$want" "$name"
done <<'END'
|2 .*expected a job, --user, or the options of a job|no words at all are refused
abc|1 .*abc: No such file or directory|a script that is not there is refused
5 -p cpu|2 .*only one of jobs, --user and the options of a job|a job and a request are refused
99999|1 .*no job 99999 runs or waits|a job that is not there is refused
-p nowhere|1 .*no partition "nowhere"|a partition that is not there is refused
-p cpu -t soon|2 .*"soon": expected a time limit|a time limit that is none is refused
-p cpu --mem lots|2 .*"lots": expected an amount of memory|a size that is none is refused
-p cpu --gpus some|1 .*no node has GPUs of model "some"|a count of GPUs that is none is a model
-p cpu -x cpu9|1 .*--exclude cpu9: no such node|a node that is not there cannot be excluded
-p gpu --gpus=p100:1,v100:1|1 .*no forecast for GPUs of several models|GPUs of several models are refused
-p cpu : -p gpu|1 .*no forecast for a heterogeneous job|a heterogeneous job is refused
-p cpu --reservation=nix|1 .*--reservation nix: no such reservation|a reservation that is not there is refused
-p cpu -t 5 --reservation=maint --user ada|1 .*--reservation maint is for others|a reservation of others is refused
-p cpu -q nix|1 .*--qos nix: no such QOS|a QOS that is not there is refused
-p cpu -L nix|1 .*--licenses nix: the cluster has 0|a licence that is not there is refused
-p cpu -L matlab:9|1 .*--licenses matlab: the cluster has 2|more licences than there are are refused
-p cpu -t 400-0|1 .*--time: partition cpu allows 7-00:00:00|a time that the partition does not allow is refused
-p cpu -t 0|1 .*--time: partition cpu allows 7-00:00:00|no time limit is refused where the partition has one
-p cpu -A nix --user ada|1 .*user ada has no account nix|an account that the user has not is refused
-p cpu --begin=25:00|1 .*"25:00": expected a time|a time of the day that is none is refused
-p cpu --begin=now+2fortnights|1 .*"now\+2fortnights": expected a time|a begin that is none is refused
-p cpu -a 3-x|1 .*--array 3-x: expected indexes|an array that is none is refused
-p gpu --gpus=h900:1|1 .*no node has GPUs of model "h900"|a model that no node has is refused
--user nobody_there|1 .*no job of nobody_there waits|a user without jobs is refused
5 --futures 0|2 .*--futures 0: expected at least 1|no futures are refused
5 --save /tmp/x|2 .*--save takes no jobs|saving takes no jobs
END
when '6_[3-5%2]'
like "$status $out" "^0 .*6_\[3-5%2\] " "the tasks of an array have the name that squeue prints"
when 6_9
is "$status|$err" "1|equitree when: no job 6_9 runs or waits" \
	"a task that does not wait is not one of those that do"
run when --from "$work/nothing" 5
like "$status $err" "1 .*nothing/time.txt" "a folder that is not there is refused"

done_testing
