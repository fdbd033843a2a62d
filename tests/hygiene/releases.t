#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The table of releases in INSTALL against docs/releases.tsv, and what writes
# them; and that a line of Slurm without its source is never green by absence.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
table=$top/build-aux/release-table

none 'INSTALL has the table of docs/releases.tsv' \
	"$(diff <("$table" print docs/releases.tsv) \
		<(sed -n '/^<!-- releases -->$/,/^<!-- \/releases -->$/p' docs/INSTALL.md |
			grep -v '^<!--'))"

none 'each row of docs/releases.tsv has eight columns, numbers and a date' \
	"$(awk -F'\t' '/^#/ { next }
		NF != 8 || $4 !~ /^20[0-9][0-9]-[01][0-9]-[0-3][0-9]$/ { print; next }
		$3 != "compiled" && ($5 $6 $7) !~ /^[0-9]+$/ { print }
	' docs/releases.tsv)"

none 'a part of docs/releases.tsv that failed has a note' \
	"$(awk -F'\t' '!/^#/ && $6 > 0 && $8 == ""' docs/releases.tsv)"

# ---- The script --------------------------------------------------------------

printf '# one\n# two\n' >"$work/tsv"
"$table" record "$work/tsv" 24.11.7 source host 300 2 1
"$table" record "$work/tsv" 23.2.8 source host 10 0 0
"$table" record "$work/tsv" 24.11.7 source host 302 0 1
"$table" record "$work/tsv" 24.11.7 source release 99 1 0 'a reason'
none 'a part that is run again replaces its row, and releases are in order' \
	"$(diff <(cut -f1-3,5- "$work/tsv") <(printf '%s\n' '# one' '# two' \
		$'23.2.8\tsource\thost\t10\t0\t0\t' \
		$'24.11.7\tsource\thost\t302\t0\t1\t' \
		$'24.11.7\tsource\trelease\t99\t1\t0\ta reason'))"
none 'the table names passed, failed and skipped rows of each part' \
	"$("$table" print "$work/tsv" >"$work/table"
		grep -qF '| 24.11.7 | source | - | 302, 1 skipped | - | nine tests: 99, **1 failed** |' \
			"$work/table" || cat "$work/table")"
printf 'before\n<!-- releases -->\nold\n<!-- /releases -->\nafter\n' >"$work/page"
"$table" write "$work/tsv" "$work/page"
none 'the table replaces what is between the marks of a page, and no more' \
	"$(diff "$work/page" <(echo before; echo '<!-- releases -->'
		"$table" print "$work/tsv"; echo '<!-- /releases -->'; echo after))"
echo 'no marks' >"$work/page"
none 'a page without the marks is refused' \
	"$("$table" write "$work/tsv" "$work/page" >"$work/said" 2>&1
		grep -q 'lacks the lines' "$work/said" || echo taken)"

# ---- Lines -------------------------------------------------------------------

# A stand-in for the runs themselves: what it is given, and sums of its own.
mkdir "$work/top"
printf '#!/bin/bash\necho "ran $*"\necho "7 passed, 1 failed, 2 skipped"\n' \
	>"$work/top/run-tests"
chmod +x "$work/top/run-tests"
prefix() { # VERSION
	mkdir -p "$work/prefixes/slurm-$1"/{source,sbin}
	: >"$work/prefixes/slurm-$1/source/META"
	cp "$work/top/run-tests" "$work/prefixes/slurm-$1/sbin/slurmctld"
}
run_all_lines() {
	(
		top=$work/top logs=$work/logs passed=0 failed=0 skipped=0
		export EQUITREE_SLURM_PREFIXES=$work/prefixes
		say() { printf '%s\n' "$*"; }
		# shellcheck source=../lines.sh
		. tests/lines.sh
		run_lines release
		echo "$passed $failed $skipped"
	)
}
prefix 24.11.9
prefix 24.11.10
prefix 24.11.11
rm "$work/prefixes/slurm-24.11.11/source/META" # its build has not ended
run_all_lines >"$work/said"
none 'the newest whole prefix of a line is run' \
	"$(grep -qx "ran --slurm=$work/prefixes/slurm-24.11.10 release" \
		"$work/said" || cat "$work/said")"
none 'a line without a prefix is skipped, and says so' \
	"$(grep -qx 'skipped: no source of 26.05' "$work/said" || cat "$work/said")"
none 'the sums of a line and the skipped lines are counted' \
	"$([[ $(tail -n 1 "$work/said") == '7 1 9' ]] || cat "$work/said")"
plan
