#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A slurmctld is paused, as with its virtual machine; the backup takes over; the first one
# goes on, with submissions, grants and ends all the time. It takes control back, as Slurm
# has it; or the backup dies at that moment, and it may not write any more. No line of
# budgets is lost, doubled or damaged, and both can start.
# PAUSES (2) rounds.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

equitree=$build/tools/equitree
readonly rounds=${PAUSES:-2}
cluster_up --backup --set SlurmctldTimeout=5 --set PriorityParameters=period=2 \
	--set MessageTimeout=5
nodes_up() { [[ $(in_cluster sinfo -h -o %T | sort -u) == idle ]]; }
wait_until nodes_up || bail "the nodes are there"
file=$state_dir/equitree_budgets
first=$dir/log/slurmctld.log backup=$dir/log/slurmctld.backup.log

budget() { in_cluster timeout 60 "$equitree" budget "$@"; }
verified() { [[ $(budget verify 2>/dev/null) == balanced:* ]]; }
times() { # PATTERN LOG COUNT: does the log have it so often?
	(($(grep -c "$1" "$2") >= $3))
}

budget grant physics 1000 --reason load >/dev/null || bail "a budget is granted"
inode() { stat -c %i "$state_dir/$1"; }
taken() { # FILE INODE: has somebody else taken it?
	[[ $(inode "$1") != "$2" ]]
}
refused() { # REASON: a write shows whose the file is
	[[ $(budget grant bloggs 0.5 --reason "$1" 2>&1) == *'another slurmctld'* ]]
}
is_fenced() { # BUDGETS OWNER REASON: the inodes of the files before the backup came
	if taken equitree_budgets "$1"; then
		wait_until refused "$3" &&
			wait_until grep -q 'budgets: equitree_budgets is written by another slurmctld now' "$first" || return
	else
		wait_until budget grant bloggs 0.5 --reason "$3" >/dev/null || return
	fi
	! taken equitree_owner "$2" ||
		wait_until grep -q 'usage is not saved: another slurmctld has taken over' "$first"
}
load() { # submissions, grants and ends until the file "load" is gone
	local i=0
	while [[ -e $work/load ]]; do
		((++i))
		submit ada 1 -t1 >/dev/null 2>&1
		if budget grant bloggs 0.25 --reason "$1.$i" >"$work/grant.$1" 2>&1; then
			sed -n 's/.*budget \([0-9]*\)$/\1/p' "$work/grant.$1" >>"$work/granted"
		fi
	done
}
: >"$work/granted"
balanced=0 took=0 goes_on=0 fenced=0 whole=0
for ((round = 1; round <= rounds; round++)); do
	: >"$work/load"
	load "$round" &
	loads=$!
	sleep 3
	pid=$(cluster daemon pid slurmctld)
	kill -STOP "$pid"
	budgets=$(inode equitree_budgets) owner=$(inode equitree_owner)
	seen=$(grep -c 'priority/equitree: loaded' "$backup")
	wait_until times 'priority/equitree: loaded' "$backup" $((seen + 1)) && ((++took))
	# From two seconds after its start on the backup owns the files: in each fourth round it may
	# die before that.
	if ((round % 4 == 2)); then
		wait_until taken equitree_budgets "$budgets"
		wait_until taken equitree_owner "$owner"
	else
		sleep $((2 + round % 4))
	fi
	((round % 2)) || daemon kill slurmctld.backup
	kill -CONT "$pid"
	sleep $((2 + RANDOM % 5))
	rm "$work/load"
	wait "$loads"
	if ((round % 2)); then
		wait_until verified && budget grant bloggs 0.5 --reason "$round" >/dev/null && ((++goes_on))
	else
		is_fenced "$budgets" "$owner" "$round" && ((++fenced))
	fi
	daemon kill slurmctld
	daemon kill slurmctld.backup
	: >"$first"
	daemon start slurmctld || break
	((++whole))
	daemon start slurmctld.backup
	wait_until verified && ((++balanced))
done
is "$took" "$rounds" "the backup takes over each time"
is "$whole|$balanced" "$rounds|$rounds" "slurmctld starts after each round, and verify says balanced"
is "$goes_on" $(((rounds + 1) / 2)) "one that takes control back reads budgets again, and goes on"
is "$fenced" $((rounds / 2)) "one whose backup has died says which files it lost, and writes no more to them"
is "$(sort "$work/granted" | uniq -d)" "" "no number of a budget was answered twice"
budget list --csv --no-headings | cut -d, -f1 | sort -u >"$work/there"
sort -u "$work/granted" | comm -23 - "$work/there" >"$work/lost"
is "$(wc -l <"$work/granted" | awk '{ print ($1 > 0) }')|$(cat "$work/lost")" "1|" \
	"each grant that was answered is there"
daemon kill slurmctld
ok "the backup starts, too" wait_until verified
done_testing
