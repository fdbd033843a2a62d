#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Budgets in a stand-in slurmctld: the host ends a history in which more is spent and
# committed than a budget has, at any event.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

# shellcheck source=rows.sh
. "$here/rows.sh"

if [[ ! -x $host ]]; then
	echo "1..0 # SKIP $host is not built (no internal headers of Slurm)"
	exit 0
fi

# ---- Single histories ------------------------------------------------------------

# One core is one equivalent, so that amounts are core-seconds.
play() { # NAME, and the history behind "run" on stdin
	{
		printf '%s\n' 'conf PriorityDecayHalfLife=0' 'conf PriorityUsageResetPeriod=NONE' \
			'cluster cpu=64 node=4' 'partition main' 'account phys' 'account chem' \
			'user ada account=phys' 'user ben account=chem' run
		cat
		printf '%s\n' 'budget verify' print
	} >"$work/$1"
	ours "$work/$1" >"$work/$1.out" 2>&1
}
balance() { # NAME BUDGET KEY...
	local key text=
	for key in "${@:3}"; do
		text+="$(value "$work/$1.out" last "budget=$2" "$key") "
	done
	echo "${text% }"
}

play hold <<-'END'
	budget grant account=phys amount=1000
	submit 1 user=ada account=phys cpu=1 time=10
	submit 2 user=ada account=phys cpu=1 time=10
	submit 3 user=ada account=phys cpu=1 time=10
	maybe start 1
	maybe start 2
	hold 2
	end 1
	advance 200
END
is 'a job that an operator holds waits when its budget has room, another one is committed' \
	"$(value "$work/hold.out" last job=2 priority) $(balance hold 1 committed)" '0 600'
play release <<-'END'
	budget grant account=phys amount=1000
	submit 1 user=ada account=phys cpu=1 time=10
	submit 2 user=ada account=phys cpu=1 time=10
	hold 2
	end 1
	advance 20
	release 2
	advance 2
END
is 'a job is committed after an operator releases it' "$(balance release 1 committed)" 600

# A held job has priority 0 in its record: an operator's own one is in its description.
play own_priority <<-'END'
	budget grant account=phys amount=1000
	submit 1 user=ada account=phys cpu=1 time=10
	submit 2 user=ada account=phys cpu=1 time=10
	prio 2 5000
	kill
	advance 2
	kill
	end 1
	advance 5
END
is 'an operator'"'"'s priority of a job that a budget holds outlives kills' \
	"$(value "$work/own_priority.out" last job=2 priority) $(balance own_priority 1 committed)" '5000 600'
play own_released <<-'END'
	budget grant account=phys amount=1000
	submit 1 user=ada account=phys cpu=1 time=10
	submit 2 user=ada account=phys cpu=1 time=10
	prio 2 5000
	end 1
	advance 5
	hold 2
	kill
	release 2
	advance 5
END
is 'a job has no priority of its own after a kill, a hold and a release' \
	"$(value "$work/own_released.out" last job=2 priority)" 1
play own_requeued <<-'END'
	budget grant account=phys amount=1000
	submit 1 user=ada account=phys cpu=1 time=10
	prio 1 5000
	start 1
	advance 10
	requeue 1 epilog=20
	kill
	advance 60
END
is 'an operator'"'"'s priority of a requeued job outlives a kill before its last run is settled' \
	"$(value "$work/own_requeued.out" last job=1 priority) $(balance own_requeued 1 committed)" '5000 600'

play cut <<-'END'
	budget grant account=phys amount=1200
	submit 1 user=ada account=phys cpu=1 time=10
	schedule 10 cpu=64
	time 1 30
	schedule 1300 cpu=64
END
is 'a longer time limit is cut to what the budget pays for' \
	"$(balance cut 1 spent committed overrun)" '1200 0 0'

# Files that slurmctld may not open, from each one on that a start reads or writes.
bad= refused=0
for n in {1..14}; do
	play denied <<-END
		budget grant account=phys amount=1000
		submit 1 user=ada account=phys cpu=1 time=10 run=300
		submit 2 user=ada account=phys cpu=1 time=5
		schedule 310 cpu=1
		fault open $n EACCES times=50
		kill
		advance 5
	END
	[[ $(balance denied 1 spent committed) == "300 300" ]] || bad+="$n: $(balance denied 1 spent committed)"$'\n'
	! grep -q 'error: .*cannot read .*equitree_budgets: Permission denied.*does not start' "$work/denied.out" || ((++refused))
done
none 'files that may not be opened: balances are those of before' "$bad"
is 'a file of budgets that may not be opened stops the start' "$((refused > 0))" 1

play transfer <<-'END'
	budget grant account=phys amount=1000
	budget grant account=chem amount=1000
	budget transfer from=1 to=2 amount=400
	budget transfer from=1 to=2 amount=700
	submit 1 user=ada account=phys cpu=1 time=10
	submit 2 user=ben account=chem cpu=2 time=11
	advance 2
END
is 'what a transfer took can be committed there, and what it left here' \
	"$(balance transfer 1 amount committed) $(balance transfer 2 amount committed)" \
	'600 600 1400 1320'

play refund <<-'END'
	budget grant account=phys amount=1000
	submit 1 user=ada account=phys cpu=1 time=10 run=300
	schedule 310 cpu=64
	budget refund job=1 amount=100
	budget refund job=1
	budget refund job=1
END
is 'a charge is refunded once, in parts as well' \
	"$(balance refund 1 spent refunded) $(grep -c 'refund: error' "$work/refund.out")" '0 300 1'

play forgotten <<-'END'
	budget grant account=phys amount=1000
	submit 1 user=ada account=phys cpu=1 time=10
	start 1
	advance 100
	end 1
	advance 20
	unsaved 1
	kill
	advance 30
	end 1
	advance 5
END
is 'a job whose end slurmctld forgot is charged on, and no second twice' \
	"$(balance forgotten 1 spent committed) $(value "$work/forgotten.out" last assoc=phys/ada raw)" \
	'150 0 150'

play used <<-'END'
	budget grant account=phys amount=1200
	submit 1 user=ada account=phys cpu=1 time=10
	start 1
	advance 700
	resize 1 cpu=2
	advance 50
	end 1
	advance 5
END
is 'a job that has used up its commitment, and goes on, is charged to what is left' \
	"$(balance used 1 spent committed overrun) $(value "$work/used.out" last assoc=phys/ada raw)" \
	'800 0 0 800'

# A kill between two files: one has the end of job 1, the other has not.
for file in equitree_budgets equitree_journal; do
	play "saved-$file" <<-END
		budget grant account=phys amount=1000
		submit 1 user=ada account=phys cpu=1 time=10
		start 1
		advance 100
		keep $file
		end 1
		lose $file
		kill
		advance 20
	END
	is "an end that slurmctld has saved is charged once if a kill loses it in $file" \
		"$(balance "saved-$file" 1 spent committed overrun) $(value "$work/saved-$file.out" last assoc=phys/ada raw)" \
		'100 0 0 100'
	play "unsaved-$file" <<-END
		budget grant account=phys amount=1000
		submit 1 user=ada account=phys cpu=1 time=10
		start 1
		advance 40
		resize 1 cpu=2
		advance 30
		keep $file
		end 1
		lose $file
		unsaved 1
		kill
		advance 20
		end 1
		advance 5
	END
	is "an end that slurmctld forgot is charged once if a kill loses it in $file" \
		"$(balance "unsaved-$file" 1 spent committed overrun) $(value "$work/unsaved-$file.out" last assoc=phys/ada raw)" \
		'140 0 0 140'
done
play emptied <<-'END'
	budget grant account=phys amount=120
	budget grant account=phys user=ada amount=1000
	submit 1 user=ada account=phys cpu=1 time=2
	start 1
	advance 100
	end 1
	unsaved 1
	kill
	advance 70
	end 1
	advance 5
END
is 'what a forgotten end charges beyond a budget is its overrun, and its user has enough' \
	"$(balance emptied 1 spent overrun) $(balance emptied 2 spent overrun) $(value "$work/emptied.out" last assoc=phys/ada raw)" \
	'120 50 170 0 170'
play late <<-'END'
	submit 1 user=ada account=phys cpu=1 time=10
	start 1
	advance 130
	budget grant account=phys amount=500
	advance 100
	kill
	advance 50
	end 1
	advance 5
END
is 'a budget pays for a running job from its grant on' \
	"$(balance late 1 spent committed overrun) $(value "$work/late.out" last assoc=phys/ada raw)" \
	'150 0 0 280'

# A start finds no file of runs: nobody knows what passes charged before, but it is owed.
play lost_runs <<-'END'
	budget grant account=phys amount=100000
	submit 1 user=ada account=phys cpu=2 time=60
	start 1
	advance 400
	delete equitree_runs
	delete equitree_runs.old
	kill
	advance 100
	end 1
	advance 5
END
is 'a budget is charged for the time of a running job before a start without the file of runs' \
	"$(balance lost_runs 1 spent) $(value "$work/lost_runs.out" last assoc=phys/ada raw)" \
	'1000 1000'

# A node misses a job after slurmctld forgot its end: what came after that end is charged, or
# excused, alike. A suspension is not charged by either, before and after a kill.
for refund in node_fail none; do
	{
		printf '%s\n' 'conf PriorityDecayHalfLife=0' 'conf PriorityUsageResetPeriod=NONE' \
			'conf PriorityCalcPeriod=20' 'price bundle "cores" { cores = 1 }' 'price charge_suspended = no' \
			"price priority { refund = $refund }" "price budget { refund = $refund }" \
			'cluster cpu=64 node=4' 'partition main' 'account phys' 'user ada account=phys' run
		cat <<-'END'
			budget grant account=phys amount=10000
			submit 1 user=ada account=phys cpu=2 time=10
			submit 2 user=ada account=phys cpu=1 time=20
			start 1
			start 2
			advance 50
			suspend 2
			advance 50
			resume 2
			advance 7
			end 1
			advance 10
			unsaved 1
			kill
			advance 30
			miss 1
			advance 5
			end 2
			advance 5
			print assocs budgets
		END
	} >"$work/missed-$refund"
	ours "$work/missed-$refund" >"$work/missed-$refund.out" 2>&1
	# Job 2 runs for 102 s, job 1 for 107 s and, in vain, for 40 s.
	is "a node misses a job after a kill, refund = $refund: budget and fair share agree" \
		"$(printf '%.6g %.6g' "$(balance "missed-$refund" 1 spent)" \
			"$(value "$work/missed-$refund.out" last assoc=phys/ada raw)")" \
		"$([[ $refund == none ]] && echo '396 396' || echo '316 316')"
done

# slurmctld forgets a failure of a node, which a pass has saved; then the price changes.
{
	printf '%s\n' 'conf PriorityDecayHalfLife=0' 'conf PriorityUsageResetPeriod=NONE' \
		'price bundle "cores" { cores = 1 }' 'price priority { refund = node_fail }' \
		'cluster cpu=64 node=4' 'partition main' 'account phys' 'user ada account=phys' run
	cat <<-'END'
		budget grant account=phys amount=100000
		submit 1 user=ada account=phys cpu=1 time=60
		submit 2 user=ada account=phys cpu=4 time=60
		start 1
		start 2
		advance 290
		fail 1
		advance 15
		unsaved 1
		kill
		advance 700
		price partition "main" { factor = 5 }
		reconfigure
		advance 10
		fail 1
		end 2
		advance 5
		print assocs budgets
	END
} >"$work/refunded"
ours "$work/refunded" >"$work/refunded.out" 2>&1
# Job 2 costs 4 for 905 s, and 20 for 110 s.
is 'a failure that slurmctld forgot, and another one: what came in between is taken back once' \
	"$(printf '%.6g %.6g' "$(balance refunded 1 spent)" \
		"$(value "$work/refunded.out" last assoc=phys/ada raw)")" '5820 5820'

# Its line would say up to when the job is charged, if a kill brings back an earlier run. The
# journal has the end of that, and that its nodes are free.
printf '%s\n' 'cluster cpu=64 node=4' 'partition main' 'account phys' 'user ada account=phys' \
	run 'submit 1 user=ada account=phys cpu=1' 'start 1' 'advance 10' 'requeue 1' \
	'advance 10' 'end 1' 'advance 300' >"$work/cancelled"
ours -d "$work/site" "$work/cancelled" >"$work/cancelled.out" 2>&1
is 'a job that was requeued, and is cancelled while it waits, has no second end in the journal' \
	"$(cat "$work/site/state"/equitree_journal* | grep -Ec '^[0-9]+ 1 ')" 2

# ---- Clock steps and kills -------------------------------------------------------

# Lines "record=ACCOUNT/USER amount=AMOUNT" of a record of charges.
record_sums() { # FOLDER
	zcat -qf "$1"/charges.[0-9]* | grep '^c ' | sort -u |
		while read -r -a field; do
			printf 'record=%s/%s amount=%.17g %.17g %d %d\n' "${field[24]}" "${field[25]}" \
				"${field[12]}" "${field[13]}" "${field[14]}" $((field[10] - field[11]))
		done | awk '{ split($2, rate, "="); printf "%s amount=%.17g\n", $1, rate[2] * $3 / $4 * $5 }'
}

# What the budget of ada, her usage and the record of her charges have.
sums() { # NAME [LINE...], lines of the beginning, and the history behind the grant on stdin
	{
		printf '%s\n' 'conf PriorityDecayHalfLife=0' 'conf PriorityUsageResetPeriod=NONE' \
			'price bundle "cores" { cores = 1 }' 'price priority { refund = node_fail }' \
			"${@:2}" 'cluster cpu=64 node=4' 'partition main' 'account phys' \
			'user ada account=phys' run 'budget grant account=phys amount=100000'
		cat
		printf '%s\n' 'advance 5' 'print assocs budgets'
	} >"$work/$1"
	mkdir -p "$work/$1.d"
	ours -d "$work/$1.d" "$work/$1" >"$work/$1.out" 2>&1
	record_sums "$work/$1.d/state/equitree_charges" >>"$work/$1.out"
	printf '%.6g %.6g %.6g\n' "$(balance "$1" 1 spent)" \
		"$(value "$work/$1.out" last assoc=phys/ada raw)" \
		"$(awk '/^record=/ { sub("amount=", "", $2); sum += $2 } END { print sum + 0 }' "$work/$1.out")"
}
for step in 3600 -3600; do
	is "a clock step of $step s and a kill before any pass has seen the job cost nothing" \
		"$(sums "early$step" <<-END
			submit 1 user=ada account=phys cpu=2 time=200
			start 1
			advance 33
			clock $step
			kill
			advance 60
			end 1
		END
		)" '186 186 186'
	is "a node fails after a clock step of $step s: all of the run is taken back" \
		"$(sums "fails$step" <<-END
			submit 1 user=ada account=phys cpu=2 time=200
			start 1
			advance 27
			clock $step
			advance 13
			fail 1
		END
		)" '0 0 0'
	is "a node fails after two clock steps of $((step / 90)) s and a kill: all of the run is taken back" \
		"$(sums "twice$step" <<-END
			submit 1 user=ada account=phys cpu=2 time=200
			start 1
			advance 3
			clock $((step / 90))
			advance 34
			clock $((step / 90))
			advance 17
			kill
			advance 3
			fail 1
		END
		)" '0 0 0'
	is "a resized job, a clock step of $step s, a kill and a failure: what its new size cost is taken back" \
		"$(sums "resized$step" <<-END
			submit 1 user=ada account=phys cpu=3 time=200
			start 1
			advance 72
			resize 1 cpu=2
			clock $step
			advance 8
			kill
			fail 1
		END
		)" '216 216 216'
	is "a requeued job, two clock steps of $step s and a kill: each second is charged once" \
		"$(sums "requeued$step" <<-END
			clock 7200
			advance 6
			submit 1 user=ada account=phys cpu=2 time=200
			start 1
			advance 50
			requeue 1
			clock $step
			advance 0
			prio 1 1
			start 1
			advance 27
			clock $step
			advance 8
			kill
			advance 20
			end 1
		END
		)" '210 210 210'
done
is 'a job ends in the second of a pass, and then come a clock step and a kill, without limits: it ends once' \
	"$(sums second 'conf AccountingStorageEnforce=associations' 'conf PriorityCalcPeriod=300' <<-END
		submit 1 user=ada account=phys cpu=2 time=200
		start 1
		advance 84
		clock 3600
		kill
		end 1
		clock -3600
		kill
		advance 60
	END
	)" '168 168 168'
# The file of budgets is missing for a time, in which a run ends: a later start settles it.
holds='price budget { when_damaged = hold }'
without='state mv equitree_budgets kept
kill'
with='state mv kept equitree_budgets
kill'
is 'without the file of budgets a job is resized, and its node fails: budgets and usage have its earlier size' \
	"$(sums unread_resize "$holds" <<-END
		submit 1 user=ada account=phys cpu=2 time=200
		start 1
		advance 5
		$without
		advance 20
		resize 1 cpu=3
		advance 10
		fail 1
		advance 5
		$with
	END
	)" '50 50 50'
is 'without the file of budgets a job is resized, and its node fails in that second: budgets and usage have its earlier size' \
	"$(sums unread_second "$holds" <<-END
		submit 1 user=ada account=phys cpu=2 time=200
		start 1
		advance 5
		$without
		advance 20
		resize 1 cpu=3
		fail 1
		advance 5
		$with
	END
	)" '50 50 50'
is 'the file of budgets is missing twice, and each time a run of the same job ends: both are settled' \
	"$(sums unread_twice "$holds" <<-END
		submit 1 user=ada account=phys cpu=2 time=200
		start 1
		advance 5
		$without
		advance 20
		requeue 1
		advance 5
		$with
		advance 5
		prio 1 1
		start 1
		advance 10
		$without
		advance 10
		end 1
		advance 5
		purge 1
		kill
		advance 5
		$with
	END
	)" '90 90 90'
is 'a kill loses what a start settled of a run that ended without the file of budgets: a later one settles it' \
	"$(sums unread_lost "$holds" <<-END
		submit 1 user=ada account=phys cpu=2 time=200
		start 1
		advance 5
		$without
		advance 20
		end 1
		advance 5
		$with
		advance 1
		$without
		advance 5
		purge 1
		advance 1500
		$with
	END
	)" '50 50 50'
own=$(sums unread_own "$holds" <<-END
	submit 1 user=ada account=phys cpu=2 time=200 prio=5000
	submit 2 user=ada account=phys cpu=1 time=200
	start 2
	advance 10
	end 2
	$without
	advance 5
	kill
	advance 5
	$with
	advance 5
	print jobs
END
)
is 'an operator'"'"'s priority of a waiting job is there after starts without the file of budgets' \
	"$(grep -o '^job=1 state=PENDING priority=[0-9]*' "$work/unread_own.out") $own" \
	'job=1 state=PENDING priority=5000 10 10 10'
# A kill came between the file of runs and the snapshot of a pass, and lost the line of a requeue.
is 'a kill loses the snapshot of a pass, then a requeue: usage, record and budgets agree' \
	"$(sums between <<-END
		advance 60
		submit 1 user=ada account=phys cpu=2 time=200
		start 1
		advance 250
		keep equitree_usage
		keep priority_last_decay_ran
		advance 300
		keep equitree_journal
		keep equitree_budgets
		requeue 1
		lose equitree_journal
		lose equitree_budgets
		lose equitree_usage
		lose priority_last_decay_ran
		kill
		advance 70
	END
	)" '480 480 480'
# Job 1 is purged meanwhile, job 2 is resized, job 3 has ended in vain.
is 'what ends while budgets are held is settled when their file is back, once' \
	"$(sums held 'price budget { when_damaged = hold refund = node_fail }' <<-END
		submit 1 user=ada account=phys cpu=2 time=60
		submit 2 user=ada account=phys cpu=4 time=60
		submit 3 user=ada account=phys cpu=1 time=60
		start 1
		start 2
		start 3
		advance 100
		state mv equitree_budgets kept
		kill
		advance 20
		end 1
		resize 2 cpu=2
		fail 3
		advance 700
		purge 1
		state mv kept equitree_budgets
		kill
		advance 70
		end 2
		kill
		advance 70
		kill
	END
	)" '2260 2260 2260'
for enforce in associations associations,limits; do
	is "a job that is requeued while budgets are held waits, and its first run is settled once ($enforce)" \
		"$(sums again "conf AccountingStorageEnforce=$enforce" 'price budget { when_damaged = hold }' <<-'END'
			submit 1 user=ada account=phys cpu=2 time=60
			start 1
			advance 100
			state mv equitree_budgets kept
			kill
			advance 20
			requeue 1
			schedule 200 cpu=64
			state mv kept equitree_budgets
			kill
			schedule 200 cpu=64
			maybe end 1
			advance 70
			kill
			advance 70
		END
		)" '640 640 640'
	rm -r "$work/again.d"
done
# The clock begins at midnight: the day before is compressed, and comes back.
is 'a clock that is set back to a day that is over loses no line of the record' \
	"$(sums midnight <<-END
		clock -3600
		submit 1 user=ada account=phys cpu=2 time=200
		start 1
		advance 100
		end 1
		advance 5
		clock 3600
		submit 2 user=ada account=phys cpu=2 time=200
		start 2
		advance 100
		end 2
		clock -3600
		submit 3 user=ada account=phys cpu=2 time=200
		start 3
		advance 100
		end 3
		advance 5
		clock 3600
		advance 5
	END
	)" '600 600 600'

# The wall clock is set back and passes the end once more, between the last pass and a kill. The
# journal has that end, or has it no more.
for past in '300 -600 303' '3000 -3600 602'; do
	read -r after step until <<<"$past"
	is "a job that ended before the clock was set back by ${step#-} s is not charged again after a kill" \
		"$(sums "past$step" 'conf PriorityCalcPeriod=17' <<-END
			submit 1 user=ada account=phys cpu=2 time=200
			start 1
			advance 100
			end 1
			advance $after
			clock $step
			advance $until
			kill
			advance 20
		END
		)" '200 200 200'
done
is 'a job that no pass has seen before two clock steps and a kill costs the same in budget, usage and record' \
	"$(sums unseen 'conf PriorityCalcPeriod=300' <<-END
		clock -40
		advance 1
		kill
		advance 39
		submit 1 user=ada account=phys cpu=2 time=200
		start 1
		advance 1
		clock 40
		kill
		advance 100
		end 1
	END
	)" '280 280 280'

for record in yes no; do
	is "a forgotten end, and then a node failure: budget and usage keep the same (record = $record)" \
		"$(sums "forgets-$record" "price charges { record = $record }" <<-END | cut -d' ' -f1-2
			submit 1 user=ada account=phys cpu=2 time=200
			start 1
			advance 20
			end 1
			advance 1
			unsaved 1
			kill
			advance 20
			fail 1
		END
		)" '40 40'
done

# ---- Jobs that are requeued -------------------------------------------------------

# The states of job 1, in the prints of a history behind its requeue.
requeued() { # NAME [LINE...], lines of the beginning, and the history on stdin
	{
		printf '%s\n' 'conf PriorityDecayHalfLife=0' 'conf PriorityUsageResetPeriod=NONE' "${@:2}" \
			'cluster cpu=64 node=4' 'partition main' 'account phys' 'user ada account=phys' run \
			'budget grant account=phys amount=10000' \
			'submit 1 user=ada account=phys cpu=1 time=10 run=300' 'schedule 30 cpu=64' 'requeue 1'
		cat
		echo 'budget verify'
	} >"$work/$1"
	ours "$work/$1" >"$work/$1.out" 2>&1
	sed -n 's/^job=1 state=\([A-Z]*\).*/\1/p; s/^budget verify: ok \([a-z]*\):.*/\1/p' "$work/$1.out" | xargs
}
for enforce in associations associations,limits; do
	is "a job that is requeued when slurmctld is killed runs again ($enforce)" \
		"$(requeued again "conf AccountingStorageEnforce=$enforce" <<-'END'
			kill
			schedule 300 cpu=64
			print jobs
		END
		)" 'RUNNING balanced'
	for wait in 0 1; do
		is "a hold after a requeue stays, through a kill, until the release ($enforce, $wait s)" \
			"$(requeued held "conf AccountingStorageEnforce=$enforce" <<-END
				advance $wait
				hold 1
				advance 60
				kill
				schedule 300 cpu=64
				print jobs
				release 1
				schedule 300 cpu=64
				print jobs
			END
			)" 'PENDING RUNNING balanced'
	done
done

# ---- Limits of many accounts ------------------------------------------------------

# Accounts with a limit each, in billing-minutes, become budgets.
limits() { # NAME ACCOUNTS, and the history behind "run" on stdin
	local i
	{
		printf '%s\n' 'conf PriorityDecayHalfLife=0' 'conf PriorityUsageResetPeriod=NONE' \
			'price bundle cores { cores = 1 }' 'price budget { from_limits = yes }' \
			'cluster cpu=64 node=4' 'partition main'
		for ((i = 1; i <= $2; i++)); do
			echo "account a$i limit=10"
			echo "user u$i account=a$i"
		done
		echo run
		cat
		printf '%s\n' 'budget verify' 'print budgets'
	} >"$work/$1"
	ours "$work/$1" >"$work/$1.out" 2>&1
}
all_limits() { seq -f "modify account a%.0f limit=$3" "$1" "$2"; } # FIRST LAST MINUTES
# "COUNT AMOUNT CLOSED" of the budgets in the last print, by amount.
amounts() { # NAME
	last_print "$work/$1.out" | sed -nE 's/^budget=.* amount=([0-9.]+) .* closed=(.*)/\1 \2/p' |
		sort -n | uniq -c | awk '{ printf "%s%s %s %s", sep, $1, $2, $3; sep = "; " }'
}

limits limits_set 900 <<<'advance 3'
is '900 limits are budgets after three seconds' "$(amounts limits_set)" '900 600 0'
limits limits_raised 900 < <(
	echo 'advance 3'
	all_limits 1 900 20
	echo 'advance 3'
)
is '900 limits that a portal raises at once are raised after three seconds' \
	"$(amounts limits_raised)" '900 1200 0'
limits limits_mixed 900 < <(
	printf '%s\n' 'advance 3' 'submit 1 user=u1 account=a1 cpu=1 time=8' 'maybe start 1'
	all_limits 1 300 5
	all_limits 301 600 -1
	all_limits 601 900 15
	printf '%s\n' kill 'advance 4'
)
is 'limits are lowered, removed and raised at once, and a kill comes between' \
	"$(amounts limits_mixed)" '300 0 1; 299 300 0; 1 480 0; 300 900 0'
limits limits_busy 150 < <(
	printf '%s\n' busy 'advance 3'
	all_limits 1 150 5
	echo 'advance 3'
)
is 'limits become budgets, however often a look gives its locks back' "$(amounts limits_busy)" '150 300 0'

# ---- Random histories -----------------------------------------------------------

# What is wrong in the output of histories. Usage does not decay, so that of an owner of a
# budget is what the budget has spent, and its overrun: of a job that is suspended, or whose
# end was forgotten, for longer than its commitment pays.
wrong='function wrong(text) {
	print "seed " seed ": " text
}
function far(a, b) {
	return a - b > 0.05 || b - a > 0.05
}
function judge(  owner, over) {
	if (seed == "")
		return
	if (prints < 2)
		wrong("no end: " last)
	for (owner in spent)
		over += overrun[owner]
	if (over > 0 && !exceeds[seed])
		wrong("overrun of " over)
	for (owner in spent) {
		if (far(spent[owner] + overrun[owner], raw[owner]))
			wrong(owner " has spent " spent[owner] " and exceeds by " \
				overrun[owner] ", and its usage is " raw[owner])
		if (committed[owner] != 0)
			wrong(owner " has committed " committed[owner])
	}
	for (owner in record) {
		if (far(record[owner], raw[owner]))
			wrong("the record of " owner " has " record[owner] ", and its usage is " raw[owner])
	}
	if (before != after)
		wrong("a kill changes balances:\n" before "to\n" after)
}
function words(  i, part) {
	split("", word)
	for (i = 1; i <= NF; i++) {
		split($i, part, "=")
		word[part[1]] = part[2]
	}
}
FNR == NR && /^### / { seed = $2; next }
FNR == NR && /charge_suspended = yes|unsaved|^kill|^power/ { exceeds[seed] = 1 }
FNR == NR { next }
FNR == 1 { seed = "" }
/^### / {
	judge()
	seed = $2
	prints = 0
	before = after = ""
	split("", spent)
	split("", raw)
	split("", overrun)
	split("", committed)
	split("", amount)
	split("", record)
	power = 0
	next
}
/^power$/ { power = 1 }
{ last = $0 }
/^budget verify:/ && !/ok balanced/ { wrong($0) }
$1 == "==" && power { power = (power + 1) % 3 }
$1 == "==" { before = after; after = ""; prints++ }
/^budget=/ {
	words()
	after = after $0 "\n"
	if (power && word["budget"] in amount && amount[word["budget"]] != word["amount"])
		wrong("a power cut changes the amount of budget " word["budget"])
	amount[word["budget"]] = word["amount"]
	spent[word["owner"]] = word["spent"]
	overrun[word["owner"]] = word["overrun"]
	committed[word["owner"]] = word["committed"]
}
/^record=/ { words(); record[word["record"]] += word["amount"] }
/^assoc=/ { words(); raw[word["assoc"]] = word["raw"] }
END { judge() }'

random() { # NAME SEED COUNT
	"$here/budget-history" "$2" "$3" >"$work/random"
	ours -m "$work/random" >"$work/random.out" 2>"$work/random.err"
	cat "$work/random.err" >>"$work/random.out"
	none "$1" "$(awk "$wrong" "$work/random" "$work/random.out")"
	none "$1: none is refused" "$(cat "$work/random.err")"
}

# The power fails: each file has what was synced of it, and some of the rest. Or the clock is set, or
# the file of budgets is missing for a time.
power() { # NAME SEED COUNT power|ends|clock|held
	local seed
	"$here/budget-history" "${@:2}" >"$work/power"
	for ((seed = $2; seed < $2 + $3; seed++)); do
		rm -rf "$work/disk"
		mkdir "$work/disk"
		echo "### $seed"
		"$here/budget-history" "$seed" 1 "$4" | sed 1d >"$work/one"
		ours -d "$work/disk" "$work/one" 2>"$work/one.err"
		cat "$work/one.err" >>"$work/power.err"
		record_sums "$work/disk/state/equitree_charges"
	done >"$work/power.out"
	none "$1" "$(awk "$wrong" "$work/power" "$work/power.out")"
	is "$1: each one starts" "$(grep -c '^power$' "$work/power.out")" "$(grep -c '^power$' "$work/power")"
	none "$1: nothing that was synced is lost" \
		"$(grep -vE ': equitree_budgets(: its end was cut| is missing: .* as when_damaged = hold says)' "$work/power.err")"
}

power 'power cuts: usage, budgets and the record of charges agree, and no grant is lost' \
	"${POWER_SEED:-1}" "${POWER_COUNT:-30}" power
power 'power cuts while jobs end: usage, budgets and the record of charges agree, and no grant is lost' \
	"${POWER_SEED:-1}" "${POWER_COUNT:-60}" ends
power 'clock steps and kills: usage, budgets and the record of charges agree' \
	"${CLOCK_SEED:-1}" "${CLOCK_COUNT:-20}" clock
power 'the file of budgets is missing for a time: usage, budgets and the record of charges agree' \
	"${HELD_SEED:-1}" "${HELD_COUNT:-20}" held
random 'random histories: spent is usage, no commitment is left, a kill changes nothing' \
	"${BUDGET_SEED:-1}" "${BUDGET_COUNT:-40}"

echo "1..$count"
