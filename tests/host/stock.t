#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Each difference from Slurm's own plugin: what ours does, what stock does, and
# that a word of PriorityParameters makes ours do the same: its own word where it
# has one, else stock_compat. Then all of random histories with stock_compat.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=rows.sh
. "$here/rows.sh"

# The history with more words of PriorityParameters.
with() { # WORDS HISTORY
	if grep -q '^conf PriorityParameters=' "$2"; then
		sed "s/^conf PriorityParameters=.*/&,$1/" "$2"
	else
		sed "1i conf PriorityParameters=$1" "$2"
	fi
}

# play NAME WORDS: what the three print. A history NAME_before is played first,
# and leaves its state files.
play() {
	local who folder
	for who in ours stock with; do
		folder=$work/folder
		rm -rf "$folder"
		for part in "$1_before" "$1"; do
			[[ -e $here/histories/$part.txt ]] || continue
			cp "$here/histories/$part.txt" "$work/history"
			[[ $who != with ]] || with "$2" \
				"$here/histories/$part.txt" >"$work/history"
			"${who/with/ours}" -d "$folder" "$work/history" \
				>"$work/$who.out" 2>"$work/$who.err"
		done
	done
}

# differs NAME WORDS TIME THING KEY OURS STOCK: one value of a history. STOCK -
# is what stock prints, which is to be another than ours.
differs() {
	local stock=$7 own
	play "$1" "$2"
	own=$(value "$work/stock.out" "$3" "$4" "$5")
	is "$1 ($4 $5): ours" "$(value "$work/ours.out" "$3" "$4" "$5")" "$6"
	if [[ $stock == - ]]; then
		[[ $own != "$6" ]]
		row "$1 ($4 $5): Slurm's own has another" $? "$own"
		stock=$own
	else
		is "$1 ($4 $5): Slurm's own" "$own" "$7"
	fi
	is "$1 ($4 $5): $2" "$(value "$work/with.out" "$3" "$4" "$5")" "$stock"
}

# The same of a difference that a later release of Slurm no longer has.
differed_until() { # RELEASE NAME WORDS TIME THING KEY OURS STOCK
	local until=$1
	shift
	((release < until)) || set -- "${@:1:6}" "$6"
	differs "$@"
}

# Of one that an earlier release has not: what it is about is not there, either.
differed_from() { # RELEASE NAME ...
	((release < $1)) || differs "${@:2}"
}

if [[ ! -x $host ]]; then
	echo "1..0 # SKIP $host is not built (no internal headers of Slurm)"
	exit 0
fi

# A double as the output has it.
double() { awk "BEGIN { printf \"%.17g\", $1 }"; }

differs ties stock_ties 0 assoc=A/a2 fs "$(double 2/6)" "$(double 4/6)"
differs closed_form stock_decay 86400 assoc=phys/ada raw \
	14835.9102315425635963 -
differs weights stock_billing last assoc=phys/ada raw 3000 3250
# 4 CPUs for 1000 s, then 2 for 500 s: where a CPU weighs 3, or is billed as 4.
differs requeue stock_billing last assoc=phys/ada raw 5000 6000
# 107 s from the last pass to the resize, with 2 CPUs; 893 s of these before it.
differs resize stock_compat last assoc=phys/ada raw 10468 10682
differs resize stock_compat last assoc=phys/ada run:cpu '' 1786
differs short_jobs stock_compat last assoc=phys/ada raw 500 0
differs het_trial stock_compat 100 assoc=phys/ada cpu '' -
differs ended stock_compat last job=1 age "$(double 100000*600/86400)" \
	"$(double 100000*1200/86400)"
differs extras stock_compat 15 assoc=phys/ada raw 56 0
differs extras stock_compat last assoc=phys/ada raw 1200 2400
differs extras stock_compat 15 assoc=phys/ada fs 0.5 1
differs new_user stock_compat 32 assoc=phys/ben fs 1 0
differed_until 2311 reconfigured stock_compat last assoc=phys/ada raw 1440 1200
differed_until 2311 fair_tree_off stock_compat last assoc=phys/ada shares 0.375 0.75
differs kills stock_recovery last assoc=phys/ada raw 16000 -
# Without Fair Tree stock leaves the effective usage of a user open until a job
# or a client of that user needs it; ours is there after each pass.
play classic stock_compat
for who in ours with; do
	is "classic ($who): each user has effective usage after a pass" \
		"$(value "$work/$who.out" last assoc=phys/ben efctv)" 0.875
done
is "classic: Slurm's own leaves that of a user without jobs open" \
	"$(value "$work/stock.out" last assoc=phys/ben efctv)" 4294967294
for key in 'assoc=phys/ada efctv' 'job=1 fs' 'job=1 priority'; do
	# shellcheck disable=SC2086 # two words
	is "classic: while nothing is charged $key is Slurm's own" \
		"$(value "$work/with.out" last $key)" \
		"$(value "$work/stock.out" last $key)"
done
differs clock_restart stock_compat last assoc=phys/ada raw 43200 57600
differs limits_overrun stock_compat last assoc=phys/ada run:cpu 8400 7200
differs limits_fraction stock_compat last assoc=phys/ada run:cpu '' 4
differs limits_suspended stock_compat last assoc=phys/ada run:cpu '' 4800
differs reset_late stock_recovery last assoc=phys/ada raw 900 -
differed_until 2302 sprio stock_compat last factors=1 direct 4711 ''
differs sprio stock_compat last factors=2 gres/gpu '0*1000' '250000*1000'

differed_from 2411 qos_list stock_compat last factors=1 qos 0 4000

# What classic fair share computes and what follows from it, which ours has once a
# pass and stock when somebody needs it: normalised and effective usage, factors,
# priorities. Usage, shares, run-seconds, limits and states of jobs stay.
classic='s/ (norm|efctv|fs)=[^ ]*//g
	s/^(job=[^ ]* state=[^ ]*) .*/\1/
	/^(factors|share)=/d'

# All words together are stock_compat: nothing of these histories differs.
compat() { # HISTORY
	local leave=
	with stock_compat "$1" >"$work/history"
	! grep -qE 'NO_FAIR_TREE|DEPTH_OBLIVIOUS' "$1" || leave=$classic
	diff <(ours "$work/history" 2>/dev/null | sed -E "$leave") \
		<(stock "$1" 2>/dev/null | sed -E "$leave")
}
for history in "$here"/histories/*.txt; do
	grep -q '^run' "$history" || continue
	# Slurm's own follows pointers there that are gone.
	[[ $history != */refused.txt ]] || ((release < 2311)) || continue
	# It switches stock_billing on and off.
	[[ $history != */unit.txt ]] || continue
	# It cuts a journal, which Slurm's own does not write.
	[[ $history != */torn.txt ]] || continue
	differences=$(compat "$history")
	none "$(basename "$history" .txt): all of it is stock's with stock_compat" \
		"$differences"
done

differs=$(PARITY_AWK='-v stock=1' "$here/parity" "${PARITY_COUNT:-40}" 2>&1)
row 'random histories print the same with stock_compat, to the last bit' $? \
	"$differs"

differs=$(PARITY_AWK='-v stock=1 -v classic=1' PARITY_SED=$classic \
	"$here/parity" "${PARITY_COUNT:-40}" 2>&1)
row "random histories without Fair Tree: usage, shares and limits are stock's" \
	$? "$differs"

# Any words together, for which there is no other plugin to compare with: a history
# ends well, and prints numbers.
any_words() {
	awk -v stock=1 -f "$here/random-history" 1 60 | awk '
		/^conf PriorityParameters=/ {
			sub(/=.*/, "=mine")
			for (i = 1; i <= words; i++)
				if (seed++ * 7919 % 31 < 12)
					$0 = $0 "," word[i]
		}
		{ print }
		BEGIN { words = split("billing ties decay recovery", word, " ")
			for (i = 1; i <= words; i++)
				word[i] = "stock_" word[i] }'
}
any_words >"$work/any"
ours -m "$work/any" >"$work/any.out" 2>"$work/any.err"
none 'random words together: each history ends well' \
	"$(grep 'ended with' "$work/any.out"; grep 'error:' "$work/any.err")"
is 'random words together: each history prints numbers' "$(grep -c '^### ' "$work/any.out") $(
	grep -cE '=-?nan| raw=-' "$work/any.out")" '60 0'

echo "1..$count"
