#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The record of charges: the sum of its lines, with the stretches of jobs that still run, is
# the usage of each user, whatever happens to their jobs, to prices and to slurmctld.
# Nothing decays here. CHARGES_LIMITS=no: slurmctld reports no ends.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

make_epilog
charge_completing=yes
limits=$([[ ${CHARGES_LIMITS:-yes} == yes ]] && echo associations,limits || echo associations)
cluster_up --set PriorityDecayHalfLife=0 --set PriorityUsageResetPeriod=YEARLY \
	--set "AccountingStorageEnforce=$limits" --set PriorityParameters=period=3 \
	--set "Epilog=$work/epilogs/epilog" \
	--set SchedulerParameters=batch_sched_delay=0,sched_min_interval=1,sched_interval=1,bf_interval=1
printf '%s\n' 'charge_suspended = no' 'priority { refund = node_fail }' \
	>>"$dir/etc/equitree.conf"
in_cluster scontrol reconfigure
folder=$state_dir/equitree_charges

kinds() { record_lines | awk -v job="$1" '$4 == job { printf "%s", $3 }'; } # JOB
line_field() { record_lines | awk -v job="$1" -v at="$2" '$4 == job { print $at }' | head -n 1; }
# Both files have to be of one pass, so nothing that takes time comes in between.
agree() { # ASSOC USER AT-LEAST
	cp "$folder/open" "$work/open"
	awk -v used="$(saved_row a "$1" | cut -d' ' -f1)" -v record="$(recorded "$2")" -v least="$3" 'BEGIN {
		d = record - used
		exit !(used >= least && d * d < 0.0001) }'
}
same() { # NAME AT-LEAST [ACCOUNT USER]
	local account=${3:-physics} user=${4:-ada}
	wait_pass
	ok "$1: the record is the usage" wait_until agree "$(assoc_id "$account" "$user")" "$user" "$2"
	diag "record $(recorded "$user"), usage $(exact_usage "$account" "$user")"
}
runs() { # ID
	wait_until job_is "$1" RUNNING || bail "job $1 runs"
}
nothing_completes() { [[ ! $(in_cluster squeue -h -t CG,R -o %A) ]]; }
over() { # ID
	in_cluster scancel "$1"
	wait_until jobs_ended "$1" || bail "job $1 ends"
	wait_asking nothing_completes || bail "the nodes of job $1 are free" \
		"$(in_cluster squeue -t all)"
}
resize() { in_cluster scontrol update JobId="$job" NumNodes=1 >"$work/resize" 2>&1; }
now() { in_cluster scontrol update JobId="$job" StartTime=now 2>"$work/now"; }
has_kinds() { [[ $(kinds "$1") =~ ^$2$ ]]; } # JOB REGEX
recorded_as() { # JOB KINDS NAME
	ok "$3" wait_until has_kinds "$1" "$2"
	diag "kinds: $(kinds "$1")"
}

job=$(submit ada 300 -t20 -n3)
runs "$job"
wait_pass
same "a job that runs" 1
over "$job"
recorded_as "$job" e "a run is one line"
same "a plain job" 3
is "$(record_lines | awk -v job="$job" '$4 == job { print $21, $25, $26, $27, $28 }')" \
	"cc physics ada cpu normal" "the line says what decided, and whose the run was"

job=$(submit ada 300 -t20 -N2 -n2)
runs "$job"
sleep 2
in_cluster scontrol suspend "$job"
sleep 5
in_cluster scontrol resume "$job"
sleep 4
ok "a running job gives a node away" wait_until resize
sleep 4
over "$job"
recorded_as "$job" s+r+e "a suspension and a resize end a line"
same "a job that is suspended and resized" 10

echo 4 >"$work/epilogs/seconds"
job=$(submit ada 300 -t20 -n4 --requeue)
runs "$job"
wait_pass
in_cluster scontrol requeue "$job"
wait_until nothing_completes
ok "a requeued job may begin at once" wait_until now
runs "$job"
sleep 2
over "$job"
same "a requeued job with an epilog" 20
is "$(record_lines | awk -v job="$job" '$4 == job && $3 == "e" { print $8 }' | xargs)" "0 1" \
	"each run of a requeued job has its number"
rm "$work/epilogs/seconds"

array=$(submit ben 2 -t5 -n1 --array=3,7)
wait_until jobs_ended "$array" 2 || bail "the array ends"
same "an array" 2 physics ben
is "$(record_lines | awk -v job="$array" '$5 == job { print $6 }' | sort | xargs)" "3 7" \
	"the tasks of an array have their numbers"

job=$(submit ada 300 -t20 -n2)
runs "$job"
wait_pass
echo 'partition "cpu" { factor = 3 }' >>"$dir/etc/equitree.conf"
in_cluster scontrol reconfigure
wait_pass
wait_pass
same "a running job whose price changed" 50
over "$job"
recorded_as "$job" pe "another price is another line"
same "a job whose price changed while it ran" 50
sed -i '/^partition "cpu" { factor/d' "$dir/etc/equitree.conf"
in_cluster scontrol reconfigure

job=$(submit cleo 300 -t20 -n2 -w cpu1 --no-requeue)
runs "$job"
wait_pass
in_cluster scontrol update nodename=cpu1 state=down reason=test
wait_until jobs_ended "$job" || bail "the job of the failed node ends"
if [[ $limits == *limits ]]; then
	recorded_as "$job" fe "a refund is a line of its own"
	is "$(line_field "$job" 30)" "node%20failure" "the line of a refund has its reason"
fi
same "a job whose node failed" 0 chemistry cleo
in_cluster scontrol update nodename=cpu1 state=resume 2>"$work/resume"

# ---- kill -9 ---------------------------------------------------------------------

long=$(submit ada 300 -t20 -n2)
runs "$long"
for n in 1 2 3 4 5; do
	job=$(submit ada 300 -t20 -n1)
	runs "$job"
	[[ $n != 3 ]] || wait_pass
	jobs_saved "$job" || bail "slurmctld has saved job $job"
	in_cluster scancel "$job"
	# At a moment that differs: before, while or after the line is written.
	sleep "0.0$((n * 17 % 10))"
	daemon kill slurmctld
	daemon start slurmctld
	wait_asking jobs_ended "$job" || bail "job $job ends"
done
same "five kills -9 of slurmctld" 60
is "$(record_lines | awk '{ print $2 }' | sort -n | uniq -d)" "" "no number is used twice"
is "$(record_lines | awk '{ print $2 }' | sort -n | awk 'NR > 1 && $1 != last + 1; { last = $1 }')" "" \
	"no line is missing"
wait_pass
daemon kill slurmctld
echo 'partition "cpu" { factor = 2 }' >>"$dir/etc/equitree.conf"
daemon start slurmctld
wait_pass
same "a price that changed between a kill and the start" 60
in_cluster scancel "$long"
wait_asking jobs_ended "$long" || bail "job $long ends"
same "the end of a job that five kills left running" 60

# Nothing is charged from the last pass to the end of a suspended job. If a kill makes slurmctld
# forget the suspension and that end, the record goes on where usage does: when the nodes were free.
sed -i 's/refund = node_fail/refund = none/' "$dir/etc/equitree.conf"
in_cluster scontrol reconfigure
job=$(submit dan 300 -t20 -n3)
runs "$job"
jobs_saved "$job" || bail "slurmctld has saved job $job"
cp "$state_dir/job_state" "$work/job_state"
in_cluster scontrol suspend "$job"
wait_pass
sleep 2
over "$job"
sleep 1
daemon kill slurmctld
cp "$work/job_state" "$state_dir/job_state"
daemon start slurmctld
over "$job"
same "a suspended job whose end slurmctld forgot" 3 chemistry dan

# ---- Days, rights, faults ----------------------------------------------------------

today=$(in_cluster date +%F)
daemon stop slurmctld
before=$(record_lines | sha256sum)
mv "$folder/charges.$today" "$folder/charges.2020-02-03"
touch "$folder/charges.2001-01-01"
sed -i '$a charges { group = '"$(id -gn)"' keep = 36500 }' "$dir/etc/equitree.conf"
daemon start slurmctld
gone() { [[ ! -e $folder/charges.2020-02-03 ]]; }
ok "the file of a day that is over is compressed" wait_until gone
is "$(record_lines | sha256sum)" "$before" "a compressed day has the same lines"
is "$(stat -c %a:%G "$folder" "$folder/charges.2020-02-03.gz" | xargs)" \
	"750:$(id -gn) 640:$(id -gn)" "the group of equitree.conf may read it"
sed -i 's/keep = 36500/keep = 100/' "$dir/etc/equitree.conf"
in_cluster scontrol reconfigure
old_gone() { [[ ! -e $folder/charges.2020-02-03.gz ]]; }
cp "$folder/charges.2020-02-03.gz" "$work/kept.gz"
ok "a file that is kept no longer is removed" wait_until old_gone
cp "$work/kept.gz" "$folder/charges.$(in_cluster date -d yesterday +%F).gz"

no_equitree_errors
at=$(log_size)
mv "$folder" "$folder.away"
touch "$folder"
job=$(submit dan 2 -t5 -n1)
wait_until jobs_ended "$job" || bail "a job ends without a folder"
ok "a folder that cannot be written is reported" \
	wait_until log_has "$at" 'cannot write the record of charges in .*equitree_charges'
sleep 6
is "$(log_since "$at" | grep -c 'cannot write the record')" 1 "an unwritable folder is logged once"
rm "$folder"
mv "$folder.away" "$folder"
ok "what waited is written when it can be" wait_until has_kinds "$job" e
same "a folder that was away" 1 chemistry dan
done_testing
