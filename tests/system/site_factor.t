#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A site's own PrioritySiteFactorPlugin: slurmctld has it called by the priority
# plugin. Its points count beside access_weight's, and an operator's stay.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

module=$build/tests/system/.libs/site_factor_test.so
[[ -e $module ]] || skip_all "site_factor_test.so is not built in $build"
collect_plugins
cp "$module" "$work/plugins/"
made=$(site groups)
echo 'priority { access_weight = 1000000 }' >>"$made/equitree.conf"
cluster_up --site "$made" --set PrioritySiteFactorPlugin=site_factor/test \
	--set "PrioritySiteFactorParameters=3000,70000" \
	--set PriorityParameters=period=3600 --set SlurmctldDebug=debug \
	--set PriorityWeightAge=0 --set PriorityWeightFairshare=0

saw() { log_has "$position" "site_factor/test: $1"; }
mark() { position=$(log_size); }
wait_job() { submit "$1" 1 -n1 -t 5 -b now+1hour; }
points() { # JOB: of sprio, which knows a job that may start only
	in_cluster sprio -h -j "$1" -o %S | tr -d ' '
}
points_are() { [[ $(points "$1") == "$2" ]]; }
priority_is() { [[ $(job_field "$1" Priority) == "$2" ]]; }

position=0
ok "the site factor plugin is loaded with its parameters" saw 'init: 3000,70000'

# ---- Its points ----------------------------------------------------------------

# All cores are taken, so that a job waits; passes are an hour apart.
filler=$(submit root 600 -N2 --exclusive -p cpu)
wait_until job_is "$filler" RUNNING || bail "the cluster is full"
pass_now
job=$(submit two 1 -n1 -t 5)
wait_until points_are "$job" 3000 || diag "$(points "$job")"
is "$(points "$job")" 3000 "set: a new job has the points that it gives"
is "$(job_field "$job" Priority)" 3000 "points of the site factor are in the priority"
mark
pass_now
ok "a pass calls update" saw update
ok "with what it has changed, and equal access beside it" \
	wait_until points_are "$job" 1070000
is "$(job_field "$job" Priority)" 1070000 "the site factor and equal access are in the priority"
is "$(in_cluster sprio -h -j "$job" -o %Y | tr -d ' ')" 1070000 \
	"as sprio tells it"

# ---- An operator's -------------------------------------------------------------

in_cluster scontrol update JobId="$job" SiteFactor=500
is "$(points "$job")" 1000500 "an operator's site factor takes their place"
is "$(job_field "$job" Priority)" 1000500 "in the priority as well"
pass_now
is "$(points "$job")" 1000500 "a changed site factor stays through an update that leaves it alone"
in_cluster scontrol update JobId="$job" AdminComment=seen SiteFactor=-400
is "$(points "$job")" 999600 "the site factor may be below 0"

# ---- Other parameters ------------------------------------------------------------

sed -i 's/^PrioritySiteFactorParameters=.*/PrioritySiteFactorParameters=11,11/' \
	"$dir/etc/slurm.conf"
mark
in_cluster scontrol reconfigure
ok "a reconfigure hands it what slurm.conf has then" \
	wait_until saw '(reconfig|init): 11,11'
other=$(submit three 1 -n1 -t 5)
pass_now
ok "the reconfigured site factor counts for a new job" wait_until points_are "$other" 1000011
is "$(points "$job")" 999600 "the one of before keeps its own"

daemon restart slurmctld
pass_now
is "$(points "$other") $(points "$job")" "1000011 999600" \
	"a restart keeps the points of both"
mark
daemon stop slurmctld
ok "the site factor plugin is told of the end of a job" saw fini
daemon start slurmctld

# ---- Without it --------------------------------------------------------------------

# Earlier releases report a plugin that is not there, and all else goes on. Later
# ones would call what they have not: slurmctld must not start.
sed -i 's|^PrioritySiteFactorPlugin=.*|PrioritySiteFactorPlugin=site_factor/gone|' \
	"$dir/etc/slurm.conf"
daemon stop slurmctld
mark
if daemon start slurmctld; then
	last=$(submit two 1 -n1 -t 5)
	pass_now
	ok "without the plugin a job has its other points" \
		calc "$(points "$last") > 0"
	is "$(points "$other")" 1000011 "without the plugin an older job keeps the site factor that it had"
	no_equitree_errors
else
	ok "without the plugin slurmctld does not start, and says why" log_has \
		"$position" 'error: priority/equitree: PrioritySiteFactorPlugin=site_factor/gone cannot be loaded'
	isnt "$(daemon pid slurmctld && echo up)" up "without the site factor plugin slurmctld does not run"
fi
done_testing
