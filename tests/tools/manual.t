#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The man pages of the command have every option that --help has, and the
# examples of equitree.conf(5) are valid files.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"
docs=$tools_dir/../../docs

# A page as plain text, and what all commands have in common.
page() { # COMMAND
	sed 's/\\-/-/g' "$docs/equitree-$1.1" "$docs/equitree.1"
}

run --help
mapfile -t commands < <(sed -nE 's/^  ([a-z]+) .*/\1/p' <<<"$out")
ok "equitree --help lists the subcommands" test ${#commands[@]} -gt 5
for command in "${commands[@]}"; do
	text=$(page "$command")
	like "$text" "equitree $command" "$command: has a page"
	run "$command" --help
	# A request is in sbatch's options, which sbatch(1) tells.
	missing=$(sed '/^ Options of sbatch/,/^ Options of this/d' <<<"$out" |
		grep -oE '^ {2,6}(-[a-zA-Z], )?--[a-z-]+' |
		grep -oE -- '--[a-z-]+' | sort -u | grep -vxF -e --usage |
		while read -r option; do
			[[ $text == *"$option"* ]] || echo "$option"
		done)
	is "$missing" "" "$command: its page has every option"
	# The heads of the paragraphs that describe options.
	unknown=$(sed 's/\\-/-/g; s/\\f[BIR]//g' "$docs/equitree-$command.1" |
		sed -n '/^\.T[PQ]/{n;p}' | grep -oE -- '--[a-z][a-z-]+' | sort -u |
		while read -r option; do
			[[ $out == *"$option"* ]] || echo "$option"
		done)
	is "$unknown" "" "$command: --help has every option of its page"
done

# A sentence on the line of a macro such as .BR loses its blanks: "disk.Ifthe".
if command -v mandoc >/dev/null; then
	is "$(for file in "$docs"/*.[158]; do
		mandoc -T utf8 "$file" | col -bx |
			grep -oE '[a-z0-9)]+[.][A-Z][a-z]+[^ ]*' |
			sed "s|^|${file##*/}: |"
	done)" "" "each page has a blank behind each sentence"
	# As HTML: a page each, an index, and no link that leads nowhere.
	"$docs/../build-aux/man-html" "$work/html" "$docs"/*.[158]
	is "$(grep -o 'href="[^"]*"' "$work/html/index.html" | cut -d'"' -f2 | sort)" \
		"$(cd "$docs" && for file in *.[158]; do echo "$file.html"; done | sort)" "the index of the pages as HTML has each"
	isnt "$(grep -l 'href="equitree.conf.5.html"' "$work"/html/*.html | wc -l)" 1 "pages as HTML refer to each other"
	is "$(cd "$work/html" && grep -ho 'href="[^"#]*"' ./*.html | cut -d'"' -f2 | sort -u |
		while read -r page; do [[ -s $page ]] || echo "$page"; done)" "" "each reference of the pages leads to a page"
fi

# Each block between .EX and .EE, with the bundle that every file must have.
perl -ne '
	BEGIN { $to = pop @ARGV }
	if (/^\.EX$/) { $text = ""; $inside = 1; next }
	if (/^\.EE$/) {
		$text = "bundle \"cores\" { cores = 1 }\n$text" if $text !~ /bundle "cores"/;
		open my $out, ">", sprintf("%s/example.%02d", $to, ++$n);
		print $out $text;
		$inside = 0;
	}
	s/\\-/-/g;
	$text .= $_ if $inside;' "$docs/equitree.conf.5" "$work"
examples=("$work"/example.*)
ok "equitree.conf(5) has an example of each key" test ${#examples[@]} -gt 30
for example in "${examples[@]}"; do
	SLURM_CONF=/nowhere run check -f "$example"
	is "$status|$out" "0|" "equitree.conf(5): $(sed -n '$p' "$example")"
done
done_testing
