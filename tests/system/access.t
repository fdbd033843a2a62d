#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# access_weight: one job of a user stands before the thousand of another, who
# has one running; shown in sprio's SITE, beside what an operator sets there.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

made=$(site groups)
echo 'priority { access_weight = 1000000 }' >>"$made/equitree.conf"
cluster_up --site "$made" --set PriorityParameters=period=1 \
	--set PriorityWeightAge=0 --set PriorityWeightFairshare=0

first=$(submit five 600 -n1 -t 20)
most=$(submit three 600 -N2 -n62 -t 20)
one=$(submit three 600 -n1 -t 20)
for id in "$first" "$most" "$one"; do
	wait_until job_is "$id" RUNNING || bail "the cluster is full"
done
as five bash -c '
	for i in {1..1000}; do
		sbatch --parsable -o /dev/null -n1 -t 20 --wrap "sleep 600"
	done' >"$work/ids" 2>"$work/sbatch.err"
is "$(wc -l <"$work/ids")" 1000 'a thousand jobs of one user wait'
single=$(submit two 600 -n1 -t 20)
wait_pass

site_of() { # JOB
	in_cluster sprio -h -j "$1" -o %S
}
site_is() { (($(site_of "$1") == $2)); }
ok 'the only job of another user has all the points' \
	wait_until site_is "$single" 1000000
# Before the n-th is what runs, and n - 1; the single one is 1 of 1001.
near "$(site_of "$(sed -n 1p "$work/ids")")" '1e6 * (1 - 1 / 1001)' 1 \
	'the first of the thousand comes after it'
near "$(site_of "$(sed -n 1000p "$work/ids")")" '1e6 * (1 - 1000 / 1001)' 1 \
	'the last of them has next to none'
in_cluster scontrol update JobId="$single" SiteFactor=700
ok "an operator's site factor counts as well" \
	wait_until site_is "$single" 1000700
near "$(job_field "$single" Priority)" 1000700 1 'in the priority, too'

in_cluster scancel "$one"
ok 'the core that becomes free is its own' \
	wait_until job_is "$single" RUNNING
is "$(in_cluster squeue -h -u five -t R -o %i | wc -l)" 1 \
	'the thousand jobs of the other user wait'
no_equitree_errors
done_testing
