#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The command beside a live cluster: it tells what Slurm's own commands tell.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

equitree=$build/tools/equitree

# No decay, so that the numbers stay what they are.
cluster_up --no-slurmctld \
	--set PriorityDecayHalfLife=0 --set PriorityUsageResetPeriod=YEARLY
place_usage "$(date +%s)" <<'END'
physics ada 4000000
physics ben 2000000
chemistry cleo 1000000
chemistry dan 3000000
bloggs.prj abc123 8000000
bloggs.prj.high ijk456 500
bloggs.prj.low xyz789 70000
END
daemon start slurmctld || bail "slurmctld starts" "$(tail "$work/daemon.out")"
ranked() { [[ $(share physics ben fairshare) == 0.92* ]]; }
wait_until ranked || bail "the tree is ranked" "$(in_cluster sshare -al)"

# "ACCOUNT USER FAIRSHARE" of all users, six decimals.
of_sshare() {
	in_cluster sshare -aPn -o account,user,fairshare |
		awk -F'|' '$2 != "" { sub(/^ */, ""); print $1, $2, $3 }'
}
of_equitree() { # OPTION...
	in_cluster "$equitree" tree --json "$@" | awk -F'"' '
		$2 == "account" { account = $4 }
		$2 == "user" { user = $4 }
		$2 == "fair_share" && user != "" {
			printf "%s %s %.6f\n", account, user, substr($3, 3)
		}'
}
sshare=$(of_sshare)
is "$(of_equitree)" "$sshare" \
	"equitree tree gives each user the FairShare of sshare"
is "$(of_equitree --stock)" "$sshare" "and so it does by Slurm's own rule here"
like "$(in_cluster "$equitree" tree --user ben)" 'ben +10 +0.5000 +2000000 ' \
	"a table for one user"

in_cluster sshare -alP >"$work/saved"
is "$("$equitree" tree --shares "$work/saved" --json)" \
	"$(in_cluster "$equitree" tree --json)" \
	"the saved output gives the same, outside the cluster"
in_cluster sacctmgr -iQ modify account physics set fairshare=9 >/dev/null
changed=$("$equitree" tree --shares "$work/saved" --set physics=9 --json)
live_shares() { in_cluster sshare -alP | grep -q '^ physics||9|'; }
wait_until live_shares
pass_now
is "$(in_cluster "$equitree" tree --json)" "$changed" \
	"--set tells beforehand what sacctmgr will do"
no_equitree_errors
done_testing
