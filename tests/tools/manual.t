#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The man pages of the command know what the command itself tells.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"
docs=$tools_dir/../../docs

# A page as plain text, and what all commands have in common.
page() { # COMMAND
	sed 's/\\-/-/g' "$docs/equitree-$1.1" "$docs/equitree.1"
}

run --help
mapfile -t commands < <(sed -nE 's/^  ([a-z]+) .*/\1/p' <<<"$out")
ok "the command tells its commands" test ${#commands[@]} -gt 5
for command in "${commands[@]}"; do
	text=$(page "$command")
	like "$text" "equitree $command" "$command: has a page"
	run "$command" --help
	untold=$(grep -oE '^ {2,6}(-[a-zA-Z], )?--[a-z-]+' <<<"$out" |
		grep -oE -- '--[a-z-]+' | sort -u | grep -vxF -e --usage |
		while read -r option; do
			[[ $text == *"$option"* ]] || echo "$option"
		done)
	# A price knows sbatch's options, which sbatch(1) tells.
	[[ $command != bill ]] || untold=$(grep -xF -e --json -e --file \
		-e --partition-info -e --node-info -e --usage-factor <<<"$untold")
	is "$untold" "" "$command: its page has every option"
done
done_testing
