# shellcheck shell=bash disable=SC2154,SC2034
# SPDX-License-Identifier: GPL-2.0-or-later
# Messages, the cluster's folder, its lock, and processes known by id.
# Uses: base here name verbose (set by sandbox/cluster). Sets: dir.

say() { printf '%s\n' "$*"; }
note() { [[ -z $verbose ]] || say "$*"; }
warn() { printf 'cluster: %s\n' "$*" >&2; }

die() {
	warn "$*"
	exit 1
}

misuse() {
	warn "$* (cluster --help says more)"
	exit 2
}

need_value() { [[ -n ${2-} ]] || misuse "$1 needs a value"; }

need_root() { [[ $EUID == 0 ]] || die "must be root, to make namespaces"; }

set_dir() {
	[[ $name =~ ^[A-Za-z0-9][A-Za-z0-9_-]*$ ]] ||
		misuse "a name is letters, digits, - and _, not '$name'"
	# Absolute and plain: it goes into configuration files, and rm -rf
	# works on a folder below it. /run, /proc and /etc are replaced inside.
	[[ $base =~ ^(/[A-Za-z0-9_][A-Za-z0-9._-]*)+$ ]] ||
		die "the folder must be a plain absolute path, not '$base'"
	case $base/ in
	/run/* | /proc/* | /etc/* | /sys/* | /dev/*)
		die "the folder cannot be below ${base%"${base#/*/}"}"
		;;
	esac
	[[ $base/ != "${here%/*}"/* ]] ||
		die "the folder cannot be inside the sources"
	dir=$base/$name
}

# One command at a time changes a sandbox. The file is removed by purge, so
# after waiting for it the one that was locked may not be the one in place.
lock() {
	local file=$base/.$name.lock
	while :; do
		mkdir -p "$base"
		exec {lock_fd}>"$file"
		flock -w 300 "$lock_fd" ||
			die "sandbox $name is being changed by another command"
		[[ $file -ef /dev/fd/$lock_fd ]] && return
		exec {lock_fd}>&-
	done
}

unlock_and_forget() {
	rm -f "$base/.$name.lock"
	# What sandboxes share goes with the last one.
	compgen -G "$base/*/.equitree-sandbox" >/dev/null ||
		compgen -G "$base/.*.lock" >/dev/null ||
		rm -rf --one-file-system "${base:?}"/.database*
	rmdir --ignore-fail-on-non-empty "$base"
}

# A pipe of a caller, or the lock, must not live on in a daemon.
close_inherited() {
	local fd
	for fd in /proc/self/fd/*; do
		fd=${fd##*/}
		((fd > 2)) && eval "exec $fd>&-"
	done
	return 0
}

# The start time of process $1 in REPLY; fails if there is none (or a
# zombie). Together with the id it names one process for good.
process_start() {
	local stat
	{ read -r stat <"/proc/$1/stat"; } 2>/dev/null || return 1
	local -a field
	read -ra field <<<"${stat##*) }"
	[[ ${field[0]} != [ZX] ]] || return 1
	REPLY=${field[19]}
}

# A process is remembered in a file as "host-id start-time".
remember() { # FILE PID
	process_start "$2" || return 1
	printf '%s %s\n' "$2" "$REPLY" >"$1"
}

# The id of the remembered process in REPLY, if it still runs.
remembered() { # FILE
	local pid start
	{ read -r pid start <"$1"; } 2>/dev/null || return 1
	process_start "$pid" && [[ $REPLY == "$start" ]] || return 1
	REPLY=$pid
}

# Waits until a remembered process is gone.
await_gone() { # FILE SECONDS
	local end=$((SECONDS + $2))
	while remembered "$1"; do
		((SECONDS < end)) || return 1
		sleep 0.02
	done
}
