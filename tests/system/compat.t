#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# PriorityParameters=stock_compat on a real slurmctld: tied accounts are ranked as
# by Slurm's own plugin, which then takes over.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

cluster_up --no-slurmctld --site "$(site ties)" \
	--set PriorityDecayHalfLife=0 --set PriorityUsageResetPeriod=YEARLY \
	--set PriorityParameters=mine=1
place_usage "$(date +%s)" <<-'END'
	a u1 3128
	a u2 6872
	b u3 6000
	b u4 3000
	c c1 500
	c c2 1500
END

# All that sshare says but the column of limits.
shares() {
	in_cluster sshare -alPn -o account,user,rawshares,normshares,rawusage,normusage,effectvusage,levelfs,fairshare
}

level_of_u3() { [[ $(share b u3 levelfs) == 1.125000 ]]; }

start_and_rank() {
	daemon start slurmctld ||
		bail "slurmctld starts" "$(tail "$work/daemon.out")"
	wait_until level_of_u3 ||
		bail "the tree is ranked" "$(in_cluster sshare -al)"
}

params() { # WORDS
	in_cluster sed -i "s/^PriorityParameters=.*/PriorityParameters=$1/" \
		/etc/slurm/slurm.conf
}

start_and_rank
ours=$(shares)

params stock_ties
in_cluster scontrol reconfigure
changed() { [[ $(shares) != "$ours" ]]; }
ok "stock_ties at a reconfigure: other ranks" wait_until changed
ties=$(shares)
daemon stop slurmctld

# From here on usage is what slurmctld itself has saved.
params Stock_Compat,stock_typo,period=3600,mine=1
start_and_rank
compat=$(shares)
is "$compat" "$ties" "stock_compat: the ranks of stock_ties"
ok "an unknown word is told" \
	log_has 0 'equitree: PriorityParameters: unknown word stock_typo'
is "$(grep -c 'unknown word mine' "$dir/log/slurmctld.log")" 0 \
	"a site's own word is left alone"
daemon stop slurmctld

in_cluster sed -i -E '/^(PriorityType|JobSubmitPlugins)=/d' \
	/etc/slurm/slurm.conf
in_cluster bash -c 'echo PriorityType=priority/multifactor >>/etc/slurm/slurm.conf'
start_and_rank
is "$(shares)" "$compat" "Slurm's own plugin has the numbers of stock_compat"
done_testing
