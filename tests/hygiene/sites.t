#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# docs/SITES.md: each test that the page names exists, and has the named row.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

# FILE and TEXT of each `FILE`: `TEXT`, with a TAB between; "\|" is a bar.
named_rows() {
	perl -ne 'while (/`((?:tests|docs)\/[^`]+)`: `([^`]+)`/g) {
		my ($file, $text) = ($1, $2);
		$text =~ s/\\\|/|/g;
		print "$file\t$text\n";
	}' docs/SITES.md
}

none 'each row that docs/SITES.md names exists' \
	"$(named_rows | while IFS=$'\t' read -r file text; do
		grep -qF -e "$text" "$file" 2>&1 || echo "$file: $text"
	done)"

none 'docs/SITES.md names rows at all' \
	"$( (($(named_rows | wc -l) > 40)) || named_rows)"

none 'each rule of docs/SITES.md has a row, or says why not' \
	"$(grep '^| ' docs/SITES.md | grep -vE '^\| rule \||^\|---' |
		grep -vE '`: `|\| no test: |not there yet|no configuration')"
plan
