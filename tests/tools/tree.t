#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# equitree tree: the ranks of a saved sshare, what if, and bad input.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

sshare=$data/sshare.txt
field() { sed -n "s/^ *\"$1\": \(.*[^,]\),*$/\1/p" <<<"$out"; }
# Name and rank of each user.
ranks() {
	awk '{ sub(/^[-| `]*/, "") } NF == 8 { print $1, $7 }' <<<"$out"
}

run tree --shares "$sshare"
is "$status$err" 0 "a saved sshare is read"
((widest=$(widest), widest <= 80))
is "$?" 0 "the tree fits 80 columns ($widest)"
is "$(head -n 4 <<<"$out" | sed 's/ *$//')" \
"NAME                SHARES      S USAGE      U LEVEL FS RANK FAIRSHARE
root                               3590 1.0000
|-root                   1 0.0003     0 0.0000      inf   14  1.000000
|-bloggs                 5 0.0017   263 0.0733   0.0232" \
	"shares, S, usage, U and Level FS of each account"
is "$(awk '$1 ~ /-ben$/ { print $6, $7, $8 }' <<<"$out")" \
	"1.2881 11 0.785714" "Level FS, rank and factor of a user"
is "$(grep -c parent <<<"$out")" 3 "Fairshare=parent is shown"

run tree --shares "$sshare" --json
is "$(field fair_share | grep -v null | xargs printf '%.6f\n')" \
	"$(awk -F'|' 'NR > 1 && $2 != "" { print $8 }' "$sshare")" \
	"JSON: the factors are those of sshare"
is "$(grep -c '"account"' <<<"$out")" \
	"$(($(wc -l <"$sshare") - 1))" "JSON: one object for each association"
is "$(tail -n 12 <<<"$out" | sed 's/^ *//')" \
'{
"account": "physics",
"user": "ben",
"raw_shares": 10,
"raw_usage": 1239,
"norm_shares": 0.5,
"effective_usage": 0.38815789473684209,
"level_fs": 1.2881355932203389,
"rank": 11,
"fair_share": 0.7857142857142857
}
]' "JSON: the members of a user"
is "$(head -n 12 <<<"$out" | sed 's/^ *//' | tail -n 11)" \
'{
"account": "root",
"user": null,
"raw_shares": 0,
"raw_usage": 3590,
"norm_shares": 0.0,
"effective_usage": 1.0,
"level_fs": null,
"rank": null,
"fair_share": null
},' "JSON: what an account has not is null"

# ---- Which rows ------------------------------------------------------------

run tree --shares "$sshare" --user xyz789 --no-headings
is "$(awk '{ sub(/^[-| `]*/, ""); print $1 }' <<<"$out" | xargs)" \
	"root bloggs bloggs.prj xyz789 bloggs.prj.high xyz789 bloggs.prj.low xyz789" \
	"--user: the paths to all associations of one"
run tree --shares "$sshare" --active
is "$(ranks | xargs)" \
	"abc123 2 xyz789 1 cleo 12 dan 13 ada 10 ben 11" \
	"--active: users with usage, ranked among all"
refuses "$sshare: no user \"nobody\"" "a user that is not there" \
	tree --shares "$sshare" --user nobody

# ---- What if ---------------------------------------------------------------

run tree --shares "$sshare" --set physics=60000 --set physics/ada=30
is "$(ranks | grep -E 'ada|ben|cleo|dan' | xargs)" \
	"cleo 10 dan 11 ada 13 ben 12" "--set: other shares, other ranks"
run tree --shares "$sshare" --set physics/ada=parent
is "$(ranks | grep -E 'ada|ben' | xargs)" "ada 11 ben 10" \
	"--set ...=parent: the user goes before those with shares"
refuses "--set nope=3: no such account or account/user" \
	"--set of nothing" tree --shares "$sshare" --set nope=3
refuses "--set ada=3: no such account or account/user" \
	"--set of a user without account" tree --shares "$sshare" --set ada=3
for bad in physics physics= physics=-1 physics=x physics=4294967295; do
	refuses "--set $bad: expected ACCOUNT[/USER]=SHARES" \
		"--set $bad is refused" tree --shares "$sshare" --set "$bad"
done

# Two accounts without shares are tied: u3 of one comes between the other's.
ties=$data/ties.txt
run tree --shares "$ties"
is "$(ranks | grep ^u | xargs)" "u1 4 u2 1 u3 3 u4 2 u5 7 u6 6 u7 5" \
	"tied accounts are merged"
run tree --shares "$ties" --stock
is "$(ranks | grep ^u | xargs)" "u1 4 u2 3 u3 3 u4 1 u5 7 u6 6 u7 5" \
	"--stock: they are not"

# ---- A published table -----------------------------------------------------

# The table that BMRC publishes for a group among 8,511 user associations: 1,995
# above it, whose groups are idle, and 6,507 below. tests/unit/test_published_tree
# says why it is that tree. sshare prints usage under one second as 0; here it is
# 1 of 2.4e9, with the same six digits of effective usage.
awk 'function members(account, shares, names, n, usage,		i) {
		print "  " account "||" shares "|" usage
		for (i = 1; i <= n; i++)
			print "   " account "|" names[i] "|" \
				(shares == 100 ? "parent" : 10) "|" \
				(i == n ? usage : 0)
	}
	function group(name, shares, names, n, usage) {
		print " " name "||" shares "|" usage
		members(name ".prj.high", 100, names, n, 0)
		members(name ".prj.low", 1, names, n, 0)
		members(name ".prj", 10, names, n, usage)
	}
	BEGIN {
		split("abc123 ijk456 xyz789", own, " ")
		for (i = 1; i <= 19; i++)
			other[i] = "u" i
		print "Account|User|RawShares|RawUsage"
		print "root||0|2410028921"
		for (i = 1; i <= 35; i++)
			group("idle" i, 10, other, 19, 0)
		group("bloggs", 5, own, 3, 1)
		for (i = 1; i <= 241; i++)
			group("busy" i, i == 1 ? 193 : 10, other, 9, 10000000 + i - 1)
	}' >"$work/bmrc"
run tree --shares "$work/bmrc" --json
is "$(field user | grep -vc null)" 8511 "BMRC: the tree has 8,511 user associations"
is "$(awk -F'": ' '
		{ sub(/,$/, "", $2); gsub(/"/, "", $2) }
		$1 ~ /"account$/ { account = $2 }
		$1 ~ /"user$/ { user = $2 == "null" ? "" : $2 }
		$1 ~ /"norm_shares$/ { norm = $2 }
		$1 ~ /"effective_usage$/ { usage = $2 }
		$1 ~ /"fair_share$/ && account ~ /^bloggs/ {
			printf "%s|%s|%.6f|%.6f|%s\n", account, user, norm,
				usage, $2 == "null" ? "" : sprintf("%.6f", $2)
		}' <<<"$out")" \
"bloggs||0.001696|0.000000|
bloggs.prj.high||0.900901|0.000000|
bloggs.prj.high|abc123|0.900901|0.000000|0.765597
bloggs.prj.high|ijk456|0.900901|0.000000|0.765597
bloggs.prj.high|xyz789|0.900901|0.000000|0.765597
bloggs.prj.low||0.009009|0.000000|
bloggs.prj.low|abc123|0.333333|0.000000|0.765597
bloggs.prj.low|ijk456|0.333333|0.000000|0.765597
bloggs.prj.low|xyz789|0.333333|0.000000|0.765597
bloggs.prj||0.090090|1.000000|
bloggs.prj|abc123|0.333333|0.000000|0.764892
bloggs.prj|ijk456|0.333333|0.000000|0.764892
bloggs.prj|xyz789|0.333333|1.000000|0.764658" \
	"BMRC: its sshare table to the digit"

# ---- Forms of the input ----------------------------------------------------

run tree --shares "$sshare" --json
want=$out
run tree --shares - --json < <(sed 's/$/\r/' "$sshare")
is "$out" "$want" "CRLF, from stdin"
run tree --shares - --json \
	< <(awk -F'|' -v OFS='|' '{ print $5, $10, $3, $2, $1, $9, $4 }' "$sshare")
is "$out" "$want" "columns in another order"
run tree --shares - --json < <(sed 's/$/|/' "$sshare")
is "$out" "$want" "sshare -p, which ends each line with a bar"
odd=$'x\ty "z" \\ 1=2/3'
run tree --shares - --set "bloggs.prj/$odd=7" --json \
	< <(awk -F'|' -v OFS='|' -v odd='x\ty "z" \\ 1=2/3' \
		'$2 == "xyz789" { $2 = odd } { print }' "$sshare")
is "$(field user | grep ^.x | sort -u)" \
	'"x\ty \"z\" \\ 1=2/3"' "odd characters in names"
run tree --shares - < <(sed 's/xyz789/x\x1b[31m/' "$sshare")
is "$(grep -c $'\x1b' <<<"$out")" 0 "names cannot colour the terminal"

# ---- Bad input -------------------------------------------------------------

bad() { # TEXT NAME; stdin
	refuses "stdin: $1" "$2" tree --shares -
}
bad "empty" "nothing" </dev/null
bad "no rows" "only a header" < <(head -n 1 "$sshare")
bad 'line 1: no column "RawUsage" among Account, User, RawShares' \
	"a missing column is named" < <(cut -d'|' -f1-3 "$sshare")
bad 'line 3: cut off: no line end' "cut within a line" \
	< <(head -c 400 "$sshare")
bad 'line 3: NormShares is 0.000339, but the rows of its level make it 0.166667: is the list complete ("sshare -alP")?' \
	"cut between lines" < <(head -n 8 "$sshare")
bad 'line 4: 2 columns: expected 11' "a short line" \
	< <(sed '4s/.*/ bloggs|/' "$sshare")
bad 'line 6: RawUsage: "1e3": expected a whole number up to 18446744073709551615' \
	"usage that is no number" \
	< <(awk -F'|' -v OFS='|' 'NR == 6 { $5 = "1e3" } { print }' "$sshare")
bad 'line 6: RawShares: "": expected a whole number up to 4294967292' \
	"a user without shares" \
	< <(awk -F'|' -v OFS='|' 'NR == 6 { $3 = "" } { print }' "$sshare")
bad 'line 4: indented deeper than the rows above allow' "a missing parent" \
	< <(sed '4s/^/   /' "$sshare")
bad 'line 2: the first row is not the root: the list is not complete, or PrivateData hides accounts from you: ask as root, SlurmUser or an operator' "a list without its root" \
	< <(sed 2d "$sshare")
bad 'line 3: a second root' "two roots" < <(sed '2p' "$sshare")
bad 'line 2: a NUL byte' "a NUL" < <(sed '2s/root/\x00/' "$sshare")
bad 'no users: expected the output of "sshare -alP"' "accounts only" \
	< <(awk -F'|' 'NR == 1 || $2 == ""' "$sshare")
refuses "$work/none: No such file or directory" "no file" \
	tree --shares "$work/none"
mkdir "$work/bin"
printf '#!/bin/sh\nexit 1\n' >"$work/bin/sshare"
chmod +x "$work/bin/sshare"
PATH=$work/bin:$PATH refuses \
	'"sshare -alP" failed; --shares reads its output from a file' \
	"the option that reads the output of a command that fails is named" tree
printf '#!/bin/sh\n[ "$*" = -alP ] && cat %s\n' "$sshare" >"$work/bin/sshare"
PATH=$work/bin:$PATH run tree --json
is "$out" "$want" "sshare is run when no file is named"
run tree --bogus
is "$status" 2 "an unknown option is misuse"
run tree --help
like "$out" "2 half of it" "--help says what a Level FS is"
done_testing
