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
export LC_ALL=C

# shellcheck source=../tap.sh
. "$tools_dir/../tap.sh"

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

