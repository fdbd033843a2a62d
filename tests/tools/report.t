#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# equitree report: its folder, its numbers, and names that attack a page. What a browser
# makes of the pages is in report_browser.t.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=report_data.sh
. "$tools_dir/report_data.sh"
export TZ=UTC

conf=$tools_dir/../../sandbox/sites/cedar/equitree.conf
from=$work/from
out_dir=$work/pages
report_folder "$from"
# shellcheck disable=SC2120 # options, if any
report() { run report -f "$conf" --from "$from" --out "$out_dir" "$@"; }
files() { (cd "$out_dir" && find . -type f | LC_ALL=C sort); }
# The text of a page, a line for each cell.
text() { # PAGE
	sed -E '/<style>/,/<\/style>/d; /<script>/,/<\/script>/d
		s/<\/(td|th|p|h1|h2|dd|dt)>/\n/g; s/<[^>]*>//g' "$out_dir/$1"
}
# The cells of the row that begins with a text, joined by "|".
row() { # PAGE FIRST
	sed -nE 's/<tr>(.*)<\/tr>/\1/p' "$out_dir/$1" |
		sed -E 's/<\/td>/|/g; s/<[^>]*>//g' | grep -E "^$2\\|"
}

# ---- Folder -----------------------------------------------------------------

report
is "$status|$out|$err" "0||" "a report is written and prints nothing"
is "$(files)" "./account/%3Cscript%3Ealert%281%29%3C%2Fscript%3E/index.html
./account/%3Cscript%3Ealert%281%29%3C%2Fscript%3E/users.html
./account/ocean/index.html
./account/ocean/users.html
./account/physics/index.html
./account/physics/users.html
./account/root/index.html
./account/root/users.html
./accounts.html
./index.html
./user/%22%3E%3Cimg%20src%3Dx%20onerror%3Dalert%282%29%3E/index.html
./user/%2E.%2F..%2Fescaped/index.html
./user/ada/index.html
./user/ben/index.html
./user/root/index.html" "a page for the cluster, each account and each user, with safe names"
is "$(find "$work" -name '*escaped*' | grep -cv "^$out_dir")" 0 \
	"no name leaves the folder"

none_has() { # NAME REGEX
	is "$(cd "$out_dir" && grep -rlEi -e "$2" . | head -n 3)" "" "$1"
}
none_has "no page has a tag from a name" '<script>alert|<img|onerror=alert\(2\)>"'
none_has "no page asks another server" '(src|href)="?(https?:)?//|@import|url\('
is "$(grep -rc '<script>' "$out_dir" | grep -cv ':1$')" 0 "each page has one script"
is "$(cd "$out_dir" && find . -name '*.html' | while read -r page; do
	grep -oE 'href="[^"]*"' "$page" | sed 's/href="//; s/"$//' |
		grep -v '^data:' | while read -r link; do
		plain=$(printf '%b' "$(sed 's/%25/\\x25/g' <<<"$link")")
		[[ -e ${page%/*}/$plain ]] || echo "$page: $link"
	done
done)" "" "each link leads to a page"

script=$(sed -n '/<script>/,/<\/script>/p' "$out_dir/index.html")
script=${script#*<script>}
script=${script%</script>*}
is "$(grep -o "sha256-[^']*" "$out_dir/index.html")" \
	"sha256-$(printf '%s' "$script" | perl -MDigest::SHA=sha256_base64 -e 'print sha256_base64(do { local $/; <STDIN> }), "="')" \
	"the policy of a page allows its script alone"

report --json
is "$(tr -d ' \n' <<<"$out")" \
	"{\"folder\":\"$out_dir\",\"made_s\":1795358740,\"pages\":15,\"jobs\":9,\"unpriced\":0}" \
	"--json says what was written"

# ---- Numbers ----------------------------------------------------------------

# 32, 16 and 8 core-days, of 365: 0.153; of physics 10 of ben and 32 of ocean as well.
is "$(row accounts.html physics)" \
	"physics|core-years|0.268|30.5|0.9 %|0.416|0.7143|10|0.4762|0.6667|3|
physics|GPU-years|0.00548|3.81|0.1 %|0.00849|0.7143|10|0.4762|0.6667|3|" \
	"an account: usage with that below, target, projection, Level FS, shares"
run usage -f "$conf" --now 2026-11-22T14:45:40 --jobs "$from/jobs.txt" \
	--nodes "$from/nodes.txt" --assocs="$from/shares.txt"
is "$(grep -E '^ *(physics|ocean) ' <<<"$out" | tr -s ' ')" \
	" physics core-years 0.2685 30.5 0.9 % 0.4159 1.4 %
 physics GPU-years 0.0055 3.8095 0.1 % 0.0085 0.2 %
 ocean core-years 0.0877 21.8 0.4 % 0.1358 0.6 %
 ocean GPU-years 0.0000 2.7211 0.0 % 0.0000 0.0 %" \
	"equitree usage has the same numbers"
is "$(row user/ada/index.html physics)
$(row user/ada/index.html ocean)" \
	"physics|0.2143|1|0.1429|0.6667|1|0.142857|
ocean|inf|1|1.0000|0.0000|3|0.428571|" \
	"a user: shares and rank in each account"
is "$(row user/ada/index.html 99 | cut -d '|' -f 1-6)" \
	"99|2026-11-21 13:45|48|2|GPU-equivalents|24" "a job: its price and what it cost"
is "$(grep -oE '<td class="t">[0-9]+</td><td class="n"' "$out_dir/user/ada/index.html" |
	tr -dc '0-9\n' | xargs)" "99 8 7 6 2 1" "the newest job is first, of all accounts"
is "$(row user/ada/index.html 7201)" \
	"7201|other jobs go first: 2 of the 4 jobs waiting there have a higher priorityask for a shorter --time or fewer resources, which may start in gaps before other jobs|not known|1 min|500|physics|cpu|" \
	"a waiting job: why, and how many go before it"
like "$(text index.html | grep -A1 'Cores used')" "0.9 % of the nodes" "the cluster: what was used, in one digit"
is "$(row index.html 2026-04)$(row index.html 2026-06)" "2026-06|0.0877|0|" \
	"the cluster: no months from before its first job"
is "$(row index.html Priority)$(row index.html Resources)" "Priority|2|Resources|1|" \
	"the cluster: how many jobs wait for which reason"
is "$(row account/physics/index.html Priority)" "Priority|2|" \
	"an account: how many of its jobs wait for which reason"
cp "$from/queue.txt" "$work/queue.txt"
sed -i 's/Priority|7201$/ReqNodeNotAvail, May be reserved for other job|7201/' "$from/queue.txt"
report
is "$(row index.html 'ReqNode.*')" "ReqNodeNotAvail, May be reserved for other job|1|" \
	"a reason keeps what is behind its comma"
mv "$work/queue.txt" "$from/queue.txt"
report
# Of 14 days: 32 CPUs waited 960 s, 8 CPUs 240 s, two GPUs 120 s.
waits() { row "$@" | grep min; }
use() { row "$@" | grep -Ev 'min|(\|[0-9]+){5}\|$'; }
ends() { row "$@" | grep -E '(\|[0-9]+){5}\|$'; }
is "$(waits index.html all)" "all|3|4 min|16 min|16 min|" "the cluster: waits of all jobs"
is "$(waits index.html cpu; waits index.html gpu)" "cpu|2|4 min|16 min|16 min|
gpu|1|2 min|2 min|2 min|" "the cluster: waits by partition"
is "$(waits index.html '[0-9]+ to [0-9]+ .PU.' | cut -d '|' -f 1-3)" "2 to 15 CPUs|1|4 min
16 to 127 CPUs|1|16 min
2 to 7 GPUs|1|2 min" "the cluster: waits by size, the smallest first"
is "$(waits index.html 2026-11-.. | cut -d '|' -f 1-3)" "2026-11-10|1|16 min
2026-11-20|1|4 min
2026-11-21|1|2 min" "the cluster: waits by day of the start"
is "$(waits account/physics/index.html 'of this account')" \
	"of this account|2|2 min|4 min|4 min|" "an account: waits of its jobs"
# In these days a job of 32 CPUs and one of 8 ran a day each, and one of 6 CPUs and two of
# 8 GPUs. The first two used half of their CPUs, the last a quarter.
is "$(use index.html all)" "all|3|1,104|2.7 %|46.7 %|48|1.8 %|" \
	"the cluster: what jobs held of the nodes, and how much of it was busy"
is "$(use index.html cpu; use index.html gpu)" "cpu|2|960|4.5 %|50.0 %|0|-|
gpu|1|144|0.8 %|25.0 %|48|1.8 %|" "the cluster: use by partition, of its nodes"
is "$(use index.html '[0-9]+ to [0-9]+ .PU.' | cut -d '|' -f 1-5)" "2 to 15 CPUs|1|192|-|50.0 %
16 to 127 CPUs|1|768|-|50.0 %
2 to 7 GPUs|1|144|-|25.0 %" "the cluster: use by size"
is "$(use index.html 2026-11-..)" "2026-11-10|1|680|23.6 %|50.0 %|0|0.0 %|
2026-11-11|1|88.4|3.1 %|-|0|0.0 %|
2026-11-20|1|73.9|2.6 %|50.0 %|0|0.0 %|
2026-11-21|2|180|6.2 %|25.0 %|20.5|10.7 %|
2026-11-22|1|82.6|4.7 %|-|27.5|23.3 %|" "the cluster: use by day, each with its own part of a job"
is "$(use account/physics/index.html 'of this account')" "of this account|2|336|-|39.3 %|48|-|" \
	"an account: what its jobs held"
like "$(text account/root/index.html)" "to their start. There was none." "an account without a start says so"
is "$(row account/physics/users.html ben | cut -d '|' -f 1-3,7-10)" \
	"ben|0.4286|1|0.0274|0|1|1" "the users of an account: what each used"
is "$(row accounts.html gone | cut -d '|' -f 1-3)" "gone|core-years|0.00548" \
	"an account that is gone keeps its usage"

# ---- Small numbers and a page that stays open ---------------------------------

# The first job alone, as if it had been smaller.
only() { # SECONDS CPUS
	awk -F '|' -v OFS='|' -v seconds="$1" -v cpus="$2" '$1 == 1 {
		$9 = $8 + seconds
		$10 = seconds
		$12 = "billing=" cpus ",cpu=" cpus ",mem=100M,node=1"
	} NR == 1 || $1 == 1' "$work/jobs" >"$from/jobs.txt"
}
is "$(grep -c 'http-equiv="refresh"' "$out_dir/index.html")" 0 "a page is not loaded again unless told so"
cp "$from/jobs.txt" "$work/jobs"
only 3600 32
printf 'Account|CoreYears|GPUYears\nphysics|1000|1000\n' >"$work/targets"
report --targets "$work/targets" --refresh 60
is "$(text account/physics/index.html | grep -A1 -x 'Used of the target' | head -n 2 | paste -sd ' ')" \
	"Used of the target below 0.1 %" \
	"a small part of a target has no more digits than others"
only 1 1
report --refresh 60
is "$(sed '/<\/svg>/q' "$out_dir/user/ada/index.html" | grep -o 'text-anchor="end">[^<]*' |
	sed 's/.*>//' | head -n 5 | xargs)" "0 0.0001 0.0002 0.0003 0.0004" \
	"the axis of a chart has five numbers that differ, however small"
is "$(cd "$out_dir" && grep -rlF '<meta http-equiv="refresh" content="60">' --include='*.html' . | wc -l)" \
	"$(cd "$out_dir" && find . -name '*.html' | wc -l)" "--refresh lets a browser load each page again"
mv "$work/jobs" "$from/jobs.txt"
report

# ---- Whose jobs -------------------------------------------------------------

ada=$(text user/ada/index.html)
like "$ada" 7201 "the page of a user has that user's jobs"
is "$(grep -cE '\bben\b|7202|script|escaped' <<<"$ada")" 0 \
	"the page of a user has no job and no name of others"
is "$(text index.html | grep -cE '\bada\b|\bben\b|physics|script|720')" 0 \
	"the page of the cluster has no name"
is "$(text account/physics/index.html | grep -cE '\bada\b|\bben\b|720')" 0 \
	"the first page of an account has no user"

# ---- How jobs ended ---------------------------------------------------------

is "$(ends index.html all)" "all|3|0.0 %|0|0|0|0|0|" "the cluster: jobs that all ended well"
cp "$from/jobs.txt" "$work/jobs"
sed -i -E '/^7\|/s/COMPLETED/TIMEOUT/; /^8\|/s/COMPLETED/OUT_OF_MEMORY/; /^99\|/s/COMPLETED/CANCELLED by 1000/' \
	"$from/jobs.txt"
report
is "$(ends index.html all)" "all|3|66.7 %|0|1|1|0|1|" "the cluster: how jobs ended; a cancelled one is no failure"
is "$(ends index.html cpu; ends index.html gpu)" "cpu|2|100.0 %|0|1|1|0|0|
gpu|1|0.0 %|0|0|0|0|1|" "the cluster: ends by partition"
is "$(ends index.html 2026-11-..)" "2026-11-11|1|100.0 %|0|0|1|0|0|
2026-11-21|1|100.0 %|0|1|0|0|0|
2026-11-22|1|0.0 %|0|0|0|0|1|" "the cluster: ends by day, each on its last one"
is "$(ends index.html '[0-9]+ to [0-9]+ .PU.' | cut -d '|' -f 1-3)" "2 to 15 CPUs|1|100.0 %
16 to 127 CPUs|1|100.0 %
2 to 7 GPUs|1|0.0 %" "the cluster: ends by size"
is "$(ends account/physics/index.html 'of this account')" "of this account|2|50.0 %|0|1|0|0|1|" \
	"an account: how its jobs ended"
sed -i -E '/^7\|/s/TIMEOUT/NODE_FAIL/; /^8\|/s/OUT_OF_MEMORY/FAILED/' "$from/jobs.txt"
report --end 2026-11-22
is "$(ends index.html all)" "all|2|100.0 %|1|0|0|1|0|" "a job that ended after --end has not ended"
mv "$work/jobs" "$from/jobs.txt"

report --waits 12
is "$(waits index.html all)" "all|2|2 min|4 min|4 min|" "--waits says how many days count"
report --waits 0
is "$(text index.html | grep -cE 'Waits|What jobs held')" 0 "--waits 0 leaves waits and use out"
report --start 2026-11-10 --end 2026-11-20
is "$(waits index.html all)$(use index.html all)" \
	"all|1|16 min|16 min|16 min|all|1|768|2.7 %|50.0 %|0|0.0 %|" "--start and --end choose other days"
like "$(text index.html)" "What jobs held from 2026-11-10 00:00 to 2026-11-20 00:00" "the page says which"
report --start 2025-01-01 --end 2026-01-01
like "$(text index.html)" "from 2025-01-01 00:00 to 2026-01-01 00:00.*There was none" \
	"a year in which nothing ran says so"
report --start 2026-11-20 --end 2026-11-10
is "$status|$err" "1|equitree report: --start is not before --end" "an end before its start is refused"
sed -i.with -e 's/|Eligible|/|Other|/' "$from/jobs.txt"
report
is "$status|$(text index.html | grep -cE 'Waits|What jobs held')" "0|0" "a list without times of waiting has no waits"
mv "$from/jobs.txt.with" "$from/jobs.txt"

# With what a forecast needs, expected starts are those of equitree when.
cp "$data/config.txt" "$from/"
cp "$from/nodes.txt" "$work/nodes"
sed -i -E '/^NodeName=cpu/s/State=[A-Z]+/State=IDLE/; s/(CPUAlloc|AllocMem)=[0-9]+/\1=0/g; s/AllocTRES=[^ ]*/AllocTRES=/' \
	"$from/nodes.txt"
report
like "$(row user/ada/index.html 7204 | cut -d '|' -f 3)" "^1[45]:[0-9]{2} \\(in [^)]*\\)14:[0-9]{2} \\(in [^)]*\\) to 1[45]:[0-9]{2} \\(" \
	"a waiting job has our forecast with its range"
like "$(text user/ada/index.html)" "80 % of real starts lie in its range" "the page says what the range is"
rm "$from/config.txt"
mv "$work/nodes" "$from/nodes.txt"

# ---- Once more --------------------------------------------------------------

printf 'kept\n' >"$out_dir/user/ben/notes.html"
printf 'mine\n' >"$out_dir/account/physics/.htaccess"
mkdir "$out_dir/user/other"
printf 'not a page of a report\n' >"$out_dir/user/other/index.html"
printf '<!DOCTYPE html>\n<!-- equi' >"$out_dir/user/ada/index.html.new"
sed -i '/|ben|/d; s/root|||9000/root|||7000/; s/physics||10|6000/physics||10|4000/' \
	"$from/shares.txt"
report
is "$status|$(cd "$out_dir" && find user | LC_ALL=C sort)" "0|user
user/%22%3E%3Cimg%20src%3Dx%20onerror%3Dalert%282%29%3E
user/%22%3E%3Cimg%20src%3Dx%20onerror%3Dalert%282%29%3E/index.html
user/%2E.%2F..%2Fescaped
user/%2E.%2F..%2Fescaped/index.html
user/ada
user/ada/index.html
user/ben
user/ben/notes.html
user/other
user/other/index.html
user/root
user/root/index.html" \
	"the page of a user who is gone goes, and files of others stay"
is "$(<"$out_dir/account/physics/.htaccess")" mine "a file of the web server stays"

before=$(cksum "$out_dir/index.html")
sed -i 's/^2|c|/2|c|broken/' "$from/jobs.txt"
sed -i 's/|86400|00:00:00|/|x|00:00:00|/' "$from/jobs.txt"
report
like "$status|$out|$err" "^1\|\|equitree report: $from/jobs.txt: line 2: ElapsedRaw: \"x\"" \
	"an error names file, line and column"
is "$(cksum "$out_dir/index.html")|$(find "$out_dir" -name '*.new')" "$before|" \
	"a report that fails leaves the old pages, and nothing new"

report_folder "$from"
before=$(cksum "$out_dir/index.html")
(
	trap '' XFSZ
	ulimit -f 8
	"$equitree" report -f "$conf" --from "$from" --out "$out_dir"
) >"$work/full" 2>&1
is "$?|$(<"$work/full")" \
	"1|equitree report: $out_dir/index.html.new: File too large" \
	"a disk that takes no more is no success, and the error names the file"
is "$(cksum "$out_dir/index.html")|$(find "$out_dir" -name '*.new')" "$before|" \
	"a disk that takes no more leaves the old pages"
exec 8<"$out_dir"
flock 8
refuses "$out_dir: another report is being written there" \
	"two reports at a time" report -f "$conf" --from "$from" --out "$out_dir"
exec 8<&-
refuses "/dev/null: Not a directory" "a file in place of the folder" \
	report -f "$conf" --from "$from" --out /dev/null
run report --from "$from"
is "$status" 2 "no folder: misuse"
like "$err" "expected --out DIR" "no folder: the error names the option"
done_testing
