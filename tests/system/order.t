#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A full cluster: jobs start in the order of sprio, who has used less goes
# first, and all of Slurm's own commands tell the same priorities.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

half_life_s=604800
cluster_up --no-slurmctld \
	--set PriorityWeightJobSize=3000 --set PriorityWeightPartition=5000 \
	--set PriorityWeightQOS=700 --set PriorityWeightTRES=cpu=900,mem=1100 \
	--set "PartitionName=cpu Nodes=cpu[1-2] Default=YES PriorityJobFactor=1" \
	--set "PartitionName=gpu Nodes=gpu[1-2] PriorityJobFactor=5 State=DOWN"

# Usage of a half-life ago. Within an account: ben before ada, cleo before dan.
placed=$(($(date +%s) - half_life_s))
place_usage "$placed" <<'END'
physics ada 4000000
physics ben 2000000
chemistry cleo 1000000
chemistry dan 3000000
bloggs.prj abc123 8000000
END
daemon start slurmctld || bail "slurmctld starts" "$(tail "$work/daemon.out")"
wait_pass

age_s=$(($(saved_as_of) - placed))
usage=$(exact_usage physics ada)
# The pass may have run again in between: then the two do not belong together.
while ((age_s != $(saved_as_of) - placed)); do
	age_s=$(($(saved_as_of) - placed))
	usage=$(exact_usage physics ada)
done
near "$usage" "$(value "4000000 * exp(-log(2) * $age_s / $half_life_s)")" \
	1e-5 "usage decays while slurmctld is away: half is left"

# ---- A full cluster --------------------------------------------------------

nodes_up() { [[ $(in_cluster sinfo -h -p cpu -o %T) == idle ]]; }
wait_until nodes_up
filler=$(submit root 600 -N2 --exclusive)
wait_until job_is "$filler" RUNNING || bail "the cluster is full"

# Each takes both nodes, so that they start one after the other and tell their
# order themselves. They come in the opposite order of their users' rank.
: >"$dir/home/order"
chmod 0666 "$dir/home/order"
queue() { # USER OPTIONS...
	local user=$1
	shift
	as "$user" sbatch --parsable -o /dev/null -N2 --exclusive -t 1 "$@" \
		--wrap "echo \$SLURM_JOB_ID >>$dir/home/order" \
		2>>"$work/sbatch.err"
}
declare -A job
for user in abc123 ijk456 dan cleo ada ben; do
	job[$user]=$(queue "$user")
done
# Behind all others of its user, and before them.
job[late]=$(queue ben --nice=30000000)
job[two]=$(queue ben -p cpu,gpu)
wait_pass

# ---- What the commands say -------------------------------------------------

# Both views as "JOB|PARTITION|PRIORITY", from within one period.
squeue_view() {
	in_cluster squeue -h -P -t PD \
		-O "jobid:|,partition:|,prioritylong:" | tr -d ' ' | sort
}
sprio_view() {
	in_cluster sprio -h -o "%i|%r|%Y|%S|%A|%B|%F|%J|%P|%Q|%N|%T" |
		tr -d ' ' | sort
}
same_moment() {
	before=$(squeue_view)
	sprio=$(sprio_view)
	[[ $before == "$(squeue_view)" ]]
}
views() { wait_until same_moment; }

views
same_priorities() {
	is "$(cut -d'|' -f1-3 <<<"$sprio" | grep -v "^${job[two]}|")" \
		"$(grep -v "^${job[two]}|" <<<"$before")" "$1"
}
same_priorities "sprio and squeue tell the same priorities"
# squeue knows one priority a job, whatever the partition.
like "$(cut -d'|' -f1-3 <<<"$sprio" | xargs)" \
	"$(grep -m1 "^${job[two]}|cpu" <<<"$before" | sed 's/|/\\|/g')" \
	"of a job in two partitions squeue tells one of sprio's"
is "$(wc -l <<<"$sprio")" 9 "a job in two partitions has two lines"

# The columns are rounded one by one.
while IFS='|' read -r id part priority site age assoc fs size points qos nice \
	tres; do
	sum="$site + $age + $assoc + $fs + $size + $points + $qos - $nice"
	for one in ${tres//,/ }; do
		sum+=" + ${one#*=}"
	done
	near "$priority" "$sum" 5 "sprio: job $id in $part is its columns' sum"
done <<<"$sprio"

column() { # JOB PARTITION N
	grep "^$1|$2|" <<<"$sprio" | cut -d'|' -f"$3"
}
is "$(column "${job[two]}" cpu 9) $(column "${job[two]}" gpu 9)" "1000 5000" \
	"each partition gives its own points"
ok "a job in two partitions has a priority in each" calc \
	"$(column "${job[two]}" gpu 3) > $(column "${job[two]}" cpu 3)"
is "$(column "${job[late]}" cpu 11)" 30000000 "nice has a column"
is "$(column "${job[ben]}" cpu 7)" "$(column "${job[late]}" cpu 7)" \
	"two jobs of a user have the same fair share"
ok "jobs get points for their size" calc "$(column "${job[ben]}" cpu 8) > 0"
ok "jobs get points for waiting" calc "$(column "${job[ben]}" cpu 5) > 0"
like "$(column "${job[ben]}" cpu 12)" '^cpu=[1-9][0-9]*,mem=[1-9]' \
	"jobs get points for what they ask for"

like "$(in_cluster sprio -l)" "JOBID.*FAIRSHARE.*NICE.*TRES.*${job[ada]}" \
	"sprio -l has all columns and the job"
like "$(in_cluster sprio -w -o "%A|%F|%J|%P|%Q|%T" -h)" \
	'10000000\|100000000\|3000\|5000\|700\|cpu=900,mem=1100' \
	"sprio -w tells the weights"
normalized=$(in_cluster sprio -n -h -j "${job[ada]}" -o "%a %f %j %p")
for one in $normalized; do
	ok "sprio -n is within 0 and 1: $one" calc "$one >= 0 && $one <= 1"
done
near "$(in_cluster sprio -n -h -j "${job[ada]}" -o %f)" \
	"$(share physics ada fairshare)" 0.000001 \
	"sprio -n and sshare tell the same fair share"
is "$(in_cluster sprio -h -u ada,dan -o %i | tr -d ' ' | sort | xargs)" \
	"$(printf '%s\n' "${job[ada]}" "${job[dan]}" | sort | xargs)" \
	"sprio -u picks users"
is "$(in_cluster sprio -h -p gpu -o %i | tr -d ' ')" "${job[two]}" \
	"sprio -p picks partitions"

like "$(job_field "${job[ada]}" Priority)" '^[1-9][0-9]{6,9}$' \
	"scontrol show job tells a priority"
# slurmctld tells slurmdbd in its own time.
accounted() { [[ $(account_of "$1" State) ]]; }
wait_until accounted "${job[ada]}"
like "$(account_of "${job[ada]}" State,Priority)" '^PENDING\|[1-9][0-9]{6,9}$' \
	"sacct tells a priority"
like "$(in_cluster sshare -al)" "physics +ada +10 +0\.500000 +[1-9]" \
	"sshare -al tells the usage"
like "$(in_cluster scontrol -o show assoc_mgr users=ada flags=assoc)" \
	"UserName=ada.*UsageRaw/Norm/Efctv=1999[0-9.]*/0.22/0.67" \
	"scontrol show assoc_mgr tells the usage"

# ---- Operators -------------------------------------------------------------

in_cluster scontrol hold "${job[dan]}"
wait_pass
is "$(job_field "${job[dan]}" Priority)" 0 "a held job stays held"
is "$(in_cluster sprio -h -j "${job[dan]}" -o %i 2>&1 | grep -c '[0-9]')" 0 \
	"a held job is not in sprio"
in_cluster scontrol release "${job[dan]}"
# The scheduler looks at it first: until then it is not eligible.
listed() { grep -q "$1" < <(in_cluster sprio -h -j "$1" -o %i 2>/dev/null); }
wait_until listed "${job[dan]}"
views
same_priorities "a released job has its priority again"
ok "the priority of a released job is not 0" calc "$(column "${job[dan]}" cpu 3) > 1"

in_cluster scontrol update jobid="${job[ijk456]}" priority=4242
wait_pass
is "$(job_field "${job[ijk456]}" Priority)" 4242 \
	"an operator's priority survives a pass"
is "$(in_cluster sprio -h -j "${job[ijk456]}" -o %Y | tr -d ' ')" 4242 \
	"sprio tells an operator's priority"

in_cluster scontrol update jobid="${job[late]}" nice=40000000
views
is "$(column "${job[late]}" cpu 11)" 40000000 "nice can be changed"
same_priorities "and counts at once"

# ---- The order -------------------------------------------------------------

expected=$(sort -t'|' -k3,3nr <<<"$sprio" | grep '|cpu|' | cut -d'|' -f1 |
	xargs)
in_cluster scancel "$filler"
started() { (($(wc -l <"$dir/home/order") == 8)); }
wait_until started || bail "all jobs run" "$(in_cluster squeue)"
is "$(xargs <"$dir/home/order")" "$expected" "jobs start in sprio's order"

# Told without sprio: less usage first, within and across accounts.
place_of() { grep -nx "${job[$1]}" "$dir/home/order" | cut -d: -f1; }
for pair in "ben ada" "cleo dan" "ada cleo" "dan abc123" "ben late" \
	"abc123 ijk456"; do
	read -r one other <<<"$pair"
	ok "$one starts before $other" \
		test "$(place_of "$one")" -lt "$(place_of "$other")"
done

no_equitree_errors
done_testing
