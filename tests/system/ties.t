#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Tied accounts: the users below them are ranked as one level, as Slurm's
# documentation of Fair Tree has it, and not as its own plugin does it.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

# Brings slurmctld up with this usage of u3 and u4; the others' stays.
start_with() { # U3 U4 LEVEL_OF_U3
	place_usage "$(date +%s)" <<-END
		a u1 3128
		a u2 6872
		b u3 $1
		b u4 $2
		c c1 500
		c c2 1500
	END
	start_and_rank "$3"
}

level_of_u3() { [[ $(share b u3 levelfs) == "$1" ]]; }

start_and_rank() { # LEVEL_OF_U3
	daemon start slurmctld ||
		bail "slurmctld starts" "$(tail "$work/daemon.out")"
	wait_until level_of_u3 "$1" ||
		bail "the tree is ranked" "$(in_cluster sshare -al)"
}

# Lines "USER ACCOUNT LEVEL_FS RANK", the rank being that among 7.
check() {
	local user account level rank
	while read -r user account level rank; do
		is "$(share "$account" "$user" levelfs,fairshare)" \
			"$level|$(awk "BEGIN { printf \"%.6f\", $rank / 7 }")" \
			"$user in $account: level $level, fair share $rank/7"
	done
}

# No decay, so that the numbers stay what they are.
cluster_up --no-slurmctld --site "$(site ties)" \
	--set PriorityDecayHalfLife=0 --set PriorityUsageResetPeriod=YEARLY

# Both users of b come between those of a.
start_with 6000 3000 1.125000
is "$(in_cluster sshare -aPn -o user | grep -c '[^ ]')" 7 \
	"7 user associations share the cluster"
is "$(share a "" levelfs) $(share b "" levelfs)" "0.000000 0.000000" \
	"accounts a and b are tied: no shares, some usage"
check <<'END'
root root inf 7
c1 c 2.000000 6
c2 c 0.666667 5
u1 a 2.397698 4
u3 b 1.125000 3
u4 b 0.750000 2
u2 a 0.363795 1
END

# The users of b come first and last.
daemon stop slurmctld
start_with 500 8500 13.500000
check <<'END'
u3 b 13.500000 4
u1 a 2.397698 3
u2 a 0.363795 2
u4 b 0.264706 1
END

# Users that are tied in tied accounts share a rank, and the next one's rank
# counts all that are before it.
daemon stop slurmctld
start_with 3128 6872 2.397698
check <<'END'
u1 a 2.397698 4
u3 b 2.397698 4
u2 a 0.363795 2
u4 b 0.363795 2
END
no_equitree_errors

# The first case's usage under Slurm's own plugin, which takes over the files
# that slurmctld saved. So a site can go back; and its ranks, which are known
# to differ, show that the first case tells the two apart.
daemon stop slurmctld
start_with 6000 3000 1.125000
daemon stop slurmctld
sed -i -E '/^(PriorityType|JobSubmitPlugins)=/d' "$dir/etc/slurm.conf"
echo PriorityType=priority/multifactor >>"$dir/etc/slurm.conf"
start_and_rank 1.125000
is "$(share b u3 rawusage)" 6000 "usage lives on under Slurm's own plugin"
check <<'END'
u1 a 2.397698 4
u2 a 0.363795 3
u3 b 1.125000 3
u4 b 0.750000 1
END

done_testing
