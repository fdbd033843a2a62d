#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What bash offers behind "equitree".
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=../../tools/completion/equitree
. "$tools_dir/../../tools/completion/equitree"
PATH=$(dirname "$(readlink -f "$equitree")"):$PATH

# offered WORD...: as if the last one were being typed.
offered() {
	COMP_WORDS=(equitree "$@")
	COMP_CWORD=$#
	COMP_LINE="equitree $*"
	COMP_LINE=${COMP_LINE// = /=}
	COMP_LINE=${COMP_LINE/% =/=}
	COMP_POINT=${#COMP_LINE}
	_equitree
	echo "${COMPREPLY[*]}"
}

mapfile -t commands < <("$equitree" --help | sed -nE 's/^  ([a-z]+) .*/\1/p')
is "$(offered '')" "${commands[*]} --help --version" "completion offers all commands"
is "$(offered si)" simulate "the one that begins so"
is "$(offered --)" "--help --version" "what there is without a command"
is "$(offered tree --s)" "--set= --shares= --stock" "options, with = before an argument"
is "$(offered tree --user ada --a)" --active "completion offers options behind other options"
is "$(offered usage --y)" "--year= --year-end= --year-start=" "of each command its own"
is "$(offered tree --color = '')" "auto always never" "words for colours"
is "$(offered tree --color = a)" "auto always" "completion offers the words that begin so"
is "$(offered tree --color =)" "auto always never" "right behind the ="
is "$(offered tree --shares = x)" "" "names of files are left to bash"
is "$(offered budget '')" "grant list show balance transfer refund close verify notify import" "completion offers the verbs of a command"
is "$(offered budget re)" refund "the verb that begins so"
is "$(offered budget grant re)" "" "behind a verb there is no other"
is "$(offered tree '')" "" "a command without verbs offers none"
is "$(offered nonsense --)" "" "nothing of an unknown command"
for command in "${commands[@]}"; do
	missing=
	for option in $(offered "$command" --); do
		grep -q -- "${option%=}" < <("$equitree" "$command" --help) ||
			missing+=" $option"
	done
	like "$(offered "$command" --js)|$missing" '^--json\|$' "$command has its options"
done
like "$(complete -p equitree)" '-o default -F _equitree equitree$' "bash knows of it"
done_testing
