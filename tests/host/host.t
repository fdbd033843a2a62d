#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The priority plugin in a stand-in slurmctld: histories whose outcome is known
# exactly, and what Slurm's own plugin makes of the same.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

# shellcheck source=rows.sh
. "$here/rows.sh"

play() { # WHOSE NAME: the history's output, kept as $work/WHOSE.NAME
	"$1" "$here/histories/$2.txt" >"$work/$1.$2" 2>"$work/$1.$2.err" ||
		row "$1: $2 runs to its end" 1 "$(tail -n 3 "$work/$1.$2.err")"
}

raw() { # WHOSE NAME TIME THING
	value "$work/$1.$2" "$3" "$4" raw
}

if [[ ! -x $host ]]; then
	echo "1..0 # SKIP $host is not built (no internal headers of Slurm)"
	exit 0
fi

# ---- Ranks ------------------------------------------------------------------

ranks() { # WHOSE: "a1=5 ..." in ranks of 6
	values "$work/$1.ties" fs | awk '/\// {
		sub(/.*\//, "", $1)
		printf "%s%s=%.0f", sep, $1, $2 * 6
		sep = " " }'
}
play ours ties
play stock ties
is 'users of tied accounts are ranked together, as documented' \
	"$(ranks ours)" 'a1=5 a2=2 b1=5 b2=2 b3=3 c1=6'
is "Slurm's own plugin ranks them one account after the other" \
	"$(ranks stock)" 'a1=5 a2=4 b1=4 b2=1 b3=2 c1=6'
is 'ties change nothing but ranks' \
	"$(values "$work/ours.ties" level)" "$(values "$work/stock.ties" level)"

# One of b's users loses the parent: the others are ranked as if it were not there.
sed 's/shares=0/shares=1/; /^run/i orphan user b3 account=B' "$here/histories/ties.txt" >"$work/orphan"
ours "$work/orphan" >"$work/ours.orphan" 2>"$work/orphan.err"
is 'an association without a parent: all others are ranked, it is the last' \
	"$(values "$work/ours.orphan" fs | awk '/\// {
		sub(/.*\//, "", $1)
		printf "%s%s=%.0f", sep, $1, $2 * 6
		sep = " " }')" 'a1=5 a2=2 b1=6 b2=4 b3=1 c1=3'
is 'an association without a parent is reported once' \
	"$(grep -c 'error: .*1 associations have no parent' "$work/orphan.err")" 1

play ours new_user
is 'a new user who submits has a rank within two seconds' \
	"$(value "$work/ours.new_user" 32 assoc=phys/ben fs)" 1

# ---- Usage ------------------------------------------------------------------

# 4 CPUs over [100, 7300] as they count at a time: the integral of the decay.
decayed() { # TIME
	awk -v t="$1" 'BEGIN {
		rate = log(2) / 86400
		printf "%.17g", 4 / rate * (exp(rate * (7300 - t)) - \
			exp(rate * (100 - t))) }'
}
for period in 1 5 60; do
	sed "1i conf PriorityCalcPeriod=$period" \
		"$here/histories/closed_form.txt" >"$work/closed_form"
	ours "$work/closed_form" >"$work/out" 2>/dev/null
	for at in 86400 172800; do
		near "usage is the closed form: period $period, second $at" \
			"$(value "$work/out" $at assoc=phys/ada raw)" \
			"$(decayed $at)" 1e-12
	done
done

play ours short_jobs
is 'jobs that end between passes are charged where limits are not enforced' \
	"$(raw ours short_jobs last assoc=phys/ada)" 500

play ours recovery_word
is 'stock_recovery, then none: usage of the time with it is kept' \
	"$(raw ours recovery_word 3600 assoc=phys/ada)" 8000
is 'stock_recovery, then none: charges go on' \
	"$(raw ours recovery_word last assoc=phys/ben)" 4000

sed 's/^reconfigure \(.*stock_recovery\)/reread \1\nrestart/' \
	"$here/histories/recovery_word.txt" >"$work/recovery_word"
ours -v "$work/recovery_word" >"$work/out" 2>"$work/err"
is 'stock_recovery by a restart, then none: usage is kept' \
	"$(value "$work/out" last assoc=phys/ada raw)" 8000
none 'stock_recovery by a restart, then none: no file is reported as missing' \
	"$(grep error: "$work/err")"

play ours unreported
is 'no limits: a job that is requeued and starts again between two passes is charged for both runs' \
	"$(raw ours unreported last assoc=phys/ada)" 24600
is 'no limits: a job that is requeued twice between two passes is charged for both runs' \
	"$(raw ours unreported last assoc=phys/ben)" 16400
is 'no limits: a job that is resized three times between two passes is charged at each size' \
	"$(raw ours unreported last assoc=phys/cleo)" 37800
is 'no limits: a job that is purged before the next pass is charged to its end' \
	"$(raw ours unreported last assoc=phys/dan)" 16000
is 'no limits: a requeued job whose epilog ends a second later is charged to its end' \
	"$(raw ours unreported last assoc=phys/fay)" 15960
is 'no limits: a requeued job whose epilog takes seconds is charged until its nodes are free' \
	"$(raw ours unreported last assoc=phys/gus)" 15980
is 'no limits: a job that lives and is purged between two passes is charged' \
	"$(raw ours unreported last assoc=phys/eve)" 1200

play ours requeue
is 'a requeued job is charged for its first run' \
	"$(raw ours requeue 1400 assoc=phys/ada)" 4000
is 'a requeued job is charged for what it has in its second run' \
	"$(raw ours requeue last assoc=phys/ada)" 5000

play ours resize
is 'a resized job is charged once for each second' \
	"$(raw ours resize last assoc=phys/ada)" 10468

play ours resize_late
is 'a resized job past its time limit is charged once for each second' \
	"$(raw ours resize_late last assoc=phys/ada)" 9000

play ours het_trial
none 'a trial of a heterogeneous job leaves no usage' \
	"$(last_print "$work/ours.het_trial" | grep -E ' (raw|wall)=[^0]')"

play ours reset
is 'usage counts up to the moment of a reset' \
	"$(raw ours reset 86100 assoc=phys/ada)" 344400
is 'usage counts from 0 after a reset' "$(raw ours reset last assoc=root)" 3600
is 'a reset is one of QOS too' "$(raw ours reset last qos=normal)" 3600

play ours clock_back
is 'a clock that goes back charges nothing twice' \
	"$(raw ours clock_back last assoc=phys/ada)" 43200

play ours clock_forward
is 'a clock that is set forward: what runs is charged for what it ran' \
	"$(raw ours clock_forward last assoc=phys/ada)" 10000
is 'what starts later is charged for its own time' \
	"$(raw ours clock_forward last assoc=phys/ben)" 1800
is 'the passes after it charge seconds, and not the hour' \
	"$(raw ours clock_forward 5200 assoc=phys/ada)" 5204
is 'passes go on after a clock that was set forward' "$(raw ours clock_forward 6100 assoc=phys/ben)" 1202

play ours clock_jump
is 'a clock an hour ahead for eight seconds charges nothing that did not run' \
	"$(raw ours clock_jump 2210 assoc=phys/ada)" 3124
is 'a clock an hour behind for eight seconds charges what ran, once' \
	"$(raw ours clock_jump last assoc=phys/ben)" 2412
is 'clocks that are off change no usage of other jobs' \
	"$(raw ours clock_jump last assoc=phys/ada)" 3124

play ours set_back
is 'a clock that is set right: what ran at the time is charged for all of it, once' \
	"$(raw ours set_back last assoc=phys/ada)" 70800
is 'a clock that is set right: jobs of the hours that come twice are charged' \
	"$(raw ours set_back last assoc=phys/ben)" 6000
is 'a clock that is set right: jobs that run on through kills are charged' \
	"$(raw ours set_back last assoc=phys/cleo)" 9000

# ---- Restarts ---------------------------------------------------------------

play ours kills
is 'six kills and a restart lose and double nothing' \
	"$(values "$work/ours.kills" raw | grep / | sort | tr '\n' ' ')" \
	'assoc=chem/cleo 945 assoc=chem/dan 600 assoc=phys/ada 16000 assoc=phys/ben 8662 '
is 'six kills and a restart lose nothing of the accounts above' \
	"$(raw ours kills last assoc=root)" 26207

play ours refused
is 'a reconfigure that fails: passes continue with the previous prices' \
	"$(raw ours refused 300 assoc=phys/ada)" 2400
is 'a reconfigure that fails: the second pass has the previous prices' "$(raw ours refused 402 assoc=phys/ada)" 3216
is 'a reconfigure that fails: nothing of what runs is lost or doubled' \
	"$(raw ours refused last assoc=phys/ada) $(raw ours refused last \
		assoc=chem/ben)" '8000 1380'

play ours unsaved
is 'an end that slurmctld forgot is not charged twice' \
	"$(raw ours unsaved 1000 assoc=phys/ada)" 4000
is 'what follows an end that slurmctld forgot is charged' \
	"$(raw ours unsaved last assoc=phys/ada)" 6000

play ours unsaved_late
is 'a forgotten end: the time before it is kept when a pass came in between' \
	"$(raw ours unsaved_late last assoc=phys/ada)" 4040
is 'a forgotten end of a resized job is not charged twice' \
	"$(raw ours unsaved_late last assoc=phys/ben)" 5650
is 'a forgotten end of a second run is not charged twice' \
	"$(raw ours unsaved_late last assoc=phys/cleo)" 990

play ours unsaved_twice
is 'a forgotten end is not charged twice by a second kill' \
	"$(raw ours unsaved_twice last assoc=phys/ada)" 800

# At each moment of a pass in turn; some of them are after the charge.
lost='' between=0
for moment in {1..8}; do
	mkdir "$work/midway"
	sed "s/@N@/$moment/" "$here/histories/midway.txt" >"$work/moment"
	ours -d "$work/midway" "$work/moment" >"$work/ours.midway" 2>/dev/null
	[[ $(raw ours midway 600 assoc=phys/ada) == 2400 &&
		$(raw ours midway last assoc=phys/ada) == 2400 &&
		$(raw ours midway last assoc=phys/ben) == 1800 ]] ||
		lost+="moment $moment: $(raw ours midway last assoc=phys/ada)"
	rm -r "$work/midway"
	# The journal as it was before the kill.
	mkdir "$work/midway"
	sed -i '/^kill/,$d' "$work/moment"
	ours -d "$work/midway" "$work/moment" >/dev/null 2>&1
	cat "$work/midway/state/equitree_journal"* | awk '
		$2 == 1 && part == 300 && $6 == $7 { found = 1 }
		$2 == 1 { part = $7 - $6 }
		END { exit !found }' && between=$((between + 1))
	rm -r "$work/midway"
done
none 'a job that ends in the middle of a pass is charged once, also if that pass is lost' \
	"$lost"
is 'some ended after the charge: the journal has what the pass charged' \
	$((between >= 2)) 1

# ---- Decay in slices ----------------------------------------------------------

# A pass that decays in slices of eight associations (busy), and an event before its Nth slice;
# 0: after the pass, in the same second.
slices() { # N EVENT...
	local event="midslice $1 ${*:2}" after=''
	(($1 > 0)) || { event='' after=${*:2}; }
	printf '%s\n' 'conf PriorityDecayHalfLife=1-0' 'cluster cpu=1000' \
		'partition main' 'account a' 'account b parent=a' 'account c' 'account d'
	printf 'user u%s account=a usage=%s\n' {1..9}{,000}
	printf 'user u%s account=b usage=%s\n' {10..19}{,000}
	printf 'user u%s account=c\n' {20..24}
	printf 'user u%s account=d usage=%s\n' 25 3000 26 4000
	printf '%s\n' run busy 'submit 1 user=u3 account=a cpu=2 time=1000' 'start 1' \
		'submit 2 user=u18 account=b cpu=3 time=1000' 'start 2' 'advance 299' \
		"$event" 'advance 1' "${after//; /$'\n'}" 'advance 30' 'print assocs' \
		'advance 600' 'print assocs'
}

# Usage that differs by more than roundings do: a decay of these passes is 0.0024.
unlike() { # OUTPUT OTHER
	awk -v most="${3:-1e-12}" '
		FNR == 1 { times = 0 }
		$1 == "==" { times++; next }
		{
			for (i = 2; i <= NF; i++) {
				split($i, word, "=")
				key = times " " $1 " " word[1]
				if (word[1] !~ /^(raw|wall|cpu|leaf)$/) continue
				if (NR == FNR) { want[key] = word[2]; continue }
				seen[key]
				d = word[2] - want[key]
				if ((d < 0 ? -d : d) > most * want[key])
					print key, word[2], "and", want[key]
			}
		}
		END {
			if (!times) print "nothing is printed"
			for (key in want) if (!(key in seen)) print key, "is lacking"
		}' "$1" "$2"
}

# Accounts whose usage is not the sum of what is below them.
unlike_sums() { # OUTPUT
	awk '
		$1 == "==" { times++; next }
		{
			sub(/^assoc=/, "", $1)
			is_user = split($1, name, "/") > 1
			for (i = 2; i <= NF; i++) {
				split($i, word, "=")
				if (word[1] == (is_user ? "raw" : "leaf"))
					own[times name[1]] += word[2]
				if (word[1] == "raw" && !is_user)
					got[times name[1]] = word[2]
			}
		}
		END {
			if (!times) print "nothing is printed"
			for (t = 1; t <= times; t++) {
				want["b"] = own[t "b"]
				want["a"] = own[t "a"] + want["b"]
				want["root"] = own[t "root"] + want["a"] + own[t "c"] + own[t "d"]
				for (name_of in want) {
					d = got[t name_of] - want[name_of]
					if ((d < 0 ? -d : d) > 1e-12 * want[name_of])
						print name_of, got[t name_of], "and", want[name_of]
				}
			}
		}' "$1"
}

for event in 'end 1' 'end 2' 'resize 2 cpu=5' 'requeue 1' 'reset user u4 account=a' \
	'reset user u19 account=b' 'reset account d' 'reset user u19 account=b; end 1' 'user v1 account=a' \
	'modify user u5 account=a shares=7' 'submit 3 user=u12 account=b cpu=1'; do
	# shellcheck disable=SC2086 # several words
	slices 0 $event | ours /dev/stdin >"$work/after" 2>"$work/err"
	lost=''
	for n in {1..6}; do
		# shellcheck disable=SC2086
		slices "$n" $event | ours /dev/stdin >"$work/between" 2>"$work/err"
		lost+=$(unlike "$work/after" "$work/between" | sed "s/^/slice $n: /")
		lost+=$(unlike_sums "$work/between" | sed "s/^/slice $n: /")
	done
	none "all usage decays once if a pass is interrupted by: $event" "$lost"
done

# Its usage goes to the account, which may have decayed before or not yet.
lost=''
slices 0 remove user u6 account=a | ours /dev/stdin >"$work/after" 2>"$work/err"
for n in {1..6}; do
	slices "$n" remove user u6 account=a |
		ours /dev/stdin >"$work/between" 2>"$work/err"
	lost+=$(unlike_sums "$work/between" | sed "s/^/slice $n: /")
	lost+=$(unlike "$work/after" "$work/between" 0.0025)
done
none 'usage of a user who is removed meanwhile decays by one period more or less at most' "$lost"

play ours torn
is 'a line of the journal that a kill cut short is no loss' \
	"$(raw ours torn last assoc=root)" 10000

play ours damaged
is 'a damaged snapshot: the one before and the journals have it all' \
	"$(raw ours damaged last assoc=root)" 16000

# Random histories and the same ones with a kill after one line in eight. Both end
# with a restart, so that usage is as of the same second. MinJobAge is two seconds at
# least, so no record is gone before the journal has its end.
ends() { # KILLS CONF: the histories of $work/random
	awk -v kills="$1" -v conf="$2" '
		function flush(   i) {
			for (i = 1; i <= n; i++) {
				if (i == n)
					print "restart"
				if (line[i] ~ /^purge/)
					print "advance 2"
				print line[i]
				on = on || line[i] == "run"
				seed = (seed * 16807 + 11) % 2147483647
				if (kills && on && seed % 8 == 0)
					print "kill"
			}
			n = on = 0
		}
		/^### / { flush(); seed = $2; print; print conf; next }
		!/^(kill|clock)|(HalfLife|ResetPeriod)=/ { line[++n] = $0 }
		END { flush() }' "$work/random"
}
usage_of() { # KILLS CONF: "THING raw=... wall=..." of the end of each history
	ends "$@" >"$work/end"
	ours -m "$work/end" 2>"$work/end.err" | awk '
		function flush() { printf "%s", text; text = "" }
		/^### / { flush(); print; next }
		/^ended with/ { flush(); print }
		$1 == "==" { text = "" }
		/^(assoc|qos)=/ {
			text = text $1
			for (i = 2; i <= NF; i++)
				if ($i ~ /^(raw|wall|cpu|mem)=/)
					text = text " " $i
			text = text "\n"
		}
		END { flush() }'
}
# Words that differ by more than one part in 10^12, with the seed.
unequal() { # FILE FILE
	paste "$1" "$2" | awk '$1 == "###" { name = $2 } { for (i = 1; i <= NF / 2; i++) {
		split($i, a, "=")
		split($(i + NF / 2), b, "=")
		d = a[2] - b[2]
		if (a[1] != b[1] || (d < 0 ? -d : d) > 1e-12 * a[2])
			print "seed " name ": " $1, $i, $(i + NF / 2) } }'
}
lost= seeds=${RANDOM_HISTORIES:-15}
awk -v wild=1 -f "$here/random-history" 1 "$seeds" >"$work/random"
for conf in HalfLife=0$'\n'conf\ PriorityUsageResetPeriod=YEARLY HalfLife=0-5; do
	usage_of 0 "conf PriorityDecay$conf" >"$work/calm"
	usage_of 1 "conf PriorityDecay$conf" >"$work/killed"
	[[ $(grep -c '^### ' "$work/calm") == "$seeds" &&
		$(grep -c '^assoc=root raw=' "$work/calm") == "$seeds" ]] ||
		lost+="not all of $seeds histories have usage"$'\n'
	lost+=$(grep -h -B1 '^ended with' "$work/calm" "$work/killed")
	lost+=$(unequal "$work/calm" "$work/killed")
done
none 'random histories end with the same usage when slurmctld is killed' \
	"$lost"

play ours removed_user
is 'the usage of a removed user goes to the account' \
	"$(raw ours removed_user 1000 assoc=phys)" 4000
is 'the usage of a removed user is there after a pass and a kill' \
	"$(raw ours removed_user 1300 assoc=phys)" 4000
is 'the usage of a removed user is there after a kill without a pass' \
	"$(raw ours removed_user last assoc=phys)" 6400

play ours removed_account
is 'the usage of a removed account goes to the account above' \
	"$(raw ours removed_account 1011 assoc=science)" 6020
is 'the usage of a removed account stays in the account above' "$(raw ours removed_account last assoc=science)" 6020

# Days under one plugin and the other, with the state files of the day before.
day() { # WHOSE NUMBER
	{
		cat "$here/histories/site.txt"
		echo "clock $(($2 * 1200))"
		cat "$here/histories/day.txt"
	} | "$1" -d "$work/site" 2>/dev/null >"$work/day"
	value "$work/day" last assoc=phys/ada raw
}
days=
number=0
for whose in stock ours ours stock stock ours; do
	days+=" $(day $whose $number)"
	((number++))
done
is "a site may change to this plugin and back: usage goes on" \
	"$days" ' 0 4000 8000 12000 16000 20000'

# ---- Slurm's own plugin after a kill ----------------------------------------

# Ours is killed between two passes; then Slurm's own prints what slurmctld read.
mkfifo "$work/fifo"
tree='conf PriorityDecayHalfLife=0
conf PriorityUsageResetPeriod=NONE
tres gres/gpu
cluster cpu=64 node=4 gres/gpu=8
partition main
qos fixed flags=NoDecay factor=0.5
account phys
account theory parent=phys
user ada account=phys
user ben account=theory
run'
"$host" "$plugin" -d "$work/left" "$work/fifo" >"$work/left.out" 2>&1 &
killed=$!
exec {history}>"$work/fifo"
cat >&"$history" <<EOF
$tree
submit 1 user=ada account=phys cpu=4 gres/gpu=2 time=60 qos=fixed
submit 2 user=ben account=theory cpu=3 time=60
start 1
start 2
advance 301
end 2
advance 299
print
EOF
usages() { # OUTPUT: of its first print
	awk '$1 == "==" { prints++ } prints == 1' "$1" |
		grep -E '^(assoc|qos)=[^ ]* raw=' |
		grep -oE '^[^ ]+| (raw|wall|cpu|billing|gres/gpu)=[^ ]*'
}
# The print is in a buffer until the history goes on.
for ((i = 0; i < 400; i++)); do
	echo "print"
	grep -q '^== 600' "$work/left.out" && break
	sleep 0.05
done >&"$history"
kill -KILL "$killed"
wait "$killed" 2>/dev/null
exec {history}>&-
printf '%s\nprint\n' "$tree" >"$work/history"
stock -d "$work/left" "$work/history" >"$work/left.stock" 2>&1
is "killed, then Slurm's own: usage is that of the last pass" \
	"$(usages "$work/left.stock")" "$(usages "$work/left.out")"
grep -qx ' gres/gpu=600' <(usages "$work/left.stock")
row "killed, then Slurm's own: it has usage of jobs, also by TRES" $? \
	"$(usages "$work/left.stock")"

# ---- Other TRES after a restart ---------------------------------------------

# What a user has by TRES when slurmctld starts with others than it had; the
# lines of the log that tell of it go to $work/other.err.
other_tres() { # [LINE-BEFORE-THE-START]
	rm -rf "$work/tres"
	ours -d "$work/tres" "$here/histories/tres.txt" >/dev/null &&
		sed "s|^run|${1:-}\n&|" "$here/histories/tres_other.txt" |
		ours -v -v -d "$work/tres" >"$work/other" 2>"$work/other.err"
	grep -o 'assoc=phys/ada.*' "$work/other" |
		grep -oE '(cpu|license|gres)[^ ]*=[0-9]+'
}
# 2 GPUs, 3 licenses, and 4 CPUs for 600 s.
is 'usage goes to the TRES with its number, in any order of TRES' \
	"$(other_tres)" $'cpu=2400\nlicense/matlab=1800'
like_log() { grep -q "usage of TRES $1 is dropped" "$work/other.err"; }
like_log 1001
row 'the log names a TRES that is gone' $? "$(cat "$work/other.err")"
! like_log 1002 && ! like_log 1004
row 'the log names no TRES that exists' $? "$(cat "$work/other.err")"
is 'usage of the journal goes to the TRES of its number' \
	"$(other_tres 'delete equitree_usage')" $'cpu=2400\nlicense/matlab=1800'
grep -q ' [1-9][0-9]* ends of jobs from the journal' "$work/other.err"
row 'which had it' $? "$(cat "$work/other.err")"

# ---- Limits -----------------------------------------------------------------

left() { # NAME: run-seconds in the last print
	last_print "$work/ours.$1" |
		grep -oE '^[^ ]*|run:[a-z].*' | grep -B1 '^run:'
}
play ours limits
is 'run-seconds are the whole time limit at the start' \
	"$(value "$work/ours.limits" 0 qos=double run:cpu)" 2400
is 'run-seconds are the rest of the time limit later' \
	"$(value "$work/ours.limits" 600 assoc=phys run:cpu)" 60600
none 'run-seconds are 0 when no job runs any more' "$(left limits)"

play ours limits_fraction
is 'a UsageFactor of a half takes off whole seconds, and none twice' \
	"$(value "$work/ours.limits_fraction" 193 qos=half run:cpu)" 6908
none 'a UsageFactor of a half leaves no run-seconds' "$(left limits_fraction)"

play ours limits_suspended
none 'nothing is left of a job that was suspended during a restart' \
	"$(left limits_suspended)"
play ours limits_overrun
is 'a job over its time limit takes nothing off others at a restart' \
	"$(value "$work/ours.limits_overrun" last assoc=phys/ada run:cpu)" 8400
none 'nothing is left of a trial of a heterogeneous job without a start' \
	"$(left het_trial)"
none 'nothing is left of a job that was resized' "$(left resize)"
none 'nothing is left of a job that was resized after its time limit' "$(left resize_late)"
none 'nothing is left of a job whose clock was set forward' "$(left clock_forward)"
none 'nothing is left of jobs whose clock was off for some seconds' "$(left clock_jump)"
for after in advance restart reconfigure; do
	sed "/^resize/a advance 60\n${after/advance/advance 600}" \
		"$here/histories/resize.txt" >"$work/resized"
	ours "$work/resized" >"$work/ours.resized" 2>/dev/null
	none "nothing is left of a resized job when the next thing is: $after" "$(left resized)"
done

# ---- Billing ----------------------------------------------------------------

# "1=16 2=16 ..." of the jobs in the n-th print: KEY is billing, or told, of
# which the billing alone is looked at.
billing() { # NAME KEY PRINT
	awk -v key="$2" -v print_number="$3" '
		$1 == "==" { n++ }
		n == print_number && /^job=/ {
			for (i = 2; i <= NF; i++) {
				if (index($i, key "=") != 1)
					continue
				sub(/.*,5=|.*=/, "", $i)
				printf "%s%s=%s", sep, substr($1, 5), $i
				sep = " "
			}
		}' "$work/ours.$1"
}
play ours billing
is 'a job starts with the billing of its request' \
	"$(billing billing billing 1)" '1=8 2=8 3=1 4=9 5=2'
is 'a job that ends before any pass has that of what it held' \
	"$(billing billing billing 2)" '1=8 2=16 4=9 5=7'
is 'a requeued job has the billing of what it held in the database' \
	"$(billing billing told 2)" '2=16 3=16'
is 'a pass gives each the billing of what it holds, resized or not' \
	"$(billing billing billing 3)" '1=16 2=16 4=3 5=20'
is 'a pass sends the billing of resized jobs to the database' \
	"$(billing billing told 3)" '1=16 2=16 3=16 4=3 5=20'
is 'nothing is left of it in run-seconds' "$(left billing)" ''

play ours billing_limits
is 'all that count its run-seconds get those of what it holds' \
	"$(sed '/^== 900/,$d' "$work/ours.billing_limits" |
		grep -o 'run:billing=.*' | sort -u)" 'run:billing=9000'
is 'limits keep no run-seconds of ended jobs' "$(left billing_limits)" ''

# The unit of usage: seconds times Slurm's billing, and then seconds times price.
play ours unit
of_all() { # TIME KEY: root, the running job's user and QOS, the one that ended
	local thing
	for thing in assoc=root assoc=phys/ada qos=plain assoc=phys/ben; do
		value "$work/ours.unit" "$1" "$thing" "$2"
	done | xargs
}
is "usage is in Slurm's billing with stock_billing" \
	"$(of_all 900 raw)" '6300000 3600000 3600000 1800000'
is 'turning to equivalents converts it once, whatever a kill leaves' \
	"$(of_all 1200 raw)" '6820 4000 4000 1820'
is 'turning to equivalents converts the billing TRES to billing_scale' \
	"$(of_all 1200 billing)" '682000 400000 400000 182000'
is 'turning back converts it back, and jobs are charged by their weights' \
	"$(of_all 1800 raw)" '10230000 6400000 6400000 1820000'
is 'turning back converts the usage of the billing TRES, too' \
	"$(of_all 1800 billing)" "$(of_all 1800 raw)"
is "a job that ran all the time has Slurm's billing again, in slurmdbd too" \
	"$(value "$work/ours.unit" 1800 job=1 billing) $(value \
		"$work/ours.unit" 1800 job=1 told)" \
	'4000 1=4,3=18446744073709551614,4=1,5=4000'
is "a job that was pending at both changes has Slurm's billing" \
	"$(value "$work/ours.unit" 1800 job=4 billing)" 8000
is 'limits count what slurmctld takes off at the end' \
	"$(value "$work/ours.unit" 1800 assoc=phys/ada run:billing)" 137600000

# From 23.11 on a reconfigure is such a restart.
play ours stepped_back
is 'usage of an hour with stock_recovery is kept when a restart ends it' \
	"$(value "$work/ours.stepped_back" 4800 assoc=phys/ada raw)" 10200

# Histories in which jobs get what they did not ask for: the program fails when
# limits are to lose more than they have.
awk -v wild=1 -f "$here/random-history" 1 60 >"$work/wild"
ours -m "$work/wild" >"$work/wild.out" 2>"$work/wild.err"
lost=$(awk '/^### / { seen++; name = $2 } /^ended with/ { print "seed " name ": " $0 }
	END { if (seen != 60) print seen + 0 " of 60 were played" }' "$work/wild.out")
lost+=${lost:+$'\n'$(tail -n 3 "$work/wild.err")}
grep -o ' told=.*' "$work/wild.out" >"$work/wild.told"
none 'random histories: no limit is taken below 0' "$lost"
[[ -s $work/wild.told ]]
row 'random histories: they have billing that was corrected' $? 'it never was'

# ---- The same as Slurm's own ------------------------------------------------

play ours points
play stock points
none 'all factors and priorities are those of priority/multifactor' \
	"$(diff "$work/ours.points" "$work/stock.points")"

differs=$("$here/parity" "${PARITY_COUNT:-40}" 2>&1)
row 'random histories print the same under priority/multifactor' $? "$differs"

echo "1..$count"
