#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Budgets and a slurmctld that is killed at random moments of a grant, of spending and
# of a refill; a full disk during a grant; and a backup that takes over.
# BUDGET_KILLS (3) kills; BUDGET_SEED.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

equitree=$build/tools/equitree
readonly kills=${BUDGET_KILLS:-3}
RANDOM=${BUDGET_SEED:-3}
cluster_up --no-slurmctld --backup --set SlurmctldTimeout=5 --set BatchStartTimeout=1
# A small disk, which only the cluster sees; we, through its first process.
in_cluster mount -t tmpfs -o size=3m,mode=0755 small "$dir/state" ||
	bail "a small disk is there"
read -r init _ <"$dir/run/init"
state_dir=/proc/$init/root$dir/state
daemon start slurmctld || bail "slurmctld starts"
nodes_up() { [[ $(in_cluster sinfo -h -o %T | sort -u) == idle ]]; }
wait_until nodes_up || bail "the nodes are there"

budget() { in_cluster "$equitree" budget "$@"; }
amount_of() { budget list "$1" --csv --no-headings | awk -F, '{ print $5 }'; } # ACCOUNT
amounts_are() { [[ $(amount_of "$1" | paste -sd' ') == "$2" ]]; } # ACCOUNT AMOUNTS
committed() { budget list "$1" --csv --no-headings | awk -F, '{ sum += $7 } END { print sum + 0 }'; }
nothing_committed() { [[ $(committed "$1") == 0 ]]; } # ACCOUNT
none_of() { [[ ! $(in_cluster squeue -h -A "$1") ]]; }

# ---- Kills --------------------------------------------------------------------------

budget grant physics 100 --reason kills >/dev/null
balanced=0
for ((i = 1; i <= kills; i++)); do
	# A refill some seconds after each start, jobs that end all the time, a grant.
	budget grant bloggs.prj 0.5 --refill dates --carry-over --refill-amount 0.25 --reason "refill $i" \
		--dates "$(date -d '+4 seconds' +%Y-%m-%dT%H:%M:%S),$(date -d '+6 seconds' +%Y-%m-%dT%H:%M:%S)" >"$work/refill" 2>&1
	for seconds in 0 1 2 3; do submit ada "$seconds" -t2 >/dev/null; done
	submit ben 1 -t1 -a1-3 >/dev/null
	budget grant physics 0.25 --reason "kill $i" >"$work/grant" 2>&1 &
	sleep "$((RANDOM % 3)).$(printf %03d $((RANDOM % 1000)))"
	daemon kill slurmctld
	daemon start slurmctld
	wait $!
	[[ $(budget verify 2>&1) == balanced:* ]] && ((balanced++))
done
is "$balanced" "$kills" "after each kill -9 during a grant, spending and refills, verify says balanced"
is "$(amount_of physics | sort | uniq -c | awk '{ print $1 "x" $2 }' | paste -sd' ')" "${kills}x0.25 1x100" \
	"no grant is lost or doubled by a kill"
all_refilled() { [[ $(amount_of bloggs.prj | sort -u) == 1 ]]; }
ok "each refill that was due is done, and done once" wait_until all_refilled
in_cluster scancel -A physics
wait_asking none_of physics
ok "what kills have cut off is settled" wait_until nothing_committed physics

# ---- A full disk -----------------------------------------------------------------------

in_cluster dd if=/dev/zero of="$dir/state/fill" bs=1k >"$work/dd" 2>&1
# The last page of the journal has room for some more.
granted=0
for ((i = 0; i < 40; i++)); do
	budget grant bloggs 1 --reason "$(printf %0200d "$i")" >"$work/grant" 2>&1 || break
	((granted++))
done
like "$(cat "$work/grant")" 'cannot write.*No space left' "a grant on a full disk fails, and says why"
is "$(amount_of bloggs | wc -l)" "$granted" "what could not be written is not granted"
in_cluster rm "$dir/state/fill"
like "$(budget grant chemistry 1 2>&1)" '^grant 1 equivalent-hours to chemistry: budget [0-9]+$' "a grant succeeds then"
is "$(amount_of chemistry)" 1 "a grant after a full disk counts once"
like "$(budget verify)" '^balanced' "after a full disk, verify says balanced"

# ---- A takeover ----------------------------------------------------------------------------

runs=$(submit cleo 600 -t30)
wait_until job_is "$runs" RUNNING
held=$(submit dan 600 -t40)
is_held() { [[ $(in_cluster squeue -h -j "$1" -o %r) == Budget* ]]; } # JOB
wait_until is_held "$held"
jobs_saved "$runs" || bail "slurmctld saves its jobs"
daemon start slurmctld.backup
sleep 2
daemon kill slurmctld
answers() { grep -q 'backup.* is UP' < <(in_cluster scontrol ping 2>/dev/null); }
verified() { [[ $(budget verify 2>/dev/null) == balanced:* ]]; }
ok "a backup takes over" wait_until answers
ok "the backup says that budgets are balanced" wait_until verified
is "$(committed chemistry)" 0.5 "the backup knows what a running job has committed"
ok "the backup holds the job that does not fit" is_held "$held"
in_cluster scancel "$runs"
ok "the backup lets the held job go when enough is left" wait_until job_is "$held" RUNNING
in_cluster scancel "$held"

# The sandbox's own path has the word in it, too.
errors_but_the_disk() {
	sed "s|$dir|DIR|g" "$dir/log/slurmctld.log" | grep 'error:.*equitree' |
		grep -v 'No space left'
}
is "$(errors_but_the_disk)" "" "the log has no other error of equitree than the full disk"
done_testing
