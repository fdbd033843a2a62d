#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# slurmctld reconfigured, restarted, and killed with -9 while jobs run, end,
# and end unseen: usage stays what the accounting database says, priorities
# are those of before, and no run-minutes are left over.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

# Passes only when something asks for one: what is between them is then in
# the journal alone. Without decay, usage is plain arithmetic.
cluster_up --set PriorityParameters=period=3600 \
	--set PriorityDecayHalfLife=0 --set PriorityUsageResetPeriod=YEARLY \
	--set BatchStartTimeout=1 --set JobRequeue=0

nodes_up() { [[ $(in_cluster sinfo -h -o %T | sort -u) == idle ]]; }
wait_until nodes_up || bail "the nodes are there"

declare -A jobs=()
run() { # USER SECONDS OPTION...: a job of 2.5 equivalents
	jobs[$1]+=${jobs[$1]+,}$(submit "$1" "$2" -n2 --mem=10000M "${@:3}")
}
last_job() { echo "${jobs[$1]##*,}"; }
ended() { jobs_ended "$(last_job "$1")"; }
agreed() { ends_agree "${jobs[$1]}"; }
running() { job_is "$(last_job "$1")" RUNNING; }
begun() { ! job_is "$(last_job "$1")" PENDING; }

start() {
	local now
	now=$(date +%s)
	daemon start slurmctld || bail "slurmctld starts again" \
		"$(tail "$work/daemon.out")"
	wait_until saved_since "$now"
}
process_of() { in_cluster pgrep -u "$1" sleep >/dev/null; }
process_gone() { ! process_of "$1"; }
process_end() { in_cluster pkill -u "$1" sleep; }

usage_is() { # USER ACCOUNT NAME
	is "$(exact_usage "$2" "$1")" \
		"$(value "2.5 * $(elapsed "${jobs[$1]}")")" "$3"
}

# ---- Reconfigure -----------------------------------------------------------

# A job that waits, behind one that has its node.
filler=$(submit root 600 -p gpu -w gpu1 --exclusive)
wait_until job_is "$filler" RUNNING
waiting=$(submit dan 1 -p gpu -w gpu1)
points() { in_cluster sprio -h -j "$waiting" -o %F | tr -d ' '; }
wait_until points >/dev/null

run ada 2
wait_until ended ada
pass_now
usage_is ada physics "a pass that is asked for charges what has ended"
before=$(exact_usage physics ada)
points_before=$(points)
ok "the waiting job has points for fair share" calc "$points_before > 0"

sed -i 's/^PriorityWeightFairshare=.*/PriorityWeightFairshare=200000000/' \
	"$dir/etc/slurm.conf"
pass_now
is "$(points)" "$(value "2 * $points_before")" \
	"scontrol reconfigure: another weight takes effect"
is "$(exact_usage physics ada)" "$before" "scontrol reconfigure keeps usage"
points_before=$(points)

# ---- Clean restart ---------------------------------------------------------

run ada 1
run ben 5
wait_until ended ada
wait_until running ben
daemon stop slurmctld
start
usage_is ada physics "clean restart: what had ended is charged"
is "$(points)" "$points_before" "clean restart: priorities are what they were"
wait_until ended ben
pass_now
usage_is ben physics "clean restart: a job that ran through it is charged whole"

# ---- kill -9 ---------------------------------------------------------------

# Ended between passes, all its states written down.
before=$(exact_usage physics ada)
run ada 2
wait_until ended ada
jobs_saved "$waiting" || bail "slurmctld saves its jobs"
is "$(exact_usage physics ada)" "$before" \
	"a job that has just ended is in no snapshot yet"
daemon kill slurmctld
start
usage_is ada physics "kill -9: a job that had ended is charged"
is "$(points)" "$points_before" "kill -9: priorities are what they were"

# Running, through two kills.
run ben 600
wait_until running ben || bail "ben's job runs" "$(in_cluster squeue)"
jobs_saved "$waiting" || bail "slurmctld saves its jobs"
daemon kill slurmctld
start
ok "kill -9: the job runs on" running ben
daemon kill slurmctld
start
process_end ben
wait_asking agreed ben || bail "the end is told" "$(in_cluster squeue)"
pass_now
usage_is ben physics "kill -9, twice: a job that ran through is charged once"

# Ends while there is no slurmctld.
run abc123 600
wait_until running abc123 || bail "the job runs" "$(in_cluster squeue)"
wait_until process_of abc123
jobs_saved "$waiting" || bail "slurmctld saves its jobs"
daemon kill slurmctld
ok "the job runs when slurmctld is killed" process_of abc123
process_end abc123
wait_until process_gone abc123
start
wait_asking agreed abc123 || bail "the end is told" "$(in_cluster squeue)"
pass_now
usage_is abc123 bloggs.prj "kill -9: a job that ended meanwhile is charged"

# Kills at any moment: some jobs have ended, some run, some end while nobody
# looks; slurmctld may come to other ends of them than before, and slurmdbd is
# told. One more pass in the middle, so that a journal is cut.
#
# Where a node has told the end of a job's epilog to a slurmctld that forgot the
# end of the job, the job stays without its node until the time limit: Slurm's way
# with every priority plugin. So the limit is a minute.
for round in 1 2 3 4; do
	for user in ada ben cleo xyz789; do
		run "$user" "$(((round + ${#user}) % 4 + 1))" -t1
	done
	for user in ada ben cleo xyz789; do
		wait_until begun "$user" ||
			bail "$user's job begins" "$(in_cluster squeue)"
	done
	jobs_saved "$waiting" || bail "slurmctld saves its jobs"
	((round != 2)) || pass_now
	((round == 4)) || wait_asking ended ada
	daemon kill slurmctld
	start
done
in_cluster scancel "$waiting" "$filler"
jobs[root]=$filler
all_gone() { [[ -z $(in_cluster squeue -h -o %i) ]]; }
wait_asking all_gone || bail "all jobs end" "$(in_cluster squeue)"
for user in "${!jobs[@]}"; do
	wait_asking ends_agree "${jobs[$user]}" ||
		bail "the ends are told" "$(account_of "${jobs[$user]}" \
			JobID,State,End)"
done
# Now: being reconfigured makes slurmctld count them from nothing.
minutes=$(in_cluster sshare -alPn -o tresrunmins | tr ',' '\n' |
	sed 's/.*=//' | sort -u)
is "$minutes" 0 "no run-minutes are left"
pass_now
usage_is ada physics "kills at any moment: ada is charged what she used"
usage_is ben physics "kills at any moment: ben is charged what he used"
usage_is cleo chemistry "kills at any moment: cleo is charged what she used"
usage_is xyz789 bloggs.prj "kills at any moment: xyz789 as well"
# An exclusive node: 4 GPUs, and no more cores and memory than belong to them.
is "$(exact_usage root root)" "$(value "4 * $(elapsed "$filler")")" \
	"a job that was there all the time is charged whole"
is "$(share physics "" rawusage)" "$(value \
	"int(2.5 * $(elapsed "${jobs[ada]},${jobs[ben]}"))")" \
	"the account has the sum"

# ---- A start without any job ----------------------------------------------------------

run cleo 300
wait_until running cleo || bail "the job of cleo runs"
before=$(exact_usage chemistry cleo)
sleep 6
daemon stop slurmctld
EQUITREE_SLURMCTLD_OPTIONS=-c start
wait_until ended cleo || bail "accounting has the end of a job that slurmctld -c forgot"
near "$(exact_usage chemistry cleo)" "$before + 2.5 * $(elapsed "$(last_job cleo)")" 5 \
	"a job that slurmctld -c forgets is charged until slurmctld stopped"

no_equitree_errors
done_testing
