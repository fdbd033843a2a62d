#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What subcommands do on a terminal alone: colours, lines of its width, a bar
# where it takes long; and what their output is as wide as.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=lines.sh
. "$tools_dir/lines.sh"

bad=$'\033[1;31m' doubtful=$'\033[1;35m' good=$'\033[1;32m'
bold=$'\033[1m'

# on_terminal [NAME=VALUE...] COMMAND ARGUMENT...: what a terminal of 80 columns
# would be shown.
on_terminal() {
	local text
	text=$(printf '%q ' "$@")
	env -u NO_COLOR SHELL=/bin/bash TERM=xterm COLUMNS=80 \
		script -qec "env $text" /dev/null \
		</dev/null | tr -d '\r'
}
escapes() { grep -c $'\033'; }

# ---- Which subcommands have colours ------------------------------------------

printf 'PriorityDecayHalfLife=0\n' >"$work/slurm.conf"
printf 'Account|CoreYears|GPUYears\nphysics|0.01|100\nchemistry|100|100\n' \
	>"$work/targets"
declare -A coloured=(
	[check]="-f $conf/equitree.conf --slurm-conf $work/slurm.conf"
	[usage]="${line[usage]} --targets $work/targets"
)
for command in tree why recover overhead boost simulate; do
	coloured[$command]=${line[$command]}
done
for command in "${!coloured[@]}"; do
	read -ra words <<<"$command ${coloured[$command]//$'\n'/ }"
	run "${words[@]}"
	without=$out
	is "$(escapes <<<"$out")" 0 "$command: none into a pipe or a file"
	is "$(($(on_terminal "$equitree" "${words[@]}" | escapes) > 0))" 1 \
		"$command: colours on a terminal"
	is "$(on_terminal NO_COLOR=1 "$equitree" "${words[@]}" | escapes)" 0 \
		"$command: none with NO_COLOR"
	is "$(on_terminal TERM=dumb "$equitree" "${words[@]}" | escapes)" 0 \
		"$command: none on a dumb terminal"
	is "$(on_terminal "$equitree" "${words[@]}" --color=never | escapes)" 0 \
		"$command: none with --color=never"
	run "${words[@]}" --color=always
	is "$(($(escapes <<<"$out") > 0))" 1 "$command: --color=always prints colours"
	is "$(sed $'s/\033\\[[0-9;]*m//g; s/ *$//' <<<"$out")" \
		"$(sed 's/ *$//' <<<"$without")" \
		"$command: the text is the same with colours"
	run "${words[@]}" --color=always --json
	is "$(escapes <<<"$out")" 0 "$command: JSON has no colours"
done
run tree --color=sometimes
is "$status|$out|${err%%$'\n'*}" \
	"2||equitree tree: --color: \"sometimes\": expected auto, always or never" \
	"--color=sometimes is a misuse"
run tree --color --shares "$data/sshare.txt"
is "$(($(escapes <<<"$out") > 0))" 1 "--color alone means always"

# ---- What names cannot do ----------------------------------------------------

# C1 controls, marks that turn text around, and bytes that are not UTF-8.
csi=$'\xc2\x9b' turn=$'\xe2\x80\xae' raw=$'\x9b' long=$'\xe0\x80\x9b'
LC_ALL=C sed "s/|ada|/|a${csi}2Jda|/; s/|ben|/|b${turn}en|/; s/|cleo|/|c${raw}leo|/; s/|dan|/|d${long}an|/" \
	"$data/sshare.txt" >"$work/odd"
unsafe() { LC_ALL=C grep -cE "$csi|$turn|(^|[^"$'\x80-\xff'"])$raw"; }
for locale in C C.UTF-8; do
	shown=$(on_terminal LC_ALL=$locale "$equitree" tree --shares "$work/odd")
	is "$(unsafe <<<"$shown")" 0 "tree in $locale: no name steers the terminal"
done
shown=$(on_terminal LC_ALL=C.UTF-8 "$equitree" why --shares "$work/odd" \
	"a${csi}2Jda" "b${turn}en")
is "$(unsafe <<<"$shown")|$(grep -c 'a.u009b2Jda' <<<"$shown")" "0|2" \
	"why: they are shown as what they are"
like "$shown" 'b.u202een goes first' "why: marks that turn text around are shown as what they are"
shown=$(on_terminal LC_ALL=C.UTF-8 "$equitree" why --shares "$work/odd" \
	"c${raw}leo" "d${long}an")
is "$(unsafe <<<"$shown")" 0 "why: nor do bytes that are not UTF-8"
shown=$(on_terminal LC_ALL=C.UTF-8 "$equitree" why --shares "$work/odd" "x${csi}2J")
is "$(unsafe <<<"$shown")|$(grep -c 'no "x.u009b2J"' <<<"$shown")" "0|1" \
	"an error line cannot steer the terminal"
is "$("$equitree" why --shares "$work/odd" "b${turn}en" --json | LC_ALL=C grep -c "$turn")" 1 \
	"a pipe gets names as they are"

# ---- What they say -----------------------------------------------------------

of() { "$equitree" "$@" --color=always; } # ARGUMENT...
cells=$(of tree --shares "$data/sshare.txt")
like "$cells" "ada [^"$'\n'"]*${bad//[/\\[} *0\.8176" "tree: who has used more than the share"
like "$cells" "ben [^"$'\n'"]*${good//[/\\[} *1\.2881" "tree: who has used less than the share"
like "$(of why --shares "$data/sshare.txt" ada ben)" \
	"${bold//[/\\[}physics/ben goes first" "why: who goes first"
like "$(of why --jobs "$data/sprio.txt" --weights "$data/sprio-weights.txt" 12)" \
	"${bad//[/\\[} *-100000" "why: what takes points away is coloured"
like "$(of usage -f "$conf/equitree.conf" --now 2026-07-01 \
	--jobs "$data/sacct.txt" --targets "$work/targets" | grep physics)" \
	"${bad//[/\\[}[ 0-9.]* %" "usage: more than was allocated"
like "$(of overhead --nodes "$data/nodes.txt")" \
	"8-15 +1  ${good//[/\\[}#" "overhead: nodes with room"
like "$(of recover --shares "$data/sshare.txt" --half-life 7-0 ben)" \
	"${good//[/\\[} *now" "recover: who has recovered"
like "$(of boost --list --leases "$data/leases")" \
	"(${bad//[/\\[}overdue|${doubtful//[/\\[}unfinished)" "boost: what is overdue"

# ---- How wide ----------------------------------------------------------------

# wide NAME ARGUMENT...: no line of what goes into a pipe is wider than 80.
wide() {
	local name=$1 widest
	shift
	run "$@"
	widest=$(LC_ALL=C.UTF-8 awk '{ if (length > w) w = length } END { print w }' \
		<<<"$out")
	is "$status|$((widest > 0 && widest <= 80))" "0|1" "$name fits 80 columns ($widest)"
}
jobs=(--jobs "$data/sprio.txt" --weights "$data/sprio-weights.txt")
months=(usage -f "$conf/equitree.conf" --now 2026-07-01 --jobs "$data/sacct.txt")
wide "tree" tree --shares "$data/sshare.txt"
wide "why, one user" why --shares "$data/sshare.txt" abc123
wide "why, two users" why --shares "$data/sshare.txt" bloggs.prj.high/abc123 physics/ben
wide "why, two jobs" why "${jobs[@]}" 12 9
wide "recover" recover --shares "$data/sshare.txt" --half-life 7-0 \
	--jobs "$data/jobs.txt" -f "$conf/equitree.conf" xyz789
wide "usage" "${months[@]}"
wide "usage, targets" "${months[@]}" --targets "$data/targets.txt"
wide "usage, shares" "${months[@]}" --assocs="$data/sshare.txt" --nodes "$data/nodes.txt"
wide "usage, two keys" "${months[@]}" --by=submitter,month
wide "overhead" overhead --nodes "$data/nodes.txt"
wide "overhead, the queue and the nodes" overhead --nodes "$data/nodes.txt" \
	--jobs "$data/jobs.txt" --list
wide "boost --list" boost --list --leases "$data/leases"
wide "boost --audit" boost --audit --leases "$data/leases"
wide "simulate" simulate --policy "$data/policies/shares.conf" \
	--policy "$data/policies/age.conf" --nodes "$data/nodes.txt" \
	--shares "$data/sshare.txt" --generate 200 --days 10 --history
# The path is printed; that of this folder may be long.
ln -s "$conf" "$work/conf"
run check --show --slurm-conf "$work/conf/slurm.conf"
is "$(($(widest) <= 80))" 1 "check --show fits 80 columns"
# Lines that programs read are whole in a pipe, and wrapped on a terminal.
whole=(bill -f "$conf/equitree.conf" -N4 --gpus-per-node=p100:4 --mem=400G -c7
	-p gpu --array=1-100 -t3-0)
run "${whole[@]}"
is "$(($(widest) > 80))" 1 "bill: a line into a pipe"
message=$out
out=$(on_terminal "$equitree" "${whole[@]}")
is "$(($(widest) <= 80))" 1 "bill: several lines on a terminal"
is "$(tr -s ' \n' ' ' <<<"$out")" "$(tr -s ' \n' ' ' <<<"$message")" "of the same words"
run check -f "$work/conf/equitree.conf" --slurm-conf "$work/slurm.conf"
findings=$(tr '\n' ' ' <<<"$out")
out=$(on_terminal NO_COLOR=1 "$equitree" check -f "$work/conf/equitree.conf" \
	--slurm-conf "$work/slurm.conf")
is "$(tr '\n' ' ' <<<"$out")" "$findings" "check: a finding is a line or several"
is "$((${#work} > 40 || $(widest) <= 80))" 1 "which fit a terminal"

# ---- A bar -------------------------------------------------------------------

# Half of the input, the rest when $1 holds (a minute at most), to a command
# whose stderr is a terminal.
halves() { # CONDITION...
	local deadline=$((SECONDS + 60))
	head -n 1 "$data/sshare.txt"
	until "$@" || ((SECONDS > deadline)); do sleep 0.1; done
	tail -n +2 "$data/sshare.txt"
}
export -f halves
export data work equitree
bar_is_there() { grep -q 'stdin  *[0-9][0-9]* s' "$work/typescript"; }
export -f bar_is_there
: >"$work/typescript"
env SHELL=/bin/bash TERM=xterm script -qfec \
	"bash -c 'halves bar_is_there | $equitree tree --shares - >$work/table'" \
	"$work/typescript" </dev/null >/dev/null
ok "a bar when it takes more than a second" bar_is_there
is "$(sed -n 's/.*\r//; /./p' "$work/typescript" | grep -v '^Script ' |
	sed $'s/\033\\[K//' | grep -c .)" 0 "which is gone in the end"
"$equitree" tree --shares "$data/sshare.txt" >"$work/same"
ok "the table is none of it" cmp "$work/table" "$work/same"
waited() { sleep 1.5; }
export -f waited
halves waited | "$equitree" tree --shares - >/dev/null 2>"$work/err"
is "$(<"$work/err")" "" "none into a file"
done_testing
