#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What limits and QOS need of the plugin: used and promised TRES-minutes, wall
# time, UsageFactor, NoDecay, reset and decay of usage, and usage that is
# charged even where no limits are enforced.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

cluster_up --no-slurmctld \
	--set PriorityDecayHalfLife=0 --set PriorityUsageResetPeriod=YEARLY
manage() { in_cluster sacctmgr -iQ "$@" >>"$work/sacctmgr.out" 2>&1; }
manage add qos free set usagefactor=0
manage add qos double set usagefactor=2
manage add qos lasting set flags=NoDecay
manage modify user ijk456 set qos=normal,free,double,lasting
manage modify account physics set grptresmins=cpu=4
manage modify account chemistry set grpwall=2
manage modify account bloggs.prj.low set grptresmins=cpu=2

qos_id() { in_cluster sacctmgr -nP show qos "$1" format=id; }
declare -A qos
for name in normal free double lasting; do
	qos[$name]=$(qos_id $name)
done
qos_usage() { saved_row q "${qos[$1]}" | cut -d' ' -f1; }
restart() { # KEY=VALUE...
	local now
	daemon stop slurmctld
	set_keys "$@"
	now=$(date +%s)
	daemon start slurmctld ||
		bail "slurmctld starts" "$(tail "$work/daemon.out")"
	wait_until saved_since "$now"
}
set_keys() { # KEY=VALUE...
	local one
	for one in "$@"; do
		sed -i "/^${one%%=*}=/d" "$dir/etc/slurm.conf"
		echo "$one" >>"$dir/etc/slurm.conf"
	done
}
reason_is() { [[ $(job_field "$1" Reason) == "$2" ]]; }

place_usage "$(date +%s)" <<'END'
chemistry cleo 100 119.5
bloggs.prj.low abc123 100 100 100
END
restart
nodes_up() { [[ $(in_cluster sinfo -h -o %T | sort -u) == idle ]]; }
wait_until nodes_up || bail "the nodes are there"

# ---- TRES-minutes and wall time --------------------------------------------

# Four minutes of a core, and two promised to each of three jobs.
one=$(submit ada 6 -n1 -t2)
two=$(submit ada 6 -n1 -t2)
three=$(submit ben 1 -n1 -t2)
wait_until job_is "$one" RUNNING
wait_until job_is "$two" RUNNING
ok "GrpTRESMins: what running jobs may still use is promised to them" \
	wait_until reason_is "$three" AssocGrpCPUMinutesLimit
wait_until jobs_ended "$one,$two" 2
ok "GrpTRESMins: what they did not use is free again" \
	wait_until jobs_ended "$three"
wait_pass
is "$(share physics "" tresrunmins | tr ',' '\n' | sed 's/.*=//' | sort -u)" 0 \
	"no run-minutes are left"
cpu=$(saved_row a "$(assoc_id physics ada)" | cut -d' ' -f3)
is "$cpu" "$(elapsed "$one,$two")" "the core-seconds that were used are kept"

# One of two minutes of a core is used (Slurm counts whole ones), and the job
# may need two.
four=$(submit abc123 1 -n1 -t2 -A bloggs.prj.low)
ok "GrpTRESMins: usage of before counts" \
	wait_until reason_is "$four" AssocGrpCPUMinutesLimit
manage modify account bloggs.prj.low set grptresmins=cpu=3
ok "GrpTRESMins: with a larger limit the job runs" \
	wait_until jobs_ended "$four"

# Half a second is left of two minutes.
five=$(submit cleo 2 -n1 -t1)
wait_until jobs_ended "$five"
six=$(submit dan 1 -n1 -t1)
ok "GrpWall: the account's time is used up" \
	wait_until reason_is "$six" AssocGrpWallLimit
in_cluster scancel "$six"

# ---- QOS -------------------------------------------------------------------

declare -A job
for name in normal free double; do
	job[$name]=$(submit ijk456 3 -n2 --mem=10000M -q $name)
done
ids=$(IFS=, && echo "${job[*]}")
wait_until jobs_ended "$ids" 3 || bail "jobs of each QOS run"
wait_pass
is "$(qos_usage free)" 0 "UsageFactor 0: nothing is charged"
is "$(qos_usage double)" "$(value "2.5 * 2 * $(elapsed "${job[double]}")")" \
	"UsageFactor 2: twice the price is charged to the QOS"
is "$(exact_usage bloggs.prj ijk456)" \
	"$(value "2.5 * (2 * $(elapsed "${job[double]}") + \
		$(elapsed "${job[normal]}"))")" \
	"all charge factors count for the user"

# ---- Reset -----------------------------------------------------------------

set_keys PriorityUsageResetPeriod=NOW
pass_now
is "$(share root "" rawusage)$(share physics ada rawusage)" 00 \
	"PriorityUsageResetPeriod=NOW: no usage is left"
is "$(qos_usage double) $(qos_usage normal)" "0 0" "PriorityUsageResetPeriod=NOW: no usage of a QOS is left"
wait_pass
seven=$(submit ijk456 2 -n2 --mem=10000M)
wait_until jobs_ended "$seven"
wait_pass
wait_pass
is "$(exact_usage bloggs.prj ijk456)" "$(value "2.5 * $(elapsed "$seven")")" \
	"usage grows from 0, and one NOW is one reset"

# ---- Decay -----------------------------------------------------------------

daemon stop slurmctld
place_usage "$(date +%s)" <<'END'
physics ada 100000 1000 3000
qos normal 100000
qos lasting 100000
END
half_life_s=60
restart PriorityDecayHalfLife=1 PriorityUsageResetPeriod=NONE

# All of one moment, whatever passes come meanwhile:
# "AS_OF ADA_RAW ADA_WALL ADA_CPU NORMAL LASTING".
ada=$(assoc_id physics ada)
ijk456=$(assoc_id bloggs.prj ijk456)
moment() {
	local state=$work/moment line
	cp "$dir/state/equitree_usage" "$state"
	line=$(head -n1 "$state" | cut -d' ' -f3)
	for row in "a $ada" "q ${qos[normal]}" "q ${qos[lasting]}" \
		"a $ijk456"; do
		# shellcheck disable=SC2046
		line+=" $(printf '%.15g ' $(grep "^$row " "$state" |
			cut -d' ' -f3-5))"
	done
	echo "$line"
}
read -r t0 raw0 wall0 cpu0 qos0 _ _ keep0 _ < <(moment)
in_cluster sleep 7
wait_pass
read -r t1 raw1 wall1 cpu1 qos1 _ _ keep1 _ < <(moment)
left="exp(-log(2) * ($t1 - $t0) / $half_life_s)"
ok "some passes have gone by" calc "$t1 - $t0 >= 6"
near "$raw1 / $raw0" "$left" 1e-12 "usage decays to the half in a half-life"
near "$wall1 / $wall0" "$left" 1e-12 "wall time as well"
near "$cpu1 / $cpu0" "$left" 1e-12 "usage of each TRES decays to the half in a half-life"
near "$qos1 / $qos0" "$left" 1e-12 "usage of a QOS decays to the half in a half-life"
is "$keep0 $keep1" "100000 100000" "a QOS with NoDecay keeps its usage"

# A job that ran from s to e through some passes: each of its moments decays
# from when it was on, so usage at t is price * integral of 2^(-(t-x)/h).
eight=$(submit ijk456 5 -n2 --mem=10000M -q lasting)
wait_until jobs_ended "$eight"
wait_pass
read -r t _ _ _ _ _ _ keep _ _ raw _ < <(moment)
IFS='|' read -r s e < <(in_cluster env SLURM_TIME_FORMAT=%s \
	sacct -XnP -j "$eight" -o start,end)
left_of() { echo "exp(-log(2) * ($t - $1) / $half_life_s)"; }
near "$raw" "2.5 * $half_life_s / log(2) * \
	($(left_of "$e") - $(left_of "$s"))" 1e-9 \
	"a job's usage is the decayed integral of its price"
is "$keep" "$(value "100000 + 2.5 * ($e - $s)")" \
	"in a QOS with NoDecay it is all of price times time"

# ---- No limits enforced ----------------------------------------------------

# slurmctld then does not tell the plugin of ends; passes are an hour apart.
daemon stop slurmctld
place_usage "$(date +%s)" <<'END'
physics ada 1000
END
restart PriorityDecayHalfLife=0 PriorityUsageResetPeriod=YEARLY \
	AccountingStorageEnforce=associations \
	PriorityParameters=period=3600
nine=$(submit ben 2 -n2 --mem=10000M)
ten=$(submit ada 1 -n2 --mem=10000M)
wait_until jobs_ended "$nine,$ten" 2
pass_now
is "$(exact_usage physics ben)" "$(value "2.5 * $(elapsed "$nine")")" \
	"no limits: a job shorter than the period is charged"
is "$(exact_usage physics ada)" "$(value "1000 + 2.5 * $(elapsed "$ten")")" \
	"no limits: on top of what was there"
pass_now
is "$(exact_usage physics ben)" "$(value "2.5 * $(elapsed "$nine")")" \
	"no limits: and by one pass only"

no_equitree_errors
done_testing
