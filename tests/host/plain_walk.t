#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# PriorityParameters=plain_walk changes how jobs and associations are visited, and
# no number: each history of this folder, and random ones with and without
# stock_compat, print the same to the last digit. EQUITREE_WALK=plain runs any
# other script of this folder, and parity, with the plain walk.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=rows.sh
. "$here/rows.sh"
unset EQUITREE_WALK
printed=0

# same NAME ARGUMENT...: what the plugin prints with either walk
same() {
	local name=$1
	shift
	ours "$@" >"$work/cached" 2>"$work/cached.err"
	EQUITREE_WALK=plain ours "$@" >"$work/plain" 2>"$work/plain.err"
	# Some are of another release of Slurm, or the first half of another.
	[[ ! -s $work/cached ]] || ((printed++))
	cmp -s "$work/cached" "$work/plain"
	row "$name prints the same with the plain walk" $? \
		"$(diff "$work/cached" "$work/plain" | head -n 10)"
}

for history in "$here"/histories/*.txt; do
	name=$(basename "$history" .txt)
	# A pattern of histories, for host.t.
	[[ $name != midway ]] || continue
	same "$name.txt" "$history"
done

count_random=${RANDOM_HISTORIES:-15}
awk -f "$here/random-history" 880001 "$count_random" >"$work/random"
same "a lot of $count_random random histories" -m "$work/random"
awk -v stock=1 -f "$here/random-history" 881001 "$count_random" >"$work/random"
same "a lot of $count_random random histories of all kinds" -m "$work/random"

((printed > 40))
row 'most of them print something' $? "$printed do"

# It is not the same walk twice.
history=$here/histories/access.txt
ours -v "$history" >"$work/out" 2>"$work/cached.err"
EQUITREE_WALK=plain ours -v "$history" >"$work/out" 2>"$work/plain.err"
is 'the log says which walk it is' \
	"$(grep -c 'without caches (plain_walk)' "$work/cached.err") $(
		grep -c 'without caches (plain_walk)' "$work/plain.err")" '0 1'

echo "1..$count"
