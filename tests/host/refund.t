#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Jobs whose nodes fail are not charged to fair share (refund in equitree.conf): what is
# left is the usage of a history without them.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

# shellcheck source=rows.sh
. "$here/rows.sh"

if [[ ! -x $host ]]; then
	echo "1..0 # SKIP $host is not built (no internal headers of Slurm)"
	exit 0
fi

failed=$here/histories/failed.txt
# The history is played as it is, and without the job that fails.
play() { # NAME SED-EXPRESSION...
	local name=$1
	shift
	sed -E "$@" "$failed" >"$work/$name"
	sed -E '/^[a-z]+ 2( |$)/d' "$work/$name" >"$work/$name.without"
	ours "$work/$name" >"$work/$name.out" 2>"$work/$name.err"
	ours "$work/$name.without" >"$work/$name.none" 2>>"$work/$name.err"
}

# Each number of each association and QOS is that of the history without the job.
same() { # NAME TEXT
	local thing key got want worst=''
	for thing in assoc=phys/ada assoc=phys/ben assoc=phys assoc=root qos=normal; do
		for key in raw wall cpu billing; do
			got=$(value "$work/$1.out" last "$thing" "$key")
			want=$(value "$work/$1.none" last "$thing" "$key")
			awk -v a="$got" -v b="$want" 'BEGIN {
				d = a - b
				exit !((d < 0 ? -d : d) <= 1e-9 * b) }' ||
				worst+="$thing $key: $got, expected $want"$'\n'
		done
	done
	[[ $(value "$work/$1.none" last assoc=phys/ada raw) ]] ||
		worst+=$(tail -n 3 "$work/$1.err")
	none "$2" "$worst"
}

play plain ''
same plain 'nothing is left of the usage of a job whose node fails'
sed '/^price priority/d' "$failed" >"$work/charged"
ours "$work/charged" >"$work/charged.out" 2>&1
awk -v a="$(value "$work/charged.out" last assoc=phys/ada raw)" \
	-v b="$(value "$work/plain.out" last assoc=phys/ada raw)" 'BEGIN { exit !(a > 2 * b) }'
row 'without refund in equitree.conf a job whose node fails is charged' $? \
	"$(value "$work/charged.out" last assoc=phys/ada raw)"
sed 's/^price priority.*/price priority { refund = boot_fail,preempted }/' "$failed" >"$work/other"
ours "$work/other" >"$work/other.out" 2>&1
is 'a state that refund does not list is charged' \
	"$(last_print "$work/other.out")" "$(last_print "$work/charged.out")"
{ echo 'conf PriorityParameters=stock_compat'; cat "$failed"; } >"$work/compat"
sed '/^price priority/d' "$work/compat" >"$work/compat.none"
is 'with stock_compat refund has no effect' \
	"$(ours "$work/compat" 2>&1 | grep -v '^warning' | tail -n 20)" \
	"$(ours "$work/compat.none" 2>&1 | grep -v '^warning' | tail -n 20)"

play alone '/^(submit|start|end) [13]( |$)/d'
is 'usage of a user whose only job was refunded is 0, without a rest of rounding' \
	"$(value "$work/alone.out" last assoc=phys/ada raw)|$(value "$work/alone.out" last assoc=phys raw)" '0|0'

play resized 's/^advance 86437/advance 20000\nresize 2 cpu=1\nadvance 66437/'
got=$(value "$work/resized.out" last assoc=phys/ada raw)
want=$(value "$work/resized.none" last assoc=phys/ada raw)
awk -v a="$got" -v b="$want" 'BEGIN { exit !(a > b) }'
row 'what a job was charged before its last resize stays charged' $? "$got after $want"

play reset -e 's/^conf Prio/conf PriorityUsageResetPeriod=DAILY\nconf Prio/'
same reset 'of a job that ran before the last reset only what came after it is taken back'

play suspended -e '1i price charge_suspended = no' -e 's/^advance 86437/advance 86400\nsuspend 2\nadvance 37\nresume 2\nadvance 7/'
awk -v a="$(value "$work/suspended.out" last assoc=phys/ada raw)" \
	-v b="$(value "$work/suspended.none" last assoc=phys/ada raw)" '
	BEGIN { exit !((a - b) * (a - b) < 1e-6 * b * b) }'
row 'suspended seconds that were free are not taken back' $? \
	"$(value "$work/suspended.out" last assoc=phys/ada raw), expected $(value "$work/suspended.none" last assoc=phys/ada raw)"

# ---- Kills ----------------------------------------------------------------------

play killed -e 's/^advance 40/kill\nadvance 40/'
same killed 'a refund is kept when slurmctld is killed after it'
play killed_late -e 's/^advance 40/advance 700\nkill\nadvance 40/'
same killed_late 'a refund is kept when slurmctld is killed after the next pass'
play damaged -e 's/^advance 40/kill\nadvance 40/' -e 's/^kill/cut equitree_usage 40\nkill/'
same damaged 'a refund is kept when the newest snapshot is damaged'
play forgotten -e 's/^advance 40/unsaved 2\nkill\nadvance 700\nfail 2\nadvance 40/'
same forgotten 'a job that failed, which slurmctld forgot, is refunded once more and not twice'
play half -e 's/^fail 2/fail 2\nunsaved 2\nkill\nadvance 700\nend 2/'
got=$(value "$work/half.out" last assoc=phys/ada raw)
want=$(value "$work/half.none" last assoc=phys/ada raw)
awk -v a="$got" -v b="$want" 'BEGIN { exit !(a > b && a < b + 4 * 800) }'
row 'what a job runs on after a forgotten failure is charged' $? "$got after $want"

# ---- Nothing below 0 -------------------------------------------------------------

play lowered -e 's/^fail 2/remove user ada account=phys\nuser ada account=phys\nfail 2/'
none 'no usage is below 0' "$(grep -E '(raw|wall|cpu|billing)=-' "$work"/*.out)"
none 'no history ends with an error' "$(cat "$work"/*.err | grep -v 'equitree_usage is damaged')"

echo "1..$count"
