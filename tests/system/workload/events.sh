# shellcheck shell=bash disable=SC2154
# SPDX-License-Identifier: GPL-2.0-or-later
# What happens to jobs: each event takes a random one in the right state. To be sourced
# by drive, after requests.sh.

# The id of a job in a state, as FORMAT of squeue has it; of this user.
some_job() { # STATES FORMAT [PATTERN]
	REPLY=$(squeue -h -r -u "$user" -t "$1" -o "$2" | grep -E -e "${3-.}" |
		shuf -n 1 --random-source=<(yes "$RANDOM"))
	[[ $REPLY ]]
}

# One that has not run: sacct has one account and one QOS of all runs of a job.
some_new_job() {
	REPLY=$(squeue -h -r -u "$user" -t PD -O 'JobID:20,RestartCnt:5' | awk '$2 == 0 { print $1 }' |
		shuf -n 1 --random-source=<(yes "$RANDOM"))
	[[ $REPLY ]]
}

event_requeue() { some_job R %A && scontrol requeue "$REPLY"; }
event_requeuehold() {
	some_job R %A && scontrol requeuehold "$REPLY" && sleep 1 && scontrol release "$REPLY"
}
event_suspend() {
	some_job R %A || return
	local job=$REPLY
	scontrol suspend "$job" && sleep "$((RANDOM % 3)).3" && scontrol resume "$job"
}
event_cancel_suspended() {
	some_job R %A || return
	local job=$REPLY
	scontrol suspend "$job" && sleep "$((RANDOM % 2)).6" && scancel "$job"
}
event_hold() { some_job PD %A && scontrol hold "$REPLY" && sleep 1 && scontrol release "$REPLY"; }
event_cancel_running() { some_job R %A && scancel "$REPLY"; }
event_cancel_pending() { some_job PD %i && scancel "$REPLY"; }
event_cancel_task() { some_job PD,R %i _ && scancel "$REPLY"; }
event_cancel_array() { some_job PD,R %F && scancel "$REPLY"; }
event_cancel_by_kill() { some_job R %A && scancel -s KILL "$REPLY"; }
event_cancel_batch() { some_job R %A && scancel -b -s TERM "$REPLY"; }
event_top() { some_job R %A && scontrol top "$REPLY"; }
event_memory() { some_job PD %A && scontrol update jobid="$REPLY" minmemorynode=11000; }
# Of a component of a heterogeneous job no size: then none of it starts, nor any other.
event_cpus() { some_job PD '%A %i' '^[^+]*$' && scontrol update jobid="${REPLY% *}" numcpus=4; }
event_nodes() { some_job PD '%A %i' '^[^+]*$' && scontrol update jobid="${REPLY% *}" numnodes=2; }
event_partition() {
	some_new_job || return
	local job=$REPLY
	one_of cpu dear cpu,dear
	scontrol update jobid="$job" partition="$REPLY"
}
event_qos() { some_new_job && scontrol update jobid="$REPLY" qos=half; }
event_gres() { some_job PD '%A %P' gpu && scontrol update jobid="${REPLY% *}" gres=gpu:2; }
event_account() { [[ $user == ada ]] && some_new_job && scontrol update jobid="$REPLY" account=biology; }
event_time_limit() { some_job R %A && scontrol update jobid="$REPLY" timelimit=3; }
event_start_time() { some_job PD %A && scontrol update jobid="$REPLY" starttime=now+3; }
event_exclusive() { some_job PD %A && scontrol update jobid="$REPLY" oversubscribe=no; }
# An array task that is changed becomes a job of its own.
event_task_change() { some_job PD %i _ && scontrol update jobid="$REPLY" minmemorynode=13000; }
event_throttle() { some_job PD %F && scontrol update arrayjobid="$REPLY" arraytaskthrottle=1; }
event_smaller() { some_job R '%A %D' ' 2$' && scontrol update jobid="${REPLY% *}" numnodes=1; }
# A job takes over the node of another, which has no step. slurmctld 25.11.7 and 26.05.3
# die of that where a job has no licenses, with Slurm's own plugin as well.
event_larger() {
	[[ ! $(slurmctld -V) =~ ' '(25\.11|26\.05)\. ]] || return
	some_job R '%A %D %P' ' 1 cpu' || return
	local job=${REPLY%% *} giver
	giver=$(as_user salloc --no-shell -N1 -n1 --mem=3000M -t 5 -d "expand:$job" 2>&1 |
		sed -n 's/.*Granted job allocation //p')
	# slurmctld would give a node to a job that has ended meanwhile.
	[[ $giver && $(squeue -h -j "$job" -o %T) == RUNNING ]] &&
		scontrol update jobid="$giver" numnodes=0 &&
		scontrol update jobid="$job" numnodes=all && return
	[[ ! $giver ]] || scancel "$giver"
	return 1
}
event_node_down() {
	one_of cpu1 cpu2 gpu1
	scontrol update nodename="$REPLY" state=down reason=workload && sleep 1 &&
		scontrol update nodename="$REPLY" state=resume
}
event_reconfigure() { scontrol reconfigure; }

# The frequent ones several times.
events=(requeue requeue requeuehold suspend suspend cancel_suspended hold
	cancel_running cancel_running cancel_pending cancel_task cancel_task
	cancel_array top cancel_by_kill cancel_batch memory cpus nodes partition qos gres
	account time_limit start_time exclusive task_change task_change throttle
	smaller smaller smaller larger)
rare_events=(node_down reconfigure)

# Sets REPLY to the name of an event.
draw_event() {
	if chance 2; then
		one_of "${rare_events[@]}"
	else
		one_of "${events[@]}"
	fi
}
