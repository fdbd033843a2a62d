#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A job holds its nodes across a border of prices by the time of the week: each of these seconds
# has the price of its time, in usage, budget and the record of charges.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"
equitree=$build/tools/equitree

make_epilog
made=$work/site
cp -r "$system_dir/../../sandbox/sites/cedar" "$made"
cat >"$made/equitree.conf" <<'END'
bundle "cores" { cores = 1 }
bundle "gpu" { cores = 1 }
END
# lib.sh puts it into equitree.conf.
# shellcheck disable=SC2034
charge_completing=yes
cluster_up --site "$made" --set "Epilog=$work/epilogs/epilog" \
	--set PriorityDecayHalfLife=0 --set PriorityUsageResetPeriod=YEARLY \
	--set AccountingStorageEnforce=associations,limits --set PriorityParameters=period=3
in_cluster "$equitree" budget grant physics 100 >/dev/null

# Half the price from the next minute on, but not within 15 s.
border=$(($(date +%s) + 15))
border=$((border - border % 60 + 60))
at() { in_cluster date -d "@$1" "+%a %H:%M"; }
from=$(at "$border") until=$(at $((border + 3600)))
echo "week_factor = 0.5 $from-${until#* }" >>"$dir/etc/equitree.conf"
in_cluster scontrol reconfigure

job=$(submit ada 300 -t10 -n2)
running() { job_is "$job" RUNNING; }
wait_until running || bail "the job runs" "$(in_cluster squeue)"
echo 9 >"$work/epilogs/seconds"
while (($(date +%s) < border - 4)); do sleep 0.2; done
in_cluster scancel "$job"
is_free() { [[ ! $(in_cluster squeue -h -t CG,R -o %A) ]]; }
ok "the nodes become free after the border" wait_until is_free
wait_pass

# What the lines of the job cost, and the record's, second by second.
sums() {
	record_lines | awk -v id="$job" '$4 == id { print $9 + $10, $11, $13 }' |
		while read -r begin seconds rate; do
			printf '%d %d %.17g\n' "$begin" "$seconds" "$rate"
		done | awk -v border="$border" '{
			paid += $2 * $3
			for (s = $1; s < $1 + $2; s++) owed += 2 * (s < border ? 1 : 0.5)
			if ($1 + $2 > border) after += $2
		} END { printf "%.3f %.3f %d\n", paid, owed, after }'
}
read -r paid owed after < <(sums)
diag "$paid, by the times of the lines $owed, $after s after the border"
is "$paid" "$owed" "each second of a job that holds nodes has the price of its time"
ok "some of them are after the border" test "$after" -ge 1
is "$(exact_usage physics ada | awk '{ printf "%.3f\n", $1 }')" "$paid" "usage has held nodes at these prices"
is "$(in_cluster "$equitree" budget list --csv | awk -F, '
	NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } { printf "%.3f\n", $(at["spent"]) * 3600 }')" \
	"$paid" "the budget has held nodes at these prices"
no_equitree_errors
done_testing
