#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Pages against the sources that they tell of, and against each other.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

# Of each line that the plugins log as info or error, the longest piece that
# printf leaves as it is; a line without words is another's text. The lines of
# DebugFlags=Priority are for developers.
log_lines() {
	perl -0777 -ne '
		while (/\beqt_log_(?:info|error)\(((?:[^;"]|"(?:\\.|[^"\\])*")*)\);/g) {
			my ($call, $text) = ($1, "");
			while ($call =~ /\G\s*(?:"((?:\\.|[^"\\])*)"|([A-Z]+)\b)/gc) {
				$text .= defined $1 ? $1 : "\0";
			}
			my @pieces = sort { length $b <=> length $a }
				split /%[-0-9.l]*[a-z]|\0/, $text;
			my $piece = $pieces[0] // "";
			$piece =~ s/^[\s;:,]+|[\s;:,]+$//g;
			print "$ARGV: $piece\n" if $piece =~ /[a-z]{3}/;
		}' $(sources 'plugins/*.c' | grep -v '^plugins/priority/trace.c$')
}

none 'docs/OPERATING.md tells of every line of the log' \
	"$(log_lines | while IFS= read -r line; do
		grep -qF -e "${line#*: }" docs/OPERATING.md || echo "$line"
	done)"

none 'log lines are found at all' \
	"$( (($(log_lines | wc -l) > 25)) || log_lines)"

# PAGE FORM: words of stdin that the page does not have in that form.
untold() {
	local word
	while read -r word; do
		# shellcheck disable=SC2059 # the form is a format
		grep -qE -e "$(printf "$2" "$word")" < <(sed 's/\\-/-/g' "$1") ||
			echo "$1: $word"
	done
}

none 'equitree.conf(5) has every key' \
	"$(sed -nE 's/^\t(NUMBER|TEXT|WORDS)\("([a-z_]+)".*/\2/p' lib/conf/keys.c |
		untold docs/equitree.conf.5 '^\.(BI|BR) %s=')"

none 'priority_equitree(8) has every word of PriorityParameters' \
	"$(grep -oE 'SWITCH\([a-z_]+\)' lib/prio/params.c | grep -v name |
		sed -E 's/SWITCH\((.*)\)/stock_\1/' |
		untold docs/priority_equitree.8 '^\.B %s$')"

# The keys whose paragraph lacks its default, its range or an example. Keys that
# share a paragraph (.TQ) share these too.
keys_incomplete() { # PAGE
	perl -0777 -ne '
		for (split /^\.TP\n/m) {
			next unless /^\.(?:BI|BR) ([a-z_]+)=/;
			my $key = $1;
			for my $part ("^Default: ", "Range: ", "^\\.EX\n.*?$key = ") {
				print "$ARGV: $key: no $part\n" unless /$part/ms;
			}
		}' "$1"
}

none 'each key of equitree.conf(5) has its default, its range and an example' \
	"$(keys_incomplete docs/equitree.conf.5)"

# The same of the words of PriorityParameters.
words_incomplete() { # PAGE
	perl -0777 -ne '
		for (split /^\.TP\n/m) {
			next unless /^\.(?:B|BI) (stock_[a-z_]+|period|plain_walk)/;
			my $word = $1;
			for my $part ("^Default: ", "Range: ",
				"^\\.EX\nPriorityParameters=.*\\b$word\\b") {
				print "$ARGV: $word: no $part\n" unless /$part/m;
			}
		}' "$1"
}

none 'each word of priority_equitree(8) has its default, its range and an example' \
	"$(words_incomplete docs/priority_equitree.8)"

none 'equitree-check(1) has every check' \
	"$(sed -nE 's/^\t\{ "([a-z-]+)", (EQT_NEEDS|0).*/\1/p' tools/check/[!c]*.c |
		untold docs/equitree-check.1 '^[.]B.*[ B]%s($|.fR)')"

for page in docs/spank_equitree.8 docs/USERS.md; do
	none "$page has every variable of a job" \
		"$(grep -oE '"EQUITREE_[A-Z_]+"' plugins/slurm/env_names.h |
			tr -d '"' | untold "$page" '%s`?$|`%s`|%s\b')"
done

# Relative links of the pages, without their anchors.
links() {
	local page
	for page in $(sources '*.md'); do
		grep -oE '\]\([^)#: ]+' "$page" | sed "s|^](|$page |"
	done
}

none 'a link of a page leads to a file' \
	"$(links | while read -r page link; do
		[[ -e $(dirname "$page")/$link ]] || echo "$page: $link"
	done)"

# Paths between backquotes; in pages about the plugins also from plugins/priority
# on; a program is that of its source. The command's own folders are not looked at.
paths() { # PAGE...
	# shellcheck disable=SC2016 # backquotes
	grep -oE '`(lib|plugins|tests|bench|docs|sandbox|build-aux|m4|usage|rank|rate|walk|factors|slurm)/[][A-Za-z0-9_./*-]+`' \
		"$@" /dev/null | tr -d '`'
}

none 'a path of a page is that of a file' \
	"$(paths docs/*.md docs/design/*.md bench/README.md CONTRIBUTING.md \
		SECURITY.md tests/*/README.md plugins/priority/README.md |
		while IFS=: read -r page path; do
			[[ $path != *NAME* && $path != *RELEASE* ]] || continue
			compgen -G "$path" >/dev/null ||
				compgen -G "plugins/priority/$path" >/dev/null ||
				compgen -G "plugins/$path" >/dev/null ||
				compgen -G "docs/$path" >/dev/null ||
				compgen -G "$(dirname "$page")/$path" >/dev/null ||
				[[ -e $path.c ]] ||
				echo "$page: $path"
		done)"

none 'the index of design notes has each note and its title' \
	"$(for note in docs/design/0*.md; do
		name=$(basename "$note")
		title=$(sed -n "1s/^# ${name%%-*}: //p" "$note")
		[[ $title ]] && grep -qF "| $title |" \
			< <(grep -F "](${name})" docs/design/README.md) ||
			echo "$note"
	done
	# Two notes of one number.
	find docs/design -name '0*.md' -printf '%f\n' | cut -d- -f1 | sort | uniq -d)"

# "2026-11-24, accepted." is the third line, more may follow.
none 'a design note has its date and its status below its title, and in the index' \
	"$(for note in docs/design/0*.md; do
		line=$(sed -nE '3s/^(20[0-9-]{8}), (accepted|replaced by [0-9]{4})[.].*/\1 | \2/p' "$note")
		[[ $line ]] && grep -qF "| $line |" \
			< <(grep -F "](${note##*/})" docs/design/README.md) || echo "$note"
	done)"

none 'there are at most 40 design notes' \
	"$(notes=(docs/design/0*.md); ((${#notes[@]} <= 40)) || echo "${#notes[@]} notes")"

# Folders of a room that the page of the room does not name.
unnamed() { # ROOM
	local folder
	for folder in $(git ls-files "$1/*/*.c" | sed 's|/[^/]*$||' | sort -u); do
		grep -q "\`${folder##*/}/\`" "$1/README.md" || echo "$1/README.md: $folder"
	done
}

none 'the page of plugins/priority names each of its folders' \
	"$(unnamed plugins/priority)"

none 'the README has at most 150 lines' \
	"$( (($(wc -l <README.md) <= 150)) || wc -l README.md)"

# debhelper brings the autotools; check is for the tests.
none 'INSTALL has the packages that a build of the command alone needs' \
	"$({
		printf '%s\n' build-essential autoconf automake libtool
		sed -n '/^Build-Depends:/,/^[A-Z].*:/p' debian/control |
			grep -oE '^ +[a-z0-9-]+' | grep -vE 'check|libslurm-dev'
	} | while read -r package; do
		grep -qwF -e "$package" \
			< <(sed -n '/^### The command alone/,/^## /p' docs/INSTALL.md) ||
			echo "$package"
	done)"

none 'a man page is installed, and named where it stands' \
	"$(for page in docs/*.[1-8]; do
		grep -q "dist_man_MANS.*[ /]$(basename "$page")\$" docs/local.mk ||
			echo "$page: not in docs/local.mk"
		name=$(basename "$page") section=${page##*.}
		grep -qiE "^\.TH $(tr '[:lower:]' '[:upper:]' <<<"${name%.*}") $section " \
			"$page" || echo "$page: .TH"
	done)"

if command -v mandoc >/dev/null; then
	none 'mandoc finds nothing wrong with a man page' \
		"$(mandoc -T lint -W warning docs/*.[1-8] |
			grep -vE 'missing (date|manual section)')"
fi
plan
