#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# configure takes Slurm's internal headers of exactly the installed release, by
# what META of their tree says. The trees are forged, so that this is shown on
# releases whose headers are not at hand, too.
# shellcheck source=../tap.sh
. "$(dirname "$0")/../tap.sh"

top=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
version=$(slurmctld -V | sed -E 's/^[^ ]* ([0-9.]+).*/\1/')
IFS=. read -r year month micro <<<"$version"

# A tree that calls itself that release, and configure's answer to it.
answer() { # VERSION
	local tree=$work/slurm-$1
	mkdir -p "$tree/src/slurmctld" "$work/build"
	printf '  Name:\t\tslurm\n  Version:\t%s\n' "$1" >"$tree/META"
	: >"$tree/src/slurmctld/slurmctld.h"
	(cd "$work/build" && "$top/configure" -C --with-slurm-source="$tree") \
		>"$work/said" 2>&1
	echo "$? $(sed -n 's/.*configure: error: //p' "$work/said" |
		sed "s|$work/||")"
}

refused() { # VERSION WHAT
	is "$(answer "$1")" "1 slurm-$1 is Slurm $1, but Slurm $version is \
installed: internal structs differ, give the tree of $version" "$2 is refused"
}
refused "$year.$month.$((micro + 1))" "a tree of the next micro release"
refused "$year.$month.$((micro > 0 ? micro - 1 : 9))" "and of the one before"
is "$(answer "$version")" "0 " "a tree of the installed release is taken"
like "$(cat "$work/said")" "internal headers +$version \\(" \
	"and configure says so"

done_testing
