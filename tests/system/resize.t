#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A running job gives nodes away, or takes those of another job over: usage is
# charged at the old size up to that moment and at the new one after it, as
# sacct tells the two, and no run-minutes are left.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

cluster_up --set PriorityDecayHalfLife=0 \
	--set PriorityUsageResetPeriod=YEARLY --set PriorityParameters=period=1 \
	--set SchedulerParameters=batch_sched_delay=0,sched_min_interval=1,sched_interval=1,bf_interval=1,permit_job_expansion
nodes_up() { [[ $(in_cluster sinfo -h -o %T | sort -u) == idle ]]; }
wait_until nodes_up || bail "the nodes are there"
declare -A assoc=([ada]=$(assoc_id physics ada) [cleo]=$(assoc_id chemistry cleo))

# ---- What is asked of each place ---------------------------------------------

# The sum over the times that jobs ran with one size: seconds by an expression
# of its "cpu", "mem" (MiB), "node", as sacct has them.
accounted() { # IDS EXPRESSION
	account_of "$1" ElapsedRaw,AllocTRES | awk -F'|' '{
		split($2, words, ",")
		delete tres
		for (i in words) {
			split(words[i], pair, "=")
			tres[pair[1]] = pair[2] + 0
		}
		cpu = tres["cpu"]; mem = tres["mem"]; node = tres["node"]
		sum += $1 * ('"$2"')
	} END { printf "%.15g", sum + 0 }'
}

# Columns of the saved usage: the plain one, then TRES by their id.
declare -A column=([raw]=1 [cpu]=3 [mem]=4 [node]=6)
saved() { saved_row a "${assoc[$1]}" | cut -d' ' -f"${column[$2]}"; } # USER WHAT

run_minutes() { # ACCOUNT USER TRES
	share "$1" "$2" tresrunmins | tr , '\n' | sed -n "s/^$3=//p"
}

minutes_within() { # ACCOUNT USER TRES LOW HIGH
	local minutes
	minutes=$(run_minutes "$1" "$2" "$3")
	[[ $minutes ]] && (($4 <= minutes && minutes <= $5))
}

none_left() { # ACCOUNT USER
	[[ $(share "$1" "$2" tresrunmins | tr , '\n' | sed 's/.*=//' |
		sort -u) == 0 ]]
}

# A job that slurmdbd does not know yet is not resized.
resize() { # ID NODES
	wait_until try_resize "$@" || diag "$(tail -n 3 "$work/scontrol.out")"
}

try_resize() { # ID NODES
	in_cluster scontrol update JobId="$1" NumNodes="$2" \
		>>"$work/scontrol.out" 2>&1
}

has_nodes() { [[ $(job_field "$1" NumNodes) == "$2" ]]; } # ID NODES

# The dearer one of cores and memory; all that is kept of a user.
charged_as_accounted() { # ACCOUNT USER IDS NAME
	local what
	is "$(saved "$2" raw)" "$(accounted "$3" '(mem / 4000 > cpu ? mem / 4000 : cpu)')" \
		"$4: usage is price times time, with each size"
	for what in cpu mem node; do
		is "$(saved "$2" $what)" "$(accounted "$3" $what)" \
			"$4: so is that of TRES: $what"
	done
	near "$(share "$1" "$2" rawusage)" "$(saved "$2" raw)" 1 \
		"$4: sshare shows the usage of the charge"
	ok "$4: no run-minutes are left to the user" wait_until none_left "$1" "$2"
	ok "$4: nor to the account" wait_until none_left "$1" ""
}

# ---- Smaller -------------------------------------------------------------------

job=$(submit ada 600 -N2 -n2 --mem=10000M -t 20)
wait_until job_is "$job" RUNNING || bail "the job has two nodes"
in_cluster sleep 3
wait_pass
ok "two CPUs for twenty minutes are promised" \
	wait_until minutes_within physics ada cpu 21 40
resize "$job" 1
ok "the job has one node" wait_until has_nodes "$job" 1
in_cluster sleep 3
wait_pass
ok "one CPU for what is left of them is promised" \
	wait_until minutes_within physics ada cpu 10 20
ok "one CPU for the rest is promised to the account" wait_until minutes_within physics "" cpu 10 20
in_cluster scancel "$job"
two_sizes() { jobs_ended "$1" 2; }
wait_until two_sizes "$job" || bail "sacct knows two sizes" \
	"$(account_of "$job" ElapsedRaw,AllocTRES,State)"
wait_pass
is "$(account_of "$job" AllocNodes | xargs)" "2 1" "sacct has a row for each size"
ok "with two nodes it ran for some seconds" \
	calc "$(account_of "$job" ElapsedRaw | head -n 1) >= 3"
charged_as_accounted physics ada "$job" "smaller"

# ---- Larger --------------------------------------------------------------------

# A second job, which may have no step, gives its node to the first one. A
# slurmctld 25.11.7 or 26.05.3 dies of that, with its own plugin as well.
if [[ $(slurmctld -V) =~ ' '(25\.11|26\.05)\. ]]; then
	is "$(log_since 0 | grep -i underflow)" "" "slurmctld saw no underflow"
	no_equitree_errors
	done_testing
	exit 0
fi
# By cores: Slurm's bitmap of the cores of the larger job lacks those of a node.
job=$(submit cleo 600 -w cpu1 -N1 -n3 --mem=10000M -t 20)
wait_until job_is "$job" RUNNING || bail "the job has a node"
in_cluster sleep 3
giver=$(as cleo salloc --no-shell -w cpu2 -N1 -n4 --mem=10000M -t 20 \
	-d "expand:$job" 2>&1 | sed -n 's/.*Granted job allocation //p')
wait_until job_is "$giver" RUNNING || bail "the second one has another"
in_cluster sleep 3
wait_pass
resize "$giver" 0
resize "$job" ALL
ok "the job has both nodes" wait_until has_nodes "$job" 2
in_cluster sleep 3
wait_pass
ok "seven CPUs for what is left of its time are promised" \
	wait_until minutes_within chemistry cleo cpu 70 140
in_cluster scancel "$job"
wait_until two_sizes "$job" || bail "sacct knows two sizes" \
	"$(account_of "$job" ElapsedRaw,AllocTRES,State)"
# slurmdbd keeps a second row of the giver, with nothing in it, for ever.
given() { [[ $(account_of "$1" State | head -n 1) == RESIZING ]]; }
wait_until given "$giver" || bail "sacct knows what the second job gave" \
	"$(account_of "$giver" ElapsedRaw,AllocTRES,State)"
wait_pass
charged_as_accounted chemistry cleo "$job,$giver" "larger"

is "$(log_since 0 | grep -i underflow)" "" "slurmctld saw no underflow"
no_equitree_errors
done_testing
