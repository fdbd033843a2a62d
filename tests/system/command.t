#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The command beside a live cluster: it tells what Slurm's own commands tell.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

equitree=$build/tools/equitree

# No decay, so that the numbers stay what they are.
cluster_up --no-slurmctld --set SlurmctldDebug=debug \
	--set PriorityDecayHalfLife=0 --set PriorityUsageResetPeriod=YEARLY
place_usage "$(date +%s)" <<'END'
physics ada 4000000
physics ben 2000000
chemistry cleo 1000000
chemistry dan 3000000
bloggs.prj abc123 8000000
bloggs.prj.high ijk456 500
bloggs.prj.low xyz789 70000
END
daemon start slurmctld || bail "slurmctld starts" "$(tail "$work/daemon.out")"
ranked() { [[ $(share physics ben fairshare) == 0.92* ]]; }
wait_until ranked || bail "the tree is ranked" "$(in_cluster sshare -al)"

# "ACCOUNT USER FAIRSHARE" of all users, six decimals.
of_sshare() {
	in_cluster sshare -aPn -o account,user,fairshare |
		awk -F'|' '$2 != "" { sub(/^ */, ""); print $1, $2, $3 }'
}
of_equitree() { # OPTION...
	in_cluster "$equitree" tree --json "$@" | awk -F'"' '
		$2 == "account" { account = $4 }
		$2 == "user" { user = $4 }
		$2 == "fair_share" && user != "" {
			printf "%s %s %.6f\n", account, user, substr($3, 3)
		}'
}
sshare=$(of_sshare)
is "$(of_equitree)" "$sshare" \
	"equitree tree gives each user the FairShare of sshare"
is "$(of_equitree --stock)" "$sshare" "equitree tree --stock gives each user the FairShare of sshare"
like "$(in_cluster "$equitree" tree --user ben)" 'ben +10 +0.5000 +2000000 ' \
	"a table for one user"

in_cluster sshare -alP >"$work/saved"
is "$("$equitree" tree --shares "$work/saved" --json)" \
	"$(in_cluster "$equitree" tree --json)" \
	"the saved output gives the same, outside the cluster"
in_cluster sacctmgr -iQ modify account physics set fairshare=9 >/dev/null
changed=$("$equitree" tree --shares "$work/saved" --set physics=9 --json)
live_shares() { grep -q '^ physics||9|' < <(in_cluster sshare -alP); }
wait_until live_shares
pass_now
is "$(in_cluster "$equitree" tree --json)" "$changed" \
	"--set tells beforehand what sacctmgr will do"
# ---- What asks Slurm's commands itself --------------------------------------

is "$(in_cluster "$equitree" check)|$?" "|0" "equitree check finds nothing here"
in_cluster sacctmgr -P show assoc >"$work/assocs"
like "$(in_cluster "$equitree" check --assocs "$work/assocs" 2>&1; echo "status $?")" \
	'^status 0$' "equitree check finds nothing in the accounts"

full=$(submit ada 600 -N2 --ntasks-per-node=32 --mem=1000M -p cpu)
wait_until job_is "$full" RUNNING
waits=$(submit ben 600 -n4 --mem=1000M -p cpu)
wide=$(submit dan 600 -n2 --mem=1000M -p cpu)
in_sprio() { grep -q "$wide" < <(in_cluster sprio -h -o %i); }
wait_until in_sprio
like "$(in_cluster "$equitree" why ben dan)" \
	"$(in_cluster sshare -aPn -o user,fairshare -u ben,dan | awk -F'|' '
		$1 == "ben" { b = $2 } $1 == "dan" { d = $2 }
		END { print ((b > d) ? "ben" : "dan") }') goes first" \
	"equitree why: who goes first, as sshare ranks them"
# A pass between the two answers raises the priority of a job that waits.
read_points() { in_cluster sprio -h -j "$wide" -o %Y | tr -d ' '; }
between_passes() {
	points=$(read_points)
	page=$(in_cluster "$equitree" why "$wide" "$waits")
	[[ $points == "$(read_points)" ]]
}
wait_until between_passes
like "$page" "Job $wide of dan in partition cpu has priority $points" \
	"equitree why explains two jobs by the points of sprio"
now=$(in_cluster "$equitree" overhead -p cpu --unit cores=1,memory=1M --json)
value() { sed -n "s/^ *\"$1\": \([0-9]*\),*$/\1/p" <<<"$now" | head -n 1; }
is "$(value true_overhead)|$(value capacity)|$(value pending)|$(value fit_by_units)" \
	"0|64|2|0" "equitree overhead: full nodes, and the queue"
in_cluster scancel "$full"
ended() { [[ -z $(in_cluster squeue -h -j "$full" 2>/dev/null) ]]; }
wait_until ended
wait_until job_is "$wide" RUNNING
now=$(in_cluster "$equitree" overhead -p cpu --unit cores=1,memory=1M --json)
is "$(value true_overhead)" "$((64 - 6))" "nodes with what is left beside two jobs"
going=$(in_cluster "$equitree" recover abc123 2>&1)
like "$going" 'JOBS GO ON' "equitree recover: the running jobs count"
like "$going" 'none \(usage does not decay\)' "by the half-life of the site"
is "$(in_cluster "$equitree" bill -n2 --mem=10000M --json | grep -c '"equivalents": 2.5')" \
	2 "equitree bill: equitree.conf beside slurm.conf"
# A pass in the same second as another one charges nothing, and ranks nobody again.
last_pass_ranks() {
	in_cluster "$equitree" metrics --log "$dir/log/slurmctld.log" --output "$work/m.prom" &&
		grep -q '^equitree_pass_users_ranked [1-9]' "$work/m.prom"
}
wait_until last_pass_ranks
is "$(sed -n 's/^equitree_user_fair_share{account="physics",parent="root",user="ben"} //p' "$work/m.prom" |
	awk '{ printf "%.6f", $1 }')" "$(share physics ben fairshare)" \
	"equitree metrics: the factor of sshare"
is "$(sed -n 's/^equitree_overhead_nodes{unit="gpu=1",units_free="4-7"} //p' "$work/m.prom")" 2 \
	"equitree metrics: the nodes as scontrol shows them"
like "$(grep ^equitree_pass "$work/m.prom")" 'pass_known 1.*pass_users_ranked [1-9]' \
	"equitree metrics: the last pass of slurmctld's log"
# ---- Without slurmdbd, and without slurmctld -----------------------------------

daemon stop slurmdbd >/dev/null
for words in tree "why ada ben" "recover ben" overhead metrics check \
	"bill -n1 --mem=1G"; do
	# shellcheck disable=SC2086
	in_cluster "$equitree" $words >"$work/out" 2>"$work/err"
	is "$?|$(<"$work/err")" "0|" "without slurmdbd, as ever: $words"
done
in_cluster "$equitree" usage >"$work/out" 2>"$work/err"
is "$?|$(wc -c <"$work/out")|$(grep -c 'without slurmdbd there is no past usage$' "$work/err")" \
	"1|0|1" "usage says why not"
in_cluster "$equitree" boost physics --shares 5000 --for 60 --leases "$work/leases" \
	>"$work/out" 2>"$work/err"
is "$?|$(wc -c <"$work/out")|$(grep -c '^equitree boost: "sacctmgr show assoc" failed$' "$work/err")|$(find "$work/leases" -name '*.lease' | wc -l)" \
	"1|0|1|0" "boost says so, too, and leaves no lease"
daemon start slurmdbd >/dev/null
daemon stop slurmctld >/dev/null
# Slurm's commands try for half a minute each.
in_cluster "$equitree" tree >"$work/out" 2>"$work/err"
is "$?|$(wc -c <"$work/out")|$(grep -c '^equitree tree: "sshare -alP" failed; --shares reads its output from a file$' "$work/err")" \
	"1|0|1" "without slurmctld it is said what failed"
no_equitree_errors
done_testing
