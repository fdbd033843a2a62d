#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# slurmctld's wall clock is set an hour ahead and back again while jobs run, and an hour
# behind: passes keep their pace, and what runs is charged for the seconds that it ran. Only slurmctld has that clock (libfaketime), and its monotonic
# one is left alone: faking that, too, makes the timed waits of slurmctld spin.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

library=$(dpkg-query -L libfaketime 2>/dev/null | grep -m1 'MT\.so\.1$')
[[ $library ]] || skip_all "libfaketime is not installed"

readonly price=5 hour_s=3600 # price: 4 cores with the memory of 5
# A node that is not heard of for an hour stays.
cluster_up --no-slurmctld --set PriorityParameters=period=1 \
	--set SlurmdTimeout=0 --set SlurmctldDebug=debug --set MinJobAge=100000 \
	--set PriorityDecayHalfLife=0 --set PriorityUsageResetPeriod=YEARLY

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

# ---- What there is ----------------------------------------------------------

start_job() { # USER
	local id
	id=$(submit "$1" 600 -n4 -N1 --mem=20000M -t 1000)
	wait_until job_is "$id" RUNNING || bail "a job runs" >&2
	echo "$id"
}
# Sets as_of and usage as one snapshot has them.
read_books() { # ACCOUNT USER
	cp "$state_dir/equitree_usage" "$work/snapshot" || return 1
	as_of=$(head -n 1 "$work/snapshot" | cut -d' ' -f3)
	usage=$(state_dir=$work; cp "$work/snapshot" "$work/equitree_usage"
		exact_usage "$1" "$2")
}
start_of() { # ID
	in_cluster env SLURM_TIME_FORMAT=%s scontrol -o show job "$1" |
		sed -nE 's/.* StartTime=([0-9]+) .*/\1/p'
}
as_of_after() { (($(saved_as_of) > $1)); }
as_of_before() { (($(saved_as_of) < $1)); }
# Three passes more, whatever the clock says.
passes() { grep -c 'priority/equitree: pass:' "$dir/log/slurmctld.log"; }
passed() { (($(passes) > $1 + 3)); }
wait_passes() { wait_until passed "$(passes)"; }

budget() { in_cluster "$build/tools/equitree" budget "$@"; }
budget grant physics 1000 >/dev/null
ada=$(start_job ada)
began=$(start_of "$ada")
wait_passes || bail "passes are run"
read_books physics ada
near "$usage" "$price * ($as_of - $began)" "$price" "a job is charged as it runs"

# ---- An hour ahead ----------------------------------------------------------

before=$as_of
set_clock "+$hour_s"
ok "the passes have the new clock" \
	wait_until as_of_after $((before + hour_s - 1))
from=$(saved_as_of)
count=$(passes)
wait_passes || fail "passes go on before a step"
read_books physics ada
near "$usage" "$price * ($as_of - $hour_s - $began)" $((2 * price)) \
	"the hour that did not pass is not charged"
# One a second: a wait that does not wait would run thousands.
ok "passes keep their pace" \
	calc "$(passes) - $count <= $(saved_as_of) - $from + 3"
cleo=$(start_job cleo)
began_cleo=$(start_of "$cleo")
ok "a job that starts then starts at that time" \
	calc "$began_cleo > $before + $hour_s - 2"
short=$(start_job dan)
wait_passes
in_cluster scancel "$short"
ended() { grep -q JobState=CANCELLED < <(in_cluster scontrol show job "$1"); }
wait_until ended "$short" || bail "a job ends while the clock is ahead"
ran=$(in_cluster env SLURM_TIME_FORMAT=%s scontrol -o show job "$short" |
	sed -nE 's/.* StartTime=([0-9]+) EndTime=([0-9]+) .*/\2 - \1/p')

# ---- And back ---------------------------------------------------------------

mark=$(log_size)
set_clock +0
ok "the log says that the clock was set back" \
	wait_until log_has "$mark" 'the wall clock was set back by [0-9]+ s'
ok "the passes have it" wait_until as_of_before $((before + hour_s / 2))
wait_passes || fail "passes go on after a step ahead"
read_books physics ada
near "$usage" "$price * ($as_of - $began)" $((3 * price)) \
	"a job that ran all the time is charged what it ran"
read_books chemistry cleo
near "$usage" "$price * ($as_of + $hour_s - $began_cleo)" $((3 * price)) \
	"a job that began in the time to come is charged what it ran"
read_books chemistry dan
near "$usage" "$price * ($ran)" $((2 * price)) \
	"a job that began and ended in the time to come is charged what it ran"
is "$(log_since "$mark" | grep -c 'the wall clock was set')" 1 "a clock that was set back is logged once"

# ---- An hour behind ---------------------------------------------------------

set_clock "-$hour_s"
ok "the passes have the time of before" wait_until as_of_before $((before - hour_s / 2))
wait_passes || fail "passes go on after a step back"
set_clock +0
ok "the passes have the right time again" wait_until as_of_after "$before"
wait_passes || fail "passes go on at the end"
read_books physics ada
near "$usage" "$price * ($as_of - $began)" $((4 * price)) \
	"an hour behind and ahead again charges what ran"
in_cluster scancel "$ada" "$cleo"
gone() { [[ -z $(in_cluster squeue -h) ]]; }
ok "all jobs end" wait_until gone
wait_passes
read_books physics ada
charged=$usage
near "$charged" "$price * ($(date +%s) - $began)" $((8 * price)) "the end of a job is charged"
wait_passes
read_books physics ada
is "$usage" "$charged" "nothing is charged again after the end"
is "$(budget list --csv | awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	{ printf "%.0f", $(at["spent"]) * 3600 }')" "$charged" "a budget is charged the same across a step of the clock"
read_books chemistry cleo
near "$usage" "$price * ($(date +%s) + $hour_s - $began_cleo)" $((12 * price)) \
	"the end of a job that began in the time to come is charged"
no_equitree_errors
done_testing
