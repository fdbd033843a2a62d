# shellcheck shell=bash disable=SC2154,SC2034
# SPDX-License-Identifier: GPL-2.0-or-later
# A whole sandbox: up, down, purge, status.
# Uses: dir here base.sh space.sh files.sh daemons.sh.

up_options() {
	site=$here/sites/cedar plugins='' stock='' keep='' no_slurmctld='' backup=''
	settings=()
	while [[ $# -gt 0 ]]; do
		case $1 in
		--site) need_value "$@" && site=$2 && shift ;;
		--plugins) need_value "$@" && plugins=$2 && shift ;;
		--set)
			[[ ${2-} == *?=* ]] || misuse "--set needs Key=Value"
			settings+=("$2") && shift
			;;
		--stock) stock=1 ;;
		--keep) keep=1 ;;
		--no-slurmctld) no_slurmctld=1 ;;
		--backup) backup=1 ;;
		-v) verbose=1 ;;
		*) misuse "up: unknown option $1" ;;
		esac
		shift
	done
	[[ -z $stock || -z $plugins ]] ||
		misuse "up: either --stock or --plugins"
}

cmd_up() {
	up_options "$@"
	files_need_tools
	files_find_slurm_plugins
	files_check_site
	lock
	if all_up; then
		say "sandbox $name is already up ($dir)"
		return
	fi
	exec {stderr_fd}>&2
	trap 'up_failed' EXIT
	trap 'exit 130' INT
	trap 'exit 143' TERM HUP
	local started=$EPOCHREALTIME
	space_kill
	files_make
	step "namespaces" "$dir/log/init.out" space_start
	step "slurm.conf" "$dir/run/nodes.err" up_nodes
	up_database
	up_slurm
	trap - EXIT
	say "sandbox $name is up: $(wc -l <"$dir/run/nodes") nodes," \
		"$(since "$started") s ($dir)"
}

since() {
	local us=$((${EPOCHREALTIME/[.,]/} - ${1/[.,]/}))
	printf '%d.%d' $((us / 1000000)) $((us / 100000 % 10))
}

step() { # NAME LOG COMMAND...
	local what=$1 log=$2
	shift 2
	"$@" && return
	warn "sandbox $name: $what failed"
	[[ ! -s $log ]] || tail -n 20 "$log" >&2
	exit 1
}

# A signal may come while stderr leads elsewhere.
up_failed() {
	local code=$?
	trap - EXIT
	exec 2>&"$stderr_fd"
	space_kill || :
	warn "sandbox $name was not brought up; its logs are in $dir/log"
	exit "$code"
}

# Asking for the node names is also the first reading of slurm.conf.
up_nodes() {
	local list
	list=$(sed -nE 's/^[ \t]*NodeName=([^ \t]+).*/\1/Ip' \
		"$dir/etc/slurm.conf" | grep -vix default | paste -sd,)
	space_run root scontrol show hostnames "$list" \
		>"$dir/run/nodes" 2>"$dir/run/nodes.err" &&
		[[ -s $dir/run/nodes ]]
}

up_database() {
	if [[ ! -d $dir/db/mysql ]]; then
		step "mariadb-install-db" "$dir/log/mariadb-install.out" \
			up_install_db
	fi
	daemon_start "" munged mariadb || exit 1
	daemon_start "" slurmdbd || exit 1
	[[ -n $keep && -e $dir/state/accounts-made ]] && return
	step "accounts of the site" "$dir/log/accounts.out" up_accounts
	: >"$dir/state/accounts-made"
}

# An empty database is the same for all sandboxes of this folder: made once, and copied.
# Purging the last sandbox removes it, maybe while it is copied: then without it.
up_install_db() {
	local made
	made=$base/.database-$(up_database_key)
	[[ -d $made ]] || up_keep_db "$made"
	cp -a "$made/." "$dir/db/" 2>/dev/null && return
	rm -rf --one-file-system "$dir/db"
	mkdir "$dir/db" && chown mysql: "$dir/db" && up_make_db "$dir/db"
}

# Another server, or another user of it, is another database.
up_database_key() {
	local server
	server=$(PATH=$system_path type -P mariadbd)
	stat -L -c "%s-%Y-$(id -u mysql)" "$server"
}

# Two may make it at a time: the first one stays.
up_keep_db() { # FOLDER
	local new
	new=$(mktemp -d "$base/.database.XXXXXX") || return 0
	chmod 0755 "$new"
	chown mysql: "$new"
	up_make_db "$new" && mv -T "$new" "$1" 2>/dev/null ||
		rm -rf --one-file-system "$new"
}

# Its own tmpdir: names of temporary tables hold the process id, and two
# sandboxes have the same ones.
up_make_db() { # FOLDER
	space_run root mariadb-install-db --no-defaults --user=mysql \
		--datadir="$1" --tmpdir="$1" --skip-test-db --skip-name-resolve \
		--innodb-log-file-size=16M \
		>"$dir/log/mariadb-install.out" 2>&1 </dev/null
}

up_accounts() {
	space_run root bash -eu "$dir/sys/accounts" \
		>"$dir/log/accounts.out" 2>&1 </dev/null
}

up_slurm() {
	local slurmds
	daemon_names slurmd
	mapfile -t slurmds <<<"$REPLY"
	# A slurmd that finds no slurmctld waits a second before it asks again.
	if [[ -z $no_slurmctld ]]; then
		daemon_start "" slurmctld || exit 1
		[[ -z $backup ]] || daemon_start "" slurmctld.backup || exit 1
	fi
	daemon_start "$no_slurmctld" "${slurmds[@]}" || exit 1
}

all_up() {
	local one
	space_running || return 1
	daemon_all
	for one in $REPLY; do
		daemon_running "$one" || return 1
	done
}

cmd_down() {
	[[ $# == 0 ]] || misuse "down takes no arguments"
	[[ -d $dir ]] || die "there is no sandbox $name"
	lock
	down_orderly
	say "sandbox $name is down ($dir)"
}

down_orderly() {
	local one
	space_running || return 0
	daemon_all
	for one in slurmctld ${REPLY#*slurmctld} slurmdbd mariadb munged; do
		daemon_stop "$one" ||
			warn "$one did not stop in time and is killed"
	done
	space_kill || die "sandbox $name: its processes do not end"
}

# What is removed is a folder that files_make has marked as a sandbox.
cmd_purge() {
	[[ $# == 0 ]] || misuse "purge takes no arguments"
	lock
	if [[ -e $dir ]]; then
		[[ -f $dir/.equitree-sandbox && ! -L $dir ]] ||
			die "$dir is no sandbox, not removed"
		space_kill || die "sandbox $name: its processes do not end"
		rm -rf --one-file-system "${dir:?}"
	fi
	unlock_and_forget
}

# Without -n: each sandbox of this machine, and whether it is up.
status_all() {
	local marker found=
	for marker in "$base"/*/.equitree-sandbox; do
		[[ -e $marker ]] || continue
		found=1
		name=$(basename "$(dirname "$marker")")
		set_dir
		if space_running; then
			printf '%-24s up\n' "$name"
		else
			printf '%-24s down\n' "$name"
		fi
	done
	[[ $found ]] || say "there is no sandbox in $base"
}

cmd_status() {
	local one state code=0
	[[ $# == 0 ]] || misuse "status takes no arguments"
	if [[ -z $name_given ]]; then
		status_all
		return
	fi
	daemon_all
	printf '%-16s %8s  %s\n' DAEMON PID STATE
	for one in $REPLY; do
		state=up
		daemon_running "$one" || { REPLY=- state=down code=3; }
		printf '%-16s %8s  %s\n' "$one" "$REPLY" "$state"
	done
	return "$code"
}
