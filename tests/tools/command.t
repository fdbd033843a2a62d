#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What all subcommands have alike: help, misuse, output, colours.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

mapfile -t commands < <("$equitree" --help | awk '$1 !~ /:/ && /^  [a-z]/ { print $1 }')
is "$((${#commands[@]} >= 6))" 1 "equitree --help lists the commands"

# A command line of each that works without a cluster and finds nothing.
conf=$tools_dir/../../sandbox/sites/cedar
declare -A line=(
	[bill]="-f $conf/equitree.conf -n1 --mem=1G"
	[check]="--slurm-conf $conf/slurm.conf"
	[tree]="--shares $data/sshare.txt"
	[why]="--shares $data/sshare.txt ada ben"
	[recover]="--shares $data/sshare.txt --half-life 7-0 ada"
	[overhead]="--nodes $data/nodes.txt"
	[boost]="--list --leases $data/leases"
	[metrics]="--shares $data/sshare.txt"
	[simulate]="--policy $data/policies/shares.conf --nodes $data/nodes.txt
		--shares $data/sshare.txt --generate 20 --days 1"
	[usage]="-f $conf/equitree.conf --now 2026-07-01 --jobs $data/sacct.txt"
)
for command in "${!line[@]}"; do
	run "$command" --help
	is "$status|$err|$(grep -c -- --json <<<"$out")" "0||1" "$command --help"
	((widest=$(widest), widest <= 80))
	is "$?" 0 "$command --help fits 80 columns ($widest)"
	run "$command" --no-such-option
	is "$status|$out|$([[ $err == "equitree $command: "* ]] && echo said)" "2||said" \
		"$command: an unknown option is misuse"
	# shellcheck disable=SC2086
	run "$command" ${line[$command]} --json
	is "$status|$err|$(head -c 1 <<<"$out" | tr '[{' 'jj')" "0||j" "$command --json"
	# shellcheck disable=SC2086
	run "$command" ${line[$command]} --no-headings
	is "$status" 0 "$command --no-headings"
	# shellcheck disable=SC2086
	if [[ $command != check ]]; then
		"$equitree" "$command" ${line[$command]} >/dev/full 2>"$work/err"
		is "$?|$(<"$work/err")" "1|equitree $command: stdout cannot be written" \
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
is "$status|$out|${err%%$'\n'*}" "2||equitree: there is no command \"nonsense\"" \
	"so is an unknown one"
run --version
is "$status|${out%% *}" "0|equitree" "--version"

# On a terminal, and not everywhere there.
printf 'PriorityDecayHalfLife=0\n' >"$work/slurm.conf"
coloured() { # ENVIRONMENT...
	env TERM=xterm "$@" script -qec \
		"$equitree check -f $conf/equitree.conf --slurm-conf $work/slurm.conf" \
		/dev/null </dev/null | grep -c $'\033'
}
is "$(($(coloured) > 0))" 1 "colours on a terminal"
is "$(coloured NO_COLOR=1)" 0 "none with NO_COLOR"
is "$(coloured TERM=dumb)" 0 "none on a dumb terminal"
run check -f "$conf/equitree.conf" --slurm-conf "$work/slurm.conf"
is "$(grep -c $'\033' <<<"$out")" 0 "none into a file"
done_testing
