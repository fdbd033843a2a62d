#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A row of a test stands alone in a log: its name is a sentence that says what
# holds, and no other row of the file has it.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

# Names that lean on the row before, or say nothing.
bad_forms=('^and again' '^again' '^(and|but|so|then|also|too|or|nor)\b'
	'^(it|they|this|that|those|these|both|either|neither)\b'
	'^the (same|other|rest|second|next|last)$' '\bthe same$' '\bdoes so\b'
	'^(works|ok|test|fine|done)$')
least_words=3
# Rows of these forms that are there; no more may come. Two rows of one name are the
# branches of a condition.
known_leaning=2 known_twice=3
# Subjects of commits that are too long and cannot be changed any more.
known_long=0

# "FILE: NAME" of each row whose name is written out. A name with a variable in it
# is of a loop or a table. The name is the last argument in tests/tap.sh, and the
# first in tests/host/rows.sh.
row_names() { # FILE...
	perl -0777 -ne '
		my ($quote, $dquote, $subst);
		$quote = qr/\x27[^\x27]*\x27/;
		$subst = qr/\$?\((?:[^()\\"\x27]|\\.|$quote|(??{$dquote})|(??{$subst}))*+\)/s;
		$dquote = qr/"(?:[^"\\\$]|\\.|(??{$subst})|\$)*+"/s;
		my $word = qr/(?:[^\s\\"\x27();|&\$<>]|\\[^\n]|\$?$quote|$dquote|$subst|\$)++/s;
		my $first = /^\. .*\/rows\.sh"$|^row\(\) \{ # NAME/m;
		my %place = (is => 3, isnt => 3, like => 3, near => 4);
		s/^\s*#.*$//mg;
		s/\\\n\s*/ /g;
		while (/^\s*(?:\S+ *(?:&&|\|\|) *)?(ok|pass|fail|row|none|judge|is|isnt|like|near|wish) +/mg) {
			my $place = $first ? 1 : $place{$1} || 1;
			my $name = "";
			for my $at (1 .. $place) {
				$name = /\G($word) */gc ? $1 : "";
			}
			next if $name !~ /^\$?["\x27](.*)["\x27]$/s;
			$name = $1;
			$name =~ s/\n/ /g;
			print "$ARGV: $name\n" if $name !~ /^(\$\w+)?$/;
		}' "$@"
}

leaning() { # FILE...
	row_names "$@" | FORMS=$(IFS='|' && echo "${bad_forms[*]}") \
		LEAST=$least_words perl -ne '
			my ($name) = /^[^:]*: (.*)$/;
			my @words = split " ", $name;
			print if $name =~ /$ENV{FORMS}/ || @words < $ENV{LEAST}'
}

twice() { row_names "$@" | grep -v '\$' | sort | uniq -d; } # FILE...

# ratchet NAME NUMBER OFFENDERS: no more than are known.
ratchet() {
	local count_now
	count_now=$(grep -c . <<<"$3")
	echo "# $count_now, at most $2 are allowed"
	if ((count_now > $2)); then none "$1" "$3"; else none "$1" ""; fi
}

# These scripts have bad names in them to try the heuristic.
mapfile -t scripts < <(sources 'tests/*.t' |
	grep -vE '^tests/hygiene/(rows|rooms|scripts)\.t$')
none 'names of rows are found at all' \
	"$( (($(row_names "${scripts[@]}" | wc -l) > 500)) || echo few)"
ratchet 'the name of a row stands alone' "$known_leaning" \
	"$(leaning "${scripts[@]}")"
ratchet 'no two rows of a file have one name' "$known_twice" \
	"$(twice "${scripts[@]}")"

# ---- The heuristic itself ------------------------------------------------------

fake=$(mktemp) fake_host=$(mktemp)
trap 'rm -f "$fake" "$fake_host"' EXIT
cat >"$fake" <<'END'
ok 'and again' true
ok "a user pays the price" true
is "$a" "b" "it says so"
is "$a" "$b" "two words"
like "$(f "x")" '^y' \
	"a user pays the price"
is "$(f 'it is (x' "$(g ")")")" $'1\n2' "the last argument is the name"
END
cat >"$fake_host" <<'END'
. "$here/rows.sh"
is 'the first argument is the name' "$(f "$x" 'it is')" '2800 2000'
is 'and this' "$x" '1 2 3'
END
none 'the heuristic finds rows that lean on others' \
	"$(diff <(leaning "$fake" | sed 's/^[^ ]* //') \
		<(printf '%s\n' 'and again' 'it says so' 'two words'))"
none 'the heuristic takes the first argument where tests/host/rows.sh is used' \
	"$(diff <(leaning "$fake_host" | sed 's/^[^ ]* //') <(echo 'and this'))"
none 'the heuristic finds a name that is there twice' \
	"$(diff <(twice "$fake" | sed 's/^[^ ]* //') <(echo 'a user pays the price'))"

# ---- Subjects of commits -------------------------------------------------------

# Since the rule is kept; a tarball and a shallow clone do not have the base.
base=${EQUITREE_BASE:-ba244c016aa7}
if git merge-base --is-ancestor "$base" HEAD 2>/dev/null; then
	ratchet 'the subject of a commit has at most 72 characters' "$known_long" \
		"$(git log --format=%s "$base..HEAD" 2>/dev/null |
			awk 'length > 72')"
	none 'a commit has one parent' \
		"$(git log --merges --format=%s "$base..HEAD" 2>/dev/null)"
else
	skip 'the subject of a commit has at most 72 characters' 'no history'
fi
plan
