#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The examples of the README and of the man pages. Each command of equitree is
# typed beside the files of data/ and must print the text below it. Each sbatch
# of a user is priced with "equitree bill", which must print the user's message.
# "[...]" stands for omitted lines; blanks at line ends do not count.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"
top=$(cd "$tools_dir/../.." && pwd)
PATH=$(dirname "$(readlink -f "$equitree")"):$PATH
export LC_ALL=C.UTF-8 TZ=UTC

folder=$work/folder
mkdir -p "$folder" "$work/blocks"
cedar=$top/sandbox/sites/cedar
cp -r "$data"/* "$data"/policies/* "$folder"
cp "$cedar/equitree.conf" "$folder/cedar.conf"
cp "$cedar/slurm.conf" "$folder/cluster.conf"
mkdir "$folder/saved"
cp "$folder"/why/*.txt "$folder/config.txt" "$folder/saved"
cd "$folder" || exit

# ---- The blocks of a page, each into a file PAGE.NN -----------------------

# Between lines of three backquotes.
markdown_blocks() { # PAGE TO
	awk -v to="$2" '
		/^```/ { if (inside) close(file); inside = !inside; first = 1; next }
		inside { if (first) file = sprintf("%s.%02d", to, ++n); first = 0
			print >file }' "$1"
}

# Between .EX and .EE, as a terminal shows them.
roff_blocks() { # PAGE TO
	perl -CSD -ne '
		BEGIN { $to = pop @ARGV }
		if (/^\.EX$/) { open $out, ">:utf8", sprintf("%s.%02d", $to, ++$n); next }
		if (/^\.EE$/) { close $out; undef $out; next }
		next unless $out;
		s/^\\&//; s/\\-/-/g; s/\\\[u([0-9A-F]{4,5})\]/chr hex $1/ge; s/\\e/\\/g;
		print $out $_' "$1" "$2"
}

markdown_blocks "$top/README.md" "$work/blocks/README.md"
for page in "$top"/docs/*.[1-8]; do
	roff_blocks "$page" "$work/blocks/$(basename "$page")"
done

# ---- What they show --------------------------------------------------------

# "A slurm.conf that does not agree with equitree.conf".
conf_disagree() {
	cp "$cedar"/*.conf "$folder"
	sed -i -e 's/^\(PriorityWeightAge\)=.*/\1=10000/' -e 's/:v100:/:a100:/' \
		-e 's/^PartitionName=cpu .*/& TRESBillingWeights="CPU=1,Mem=0.25G"/' \
		"$folder/slurm.conf"
}
conf_agree() { # the files of the other examples
	rm "$folder"/*.conf
	cp "$data"/policies/*.conf "$folder"
	cp "$cedar/equitree.conf" "$folder/cedar.conf"
	cp "$cedar/slurm.conf" "$folder/cluster.conf"
}

# Lines that a page omits are taken out of the output as well. When a budget will be spent
# depends on the moment of the test.
page_diff() { # WANT GOT
	sed -i -E '/^ *[0-9]+ .* (open|spent)$/s/[0-9]{4}-[0-9-]+T[0-9:]{8}/PROJECTED/' "$@"
	python3 - "$1" "$2" <<'END'
import difflib, sys
want, got = (open(path, encoding="utf-8").read().strip("\n").split("\n")
	for path in sys.argv[1:])
while "[...]" in want:
	at = want.index("[...]")
	rest = len(want) - at - 1
	got[at:len(got) - rest] = [".."]
	want[at] = ".."
print("\n".join(difflib.unified_diff(want, got, "page", "now", lineterm="")))
END
}

# The command: up to the first line that does not end in a backslash.
command_of() { awk '{ print } !/\\$/ { exit }' "$1"; }
output_of() {
	awk 'done { print } !/\\$/ { done = 1 }' "$1" | sed 's/[[:space:]]*$//'
}

type_block() { # BLOCK
	local command name
	command=$(command_of "$1")
	name=$(basename "$1")
	output_of "$1" >"$work/want"
	[[ $command != *"equitree check"* ]] || conf_disagree
	bash -c "${command#\$ }" 2>"$work/err" | sed 's/[[:space:]]*$//' >"$work/got"
	is "$(page_diff "$work/want" "$work/got")" "" \
		"${name%.*}: ${command%%$'\n'*}"
	[[ $command != *"equitree check"* ]] || conf_agree
}

# What a user's sbatch prints about the price, without submitting.
price_block() { # BLOCK
	local line options=
	while IFS= read -r line; do
		if [[ $line =~ ^[a-z]+\$\ sbatch\ (.*)$ ]]; then
			options=${BASH_REMATCH[1]/ --wrap*/}
		elif [[ $line =~ ^sbatch:\ equitree:\ ([0-9].*)$ ]]; then
			is "$(bash -c "equitree bill -f cedar.conf --partition-info=partitions.txt --node-info=nodes.txt $options" |
				head -n 1)" "${BASH_REMATCH[1]}" \
				"$(basename "${1%.*}"): sbatch $options"
		fi
	done <"$1"
}

typed=()
priced=0
for block in "$work"/blocks/*; do
	case $(head -n 1 "$block") in
	'$ '*equitree\ *)
		type_block "$block"
		typed+=("$block")
		;;
	*'$ sbatch '*)
		price_block "$block"
		((++priced))
		;;
	esac
done

for command in bill boost budget check init leave metrics overhead recover shares simulate tree usage when why; do
	like "${typed[*]}" "/equitree-$command\.1\." "equitree-$command(1) has a typed example"
done
like "${typed[*]}" '/README\.md\.' "the README has a typed example"
ok "sbatch's messages are found" test "$priced" -ge 2
done_testing
