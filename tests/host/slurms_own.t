#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Slurm's own tests of fair share that need no daemon (test24.1, 24.3, 24.4 of
# its source package): small programs that make associations, load the priority
# plugin and print what sshare would. They are built here out of the fetched
# source, with nothing but the plugin's name replaced, and what they are to
# print is read from Slurm's own expect scripts.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"
source_tree=${SLURM_SOURCE:-${EQUITREE_SLURM_PREFIX:+$EQUITREE_SLURM_PREFIX/source}}
[[ $source_tree ]] || source_tree=$(echo \
	"${EQUITREE_SLURM_SOURCES:-$here/../../build/slurm}"/slurm-*)
top=$here/../..
count=0

row() { # NAME PASSED(0: yes) EXPLANATION
	((count++))
	if [[ $2 == 0 ]]; then
		echo "ok $count - $1"
	else
		echo "not ok $count - $1"
		printf "#   %s\n" "${3//$'\n'/$'\n#   '}"
	fi
}

skip_all() {
	echo "1..0 # SKIP $1"
	exit 0
}

plugins=$(dirname "$(stock_plugin)")
[[ -e $source_tree/testsuite/expect/test24.4.prog.c ]] ||
	skip_all "Slurm's source with its testsuite is not in $source_tree"
[[ -e $plugins/libslurmfull.so ]] || skip_all "libslurmfull is not here"

# The plugin tells by the program's name whether it is in slurmctld, so each
# program is called that; it has no jobs to save.
build_program() { # TEST
	mkdir -p "$work/$1"
	sed 's,"priority/multifactor",NAME_OF_THE_PLUGIN,' \
		"$source_tree/testsuite/expect/$1.prog.c" >"$work/$1.c"
	echo 'void schedule_job_save(void) { }' >>"$work/$1.c"
	gcc -w -O1 -o "$work/$1/slurmctld" -export-dynamic \
		-DNAME_OF_THE_PLUGIN='(getenv("PLUGIN_NAME"))' \
		-include stdlib.h \
		-I"$top/plugins/slurm/slurm-config" -I"$source_tree" \
		"$work/$1.c" "$source_tree/src/slurmctld/locks.c" \
		"$source_tree/src/sshare/process.c" \
		-L"$plugins" -Wl,-rpath,"$plugins" -lslurmfull -lm -lpthread \
		>"$work/$1.log" 2>&1
}

# What Slurm's script waits for, each in some line, and how often it counts.
expected() { # TEST
	grep -oE '^[[:space:]]*-?(re)?[[:space:]]*"[^"]*\|"[[:space:]]*\{' \
		"$source_tree/testsuite/expect/$1" |
		sed -E 's/^[^"]*"//; s/"[[:space:]]*\{$//' | sort
}

matches() { # TEST
	sed -nE 's/^set expected_matches +([0-9]+).*/\1/p
		s/^if .*matches != ([0-9]+)\}.*/\1/p' \
		"$source_tree/testsuite/expect/$1"
}

# Those that are in no line of what was printed.
missing() { # OUTPUT
	while read -r want; do
		grep -qF -- "$want" "$1" || echo "$want"
	done <"$work/expected"
}

run_program() { # TEST NAME [PARAMETERS]: what it prints
	local folder=$work/run
	rm -rf "$folder"
	mkdir -p "$folder"
	{
		echo ClusterName=test
		echo SlurmctldHost=localhost
		echo "PluginDir=$(dirname "$plugin"):$plugins"
		[[ -z ${3:-} ]] || echo "PriorityParameters=$3"
	} >"$folder/slurm.conf"
	echo 'bundle "cores" { cores = 1 }' >"$folder/equitree.conf"
	PLUGIN_NAME=priority/$2 SLURM_CONF=$folder/slurm.conf \
		timeout 60 "$work/$1/slurmctld" 2>"$work/err" |
		sed 's/^ *//' | grep '|$' | sort
}

# passes NAME TEST OUTPUT
passes() {
	local lost
	lost=$(missing "$3")
	[[ -z $lost ]]
	row "$2 $1" $? "$lost"$'\n'"$(cat "$work/err")"
}

for test in test24.1 test24.3 test24.4; do
	if [[ ! -e $source_tree/testsuite/expect/$test.prog.c ]]; then
		((count++))
		echo "ok $count - $test # SKIP this release's source has it no more"
		continue
	fi
	build_program "$test"
	row "$test of Slurm's source is built" $? "$(tail "$work/$test.log")"
	expected "$test" >"$work/expected"
	[[ $(wc -l <"$work/expected") == "$(matches "$test")" ]]
	row "$test: all $(matches "$test") lines of Slurm's script are known" \
		$? "$(cat "$work/expected")"
	run_program "$test" multifactor >"$work/$test.stock"
	passes "passes with Slurm's own plugin" "$test" "$work/$test.stock"
	run_program "$test" equitree stock_compat >"$work/$test.compat"
	passes 'passes with stock_compat' "$test" "$work/$test.compat"
	differs=$(diff "$work/$test.stock" "$work/$test.compat")
	row "$test: all that it prints is the same with stock_compat" $? \
		"$differs"
	run_program "$test" equitree >"$work/$test.ours"
done

# ---- Without stock_compat: each line that differs ---------------------------

for test in test24.1 test24.3; do
	[[ -e $work/$test.stock ]] || continue
	differs=$(diff "$work/$test.stock" "$work/$test.ours")
	row "$test prints the same without stock_compat" $? "$differs"
done

# uD2 and uD3 have used 20 and 25 of a level with shares of 40 and 50: their
# quotients are the same, 22/17, though not when each is rounded first.
changed=$(comm -13 "$work/test24.4.stock" "$work/test24.4.ours" | cut -d'|' -f1,2,8)
[[ $changed == "aD|uD2|0.333333" ]]
row 'test24.4: one user has another factor without stock_compat' $? "$changed"
factor() { awk -F'|' -v user="$1" '$2 == user { print $8 }' "$work/test24.4.ours"; }
[[ $(factor uD2) == "$(factor uD3)" && $(factor uD2) == "$(factor uDA3)" ]]
row 'test24.4: that of those whose Level FS is exactly as large' $? \
	"$(factor uD2) $(factor uD3) $(factor uDA3)"
run_program test24.4 equitree stock_ties >"$work/ties"
differs=$(diff "$work/test24.4.stock" "$work/ties")
row 'test24.4: stock_ties alone gives the output of stock' $? "$differs"
echo "1..$count"
