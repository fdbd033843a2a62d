#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Files of StateSaveLocation that somebody damages while slurmctld is down: cut, emptied,
# removed, replaced by an older copy, zeros, flipped bits, a folder. Usage and the record
# of charges are what they are without that, or the log has an error that names the file.
#
# DAMAGES (2) of each random kind, DAMAGE_SEED; from 40 on a cut after each line.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=rows.sh
. "$here/rows.sh"

if [[ ! -x $host ]]; then
	echo "1..0 # SKIP $host is not built (no internal headers of Slurm)"
	exit 0
fi

damages=${DAMAGES:-2}
RANDOM=${DAMAGE_SEED:-5}

# Jobs 1 to 3 end between the last pass and the kill, and slurmctld has forgotten two of them
# then; job 4 is resized, job 5 runs a second time. Copies of all files are in kept.N; kept.4 is
# of the moment of the damage.
keep() { echo "state mkdir kept.$1 && cp -r priority_* equitree_* kept.$1"; } # N
history() { # < the damage
	cat <<-EOT
		conf PriorityDecayHalfLife=0
		conf PriorityUsageResetPeriod=NONE
		cluster cpu=64 node=4
		partition main
		account phys
		user ada account=phys
		user ben account=phys
		run
		submit 1 user=ada account=phys cpu=4 time=600
		submit 2 user=ada account=phys cpu=1 time=600
		submit 3 user=ben account=phys cpu=2 time=600
		submit 4 user=ben account=phys cpu=8 time=600
		submit 5 user=ada account=phys cpu=2 time=600
		submit 6 user=ben account=phys cpu=1 time=600
		submit 8 user=ada account=phys cpu=16 time=600
		submit 9 user=ben account=phys cpu=16 time=600
		start 1
		start 3
		start 4
		start 5
		start 6
		start 8
		start 9
		advance 120
		end 9
		advance 700
		end 6
		start 2
		advance 230
		$(keep 1)
		advance 300
		$(keep 2)
		advance 20
		end 1
		end 2
		purge 2
		resize 4 cpu=4
		requeue 5
		$(keep 3)
		advance 40
		start 5
		advance 5
		end 3
		purge 3
		advance 10
		save
		$(keep 4)
	EOT
	cat
	cat <<-'EOT'
		kill
		advance 200
		end 4
		end 5
		end 8
		advance 301
		kill
		advance 1
		print assocs
	EOT
}
# Usage of ada and ben, and what the record has of them, go to $result.
plays() { # < LINES
	history >"$work/history"
	rm -rf "$work/site"
	if ours -d "$work/site" "$work/history" >"$work/out" 2>"$work/log"; then
		result="$(value "$work/out" last assoc=phys/ada raw) $(value "$work/out" last assoc=phys/ben raw) record"
		result+=" $(zcat -qf "$work"/site/state/equitree_charges/charges.[0-9]* |
			grep -aE '^c [0-9]+ [a-z]( -?[0-9]+){9} 0x' | sort -u | while read -r -a field; do
			printf '%s %.17g %.17g %d\n' "${field[25]}" "${field[12]}" "${field[13]}" $((field[10] - field[11])) 2>/dev/null
		done | awk '{ sum[$1] += $2 * $3 * $4 } END { print sum["ada"] + 0, sum["ben"] + 0 }')"
	else
		result=refused
	fi
}
plays </dev/null
right=$result
none 'files that nobody damages: no error' "$(grep error: "$work/log")"
echo "# $right"
cp -r "$work/site/state/kept.4" "$work/whole"

# The damage is a command of a shell, or an event of the host. DAMAGE_SHOW=1 shows each.
damaged() { # WHAT EVENT...
	local what=$1
	shift
	plays <<<"$*"
	if grep -aqE "error: .*${file%%[./]*}" "$work/log"; then
		((++told))
	elif [[ $result == "$right" ]]; then
		((++same))
	else
		silent+="$what: $result"$'\n'
	fi
	[[ ! ${DAMAGE_SHOW:-} ]] || echo "# $file $what: $result $(grep -a error: "$work/log" | tail -n 3)"
}

all_damages() {
	local lines size i
	# shellcheck disable=SC2016 # the other shell's
	local zeros='s=$(stat -c %s f) && truncate -s'
	damaged missing state rm "$file"
	damaged empty state : '>' "$file"
	damaged "without its last byte" cut "$file" -1
	damaged "a folder" state rm "$file" '&&' mkdir "$file"
	for i in 1 2 3; do
		damaged "older $i" state cp "kept.$i/$file" "$file"
	done
	# shellcheck disable=SC2016 # the other shell's
	for i in 1 2 5 20; do
		damaged "zeros, 1 of $i" state "${zeros/ f/ $file}" "\$((s - s / $i))" "$file && truncate -s" '$s' "$file"
	done
	lines=$(wc -l <"$work/whole/$file")
	((damages < 40 && lines > 6)) && lines=6
	for ((i = 1; i <= lines; i++)); do
		damaged "without its last $i lines" state head -n -$i "$file" '>cut && mv cut' "$file"
	done
	size=$(stat -c %s "$work/whole/$file")
	for ((i = 0; i < damages; i++)); do
		damaged "cut at random" cut "$file" $((RANDOM % size))
		damaged "a bit flipped" damage "$file" $((RANDOM % size * 8 + RANDOM % 8))
	done
}
for file in equitree_usage equitree_usage.old equitree_journal equitree_journal.old equitree_journal.end \
	equitree_runs equitree_charges/charges.2020-01-01 priority_last_decay_ran equitree_owner; do
	silent='' told=0 same=0
	all_damages
	none "$file that is damaged: usage and the record are those of before, or an error names it" "$silent"
	echo "# $file: $told were told, $same changed nothing"
done
echo "1..$count"
