#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# slurmctld's wall clock is set an hour ahead and back again while jobs run:
# passes keep their pace, what runs is charged as the clock says, and nothing is
# charged twice. Only slurmctld has that clock (libfaketime), and its monotonic
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
wait_passes || fail "passes go on"
read_books physics ada
near "$usage" "$price * ($as_of - $began)" "$price" \
	"the job is charged as the clock says, with the hour"
# One a second: a wait that does not wait would run thousands.
ok "passes keep their pace" \
	calc "$(passes) - $count <= $(saved_as_of) - $from + 3"
cleo=$(start_job cleo)
began_cleo=$(start_of "$cleo")
ok "a job that starts then starts at that time" \
	calc "$began_cleo > $before + $hour_s - 2"

# ---- And back ---------------------------------------------------------------

mark=$(log_size)
set_clock +0
ok "the log says that the clock went back" \
	wait_until log_has "$mark" 'the clock went back by [0-9]+ s'
ok "the passes have it" wait_until as_of_before $((before + hour_s / 2))
read_books physics ada
charged=$usage
read_books chemistry cleo
charged_cleo=$usage
ok "the hour stays charged" calc "$charged >= $price * $hour_s"
wait_passes || fail "passes go on"
read_books physics ada
is "$usage" "$charged" "what was charged is not charged again"
read_books chemistry cleo
is "$usage" "$charged_cleo" "a job that began in the time to come is not charged again"
# Slurm's schedulers wait for their own time to come again, so that no other job
# starts; tests/host has what would be charged for it.
is "$(log_since "$mark" | grep -c 'the clock went back')" 1 "a clock that was set back is logged once"
in_cluster scancel "$ada" "$cleo"
gone() { [[ -z $(in_cluster squeue -h) ]]; }
ok "all jobs end" wait_until gone
wait_passes
read_books physics ada
is "$usage" "$charged" "nothing is charged again when the job ends"
no_equitree_errors
done_testing
