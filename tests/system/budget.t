#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Budgets on a live cluster: no job starts that does not fit, what is not used
# returns, and nothing is lost or doubled when slurmctld is killed.
# BUDGET_PARALLEL (200) submissions at once; BUDGET_KILLS (6) kills.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

equitree=$build/tools/equitree
cluster_up
readonly uses=${BUDGET_PARALLEL:-200} kills=${BUDGET_KILLS:-6}

budget() { in_cluster "$equitree" budget "$@"; }
# One number of a budget in equivalent-minutes, which jobs of one core have: amount,
# spent, committed, left.
balance() { # ID COLUMN
	budget list --csv | awk -F, -v id="$1" -v want="$2" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$1 == id { printf "%.6g\n", $(at[want]) * 60 }'
}
balance_is() { [[ $(balance "$1" "$2") == "$3" ]]; } # ID COLUMN MINUTES
running() { in_cluster squeue -h -t R -A "$1" -o %A | wc -l; }
reason_of() { in_cluster squeue -h -j "$1" -o %r; }
reason_like() { [[ $(reason_of "$1") =~ $2 ]]; } # JOB REGEX
state_file=$state_dir/equitree_budgets
ended() { [[ ! $(in_cluster squeue -h -j "$1" 2>/dev/null) ]]; }

# ---- Without budgets -----------------------------------------------------------

job=$(submit ada 1 -t1)
wait_until job_is "$job" RUNNING
is "$(find "$state_dir" -name 'equitree_budgets*')" "" "without a budget there is no file of budgets"
# shellcheck disable=SC2016
is "$(in_cluster sh -c 'cat /proc/[0-9]*/task/*/comm' | grep -c eqt_budget)" 0 \
	"without a budget there is no thread of budgets"
is "$(budget list --no-headings)" "" "equitree budget list has nothing to list"
wait_until ended "$job"

# ---- A grant, and what fits -----------------------------------------------------

is "$(budget grant physics 0.5 --reason 'a trial' --dry-run)" \
	"would grant 0.5 equivalent-hours to physics" "--dry-run says what a grant would do"
is "$(budget list --no-headings)" "" "--dry-run grants nothing"
is "$(budget grant physics 0.5 --reason 'a trial')" \
	"grant 0.5 equivalent-hours to physics: budget 1" "a grant has a number"
like "$(budget list --csv | tail -n1)" '^1,physics,,all,0.5,0,0,0.5,.*,-,-,open,0,equivalent-hour$' "equitree budget list --csv shows the grant"
like "$(cat "$state_file")" 'root\(0\) a%20trial' "the journal says who granted, and why"

first=$(submit ada 300 -t20)
second=$(submit ben 300 -t19)
wait_until job_is "$first" RUNNING
is "$(balance 1 committed)|$(balance 1 left)" "20|10" "a job that starts commits its price for its time limit"
ok "a job that does not fit says so in squeue" wait_until reason_like "$second" '^Budget 1 of physics has 0.1666 left, job needs 0.3167$'
is "$(job_field "$second" Priority)" 0 "a job that does not fit has no priority"
third=$(submit ben 300 -t10)
ok "a smaller job that fits starts" wait_until job_is "$third" RUNNING
is "$(balance 1 left)" 0 "all of the budget is committed"
like "$(as ada sbatch -t31 --wrap true 2>&1)" 'budget 1 of physics has 0 of 0.5 equivalent-hours left \(0 spent, 0.5 committed\), and this job needs 0.5167' \
	"a submission that can never fit is refused, with the balance and the need"
like "$(as ada sbatch --test-only -t5 --wrap true 2>&1)" 'this job needs 0.0834; the job waits' \
	"a submission that has to wait is told so"
in_cluster scontrol release "$second" 2>/dev/null
ok "an operator's release does not start it" wait_until reason_like "$second" '^Budget 1 '
is "$(running physics)" 2 "two jobs run, as many as fit"
in_cluster scancel "$first"
ok "what a job did not use returns, and a held job starts" wait_until job_is "$second" RUNNING
like "$(budget verify)" '^balanced: 1 budgets' "equitree budget verify finds the balances in the journal"

# ---- Who may do what -------------------------------------------------------------

like "$(as ada "$equitree" budget grant physics 1 2>&1)" 'only root, SlurmUser and Slurm.s operators may change budgets' \
	"a user may not grant"
like "$(as ada "$equitree" budget list --csv --no-headings)" '^1,physics,' "a user may list the budgets of an account of hers"
is "$(as cleo "$equitree" budget list --csv --no-headings)" "" "a user may not list the budgets of others"
in_cluster sacctmgr -iQ modify user dan set adminlevel=operator
sleep 1
like "$(as dan "$equitree" budget grant chemistry 1)" '^grant 1 equivalent-hours to chemistry: budget 2$' "an operator may grant"
like "$(budget grant nobody 1 2>&1)" 'account nobody does not exist' "an account that does not exist has no budget"
for amount in 0 -1 1e9 x 999999999999999; do
	budget grant physics -- "$amount" >"$work/out" 2>&1
	is "$?" 1 "an amount of $amount is refused"
done
like "$(budget grant physics 1 --start 2027-01-02 --end 2027-01-01 2>&1)" 'it would end before it starts' \
	"a budget that ends before it starts is refused"
in_cluster scancel -A physics
wait_until ended "$second"

# ---- Time limits, requeue, arrays ---------------------------------------------------

budget grant bloggs.prj 0.5 >"$work/out" # budget 3
job=$(submit abc123 300 -A bloggs.prj -t10)
wait_until job_is "$job" RUNNING
in_cluster scontrol update jobid="$job" timelimit=20
ok "a longer time limit commits more" wait_until balance_is 3 committed 20
in_cluster scontrol update jobid="$job" timelimit=100
is "$(job_field "$job" TimeLimit)|$(balance 3 left)" "00:30:00|0" "a time limit that does not fit is cut to what is left"
in_cluster scontrol update jobid="$job" timelimit=5
ok "a shorter time limit gives back" wait_until balance_is 3 committed 5
in_cluster scontrol requeue "$job"
ok "a requeued job commits again" wait_until job_is "$job" PENDING
in_cluster scancel "$job"
wait_until ended "$job"
ok "a cancelled job commits nothing" wait_until balance_is 3 committed 0

in_cluster scontrol update jobid="$(submit abc123 300 -A bloggs.prj -t5 -H)" comment=x
is "$(balance 3 committed)" 0 "a job that its user holds commits nothing"
in_cluster scancel -A bloggs.prj

array=$(submit abc123 300 -A bloggs.prj -t11 -a1-5)
array_runs() { (($(running bloggs.prj) == $1)); }
ok "of an array that does not fit as a whole, as many tasks start as fit" wait_until array_runs 2
sleep 2
is "$(running bloggs.prj)" 2 "no further task of the array starts"
in_cluster scancel "${array}_1"
ok "a task that ends lets another one start" wait_until array_runs 2
in_cluster scancel "$array"
ok "a cancelled array commits nothing" wait_until balance_is 3 committed 0
small=$(submit abc123 300 -A bloggs.prj -t1 -a1-4)
ok "an array that fits as a whole starts" wait_until array_runs 4
is "$(balance 3 committed)" 4 "an array commits the price of all its tasks"
in_cluster scancel "$small"
ok "each task of an array settles its share" wait_until balance_is 3 committed 0

# ---- Many at once ------------------------------------------------------------------

budget grant bloggs.prj.low 1 >"$work/out" # budget 4
for ((i = 0; i < uses; i++)); do
	as abc123 sbatch -A bloggs.prj.low -t60 -o /dev/null --wrap 'sleep 600' >>"$work/many" 2>&1 &
	((i % 25 == 24)) && wait
done
wait
all_there() { (($(in_cluster squeue -h -A bloggs.prj.low -o %A | wc -l) >= uses)); }
one_runs() { (($(running bloggs.prj.low) == 1)); }
ok "$uses jobs that each need the whole rest are submitted" wait_until all_there
wait_until one_runs
sleep 3
is "$(running bloggs.prj.low)" 1 "exactly one of them starts"
is "$(balance 4 committed)|$(balance 4 left)" "60|0" "the one that starts has committed all of the budget"
in_cluster scancel -t R -A bloggs.prj.low
none_runs() { (($(running bloggs.prj.low) == 0)); }
wait_until none_runs
sleep 2
is "$(running bloggs.prj.low)" 0 "what was spent no longer lets another one start"
budget transfer - 4 1 --reason more >/dev/null
ok "after more was granted, one starts" wait_until one_runs
sleep 2
is "$(running bloggs.prj.low)" 1 "no second job starts on the new rest"
in_cluster scancel -A bloggs.prj.low

# ---- What was spent, and given back ----------------------------------------------------

job=$(submit dan 4 -A chemistry -t1)
wait_until jobs_ended "$job"
seconds=$(elapsed "$job")
spent_of() { budget list chemistry --csv --no-headings | awk -F, '{ sum += $6 } END { printf "%.0f\n", sum * 3600 }'; }
before=$(spent_of)
is "$(budget refund "$job" --reason 'node trouble')" "refund job $job: done" "a job is refunded"
near=$((before - $(spent_of) - seconds))
ok "a refund gives back what the job was charged, which is what it ran" test "${near#-}" -le 1
like "$(budget refund "$job" 2>&1)" 'everything is refunded' "a job is refunded once"
like "$(budget transfer 2 4 100 2>&1)" 'has only .* left' "no transfer of more than is left"
# ---- Kill -9 -----------------------------------------------------------------------

RANDOM=7
for ((i = 0; i < kills; i++)); do
	submit cleo 30 -A chemistry -t2 >/dev/null
	budget grant chemistry 0.25 --reason "kill $i" >"$work/grant" 2>&1 &
	sleep "0.$(printf %03d $((RANDOM % 400)))"
	daemon kill slurmctld
	daemon start slurmctld
	wait
	grep -q 'budget [0-9]' "$work/grant" || diag "$(cat "$work/grant")"
	[[ $(budget verify) == balanced:* ]] || break
done
is "$i" "$kills" "after each kill -9 during a grant, verify says balanced"
is "$(budget list chemistry --csv --no-headings | awk -F, '$5 == "0.25"' | wc -l)" "$kills" \
	"no grant is lost or doubled by a kill"
in_cluster scancel -A chemistry
no_chemistry() { [[ ! $(in_cluster squeue -h -A chemistry) ]]; }
wait_until no_chemistry

budget close 2 --reason over >/dev/null
like "$(budget show 2)" 'state +closed' "a closed budget is shown as closed"
like "$(budget verify)" '^balanced' "after everything, verify says balanced"

# ---- import ----------------------------------------------------------------------------

cat >"$work/table.csv" <<'END'
account,pool,amount,start,end
bloggs.prj.high,cores,5,2026-01-01,2027-01-01
bloggs.prj.high,gpus,7.5,2026-01-01,2027-01-01
END
is "$(budget import "$work/table.csv" -n)" $'grant bloggs.prj.high 5\ngrant bloggs.prj.high 7.5' "import --dry-run lists the differences"
budget import "$work/table.csv" >/dev/null
is "$(budget import "$work/table.csv")" "nothing differs" "a table that was imported changes nothing the second time"
sed -i 's/,5,/,6,/; s/^bloggs.prj.high/"&"/' "$work/table.csv"
like "$(budget import "$work/table.csv")" '^raise budget [0-9]+ of bloggs.prj.high by 1$' "import applies a difference"
printf 'account,pool,amount,start,end\n"physics,all,5,,\n' >"$work/cut.csv"
like "$(budget import "$work/cut.csv" 2>&1)" 'line 2: more than 256 columns, or a quote is missing' "a row without its second quote is refused"
job=$(submit abc123 60 -A bloggs.prj.high -t30)
wait_until job_is "$job" RUNNING
# shellcheck disable=SC2016
for i in 1 2; do
	budget notify 'echo "$EQUITREE_ACCOUNT $EQUITREE_THRESHOLD" >>'"$work/notified" --thresholds 5,8,50 >/dev/null
done
is "$(grep high "$work/notified")" "bloggs.prj.high 8" "notify runs the command once for the highest threshold"

no_equitree_errors
done_testing
