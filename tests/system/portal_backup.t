#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# budget { from_limits = yes } with two controllers: the backup follows a limit that sacctmgr has
# changed while none controlled, and the first one goes on from there. In a sandbox slurmdbd
# sends changes to the address of the first one alone, so none is made while the backup controls.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

equitree=$build/tools/equitree
made=$work/portal-site
cp -r "$system_dir/../../sandbox/sites/cedar" "$made"
echo 'budget { from_limits = yes }' >>"$made/equitree.conf"
cluster_up --site "$made" --backup --set SlurmctldTimeout=5 \
	--set PriorityDecayHalfLife=30-0
# More than all limits: by Slurm's own check nothing would start.
daemon stop slurmctld
place_usage "$(date +%s)" 5 <<<"physics ada 6000000 0 60000000" 2>/dev/null
daemon start slurmctld
nodes_up() { [[ $(in_cluster sinfo -h -o %T | sort -u) == idle ]]; }
wait_until nodes_up || bail "the nodes are there"

budget() { in_cluster timeout 60 "$equitree" budget "$@" 2>&1; }
limit() { in_cluster sacctmgr -iQ modify account physics set "GrpTRESMins=billing=$1" >/dev/null; } # MINUTES of a core
balance_is() { # AMOUNT COMMITTED, in minutes
	[[ $(budget list physics --csv --no-headings | awk -F, '{ printf "%.6g|%.6g\n", $5 * 60, $7 * 60 }') == "$1|$2" ]]
}
running() { [[ $(job_field "$1" JobState) == RUNNING ]]; }
waits() { [[ $(in_cluster scontrol -o show job "$1") == *Reason=Budget* ]]; }
job() { submit ada 600 -A physics -n1 -t60; }
controls() { # LOG COUNT
	(($(grep -c 'priority/equitree: loaded' "$1") >= $2))
}

limit 60
ok "a limit becomes a budget" wait_until balance_is 60 0
first=$(job)
ok "a job draws on it, whatever usage there is" wait_until running "$first"
second=$(job)
ok "what does not fit waits" wait_until waits "$second"
jobs_saved "$first" "$second" || bail "slurmctld has saved its jobs"

daemon kill slurmctld
limit 120
wait_until controls "$dir/log/slurmctld.backup.log" 1 || bail "the backup takes over"
ok "the backup raises the budget of before to the limit" wait_until balance_is 120 120
ok "the job that waited starts there, and Slurm's own check stops none" wait_until running "$second"
ok "the job that ran goes on" running "$first"
jobs_saved "$first" "$second" || bail "the backup has saved its jobs"

loads=$(grep -c 'priority/equitree: loaded' "$dir/log/slurmctld.log")
daemon start slurmctld || bail "the first one comes back" "$(tail "$work/daemon.out")"
wait_until controls "$dir/log/slurmctld.log" $((loads + 1)) || bail "the first one takes control back"
ok "the first one has what the backup wrote" wait_until balance_is 120 120
limit 90
in_cluster scancel "$first"
ok "a limit that is lowered lapses what a job returns" wait_until balance_is 90 60
third=$(job)
ok "what does not fit in the lowered limit waits" wait_until waits "$third"
verified() { [[ $(budget verify) == balanced:* ]]; }
ok "verify says balanced" wait_until verified
is "$(budget list physics --csv --no-headings | wc -l)" 1 "no controller has made a second budget"
done_testing
