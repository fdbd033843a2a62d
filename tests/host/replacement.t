#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What whoever takes the place of priority/multifactor has to keep up for the
# rest of Slurm: each thing that slurmctld, sprio, sshare or scontrol rely on.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=rows.sh
. "$here/rows.sh"

if [[ ! -x $host ]]; then
	echo "1..0 # SKIP $host is not built (no internal headers of Slurm)"
	exit 0
fi

hooks() { # FILE: the names that slurmctld asks a priority plugin for
	nm -D --defined-only "$1" | awk '$3 ~ /^(priority_p_|plugin_|init$|fini$)/ {
		print $3 }' | sort
}
# It may have more: hooks of other releases, which this one never looks for.
is 'priority/equitree has each hook of priority/multifactor' \
	"$(comm -13 <(hooks "$plugin") <(hooks "$(stock_plugin)"))" ''

ours "$here/histories/replacement.txt" >"$work/out" 2>"$work/err"
stock "$here/histories/replacement.txt" >"$work/stock" 2>/dev/null
job() { value "$work/out" "$1" "job=$2" "$3"; }
told() { # TIME: which jobs sprio is told of
	awk -v time="$1" '$1 == "==" { now = $2 == time }
		now && /^factors=/ { printf "%s%s", sep, substr($1, 9); sep = " " }
	' "$work/out"
}

# ---- Priorities that are not the plugin's -----------------------------------

is 'a held job stays held through passes' "$(job 600 2 priority)" 0
is 'a job that is held later is so too' "$(
	sed '/^release/,$d' "$here/histories/replacement.txt" >"$work/held"
	ours "$work/held" >"$work/held.out" 2>/dev/null
	value "$work/held.out" last job=1 priority)" 0
[[ $(job last 1 priority) == "$(job last 10 priority)" ]]
row 'a released job has its priority again' $? "$(job last 1 priority)"
is 'a priority that was set by hand stays' "$(job 600 3 priority)" 4711
is 'its factors are empty' "$(job 600 3 fs)" 0
is 'a running job keeps what it had' "$(job 600 9 priority)" \
	"$(job 600 1 priority)"

# ---- scontrol top, nice, site_factor ----------------------------------------

is 'each step of nice is one of priority' \
	$(($(job 600 1 priority) - $(job 600 4 priority))) 100
is 'each step of the site factor is one of priority' \
	$(($(job 600 7 priority) - $(job 600 1 priority))) 55

# ---- Several partitions -----------------------------------------------------

is 'a job in several partitions has a priority in each, by tier' \
	"$(job 600 5 priorities)" \
	"$(($(job 600 1 priority) + 750)),$(job 600 1 priority)"

# ---- sprio ------------------------------------------------------------------

is 'sprio gets pending, eligible jobs that are not held' \
	"$(told 600)" '1 3 4 5 5 7 8'
is 'a priority by hand is shown as such' \
	"$(value "$work/out" 600 factors=3 direct)" 4711
none 'sprio gets the same from the plugin as from stock' \
	"$(diff <(grep ^factors= "$work/out") <(grep ^factors= "$work/stock"))"

# ---- sshare, UsageThreshold -------------------------------------------------

is 'fair-share points, which UsageThreshold compares, are weight times factor' \
	"$(job 600 1 fs)" 5000
none 'sshare gets the same from the plugin as from stock' \
	"$(diff <(grep -E '^(assoc|share)=' "$work/out") \
		<(grep -E '^(assoc|share)=' "$work/stock"))"

# ---- Limits -----------------------------------------------------------------

# QOS with UsageFactor and NoDecay, a partition's QOS, run-seconds.
for name in limits requeue; do
	history=$work/$name
	sed 's/^conf PriorityDecayHalfLife=.*/conf PriorityDecayHalfLife=0/
		/^kill/d' "$here/histories/$name.txt" >"$history"
	keep='^(assoc|qos)=[^ ]*|(run:[a-z]*|wall)=[^ ]*'
	none "$name: run-seconds and GrpWall are stock's" "$(diff \
		<(ours "$history" 2>/dev/null | grep -oE "$keep") \
		<(stock "$history" 2>/dev/null | grep -oE "$keep"))"
done

# ---- Where limits are read by the place of a TRES ---------------------------

sed '1i tres gres/gpu\ntres license/matlab\nconf PriorityWeightTRES=license/matlab=1000
	s/^cluster.*/& gres\/gpu=8 license\/matlab=10/
	s/^submit 1 .*/& license\/matlab=5/' \
	"$here/histories/replacement.txt" >"$work/tres"
ours "$work/tres" >"$work/tres.out" 2>/dev/null
is 'a TRES beside the usual ones has its points in its own place' \
	"$(value "$work/tres.out" 600 job=1 license/matlab)" '500*1000'

echo "1..$count"
