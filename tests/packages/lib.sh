# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What the tests of packages share: small Debian roots to build and install in,
# and TAP. Each test sources it first.
#
# A root is an overlay: debootstrap's minimum below, above it a layer with what
# building or running needs, above that one for the test alone. The first two are
# made once and kept in ${EQUITREE_ROOTS:-/var/tmp/equitree-roots}/packages; they
# may be removed at any time.
#
# EQUITREE_BUILD is a configured tree, for its tarball.
set -uo pipefail

packages_dir=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
top=$(cd "$packages_dir/../.." && pwd)
build=${EQUITREE_BUILD:-$top/build/tree}
layers=${EQUITREE_ROOTS:-/var/tmp/equitree-roots}/packages
debian_root=$top/build-aux/debian-root
work=$(mktemp -d "${TMPDIR:-/var/tmp}/equitree-packages.XXXXXX")
slurm_sources=/var/cache/equitree-slurm # in the layer that builds
export LC_ALL=C

# shellcheck source=../tap.sh
. "$top/tests/tap.sh"

trap 'rm -rf --one-file-system "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

# What failed, for people.
after_failure() {
	[[ ! -e ${last_log-} ]] || diag "$(tail -n 30 "$last_log")"
}

bail() {
	fail "$@"
	exit 1
}

# The rest makes no sense without this step, whose output is kept.
must() { # TEXT COMMAND...
	local text=$1
	shift
	last_log=$work/step.log
	"$@" >"$last_log" 2>&1 </dev/null || bail "$text"
	pass "$text"
}

# A command in an overlay, with mounts and processes of its own. What it changes
# stays in UPPER; LOWER is "layer" or "layer:layer", topmost first.
overlay() { # UPPER LOWER OPTION-OF-RUN... -- COMMAND...
	local upper=$1 lower=$2
	shift 2
	mkdir -p "$upper" "$work/overlay" "$work/merged"
	# The overlay's own scratch folder must lie on the upper's disk.
	rm -rf --one-file-system "$upper.scratch"
	mkdir "$upper.scratch"
	unshare --mount bash -c '
		mount --make-rprivate /
		mount -t overlay -o "lowerdir=$1,upperdir=$2,workdir=$2.scratch" \
			equitree-overlay "$3" || exit 1
		shift 3
		exec "$@"' _ "$lower" "$upper" "$work/merged" \
		"$debian_root" run "$work/merged" "$@"
	local rc=$?
	rm -rf --one-file-system "$upper.scratch"
	return "$rc"
}

# One at a time, for all checkouts; a layer that fails is not kept.
layer_lock() {
	mkdir -p "$layers"
	exec {lock_fd}>"$layers/.lock"
	flock -w 1800 "$lock_fd" || bail "another run is making the roots"
}

layer_unlock() { exec {lock_fd}>&-; }

layer_make() { # NAME LOWER SCRIPT
	local name=$1 lower=$2
	[[ ! -d $layers/$name ]] || return 0
	rm -rf --one-file-system "$layers/$name.new"
	overlay "$layers/$name.new" "$lower" -b "$top:/equitree" -- \
		bash -euxc "$3" && mv "$layers/$name.new" "$layers/$name"
}

# The layers of a suite, in lower_base, lower_build and lower_site.
layers_of() { # SUITE
	local suite=$1 key packages install
	install='apt-get -q -y --no-install-recommends'
	# Other build dependencies, other layers: both of them, so that both have
	# the same Slurm.
	key=$(sed -n '/^Build-Depends/,/^Standards/p' "$top/debian/control" |
		cat - "$top/build-aux/slurm-headers" | cksum | cut -d' ' -f1)
	packages=$(. "$top/build-aux/prepare.sh" && echo "${packages_run[@]}")
	lower_base=$layers/$suite
	lower_build=$layers/$suite-build-$key:$lower_base
	lower_site=$layers/$suite-site-$key:$lower_base
	export DEBIAN_FRONTEND=noninteractive
	[[ -d $lower_base ]] ||
		"$debian_root" make "$suite" "$lower_base" || return 1
	# dpkg-dev is what fetches the headers, and lintian what judges.
	layer_make "$suite-build-$key" "$lower_base" "
		apt-get -q update
		$install install build-essential dpkg-dev lintian
		$install build-dep /equitree
		/equitree/build-aux/slurm-headers $slurm_sources" || return 1
	layer_make "$suite-site-$key" "$lower_base" "
		apt-get -q update
		$install install $packages"
}

make_layers() { # SUITE
	layer_lock
	must "$1: roots to build and to install in" layers_of "$1"
	layer_unlock
}

# ---- Building -------------------------------------------------------------

# The tarball of "make dist", unpacked; its version in $version.
unpack_tarball() { # FOLDER
	local made
	rm -f "$build"/equitree-*.tar.xz
	make -C "$build" dist && made=$(ls "$build"/equitree-*.tar.xz) || return 1
	version=${made##*/equitree-}
	version=${version%.tar.xz}
	mkdir -p "$1" && mv "$made" "$work/" && tar -C "$1" \
		-xf "$work/${made##*/}"
}

# The sources as they are in the checkout, with what is not committed yet.
copy_checkout() { # FOLDER
	mkdir -p "$1" &&
		(cd "$top" && git ls-files -z --cached --others --exclude-standard |
			xargs -0 ls -d 2>/dev/null) |
		tar -C "$top" -cf - -T - | tar -C "$1" -xf -
}

# dpkg-buildpackage in the root that has the build dependencies and nothing
# else, without a network.
build_packages() { # FOLDER SOURCE OPTION...
	local folder=$1 source=$2
	shift 2
	overlay "$work/upper-build" "$lower_build" -b "$folder:/build" -- \
		unshare --net env EQUITREE_SLURM_SOURCE="$(slurm_tree)" \
		sh -c 'cd "/build/$0" && exec dpkg-buildpackage -us -uc "$@"' \
		"$source" "$@"
}

# Where the layer that builds has Slurm's source.
slurm_tree() {
	echo "$slurm_sources/$(cd "${lower_build%%:*}$slurm_sources" && ls -d slurm-*)"
}

# The sources keep to the rules that the older Debian knows: that there are newer
# ones is no news.
lintian_says() { # FOLDER
	overlay "$work/upper-build" "$lower_build" -b "$1:/build" -- \
		sh -c 'lintian --allow-root --display-info --pedantic \
			--suppress-tags out-of-date-standards-version \
			--tag-display-limit 0 /build/*.changes' 2>&1 |
		grep -v '^N: [0-9]* hints\? overridden'
}

# ---- One suite --------------------------------------------------------------

# What the packages of a folder install: each file and what is in it, but for
# the changelog, which has the version.
contents() { # FOLDER
	local deb tree
	tree=$(mktemp -d -p "$work")
	for deb in "$1"/*.deb; do
		[[ $deb != *-dbgsym_* ]] || continue
		rm -rf "$tree"
		dpkg-deb -x "$deb" "$tree"
		(cd "$tree" && find . -type f ! -name 'changelog*' \
			-exec sha256sum {} + | sort -k2 | sed "s|^|$(basename "${deb%%_*}") |")
	done
}

# The checkout as the next version of the tarball's.
next_version() { # FOLDER
	copy_checkout "$1" &&
		sed -i "1s/($version)/($version+1)/" "$1/debian/changelog" &&
		grep -q "^equitree ($version+1)" "$1/debian/changelog"
}

# Lines of a TAP script as our own.
relay() {
	local line
	while IFS= read -r line; do
		case $line in
		'ok '*) pass "${line#* - }" ;;
		'not ok '*)
			tests=$((tests + 1))
			echo "not ok $tests - ${line#* - }"
			;;
		*) echo "$line" ;;
		esac
	done
}

# Everything with one Debian; system tests by name.
suite() { # SUITE TEST...
	local suite=$1 old=$work/old new=$work/new plan
	shift
	make_layers "$suite"
	must "the tarball of make dist unpacks" unpack_tarball "$old"
	must "it builds without a network, with the build dependencies alone" \
		build_packages "$old" "equitree-$version"
	last_log=
	is "$(lintian_says "$old")" "" "lintian has nothing to say"
	like "$(without_source "equitree-$version")" \
		'EQUITREE_SLURM_SOURCE.*status 1$' \
		"without Slurm's source the build says what is missing"
	must "the checkout is the next version" next_version "$new/checkout"
	export DEB_BUILD_OPTIONS=nocheck
	must "it builds, too" build_packages "$new" checkout -b
	unset DEB_BUILD_OPTIONS
	is "$(diff <(contents "$old") <(contents "$new"))" "" \
		"checkout and tarball make the same packages"
	last_log=
	overlay "$work/upper-site" "$lower_site" -b "$top:/equitree" \
		-b "$old:/old" -b "$new:/new" -- \
		/equitree/tests/packages/session /old /new "$@" \
		>"$work/session.tap" 2>"$work/session.err" </dev/null
	relay < <(grep -v '^1\.\.' "$work/session.tap")
	plan=$(grep '^1\.\.' "$work/session.tap")
	isnt "$plan" "" "the session on $suite came to its end"
	done_testing
}

without_source() { # SOURCE
	overlay "$work/upper-build" "$lower_build" -b "$work/old:/build" -- \
		sh -c 'cd "/build/$0" && debian/slurm-source 2>&1
			echo "status $?"' "$1"
}
