#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# budget { from_limits = yes }: GrpTRESMins=billing of accounts, as a portal sets it with
# sacctmgr, is the amount of a budget: set, raised, lowered and removed while jobs run and wait,
# with kill -9 between. At each look spent and committed are within the limit, but for what
# ran already when it was lowered.
# PORTAL_ROUNDS (12) changes of a limit at random, PORTAL_SEED.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=pages.sh
. "$(dirname "$0")/pages.sh"

readonly rounds=${PORTAL_ROUNDS:-12} seed=${PORTAL_SEED:-1}
RANDOM=$seed
diag "PORTAL_ROUNDS=$rounds PORTAL_SEED=$seed"
equitree=$build/tools/equitree
made=$work/portal-site
cp -r "$system_dir/../../sandbox/sites/cedar" "$made"
echo 'budget { from_limits = yes }' >>"$made/equitree.conf"
cluster_up --site "$made" --set PriorityDecayHalfLife=30-0 --set MinJobAge=7200
# Usage from before the grants, more than all of them: by Slurm's own check nothing would start.
daemon stop slurmctld
place_usage "$(date +%s)" 5 <<<"physics ada 6000000 0 60000000" 2>/dev/null
daemon start slurmctld
page_ready

budget() { in_cluster "$equitree" budget "$@" 2>&1; }
manage() { in_cluster sacctmgr -iQ "$@" >/dev/null; }
# MINUTES of one core, or -1
limit() { manage modify account physics set "GrpTRESMins=billing=$(($1 < 0 ? -1 : $1 * 10))"; }
# A column of the last budget of physics, in minutes if it is an amount.
column() {
	budget list physics --csv | awk -F, -v want="$1" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		{ last = $(at[want]) }
		END { if (want ~ /state|id/) print last; else printf "%.6g\n", last * 60 }'
}
column_is() { [[ $(column "$1") == "$2" ]]; } # COLUMN VALUE
job() { submit ada "$1" -A physics -n1 "-t$2"; } # SECONDS MINUTES
job_reason() { [[ $(in_cluster scontrol -o show job "$1") == *"Reason=$2"* ]]; } # JOB WORD
started() { [[ $(job_field "$1" JobState) =~ ^(RUNNING|COMPLETED)$ ]]; }
is_gone() { ! grep -q . < <(in_cluster squeue -h -A physics); }

# ---- The page ------------------------------------------------------------------------

# slurmctld has followed: the amount of the last budget is the limit.
cat >"$work/followed" <<END
#!/bin/bash
for ((i = 0; i < 600; i++)); do
	limit=\$(sacctmgr -nP show assoc where account=physics format=user,grptresmins | sed -n 's/^|billing=//p')
	amount=\$($equitree budget list physics --csv --no-headings 2>&1 |
		awk -F, '{ last = \$12 == "lifted" ? "" : \$5 * 60 } END { print last }')
	[[ \$limit != "\$amount" ]] || exit 0
	sleep 0.1
done
END
chmod 755 "$work" "$work/followed"
typed_before="$work/followed; "
play "$system_dir/../../docs/OPERATING.md" "console limits"
unset typed_before
echo 'billing_scale = 10' >>"$dir/etc/equitree.conf"
in_cluster scontrol reconfigure

# ---- Set --------------------------------------------------------------------------

free=$(job 300 60)
wait_until started "$free" || bail "without a limit a job starts"
is "$(column state)" lifted "without a limit there is no budget"
in_cluster scancel "$free"
wait_until is_gone
limit 120
ok "a limit of an account becomes a budget" wait_until column_is amount 120
like "$(budget show 2)" 'refill +limit' "the budget says that it follows a limit"
is "$(grep -c '^grant .* slurmctld GrpTRESMins=billing=1200 ' "$state_dir/equitree_budgets")" 1 "the journal says why"
first=$(job 300 60)
wait_until started "$first"
is "$(column committed)" 60 "a job draws on the budget of the limit, whatever usage there is"
second=$(job 300 60)
wait_until started "$second"
third=$(job 300 60)
ok "what does not fit waits for the budget" wait_until job_reason "$third" Budget
large=$(job 300 600)
ok "a job that needs more than the limit waits, as for Slurm's own check" wait_until job_reason "$large" Budget
in_cluster scancel "$large"
like "$(budget transfer - 2 1)" 'follows the limit of its account' "an operator cannot change its amount"
like "$(budget close 2)" 'follows the limit of its account' "an operator cannot close it"

# ---- Raised, lowered ------------------------------------------------------------------

limit 180
ok "a limit that is raised while jobs run lets a waiting job start" wait_until started "$third"
is "$(column amount)|$(column committed)" "180|180" "the budget has the new limit"
fourth=$(submit ada 300 -A physics -n1 -t60 --begin=now+1hour)
limit 240
wait_until column_is committed 240
is "$(column amount)" 240 "a job that waits for its time has committed, too"
limit 90
ok "a lower limit takes back what a waiting job has committed" wait_until column_is committed 180
ok "a job that runs keeps its commitment" started "$third"
in_cluster scontrol update jobid="$fourth" starttime=now
ok "a job above the lowered limit does not start" wait_until job_reason "$fourth" Budget
# Slurm forgets a job, or a change of it, that it has not saved yet.
jobs_saved "$fourth"
daemon kill slurmctld
daemon start slurmctld
in_cluster scancel "$first"
# One of 60 is gone; 120 run, and the limit is 90.
ok "what a job returns lapses above the limit, also after kill -9" wait_until column_is committed 120
ok "the job above the limit waits" job_reason "$fourth" Budget
in_cluster scancel "$second" "$third"
ok "as jobs end, the amount becomes the limit" wait_until column_is amount 90
ok "what fits in the lowered limit starts then" wait_until started "$fourth"
in_cluster scancel "$fourth"
wait_until is_gone
ok "nothing stays committed" wait_until column_is committed 0

# ---- Removed ---------------------------------------------------------------------------

limit 0
wait_until column_is left 0
job=$(job 300 10)
ok "a limit of 0 lets nothing start" wait_until job_reason "$job" Budget
limit -1
ok "a limit that is removed is no limit: the job starts" wait_until started "$job"
is "$(column state)|$(column committed)" "lifted|0" "its budget is closed, and holds nobody"
limit 30
committed_some() { awk -v minutes="$(column committed)" 'BEGIN { exit !(minutes > 0) }'; }
ok "a limit that is set again is a new budget, for what is left of a job that runs as well" wait_until committed_some
is "$(column id)|$(column amount)" "3|30" "nothing is carried over to it"
in_cluster scancel "$job"
wait_until is_gone

# ---- At random, with kills ----------------------------------------------------------------

# Spent and committed never grow above the limit; above a lowered one they only shrink.
wrong='' looks=0 before=0
look() { # LIMIT
	local row
	row=$(budget list physics --csv --no-headings | tail -n 1)
	[[ $row == [0-9]*,* ]] || return
	looks=$((looks + 1))
	wrong+=$(awk -F, -v limit="$1" -v before="$before" '{ used = ($6 + $7) * 60
		if (used > limit + 1e-6 && used > before + 1e-6) print "limit " limit " before " before ": " $0 }' <<<"$row")
	before=$(awk -F, '{ print ($6 + $7) * 60 }' <<<"$row")
}
is_lowered() { column_is amount "$1" || column_is left 0; } # LIMIT
amount=30
for ((i = 0; i < rounds; i++)); do
	job 1 "$((1 + RANDOM % 20))" >>"$work/ids"
	job $((RANDOM % 4)) "$((1 + RANDOM % 20))" >>"$work/ids"
	look "$amount"
	next=$((5 + RANDOM % 60))
	limit "$next"
	if ((i % 3 == 1)); then
		daemon kill slurmctld
		daemon start slurmctld
	fi
	# A job that began before slurmctld had the lower limit counts as one from before it.
	((next < amount)) && wait_until is_lowered "$next" && before=1e9
	amount=$next
	look "$amount"
done
limit 600
# The number of a job that slurmctld forgot comes twice, which its node does not take.
none_left() {
	in_cluster bash -c "scontrol update nodename=ALL state=undrain
		squeue -h -t PD -o '%A %r' | sed -nE 's/ (launch failed|BeginTime).*//p' | xargs -r scancel" >/dev/null 2>&1
	is_gone
}
ok "all jobs start in the end" wait_asking none_left
look 600
is "$wrong" "" "at none of $looks looks more is spent and committed than the limit"
ok "there were looks" test "$looks" -gt "$rounds"
ok "the budget ends with the limit" wait_until column_is amount 600
like "$(budget verify)" '^balanced' "after changes and kills, verify says balanced"

# ---- Without the key ------------------------------------------------------------------------

sed -i 's/from_limits = yes/from_limits = no/' "$dir/etc/equitree.conf"
in_cluster scontrol reconfigure
closed() { [[ $(budget close "$(column id)" --lift) == *done ]]; }
ok "without the key an operator may close the budget" wait_until closed
limit 1
limited() { grep -q 'billing=10$' < <(in_cluster sshare -nP -A physics -o account,user,grptresmins); }
ok "without the key slurmctld has the limit again" wait_until limited
job=$(job 300 10)
ok "without the key Slurm's own check counts" wait_until job_reason "$job" AssocGrpBilling
is "$(sed "s|$dir|DIR|g" "$dir/log/slurmctld.log" | grep 'error:.*equitree' | grep -v 'its end was cut before it was synced')" "" \
	"slurmctld's log has no error of equitree"
done_testing
