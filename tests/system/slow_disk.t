#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A disk that takes eight seconds for each write keeps no RPC waiting: while jobs end,
# a question that needs the job lock waits no longer than on a fast disk. A write under
# the lock would be seconds of it. EQUITREE_IDLE=1 allows 10 ms, on an idle machine.
# Then StateSaveLocation hangs in the middle of a pass: the snapshot is a pipe that
# nobody reads. Jobs start and end meanwhile; if slurmctld is killed then, each is
# charged once; if it goes on, the log says that the pass was longer than its
# period. A pipe stops the pass where we want it, whatever the machine does.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

readonly price=5 period_s=5 # price: 4 cores with the memory of 5
cluster_up --set PriorityParameters=period=$period_s --set MinJobAge=3600 \
	--set PriorityDecayHalfLife=0 --set PriorityUsageResetPeriod=YEARLY \
	--set BatchStartTimeout=1

pipe=$state_dir/equitree_usage.new

# What slurmctld has charged a user is not on the disk.
is_ahead() { # ACCOUNT USER
	calc "$(share "$1" "$2" rawusage) > $(exact_usage "$1" "$2") + $price"
}
# Not while a pass writes a file of that name.
make_pipe() { mkfifo "$pipe" 2>/dev/null; }
# The next pass charges what ran since the one before, and hangs.
hang() { # ACCOUNT USER of a job that runs
	wait_pass
	wait_until make_pipe || bail "the snapshot is a pipe"
	wait_until is_ahead "$@" || bail "a pass hangs" "$(ls -l "$state_dir")"
	saved=$(saved_as_of)
}
start_job() { # USER
	local id
	id=$(submit "$1" 600 -n4 -N1 --mem=20000M -t 20)
	wait_until job_is "$id" RUNNING || bail "a job runs" >&2
	echo "$id"
}
ends() { # ID
	in_cluster scancel "$1"
	wait_until jobs_ended "$1" || bail "slurmdbd knows the end of job $1"
}
ages() { # SECONDS
	local end=$(($(date +%s) + $1))
	while (($(date +%s) < end)); do sleep 0.1; done
}

# ---- Eight seconds a write ----------------------------------------------------

allowance_ms=400 # for other work on the machine
[[ ${EQUITREE_IDLE-} ]] && allowance_ms=10
hostile=$build/tests/system/hostile
[[ -x $hostile ]] || bail "tests/system/hostile is built in $build"
cp "$hostile" "$dir/home/dan/hostile"
slow=$work/slow
library=$build/tests/system/.libs/slow_write.so
[[ -e $library ]] || bail "tests/system/slow_write.so is built in $build"
daemon stop slurmctld || bail "slurmctld stops"
in_cluster env LD_PRELOAD="$library" EQT_SLOW_WRITE="$slow" slurmctld -D \
	-L "$dir/log/slurmctld.log" >"$work/slurmctld.out" 2>&1 &
# Not through the file of slurmctld's pid: with -D there is none.
pid_of_slow() {
	local process
	for process in /proc/[0-9]*; do
		[[ $(cat "$process/comm" 2>/dev/null) == slurmctld ]] &&
			grep -qzF "EQT_SLOW_WRITE=$slow" "$process/environ" \
				2>/dev/null && basename "$process" && return
	done
	return 1
}
answers() { grep -q 'is UP' < <(in_cluster scontrol ping 2>/dev/null); }
wait_until answers || bail "slurmctld starts" "$(tail "$work/slurmctld.out")"
nodes_up() { [[ $(in_cluster sinfo -h -p cpu -o %T) == idle ]]; }
wait_until nodes_up || bail "the nodes are up" "$(in_cluster sinfo)"
journal_has() { grep -qs "^[0-9]* $1 " "$state_dir"/equitree_journal{.old,}; } # ID

cleo=$(start_job cleo)
ends "$cleo"
sleep 1
ok "the end of a job is in the journal within a second" journal_has "$cleo"

jobs=()
for user in ada ben cleo ada ben cleo; do
	jobs+=("$(submit "$user" 600 -n4 -N1 --mem=20000M -t 20)")
done
for id in "${jobs[@]}"; do
	wait_until job_is "$id" RUNNING || bail "a job runs"
done
wait_pass
# A resize, an update, submissions and ends, one after the other, so that each
# would wait for the line of the one before. The longest wait of another goes to FILE.
end_jobs() { # FILE ID...
	local id probe
	as dan ./hostile probe "$2" "$probe_ms" >"$1" 2>&1 &
	probe=$!
	in_cluster scontrol update jobid="$2" comment=x
	for id in "${@:2}"; do
		in_cluster scancel "$id"
		later=$(submit dan 1 -n1 -t 1)
		in_cluster squeue >/dev/null
	done
	wait "$probe"
}
probe_ms=4000
quiet=()
for n in 1 2 3 4 5 6; do
	quiet+=("$(submit dan 600 -n1 -N1 -t 20)")
done
for id in "${quiet[@]}"; do
	wait_until job_is "$id" RUNNING || bail "a job runs"
done
end_jobs "$work/quiet" "${quiet[@]}"
mark=$(log_size)
in_cluster sdiag -r >/dev/null
echo 8 >"$slow"
end_jobs "$work/probe" "${jobs[@]}"
diag "fast disk: $(cat "$work/quiet"), slow disk: $(cat "$work/probe")"
for id in "${jobs[@]}"; do
	wait_until job_is "$id" CANCELLED || bail "a job ends"
done
ok "the lines are not on the disk yet" eval "! journal_has ${jobs[5]}"
# RPC, how many, microseconds of one, of all.
in_cluster sdiag | sed -nE \
	's/^\s*([A-Z_]+)\s*\( *[0-9]+\) count:([0-9]+) +ave_time:([0-9]+) +total_time:([0-9]+).*/\1 \2 \3 \4/p' \
	>"$work/rpcs"
diag "$(cat "$work/rpcs")"
is "$(awk '$1 == "REQUEST_KILL_JOB" { print $2 }' "$work/rpcs")" "${#jobs[@]}" \
	"slurmctld counts what it was asked"
longest() { grep -oE '^[0-9]+' "$1" || echo 99999; } # FILE
ok "a question waits no longer on a slow disk than on a fast one" \
	test "$(longest "$work/probe")" -le \
	$(($(longest "$work/quiet") + allowance_ms))
# What tells of an end takes the job lock. Others wait for it, and for processors.
# 2 ms on a quiet machine, 12 with four clusters on two cores; 13 s with a journal
# that is written under the locks.
is "$(awk '/KILL|COMPLETE/ && $3 > 100000' "$work/rpcs")" "" \
	"requests that end jobs take less than 100 ms on average"
is "$(awk '$4 > 1000000' "$work/rpcs")" "" \
	"no kind of RPC takes a second in total on a slow disk"
is "$(log_since "$mark" | grep -ci 'very large processing time')" 0 \
	"slurmctld logs no long RPC on a slow disk"
# Killed while the lines of these ends are in memory alone.
jobs_saved "$later" 2>/dev/null || sleep 6
kill -9 "$(pid_of_slow)" || bail "slurmctld is killed"
wait_until eval '! answers' || bail "slurmctld is gone"
rm "$slow"
daemon start slurmctld || bail "slurmctld starts" "$(tail "$work/daemon.out")"
all_ended() {
	daemon ask slurmd
	ends_agree "$cleo,$(IFS=,; echo "${jobs[*]}")"
}
wait_until all_ended || bail "the ends are known" "$(cat "$work/disagree")"
wait_pass
n=0
for user in ada ben cleo; do
	ids=${jobs[n]},${jobs[n + 3]}
	account=physics
	if [[ $user == cleo ]]; then
		ids+=,$cleo account=chemistry
	fi
	near "$(exact_usage "$account" "$user")" "$price * $(elapsed "$ids")" \
		"2 * $price" "$user is charged once what a kill left no line of"
	n=$((n + 1))
	declare "before_$user=$(exact_usage "$account" "$user")"
done

# ---- Killed while a pass has charged and not saved ---------------------------

ada=$(start_job ada)
ben=$(start_job ben)
hang physics ada
# What the pass has charged is not on the disk, and these jobs end.
like "$(in_cluster scontrol ping)" "is UP" "slurmctld answers meanwhile"
ends "$ada"
cleo=$(start_job cleo)
jobs_saved "$cleo" || bail "slurmctld saves its jobs"
daemon kill slurmctld
rm "$pipe"
is "$(saved_as_of)" "$saved" \
	"the pass that hangs has saved nothing, and slurmctld is killed"
cat "$state_dir"/equitree_journal{.old,} >"$work/journal" 2>/dev/null
# Lines of the journal: number, job, association, ..., from, to, ...
# The pass charged from the snapshot on, and the end from there. A job whose nodes take a
# moment to be free has one more line, of no time.
line_from() { # SECOND: the first line of ada's job from there, and the next one
	awk -v id="$ada" -v from="$1" '$2 == id && ($6 == from || found) {
		print $6, $7
		if (found++)
			exit
	}' "$work/journal"
}
{
	read -r unsaved_from unsaved_to
	read -r end_from end_to
} < <(line_from "$saved")
is "$unsaved_from" "$saved" \
	"the journal has what the pass charged ada's job, from the last snapshot on"
is "$unsaved_to" "$end_from" "the journal has what the job used from the charge to its end"
ok "the lines of the journal cover $((unsaved_to - unsaved_from)) s and $((end_to - end_from)) s" \
	calc "$unsaved_to - $unsaved_from >= 2 && $end_to >= $end_from"
daemon start slurmctld || bail "slurmctld starts" "$(tail "$work/daemon.out")"
ends "$ben"
ends "$cleo"
wait_pass
for job in "ada $ada physics" "ben $ben physics" "cleo $cleo chemistry"; do
	read -r user id account <<<"$job"
	before=before_$user
	near "$(exact_usage "$account" "$user")" \
		"${!before} + $price * $(elapsed "$id")" "$price" "$user is charged each second once"
done

# ---- A pass that is longer than its period ----------------------------------

ada=$(start_job ada)
mark=$(log_size)
hang physics ada
ages $((2 * period_s))
is "$(log_since "$mark" | grep -c 'longer than its period')" 0 \
	"nothing is said while it lasts"
cat "$pipe" >/dev/null
slow="priority/equitree: a pass took [0-9]{4,} ms, longer than its period of $period_s s"
ok "the log says that the pass was longer than its period" \
	wait_until log_has "$mark" "$slow"
ok "the log says when passes are shorter again" wait_until log_has "$mark" \
	'passes are shorter than their period again'
is "$(log_since "$mark" | grep -cE "$slow")" 1 "the log has each line about long passes once"
# A pipe cannot be synced: what was written to it is not taken for saved.
ok "a snapshot that was not written is said" \
	log_has "$mark" 'error: priority/equitree: usage is not saved'
ok "the log says that the journal is written again" log_has "$mark" 'usage is saved again'
done_testing
