#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# In and out: a cluster goes from Slurm's own priority plugin to equitree with
# billing_scale = 1000 and back, while jobs run and wait. At each step usage grows
# by exactly seconds times price, in the documented unit, and no step changes it. A job
# that a budget holds is named, and released after the return.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

conf=$dir/etc/slurm.conf
set_key() { # KEY VALUE
	sed -i "/^$1=/d" "$conf"
	[[ ! $2 ]] || echo "$1=$2" >>"$conf"
}
last_pass() { # epoch seconds: up to when either plugin has charged
	od --endian=big -An -td8 -N8 "$state_dir/priority_last_decay_ran" \
		2>/dev/null | tr -d ' '
}

# ---- Readings of usage ------------------------------------------------------

# A reading is the time of a pass and what sshare has of it: "account|user" to
# RawUsage, in the array now; the previous one is in the array was.
declare -A now=() was=() level=()
now_at=0 was_at=0
later_pass() { (($(last_pass) > $1)); } # EPOCH
read_once() {
	local account user raw fs
	now_at=$(last_pass)
	sleep 0.7
	while IFS='|' read -r account user raw fs; do
		now["$account|$user"]=$raw
		level["$account|$user"]=$fs
	done < <(in_cluster sshare -alP -n -o account,user,rawusage,levelfs |
		tr -d ' ')
	[[ $(last_pass) == "$now_at" ]]
}
# The first pass after EPOCH, which may be more than a minute away.
reading() { # EPOCH
	local name
	was_at=$now_at was=()
	for name in "${!now[@]}"; do was[$name]=${now[$name]}; done
	wait_until later_pass "$1" || wait_until later_pass "$1" ||
		bail "a pass is run"
	wait_until read_once || wait_until read_once || bail "usage is read"
	in_cluster sshare -alP >"$work/sshare"
	"$build/tools/equitree" tree --verify "$work/sshare" --json \
		>"$work/verified"
	verified=$?
	diag "$(printf '%s' "$now_at: root ${now["root|"]}")" \
		"$(for name in "physics|ada" "physics|ben" "chemistry|cleo"; do
			printf '  %s raw %s levelfs %s' "$name" \
				"${now[$name]}" "${level[$name]}"
		done)"
}

# What the jobs of ada, ben and cleo cost a second.
grows_by() { # ADA BEN CLEO STEP
	local s=$((now_at - was_at)) name
	local -A rate=(["physics|ada"]=$1 ["physics|ben"]=$2
		["chemistry|cleo"]=$3 ["physics|"]=$1+$2 ["root|"]=$1+$2+$3)
	for name in "physics|ada" "physics|ben" "chemistry|cleo" "physics|" "root|"; do
		near "${now[$name]} - ${was[$name]}" "(${rate[$name]}) * $s" 1 \
			"$4: usage of $name grows by its price for each of $s s"
	done
	is "$verified" 0 "$4: Level FS and FairShare follow from usage" ||
		diag "$(<"$work/verified")"
}

# The same across a change of prices: a pass may have charged some of the seconds
# before it.
grows_between() { # ADA BEN CLEO OLD-ADA OLD-BEN OLD-CLEO STEP
	local s=$((now_at - was_at)) name grown
	local -A new=(["physics|ada"]=$1 ["physics|ben"]=$2 ["chemistry|cleo"]=$3)
	local -A old=(["physics|ada"]=$4 ["physics|ben"]=$5 ["chemistry|cleo"]=$6)
	for name in "${!new[@]}"; do
		grown="(${now[$name]} - ${was[$name]})"
		ok "$7: usage of $name grows by one of its prices for each of $s s" \
			calc "($grown >= ${new[$name]} * $s - 1 || $grown >= ${old[$name]} * $s - 1) &&
				($grown <= ${new[$name]} * $s + 1 || $grown <= ${old[$name]} * $s + 1)"
	done
	near "${now["root|"]}" "${now["physics|ada"]} + ${now["physics|ben"]} + ${now["chemistry|cleo"]}" \
		3 "$7: usage of root is the sum of its users'"
	is "$verified" 0 "$7: Level FS and FairShare follow from usage" ||
		diag "$(<"$work/verified")"
}

billing_is() { # ID BILLING STEP
	like "$(job_tres "$1")," "billing=$2," "$3: billing of job $1 is $2"
}
has_billing() { [[ "$(job_tres "$1")," == *"billing=$2,"* ]]; }
accounted() { [[ "$(account_of "$1" AllocTRES)," == *"billing=$2,"* ]]; }
# What the limits of an account count as in use.
used_billing() { # ACCOUNT
	in_cluster scontrol show assoc_mgr flags=assoc account="$1" |
		awk -v a="Account=$1" '
			/ClusterName=/ { on = index($0, a " ") && / UserName= / }
			on && /GrpTRES=/ && match($0, /billing=[^(]*[(][0-9]+/) {
				text = substr($0, RSTART, RLENGTH)
				sub(/.*[(]/, "", text)
				print text
				exit
			}'
}
used_minutes() { # ACCOUNT: decayed minutes of billing that GrpTRESMins counts
	in_cluster sshare -P -n -A "$1" -o account,user,grptresraw | awk -F'|' '
		$2 == "" && match($3, /billing=[0-9]+/) {
			print substr($3, RSTART + 8, RLENGTH - 8)
			exit
		}'
}

# ---- From Slurm's own plugin to equitree ------------------------------------

cluster_up --set PriorityType=priority/multifactor --set JobSubmitPlugins= \
	--set PriorityParameters= --set PriorityDecayHalfLife=0 \
	--set PriorityUsageResetPeriod=YEARLY
echo "billing_scale = 1000" >>"$dir/etc/equitree.conf"
sed -i 's/^PartitionName=gpu .*/& TRESBillingWeights="CPU=2"/' "$conf"
in_cluster scontrol update partitionname=gpu tresbillingweights=CPU=2
nodes_up() { [[ $(in_cluster sinfo -h -o %T | sort -u) == idle ]]; }
wait_until nodes_up || bail "the nodes are there"

two=$(submit ada 3600 -n2 -N1 --mem=10000M -t 120)
tasks=$(submit ben 3600 -a 0-1 -n1 -t 120)
gpu=$(submit cleo 3600 -p gpu --gres=gpu:p100:1 -n6 --mem=32000M -t 120)
held=$(submit dan 1 -H -n2 -N1 --mem=10000M)
held_gpu=$(submit dan 1 -H -p gpu --gres=gpu:p100:1 -n6 --mem=32000M)
later=$(submit dan 3600 -n1 --begin=now+2hours)
held_tasks=$(submit dan 1 -H -a 0-1 -n2 -N1 --mem=10000M)
for id in "$two" "${tasks}_0" "${tasks}_1" "$gpu"; do
	wait_until job_is "$id" RUNNING || bail "job $id runs"
done
started=$(date +%s)

reading "$started"
reading "$now_at"
grows_by 2 2 12 "multifactor"

set_key PriorityType priority/equitree
set_key PriorityParameters stock_compat
set_key JobSubmitPlugins equitree
daemon restart slurmctld || bail "slurmctld restarts"
reading "$now_at"
grows_by 2 2 12 "stock_compat"
billing_is "$two" 2 "stock_compat"

set_key PriorityParameters stock_billing,period=5
in_cluster scontrol reconfigure
reading "$now_at"
grows_by 2 2 12 "repairs"
minutes=$(used_minutes physics)

set_key PriorityParameters period=5
in_cluster scontrol reconfigure
wait_until has_billing "$two" 2500 || fail "billing becomes the price"
reading "$(date +%s)"
grows_between 2.5 2 1 2 2 12 "equivalents"
near "$(used_minutes physics)" "$minutes * 1000" "1000 + 75 * $((now_at - was_at))" \
	"equivalents: minutes of billing are in units of billing_scale"
reading "$now_at"
grows_by 2.5 2 1 "equivalents, next pass"
billing_is "$gpu" 1000 "equivalents"
is "$(used_billing physics)" 4500 "equivalents: limits count 4500 in use"

# ---- And back ---------------------------------------------------------------

leave() { in_cluster "$build/tools/equitree" leave "$@" >"$work/leave" 2>&1; }
in_cluster "$build/tools/equitree" budget grant bloggs.prj 0.02 --reason small >/dev/null ||
	fail "a budget is granted"
submit abc123 1 -n1 -t 1 --begin=now+2hours >/dev/null # has committed most of it
budget_holds=$(submit abc123 1 -n1 -t 1)
held_by_budget() { [[ $(in_cluster squeue -h -j "$budget_holds" -o %r) == Budget* ]]; }
wait_until held_by_budget || fail "a budget holds a job"

leave --check
is $? 1 "leave --check: not while billing is the price"
like "$(<"$work/leave")" "stock_billing" "leave --check: the word that prepares it"
leave
is "$?|$(grep -c 'Not yet: add stock_billing' "$work/leave")" "1|1" "leave: nothing without the word in slurm.conf"

set_key PriorityParameters stock_billing,period=5
leave
is $? 0 "leave: slurmctld reads the word, and the pass is over" || diag "$(<"$work/leave")"
like "$(<"$work/leave")" "Set PriorityType=priority/multifactor" "leave: what may be changed now"
like "$(<"$work/leave")" "scontrol release $budget_holds" "leave: the job that a budget holds is named"
wait_until has_billing "$two" 2 || fail "billing becomes Slurm's own again"
reading "$(date +%s)"
grows_between 2 2 12 2.5 2 1 "stock_billing"
reading "$now_at"
grows_by 2 2 12 "stock_billing, next pass"
for id in "$two 2" "${tasks}_0 1" "${tasks}_1 1" "$gpu 12" "$held 2" \
	"$held_gpu 12" "$later 1" "$held_tasks 2"; do
	billing_is "${id% *}" "${id#* }" "stock_billing"
done
ok "stock_billing: slurmdbd has it" wait_until accounted "$two" 2
is "$(used_billing physics)" 4 "stock_billing: limits count 4 in use"
near "$(used_minutes physics)" "${now["physics|"]} / 60" "6" \
	"stock_billing: minutes of billing are usage in minutes"
no_equitree_errors
leave --check
is $? 0 "leave --check: now" || diag "$(<"$work/leave")"

set_key PriorityType priority/multifactor
set_key JobSubmitPlugins ""
set_key PriorityParameters ""
daemon restart slurmctld || bail "slurmctld restarts"
diag "$(in_cluster squeue -h -j "$budget_holds" -o '%T %p %r')"
leave
like "$(<"$work/leave")" "Released 1 jobs that budgets held" "leave: after the return it releases that job"
wait_until jobs_ended "$budget_holds" || fail "it runs"
reading "$now_at"
reading "$now_at"
grows_by 2 2 12 "multifactor again"
reading "$now_at"
grows_by 2 2 12 "multifactor again, next pass"
in_cluster scontrol release "$held" "$held_gpu" "$held_tasks"
wait_until jobs_ended "$held,$held_gpu,$held_tasks" 4 || fail "held jobs run"
for id in "$held 2" "$held_gpu 12" "${held_tasks}_0 2" "${held_tasks}_1 2"; do
	like "$(account_of "${id% *}" AllocTRES)," "billing=${id#* }," \
		"job ${id% *}, which waited all the time, is billed by Slurm's own"
done
in_cluster scancel "$two" "$tasks" "$gpu"
wait_until jobs_ended "$two,$tasks,$gpu" 4
idle() { [[ $(used_billing "$1") == 0 ]]; }
ok "no limit keeps anything of what ended" wait_until idle physics
done_testing
