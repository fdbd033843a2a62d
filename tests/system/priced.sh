# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Jobs whose price is known beforehand: the message, the charge, the billing and the
# command have it. For tests that have sourced lib.sh and brought a cluster up.

# The output of a job's submission without its text: it goes to $work/message.
submit_priced() { # USER OPTIONS...
	as "$1" sbatch --parsable --bill=brief -o /dev/null -t5 "${@:2}" --wrap 'sleep 2' \
		2>"$work/message"
}

# Sets id. PRICE is in thousandths, UNIT a regex of what follows the number in the message.
costs() { # PRICE USER ACCOUNT NAME UNIT OPTIONS...
	local price=$1 user=$2 account=$3 name=$4 unit=$5 before
	shift 5
	# Before the job, since a pass may charge its first second while its message is read.
	before=$(exact_usage "$account" "$user")
	id=$(submit_priced "$user" "$@")
	[[ $id ]] || bail "$name: it is submitted" "$(cat "$work/message")"
	like "$(cat "$work/message")" "cost $(value "$price / 1000") $unit" \
		"$name: the message has the price"
	wait_until jobs_ended "$id" || bail "$name: it ends" "$(in_cluster squeue)"
	wait_pass
	is "$(value "$(exact_usage "$account" "$user") - $before")" \
		"$(value "$price / 1000 * $(elapsed "$id")")" "$name: the charge is the price"
	like ",$(account_of "$id" AllocTRES)," ",billing=$price," "$name: so is the billing"
	# Without --nodes the command knows no node.
	[[ " $* " == *" -w "* ]] ||
		is "$(in_cluster "$build/tools/equitree" bill -t5 "$@" 2>&1 |
			sed -nE "s/.*cost ([0-9.]+) $unit.*/\\1/p" | head -n 1)" \
			"$(value "$price / 1000")" "$name: equitree bill prints the price"
}
