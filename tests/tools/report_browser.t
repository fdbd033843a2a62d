#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The pages of equitree report in a browser (Chromium without a window): they fit a
# phone and a screen, tables sort, contrast is enough in light and dark, names
# stay names, and nothing is reported as an error.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=report_data.sh
. "$tools_dir/report_data.sh"
export TZ=UTC

browser=$(command -v chromium || command -v chromium-browser) || {
	echo "1..0 # SKIP no chromium"
	exit 0
}
report_folder "$work/from"
# As Slurm records energy, a column and a box more.
sed -i -E '2,$s/,cpu=([0-9]+),/,cpu=\1,energy=\10000000,/' "$work/from/jobs.txt"
{ cat "$tools_dir/../../sandbox/sites/cedar/equitree.conf"; echo 'carbon_intensity = 210.5'; } >"$work/conf"
run report -f "$work/conf" --from "$work/from" --out "$work/pages" --energy
is "$status$err|$(cd "$work/pages" && grep -l kgCO2e index.html accounts.html user/ada/index.html | wc -l)" "0|3" \
	"there are pages, with energy"
mapfile -t pages < <(cd "$work/pages" && find . -name '*.html' | sort)

# All pages in frames of one page, whose script looks at them. A frame has the page's
# own policy, and its width is what the page fits to.
{
	echo '<!DOCTYPE html><meta charset="utf-8"><title>check</title>'
	for width in 360 1440; do
		for page in "${pages[@]}"; do
			printf '<iframe width="%s" height="900" title="%s" srcdoc="' \
				"$width" "$(tr -d '"<>' <<<"$page")"
			sed 's/&/\&amp;/g; s/"/\&quot;/g' "$work/pages/$page"
			echo '"></iframe>'
		done
	done
	echo '<pre id="result"></pre><script>'
	cat "$tools_dir/report_browser.js"
	echo '</script>'
} >"$work/check.html"

# browse COLOURS (0: dark, 1: light) -> $result, and $complaints of the console
browse() {
	timeout 120 "$browser" --headless=new --no-sandbox --disable-gpu \
		--disable-dev-shm-usage --disable-background-networking \
		--user-data-dir="$work/profile$1" --enable-logging=stderr --v=0 \
		--blink-settings="preferredColorScheme=$1" \
		--virtual-time-budget=20000 --dump-dom "file://$work/check.html" \
		>"$work/dom" 2>"$work/log"
	result=$(sed -n 's/.*<pre id="result">//; /^done/q; /^[a-z]* [a-z]*:/p' "$work/dom")
	seen=$(grep -o '^done .*' "$work/dom")
	complaints=$(grep -E 'CONSOLE|Uncaught' "$work/log")
}
about() { grep "^$1 " <<<"$result"; }

for colours in 1 0; do
	name=light
	[[ $colours == 1 ]] || name=dark
	browse "$colours"
	like "$seen" "^done frames=$((2 * ${#pages[@]})) tables=[1-9][0-9]* texts=[1-9][0-9]{3,} scheme=$name" \
		"$name: the browser has looked at all pages"
	is "$complaints" "" "$name: the console is empty"
	is "$(about width)" "" "$name: no page is wider than 360 or 1440 pixels"
	is "$(about contrast)" "" "$name: text has a contrast of 4.5, lines one of 3"
	is "$(about sort)" "" "$name: each heading sorts its table, both ways"
	is "$(about script)" "" "$name: no name runs, and no element comes from one"
	is "$(about label)" "" \
		"$name: each chart has a title and a description, each table a caption"
done

# The check finds what it is for.
sed -i 's/--soft:#545d68/--soft:#b0b0b0/g; s/max-width:72rem/min-width:2000px/
	s/aria-sort/aria-tros/; s/role=&quot;img&quot;//' "$work/check.html"
browse 1
for what in width contrast label; do
	isnt "$(about $what)" "" "a page that is wrong is noticed: $what"
done
isnt "$complaints" "" "a script that was changed does not run, and the console says so"
done_testing
