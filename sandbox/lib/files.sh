# shellcheck shell=bash disable=SC2154
# SPDX-License-Identifier: GPL-2.0-or-later
# The files of one sandbox, made from a site's.
# Uses: dir here base.sh, and the options that cmd_up read: site plugins stock
# settings backup.

readonly first_uid=30001

files_need_tools() {
	local tool missing=()
	PATH=$system_path
	for tool in munged munge mariadbd mariadb mariadb-install-db slurmdbd \
		slurmctld slurmd sacctmgr scontrol sinfo ip flock setpriv \
		unshare nsenter; do
		command -v "$tool" >/dev/null || missing+=("$tool")
	done
	[[ ${#missing[@]} == 0 ]] || die "not installed: ${missing[*]}"
	getent passwd mysql >/dev/null || die "the host has no user mysql"
}

# The release of the installed Slurm as a number, such as 2205, in REPLY.
slurm_release() {
	if [[ -z ${slurm_release_is-} ]]; then
		read -r _ slurm_release_is < <(PATH=$system_path slurmctld -V)
		slurm_release_is=${slurm_release_is%.*}
		slurm_release_is=$((10#${slurm_release_is/./}))
	fi
	REPLY=$slurm_release_is
}

# Slurm's plugin folder is where its private library is, too.
files_find_slurm_plugins() {
	local lib
	lib=$(ldd "$(command -v slurmctld)" |
		sed -n 's/.*libslurmfull\.so => \([^ ]*\) .*/\1/p')
	lib=${lib%/*}
	[[ -n $lib && -e $lib/priority_multifactor.so ]] ||
		die "cannot find Slurm's plugin folder"
	slurm_plugins=$lib
}

files_check_site() {
	local file
	for file in slurm.conf users accounts; do
		[[ -r $site/$file ]] || die "site $site has no file $file"
	done
	[[ -z $plugins || -d $plugins ]] || die "no folder $plugins"
	[[ -z $plugins || -n $(compgen -G "$plugins/*.so") ]] ||
		die "no plugins (*.so) in $plugins"
	[[ -n $stock || " ${settings[*]}" == *" PriorityType="* ||
		-e ${plugins:-$slurm_plugins}/priority_equitree.so ]] ||
		die "no equitree plugins: give --plugins DIR, or --stock"
}

# Only what a fresh cluster must not inherit is removed: with --keep the
# database, the state and the homes stay.
files_make() {
	local room rooms=(etc sys plugins bin man run mnt)
	[[ -n $keep ]] || rooms+=(db state spool log home dev)
	mkdir -p "$dir"
	: >"$dir/.equitree-sandbox"
	chmod 0755 "$dir"
	setpriv --reuid 65534 --regid 65534 --clear-groups test -x "$dir" ||
		die "users cannot reach $dir: a folder above it is closed"
	for room in "${rooms[@]}"; do
		rm -rf --one-file-system "${dir:?}/$room"
	done
	mkdir -p "$dir"/{etc,sys,plugins,run,mnt,db,state,spool,log,home,dev}
	chmod 0700 "$dir/sys"
	chown mysql: "$dir/db"
	files_plugins
	files_users
	files_system
	files_slurm
}

files_plugins() {
	[[ -n $plugins ]] || return 0
	cp -L "$plugins"/*.so "$dir/plugins/"
	chmod 0755 "$dir"/plugins/*
	[[ -x $plugins/equitree ]] || return 0
	mkdir -p "$dir/bin"
	install -m 0755 "$plugins/equitree" "$dir/bin/"
	[[ ! -d $plugins/man ]] || cp -rL "$plugins/man" "$dir/"
}

# The host's users and the site's. A site's user hides a host's of that name.
files_users() {
	local user uid=$first_uid users pattern
	mapfile -t users < <(sed 's/#.*//; s/[[:space:]]//g; /^$/d' "$site/users")
	pattern=$(IFS='|' && echo "${users[*]}")
	[[ $pattern =~ ^[a-z0-9_|-]*$ ]] || die "bad user name in $site/users"
	pattern="^(root|${pattern:-root}):"
	(
		umask 077
		grep -vE "$pattern" /etc/passwd >"$dir/sys/passwd" || :
		grep -vE "$pattern" /etc/group >"$dir/sys/group" || :
		grep -vE "$pattern" /etc/shadow >"$dir/sys/shadow" || :
	)
	files_user root 0
	for user in "${users[@]}"; do
		while grep -qx "$uid" < <(cut -d: -f3 "$dir"/sys/{passwd,group}); do
			uid=$((uid + 1))
		done
		files_user "$user" "$uid"
	done
	chmod 0644 "$dir"/sys/{passwd,group}
}

files_user() { # USER UID
	local home=$dir/home/$1
	echo "$1:x:$2:$2::$home:/bin/bash" >>"$dir/sys/passwd"
	echo "$1:x:$2:" >>"$dir/sys/group"
	echo "$1:*:19000:0:99999:7:::" >>"$dir/sys/shadow"
	mkdir -p "$home"
	chown "$2:$2" "$home"
}

files_system() {
	cat >"$dir/sys/hosts" <<-END
		127.0.0.1 localhost
		192.0.2.1 head
		192.0.2.2 spare
	END
	cat >"$dir/sys/nsswitch.conf" <<-END
		passwd: files
		group: files
		shadow: files
		hosts: files
	END
	(umask 077 && head -c 1024 /dev/urandom >"$dir/sys/munge.key")
	local gpu
	for gpu in "$dir"/dev/gpu{0..39}; do
		[[ -e $gpu ]] || mknod -m 0666 "$gpu" c 1 3 || : >"$gpu"
	done
}

files_slurm() {
	local file ours=$dir/plugins
	[[ -n $plugins ]] || ours=$slurm_plugins
	for file in "$site"/*; do
		[[ -f $file && ${file##*/} != README* ]] || continue
		sed "s|@DIR@|$dir|g
			s|@SLURMPLUGINS@|$slurm_plugins|g
			s|@PLUGINS@|$ours|g" \
			"$file" >"$dir/etc/${file##*/}"
	done
	mv "$dir"/etc/{users,accounts} "$dir/sys/"
	files_slurmdbd
	[[ -e $dir/etc/cgroup.conf ]] || files_cgroup
	files_settings
}

# slurmd looks for a cgroup mount unless told what to use: nothing, which
# 24.05 brought, or version 1, which touches nothing until it is asked to.
files_cgroup() {
	local plugin=disabled
	slurm_release
	((REPLY >= 2405)) || plugin=cgroup/v1
	echo "CgroupPlugin=$plugin" >"$dir/etc/cgroup.conf"
}

files_slurmdbd() {
	(umask 077 && cat >"$dir/etc/slurmdbd.conf") <<-END
		AuthType=auth/munge
		DbdHost=head
		SlurmUser=root
		StorageType=accounting_storage/mysql
		StorageHost=localhost
		StorageUser=slurm
		StorageLoc=slurm_acct_db
		LogFile=$dir/log/slurmdbd.log
		PidFile=/run/slurmdbd.pid
		DebugLevel=info
	END
	# Run by the server when it starts: the database, and a user that may
	# come in without a password because only root reaches the socket.
	cat >"$dir/run/database.sql" <<-'END'
		CREATE DATABASE IF NOT EXISTS slurm_acct_db;
		CREATE USER IF NOT EXISTS slurm@localhost;
		GRANT ALL ON slurm_acct_db.* TO slurm@localhost;
	END
}

files_settings() {
	local setting conf=$dir/etc/slurm.conf
	if [[ -n $stock ]]; then
		settings=(PriorityType=priority/multifactor JobSubmitPlugins=
			"${settings[@]}")
		: >"$dir/etc/plugstack.conf"
	fi
	for setting in "${settings[@]}"; do
		files_set "$conf" "$setting"
	done
	# Where daemons.sh looks for it, and the backup has a folder of its own:
	# a slurmctld ends whoever it finds in the file with its process id.
	files_set "$conf" "SlurmctldPidFile=$slurmctld_pid_file"
	# Two slurmctlds of one machine have one port, at an address each.
	if [[ -n $backup ]]; then
		printf '%s\n' SlurmctldHost=spare \
			CommunicationParameters=NoCtldInAddrAny >>"$conf"
		: >"$dir/run/backup"
	fi
}

# Puts one line of slurm.conf in place of the lines with its key. A node or a
# partition is known by its first word; a key without a value goes away.
files_set() { # FILE KEY=VALUE
	local new=$1.new
	WANT=$2 awk '
		function id(line,   word, key) {
			sub(/^[ \t]+/, "", line)
			split(line, word, /[ \t]/)
			key = tolower(word[1])
			if (key !~ /^(nodename|partitionname)=/)
				sub(/=.*/, "", key)
			return key
		}
		BEGIN {
			want = ENVIRON["WANT"]
			put = want !~ /=[ \t]*$/
		}
		id($0) != id(want) { print; next }
		put { print want; put = 0 }
		END { if (put) print want }
	' "$1" >"$new"
	cat "$new" >"$1"
	rm "$new"
}
