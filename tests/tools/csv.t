#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# --csv of the commands that print a table: what a reader of CSV gets is what the
# table shows.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"
export TZ=UTC

sshare=$data/sshare.txt
conf=$tools_dir/../../sandbox/sites/cedar/equitree.conf

# The cells as a reader of CSV sees them, with "|" between.
cells() {
	python3 -c 'import csv, sys
for row in csv.reader(sys.stdin): print("|".join(row))' <<<"$out"
}

run usage -f "$conf" --now 2026-07-01 --jobs "$data/sacct.txt" --targets "$data/targets.txt" --csv
is "$status|$err|$(cells)" "0||ACCOUNT|UNIT|USED|ALLOCATED|UTIL|PROJECTED|PROJ UTIL|SOURCE
bloggs.prj|GPU-years|0.1008|0.5000|20.2|0.4044|80.9|prices
chemistry|core-years|1.3073|5.0000|26.1|5.2435|104.9|prices
physics|core-years|1.6536|6.5000|25.4|6.6325|102.0|prices
physics|GPU-years|0.1859|1.0000|18.6|0.7458|74.6|prices" \
	"usage --csv: the table alone, with percentages as numbers"

run tree --shares "$sshare" --csv --no-headings
is "$(cells | grep -c .)" "$(($(wc -l <"$sshare") - 1))" "tree --csv: a line for each association"
is "$(cells | grep '/ben|')" "root/physics/ben|10|0.5000|1239|0.3882|1.2881|11|0.785714" \
	"tree --csv: the first cell is the path to an association"

# A name that a reader of CSV, a spreadsheet or a terminal might take for more.
odd=$'x,"y"\033[31m'
run tree --shares - --csv --no-headings < <(awk -F'|' -v OFS='|' -v odd="$odd" \
	'$2 == "xyz789" { $2 = odd } { print }' "$sshare")
is "$(cells | grep -c 'bloggs.prj/x,"y"\\x1b\[31m|10|')|$(grep -c $'\033' <<<"$out")" "1|0" \
	"a hostile name stays one cell, and does not reach the terminal raw"

run overhead --nodes "$data/nodes.txt" --partitions --csv
is "$(cells | tail -n 1)" "gpu|gpu=1|2|5|8|62.5" "overhead --partitions --csv"
run overhead --nodes "$data/nodes.txt" --list --unit gpu=1 --csv
is "$(head -n 1 <<<"$out")" \
	"NODE,FREE CORES,FREE MEMORY,FREE GPUS,UNITS,OF,BILL CORES,BILL MEMORY,BILL GPUS" \
	"overhead --list --csv: each column has a name of its own"
is "$(cells | grep -c '^gpu[12]|')|$(cells | grep -c .)" "2|3" "overhead --list --csv: the list alone"
for wrong in "--csv" "--list --csv"; do
	# shellcheck disable=SC2086
	run overhead --nodes "$data/nodes.txt" $wrong
	is "$status" 2 "overhead $wrong is refused: several tables"
done
run recover --shares "$sshare" --config "$data/config.txt" --csv physics
is "$status|$(cells | tail -n 1)" "0|root/physics|0.6106|0.8891|0.6867|3 d 20 h|16 d 12 h" "recover --csv: the path of an account down to it"
for command in why simulate metrics; do
	run $command --help
	is "$(grep -c -- --csv <<<"$out")" 0 "$command has no --csv: it prints no single table"
done
done_testing
