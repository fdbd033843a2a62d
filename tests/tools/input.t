#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What every subcommand makes of every kind of file that is not what it should
# be: a clear error with the file's name, and never a number; and of files that
# are right but unusual: other releases' columns, other locales, odd names, an
# empty cluster, CRs.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"
export TZ=UTC

site=$tools_dir/../../sandbox/sites/cedar
conf=$site/equitree.conf
good=$work/good
cp -r "$data" "$good"
sacctmgr() { # what of sacctmgr is read, of any release
	cp "$data/24.11/$1.txt" "$good/$1.txt"
}
sacctmgr qos
sacctmgr assocs
head='JobIDRaw|User|Account|Partition|QOS|Eligible|ElapsedRaw|TimelimitRaw|State|AllocTRES'
printf '%s\n1|ada|physics|cpu|normal|2026-11-21T10:00:00|60|60|COMPLETED|cpu=32,mem=1G,node=1\n' \
	"$head" >"$good/replayed.txt"
printf 'PriorityWeightQOS=1\nPriorityWeightAssoc=1\n' >"$good/slurm.conf"
cp "$conf" "$good/equitree.conf"

# NAME|FILE|ARGUMENTS: @ is the folder of files, of which FILE is spoiled.
readers=(
	"tree|sshare.txt|tree --shares @/sshare.txt"
	"why, shares|sshare.txt|why --shares @/sshare.txt ada ben"
	"why, jobs|sprio.txt|why --jobs @/sprio.txt --weights @/sprio-weights.txt 12"
	"why, weights|sprio-weights.txt|why --jobs @/sprio.txt --weights @/sprio-weights.txt 12"
	"recover, shares|sshare.txt|recover --shares @/sshare.txt --half-life 7-0 ada"
	"recover, config|config.txt|recover --shares @/sshare.txt --config @/config.txt ada"
	"recover, jobs|jobs.txt|recover --shares @/sshare.txt --half-life 7-0 --jobs @/jobs.txt -f @/equitree.conf ada"
	"overhead, nodes|nodes.txt|overhead --nodes @/nodes.txt"
	"overhead, jobs|jobs.txt|overhead --nodes @/nodes.txt --jobs @/jobs.txt"
	"usage, jobs|sacct.txt|usage -f @/equitree.conf --now 2026-07-01 --jobs @/sacct.txt"
	"usage, nodes|nodes.txt|usage -f @/equitree.conf --now 2026-07-01 --jobs @/sacct.txt --nodes @/nodes.txt"
	"usage, targets|targets.txt|usage -f @/equitree.conf --now 2026-07-01 --jobs @/sacct.txt --targets @/targets.txt"
	"usage, shares|sshare.txt|usage -f @/equitree.conf --now 2026-07-01 --jobs @/sacct.txt --assocs=@/sshare.txt --cores 64"
	"metrics, shares|sshare.txt|metrics --shares @/sshare.txt"
	"metrics, nodes|nodes.txt|metrics --shares @/sshare.txt --nodes @/nodes.txt"
	"simulate, shares|sshare.txt|simulate --policy @/slurm.conf --shares @/sshare.txt --nodes @/nodes.txt --generate 5"
	"simulate, nodes|nodes.txt|simulate --policy @/slurm.conf --shares @/sshare.txt --nodes @/nodes.txt --generate 5"
	"simulate, partitions|partitions.txt|simulate --policy @/slurm.conf --shares @/sshare.txt --nodes @/nodes.txt --partitions @/partitions.txt --generate 5"
	"simulate, jobs|replayed.txt|simulate --policy @/slurm.conf --shares @/sshare.txt --nodes @/nodes.txt --jobs @/replayed.txt"
	"simulate, QOS|qos.txt|simulate --policy @/slurm.conf --shares @/sshare.txt --nodes @/nodes.txt --generate 5 --qos @/qos.txt --assocs @/assocs.txt"
	"simulate, associations|assocs.txt|simulate --policy @/slurm.conf --shares @/sshare.txt --nodes @/nodes.txt --generate 5 --qos @/qos.txt --assocs @/assocs.txt"
	"bill, partitions|partitions.txt|bill -f @/equitree.conf -n1 -p cpu --partition-info @/partitions.txt"
	"bill, nodes|nodes.txt|bill -f @/equitree.conf -n1 -p cpu --exclusive --partition-info @/partitions.txt --node-info @/nodes.txt"
	"check, associations|assocs.txt|check --slurm-conf $site/slurm.conf --assocs @/assocs.txt"
)

# ---- What is wrong -------------------------------------------------------------

# FAULT|a command that makes it of the file $1
faults=(
	"not there|rm"
	"empty|truncate -s0"
	"a folder|folder"
	"cut off|truncate -s-7"
	"a NUL byte in it|nul"
	"of another command|other"
)
folder() { rm "$1" && mkdir "$1"; }
nul() { printf 'a\0b\n' >>"$1"; }
other() { printf 'Filesystem 1K-blocks\n/dev/sda1  4711\n' >"$1"; }

for reader in "${readers[@]}"; do
	IFS='|' read -r name file arguments <<<"$reader"
	rm -rf "$work/bad" && cp -r "$good" "$work/bad"
	read -ra words <<<"${arguments//@/$work/bad}"
	run "${words[@]}"
	# Accounts that equitree.conf does not know are findings, and no faults.
	is "$((status == 0 || status == 1 && ${#err} == 0))" 1 "$name: the right file is read"
	for fault in "${faults[@]}"; do
		rm -rf "$work/bad" && cp -r "$good" "$work/bad"
		${fault#*|} "$work/bad/$file"
		run "${words[@]}"
		is "$status|$out|$([[ $err == "equitree ${words[0]}: $work/bad/$file: "?* ]] && echo named)" \
			"1||named" "$name: the error names the fault: ${fault%|*}"
		is "$(wc -l <<<"$err")" 1 "the error has one line: ${err#*: }"
	done
done

# ---- Other releases ------------------------------------------------------------

for release in 24.11 26.05; do
	from=$data/$release
	run tree --shares "$from/sshare.txt"
	is "$status|$err|$(grep -c . <<<"$out")" "0||22" "$release: equitree tree reads sshare"
	run why --shares "$from/sshare.txt" ada ben
	like "$status|$out" '^0.*physics/ben goes first' "$release: why, users"
	run why --jobs "$from/sprio.txt" --weights "$from/sprio-weights.txt" 8
	like "$status|$out" '^0.Job 8 of dan in partition cpu has priority 100000000:' \
		"$release: why, jobs, though sprio has more columns"
	run recover --shares "$from/sshare.txt" --config "$from/config.txt" \
		--jobs "$from/jobs.txt" -f "$conf" ben
	like "$status|$err|$out" '^0..NAME .*JOBS GO ON.*the half-life is.7 d 0 h' "$release: equitree recover reads sshare"
	run usage -f "$conf" --jobs "$from/sacct.txt" --nodes "$from/nodes.txt" --now 2026-11-22
	like "$status|$err|$out" '^0.*of 7 jobs, from' "$release: equitree usage reads sacct"
	run overhead --nodes "$from/nodes.txt" --jobs "$from/jobs.txt"
	like "$status|$err|$out" '^0..Unit cores=1,memory=2G: 44 of 120 units' "$release: equitree overhead reads scontrol"
	run metrics --shares "$from/sshare.txt" --nodes "$from/nodes.txt"
	is "$status|$err|$(tail -n 1 <<<"$out")" "0||# EOF" "$release: equitree metrics reads saved output"
	run simulate --policy "$good/slurm.conf,$conf" --jobs "$from/sacct.txt" \
		--shares "$from/sshare.txt" --nodes "$from/nodes.txt" \
		--partitions "$from/partitions.txt" --qos "$from/qos.txt" --assocs "$from/assocs.txt"
	like "$status|$out" '^0.Policy good: 7 of 7 jobs started' "$release: equitree simulate reads saved output"
	run bill -f "$conf" -p gpu --gpus=2 -n4 --partition-info "$from/partitions.txt" \
		--node-info "$from/nodes.txt"
	like "$status|$out" '^0.cost 2 GPU-equivalents \(GPUs decide\)' "$release: equitree bill reads saved output"
done

# ---- Locales -------------------------------------------------------------------

# A locale whose numbers have commas, made here; what is read and printed is
# the same in it, and what was printed with commas is refused.
mkdir "$work/locales"
localedef -i de_DE -f UTF-8 "$work/locales/de_DE.UTF-8" >/dev/null 2>&1
is "$(LOCPATH=$work/locales LC_ALL=de_DE.UTF-8 locale decimal_point 2>/dev/null)" , \
	"there is a locale with a decimal comma"
for reader in "${readers[@]}"; do
	IFS='|' read -r name file arguments <<<"$reader"
	read -ra words <<<"${arguments//@/$good}"
	LC_ALL=C.UTF-8 "$equitree" "${words[@]}" >"$work/c" 2>&1
	LOCPATH=$work/locales LC_ALL=de_DE.UTF-8 "$equitree" "${words[@]}" >"$work/de" 2>&1
	ok "$name: the same numbers in it" cmp "$work/c" "$work/de"
done
commas() { # FILE NAME WORD...
	rm -rf "$work/bad" && cp -r "$good" "$work/bad"
	sed -i -E 's/([0-9])\.([0-9])/\1,\2/g' "$work/bad/$1"
	shift
	local name=$1
	shift
	run "${@//@/$work/bad}"
	is "$status|$out" "1|" "commas: $name: ${err#*: }"
}
commas sshare.txt "shares" tree --shares @/sshare.txt
commas qos.txt "usage factors" simulate --policy @/slurm.conf --shares @/sshare.txt \
	--nodes @/nodes.txt --generate 5 --qos @/qos.txt
commas targets.txt "targets" usage -f @/equitree.conf --now 2026-07-01 \
	--jobs @/sacct.txt --targets @/targets.txt

# ---- Unusual, and right ----------------------------------------------------------

crs() { # NAME FILE WORD...
	rm -rf "$work/bad" && cp -r "$good" "$work/bad"
	sed -i 's/$/\r/' "$work/bad/$2"
	local name=$1
	shift 2
	"$equitree" "${@//@/$good}" >"$work/c" 2>&1
	run "${@//@/$work/bad}"
	is "$status|$out" "0|$(<"$work/c")" "CRs before line ends: $name"
}
crs shares sshare.txt tree --shares @/sshare.txt
crs jobs sacct.txt usage -f @/equitree.conf --now 2026-07-01 --jobs @/sacct.txt

# Names that a shell, printf, JSON or a table could stumble over.
export odd=$'"B %s" \\n \'<é>'
awk -F'|' -v OFS='|' '$2 == "ada" { $2 = ENVIRON["odd"] } { print }' \
	"$data/sshare.txt" >"$work/odd"
LC_ALL=C.UTF-8 run tree --shares "$work/odd"
is "$status|$(grep -cF "$odd" <<<"$out")" "0|1" "an odd name in a tree: $odd"
run tree --shares "$work/odd" --json
is "$(python3 -c '
import json, sys
print(sum(a["user"] == sys.argv[1] for a in json.loads(sys.stdin.buffer.read().decode("utf-8"))))' \
	"$odd" <<<"$out")" 1 "an odd name in JSON"
LC_ALL=C.UTF-8 run why --shares "$work/odd" "$odd" ben
like "$status|$out" "^0.*ben goes first" "as an argument"
run metrics --shares "$work/odd"
is "$status|$(grep -cF 'user="\"B %s\" \\n '"'<é>\"}" <<<"$out")" "0|5" "as a label"

# A cluster where nothing is yet but root.
head -n 3 "$data/sshare.txt" | sed 's/|3590|/|0|/; s/|0.000339|/|1.000000|/' >"$work/empty"
for words in tree metrics "why root/root" "recover --half-life 7-0 root"; do
	# shellcheck disable=SC2086
	run $words --shares "$work/empty"
	is "$status|$err" "0|" "root and nobody else: $words"
done
run why --shares "$work/empty" ada
is "$status|$out|$err" "1||equitree why: $work/empty: no \"ada\"" "nobody to explain"
head -n 2 "$work/empty" >"$work/rootless"
run tree --shares "$work/rootless"
is "$status|$out|$err" "1||equitree tree: $work/rootless: no users: expected the output of \"sshare -alP\"" \
	"a list without users"
head -n 1 "$data/sacct.txt" >"$work/nojobs"
run usage -f "$conf" --now 2026-07-01 --jobs "$work/nojobs"
like "$status|$err|$out" '^0..*In all 0.0000 core-years' "usage: no jobs"
echo 'No nodes in the system' >"$work/none"
run overhead --nodes "$work/none"
like "$status|$err|$out" '^0..Unit cores=1,memory=2G: 0 of 0 units are true overhead,.on 0 nodes' \
	"overhead: no nodes"
head -n 1 "$data/jobs.txt" >"$work/none"
run overhead --nodes "$data/nodes.txt" --jobs "$work/none"
like "$status|$err|$out" '^0..*No job waits for these units' "overhead: an empty queue"
done_testing
