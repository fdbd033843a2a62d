# shellcheck shell=bash disable=SC2154
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The cluster of bench/live, bench/throughput and bench/instructions: users u1, u2, ...
# in accounts a1, a2, ..., an association of each with each, on which nothing starts.
# Uses: top work users accounts (set by who sources this).

cluster() { # ARGUMENT...
	"$top/sandbox/cluster" -n "bench-$$" "$@"
}

# sacctmgr takes minutes for what the database is given here in one go: accounts
# below root, the users in each, and the places of all in the tree.
site_sql() {
	local width=$((2 * users + 2))
	cat <<-END
		set @now = unix_timestamp();
		insert into acct_table (creation_time, mod_time, name, description,
			organization)
		select @now, @now, concat('a', seq), 'bench', 'bench'
		from seq_1_to_$accounts;
		insert into user_table (creation_time, mod_time, name)
		select @now, @now, concat('u', seq) from seq_1_to_$users;
		insert into cedar_assoc_table (creation_time, mod_time, acct,
			parent_acct, shares, lft, rgt)
		select @now, @now, concat('a', seq), 'root', 10,
			4 + (seq - 1) * $width, 3 + seq * $width
		from seq_1_to_$accounts;
		insert into cedar_assoc_table (creation_time, mod_time, acct, user,
			is_def, shares, lft, rgt)
		select @now, @now, concat('a', a.seq), concat('u', u.seq),
			a.seq = 1, 10, 3 + (a.seq - 1) * $width + 2 * u.seq,
			4 + (a.seq - 1) * $width + 2 * u.seq
		from seq_1_to_$accounts a, seq_1_to_$users u;
		update cedar_assoc_table set rgt = 4 + $accounts * $width
		where acct = 'root' and user = '';
	END
}

site_make() {
	cp -r "$top/sandbox/sites/cedar" "$work/site"
	seq -f u%g "$users" >"$work/site/users"
	cat >"$work/site/accounts" <<-END
		sacctmgr -iQ add cluster cedar
		mariadb --no-defaults -S /run/mysqld/mysqld.sock slurm_acct_db <<'SQL'
		$(site_sql)
		SQL
	END
}

# A fresh one. The scheduler looks for work all the same, but not at each
# submission.
site_up() { # OPTION...
	cluster purge || true
	cluster up --site "$work/site" "$@" --set MaxJobCount=300000 \
		--set PriorityParameters= --set SlurmctldDebug=error \
		--set SchedulerParameters=defer,batch_sched_delay=60,sched_min_interval=60000000,bf_interval=600 \
		>"$work/up.out" 2>&1 ||
		{ tail -n 20 "$work/up.out" >&2 && exit 1; }
	site_drain
}

site_drain() {
	cluster run scontrol update nodename=ALL state=drain reason=bench
}

# The configurations of bench/turns: without a submission plugin (a, c), with ours (b).
site_turns() {
	local conf
	conf=$(cluster path)/etc/slurm.conf
	grep -q '^JobSubmitPlugins=equitree$' "$conf"
	cp "$conf" "$conf.b"
	sed '/^JobSubmitPlugins=/d' "$conf.b" >"$conf.a"
	cp "$conf.a" "$conf.c"
}
