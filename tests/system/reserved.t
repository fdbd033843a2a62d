#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Reservations that are charged: what is reserved and what its jobs pay are together the price
# of the reservation, in usage, budgets and the record of charges, also when slurmctld is killed
# between a job's end and a pass, when the reservation is deleted before its end, and when it
# ends while no slurmctld runs.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"
equitree=$build/tools/equitree

made=$work/site
cp -r "$system_dir/../../sandbox/sites/cedar" "$made"
cat >"$made/equitree.conf" <<'END'
bundle "cores" { cores = 1 }
bundle "gpu" { cores = 1 }
billing_scale = 1000
reservation "course*" { account = chemistry }
reservation "approved" { account = chemistry  factor = 1.5 }
reservation "own-*" { }
END
cluster_up --site "$made" --set PriorityDecayHalfLife=0 --set PriorityUsageResetPeriod=YEARLY \
	--set AccountingStorageEnforce=associations,limits --set PriorityParameters=period=5
in_cluster "$equitree" budget grant physics 100 >/dev/null
in_cluster "$equitree" budget grant chemistry 100 >/dev/null

reserve() { # NAME SECONDS NODES [OPTIONS...]
	in_cluster scontrol create reservation "ReservationName=$1" StartTime=now \
		"EndTime=$(in_cluster date -d "+$2 seconds" +%FT%T)" "Nodes=$3" Users=ada "${@:4}" >/dev/null ||
		bail "reservation $1 is made"
}
field() { # NAME FIELD: epoch seconds
	in_cluster date -d "$(in_cluster scontrol show reservation "$1" |
		sed -nE "s/.*$2=([^ ]*).*/\\1/p")" +%s
}
# All in equivalent-seconds.
used() { exact_usage "$1" "$2" | awk '{ printf "%.3f\n", $1 }'; }
spent() { # ACCOUNT
	in_cluster "$equitree" budget list --csv | awk -F, -v account="$1" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$(at["account"]) == account { printf "%.3f\n", $(at["spent"]) * 3600 }'
}
recorded() { # NAME: the lines of a reservation
	record_lines | awk -v name="reservation:$1" '$27 == name { print $11 - $12, $13, $14, $15 }' |
		while read -r seconds rate factor unit; do
			printf '%d %.17g %.17g %d\n' "$seconds" "$rate" "$factor" "$unit"
		done | awk '{ sum += $1 * $2 * $3 / $4 } END { printf "%.3f\n", sum }'
}
gone() { ! in_cluster scontrol show reservation "$1" >/dev/null 2>&1; }
is_running() { job_is "$1" RUNNING; }

# ---- To its end, with jobs, and a kill ----------------------------------------

reserve course1 60 cpu1
start=$(field course1 StartTime) end=$(field course1 EndTime)
first=$(submit ada 9 --reservation=course1 -n2)
second=$(submit ada 300 --reservation=course1 -n3)
wait_until jobs_ended "$first" || bail "the first job ends" "$(in_cluster squeue)"
wait_pass
third=$(submit ada 300 --reservation=course1 -n4)
wait_until is_running "$third" || bail "the third job runs" "$(in_cluster squeue)"
wait_pass
in_cluster scancel "$third"
wait_until jobs_ended "$third" || bail "the third job ends"
jobs_saved "$second" || bail "slurmctld has saved its jobs"
daemon kill slurmctld
daemon start slurmctld
wait_pass
in_cluster scancel "$second"
wait_until jobs_ended "$second" || bail "the second job ends"
wait_until gone course1 || bail "the reservation ends"
wait_pass
jobs=$(value "2 * $(elapsed "$first") + 3 * $(elapsed "$second") + 4 * $(elapsed "$third")")
rest=$(awk -v all="$((32 * (end - start)))" -v jobs="$jobs" 'BEGIN { printf "%.3f", all - jobs }')
diag "$((end - start)) s of 32 cores; jobs $jobs"
is "$(used physics ada)" "$(printf '%.3f' "$jobs")" "the jobs of a reservation pay what they hold"
is "$(used chemistry '')" "$rest" "the account of a reservation pays the rest"
is "$(spent physics)" "$(printf '%.3f' "$jobs")" "the budget of the jobs has their charge"
is "$(spent chemistry)" "$rest" "the budget of the account has the rest"
is "$(recorded course1)" "$rest" "the record of charges has the rest"

# ---- A factor; deleted early ---------------------------------------------------

reserve approved 3600 cpu2
start=$(field approved StartTime)
wait_pass
wait_pass
low=$(($(date +%s) - start))
in_cluster scontrol delete ReservationName=approved
high=$(($(date +%s) - start))
wait_pass
charged=$(recorded approved)
seconds=$(awk -v charge="$charged" 'BEGIN { print charge / 48 }')
ok "a reservation that is deleted is charged until then, at its factor" \
	test "$seconds" -ge "$low" -a "$seconds" -le "$high"
diag "$charged: $seconds s of 48, $low to $high"
is "$(used chemistry '')" "$(awk -v a="$rest" -v b="$charged" 'BEGIN { printf "%.3f", a + b }')" \
	"usage has the charge up to the deletion"

# ---- Its end while no slurmctld runs -------------------------------------------

reserve course2 25 cpu2
start=$(field course2 StartTime) end=$(field course2 EndTime)
before=$(used chemistry '')
last=$(submit ada 300 --reservation=course2 -n4)
wait_until is_running "$last" || bail "the job of the second reservation runs" "$(in_cluster squeue)"
jobs_saved "$last" || bail "slurmctld has saved its jobs"
wait_pass
daemon kill slurmctld
has_passed() { (($(date +%s) > $1 + 2)); }
wait_until has_passed "$end" || bail "the reservation is over"
daemon start slurmctld
wait_until gone course2 || bail "slurmctld forgets the reservation"
wait_until jobs_ended "$last" || in_cluster scancel "$last"
wait_until jobs_ended "$last" || bail "the job of the second reservation ends"
wait_pass
inside=$((end - $(date -d "$(in_cluster sacct -nXPj "$last" -o start)" +%s)))
is "$(recorded course2)" "$(awk -v all="$((32 * (end - start)))" -v jobs="$((4 * inside))" 'BEGIN { printf "%.3f", all - jobs }')" \
	"one that ends while no slurmctld runs is charged to its end, and its job's time until then is not"
is "$(used chemistry '')" "$(awk -v a="$before" -v b="$(recorded course2)" 'BEGIN { printf "%.3f", a + b }')" \
	"usage has that charge"

# ---- Whose it is ----------------------------------------------------------------

before=$(spent physics)
reserve own-a 20 cpu2 Accounts=physics
whole=$(awk -v from="$(field own-a StartTime)" -v to="$(field own-a EndTime)" 'BEGIN { printf "%.3f", 32 * (to - from) }')
wait_until gone own-a || bail "the reservation ends"
wait_pass
is "$(recorded own-a)" "$whole" "without an account in the file its only account pays"
is "$(spent physics)" "$(awk -v a="$before" -v b="$whole" 'BEGIN { printf "%.3f", a + b }')" \
	"the budget of the only account is charged"
no_equitree_errors
reserve own-b 20 cpu2
named() { grep -q 'reservation own-b is not charged: it has no account of its own' "$dir"/log/slurmctld.log; }
ok "one without an account is named in the log" wait_until named
reserve other 20 cpu1
wait_until gone other || bail "the last reservation ends"
wait_pass
is "$(recorded other)" 0.000 "one that no rule fits is free"
in_cluster "$equitree" usage --verify >"$work/verify" 2>&1
is "$?" 0 "the proof finds no difference"
diag "$(tail -n 5 "$work/verify")"
done_testing
