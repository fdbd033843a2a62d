#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Pages against the sources that they tell of, and against each other.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

# Of each line that the plugins log as info or error, the longest piece that
# printf leaves as it is; a line without words is another's text.
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
		}' $(sources 'plugins/*.c')
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
	"$(sed -nE 's/^\t\{ "([a-z_]+)", eqt_conf_.*/\1/p' lib/conf/conf.c |
		untold docs/equitree.conf.5 '^\.(BI|BR) %s=')"

none 'priority_equitree(8) has every word of PriorityParameters' \
	"$(grep -oE 'SWITCH\([a-z_]+\)' lib/prio/params.c | grep -v name |
		sed -E 's/SWITCH\((.*)\)/stock_\1/' |
		untold docs/priority_equitree.8 '^\.B %s$')"

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
