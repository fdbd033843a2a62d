#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What configure refuses of Slurm, each with one line and before make. The trees
# and prefixes are forged, so that this is shown where no internal headers are at
# hand, too; tests/build/configure.t has those that need real ones.
# shellcheck source=../tap.sh
. "$(dirname "$0")/../tap.sh"

top=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
version=$(slurmctld -V | sed -E 's/^[^ ]* ([0-9.]+).*/\1/')
IFS=. read -r year month micro <<<"$version"
built="; without --with-slurm-source the command, job_submit (its public part) \
and SPANK are built"

# A tree that calls itself that release.
forge() { # NAME VERSION
	mkdir -p "$work/$1/src/slurmctld"
	printf '  Name:\t\tslurm\n  Version:\t%s\n' "$2" >"$work/$1/META"
	: >"$work/$1/src/slurmctld/slurmctld.h"
}

# A prefix with the public headers of one release and the daemon of another.
forge_prefix() { # NAME VERSION NUMBER
	mkdir -p "$work/$1/include/slurm" "$work/$1/sbin"
	: >"$work/$1/include/slurm/spank.h"
	echo "#define SLURM_VERSION_NUMBER $3" \
		>"$work/$1/include/slurm/slurm_version.h"
	printf '#!/bin/sh\necho slurm %s\n' "$2" >"$work/$1/sbin/slurmctld"
	chmod +x "$work/$1/sbin/slurmctld"
}

# The status of configure and its line.
answer() { # ARGUMENT...
	local status
	mkdir -p "$work/build"
	(cd "$work/build" && sed -i '/SLURM_DAEMON/d' config.cache 2>/dev/null
		"$top/configure" -C "$@") >"$work/said" 2>&1
	status=$?
	echo "$status $(sed -n 's/.*configure: error: //p' "$work/said" |
		sed "s|$work/||g")"
}

tree_is() { # NAME LINE WHAT
	is "$(answer --with-slurm-source="$work/$1")" "1 $2$built" "$3"
}

refused() { # VERSION WHAT
	forge "slurm-$1" "$1"
	tree_is "slurm-$1" "slurm-$1 is Slurm $1, but Slurm $version is \
installed: internal structs differ, give the tree of $version" "$2 is refused"
}
refused "$year.$month.$((micro + 1))" "a tree of the next micro release"
refused "$year.$month.$((micro > 0 ? micro - 1 : 9))" "a tree of the micro release before"
refused "$((year + 1)).$month.$micro" "a tree of another line"
refused "${version}0rc1" "a tree of a candidate for a release"

tree_is nowhere "nowhere has no META: it is no source tree of Slurm" \
	"a folder that is not there is refused"
mkdir "$work/empty"
tree_is empty "empty has no META: it is no source tree of Slurm" \
	"a folder without META is refused"
forge nameless "$version"
sed -i /Version/d "$work/nameless/META"
tree_is nameless "nameless/META names no version" \
	"a tree whose META has no version is refused"
forge edited "$version"
mkdir "$work/edited/src/common"
echo '#define SLURM_PROTOCOL_VERSION SLURM_99_05_PROTOCOL_VERSION' \
	>"$work/edited/src/common/slurm_protocol_common.h"
tree_is edited "the headers of edited are of Slurm 99.05, although its META says \
$version" "a tree of another line whose META was edited is refused"
forge micro "$version"
mkdir "$work/micro/slurm"
printf '#define SLURM_VERSION_NUMBER 0x%02x%02x%02x\n' "$year" "$((10#$month))" \
	"$((micro + 1))" >"$work/micro/slurm/slurm_version.h"
tree_is micro "micro/slurm/slurm_version.h is of another release than its META, \
which says $version" "a configured tree of another micro release whose META was edited is refused"
forge half "$version"
rm "$work/half/src/slurmctld/slurmctld.h"
tree_is half "half has no src/slurmctld/slurmctld.h: it is no whole source \
tree of Slurm" "a tree without slurmctld.h is refused"
forge hollow "$version"
like "$(answer --with-slurm-source="$work/hollow")" \
	'^1 the headers of hollow do not compile: [^;]*src/common/[a-z_]+\.h: No such file' \
	"a tree without the other headers is refused by the first that is missing"

is "$(answer --with-slurm="$work/empty")" "1 empty has no \
include/slurm/slurm_version.h: it is no prefix of an installed Slurm" \
	"a prefix without Slurm's headers is refused"
forge_prefix mixed 23.11.4 0x170b05
is "$(answer --with-slurm="$work/mixed")" "1 the public headers are of Slurm \
23.11.5, but Slurm 23.11.4 is installed" "a prefix with the headers of another release is refused"
forge_prefix old 21.08.8 0x150808
forge slurm-21.08.8 21.08.8
is "$(answer --with-slurm="$work/old" --with-slurm-source="$work/slurm-21.08.8")" \
	"1 Slurm 21.08.8 is older than 22.05, the oldest that priority/equitree \
knows$built" "a line from before 22.05 is refused"

done_testing
