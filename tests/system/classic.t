#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# PriorityFlags=NO_FAIR_TREE: the same numbers as Slurm's own plugin, which
# then takes the same usage over; and the switch at a reconfigure.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

cluster_up --no-slurmctld --set PriorityFlags=NO_FAIR_TREE \
	--set PriorityDecayHalfLife=0 --set PriorityUsageResetPeriod=YEARLY
place_usage "$(date +%s)" <<-'END'
	physics ada 16000
	physics ben 18000
	chemistry cleo 9000
	bloggs.prj xyz789 2000
	bloggs.prj.high abc123 4000
	bloggs.prj.low ijk456 4500
END

# All that sshare says but the column of limits, without the root's line: its
# normalised usage is filled by one and not by the other.
shares() {
	in_cluster sshare -alPn -o account,user,rawshares,normshares,rawusage,normusage,effectvusage,fairshare |
		grep -v '^root||'
}

factor_is_below_one() { [[ $(share physics ada fairshare) == 0.[0-9]* ]]; }

rank_now() {
	daemon start slurmctld ||
		bail "slurmctld starts" "$(tail "$work/daemon.out")"
	wait_until factor_is_below_one ||
		bail "fair shares are there" "$(in_cluster sshare -al)"
}

# What sshare prints follows from RawShares and RawUsage.
verifies() { # TEXT
	in_cluster sshare -alP >"$work/sshare"
	"$build/tools/equitree" tree --verify "$work/sshare" >"$work/verified"
	is "$?|$(tail -n 1 "$work/verified")" "0|0 differences" "$1" ||
		diag "$(<"$work/verified")"
}

rank_now
ours=$(shares)
verifies "tree --verify: the classic numbers fit"
factor=$(awk 'BEGIN { printf "%.6f", 2 ^ -(34 / 53.5 / (1800 / 2948)) }')
# From 25.11 on sshare shows none of an account.
[[ ! $(slurmctld -V) =~ ' '(25\.11|26\.05)\. ]] || factor=
is "$(share physics "" normshares,fairshare)" "0.610583|$factor" \
	"an account's factor is 2^(-usage / shares)"
is "$(share bloggs.prj.high "" normshares)" 0.001528 \
	"shares are parts of the whole"
is "$(share bloggs.prj.high abc123 effectvusage)" \
	"$(share bloggs.prj.high "" effectvusage)" \
	"a user with Fairshare=parent has the parent's usage"

in_cluster sed -i 's/^PriorityFlags=.*/PriorityFlags=ACCRUE_ALWAYS/' \
	/etc/slurm/slurm.conf
in_cluster scontrol reconfigure
fair_tree() { [[ $(share bloggs.prj.high "" normshares) == 0.900901 ]]; }
ok "a reconfigure turns Fair Tree on: shares of the level" \
	wait_until fair_tree
ranked() { [[ $(share chemistry dan levelfs,fairshare) == "inf|"* ]]; }
ok "a reconfigure turns Fair Tree on: users are ranked" wait_until ranked
in_cluster sed -i 's/^PriorityFlags=.*/PriorityFlags=NO_FAIR_TREE/' \
	/etc/slurm/slurm.conf
in_cluster scontrol reconfigure
as_before() { [[ $(shares) == "$ours" ]]; }
ok "a reconfigure turns Fair Tree off: all is as before" wait_until as_before
in_cluster sed -i 's/^PriorityFlags=.*/PriorityFlags=DEPTH_OBLIVIOUS/' \
	/etc/slurm/slurm.conf
in_cluster scontrol reconfigure
is_oblivious() { [[ $(shares) != "$ours" && $(share physics ada fairshare) == 0.[0-9]* ]]; }
ok "a reconfigure turns DEPTH_OBLIVIOUS on" wait_until is_oblivious
verifies "tree --verify: the numbers of DEPTH_OBLIVIOUS fit"
in_cluster sed -i 's/^PriorityFlags=.*/PriorityFlags=NO_FAIR_TREE/' \
	/etc/slurm/slurm.conf
no_equitree_errors

daemon stop slurmctld
in_cluster sed -i -E '/^(PriorityType|JobSubmitPlugins)=/d' \
	/etc/slurm/slurm.conf
in_cluster bash -c 'echo PriorityType=priority/multifactor >>/etc/slurm/slurm.conf'
rank_now
is "$(shares)" "$ours" "Slurm's own plugin has the same numbers"
verifies "tree --verify: the classic numbers of Slurm's own plugin fit"
done_testing
