# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What the tests of the command share: TAP lines, and the command run on saved
# output of Slurm's own (data/). Each test sources it first.
#
# run ARGUMENT... fills $out, $err and $status; what a test pipes in is stdin.
set -uo pipefail

tools_dir=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
data=$tools_dir/data
equitree=${EQUITREE_BUILD:-$tools_dir/../../build/tree}/tools/equitree
work=$(mktemp -d "${TMPDIR:-/tmp}/equitree-tools.XXXXXX")
trap 'rm -rf "$work"' EXIT
tests=0
export LC_ALL=C

pass() {
	tests=$((tests + 1))
	echo "ok $tests - $1"
}

fail() { # NAME [DIAGNOSIS...]
	tests=$((tests + 1))
	echo "not ok $tests - $1"
	shift
	printf '%s\n' "$@" | sed 's/^/# /'
}

is() { # GOT WANT NAME
	if [[ $1 == "$2" ]]; then
		pass "$3"
	else
		fail "$3" "     got: $1" "expected: $2"
	fi
}

like() { # GOT REGEX NAME
	if [[ $1 =~ $2 ]]; then
		pass "$3"
	else
		fail "$3" "     got: $1" "expected: /$2/"
	fi
}

run() { # ARGUMENT...
	"$equitree" "$@" >"$work/out" 2>"$work/err"
	status=$?
	out=$(<"$work/out")
	err=$(<"$work/err")
}

# refuses TEXT NAME ARGUMENT...: exit 1, nothing on stdout, TEXT on stderr.
refuses() {
	local text=$1 name=$2
	shift 2
	run "$@"
	is "$status|$out|$err" "1||equitree $1: $text" "$name"
}

widest() { awk '{ if (length > w) w = length } END { print w }' <<<"$out"; }

done_testing() { echo "1..$tests"; }
