#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# StateSaveLocation runs full and is freed; files in it are cut short or have
# bits flipped. What can be known is charged once, what is wrong is said once,
# and slurmctld runs in any case.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

cluster_up --no-slurmctld --set PriorityParameters=period=2 \
	--set PriorityDecayHalfLife=0 --set PriorityUsageResetPeriod=YEARLY \
	--set BatchStartTimeout=1 --set JobRequeue=0

# A small disk, which only the cluster sees; we, through its first process.
in_cluster mount -t tmpfs -o size=2m,mode=0755 small "$dir/state" ||
	bail "a small disk is there"
read -r init _ <"$dir/run/init"
state_dir=/proc/$init/root$dir/state
daemon start slurmctld || bail "slurmctld starts"
nodes_up() { [[ $(in_cluster sinfo -h -o %T | sort -u) == idle ]]; }
wait_until nodes_up || bail "the nodes are there"

jobs=
# Jobs of one equivalent; remembered when they are ada's.
run() { # USER SECONDS OPTION...
	id=$(submit "$1" "$2" -n1 --mem=4000M "${@:3}")
	[[ $id ]] || bail "$1 submits" "$(cat "$work/sbatch.err")"
	[[ $1 != ada ]] || jobs+=${jobs:+,}$id
}
running() { (($(in_cluster squeue -h -r -t R -o %i | wc -l) >= $1)); }
usage_is() { # NAME
	is "$(exact_usage physics ada)" "$(value "1 * $(elapsed "$jobs")")" \
		"$1"
}
said() { # POSITION REGEX: how often
	log_since "$1" | grep -cE -e "$2"
}
restarted() { # COMMAND...: what is done to the files in between
	before=$(log_size)
	"$@"
	local now
	now=$(date +%s)
	daemon start slurmctld ||
		bail "slurmctld starts" "$(tail "$work/daemon.out")"
	wait_until saved_since "$now"
}

# Waits for ever: what slurmctld writes down of it tells that it has written down
# all that was before. An end that it forgets is Slurm's matter, not that of a test
# of damage.
keeper=$(submit dan 1 -n1 --hold)
all_saved() { jobs_saved "$keeper" || bail "slurmctld saves its jobs"; }

# ---- A full disk -----------------------------------------------------------

run ada 1
wait_until jobs_ended "$id"
run ben 600
long=$id
# Their ends are more lines than a page of the file has room for.
run ada 12 --array=1-60
array=$id
wait_until running 61 || bail "sixty jobs run" "$(in_cluster squeue)"
before=$(log_size)
in_cluster dd if=/dev/zero of="$dir/state/fill" bs=1k >"$work/dd" 2>&1
like "$(cat "$work/dd")" "No space left" "the disk is full"
ok "a full disk: the ends of sixty jobs are known" \
	wait_until jobs_ended "$array" 60
told() { log_has "$before" "error: .*$1"; }
ok "a full disk: an error says that usage is not saved" \
	wait_until told "priority/equitree: usage is not saved: .*No space left"
ok "the log says once that the journal cannot be written" \
	wait_until told "priority/equitree: cannot write equitree_journal .*No space left"
in_cluster sleep 5
is "$(said "$before" 'error: priority/equitree')" 2 \
	"each of them is said once, not for each pass or job"
in_cluster rm "$dir/state/fill"
wait_pass
usage_is "when there is room again all of them are charged"
ok "the log says when usage is saved again" \
	wait_until log_has "$before" "priority/equitree: usage is saved again"

# The journal ends with a group of lines without its end. What is written next, and is in
# no snapshot, must be readable. Not later than a minute from then on, since journals
# are put away: so the job runs already.
all_saved
"$system_dir/kill-when" "$(cluster daemon pid slurmctld)" "$patience_s" \
	grows "$state_dir/equitree_journal" >"$work/killed" &
wait_until grep -qs watching "$work/killed"
in_cluster pkill -u ben sleep
wait $!
is "$(tail -n 1 "$work/killed")" hit "slurmctld is killed as a job ends"
# Where it had written the end, too, the group is whole.
torn=$(tail -n 1 "$state_dir/equitree_journal" | grep -cvE '^= [0-9a-f]{8} [0-9a-f]{8}$')
diag "$torn groups without their end"
restarted daemon kill slurmctld
# slurmctld has not written down that the job ended; slurmdbd may know it. Where the
# node has told the end of the epilog, the job stays until its time limit.
in_cluster scontrol update jobid="$long" timelimit=1 2>>"$work/limit.err"
wait_asking ends_agree "$long" || bail "the end is told" "$(in_cluster squeue)"
wait_pass
is "$(log_has "$before" 'equitree_journal(.old)? ends with an incomplete group of lines' && echo told)" \
	"$( ((torn > 0)) && echo told)" "the restart reports the incomplete group"
is "$(exact_usage physics ben)" "$(value "1 * $(elapsed "$long")")" \
	"the line behind it is charged"

# ---- Damage ----------------------------------------------------------------

flip() { # FILE BYTE: one bit of it
	perl -e 'my ($file, $at) = @ARGV;
		open my $f, "+<", $file or die "$file: $!\n";
		seek $f, $at, 0; read $f, my $byte, 1;
		seek $f, $at, 0; print $f $byte ^ "\x01"; ' \
		"$state_dir/$1" "$2"
}
shorten() { # FILE BYTES that are left
	in_cluster truncate -s "$2" "$dir/state/$1"
}
before_last() {
	ok "$1: it is said" log_has "$before" \
		"error: .*equitree: equitree_usage is damaged, $2"
	ok "$1: the one before is used" log_has "$before" \
		"equitree: usage of .* recovered from equitree_usage.old"
	usage_is "$1: usage is what it was"
}
kill_and() {
	all_saved
	daemon kill slurmctld
	"$@"
}

restarted kill_and flip equitree_usage 100
before_last "a flipped bit in the snapshot" "altered"
# The damaged one is not the one before now.
restarted kill_and shorten equitree_usage 90
before_last "a snapshot cut short" "cut short"

# Passes an hour apart: the journal has what follows. ada's line is damaged,
# ben's is not. Of ada's job slurmctld's own record has the end.
sed -i 's/^PriorityParameters=.*/PriorityParameters=period=3600/' \
	"$dir/etc/slurm.conf"
restarted daemon stop slurmctld
usage=$(exact_usage physics ada)
lines() { (($(cat "$state_dir/equitree_journal" 2>/dev/null | wc -l) >= $1)); }
have=$(cat "$state_dir/equitree_journal" 2>/dev/null | wc -l)
ada=$(submit ada 1 -n1 --mem=4000M)
wait_until lines $((have + 1)) || bail "ada's job ends"
ben=$(submit ben 2 -n1 --mem=4000M)
wait_until jobs_ended "$ben" || bail "ben's job ends"
all_saved
ada_line=$(grep -ab "^[0-9]* $ada " "$state_dir/equitree_journal" | tail -n 1 | cut -d: -f1)
restarted kill_and flip equitree_journal $((ada_line + 20))
ok "a flipped bit in the journal: one line is told to be lost" log_has \
	"$before" "error: .*equitree_journal: [12] of its lines cannot be read"
is "$(exact_usage physics ada)" "$(value "$usage + 1 * $(elapsed "$ada")")" \
	"what it charged is charged by the record of the job"
is "$(exact_usage physics ben)" "$(value "1 * $(elapsed "$long,$ben")")" \
	"the next one is"

# The journal is cut at the end of a line, an older copy, or gone. Jobs that slurmctld still knows
# are charged.
state_file() { in_cluster cp -p "$dir/state/$1" "$dir/state/$2"; } # FROM TO
state_file equitree_journal kept
more=$(submit ben 2 -n1 --mem=4000M)
wait_until jobs_ended "$more" || bail "one more job of ben's ends"
wait_until lines $((have + 3))
drop_line() { in_cluster sed -i '$d' "$dir/state/equitree_journal"; }
restarted kill_and drop_line
ok "a journal without its last line: it is said" \
	log_has "$before" "error: .*equitree_journal is cut, or an older copy: lines up to"
restarted kill_and state_file kept equitree_journal
ok "an older journal: it is said" log_has "$before" "error: .*equitree_journal is cut, or an older copy: lines up to"
is "$(exact_usage physics ben)" "$(value "1 * $(elapsed "$long,$ben,$more")")" "an older journal: usage is what it was"
restarted kill_and in_cluster rm "$dir/state/equitree_journal"
ok "a journal that is gone: it is said" log_has "$before" "error: .*equitree_journal is missing: lines up to"
restarted kill_and true
is "$(said "$before" 'error: .*equitree_journal')" 0 "after that the journal is whole again"

# Nothing of ours can be read: slurmctld's own files, of its last clean end.
daemon stop slurmctld
daemon start slurmctld
both() {
	all_saved
	daemon kill slurmctld
	flip equitree_usage 100
	shorten equitree_usage.old 10
}
restarted both
is "$(said "$before" 'error: .*equitree: equitree_usage.* is damaged')" 2 \
	"the log says that both snapshots are damaged"
ok "usage is taken over from slurmctld's own files" log_has "$before" \
	"equitree: usage taken over from slurmctld's own files"
is "$(exact_usage physics ben)" "$(value "1 * $(elapsed "$long,$ben,$more")")" \
	"which have it"

# Those are gone, too.
all_saved
daemon kill slurmctld
in_cluster bash -c "cp $dir/state/assoc_usage $dir/kept; rm $dir/state/{equitree_usage,assoc_usage}*"
daemon start slurmctld >/dev/null 2>&1
is "$(tail -n 50 "$dir/log/slurmctld.log" | grep -c "error: .*slurmctld's own assoc_usage is missing")" 1 \
	"slurmctld does not start if usage would begin with 0"
in_cluster cp "$dir/kept" "$dir/state/assoc_usage"
ok "with that file it starts" daemon start slurmctld
is "$(exact_usage physics ben)" "$(value "1 * $(elapsed "$long,$ben,$more")")" "usage from that file is that of before"

# All files are gone while a job runs, but slurmctld's own.
run ben 600
wait_until job_is "$id" RUNNING
in_cluster sleep 10
pass_now || bail "a pass is run"
daemon stop slurmctld
was=$(exact_usage physics ben) since=$(saved_as_of)
in_cluster bash -c "rm -r $dir/state/{equitree_*,priority_last_decay_ran*}"
restarted true
ok "all files of usage and budgets are gone: it is said" log_has "$before" \
	"error: .*neither a whole equitree_usage nor priority_last_decay_ran"
ok "without any file of equitree no second of a running job is charged twice" \
	calc "$(exact_usage physics ben) - $was <= $(saved_as_of) - $since + 1"

done_testing
