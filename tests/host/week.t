#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Prices by the time of the week in a stand-in slurmctld: a week of jobs that are suspended,
# resized, requeued and fail, with kills, in zones that set their clocks in that week. What
# each user owes is computed a second time by week-history, minute by minute.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

# shellcheck source=rows.sh
. "$here/rows.sh"

if [[ ! -x $host ]]; then
	echo "1..0 # SKIP $host is not built (no internal headers of Slurm)"
	exit 0
fi

first=${WEEK_SEED:-1}
: >"$work/wrong"
for ((seed = first; seed < first + ${WEEK_COUNT:-8}; seed++)); do
	rm -rf "$work/state"
	mkdir "$work/state"
	"$here/week-history" "$seed" >"$work/history"
	HOST_TZ=$(sed -n '1s/^# //p' "$work/history") \
		ours -d "$work/state" "$work/history" >"$work/out" 2>"$work/err"
	cat "$work/err" >>"$work/wrong"
	"$here/week-history" "$seed" "$work/state" <"$work/out" | sed "s/^/seed $seed: /" >>"$work/wrong"
done
none 'a week of prices by the hour: usage, budgets and record are charged to the second' \
	"$(cat "$work/wrong")"

# play NAME ENFORCE RESULT, and the history behind "run" on stdin: what ada has used
play() {
	{
		printf '%s\n' 'conf PriorityDecayHalfLife=0' 'conf PriorityUsageResetPeriod=NONE' \
			"conf AccountingStorageEnforce=$2" 'price bundle "cores" { cores = 1 }' \
			'price week_factor = 0.5 Wed 00:01-00:02, 3 Wed 00:04-00:05, 0 Wed 00:10-00:20' \
			'price priority { refund = node_fail }' 'cluster cpu=64 node=4' 'partition main' \
			'account phys' 'user ada account=phys' run
		cat
		printf '%s\n' 'advance 500' print
	} >"$work/play"
	ours "$work/play" >"$work/play.out" 2>&1
	is "$1, with AccountingStorageEnforce=$2" "$(value "$work/play.out" last assoc=phys/ada raw)" "$3"
}
for enforce in limits associations; do
	# 60 s, and 40 at half the price, of two cores.
	play 'a run across a border costs what its hours do' "$enforce" 160 <<-END
		submit 1 user=ada account=phys cpu=2 time=20
		start 1
		advance 100
		end 1
	END
done
play 'a node fails in free hours, after a kill in them: the hours before are taken back' limits 0 <<-END
	submit 1 user=ada account=phys cpu=1 time=20
	start 1
	advance 950
	kill
	advance 50
	fail 1
END
# 60 s, and 40 at half the price: a look finds it after two seconds of its epilog.
play 'an end that nobody reports is charged across a border' associations 80 <<-END
	submit 1 user=ada account=phys cpu=1 time=20
	start 1
	advance 98
	requeue 1 epilog=5
END

echo "1..$count"
