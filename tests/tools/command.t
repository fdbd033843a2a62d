#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What all subcommands have alike: help, misuse, output.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=lines.sh
. "$tools_dir/lines.sh"

mapfile -t commands < <("$equitree" --help | awk '$1 !~ /:/ && /^  [a-z]/ { print $1 }')
is "$((${#commands[@]} >= 6))" 1 "equitree --help lists the commands"

# A build without NLopt has no search.
# shellcheck disable=SC2086
run tune ${line[tune]}
[[ $err != *"built without NLopt" ]] || lacking=tune

for command in "${!line[@]}"; do
	[[ $command != "${lacking-}" ]] || continue
	run "$command" --help
	is "$status|$err|$(grep -c -- --json <<<"$out")" "0||1" "equitree $command --help names --json"
	((widest=$(widest), widest <= 80))
	is "$?" 0 "$command --help fits 80 columns ($widest)"
	run "$command" --no-such-option
	is "$status|$out|$([[ $err == "equitree $command: "* ]] && echo said)" "2||said" \
		"$command: an unknown option is misuse"
	# shellcheck disable=SC2086
	run "$command" ${line[$command]} --json
	is "$status|$err|$(head -c 1 <<<"$out" | tr '[{' 'jj')" "0||j" "equitree $command --json prints JSON"
	# shellcheck disable=SC2086
	run "$command" ${line[$command]} --no-headings
	is "$status" 0 "equitree $command accepts --no-headings"
	# shellcheck disable=SC2086
	if [[ $command != check && $command != report ]]; then
		"$equitree" "$command" ${line[$command]} >/dev/full 2>"$work/err"
		is "$?|$(<"$work/err")" "1|equitree $command: cannot write to stdout" \
			"$command: a full disk is no success"
	fi
	[[ -e $tools_dir/../../docs/equitree-$command.1 ]]
	is "$?" 0 "$command has a manual"
	grep -q "^.BR \"equitree $command\"" "$tools_dir/../../docs/equitree.1"
	is "$?" 0 "which equitree(1) names"
done
for command in "${commands[@]}"; do
	is "${line[$command]+tested}" tested "$command is tested here"
done

run
is "$status|$out" "2|" "no command is misuse"
run nonsense
is "$status|$out|${err%%$'\n'*}" "2||equitree: unknown command \"nonsense\"" \
	"an unknown command is misuse"
run bil 3
is "$status|$out|$err" "2||equitree: unknown command \"bil\", did you mean \"bill\"?" \
	"a misspelled command gets the nearest one, and no list"
run --version
is "$status|${out%% *}" "0|equitree" "equitree --version prints the version"
# A name from a file or a portal must not move the cursor or forge a line.
while IFS='|' read -ra words; do
	run "${words[@]/NAME/$'x\e[31m\ny'}"
	is "$((status != 0))|$(grep -c $'\e' <<<"$err")|$(grep -c '^y' <<<"$err")" "1|0|0" \
		"an error prints no control characters of an argument: ${words[*]}"
done <<'END'
NAME
bill|-t|NAME
bill|--mem|NAME
bill|-n|NAME
budget|list|physics|NAME
budget|list|--clusters|NAME
tree|--color=NAME
why|--shares|/dev/null|NAME
END
run why --shares "$data/sshare.txt" $'x\e[31m'
is "$status|$(grep -c $'\e' <<<"$err")" "1|0" "why prints no control characters of a name that it does not find"

done_testing
