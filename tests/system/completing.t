#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A job that has ended is charged for the nodes that it still holds: while Slurm
# kills its processes and runs epilogs, until the last node has reported. When that
# was is read in slurmctld's log (DebugFlags=TraceJobs), which no plugin writes.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

# How long the epilog takes on each node, in files that the rows write.
mkdir -m 755 "$work/epilogs"
cat >"$work/epilogs/epilog" <<END
#!/bin/bash
[[ ! -e $work/epilogs/until ]] || . "$work/epilogs/until"
read -r seconds <"$work/epilogs/\$SLURMD_NODENAME" 2>/dev/null || exit 0
sleep "\$seconds"
END
chmod 755 "$work" "$work/epilogs/epilog"
epilog_takes() { # NODE SECONDS ...
	while (($#)); do
		echo "$2" >"$work/epilogs/$1"
		shift 2
	done
}

charge_completing=yes
cluster_up --set PriorityDecayHalfLife=0 --set PriorityUsageResetPeriod=YEARLY \
	--set KillWait=6 --set "Epilog=$work/epilogs/epilog" \
	--set DebugFlags=TraceJobs --set SlurmctldDebug=verbose --set PriorityParameters=period=3

# ---- When it was, by slurmctld's log -----------------------------------------

# The moments of a line about a job, in seconds since the epoch, one a line.
moments_of() { # ID FUNCTION
	sed -nE "s/^\[([^]]*)\] .*$2:.* JobId=$1( .*)?\$/\1/p" \
		"$dir/log/slurmctld.log" | while read -r moment; do
		date -d "$moment" +%s.%N
	done
}

# Seconds from the end of the job to the moment that it holds nothing.
held_after_end() { # ID
	local from to
	from=$(moments_of "$1" deallocate_nodes | head -n 1)
	to=$(moments_of "$1" cleanup_completing | head -n 1)
	awk -v from="$from" -v to="$to" 'BEGIN { printf "%.2f", to - from }'
}

freed() { [[ $(moments_of "$1" cleanup_completing) ]]; } # ID

# Seconds are whole on both sides, and the last look was up to a quarter ago.
about() { # NAME GOT WANTED SLACK
	ok "$1: $2, and $3 within $4" awk -v got="$2" -v wanted="$3" \
		-v slack="$4" 'BEGIN {
			exit !(got - wanted <= slack && wanted - got <= slack) }'
}

settled() { # ID...
	local id
	for id; do
		wait_until jobs_ended "$id" || bail "job $id ends"
		wait_until freed "$id" || bail "job $id lets its nodes go"
	done
	wait_pass || bail "a pass saves its results"
}

# ---- Processes that ignore the end --------------------------------------------

# It cancels itself, and computes on until Slurm kills it.
stubborn='trap "" TERM CONT; scancel $SLURM_JOB_ID; while :; do sleep 0.2; done'

id=$(as ada sbatch --parsable -o /dev/null -n32 -N1 -t5 --wrap "$stubborn")
settled "$id"
held=$(held_after_end "$id")
ok "a job that ignores SIGTERM holds its node after its end ($held s)" \
	awk -v held="$held" 'BEGIN { exit !(held > 5) }'
about "a job that ignores SIGTERM is charged until it is killed" \
	"$(exact_usage physics ada)" \
	"$(value "32 * ($(elapsed "$id") + $held)")" 40

# ---- Epilogs --------------------------------------------------------------------

# 8 cores on each of two nodes; that of cpu1 becomes free first.
epilog_takes cpu1 2 cpu2 7
id=$(submit cleo 1 -n16 -N2 --ntasks-per-node=8 -t5)
settled "$id"
held=$(held_after_end "$id")
about "nodes of an ended job are charged one by one, as each becomes free" \
	"$(exact_usage chemistry cleo)" \
	"$(value "16 * ($(elapsed "$id") + 2) + 8 * ($held - 2)")" 20
ok "nodes of an ended job become free one by one: not all is charged to the last" \
	awk -v usage="$(exact_usage chemistry cleo)" \
	-v all="$(value "16 * ($(elapsed "$id") + $held)")" \
	'BEGIN { exit !(usage < all - 20) }'

# The GPUs of a node, beside cores of another.
epilog_takes cpu1 0 cpu2 0 gpu1 5
before=$(exact_usage chemistry dan)
id=$(submit dan 1 -p gpu --gpus=p100:2 -n1 --mem=1G -t5)
settled "$id"
about "GPUs are charged until the epilog of their node is over" \
	"$(value "$(exact_usage chemistry dan) - $before")" \
	"$(value "2 * ($(elapsed "$id") + $(held_after_end "$id"))")" 3

# ---- A requeue ------------------------------------------------------------------

epilog_takes cpu1 5 cpu2 5
before=$(exact_usage physics ben)
id=$(submit ben 600 -n4 -N1 -t15 --requeue)
wait_until job_is "$id" RUNNING || bail "the job of ben runs"
in_cluster scontrol requeue "$id"
wait_until freed "$id" || bail "the requeued job lets its node go"
held=$(held_after_end "$id")
epilog_takes cpu1 0 cpu2 0
as ben scancel "$id"
wait_pass
ran=$(in_cluster sacct -DXnP -S 2000-01-01 -j "$id" -o ElapsedRaw | awk '{ sum += $1 } END { print sum + 0 }')
about "a requeued job is charged until its first run lets its node go" \
	"$(value "$(exact_usage physics ben) - $before")" \
	"$(value "4 * ($ran + $held)")" 6

# ---- A restart, and a kill ---------------------------------------------------------

# In a QOS whose usage counts twice: slurmctld does not look up the QOS of jobs that
# had ended when it starts.
in_cluster sacctmgr -iQ add qos twice set usagefactor=2 >/dev/null
in_cluster sacctmgr -iQ modify user xyz789 set qos+=twice >/dev/null
twice_known() { as xyz789 sbatch --test-only -n1 -t5 -q twice --wrap true 2>/dev/null; }
wait_until twice_known || bail "slurmctld knows the QOS"
# A damaged snapshot: what only the newest one has, the journal has for the one before it.
for how in restart damage kill; do
	case $how in
	kill) epilog_takes cpu1 20 cpu2 20 ;;
	*) epilog_takes cpu1 8 cpu2 8 ;;
	esac
	before=$(exact_usage bloggs.prj xyz789)
	id=$(submit xyz789 1 -n4 -N1 -t5 -q twice)
	wait_until job_is "$id" COMPLETING || bail "the job completes"
	if [[ $how == kill ]]; then
		jobs_saved "$(submit dan 1 --hold)" || bail "slurmctld saves its jobs"
		sleep 3
		daemon kill slurmctld
		sleep 2
	else
		sleep 2
		daemon stop slurmctld
	fi
	[[ $how != damage ]] ||
		printf 'x' | dd of="$state_dir/equitree_usage" bs=1 seek=40 conv=notrunc 2>/dev/null
	daemon start slurmctld || bail "slurmctld starts"
	settled "$id"
	about "$how: an ended job that holds a node is charged once for each second" \
		"$(value "$(exact_usage bloggs.prj xyz789) - $before")" \
		"$(value "8 * ($(elapsed "$id") + $(held_after_end "$id"))")" 24
done
ok "damage: the damaged snapshot was not used" log_has 0 "equitree_usage is damaged"

# The node is free, and slurmctld is killed before it saves that: for the next one the job
# completes once more. It saves now and then, so this may take more than one attempt.
epilog_until() { # FILE: the epilog of cpu1 and cpu2 goes on until it is there
	cat >"$work/epilogs/until" <<END
while [[ ! -e $1 ]]; do sleep 0.1; done
END
}
epilog_takes cpu1 0 cpu2 0
completes_again=no
for attempt in 1 2 3; do
	go=$work/epilogs/go$attempt
	epilog_until "$go"
	before=$(exact_usage bloggs.prj xyz789)
	id=$(submit xyz789 1 -n4 -N1 -t5)
	wait_until job_is "$id" COMPLETING || bail "the job completes"
	jobs_saved "$(submit dan 1 --hold)" || bail "slurmctld saves its jobs"
	touch "$go"
	wait_until freed "$id" || bail "the job lets its node go"
	in_cluster sleep 0.6
	daemon kill slurmctld
	rm "$work/epilogs/until"
	in_cluster sleep 5
	daemon start slurmctld || bail "slurmctld starts"
	wait_until job_is "$id" COMPLETED || bail "the job has completed"
	wait_pass
	(($(moments_of "$id" cleanup_completing | wc -l) < 2)) || completes_again=yes
	[[ $completes_again == no ]] || break
done
[[ $completes_again == yes ]] ||
	diag "slurmctld has saved in time that the node is free, in $attempt attempts"
about "an ended job whose node a killed slurmctld forgot to be free is charged until it was" \
	"$(value "$(exact_usage bloggs.prj xyz789) - $before")" \
	"$(value "4 * ($(elapsed "$id") + $(held_after_end "$id"))")" 6

# The epilog ends while slurmctld is down, and the node reports that before anybody
# looks for the second time.
epilog_takes cpu1 2 cpu2 2
before=$(exact_usage bloggs.prj xyz789)
id=$(submit xyz789 1 -n4 -N1 -t5)
wait_until job_is "$id" COMPLETING || bail "the job completes"
daemon stop slurmctld
in_cluster sleep 5
daemon start slurmctld || bail "slurmctld starts"
settled "$id"
about "an ended job whose node is free at the start is charged up to the start" \
	"$(value "$(exact_usage bloggs.prj xyz789) - $before")" \
	"$(value "4 * ($(elapsed "$id") + $(held_after_end "$id"))")" 6

# ---- Slurm's own end ----------------------------------------------------------------

sed -i 's/^charge_completing = .*/charge_completing = no/' "$dir/etc/equitree.conf"
pass_now || bail "a pass is run"
epilog_takes cpu1 4 cpu2 4
before=$(exact_usage physics ben)
id=$(submit ben 1 -n4 -N1 -t5)
settled "$id"
is "$(value "$(exact_usage physics ben) - $before")" \
	"$(value "4 * $(elapsed "$id")")" \
	"charge_completing = no: a job is charged up to Slurm's end"
sed -i 's/^charge_completing = .*/charge_completing = yes/' "$dir/etc/equitree.conf"

# ---- Without limits ----------------------------------------------------------------

# slurmctld does not report ends then: a pass finds the job, and what it holds.
daemon stop slurmctld
sed -i 's/^AccountingStorageEnforce=.*/AccountingStorageEnforce=associations/' \
	"$dir/etc/slurm.conf"
daemon start slurmctld || bail "slurmctld starts without limits"
epilog_takes cpu1 9 cpu2 9
before=$(exact_usage physics ben)
id=$(submit ben 1 -n4 -N1 -t5)
settled "$id"
about "without limits: passes find a job that holds a node after its end" \
	"$(value "$(exact_usage physics ben) - $before")" \
	"$(value "4 * ($(elapsed "$id") + $(held_after_end "$id"))")" 6

# slurmctld writes on into the file that this replaces.
sed -i '/equitree_usage is damaged/d' "$dir/log/slurmctld.log"
no_equitree_errors
done_testing
