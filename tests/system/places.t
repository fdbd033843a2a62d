#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# One price in all places: of each request in places/requests the message at the
# submission, the command, billing in scontrol while the job runs and in the
# database, and what is charged are the same number; where the allocation
# decides, the message has said so. Then jobs that are changed while they
# wait, requeued, resized, or too short for any pass.
# shellcheck disable=SC2218 # lib.sh has wait_pass, the end defines it once more
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=places/cluster.sh
. "$(dirname "$0")/places/cluster.sh"

places_up --set SlurmctldDebug=debug2
home=$dir/home/ada

# A job that runs until the test lets it end.
# shellcheck disable=SC2016 # the job is to look
waits='until [ -e "$HOME/end" ]; do sleep 0.3; done'


# ---- What each place says ---------------------------------------------------

# A column of billing, "1000", out of a list of TRES: 0 is not shown.
billing_of() { # TRES
	local words
	words=$(tr , '\n' <<<"$1" | sed -n 's/^billing=//p')
	echo "${words:-0}"
}

# What scontrol said of a running job (all tasks of an array), with its blanks.
scontrol_billing() { # ID FILE
	sed -nE "/(JobId|ArrayJobId)=$1 .*JobState=RUNNING/s/.* (Alloc)?TRES=([^ ]*).*/\2/p" \
		"$2" | while read -r tres; do billing_of "$tres"; done | sort -u
}

sacct_billing() { # ID
	grep -E "^$1(_[0-9]+)?\|" "$work/accounted" | cut -d'|' -f3 |
		while read -r tres; do billing_of "$tres"; done | sort -u
}

seconds_of() { # ID
	grep -E "^$1(_[0-9]+)?\|" "$work/accounted" |
		awk -F'|' '{ sum += $2 } END { print sum + 0 }'
}

# Usage of ada in an account, to the last digit.
charged() { # ACCOUNT
	local id
	id=$(sed -n "s/^$1|ada|//p" "$work/assocs")
	saved_row a "$id" | cut -d' ' -f1
}

# The billing-minutes that the account's GrpTRESMins counts.
billing_minutes() { # ACCOUNT
	awk -v account="Account=$1" '
		/^ClusterName=/ { mine = $2 == account && / UserName= / }
		mine && /GrpTRESMins=/ {
			sub(/.*,billing=[^(]*[(]/, "")
			sub(/[)].*/, "")
			print
			exit
		}' "$work/assoc_mgr"
}

raw_usage() { # ACCOUNT
	awk -F'|' -v account="$1" '{ sub(/^ */, "", $1) }
		$1 == account && $2 == "ada" { print $3 }' "$work/sshare"
}

# All that can be asked once for many jobs.
ask_places() { # IDS
	account_of "$1" JobID,ElapsedRaw,AllocTRES >"$work/accounted"
	in_cluster sshare -alPn -o account,user,rawusage >"$work/sshare"
	in_cluster scontrol show assoc_mgr flags=assoc >"$work/assoc_mgr"
}

said() { sed -n 's/^sbatch: equitree: \(cost \)\?//p' "$1"; } # FILE

# "yes" where a message said the price that was then allocated: itself, within
# its range, above its least, or up to what more nodes would cost.
said_it() { # MESSAGE PRICE
	[[ $1 != free* ]] || { echo yes && return; }
	awk -v message="$1" -v price="($2)" 'BEGIN {
		split(substr(price, 2, length(price) - 2), part, "/")
		price = part[2] ? part[1] / part[2] : part[1]
		least = message ~ /^at least /
		sub(/^at least /, "", message)
		low = high = message + 0
		if (match(message, /^[0-9.]+ to [0-9.]+/)) {
			high = substr(message, 1, RLENGTH)
			sub(/.* /, "", high)
		}
		if (match(message, /; [0-9.]+ if it gets/))
			high = substr(message, RSTART + 2)
		high = least ? price : high + 0
		exact = 0.00006 # four digits are told
		print price >= low - exact && price <= high + exact ? "yes" \
			: "no"
	}'
}

# ---- The table --------------------------------------------------------------

release=$(slurmctld -V | sed -E 's/^[^ ]* ([0-9.]+[0-9]).*/\1/')

# Whether this release is one of "FIRST-LAST"; either may be missing.
release_within() { # RANGE
	printf '%s\n' "${1%%-*}" "$release" "${1#*-}" |
		sed 's/^$/99/; 1s/^99$/0/' | sort -CV
}

options=() told=() price=() charge=() billing=() offline=() ids=()
read_table() {
	local line cells i
	while IFS= read -r line; do
		[[ $line && $line != \#* ]] || continue
		if [[ $line =~ ^([0-9.]*-[0-9.]*):\ (.*) ]]; then
			release_within "${BASH_REMATCH[1]}" || continue
			line=${BASH_REMATCH[2]}
		fi
		IFS='|' read -ra cells <<<"$line"
		for i in "${!cells[@]}"; do
			read -r "cells[i]" <<<"${cells[i]}"
		done
		options+=("${cells[0]}") told+=("${cells[1]}")
		price+=("${cells[2]}") charge+=("${cells[3]:-${cells[2]}}")
		billing+=("${cells[4]}") offline+=("${cells[5]-}")
	done <"$system_dir/places/requests"
}

# All submissions in one go: of row N the message in N.err, the id in N.id.
submit_table() {
	local i
	mkdir "$home/said"
	for i in "${!options[@]}"; do
		printf 'sbatch --parsable -o /dev/null -t 10 -A p%d %s --wrap %q >said/%s.id 2>said/%s.err\n' \
			$((i + 1)) "${options[i]}" "$waits" "$i" "$i"
	done >"$home/submit"
	chmod -R a+rwX "$home"
	as ada bash ./submit
	for i in "${!options[@]}"; do
		ids+=("$(<"$home/said/$i.id")")
		[[ ${ids[i]} ]] ||
			bail "${options[i]}: it is taken" "$(<"$home/said/$i.err")"
	done
}

# Only tasks of an array that its %limit holds back.
all_run() {
	[[ $(in_cluster squeue -h -t PD -o %r | sort -u) == \
		JobArrayTaskLimit ]]
}

# One row: each place in words, and what they should be.
check_row() { # INDEX
	local i=$1 id=${ids[$1]} message bill seconds usage raw minutes want
	message=$(said "$home/said/$i.err")
	bill=$(as_words "${options[i]}" | offline_bill)
	seconds=$(seconds_of "$id")
	want=$(value "(${charge[i]}) * $seconds")
	usage=$(charged "p$((i + 1))")
	raw=$(raw_usage "p$((i + 1))")
	minutes=$(billing_minutes "p$((i + 1))")
	ok "${options[i]}: it ran" test "$seconds" -gt 0
	is "$(said_it "$message" "${price[i]}") ${message%%-equivalent*}" \
		"yes ${told[i]}" "${options[i]}: sbatch says ${told[i]}"
	if [[ ${offline[i]} ]]; then
		is "${bill%%-equivalent*}" "${offline[i]}" \
			"${options[i]}: equitree bill says ${offline[i]}"
	else
		is "$bill" "$message" "${options[i]}: equitree bill prints the price of sbatch"
	fi
	is "$(scontrol_billing "$id" "$work/running")" "${billing[i]}" \
		"${options[i]}: scontrol has ${billing[i]} while it runs"
	is "$(sacct_billing "$id")" "${billing[i]}" \
		"${options[i]}: sacct has ${billing[i]}"
	ok "${options[i]}: usage is ${charge[i]} a second" \
		calc "($usage - $want)^2 <= (1e-12 * $want)^2"
	ok "${options[i]}: sshare shows it" calc "($raw - $want)^2 <= 1"
	ok "${options[i]}: GrpTRESMins counts it in billing" \
		calc "($minutes - $want * 1000 / 60)^2 <= 1"
}

as_words() { xargs -n1 <<<"$1"; }

# The command with the options on stdin, one a line, without a cluster.
offline_bill() {
	local words
	mapfile -t words
	[[ ${words[*]} ]] || words=()
	[[ ${words[*]} != *"-q double"* ]] || words+=(--usage-factor=2)
	"$build/tools/equitree" bill -f "$dir/etc/equitree.conf" \
		--partition-info="$work/partitions" --node-info="$work/nodes" \
		--config-info="$work/config" \
		-t 10 "${words[@]}" 2>"$work/offline.err" |
		sed -n '1 { s/^cost //; p }'
}

read_table
ok "there are 80 requests and more" test "${#options[@]}" -ge 80
in_cluster sacctmgr -nP show assoc format=account,user,id >"$work/assocs"
# The saved nodes are what sbatch sees a moment later: the price "if it starts now"
# asks which nodes are free.
all_idle() { [[ $(in_cluster sinfo -hN -o %T | sort -u) == idle ]]; }
wait_until all_idle || bail "all nodes are idle" "$(in_cluster sinfo -N)"
in_cluster scontrol show partition >"$work/partitions"
in_cluster scontrol show node >"$work/nodes"
in_cluster scontrol show config >"$work/config"
# Nothing starts before all is submitted, so that each submission sees these nodes. The
# partition that is tried first is up first, or its job starts in the other one.
partitions_become() { # STATE
	local name
	for name in express $(in_cluster sinfo -hao %R); do
		in_cluster scontrol update PartitionName="$name" State="$1"
	done
}
partitions_become DOWN
submit_table
partitions_become UP
wait_until all_run || bail "all requests run at once" "$(in_cluster squeue)"
wait_pass
in_cluster scontrol -o show job >"$work/running"
as ada touch end
all_ids=$(IFS=, && echo "${ids[*]}")
wait_until jobs_ended "$all_ids" $((${#ids[@]} + 5)) || # three arrays
	bail "all jobs end" "$(in_cluster squeue)"
wait_pass
ask_places "$all_ids"
for i in "${!options[@]}"; do
	check_row "$i"
done

# ---- Jobs that do not stay what they were -----------------------------------

account=$((${#options[@]} + 1))
end=end # the file that lets jobs of a group end

# A job in an account of its own (in $id and $account) that waits for $end.
submit_next() { # OPTIONS...
	account=$((account + 1))
	id=$(as ada sbatch --parsable -o /dev/null -t 10 -A "p$account" "$@" \
		--wrap "${waits/\/end/\/$end}" 2>>"$work/sbatch.err")
	[[ $id ]] || bail "$*: it is taken" "$(tail "$work/sbatch.err")"
}

update() { # ID WORDS...
	in_cluster scontrol update jobid="$1" "${@:2}" >>"$work/update" 2>&1 ||
		fail "scontrol update $*" "$(tail -n 3 "$work/update")"
}

shown() { billing_of "$(job_tres "$1")"; } # ID

runs_with() { # ID BILLING: it runs, and scontrol shows that
	job_is "$1" RUNNING && [[ $(shown "$1") == "$2" ]]
}

# Runs of a job as the database has them, and the billing of each.
runs_of() { # ID
	account_of "$1" Start,ElapsedRaw,AllocTRES | grep -v '|$' | sort
}
billings_of() { # ID
	runs_of "$1" | cut -d'|' -f3 |
		while read -r tres; do billing_of "$tres"; done | paste -sd' '
}
billings_are() { [[ $(billings_of "$1") == "$2" ]]; } # ID BILLINGS

# The billing of each run, which the database may learn of five seconds late,
# and what they come to in usage.
check_runs() { # NAME ACCOUNT ID BILLINGS
	wait_until billings_are "$3" "$4"
	is "$(billings_of "$3")" "$4" "$1: sacct has $4"
	check_usage "$@"
}

check_usage() { # NAME ACCOUNT ID
	local sum
	sum=$(while IFS='|' read -r _ seconds tres; do
		echo -n "$(billing_of "$tres") * $seconds / 1000 + "
	done < <(runs_of "$3"))
	# Billing is rounded up, usage is not.
	near "$(charged "$2")" "$sum 0" 0.1 "$1: and usage is what they come to"
	isnt "$(charged "$2")" 0 "$1: which is something"
}

# name, account, id, billing of each run: looked at when all have ended.
cases=()
later() { cases+=("$1|p$account|$id|$2"); } # NAME BILLINGS

check_cases() {
	local one name owner job want
	as ada touch "$end"
	for one in "${cases[@]}"; do
		IFS='|' read -r name owner job want <<<"$one"
		wait_until jobs_ended "$job" "$(wc -w <<<"$want")" ||
			fail "$name: it ends" "$(in_cluster squeue)"
	done
	wait_pass
	for one in "${cases[@]}"; do
		IFS='|' read -r name owner job want <<<"$one"
		check_runs "$name" "$owner" "$job" "$want"
	done
	cases=()
}

# Changed while it waits: the request has the new price at once, the job starts
# with it.
end=end2
# name, billing of the request, billing of the job, words of update, options
while IFS='|' read -r name wanted got words options; do
	read -ra options <<<"$options"
	read -ra words <<<"$words"
	submit_next --begin=now+1hour "${options[@]}"
	update "$id" "${words[@]}"
	is "$(shown "$id")" "$wanted" "$name: the request has $wanted"
	update "$id" StartTime=now
	ok "$name: the job runs with $got" wait_until runs_with "$id" "$got"
	later "$name" "$got"
done <<'END'
more memory|2500|2500|MinMemoryNode=10000|-n1 --mem=1000M
more cores|6000|6000|NumCPUs=6 NumTasks=6|-n1 --mem=1000M
another partition|7500|7500|Partition=express|-n2 -N1 --mem=10000M
another QOS|500|500|QOS=half|-n1 --mem=1000M
more GPUs|2000|2000|TresPerNode=gres:gpu:p100:2|-p p100 --gres=gpu:p100:1 -n1 --mem=1000M
whole nodes|1000|4000|Partition=whole|-p small -n1 --mem=1000M
END

# Requeued, and given other nodes.
submit_next -p mixed -w w18 -n1 --exclusive --mem=1000M --requeue
ok "requeue: the first run has 4000" wait_until runs_with "$id" 4000
in_cluster scontrol requeue "$id"
wait_until job_is "$id" PENDING
update "$id" ReqNodeList=b1
update "$id" StartTime=now
ok "requeue: the second run has 16000" wait_until runs_with "$id" 16000
later "requeue" "4000 16000"

# Resized, in another second than started: else slurmdbd keeps one record.
submit_next -N2 -n2 --mem=6000M
ok "resize: two nodes have 3000" wait_until runs_with "$id" 3000
wait_pass
update "$id" NumNodes=1
ok "resize: the one that is left has 1500" wait_until runs_with "$id" 1500
later "resize" "3000 1500"
submit_next -p small -N3 -n3 --exclusive --mem=1000M
ok "resize of whole nodes: three have 12000" \
	wait_until runs_with "$id" 12000
wait_pass
update "$id" NumNodes=1
ok "resize of whole nodes: one has 4000" wait_until runs_with "$id" 4000
later "resize of whole nodes" "12000 4000"
check_cases

# Components of a heterogeneous job are priced one by one.
end=end3
account=$((account + 2))
one=(-n2 -N1 --mem=10000M) two=(-p small -n1 --exclusive --mem=1000M)
id=$(as ada sbatch --parsable -o /dev/null -t 10 -A "p$((account - 1))" \
	"${one[@]}" : -t 10 -A "p$account" "${two[@]}" \
	--wrap "${waits/\/end/\/$end}" 2>"$work/het")
said "$work/het" >"$work/het.said"
sed -n 's/^sbatch: [01]: equitree: cost //p' "$work/het" | cut -d- -f1 \
	>"$work/het.told"
is "$(paste -sd' ' "$work/het.told")" "2.5 core 4 core" \
	"heterogeneous: sbatch says the price of each component"
ok "heterogeneous: the first runs with 2500" \
	wait_until runs_with "$id+0" 2500
ok "heterogeneous: the second runs with 4000" \
	wait_until runs_with "$id+1" 4000
cases+=("heterogeneous, first|p$((account - 1))|$id+0|2500"
	"heterogeneous, second|p$account|$id+1|4000")
wait_pass
check_cases

# ---- Prices that change, and other units ------------------------------------

configure() { # LINE...
	sed -i '/^# --/,$d' "$dir/etc/equitree.conf"
	printf '%s\n' '# --' "$@" >>"$dir/etc/equitree.conf"
	in_cluster scontrol reconfigure
}

sed -i '/^billing_scale/d' "$dir/etc/equitree.conf"
end=end4
submit_next -n1 --mem=1000M
long=$id long_account=p$account
wait_until job_is "$long" RUNNING
rows=0
# price told, billing, billing of 1 that runs already, lines, options
while IFS='|' read -r tell wanted running lines options; do
	IFS=';' read -ra lines <<<"$lines"
	read -ra options <<<"$options"
	configure "${lines[@]}"
	name="${lines[*]}: ${options[*]}"
	submit_next "${options[@]}"
	like "$(said "$work/sbatch.err" | tail -n 1)" "^$tell core-equiv" \
		"$name: sbatch says $tell"
	ok "$name: it runs with $wanted" wait_until runs_with "$id" "$wanted"
	ok "$name: and who ran already has $running" \
		wait_until runs_with "$long" "$running"
	in_cluster scancel "$id"
	wait_until jobs_ended "$id"
	wait_until billings_are "$id" "$wanted"
	is "$(billings_of "$id")" "$wanted" "$name: sacct has it"
	rows=$((rows + 1))
done <<'END'
1.5|1500|1500|billing_scale = 1000;minimum = 1.5|-n1 --mem=100M
2.5|2500|1000|billing_scale = 1000;round_unit = 2|-n2 -N1 --mem=9000M
2.5|3|1|billing_scale = 1|-n2 -N1 --mem=10000M
2.5|2|1|billing_scale = 1;billing_round = floor|-n2 -N1 --mem=10000M
2.25|2|1|billing_scale = 1;billing_round = nearest|-n2 -N1 --mem=9000M
END
is "$rows" 5 "all units were tried"
configure "billing_scale = 1000"
ok "the price of before holds again" wait_until runs_with "$long" 1000
as ada touch "$end"
wait_until jobs_ended "$long"

# ---- Jobs that no pass has seen ---------------------------------------------

set_keys() { # KEY=VALUE...
	local one
	for one in "$@"; do
		sed -i "s|^${one%%=*}=.*|$one|" "$dir/etc/slurm.conf"
	done
}
short='sleep 1'
# All in accounts of their own; looked at when they have ended.
submit_short() { # OPTIONS...
	account=$((account + 1))
	id=$(as ada sbatch --parsable -o /dev/null -t 10 -A "p$account" "$@" \
		--wrap "$short" 2>>"$work/sbatch.err")
}
no_pass_sees() { # WHERE
	local name want options
	while IFS='|' read -r name want options; do
		read -ra options <<<"$options"
		submit_short "${options[@]}"
		later "no pass, $1: $name" "$want"
	done <<-'END'
		a whole node|4000|-p small -n1 --exclusive --mem=1000M
		the model that it got|2000|-p gpu -w gpu2 --gpus=1 -n7 -N1 --mem=16000M
		the cheaper model|1167|-p gpu -w gpu1 --gpus=1 -n7 -N1 --mem=16000M
		the partition that took it|7500|-p cpu,express -n2 -N1 --mem=10000M
		memory on three nodes|6000|-p small -n3 --mem=8000M --spread-job
	END
}

wait_pass
set_keys PriorityParameters=period=3600
in_cluster scontrol reconfigure
# Its pass, and one that is seen to end: no other comes of its own.
in_cluster sleep 2
pass_now
passes=$(saved_as_of)
no_pass_sees "limits"
end=end5
submit_next -p mixed -w w17 -n1 --exclusive --mem=1000M --requeue
wait_until job_is "$id" RUNNING
in_cluster sleep 1
in_cluster scontrol requeue "$id"
in_cluster scancel "$id"
later "no pass, limits: requeued" 4000
submit_next -p mixed -w w18 -n1 --exclusive --mem=1000M --requeue
wait_until job_is "$id" RUNNING
in_cluster sleep 1
in_cluster scontrol update nodename=w18 state=down reason=test
wait_until job_is "$id" PENDING
in_cluster scancel "$id"
failed=$id failed_account=p$account
in_cluster scontrol update nodename=w18 state=resume
for one in "${cases[@]}"; do
	IFS='|' read -r _ _ job _ <<<"$one"
	wait_until jobs_ended "$job"
done
wait_until jobs_ended "$failed"
is "$(saved_as_of)" "$passes" "no pass was run meanwhile"
wait_pass() { pass_now; }
check_cases
# Cancelled while it waits to run once more, it may have a second record.
like "$(billings_of "$failed")" '^4000( 4000)?$' \
	"no pass, limits: requeued because its node failed: sacct has 4000"
check_usage "no pass, limits: requeued because its node failed" \
	"$failed_account" "$failed"

# What slurmctld would say of limits that lose more than they have. 26.05 says it
# of each job of several components, with its own plugin as well: it takes off at
# the end of its trial what was never added.
[[ $(slurmctld -V) == 'slurm 26.05.'* ]] ||
	is "$(grep -i underflow "$dir/log/slurmctld.log")" "" \
		"slurmctld's log knows of no underflow"
is "$(in_cluster scontrol show assoc_mgr |
	grep -E '^ *GrpTRES=.*billing=[^(]*\([1-9]')" "" \
	"no billing is in use when nothing runs"

# Where limits are not enforced slurmctld does not tell of an end.
set_keys AccountingStorageEnforce=associations
daemon restart slurmctld || bail "slurmctld starts"
in_cluster sleep 2
no_pass_sees "no limits"
for one in "${cases[@]}"; do
	IFS='|' read -r _ _ job _ <<<"$one"
	wait_until jobs_ended "$job"
done
check_cases

no_equitree_errors
done_testing
