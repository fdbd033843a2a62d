#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A price by the time of the week: a run goes across two borders, at the second of which no
# slurmctld runs. Message, usage, budget and record of charges have each second at its price;
# billing stays the price without the factor.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=priced.sh
. "$(dirname "$0")/priced.sh"
equitree=$build/tools/equitree

made=$work/site
cp -r "$system_dir/../../sandbox/sites/cedar" "$made"
cat >"$made/equitree.conf" <<'END'
bundle "cores" { cores = 1 }
bundle "gpu" { cores = 1 }
billing_scale = 1000
END
cluster_up --site "$made" --set PriorityDecayHalfLife=0 --set PriorityUsageResetPeriod=YEARLY \
	--set AccountingStorageEnforce=associations,limits --set PriorityParameters=period=3
in_cluster "$equitree" budget grant physics 100 >/dev/null
in_cluster "$equitree" budget grant chemistry 100 >/dev/null

# Half the price for the minute that begins next, but not within 20 s, three times it from then
# on: by the clock of the cluster's zone.
begin=$(($(date +%s) + 20))
begin=$((begin - begin % 60 + 60))
end=$((begin + 60))
at() { in_cluster date -d "@$1" "+%a %H:%M"; }
later=$((end + 3600))
from=$(at "$begin") to=$(at "$end") until=$(at "$later")
echo "week_factor = 0.5 $from-${to#* }, 3 $to-${until#* }" >>"$dir/etc/equitree.conf"
in_cluster scontrol reconfigure
range='cost 2 core-equivalents (cores decide) ×0.5 to 3 by the time of the week, 1 to 6 h for 1:00:00'
told() { [[ $(as ada sbatch --bill=brief --test-only -t60 -n2 --wrap true 2>&1) == *"$range"* ]]; }
ok "the message has the range of the week" wait_until told
like "$(in_cluster "$equitree" bill -t60 -n2 2>&1)" \
	"×0.5 to 3 by the time of the week, 1 to 6 h for 1:00:00" "equitree bill has it, too"
like "$(in_cluster "$equitree" check --show 2>&1)" "week_factor +.*0.5 from ${from}, 3 from $to" \
	"check --show has the borders"

number() { # ACCOUNT COLUMN
	in_cluster "$equitree" budget list --csv | awk -F, -v account="$1" -v column="$2" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$(at["account"]) == account { printf "%.3f\n", $(at[column]) * 3600 }'
}
long=$(submit ada 300 -t10 -n2)
short=$(submit dan 300 -t10 -n1)
running() { job_is "$1" RUNNING; }
wait_until running "$long" || bail "the job runs" "$(in_cluster squeue)"
wait_until running "$short" || bail "the other job runs" "$(in_cluster squeue)"
committed() { [[ $(number physics committed) == 3600.000 ]]; }
ok "the budget commits the dearest time: 2 x 3 x 600 s" wait_until committed

while (($(date +%s) < begin + 5)); do sleep 0.2; done
# One ends in the middle of the first span, before its border is met by much.
in_cluster scancel "$short"
wait_until jobs_ended "$short" || bail "the other job ends"
wait_pass
jobs_saved "$long" || bail "slurmctld has saved its jobs"
while (($(date +%s) < end - 5)); do sleep 0.2; done
daemon kill slurmctld
while (($(date +%s) < end + 5)); do sleep 0.2; done
daemon start slurmctld
wait_pass
in_cluster scancel "$long"
wait_asking jobs_ended "$long" || bail "the job ends"
wait_pass

# What a job costs by its times in accounting, second by second.
owed() { # ID CORES
	local job_from job_to
	job_from=$(in_cluster date -d "$(account_of "$1" Start)" +%s)
	job_to=$(in_cluster date -d "$(account_of "$1" End)" +%s)
	awk -v a="$job_from" -v b="$job_to" -v begin="$begin" -v end="$end" -v cores="$2" 'BEGIN {
		for (; a < b; a++)
			sum += a < begin ? 1 : a < end ? 0.5 : 3
		printf "%.3f\n", sum * cores }'
}
used() { exact_usage "$1" "$2" | awk '{ printf "%.3f\n", $1 }'; }
lines() { # ID: seconds and price of each
	record_lines | awk -v id="$1" '$4 == id { print $11 - $12, $13, $14, $15 }' |
		while read -r seconds rate factor unit; do
			printf '%d %.17g %.17g %d\n' "$seconds" "$rate" "$factor" "$unit"
		done | awk '{ sum += $1 * $2 * $3 / $4 } END { printf "%.3f\n", sum }'
}
while read -r id user account cores borders name; do
	expected=$(owed "$id" "$cores")
	diag "$name: $expected core-seconds, $(account_of "$id" Start) to $(account_of "$id" End)"
	is "$(used "$account" "$user")" "$expected" "$name: usage has each second at its price"
	is "$(number "$account" spent)" "$expected" "$name: so has the budget"
	is "$(lines "$id")" "$expected" "$name: so has the record"
	is "$(record_lines | awk -v id="$id" '$4 == id && $3 != "h"' | wc -l)" "$((borders + 1))" \
		"$name: there is a line for each part"
	is "$(number "$account" committed)" 0.000 "$name: no commitment is left"
	like ",$(account_of "$id" AllocTRES)," ",billing=${cores}000," \
		"$name: billing is the price without the factor"
	# The bill has four places, and a tie may round either way.
	hours=$(in_cluster "$equitree" bill --job "$id" 2>&1 | sed -nE 's/.*, ([0-9.]+) h for.*/\1/p')
	near "${hours:-0} * 3600" "$expected" 0.181 "$name: the bill is what was charged"
done <<END
$short dan chemistry 1 1 an end after a border
$long ada physics 2 2 a border while slurmctld is down
END
in_cluster "$equitree" usage --verify >"$work/verify" 2>&1
is "$?" 0 "the proof finds no difference"
diag "$(tail -n 5 "$work/verify")"
no_equitree_errors
done_testing
