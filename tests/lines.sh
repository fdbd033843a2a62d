# shellcheck shell=bash disable=SC2154
# SPDX-License-Identifier: GPL-2.0-or-later
# Every line of Slurm that sites run, each on daemons that were built from its
# source, and what was run of it. Sourced by run-tests, with $top and $logs set.
#
# Prefixes are made by build-aux/slurm-from-source and named slurm-VERSION; they
# are below ${EQUITREE_SLURM_PREFIXES:-/var/tmp/equitree-slurm}.

lines=(22.05 23.02 23.11 24.05 24.11 25.05 25.11 26.05)
line_prefixes=${EQUITREE_SLURM_PREFIXES:-/var/tmp/equitree-slurm}

[[ ! ${EQUITREE_RECORD-} ]] || EQUITREE_RECORD=$(realpath "$EQUITREE_RECORD")

# The newest prefix of a line that is whole.
line_prefix() { # LINE
	local prefix newest=
	while IFS= read -r prefix; do
		[[ ! -f $prefix/source/META || ! -x $prefix/sbin/slurmctld ]] ||
			newest=$prefix
	done < <(printf '%s\n' "$line_prefixes/slurm-$1".* | sort -V)
	[[ $newest ]] && echo "$newest"
}

# Parts of a run of this script for another Slurm; its sums go into ours.
add_sums() { # NAME OUTPUT
	local sums
	sums=$(tail -n 1 "$2")
	if [[ $sums =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed,\ ([0-9]+)\ skipped$ ]]; then
		passed=$((passed + BASH_REMATCH[1]))
		failed=$((failed + BASH_REMATCH[2]))
		skipped=$((skipped + BASH_REMATCH[3]))
	else
		echo "the tests of Slurm $1 ended early: $sums" >&2
		failed=$((failed + 1))
	fi
}

# The same parts on each line whose prefix is there; no line is left out in
# silence.
run_lines() { # PART...
	local line prefix out
	for line in "${lines[@]}"; do
		if ! prefix=$(line_prefix "$line"); then
			say "skipped: no source of $line"
			skipped=$((skipped + 1))
			continue
		fi
		say "== Slurm ${prefix##*/slurm-}, from source"
		out=$logs/line-$line
		mkdir -p "$logs"
		"$top/run-tests" --slurm="$prefix" "$@" 2>&1 | tee "$out" |
			sed -u '$d'
		add_sums "$line" "$out"
	done
}

# EQUITREE_RECORD is a file such as docs/releases.tsv: each part that was run goes
# into it, with the release and where its daemons come from.
record_part() { # PART PASSED FAILED SKIPPED
	local release installed=source part=$1
	[[ ${EQUITREE_RECORD-} ]] || return 0
	[[ ! ${EQUITREE_TESTS-} || ! $part =~ ^(system|release)$ ]] ||
		part="system: $EQUITREE_TESTS"
	if [[ ! ${EQUITREE_SLURM_PREFIX-} ]]; then
		installed=$(. /etc/os-release && echo "${NAME%% *} $VERSION_ID")
	fi
	release=$(PATH=${EQUITREE_SLURM_PREFIX:+$EQUITREE_SLURM_PREFIX/sbin:}$PATH:/usr/sbin \
		slurmctld -V | sed -E 's/^[^ ]* ([0-9.]+).*/\1/')
	"$top/build-aux/release-table" record "$EQUITREE_RECORD" "$release" \
		"$installed" "$part" "${@:2}"
}
