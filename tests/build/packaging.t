#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What of the packages can be seen without building any (tests/packages does).
set -uo pipefail

top=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# shellcheck source=../tap.sh
. "$top/tests/tap.sh"

# ---- Versions ---------------------------------------------------------------

version=$(sed -n 's/^AC_INIT(\[equitree\], \[\(.*\)\])$/\1/p' "$top/configure.ac")
like "$version" '^[0-9]+(\.[0-9]+)+$' "configure.ac has a version"
is "$(sed -n '1s/.*(\(.*\)).*/\1/p' "$top/debian/changelog")" "$version" \
	"debian/changelog has the version of configure.ac"
is "$(sed -n 's/^Version: *//p' "$top/packaging/equitree.spec")" "$version" \
	"the RPM spec has the version of configure.ac"

# ---- The tarball --------------------------------------------------------------

cd "$top" || exit
name="packaging/local.mk names all of debian/ and packaging/"
if git ls-files --error-unmatch debian/control >/dev/null 2>&1; then
	is "$(git ls-files debian packaging | while read -r file; do
		grep -qF "$file" packaging/local.mk ||
			[[ $file == */local.mk ]] || echo "$file"
	done)" "" "$name"
else
	pass "$name # SKIP no checkout of git"
fi

# ---- Where a build finds Slurm's source -----------------------------------------

# Any folder with a META: what is in it is for configure to judge.
for folder in named option inside; do
	mkdir -p "$work/$folder" && : >"$work/$folder/META"
done
mkdir -p "$work/sources/debian"
cp "$top/debian/slurm-source" "$work/sources/debian/"
cd "$work/sources" || exit

found() { # VARIABLE=VALUE...
	env -u EQUITREE_SLURM_SOURCE -u DEB_BUILD_OPTIONS "$@" \
		debian/slurm-source 2>&1
}

slurm=$(dpkg-query -W -f '${source:Version}' libslurm-dev)
slurm=${slurm%-*}
is "$(found EQUITREE_SLURM_SOURCE="$work/named" \
	DEB_BUILD_OPTIONS="slurm-source=$work/option")" "$work/named" \
	"the environment variable comes first"
is "$(found DEB_BUILD_OPTIONS="nocheck slurm-source=$work/option parallel=2")" \
	"$work/option" "a word of DEB_BUILD_OPTIONS comes second"
like "$(found EQUITREE_SLURM_SOURCE="$work/nowhere" || echo "status $?")" \
	"no source of Slurm in $work/nowhere.status 1" \
	"a folder that is named and not there is an error"
if [[ -e /usr/src/slurm-$slurm ]]; then
	pass "nothing to be found # SKIP /usr/src/slurm-$slurm is there"
else
	like "$(found || echo "status $?")" \
		"source of Slurm $slurm is needed.*build-aux/slurm-headers.*status 1" \
		"without any the build says which release, and how to get it"
fi
cp -r "$work/inside" debian/slurm
is "$(found)" "$work/sources/debian/slurm" "debian/slurm is found"
done_testing
