#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# One price in all places: of each request in places/requests the message at the
# submission, the command, billing in scontrol while the job runs and in the
# database, and what is charged are the same number; where the allocation
# decides, the message has said so. Then jobs that are changed while they
# wait, requeued, resized, or too short for any pass.
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
	sed -nE "/(JobId|ArrayJobId)=$1 .*JobState=RUNNING/s/.* TRES=([^ ]*).*/\1/p" \
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

said() { sed -n 's/^sbatch: equitree: //p' "$1"; } # FILE

# "yes" where a message said the price that was then allocated: itself, within
# its range, above its least, or up to what more nodes would cost.
said_it() { # MESSAGE PRICE
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

options=() told=() price=() charge=() billing=() ids=()
read_table() {
	local line cells i
	while IFS= read -r line; do
		[[ $line && $line != \#* ]] || continue
		IFS='|' read -ra cells <<<"$line"
		for i in "${!cells[@]}"; do
			read -r "cells[i]" <<<"${cells[i]}"
		done
		options+=("${cells[0]}") told+=("${cells[1]}")
		price+=("${cells[2]}") charge+=("${cells[3]:-${cells[2]}}")
		billing+=("${cells[4]}")
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
	local i=$1 id=${ids[$1]} message offline seconds usage raw minutes want
	message=$(said "$home/said/$i.err")
	offline=$(as_words "${options[i]}" | offline_bill)
	seconds=$(seconds_of "$id")
	want=$(value "(${charge[i]}) * $seconds")
	usage=$(charged "p$((i + 1))")
	raw=$(raw_usage "p$((i + 1))")
	minutes=$(billing_minutes "p$((i + 1))")
	ok "${options[i]}: it ran" test "$seconds" -gt 0
	is "$(said_it "$message" "${price[i]}") ${message%%-equivalent*}" \
		"yes ${told[i]}" "${options[i]}: sbatch says ${told[i]}"
	is "$offline" "$message" "${options[i]}: equitree bill says the same"
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
	"$build/tools/equitree" bill -f "$dir/etc/equitree.conf" \
		--partition-info="$work/partitions" --node-info="$work/nodes" \
		-t 10 "${words[@]}" 2>"$work/offline.err" | head -n 1
}

read_table
ok "there are 80 requests and more" test "${#options[@]}" -ge 80
in_cluster sacctmgr -nP show assoc format=account,user,id >"$work/assocs"
in_cluster scontrol show partition >"$work/partitions"
in_cluster scontrol show node >"$work/nodes"
submit_table
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
