# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# prepare.sh: from a bare machine to a built tree; for quickstart and run-tests.
# Sourced with $top set to the checkout. Everything made goes below $top/build.

# Autoconf and make refuse such a folder, but only after minutes.
case $top in
*[[:space:]\"\#\$\&\'\`\\]*)
	echo "${0##*/}: cannot build in $top: its path has a blank or a quote" >&2
	exit 2
	;;
esac

# EQUITREE_SLURM_PREFIX is the prefix of a Slurm that slurm-from-source made:
# builds for it have a folder of their own.
build=$top/build${EQUITREE_SLURM_PREFIX:+/${EQUITREE_SLURM_PREFIX##*/}}
logs=$build/log

say() { printf '%s\n' "$*"; }

# step TEXT COMMAND...: run a command with its output in a log; when it fails,
# say so and show the log's end.
step() {
	local text=$1 log
	shift
	mkdir -p "$logs"
	log=$logs/$(tr -cs 'a-zA-Z0-9' - <<<"$text" | sed 's/-*$//').log
	printf '%s ... ' "$text"
	local start=$SECONDS
	if "$@" >"$log" 2>&1 </dev/null; then
		printf 'done (%d s)\n' $((SECONDS - start))
		return 0
	fi
	printf 'FAILED\n'
	show_failure "$text" "$log"
	return 1
}

show_failure() { # TEXT LOG
	{
		echo "--- $1 failed; the end of its log ($2):"
		tail -n 25 "$2"
		echo "---"
	} >&2
}

# What the cluster runs on, and what builds the plugins.
packages_run=(slurmctld slurmd slurm-client slurmdbd slurm-wlm-mysql-plugin
	slurm-wlm-basic-plugins munge mariadb-server iproute2 procps util-linux)
packages_build=(gcc libc6-dev make autoconf automake libtool pkg-config
	dpkg-dev libslurm-dev zlib1g-dev libjson-c-dev
	libsmartcols-dev libnlopt-dev check)
# What the tests without a cluster use, and what those need of Slurm.
packages_quick=(slurmctld slurm-client slurm-wlm-basic-plugins procps util-linux
	gnuplot-nox locales perl xz-utils binutils mandoc shellcheck ccache
	clang-format python3)
packages_test=(debootstrap python3-prometheus-client libfaketime
	prometheus chromium) # chromium: 122 MB to download, 410 MB on disk
packages_clang=(clang libclang-rt-dev)

missing_packages() { # PACKAGE... -> those that are not installed
	local package
	for package in "$@"; do
		[[ $(dpkg-query -W -f '${db:Status-Abbrev}' "$package" \
			2>/dev/null) == ii* ]] || echo "$package"
	done
}

# The packages bring daemons; none may start on this machine. policy-rc.d is
# how Debian is told so; ours is there only while apt runs.
install_missing() {
	local policy=/usr/sbin/policy-rc.d ours= rc=0
	if [[ ! -e $policy ]]; then
		printf '#!/bin/sh\nexit 101\n' >"$policy"
		chmod 755 "$policy"
		ours=yes
	fi
	apt-get -q update &&
		DEBIAN_FRONTEND=noninteractive apt-get -q -y \
			--no-install-recommends install "$@" || rc=$?
	[[ -z $ours ]] || rm -f "$policy"
	return "$rc"
}

prepare_packages() { # PACKAGE...
	local missing
	mapfile -t missing < <(missing_packages "$@")
	[[ ${#missing[@]} == 0 ]] && return 0
	[[ $(id -u) == 0 ]] || {
		echo "these packages are missing and only root can install" \
			"them: ${missing[*]}" >&2
		return 1
	}
	step "Installing ${#missing[@]} Debian packages" \
		install_missing "${missing[@]}"
}

# Sets $slurm_source. EQUITREE_SLURM_SOURCES is where a machine keeps them for
# more than one checkout; "none" builds what needs none.
prepare_headers() {
	local sources=${EQUITREE_SLURM_SOURCES:-$build/slurm}
	slurm_source=no
	if [[ ${EQUITREE_SLURM_PREFIX-} ]]; then
		slurm_source=$EQUITREE_SLURM_PREFIX/source
		return
	fi
	[[ $sources != none ]] || return 0
	step "Getting the internal headers of the installed Slurm" \
		"$top/build-aux/slurm-headers" "$sources" || return 1
	slurm_source=$("$top/build-aux/slurm-headers" "$sources")
}

# A compiler's name, with ccache before it where that is installed. What one clone
# has compiled serves another: the folder of a clone is no part of what is compared.
export CCACHE_BASEDIR=${CCACHE_BASEDIR:-$top} CCACHE_NOHASHDIR=1
compiler() { # NAME
	if command -v ccache >/dev/null; then echo "ccache $1"; else echo "$1"; fi
}

configure_tree() { # DIR CONFIGURE-ARGUMENT...
	local dir=$1
	shift
	[[ -x $top/configure ]] || "$top/autogen.sh" || return 1
	mkdir -p "$dir"
	cd "$dir" || return 1
	# Configure again only when asked for something else than last time.
	if [[ -e Makefile && -e config.args &&
		($# == 0 || $(<config.args) == "$*") ]]; then
		return 0
	fi
	"$top/configure" --with-slurm-source="$slurm_source" \
		${EQUITREE_SLURM_PREFIX:+--with-slurm="$EQUITREE_SLURM_PREFIX"} \
		"$@" &&
		printf '%s' "$*" >config.args
}

make_tree() { # DIR TARGET...
	local dir=$1
	shift
	make -C "$dir" -j"$(nproc)" "$@"
}

# The three plugins of a build tree in one folder, as a site would have them.
collect_plugins() { # TREE DEST
	mkdir -p "$2"
	cp "$1"/plugins/*/.libs/*_equitree.so "$2/"
}

# What a machine needs, from the archive of its Debian.
prepare_machine() { # PACKAGE...
	prepare_packages "${packages_run[@]}" "${packages_build[@]}" "$@" &&
		prepare_headers
}

# Everything up to built plugins in $build/plugins. $build_arguments are those of
# configure; who gives none takes the tree as it was configured.
build_arguments=()
prepare_build() { # PACKAGE...
	prepare_machine "$@" &&
		step "Configuring" configure_tree "$build/tree" \
			"${build_arguments[@]}" &&
		step "Building" make_tree "$build/tree" &&
		collect_plugins "$build/tree" "$build/plugins"
}
