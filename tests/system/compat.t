#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# PriorityParameters=stock_compat on a real slurmctld: tied accounts are ranked as
# by Slurm's own plugin, which then takes over. A misspelled word is refused.
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

params stock_compta
at=$(log_size)
in_cluster scontrol reconfigure
refused='PriorityParameters: unknown word "stock_compta", did you mean "stock_compat"\?'
ok "a misspelled word at a reconfigure: the log names it and the nearest" \
	wait_until log_has "$at" "error: priority/equitree: $refused"
ok "a misspelled word at a reconfigure: slurmctld runs on" daemon pid slurmctld
is "$(shares)" "$ties" \
	"a misspelled word at a reconfigure: the previous words stay in force"
daemon stop slurmctld

at=$(log_size)
if daemon start slurmctld; then
	fail "a misspelled word at the start: slurmctld does not start"
	daemon stop slurmctld
else
	pass "a misspelled word at the start: slurmctld does not start"
fi
like "$(log_since "$at" | grep PriorityParameters)" "equitree: $refused" \
	"a misspelled word at the start: the log names it and the nearest"

# From here on usage is what slurmctld itself has saved.
params Stock_Compat,period=3600,mine=1
start_and_rank
compat=$(shares)
is "$compat" "$ties" "stock_compat: the ranks of stock_ties"
is "$(grep -c 'unknown word "mine' "$dir/log/slurmctld.log")" 0 \
	"a site's own word is left alone"
daemon stop slurmctld

in_cluster sed -i -E '/^(PriorityType|JobSubmitPlugins)=/d' \
	/etc/slurm/slurm.conf
in_cluster bash -c 'echo PriorityType=priority/multifactor >>/etc/slurm/slurm.conf'
start_and_rank
is "$(shares)" "$compat" "Slurm's own plugin has the numbers of stock_compat"
done_testing
