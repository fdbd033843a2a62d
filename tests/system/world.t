#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A small world drawn from a seed: prices, budgets, and jobs of five users with arrays,
# suspensions, resizes, requeues, holds, other time limits, node failures, refunds, changes
# of prices, and kill -9 of slurmctld. At the end RawUsage, the usage of the billing TRES,
# what budgets have spent, the record of charges and the bills of the jobs are the same number
# for each user; equitree usage --verify finds no difference, without kills not in accounting
# either.
#
# WORLD_JOBS: submissions (60); WORLD_KILLS: of slurmctld (3);
# WORLD_SEED; WORLD_LIMITS=no: a site where slurmctld reports no ends, and no budget is
# granted; WORLD_CLOCK=yes: slurmctld's clock goes an hour ahead, back, and an hour behind,
# too, and accounting is not compared.
# The long form: WORLD_JOBS=1000 WORLD_KILLS=20.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"
patience_s=300
equitree=$build/tools/equitree

readonly limits=${WORLD_LIMITS:-yes} steps=${WORLD_CLOCK:-no}
readonly jobs=${WORLD_JOBS:-60} kills=${WORLD_KILLS:-3}
readonly seed=${WORLD_SEED:-3}
RANDOM=$seed
diag "WORLD_JOBS=$jobs WORLD_KILLS=$kills WORLD_SEED=$seed WORLD_LIMITS=$limits WORLD_CLOCK=$steps"

# ---- The world ------------------------------------------------------------------

# All prices are whole numbers, so that Slurm's integer billing is the price.
prices() { # FACTOR-OF-DEAR
	cat <<-CONF
		message = brief
		charge_suspended = no
		charge_completing = $completing
		bundle "cores" {
			cores = 1
			memory = ${memory}000M
		}
		bundle "gpu:p100" {
			cores = 6
			memory = 32000M
		}
		bundle "gpu:v100" {
			cores = 8
			memory = 48000M
		}
		partition "dear" {
			factor = $1
		}
		priority {
			refund = node_fail
		}
	CONF
}
memory=$((1 << RANDOM % 3))
completing=no
((RANDOM % 2)) || completing=yes
made=$work/world
cp -r "$system_dir/../../sandbox/sites/cedar" "$made"
prices $((2 + RANDOM % 3)) >"$made/equitree.conf"
enforce=associations,limits,qos
[[ $limits == yes ]] || enforce=associations,qos
epilog=/bin/true
((RANDOM % 2)) || epilog=$work/epilog
printf '#!/bin/sh\nsleep 1\n' >"$work/epilog"
chmod 755 "$work" "$work/epilog"

# The site's own file says what completing jobs are charged.
site_up() { false; }
start=()
[[ $steps == no ]] || start=(--no-slurmctld)
cluster_up --site "$made" "${start[@]}" --set "Epilog=$epilog" \
	--set AccountingStorageEnforce=$enforce --set MinJobAge=7200 --set SlurmctldDebug=debug2 \
	--set PriorityDecayHalfLife=0 --set PriorityUsageResetPeriod=YEARLY \
	--set "PriorityParameters=period=$((1 + RANDOM % 4))" --set KillWait=2 \
	--set SlurmdTimeout=0 --set SchedulerParameters=batch_sched_delay=0,sched_min_interval=1,sched_interval=1,bf_interval=1,requeue_delay=0 \
	--set "PartitionName=dear Nodes=cpu[1-2]"

# Only slurmctld has the other clock (clock.t).
library=$(dpkg-query -L libfaketime 2>/dev/null | grep -m1 'MT\.so\.1$')
[[ $steps == no || $library ]] || skip_all "libfaketime is not installed"
set_clock() { # OFFSET
	echo "$1" >"$dir/clock.new"
	mv "$dir/clock.new" "$dir/clock"
}
answers() { grep -q 'is UP' < <(in_cluster scontrol ping 2>/dev/null); }
ctld_start() {
	if [[ $steps == no ]]; then
		daemon start slurmctld
		return
	fi
	in_cluster env LD_PRELOAD="$library" FAKETIME_TIMESTAMP_FILE="$dir/clock" \
		FAKETIME_NO_CACHE=1 FAKETIME_DONT_FAKE_MONOTONIC=1 \
		FAKETIME_FORCE_MONOTONIC_FIX=0 slurmctld -D \
		-L "$dir/log/slurmctld.log" >>"$work/slurmctld.out" 2>&1 &
	wait_until answers
}
ctld_kill() { # SIGNAL
	if [[ $steps == no ]]; then
		daemon kill slurmctld
	else
		in_cluster bash -c "kill -$1 \$(pidof slurmctld)"
		while answers; do sleep 0.1; done
	fi
}
if [[ $steps != no ]]; then
	set_clock +0
	ctld_start || bail "slurmctld starts" "$(tail "$work/slurmctld.out")"
fi
nodes_up() { [[ $(in_cluster sinfo -h -o %T | sort -u) == idle ]]; }
wait_until nodes_up || bail "the nodes are there" "$(in_cluster sinfo)"

owners=(physics:ada physics:ben chemistry:cleo chemistry:dan bloggs.prj:abc123)
budget() { in_cluster "$equitree" budget "$@"; }
# Some are short: a job that was suspended, or whose end was forgotten, may find nothing left.
grants() {
	local owner hour=$((1 + jobs / 100))
	for owner in "${owners[@]}"; do
		budget grant "${owner/:/\/}" "$((RANDOM % 3 ? 1000 : hour))" --reason world
	done
	budget grant physics $((hour * (1 + RANDOM % 5))) --reason world
}
[[ $limits == no ]] || grants >/dev/null || bail "budgets are granted"

# ---- Jobs and events ------------------------------------------------------------

# ben's are resized, dan's have a price that changes, and both are suspended.
request() { # USER
	case $1:$((RANDOM % 6)) in
	ben:[0-3]) echo "-N2 -n2" ;;
	dan:[0-4]) echo "-p dear -n$((1 + RANDOM % 3))" ;;
	*:0) echo "-a 1-$((2 + RANDOM % 3)) -n1" ;;
	*:1) echo "-n1 --mem=$((memory * (1 + RANDOM % 9)))000M" ;;
	*:2) echo "-N1 --exclusive" ;;
	*) echo "-n$((1 + RANDOM % 4))" ;;
	esac
}
some_job() { # STATE [USER]
	in_cluster squeue -h -t "$1" ${2:+-u "$2"} -o %A |
		shuf -n1 --random-source=<(yes "$RANDOM")
}
control() { in_cluster scontrol "$@"; }
event() { # NUMBER
	local id
	case $1 in
	0) in_cluster scancel "$(some_job R)" ;;
	1)
		id=$(some_job R)
		echo "${id:-none}" >>"$work/requeued"
		control requeue "$id"
		;;
	2 | 3) control suspend "$(some_job R ben,dan)" ;;
	4 | 5) control resume "$(some_job S)" ;;
	6) control update jobid="$(some_job R ben)" numnodes=1 ;;
	7) control update jobid="$(some_job R,PD)" timelimit=$((1 + RANDOM % 4)) ;;
	8) control hold "$(some_job PD)" ;;
	9)
		control update nodename=cpu2 state=down reason=world
		sleep 0.$((RANDOM % 9))
		control update nodename=cpu2 state=resume
		;;
	10)
		prices $((1 + RANDOM % 5)) >"$dir/etc/equitree.conf"
		control reconfigure
		;;
	11)
		id=$(in_cluster squeue -h -t CD -o %A | tail -n 1)
		[[ $limits == no ]] || budget refund "$id" --reason world
		;;
	esac
}
for ((i = 1; i <= jobs; i++)); do
	owner=${owners[RANDOM % 5]}
	read -ra options < <(request "${owner#*:}")
	submit "${owner#*:}" $((1 + RANDOM % 8)) -A "${owner%:*}" --requeue \
		-t $((1 + RANDOM % 3)) "${options[@]}" >>"$work/ids"
	event $((RANDOM % 16)) >>"$work/events" 2>&1
	if ((kills && i % (jobs / kills) == jobs / kills / 2)); then
		sleep 0.$((RANDOM % 9))
		ctld_kill KILL
		sleep 0.$((RANDOM % 9))
		ctld_start || bail "slurmctld starts after a kill" "$(tail "$dir/log/slurmctld.log")"
	fi
	if [[ $steps != no ]]; then
		((i != jobs / 4)) || set_clock +3600
		((i != jobs / 2)) || set_clock +0
		((i != jobs * 3 / 4)) || set_clock -3600
	fi
done
ok "most of $jobs random submissions are taken" test "$(wc -l <"$work/ids")" -gt $((jobs / 2))

# A job whose processes slurmctld forgot runs until its time limit.
let_go_s=$((SECONDS + 20))
none_left() {
	in_cluster bash -c 'squeue -h -t S -o %A | xargs -r -n 1 scontrol resume
		scontrol update nodename=cpu[1-2] state=resume
		scancel --state=PENDING' >/dev/null 2>&1
	((SECONDS < let_go_s)) || in_cluster scancel --state=RUNNING
	[[ -z $(in_cluster squeue -h -o %A) ]]
}
ok "all jobs end" wait_until none_left

# ---- The comparison -------------------------------------------------------------

pass_done() {
	local at
	at=$(in_cluster squeue -h -t all -o %e | sort | tail -n 1)
	[[ $(date -d "@$(saved_as_of)" +%FT%T) > $at ]]
}
[[ $steps != no ]] || wait_until pass_done
sleep 5
# Of the fifth TRES, which is billing, a row has the sixth number behind RAW.
# Who ran nothing has no usage of TRES.
usage_of() { # ACCOUNT USER: RAW BILLING
	local at=5 ids
	read -ra ids < <(head -n 1 "$state_dir/equitree_usage")
	for ((at = 5; at < ${#ids[@]}; at++)); do
		[[ ${ids[at]} != 5 ]] || break
	done
	saved_row a "$(assoc_id "$1" "$2")" | cut -d' ' -f1,$((at - 2))
}
# Settlements of the budget, refunded or not; and what it could not pay: the charge is what
# the poorest of its budgets paid, and the overrun.
spent_of() { # ACCOUNT USER
	awk -v account="$1" -v user="$2" '
		$1 == "grant" && $5 == account && $6 == user { id = $4 }
		$1 == "settle" {
			split("", paid)
			for (i = 1; i <= NF; i++)
				if (split($i, part, ":") == 4)
					paid[part[1]] += part[3]
			least = ""
			for (i in paid)
				if (least == "" || paid[i] < least)
					least = paid[i]
			if (id in paid)
				sum += $6 ? least + $6 : paid[id]
		}
		END { printf "%.6f\n", sum / 1000000 }' "$state_dir"/equitree_budgets*
}
committed() { budget list --csv --no-headings | awk -F, '{ sum += $7 } END { print sum + 0 }'; }
nothing_committed() { [[ $(committed) == 0 ]]; }
# Bills of all jobs of a user, whose charges are in the record, also of those that accounting lost.
billed() { # USER
	in_cluster "$equitree" bill --user "$1" --since 2000-01-01 --json |
		python3 -c 'import json, sys
print(sum(job["charge"] * job["seconds"] for job in json.load(sys.stdin)["jobs"] if job.get("source") == "record"))'
}
# Differences to accounting without kills, which make it lose starts and ends. It loses some of a
# requeue as well: one in the second of the start never ends there, and one after a suspension
# may not be there at all. Without limits nobody reports an end, and a price that changes just
# then is in accounting alone.
accounting_differs() {
	grep '^job .*accounting' "$work/proof" |
		grep -vF -f <(sed 's/.*/job &:/' "$work/requeued") |
		if [[ $limits == no ]]; then grep -v 'billing'; else cat; fi
}
known() { [[ ! $(in_cluster sacct -aDXnP -S 2000-01-01 -o End,Start | grep '^Unknown|[0-9]') ]]; }
# Of a job that slurmctld forgot in a kill accounting never gets the end.
((kills)) || [[ $steps != no ]] || wait_until known

[[ $limits == no ]] || ok "nothing stays committed" wait_until nothing_committed
cp "$state_dir/equitree_charges/open" "$work/open"
for owner in "${owners[@]}"; do
	account=${owner%:*} user=${owner#*:}
	read -r raw billing < <(usage_of "$account" "$user")
	[[ $raw != 0 ]] || billing=${billing:-0}
	near "$(recorded "$user")" "$raw" 0.001 "$user: the record of charges is RawUsage ($raw)"
	# Without limits there is no usage of TRES, as in Slurm.
	[[ $limits == no ]] || near "$billing" "$raw" 0.001 "$user: the usage of the billing TRES is RawUsage ($raw)"
	# Prices are whole numbers, and so is each charge.
	[[ $limits == no ]] || near "$(spent_of "$account" "$user")" "$raw" 0.001 \
		"$user: budgets were charged RawUsage ($raw)"
	near "$(billed "$user")" "$raw" 0.01 "$user: bills are RawUsage ($raw)"
done
[[ $limits == no ]] || like "$(budget verify)" '^balanced' "the journal of budgets balances"
# Ends of the last ten seconds are not compared with accounting.
[[ $steps != no ]] || sleep 6
in_cluster "$equitree" usage --verify >"$work/proof" 2>&1
diag "$(tail -n 1 "$work/proof")"
is "$(grep -v 'in accounting\|^[0-9]* associations' "$work/proof")" "" \
	"usage --verify finds no difference in RawUsage, billing and budgets"
touch "$work/requeued"
[[ $steps != no ]] || ((kills)) || is "$(accounting_differs)" "" "nor in accounting"
no_equitree_errors
[[ $steps == no ]] || ctld_kill TERM
done_testing
