#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# slurmctld dies at each step of a grant: before its line is written, in the middle of
# the line, before and after it is on disk; and of the first grant, which makes the file.
# The command repeats its request, and each grant is there once.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

equitree=$build/tools/equitree
library=$build/tests/system/.libs/kill_write.so
[[ -e $library ]] || bail "tests/system/kill_write.so is built in $build"
cluster_up --no-slurmctld
step_file=$work/step

start() {
	in_cluster env LD_PRELOAD="$library" EQT_KILL_AT="$step_file" slurmctld -D \
		-L "$dir/log/slurmctld.log" >"$work/slurmctld.out" 2>&1 &
	slurmctld=$!
}
answers() { grep -q 'is UP' < <(in_cluster scontrol ping 2>/dev/null); }
budget() { in_cluster "$equitree" budget "$@"; }

# die_in_grant STEP OF: a grant, in which slurmctld dies at that step.
die_in_grant() {
	echo "$1" >"$step_file"
	budget grant physics 0.25 --reason "$1" >"$work/grant" 2>&1 &
	local grant=$!
	wait "$slurmctld"
	is "$(cat "$step_file" 2>/dev/null)" "" "slurmctld dies in a grant: $1 $2"
	start
	wait_until answers || bail "slurmctld starts again" "$(tail "$work/slurmctld.out")"
	grants=$((grants + 1))
	wait "$grant"
	is "$?|$(grep -c '^grant 0.25 ' "$work/grant")" "0|1" "the command gets its answer from the next slurmctld: $1 $2"
	is "$(budget list --csv --no-headings | awk -F, '{ n++; sum += $5 } END { print n, sum }')" \
		"$grants $(awk "BEGIN { print $grants * 0.25 }")" "the grant is there once: $1 $2"
	like "$(budget verify)" "^balanced: $grants budgets" "verify says balanced: $1 $2"
}

begin() {
	grants=0
	start
	wait_until answers || bail "slurmctld starts" "$(tail "$work/slurmctld.out")"
}
stop() {
	in_cluster scontrol shutdown slurmctld
	wait "$slurmctld"
}

# From 25.05 on slurmctld does not start again if it died before it saved its state for
# the first time.
begin
stop
# The first grant makes a file, beside its place, and renames it.
for step in "write half" "fsync before" "fsync after" "end before" "end after" "rename before" "rename after"; do
	begin
	die_in_grant "$step" "of a new file"
	stop
	rm "$state_dir"/equitree_budgets*
	# An operator says that they are to be gone.
	: >"$state_dir/equitree_budgets.accept"
done
# Another one adds a line.
begin
budget grant physics 0.25 --reason first >"$work/grant"
grants=1
for step in "write before" "write half" "fdatasync before" "fdatasync after"; do
	die_in_grant "$step" "of a line"
done
is "$(cat "$state_dir"/equitree_budgets* | grep -c '^grant ')" "$grants" "the journal has each grant once"
is "$(budget list --csv --no-headings | cut -d, -f1 | sort -u | wc -l)" "$grants" "no number of a budget is used twice"
# What the starts have said to that, and to lines that were cut.
is "$(grep 'error: priority/equitree' "$dir/log/slurmctld.log" | grep -vE 'equitree_budgets(: its end was cut| is missing: entry [0-9]+ was written; going on)')" "" "the logs have no other error of equitree"
done_testing
