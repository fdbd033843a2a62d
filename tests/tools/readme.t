#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The examples of the README: each command of equitree's is typed, beside the
# files of data/, and prints what stands below it. "[...]" stands for lines that
# are left out; blanks at line ends do not count.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"
top=$(cd "$tools_dir/../.." && pwd)
PATH=$(dirname "$(readlink -f "$equitree")"):$PATH
export LC_ALL=C.UTF-8

folder=$work/a/b/c
mkdir -p "$folder"
ln -s "$top/sandbox" "$work/sandbox"
cp -r "$data"/* "$data"/policies/* "$folder"
cd "$folder" || exit

# The blocks that begin with "$ equitree", each into a file.
awk -v to="$work/block" '
	/^```/ { if (inside) close(file); inside = !inside; first = 1; next }
	inside && first { first = 0; if (/^\$ equitree|^\$ TZ=UTC equitree/) file = sprintf("%s%02d", to, ++n); else file = "" }
	inside && file != "" { print >file }' "$top/README.md"

# "A site whose slurm.conf is not quite what its equitree.conf wants".
not_quite() {
	cp "$top"/sandbox/sites/cedar/*.conf "$folder"
	sed -i -e 's/^\(PriorityWeightAge\)=.*/\1=10000/' -e 's/:v100:/:a100:/' \
		-e 's/^PartitionName=cpu .*/& TRESBillingWeights="CPU=1,Mem=0.25G"/' \
		"$folder/slurm.conf"
}
yes_quite() { # what the other examples stand beside
	rm "$folder"/*.conf
	cp "$data"/policies/*.conf "$folder"
}

blocks=("$work"/block*)
like "${#blocks[@]}" '^(9|[1-9][0-9])$' "the README has examples of most subcommands"
for block in "${blocks[@]}"; do
	# The command: up to the first line that does not end in a backslash.
	command=$(awk '{ print } !/\\$/ { exit }' "$block")
	awk 'done { print } !/\\$/ { done = 1 }' "$block" | sed 's/[[:space:]]*$//' >"$work/want"
	[[ $command != *check* ]] || not_quite
	bash -c "${command#\$ }" 2>"$work/err" | sed 's/[[:space:]]*$//' >"$work/got"
	# Lines that are left out are left out of what it printed as well.
	python3 - "$work/want" "$work/got" >"$work/diff" <<'END'
import difflib, sys
want, got = (open(path, encoding="utf-8").read().strip("\n").split("\n")
	for path in sys.argv[1:])
while "[...]" in want:
	at = want.index("[...]")
	rest = len(want) - at - 1
	got[at:len(got) - rest] = [".."]
	want[at] = ".."
print("\n".join(difflib.unified_diff(want, got, "README", "now", lineterm="")))
END
	is "$(<"$work/diff")" "" "${command%%$'\n'*}"
	[[ $command != *check* ]] || yes_quite
done
done_testing
