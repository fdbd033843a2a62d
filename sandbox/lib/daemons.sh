# shellcheck shell=bash disable=SC2154
# SPDX-License-Identifier: GPL-2.0-or-later
# The daemons of one sandbox: start, probe, stop, each by process id.
# Uses: dir here base.sh space.sh.

# A busy machine needs minutes for what an idle one does in two seconds; a daemon that has
# ended is noticed at once.
readonly patience_s=300

# In the /run of the sandbox.
readonly slurmctld_pid_file=/run/slurmctld/slurmctld.pid

# The daemons that $1 stands for, in REPLY: slurmd is one for each node.
daemon_names() {
	case $1 in
	munged | mariadb | slurmdbd | slurmctld) REPLY=$1 ;;
	slurmctld.backup)
		[[ -e $dir/run/backup ]] ||
			die "sandbox $name has no backup (up --backup)"
		REPLY=$1
		;;
	slurmd) REPLY=$(sed 's/^/slurmd./' "$dir/run/nodes") ;;
	slurmd.?*)
		grep -qxF "${1#slurmd.}" "$dir/run/nodes" ||
			die "no node ${1#slurmd.} in sandbox $name"
		REPLY=$1
		;;
	*) misuse "no daemon called $1" ;;
	esac
}

# All daemons, in the order in which they start.
daemon_all() {
	REPLY="munged mariadb slurmdbd slurmctld"
	[[ ! -e $dir/run/backup ]] || REPLY+=" slurmctld.backup"
	[[ ! -e $dir/run/nodes ]] ||
		REPLY+=" $(sed 's/^/slurmd./' "$dir/run/nodes" | tr '\n' ' ')"
}

daemon_running() {
	{ [[ $1 == slurmctld ]] && slurmctld_forks && daemon_follow; } ||
		remembered "$dir/run/$1.pid"
}

# A slurmctld that was reconfigured is another process from 23.11 on, and the
# one before it may not be gone yet. Its pid file says which.
daemon_follow() {
	local inside
	space_running || return 1
	read -r inside <"/proc/$REPLY/root$slurmctld_pid_file" || return 1
	space_host_pid "$inside" &&
		[[ $(<"/proc/$REPLY/comm") == slurmctld* ]] &&
		remember "$dir/run/slurmctld.pid" "$REPLY" &&
		remembered "$dir/run/slurmctld.pid"
} 2>/dev/null

# Up to 23.2 a reconfigure changes the slurmctld that runs. Later it begins a
# new one, and only a daemon in the background has somebody to go on when that
# fails, as under systemd.
slurmctld_forks() {
	slurm_release
	((REPLY >= 2311))
}

# Every daemon stays in the foreground of a session of its own, so that its
# process id is known without a pid file, but for the slurmctld that may not.
daemon_command() {
	case $1 in
	munged)
		REPLY="munged --foreground --key-file=/etc/munge/munge.key
			--socket=/run/munge/munge.socket.2
			--pid-file=/run/munge/munged.pid
			--seed-file=$dir/state/munged.seed"
		;;
	mariadb)
		REPLY="mariadbd --no-defaults --user=mysql --datadir=$dir/db
			--socket=/run/mysqld/mysqld.sock
			--pid-file=/run/mysqld/mysqld.pid
			--init-file=$dir/run/database.sql
			--tmpdir=$dir/db --skip-networking --skip-log-bin
			--innodb-log-file-size=16M
			--innodb-buffer-pool-size=64M
			--innodb-lock-wait-timeout=900
			--innodb-flush-log-at-trx-commit=2
			--max-allowed-packet=16M --performance-schema=OFF
			--loose-innodb-snapshot-isolation=OFF"
		;;
	slurmdbd) REPLY="slurmdbd -D" ;;
	slurmctld) daemon_slurmctld ;;
	# The host that a slurmctld is on is what it finds as its own name.
	slurmctld.backup) daemon_backup ;;
	slurmd.*) REPLY="slurmd -D -N ${1#slurmd.}" ;;
	esac
}

# From 25.05 on a slurmctld that was killed before assoc_usage was written, by it
# after five minutes or by our first pass, only comes back with -i.
slurmctld_lacks_files() {
	local state
	slurm_release
	((REPLY >= 2505)) || return 1
	space_running || return 1
	state=/proc/$REPLY/root$dir/state
	[[ -e $state/clustername && ! -e $state/assoc_usage ]]
}

daemon_slurmctld() {
	local options=${EQUITREE_SLURMCTLD_OPTIONS:+ $EQUITREE_SLURMCTLD_OPTIONS}
	slurmctld_lacks_files && options+=" -i"
	slurmctld_forks && REPLY=slurmctld || REPLY="slurmctld -D"
	REPLY+=$options
}

# The backup finds what the first one leaves it, which may be killed young, too.
daemon_backup() {
	local options=
	slurm_release
	((REPLY < 2505)) || options=-i
	REPLY="unshare --uts --mount bash $here/lib/backup.sh
		$dir/log/slurmctld.backup.log $options"
}

# Where a daemon's output goes. Slurm's daemons keep a log of their own, with
# dates, but what they say before it is open would be lost.
daemon_output() {
	case $1 in
	slurm*) REPLY=$dir/log/$1.out ;;
	*) REPLY=$dir/log/$1.log ;;
	esac
}

daemon_launch() {
	local inside command
	space_running || return 1
	rm -f "$dir/run/$1.pid"
	[[ $1 != slurmctld ]] || rm -f "/proc/$REPLY/root$slurmctld_pid_file"
	daemon_command "$1"
	read -rd '' -a command <<<"$REPLY" || :
	daemon_output "$1"
	inside=$(space_run root bash "$here/lib/launch.sh" \
		"$REPLY" "${command[@]}")
	if [[ $1 == slurmctld ]] && slurmctld_forks; then
		daemon_await_fork
	elif space_host_pid "$inside"; then
		remember "$dir/run/$1.pid" "$REPLY" || :
	fi
}

# A daemon that goes to the background is there when its pid file is; one that
# cannot has said why, and daemon_await finds out.
daemon_await_fork() {
	local end=$((SECONDS + 5))
	space_running || return 1
	until [[ -s /proc/$REPLY/root$slurmctld_pid_file ]]; do
		((SECONDS < end)) || return 0
		sleep 0.02
	done
	daemon_follow || :
}

# A real question that only a daemon at work can answer.
daemon_probe() {
	case $1 in
	munged) space_run root munge -n ;;
	mariadb)
		space_run root mariadb --no-defaults \
			--socket=/run/mysqld/mysqld.sock -e 'SELECT 1'
		;;
	slurmdbd) space_run root sacctmgr -n show cluster ;;
	slurmctld) space_run root scontrol ping | grep '(primary).*is UP' ;;
	slurmctld.backup)
		space_run root scontrol ping | grep '(backup.*is UP'
		;;
	slurmd.*) nodes_ready "${1#slurmd.}" ;;
	esac
}

# True when slurmctld hears from the nodes: known, and no * for silence.
nodes_ready() { # NODE[,NODE...]
	local states
	states=$(space_run root sinfo -h -N -n "$1" -o '%T') || return 1
	[[ -n $states ]] && ! grep -E '[*]|unk' <<<"$states"
}

# Waits for the probe; gives up early when the daemon has ended.
daemon_await() {
	local end=$((SECONDS + patience_s)) why=''
	until daemon_probe "$1" >"$dir/run/probe" 2>&1; do
		if ! daemon_running "$1"; then
			why="$1 has ended"
		elif ((SECONDS >= end)); then
			why="$1 does not answer after $patience_s s"
		fi
		if [[ -n $why ]]; then
			daemon_blame "$1" "$why"
			return 1
		fi
		sleep 0.02
	done
	daemon_running "$1"
	note "$1 is up, process $REPLY"
}

# The log's end, and what the last probe said.
daemon_blame() { # NAME WHY
	local log
	daemon_output "$1"
	warn "sandbox $name: $2"
	{
		[[ ! -s $dir/run/probe ]] || tail -n 5 "$dir/run/probe"
		for log in "$REPLY" "$dir/log/$1.log"; do
			[[ -s $log ]] || continue
			echo "--- the end of $log"
			tail -n 20 "$log"
			break
		done
	} >&2
}

daemon_stop() {
	daemon_running "$1" || return 0
	kill -TERM "$REPLY" 2>/dev/null || :
	await_gone "$dir/run/$1.pid" "$patience_s"
}

daemon_kill() {
	daemon_running "$1" || return 0
	kill -KILL "$REPLY" 2>/dev/null || :
	await_gone "$dir/run/$1.pid" "$patience_s"
}

daemon_start() { # NO_WAIT NAME...
	local no_wait=$1 one
	shift
	for one in "$@"; do
		daemon_running "$one" || daemon_launch "$one"
	done
	[[ -z $no_wait ]] || return 0
	for one in "$@"; do
		[[ $one == slurmd.* ]] && ! daemon_running slurmctld && continue
		daemon_await "$one" || return 1
		[[ $one != slurmctld ]] || nodes_await || return 1
	done
}

# The nodes tell slurmctld what runs on them: it asks those that it takes back
# from draining. SIGHUP for a slurmd would do the same, but from 23.11 on that
# makes it a new program, which a second one ends before it knows how to take it.
# Of a node of which it knows nothing yet slurmctld says that this is invalid, and
# asks nevertheless.
daemon_ask() { # NAME...
	local nodes
	nodes=$(printf '%s,' "${@#slurmd.}")
	space_run root scontrol update nodename="${nodes%,}" state=undrain \
		>"$dir/run/asked" 2>&1 || :
}

# A slurmctld that comes back is of use when it hears from its nodes again.
# It asks them after four seconds; we have it do so at once.
nodes_await() {
	local one
	local -a names
	daemon_names slurmd
	mapfile -t names <<<"$REPLY"
	daemon_ask "${names[@]}"
	for one in "${names[@]}"; do
		! daemon_running "$one" || daemon_await "$one" || return 1
	done
}

cmd_daemon() {
	local verb=${1-} what=${2-} no_wait='' one names failed=''
	[[ $# -ge 2 ]] || misuse "daemon needs a verb and a name"
	[[ ${3-} != --no-wait ]] || no_wait=1
	[[ $# -lt 3 || -n $no_wait ]] || misuse "daemon: unknown option $3"
	space_running || die "sandbox $name is not up (try: cluster up)"
	daemon_names "$what"
	read -ra names <<<"${REPLY//$'\n'/ }"
	[[ $verb == pid ]] || lock
	case $verb in
	start) daemon_start "$no_wait" "${names[@]}" || exit 1 ;;
	stop | kill)
		for one in "${names[@]}"; do
			"daemon_$verb" "$one" || failed+=" $one"
		done
		[[ -z $failed ]] || die "still running:$failed"
		;;
	ask)
		[[ $what == slurmd* ]] || misuse "only a slurmd can be asked"
		daemon_ask "${names[@]}"
		;;
	restart)
		for one in "${names[@]}"; do
			daemon_stop "$one" || die "still running: $one"
		done
		daemon_start "$no_wait" "${names[@]}" || exit 1
		;;
	pid)
		for one in "${names[@]}"; do
			daemon_running "$one" || die "$one is not running"
			say "$REPLY"
		done
		;;
	*) misuse "daemon: unknown verb $verb" ;;
	esac
}
