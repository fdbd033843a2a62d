#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The priority plugin on a disk that fails: nothing that was used is lost without
# an error in the log, nothing is charged twice, and no thread of slurmctld's waits.
#
# FAULTS=60 faults of FAULTS_SEED are injected at random moments; 300 in the
# default run.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

# shellcheck source=rows.sh
. "$here/rows.sh"

if [[ ! -x $host ]]; then
	echo "1..0 # SKIP $host is not built (no internal headers of Slurm)"
	exit 0
fi

# A history of two users. Lines on stdin go between its beginning (jobs 1 and 2 run,
# second 700; the last passes were at 300 and 600) and its end.
# A kill comes a second after an end where only the journal has the end: its thread
# gathers lines for some milliseconds.
head_of() { # [PERIOD_MIN]
	cat <<-EOT
		conf PriorityDecayHalfLife=0
		conf PriorityUsageResetPeriod=YEARLY
		conf PriorityCalcPeriod=${1:-5}
		cluster cpu=64 node=4
		partition main
		account phys
		user ada account=phys
		user ben account=phys
		run
		submit 1 user=ada account=phys cpu=4 time=600
		submit 2 user=ben account=phys cpu=2 time=600
		submit 3 user=ben account=phys cpu=1 time=600
		start 1
		start 2
		advance 700
	EOT
}
# The usage of ada and ben at the end goes to $usage; the log is in $work/log.
plays() { # < LINES
	{
		head_of "${period-}"
		cat
		printf '%s\n' "end 2" "advance 301" "print assocs"
	} >"$work/history"
	rm -rf "$work/site"
	if ours -d "$work/site" "$work/history" >"$work/out" 2>"$work/log"; then
		usage="$(value "$work/out" last assoc=phys/ada raw) "
		usage+=$(value "$work/out" last assoc=phys/ben raw)
	else
		usage="died: $(tail -n 1 "$work/log")"
	fi
}
logged() { # NAME REGEX
	grep -qE -e "error: .*$2" "$work/log"
	row "$1" $? "$(cat "$work/log")"
}
silent() { # NAME
	none "$1" "$(grep 'error:' "$work/log")"
}
kept() { # NAME FILE
	[[ -s $work/site/state/$2 ]]
	row "$1" $? "$(ls "$work/site/state")"
}

# ---- A disk that hangs --------------------------------------------------------

plays <<-EOT
	fault any 1 hang times=1000000
	end 1
	fault none
	advance 300
EOT
is 'the end of a job waits for no disk' \
	"$usage" '2800 2000'
plays <<-EOT
	fault write 1 hang
	end 1
	advance 10
	kill
	advance 290
EOT
is 'a line that the kill came before: the record has the end' \
	"$usage" '2800 2000'
silent 'and nothing is wrong'
plays <<-EOT
	fault write 1 hang
	end 1
	unsaved 1
	kill
	end 1
	advance 300
EOT
is 'an end is not charged twice where the job record lacks it' \
	"$usage" '2800 2000'
plays <<-EOT
	end 1
	start 3
	advance 100
	midway 1 end 3
	kill
	advance 200
EOT
is 'an end that slurmctld reports before the first pass is charged once' \
	"$usage" '2800 2100'
plays <<-EOT
	fault any 1 hang times=1000000
	end 1
	advance 1000
	start 3
	advance 600
	end 3
	fault none
	kill
	advance 300
	kill
	advance 300
EOT
is 'a disk that hangs for minutes: all is charged, and written afterwards' \
	"$usage" '2800 6400'

# ---- Damage -------------------------------------------------------------------

# In one process each; all bits of the file.
for ((bit = 0; bit < 192; bit++)); do
	echo "### bit $bit"
	head_of
	printf '%s\n' "end 1" "damage priority_last_decay_ran $bit" kill \
		"advance 300" "print assocs"
done >"$work/bits"
ours -m "$work/bits" >"$work/out" 2>/dev/null
is 'one bit of the time of the last pass, whichever it is, loses no usage' \
	"$(grep -c '^assoc=phys/ada .*raw=2800 ' "$work/out")" 192
plays <<-EOT
	end 1
	damage priority_last_decay_ran 5
	kill
	advance 300
EOT
is 'which is what slurmctld says' \
	"$usage" '2800 2000'
logged 'the log reports it' 'priority_last_decay_ran is damaged'
kept 'and it is kept' priority_last_decay_ran.aside

# 16 bytes of Slurm's own plugin, with a time in another century.
plays <<-EOT
	end 1
	cut priority_last_decay_ran 16
	damage priority_last_decay_ran 26
	kill
	advance 300
EOT
is "a time of Slurm's own plugin that is ahead of the clock is no time" \
	"$usage" '2800 2000'
logged 'the log reports the time ahead of the clock' 'ahead of the clock'

plays <<-EOT
	end 1
	advance 1
	damage equitree_journal double
	kill
	advance 299
EOT
is 'a duplicate line is charged once' \
	"$usage" '2800 2000'
for minutes in 1 5; do
	period=$minutes
	plays <<-EOT
		end 1
		advance 230
		start 3
		advance 170
		end 3
		advance 1
		damage equitree_usage 1000
		kill
		advance 299
	EOT
	is "the newest snapshot is damaged: the one before and the journal have it all, a pass each $minutes min" \
		"$usage" '2800 2970'
	logged 'the log reports it' 'equitree_usage is damaged'
	kept 'and it is kept' equitree_usage.aside
done
unset period
plays <<-EOT
	advance 300
	end 1
	advance 1
	damage equitree_usage 1000
	kill
	advance 299
EOT
is 'a job that ends after the pass of the snapshot that is damaged' \
	"$usage" '4000 2600'
plays <<-EOT
	end 1
	advance 1
	delete equitree_usage
	kill
	advance 299
EOT
is 'the snapshot is gone: the one before and the journal have it all' \
	"$usage" '2800 2000'
logged 'the log reports it' 'equitree_usage is missing'
plays <<-EOT
	end 1
	delete equitree_journal
	kill
	advance 300
EOT
is 'the journal is gone: what records have is charged' \
	"$usage" '2800 2000'
logged 'and that of a journal' 'equitree_journal is missing'
plays <<-EOT
	save
	end 1
	delete equitree_usage
	delete equitree_usage.old
	kill
	advance 300
EOT
is 'without both snapshots usage is that of slurmctld' \
	"$usage" '2400 2000'
logged 'that, too' 'equitree_usage is missing'
kept 'the journal is kept' equitree_journal.aside

# ---- Long journals ------------------------------------------------------------

# More lines than a piece of the writer's queue and the first table of the reader
# have room for; slurmctld has dropped its records of the jobs.
plays < <(
	echo 'end 1'
	for job in {10..909}; do
		echo "submit $job user=ada account=phys cpu=1 time=600"
		echo "start $job"
	done
	echo 'advance 100'
	printf 'end %d\n' {10..909}
	echo 'advance 5'
	printf 'purge %d\n' {10..909}
	printf '%s\n' kill 'advance 195'
)
is 'a journal of 900 ends is read to its last line after a kill, each line once' \
	"$usage" "$((2800 + 900 * 100)) 2000"
silent 'no line of a long journal is an error'
period=1
plays <<-EOT
	end 1
	advance 1
	purge 1
	block equitree_usage.new
	advance 299
	kill
	delete equitree_usage.new
EOT
is 'while snapshots cannot be written the journal keeps the lines since the last one' \
	"$usage" '2800 2000'
logged 'a snapshot that cannot be written is an error' 'usage'
unset period

# ---- A start that cannot read -------------------------------------------------

wrong=
for error in EIO EACCES ENFILE ENOMEM; do
	for n in 1 2 3 4; do
		for call in open read; do
			plays <<-EOT
				end 1
				fault $call $n $error times=5
				kill
				advance 300
			EOT
			[[ $usage == "2800 2000" ]] &&
				grep -q '^refused' "$work/out" &&
				grep -q 'error: .*cannot read /' "$work/log" ||
				wrong+="$call $n $error: $usage"$'\n'
		done
	done
done
none 'an existing file that cannot be read: slurmctld does not start, and nothing is lost' \
	"$wrong"

# ---- Faults at random ---------------------------------------------------------

faults=${FAULTS:-60} seed=${FAULTS_SEED:-$((RANDOM + 1))}
echo "# FAULTS=$faults FAULTS_SEED=$seed"

# A history of ends, passes, kills and restarts, with one fault, which is over four
# ends later. WITH 0: the same without it; 2: with kills while it lasts.
faulty() { # SEED WITH
	head_of 1 | sed 's/^submit 3.*//'
	awk -v seed="$1" -v with="$2" '
	function one_of(text,   n, words) {
		n = split(text, words, " ")
		return words[int(rand() * n) + 1]
	}
	BEGIN {
		srand(seed)
		for (i = 3; i <= 14; i++)
			printf "submit %d user=%s account=phys cpu=%d time=600\nstart %d\n", \
				i, rand() < 0.5 ? "ada" : "ben", 1 + int(rand() * 4), i
		at = int(rand() * 8)
		call = one_of("open read write write write sync rename link any")
		what = one_of("EIO EACCES ENFILE ENOMEM ENOSPC EROFS short")
		nth = 1 + int(rand() * 6)
		times = one_of("1 1 2 20 1000")
		for (i = 0; i < 12; i++) {
			if (i == at && with)
				printf "fault %s %d %s times=%d\n", call, nth, what, times
			if (i == at + 4 && with)
				print "fault none"
			print "end " i + 3
			print one_of("advance@7 advance@61 advance@61 advance@130 restart " \
				(with == 2 || i < at || i > at + 4 ? "kill" : "restart"))
			# What cannot be written is written when it can be.
			if (i == at + 4)
				print "advance 130"
		}
		print "end 1\nkill\nadvance 130\nkill\nend 2\nadvance 130"
	}' | tr @ ' '
	echo "print assocs"
}
usage_in() { # OUTPUT
	last_print "$1" | grep -oE '^assoc=[^ ]*|raw=[^ ]*' | tr '\n' ' '
}
died='' unequal='' silent='' met=0 lost=0
for ((i = 0; i < faults; i++)); do
	# Every third with kills while the fault lasts: these may lose something, but
	# never without a word.
	with=$((i % 3 ? 1 : 2))
	faulty $((seed + i)) 0 >"$work/calm"
	faulty $((seed + i)) $with >"$work/faulty"
	ours "$work/calm" >"$work/calm.out" 2>/dev/null ||
		died+="seed $((seed + i)) without a fault"$'\n'
	ours "$work/faulty" >"$work/out" 2>"$work/log" ||
		died+="seed $((seed + i)): $(tail -n 1 "$work/log")"$'\n'
	grep -qE '^(fault met [1-9]|refused)' "$work/out" && ((met++))
	[[ $(usage_in "$work/calm.out") != "$(usage_in "$work/out")" ]] || continue
	((lost++))
	what="seed $((seed + i)): $(usage_in "$work/calm.out") is $(usage_in "$work/out")"
	[[ $with == 2 ]] || unequal+=$what$'\n'
	grep -q 'error: ' "$work/log" || silent+=$what$'\n'
done
echo "# $met of $faults were met, $lost changed usage"
none "$faults faults at starts, passes and ends: slurmctld goes on" "$died"
none 'usage is what it is without them when they are over' "$unequal"
none 'a kill of slurmctld during faults loses nothing without an error' \
	"$silent"
[[ $met -ge $((faults / 2)) ]]
row 'most of them were met' $? "$met"

# ---- Two slurmctlds ---------------------------------------------------------------

# A backup controller takes over, and the other one is still writing: 20 days of
# passes, each against the other. They wait two seconds for each other, which is
# longer than a file takes, but either may wait in vain while the other never rests.
shared=$(mktemp -d)
trap 'rm -rf "$work" "$shared"' EXIT
{ head_of; echo 'advance 1728000'; echo 'print assocs'; } >"$work/two"
for i in 1 2; do
	ours -d "$shared" "$work/two" >"$work/two.$i" 2>"$work/two.$i.err" &
done
wait
missed=$(cat "$work"/two.?.err | grep -c 'not saved')
[[ $missed -le 12 ]]
row 'two slurmctlds that write the same files rarely take them from each other' $? \
	"$missed of 11520 passes were not saved"
ours -d "$shared" "$work/two" >"$work/two.3" 2>"$work/two.3.err"
none 'what two slurmctlds have written at once is not damaged' \
	"$(grep -h 'damaged' "$work/two.3.err")"

echo "1..$count"
