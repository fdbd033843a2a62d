#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The recipe of ARCHER2 on a real cluster: whole nodes, CUs, and a reservation that costs half
# as much again, which the project of the reservation pays, whether its jobs use it or not.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"
equitree=$build/tools/equitree

made=$work/site
cp -r "$system_dir/../../sandbox/sites/cedar" "$made"
sed -i 's/^PartitionName=cpu .*/PartitionName=standard Nodes=cpu[1-2] Default=YES OverSubscribe=EXCLUSIVE/' "$made/slurm.conf"
sed -i 's/^PartitionName=gpu .*/&\nPartitionName=serial Nodes=gpu2/' "$made/slurm.conf"
cp "$system_dir/../../docs/recipes/archer2.conf" "$made/equitree.conf"
echo 'billing_scale = 3600' >>"$made/equitree.conf"
cluster_up --site "$made" --set PriorityDecayHalfLife=0 --set PriorityUsageResetPeriod=YEARLY \
	--set AccountingStorageEnforce=associations,limits,qos --set PriorityParameters=period=5
in_cluster bash -c 'sacctmgr -iQ add qos lowpriority; sacctmgr -iQ modify user ada set qos+=lowpriority' >"$work/qos"
in_cluster "$equitree" budget grant physics 10 >/dev/null

# All in seconds of a node.
used() { exact_usage physics "$1" | awk '{ printf "%.3f\n", $1 }'; }
like "$(as ada sbatch --bill=brief -N2 -t 60 --test-only --wrap=true 2>&1)" 'cost 2 CUs' "the message has the CUs of whole nodes"
free=$(submit ada 600 -q lowpriority -N1 -t 60)
serial=$(submit ada 600 -p serial -n4 -t 60)
first=$(submit ada 600 -N1 -n4 -t 60)
is_running() { [[ $(in_cluster squeue -h -t R -o %A | sort | xargs) == "$(printf '%s\n' "$@" | sort | xargs)" ]]; }
wait_until is_running "$free" "$serial" "$first" || bail "three jobs run" "$(in_cluster squeue)"
is "$(in_cluster scontrol show job "$first" | grep -o 'billing=[0-9]*')" billing=3600 "billing is a CU"
wait_pass
in_cluster scancel "$free" "$serial" "$first"
wait_until jobs_ended "$free,$serial,$first" 3 || bail "the jobs end"
wait_pass
is "$(used ada)" "$(elapsed "$first").000" "a job pays for its node; low priority and serial jobs do not"

in_cluster scontrol create reservation ReservationName=e123_1 StartTime=now \
	"EndTime=$(in_cluster date -d '+30 seconds' +%FT%T)" 'Nodes=cpu[1-2]' Accounts=physics >/dev/null ||
	bail "the reservation is made"
at() { in_cluster date -d "$(in_cluster scontrol show reservation e123_1 | sed -nE "s/.*$1=([^ ]*).*/\\1/p")" +%s; }
seconds=$(($(at EndTime) - $(at StartTime)))
second=$(submit ada 5 --reservation=e123_1 -N1 -t 1)
wait_until jobs_ended "$second" || bail "a job of the reservation ends"
gone() { ! in_cluster scontrol show reservation e123_1 >/dev/null 2>&1; }
wait_until gone || bail "the reservation ends"
wait_pass
jobs=$(($(elapsed "$first") + $(elapsed "$second")))
is "$(used ada)" "$jobs.000" "a job of the reservation pays for its node"
is "$(used '')" "$((3 * seconds - $(elapsed "$second"))).000" "the project pays the rest of one and a half times the reservation"
all=$((3 * seconds + $(elapsed "$first")))
spent() { in_cluster "$equitree" budget list physics --csv --no-headings | awk -F, '{ printf "%.3f\n", $6 * 3600 }'; }
is "$(spent)" "$all.000" "its budget pays for jobs and reservation"
like "$(record_lines | awk '{ print $27 }')" reservation:e123_1 "the record of charges has the reservation"
in_cluster "$equitree" usage --verify >"$work/verify" 2>&1
is "$?" 0 "the proof finds no difference"
diag "$(tail -n 5 "$work/verify")"
no_equitree_errors
done_testing
