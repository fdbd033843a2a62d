#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What users and operators do to jobs that wait and run, and what others may
# see of it: top, site factor, requeue, resize, sprio's sort and cluster, private
# data; limits that need the plugin's run-seconds and usage. With STOCK=1 it is
# Slurm's own plugin that must pass.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

release=$(slurmctld -V | sed -E 's/^[^ ]* ([0-9]+)\.([0-9]+).*/\1\2/')
plugin=()
[[ ! ${STOCK-} ]] || plugin=(--stock)
cluster_up "${plugin[@]}" --set PriorityCalcPeriod=1 \
	--set PriorityDecayHalfLife=0 --set PriorityUsageResetPeriod=YEARLY \
	--set PriorityWeightAge=0 --set SchedulerParameters=batch_sched_delay=0,sched_min_interval=1,sched_interval=1,bf_interval=1,enable_user_top
manage() { in_cluster sacctmgr -iQ "$@" >>"$work/sacctmgr.out" 2>&1; }
nodes_up() { [[ $(in_cluster sinfo -h -o %T | sort -u) == idle ]]; }
wait_until nodes_up || bail "the nodes are there"
reason_is() { [[ $(job_field "$1" Reason) == "$2" ]]; }
points() { in_cluster sprio -h -j "$1" -o "$2" | tr -d ' '; } # ID FORMAT
priority() { job_field "$1" Priority; }

# ---- Jobs that wait ----------------------------------------------------------

filler=$(submit root 600 -p gpu -w gpu1 --exclusive)
wait_until job_is "$filler" RUNNING || bail "the node is taken"
wait_for_it() { submit "$1" 1 -p gpu -w gpu1 -n1 -t 5; }
first=$(wait_for_it dan)
second=$(wait_for_it dan)
cleo=$(wait_for_it cleo)
in_sprio() { [[ $(points "$1" %i) == "$1" ]]; }
wait_until in_sprio "$cleo"
before=$(priority "$first")
is "$(priority "$second")" "$before" "two jobs of a user have one priority"
as dan scontrol top "$second" || bail "scontrol top is taken"
ok "scontrol top: the job goes before the other one" \
	calc "$(priority "$second") > $(priority "$first")"
nicer() { calc "$(points "$second" %N) < $(points "$first" %N)"; }
ok "sprio tells it as nice" wait_until nicer

now=$(priority "$cleo")
in_cluster scontrol update jobid="$cleo" sitefactor=5000
is "$(priority "$cleo")" "$(value "$now + 5000")" \
	"an operator's site factor is added"
is "$(points "$cleo" %S)" 5000 "sprio has it in the column SITE"
in_cluster scontrol update jobid="$cleo" sitefactor=0
is "$(priority "$cleo")" "$now" "points of an operator are taken off again"
in_cluster scontrol update jobid="$cleo" nice=700
is "$(priority "$cleo")" "$(value "$now - 700")" "nice is taken off"

sorted() { in_cluster sprio -h -S "$1" -o "%Y %i" | awk '{ print $1 }' | xargs; }
up=$(in_cluster sprio -h -o %Y | tr -d ' ' | sort -n | xargs)
is "$(sorted Y)" "$up" "sprio -S Y sorts by priority"
is "$(sorted -Y)" "$(tr ' ' '\n' <<<"$up" | sort -rn | xargs)" \
	"sprio -S -Y the other way round"
is "$(in_cluster sprio -M cedar -h -j "$cleo" -o %i | tr -d ' ')" "$cleo" \
	"sprio -M asks the cluster of that name"

# ---- Private data ------------------------------------------------------------

sees() { as "$1" sprio -h -o %u | tr -d ' ' | sort -u | xargs; } # USER
is "$(sees dan)" "cleo dan" "everybody sees all jobs in sprio"
sed -i '$a PrivateData=jobs,usage' "$dir/etc/slurm.conf"
in_cluster scontrol reconfigure
is "$(sees dan)" dan "PrivateData=jobs: a user sees his own in sprio"
is "$(sees root)" "cleo dan" "root sees all jobs in sprio"
rows() { as "$1" sshare -al -nPo user | sort -u | xargs; }
is "$(rows dan)" dan "PrivateData=usage: a user sees his own usage in sshare"
like "$(in_cluster sshare -al -nPo user | sort -u | xargs)" "ada.*ben.*dan" \
	"root sees all users in sshare"
in_cluster scancel "$first" "$second" "$cleo" "$filler"

# ---- Jobs that run -----------------------------------------------------------

price=2.5 # of 2 cores with the memory of 2.5
[[ ! ${STOCK-} ]] || price=2
charged() { # ACCOUNT USER SECONDS: within a second of what it should be
	local raw
	raw=$(share "$1" "$2" rawusage)
	calc "$raw >= $price * ($3) - 2 * $price &&
		$raw <= $price * ($3) + 2 * $price"
}
two_runs() { (($(account_of "$1" ElapsedRaw | wc -l) >= 2)); }
again=$(submit ada 60 -n2 --mem=10000M -t 5 --requeue)
wait_until job_is "$again" RUNNING || bail "ada's job runs"
in_cluster sleep 4
in_cluster scontrol requeue "$again"
wait_until two_runs "$again" || wait_until job_is "$again" PENDING
in_cluster scancel "$again"
wait_until jobs_ended "$again" || bail "accounting knows the first run"
ran=$(account_of "$again" State,ElapsedRaw | awk -F'|' \
	'/REQUEUED|NODE_FAIL/ { s += $2 } END { print s + 0 }')
ok "requeue: the first run took some seconds" calc "$ran >= 3"
ok "requeue: it is charged, and the wait for the second one is not" \
	wait_until charged physics ada "$ran"

# ---- Limits --------------------------------------------------------------------

manage modify account chemistry set grptresrunmins=cpu=10
one=$(submit cleo 600 -n1 -t 6)
wait_until job_is "$one" RUNNING || bail "cleo's job runs"
two=$(submit dan 1 -n1 -t 6)
ok "GrpTRESRunMins: six minutes run, six more would be too many" \
	wait_until reason_is "$two" AssocGrpCPURunMinutesLimit
three=$(submit dan 1 -n1 -t 2)
ok "GrpTRESRunMins: two more are not" wait_until jobs_ended "$three"
in_cluster scancel "$one"
ok "GrpTRESRunMins: what the first one did not use is free again" \
	wait_until jobs_ended "$two"
manage modify account chemistry set grptresrunmins=cpu=-1

manage modify user cleo set maxtresmins=cpu=4
four=$(submit cleo 1 -n2 -t 3)
ok "MaxTRESMins: two cores for three minutes are more than four" \
	wait_until reason_is "$four" AssocMaxCpuMinutesPerJobLimit
five=$(submit cleo 1 -n2 -t 2)
ok "MaxTRESMins: for two minutes they are not" wait_until jobs_ended "$five"
in_cluster scancel "$four"

# safe: a job starts only when what it may use is left.
manage modify account bloggs.prj.low set grptresmins=cpu=3
six=$(submit xyz789 1 -A bloggs.prj.low -n2 -t 2)
ok "safe: four minutes are not left of three" \
	wait_until reason_is "$six" AssocGrpCPUMinutesLimit
manage modify account bloggs.prj.low set grptresmins=cpu=5
ok "safe: of five they are" wait_until jobs_ended "$six"

# ben has used nothing, ada has. slurmctld looks at the factor only where fair share has
# no weight: otherwise it takes points for it. Up to 25.05 that is the classic factor;
# from 25.11 on it is the one of sshare, a rank with Fair Tree.
sed -i 's/^PriorityWeightFairshare=.*/PriorityWeightFairshare=0/' \
	"$dir/etc/slurm.conf"
in_cluster scontrol reconfigure
threshold=0.95
if ((release >= 2511)); then
	ranks_differ() {
		local ada ben
		ada=$(share physics ada fairshare) ben=$(share physics ben fairshare)
		threshold=$(awk -v a="$ada" -v b="$ben" 'BEGIN {
			if (b > a) print (a + b) / 2
		}')
		[[ $threshold ]]
	}
	wait_until ranks_differ || bail "ben has a higher rank than ada"
fi
manage add qos good set usagethreshold="$threshold" flags=EnforceUsageThreshold
manage modify user ada,ben set qos+=good
known() { grep -q good < <(in_cluster scontrol show assoc_mgr qos=good \
	flags=qos); }
wait_until known || bail "slurmctld knows the QOS"
poor=$(submit ada 1 -n1 -q good)
ok "UsageThreshold: who has used too much waits" \
	wait_until reason_is "$poor" QOSUsageThreshold
in_cluster scancel "$poor"
rich=$(submit ben 1 -n1 -q good)
ok "UsageThreshold: who has not runs" wait_until jobs_ended "$rich"

[[ ${STOCK-} ]] || no_equitree_errors
done_testing
