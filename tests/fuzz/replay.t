#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Each parser's fuzz harness reads its whole corpus and lives. EQUITREE_BUILD is
# the build tree; with the sanitizers in it they watch, too.
fuzz_dir=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=../tap.sh
. "$fuzz_dir/../tap.sh"
tree=${EQUITREE_BUILD:-$fuzz_dir/../../build/tree}

for harness in "$fuzz_dir"/fuzz_*.c; do
	name=$(basename "$harness" .c)
	corpus=("$fuzz_dir/corpus/${name#fuzz_}"/*)
	isnt "${#corpus[@]}" 0 "$name: the corpus has files"
	if said=$("$tree/tests/fuzz/$name" "${corpus[@]}" 2>&1); then
		pass "$name: reads its corpus"
	else
		fail "$name: reads its corpus" "$(tail -n 20 <<<"$said")"
	fi
done
done_testing
