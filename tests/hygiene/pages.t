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
