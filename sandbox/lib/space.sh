# shellcheck shell=bash disable=SC2154
# SPDX-License-Identifier: GPL-2.0-or-later
# The namespaces of one sandbox: made, entered, ended.
# Uses: dir here base.sh.

# A Slurm of its own prefix comes before that of the machine.
slurm_prefix=${EQUITREE_SLURM_PREFIX-}
readonly system_path=${slurm_prefix:+$slurm_prefix/bin:$slurm_prefix/sbin:}/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin

# True while the sandbox's first process lives; its id in REPLY.
space_running() { remembered "$dir/run/init"; }

# unshare keeps the mounts private to the namespace; --kill-child and the pid
# namespace see to it that nothing inside outlives the first process.
space_start() {
	rm -f "$dir/run/init" "$dir/run/ready"
	(
		close_inherited
		exec setsid unshare --mount --pid --net --uts --ipc --fork \
			--kill-child env -i PATH="$system_path" \
			bash "$here/lib/init.sh" "$dir" \
			</dev/null >"$dir/log/init.out" 2>&1
	) &
	local starter=$!
	until [[ -e $dir/run/ready ]]; do
		process_start "$starter" || return 1
		sleep 0.01
	done
	local init
	read -r init <"$dir/run/ready"
	remember "$dir/run/init" "$init"
}

space_kill() {
	space_running || return 0
	kill -KILL "$REPLY" 2>/dev/null || :
	await_gone "$dir/run/init" 10
}

# Replaces this shell by a command inside, in the user's home, with the
# environment of a fresh login. --root matters when we are in a chroot:
# entering the mount namespace alone would lead out of it.
space_exec() { # USER CMD [ARG...]
	local user=$1 login uid gid home init
	shift
	space_running || die "sandbox $name is not up"
	init=$REPLY
	while IFS=: read -r login _ uid gid _ home _; do
		[[ $login != "$user" ]] || break
	done <"$dir/sys/passwd"
	[[ $login == "$user" ]] || die "no user $user in sandbox $name"
	[[ -d $home ]] || home=/
	# The command and its pages, where `up` was given them.
	[[ ! -d $dir/bin && ! $slurm_prefix ]] || set -- env "PATH=$dir/bin:$system_path" \
		"MANPATH=$dir/man:" "$@"
	exec nsenter --target "$init" --mount --pid --net --uts --ipc --root \
		--wdns="$home" -- setpriv --reuid "$uid" --regid "$gid" \
		--init-groups --reset-env "$@"
}

space_run() { (space_exec "$@"); }

# The host's id, in REPLY, of the process that is $1 inside.
space_host_pid() {
	local statuses status pid ns
	space_running || return 1
	ns=$(readlink "/proc/$REPLY/ns/pid")
	mapfile -t statuses < <(grep -lsE "^NSpid:.*[[:space:]]$1\$" \
		/proc/[0-9]*/status)
	for status in "${statuses[@]}"; do
		pid=${status#/proc/}
		pid=${pid%/status}
		[[ $(readlink "/proc/$pid/ns/pid") == "$ns" ]] || continue
		REPLY=$pid
		return 0
	done
	return 1
}
