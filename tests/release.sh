# shellcheck shell=bash disable=SC2154
# SPDX-License-Identifier: GPL-2.0-or-later
# The same tests on another release of Slurm: a small root of the Debian that
# has it, this checkout copied into it, and ./run-tests in there. Sourced by
# run-tests, with $top set, and lines.sh.
#
# Roots are made once and shared by all checkouts of this machine; they are in
# ${EQUITREE_ROOTS:-/var/tmp/equitree-roots}, by release, and may be removed at
# any time. What is built for a checkout stays in its build/RELEASE.

release_roots=${EQUITREE_ROOTS:-/var/tmp/equitree-roots}
debian_root=$top/build-aux/debian-root

# The Debian that has a release of Slurm.
release_suite() { # RELEASE
	case $1 in
	24.11) echo trixie ;;
	26.05) echo forky ;;
	*) return 1 ;;
	esac
}

releases=(24.11 26.05)

# The parts that depend on Slurm, and where its internal headers are kept in the
# root. Debian's archive lacks those of 26.05.
release_has() { # RELEASE -> release_parts, release_sources
	release_parts=(unit build host public system)
	release_sources=/var/cache/equitree-slurm
	[[ $1 != 26.05 ]] || {
		release_parts=(unit public)
		release_sources=none
	}
}

# Copy the sources, with their times so that make knows what is new, and
# remove what was copied before and is no longer there.
release_copy() { # FOLDER
	local list=$1/.sources
	mkdir -p "$1"
	touch "$list"
	(cd "$top" && git ls-files -z --cached --others --exclude-standard |
		while IFS= read -rd '' file; do
			[[ ! -e $file ]] || printf '%s\n' "$file"
		done | LC_ALL=C sort) >"$list.new"
	[[ -s $list.new ]] || {
		echo "$top is no checkout of git: its sources are not known" >&2
		return 1
	}
	LC_ALL=C comm -23 "$list" "$list.new" |
		(cd "$1" && while IFS= read -r file; do rm -f "./$file"; done)
	tar -C "$top" -cf - -T "$list.new" | tar -C "$1" -xf - || return 1
	mv "$list.new" "$list"
}

# Its ccache is in the root, as are its packages, and serves all checkouts: each is
# at the same place in there.
in_release() { # RELEASE COMMAND...
	local release=$1
	shift
	"$debian_root" run "$release_roots/$release" \
		-b "$build/$release:/equitree" -- \
		env -u CCACHE_DIR CCACHE_BASEDIR=/equitree \
		EQUITREE_SLURM_SOURCES="$release_sources" "$@"
}

# Debian's minimum, then the packages and headers that the tests need; the
# second time both are there. One at a time, for all checkouts.
release_make() { # RELEASE
	local root=$release_roots/$1 lock
	release_has "$1"
	mkdir -p "$release_roots"
	exec {lock}>"$release_roots/$1.lock"
	flock -w 1800 "$lock" || {
		echo "the root for Slurm $1 is being made by another run" >&2
		return 1
	}
	if [[ ! -d $root ]]; then
		"$debian_root" make "$(release_suite "$1")" "$root" ||
			return 1
	fi
	release_copy "$build/$1" &&
		in_release "$1" /equitree/run-tests --prepare \
			"${release_parts[@]}"
	local rc=$?
	exec {lock}>&-
	return "$rc"
}

# Whether the root is there, as one result of the run.
release_ready() { # RELEASE
	result "Making the Debian root of Slurm $1" release_make "$1"
}

# The parts of run-tests inside the root; their sums go into ours.
run_release() { # RELEASE PART...
	local release=$1 out=$logs/release-$1
	shift
	say "== Slurm $release"
	release_has "$release"
	[[ $# -gt 0 ]] || set -- "${release_parts[@]}"
	release_ready "$release" || return
	in_release "$release" /equitree/run-tests "$@" 2>&1 | tee "$out" | sed -u '$d'
	add_sums "$release" "$out"
}
