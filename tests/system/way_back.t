#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The plain way back: PriorityType=priority/multifactor and a restart, nothing else.
# RawUsage grows on at the price of the jobs that run, whatever billing_scale and
# TRESBillingWeights are, and however slurmctld ended. WAY_BACK=all: each scale with and
# without weights, after an orderly end and after a kill.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

conf=$dir/etc/slurm.conf
set_key() { # KEY VALUE
	sed -i -e "/^$1=/d" "$conf"
	echo "$1=$2" >>"$conf"
}
last_pass() { # epoch seconds: up to when either plugin has charged
	od --endian=big -An -td8 -N8 "$state_dir/priority_last_decay_ran" \
		2>/dev/null | tr -d ' '
}
later_pass() { (($(last_pass) > $1)); } # EPOCH

# RawUsage of root in $raw, as of $at. A pass charges before its time is in the file: so
# none may have begun since.
raw=0 at=0 period=2
read_once() {
	at=$(last_pass)
	[[ $period == 2 ]] || sleep 0.7
	raw=$(in_cluster sshare -alP -n -o account,user,rawusage |
		awk -F'|' '$1 ~ /root/ && $2 == "" { print $3; exit }')
	[[ $raw && $(last_pass) == "$at" ]] && (($(date +%s) - at < period))
}
read_usage() { # EPOCH: of a pass after it
	wait_until later_pass "$1" || bail "a pass is run"
	wait_until read_once || bail "usage is read"
}

# A start of slurmctld with either plugin; its first pass comes at once.
start_with() { # TYPE
	set_key PriorityType "priority/$1"
	[[ $1 == equitree ]] && period=2 || period=60
	daemon start slurmctld || bail "slurmctld starts with $1"
}

# multifactor's period is a minute or more, but its first pass comes at once: it charges
# the seconds without slurmctld, and that of a second start some seconds of its own.
later() { (($(date +%s) > $1)); } # EPOCH
multifactor_usage() {
	start_with multifactor
	read_usage "$at"
	first=$raw first_at=$at
	wait_until later "$((at + 5))"
	daemon stop slurmctld
	start_with multifactor
	read_usage "$((at + 1))"
}

cluster_up --set PriorityDecayHalfLife=0 --set PriorityUsageResetPeriod=NONE \
	--set JobSubmitPlugins=
nodes_up() { [[ $(in_cluster sinfo -h -o %T | sort -u) == idle ]]; }
wait_until nodes_up || bail "the nodes are there"

# 2.5, 1, 1 and, suspended, 4 a second: both plugins charge a suspended job.
two=$(submit ada 3600 -n2 -N1 --mem=10000M -t 120)
tasks=$(submit ben 3600 -a 0-1 -n1 -t 120)
still=$(submit cleo 3600 -n1 --mem=16000M -t 120)
for id in "$two" "${tasks}_0" "${tasks}_1" "$still"; do
	wait_until job_is "$id" RUNNING || bail "job $id runs"
done
wait_pass
in_cluster scontrol suspend "$still"
wait_until job_is "$still" SUSPENDED || bail "job $still is suspended"

has_billing() { [[ "$(job_tres "$1")," == *"billing=$2,"* ]]; }
# slurmctld saves jobs five seconds after a change.
saves_rest() { (($(date +%s) - $(stat -c %Y "$state_dir/job_state") > 6)); }
rows='1 without orderly
1 with killed
1000 without orderly
1000 without killed
1000 with recovered
1000 with orderly'
[[ ${WAY_BACK-} != all ]] || rows=$(printf '%s\n' {1,1000}\ {without,with}\ {orderly,killed} '1000 with recovered')
weights="" table="scale, weights, end: RawUsage as of a pass before, after, seconds, a second"
while read -r scale with end; do
	name="scale $scale, $with weights, $end"
	daemon stop slurmctld
	sed -i '/^billing_scale/d' "$dir/etc/equitree.conf"
	echo "billing_scale = $scale" >>"$dir/etc/equitree.conf"
	[[ $with == with ]] && weights='TRESBillingWeights="CPU=3"' || weights=
	sed -i -E -e 's/ TRESBillingWeights="[^"]*"//' \
		-e "s/^PartitionName=.*/& $weights/" "$conf"
	start_with equitree
	price=$(value "int(2.5 * $scale + 0.5)")
	wait_until has_billing "$two" "$price" ||
		fail "$name: billing of a running job is its price"
	wait_pass
	waits=$(submit dan 3600 -H -n1 -t 120)
	wait_pass
	jobs_saved "$two" || bail "jobs are saved"
	read_usage 0
	was=$raw was_at=$at
	if [[ $end == killed ]]; then
		daemon kill slurmctld
	else
		if [[ $end == recovered ]]; then
			daemon kill slurmctld
			start_with equitree
			wait_pass
			wait_until saves_rest || bail "nothing is to be saved"
		fi
		mark=$(log_size)
		daemon stop slurmctld
		ok "$name: the end is logged with what will differ" \
			log_has "$mark" "priority/multifactor starts next: usage of 4 jobs"
	fi
	multifactor_usage
	rate="$(value "($raw - $was) / ($at - $was_at)")"
	table+=$'\n'"$name: $was, $raw, $((at - was_at)) s, $rate"
	near "$raw - $first" "8.5 * ($at - $first_at)" 1 \
		"$name: RawUsage grows by the price of the jobs"
	# A kill may come between the two files of a pass.
	if [[ $end == killed ]]; then
		ok "$name: RawUsage has nothing that was not charged" \
			calc "$raw - $was <= 8.5 * ($at - $was_at) + 1"
		ok "$name: RawUsage goes on where the last passes were" \
			calc "$raw - $was >= 8.5 * ($at - $was_at - 5) - 1"
	else
		near "$raw - $was" "8.5 * ($at - $was_at)" 1 \
			"$name: RawUsage goes on where it was"
		in_cluster scontrol release "$waits"
		wait_until job_is "$waits" RUNNING || fail "$name: job $waits runs"
		[[ $with == with ]] && own=3 || own=1
		ok "$name: a job that waited is billed like a new one" \
			has_billing "$waits" "$own"
	fi
	in_cluster scancel "$waits"
done <<<"$rows"
diag "$table"

# A site that returns from there with stock_billing. The weights above are in force.
in_cluster "$build/tools/equitree" leave --check >"$work/leave" 2>&1
is $? 1 "leave --check under multifactor: billing in limits is still the price"
like "$(<"$work/leave")" "until they end" \
	"leave --check under multifactor: no pass changes that any more"
daemon stop slurmctld
set_key PriorityParameters stock_billing,period=2
start_with equitree
in_cluster "$build/tools/equitree" leave >"$work/leave" 2>&1
is $? 0 "stock_billing after multifactor: leave waits until all is mended" ||
	diag "$(<"$work/leave")"
ok "stock_billing after multifactor: a running job has Slurm's own billing" \
	has_billing "$two" 6
wait_pass
read_usage 0
was=$raw was_at=$at
read_usage "$((at + 3))"
near "$raw - $was" "15 * ($at - $was_at)" 1 \
	"stock_billing after multifactor: usage grows by Slurm's own billing"
in_cluster "$build/tools/equitree" leave --check >"$work/leave" 2>&1
is $? 0 "stock_billing after multifactor: leave --check agrees" ||
	diag "$(<"$work/leave")"
no_equitree_errors
done_testing
