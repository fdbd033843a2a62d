#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# slurmctld's wall clock steps over the end and the refill of a budget, and back:
# a refill is done once, an ended budget gives nothing more, the budget thread goes on.
# Only slurmctld has that clock (libfaketime), and its monotonic one is left alone.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

library=$(dpkg-query -L libfaketime 2>/dev/null | grep -m1 'MT\.so\.1$')
[[ $library ]] || skip_all "libfaketime is not installed"

equitree=$build/tools/equitree
# A node that is not heard of for an hour stays.
cluster_up --no-slurmctld --set SlurmdTimeout=0 --set MinJobAge=100000
clock=$dir/clock
set_clock() { # OFFSET
	echo "$1" >"$clock.new"
	mv "$clock.new" "$clock"
}
set_clock +0
in_cluster env LD_PRELOAD="$library" FAKETIME_TIMESTAMP_FILE="$clock" \
	FAKETIME_NO_CACHE=1 FAKETIME_DONT_FAKE_MONOTONIC=1 \
	FAKETIME_FORCE_MONOTONIC_FIX=0 slurmctld -D \
	-L "$dir/log/slurmctld.log" >"$work/slurmctld.out" 2>&1 &
answers() { grep -q 'is UP' < <(in_cluster scontrol ping 2>/dev/null); }
wait_until answers || bail "slurmctld starts" "$(tail "$work/slurmctld.out")"
nodes_up() { [[ $(in_cluster sinfo -h -p cpu -o %T) == idle ]]; }
wait_until nodes_up || bail "the nodes are up" "$(in_cluster sinfo)"

budget() { in_cluster "$equitree" budget "$@"; }
column() { # ID COLUMN
	budget list --csv | awk -F, -v id="$1" -v want="$2" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$1 == id { print $(at[want]) }'
}
column_is() { [[ $(column "$1" "$2") == "$3" ]]; } # ID COLUMN VALUE
soon() { date -d "+$1 minutes" +%Y-%m-%dT%H:%M:%S; }

budget grant physics 2 --end "$(soon 30)" >/dev/null # budget 1
budget grant chemistry 1 --refill dates --dates "$(soon 30)" --refill-amount 2 >/dev/null # budget 2
job=$(submit ada 600 -t90)
held=$(submit cleo 600 -t100 -o /dev/null)
wait_until job_is "$job" RUNNING || bail "a job runs"
waits() { [[ $(in_cluster squeue -h -j "$held" -o %r) == Budget* ]]; }
ok "a job waits for the refill" wait_until waits
amount=$(column 1 committed)

set_clock +3600
ok "the refill that the clock steps over is done" wait_until column_is 2 amount 2
ok "the job that waited for it starts" wait_until job_is "$held" RUNNING
is "$(column 1 committed)" "$amount" "a job that runs keeps what it has committed in a budget that ended meanwhile"
like "$(as ben sbatch -t1 --wrap true 2>&1)" 'budget 1 of physics ended at ' \
	"an ended budget gives nothing more"

set_clock +0
sleep 3
is "$(column 2 amount)" 2 "the refill is not done again when the clock goes back"
before=$SECONDS
like "$(budget grant bloggs 1)" 'budget 3$' "a grant is carried out after the clock went back"
ok "the budget thread does not wait for its time to come again" test $((SECONDS - before)) -lt 30
set_clock +3600
sleep 2
is "$(column 2 amount)" 2 "the refill is not done again when its date passes once more"
in_cluster scancel "$job" "$held"
ended() { [[ ! $(in_cluster squeue -h) ]]; }
wait_until ended
settled() { [[ $(budget list --csv --no-headings | awk -F, '{ sum += $7 } END { print sum + 0 }') == 0 ]]; }
ok "all is settled after the steps of the clock" wait_until settled
like "$(budget verify)" '^balanced' "after steps of the clock, verify says balanced"

# ---- Months and quarters ----------------------------------------------------------

set_clock +0
next_refill() { # ID: of what equitree budget show prints
	budget show "$1" | sed -n 's/^next refill *//p'
}
budget grant bloggs 2 --refill month --refill-amount 3 >/dev/null # budget 4
budget grant bloggs 2 --refill quarter --refill-amount 3 --carry-over >/dev/null # budget 5
month=$(date -d "$(date +%Y-%m-01) +1 month" +%Y-%m-%d)
quarter=$(date -d "$(date +%Y)-$((($(date +%-m) - 1) / 3 * 3 + 1))-01 +3 months" +%Y-%m-%d)
is "$(next_refill 4)|$(next_refill 5)" "$month|$quarter" "a refill each month or quarter comes on its first day"
set_clock "+$(($(date -d "$month" +%s) - $(date +%s) + 60))"
ok "on the first of the next month a budget is refilled" wait_until column_is 4 amount 3
is "$(next_refill 4)" "$(date -d "$month +1 month" +%Y-%m-%d)" "the next refill is a month later"
set_clock "+$(($(date -d "$quarter" +%s) - $(date +%s) + 60))"
ok "on the first of the next quarter what is left stays with --carry-over" wait_until column_is 5 amount 5
is "$(next_refill 5)" "$(date -d "$quarter +3 months" +%Y-%m-%d)" "the next refill is a quarter later"
is "$(column 4 amount)" 3 "what was left of each month lapsed, whatever months the clock stepped over"
set_clock "+$(($(date -d "$quarter +3 months" +%s) - $(date +%s) + 60))"
ok "a clock that steps over three months refills a quarter once more" wait_until column_is 5 amount 8
is "$(next_refill 4)" "$(date -d "$quarter +4 months" +%Y-%m-%d)" "of three months that the clock steps over none is left out"
like "$(budget verify)" '^balanced' "after months, verify says balanced"
no_equitree_errors
done_testing
