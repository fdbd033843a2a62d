#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Budgets whose accounts are misspelled, moved, removed, or have a user that gets another
# name; what strangers and coordinators learn of a balance; budgets that overlap; two
# operators at once; and budgets for GPUs or cores.
# BUDGET_TIMES (15) changes by each operator.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

equitree=$build/tools/equitree
readonly times=${BUDGET_TIMES:-15}
cluster_up

budget() { in_cluster "$equitree" budget "$@"; }
manage() { in_cluster sacctmgr -iQ "$@"; }
# One number of a budget in equivalent-minutes.
balance() { # ID COLUMN
	budget list --csv | awk -F, -v id="$1" -v want="$2" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$1 == id { printf "%.6g\n", $(at[want]) * 60 }'
}
balance_is() { [[ $(balance "$1" "$2") == "$3" ]]; } # ID COLUMN MINUTES
reason_like() { [[ $(in_cluster squeue -h -j "$1" -o %r) =~ $2 ]]; } # JOB REGEX
none_of() { [[ ! $(in_cluster squeue -h -A "$1") ]]; }
# What slurmdbd has changed has reached slurmctld.
has_association() { # WORDS...
	grep -qE "$*" < <(in_cluster scontrol show assoc_mgr flags=assoc | tr -s ' \n' ' ')
}

# ---- Names --------------------------------------------------------------------------

is "$(budget grant PHYSICS 1)" "grant 1 equivalent-hours to PHYSICS: budget 1" "an account may be written in capitals"
is "$(budget list --csv --no-headings | cut -d, -f2)" physics "a budget has its account as Slurm spells it"
ok "jobs draw on it" test "$(as ada sbatch -t100 --wrap true 2>&1 | grep -c 'budget 1 of physics')" -gt 0
like "$(budget grant chemistry/Nobody 1 2>&1)" 'user Nobody does not exist' "a user that does not exist has no budget"
budget grant chemistry/CLEO 1 >/dev/null # budget 2
is "$(budget list chemistry --csv --no-headings | cut -d, -f3)" cleo "a budget has its user as Slurm spells it"

# ---- Strangers ----------------------------------------------------------------------

as ada sbatch --test-only -t1 --wrap true >"$work/warm" 2>&1
as cleo sbatch -A physics -t600 --wrap true >"$work/stranger" 2>&1
is "$?|$(grep -c 'budget' "$work/stranger")" "1|0" "a submission to an account of others is told no balance of it"
diag "$(cat "$work/stranger")"

is "$(as cleo "$equitree" budget list physics --csv --no-headings)" "" "a stranger lists no budget of the account"
manage add coordinator account=physics names=cleo >/dev/null
# The budget thread reads again who coordinates after a list.
cleo_lists() { [[ $(as cleo "$equitree" budget list physics --csv --no-headings | cut -d, -f1-5) == "$1" ]]; } # ROWS
ok "a coordinator of the account lists it" wait_until cleo_lists "1,physics,,all,1"
like "$(as cleo "$equitree" budget grant physics 1 2>&1)" 'only root, SlurmUser' "a coordinator may not grant"
manage remove coordinator account=physics names=cleo >/dev/null
ok "who does not coordinate the account any more lists it no more" wait_until cleo_lists ""
manage modify user cleo set adminlevel=operator >/dev/null
ok "an operator of Slurm lists it" wait_until cleo_lists "1,physics,,all,1"
manage modify user cleo set adminlevel=none >/dev/null
ok "who is no operator any more lists it no more" wait_until cleo_lists ""

# ---- Budgets that overlap -------------------------------------------------------------

budget grant bloggs.prj 0.5 --end "$(date -d '+20 days' +%Y-%m-%d)" >/dev/null # budget 3
budget grant bloggs.prj 0.5 --end "$(date -d '+10 days' +%Y-%m-%d)" >/dev/null # budget 4
budget grant bloggs.prj 0.5 --start "$(date -d '+5 days' +%Y-%m-%d)" --end "$(date -d '+9 days' +%Y-%m-%d)" >/dev/null # budget 5
job=$(submit abc123 300 -A bloggs.prj -t40)
wait_until job_is "$job" RUNNING
is "$(balance 3 committed)|$(balance 4 committed)|$(balance 5 committed)" "10|30|0" \
	"of budgets that overlap the one that ends first is spent first, and a future one not"
in_cluster scancel "$job"
wait_until none_of bloggs.prj
ok "a cancelled job gives back to each of several budgets" wait_until balance_is 4 committed 0

# ---- An account that is moved ---------------------------------------------------------

manage add account east >/dev/null
manage add account west >/dev/null
manage add account lab parent=east >/dev/null
manage add user ada account=lab >/dev/null
wait_until has_association 'Account=lab UserName=ada' || bail "slurmctld knows the accounts"
budget grant east 0.5 >/dev/null # budget 6, 30 minutes
budget grant west 1 >/dev/null # budget 7
runs=$(submit ada 300 -A lab -t20)
wait_until job_is "$runs" RUNNING
held=$(submit ada 300 -A lab -t15)
ok "a job waits for the budget of the account above" wait_until reason_like "$held" '^Budget 6 of east '
manage modify account lab set parent=west >/dev/null
ok "when its account is moved, a held job draws on the accounts that are above it now" \
	wait_until job_is "$held" RUNNING
is "$(balance 7 committed)" 15 "the new account above has the commitment of the job that was held"
is "$(balance 6 committed)" 20 "a job that ran before goes on with what it has committed"
wait_until has_association 'ParentAccount=west\S* '
# An account's accounts are remembered for a second.
sleep 2
like "$(as ada sbatch -A lab -t50 --wrap true 2>&1)" 'budget 7 of west has' "a submission is judged by the accounts that are above it now"

# ---- An account that is removed ---------------------------------------------------------

budget grant lab 2 >/dev/null # budget 8
like "$(manage delete account lab 2>&1)" 'Job\(s\) active' "Slurm removes no account that has jobs"
in_cluster scancel -A lab
wait_until none_of lab
manage delete account lab >"$work/delete" 2>&1
gone() { ! has_association 'Account=lab '; }
wait_until gone || bail "an account is removed" "$(cat "$work/delete")"
ok "all jobs of a removed account are settled" wait_until balance_is 6 committed 0
is "$(budget list --csv --no-headings | awk -F, '$1 == 8 { print $2, $5, $8 }')" "lab 2 2" "a budget outlives its account"
in_cluster sacctmgr -nP show assoc format=Cluster,Account,User,Partition,Share,GrpTRESMins,QOS,DefaultQOS >"$work/rows"
{
	echo 'Cluster|Account|User|Partition|Share|GrpTRESMins|QOS|Def QOS'
	cat "$work/rows"
} >"$work/assocs"
like "$(in_cluster "$equitree" check --assocs "$work/assocs" --budgets "$state_dir/equitree_budgets" 2>&1)" \
	'budget 8 belongs to lab, which does not exist' "equitree check names the budget of a removed account"
is "$(budget transfer 8 7 1.5)|$(balance 8 left)|$(balance 7 amount)" "transfer 1.5 hours from 8 to 7: done|30|150" \
	"what is left of a removed account can be moved"
budget close 8 >/dev/null
like "$(budget grant lab 1 2>&1)" 'account lab does not exist' "a removed account gets no new budget"

# ---- Another name ---------------------------------------------------------------------------

manage modify account where name=east set newname=orient >"$work/rename" 2>&1
like "$(cat "$work/rename")" 'Unknown option' "Slurm gives no account another name"
manage modify user cleo set newname=clea >"$work/rename" 2>&1
is "$(budget list chemistry --csv --no-headings | awk -F, '{ print $2, $3, $5 }')" "chemistry cleo 1" \
	"the budget of a user that gets another name stays what it is"
manage modify user clea set newname=cleo >"$work/rename" 2>&1
like "$(budget verify)" '^balanced: 8 budgets' "after changes of accounts, verify says balanced"

# ---- Two operators at once ------------------------------------------------------------------

manage modify user dan set adminlevel=operator >/dev/null
budget grant bloggs 100 >/dev/null # budget 9
budget grant physics 100 >/dev/null # budget 10
job=$(submit ada 2 -t5)
wait_until jobs_ended "$job"
operator() { # USER
	local i
	for ((i = 0; i < times; i++)); do
		as "$1" "$equitree" budget grant chemistry 0.25 --reason "$1 $i"
		as "$1" "$equitree" budget transfer - 9 0.5
		as "$1" "$equitree" budget transfer 9 10 0.25
		as "$1" "$equitree" budget refund "$job" 0.00001
	done >"$work/operator.$1" 2>&1
}
operator root &
operator dan &
wait
done_of() { cat "$work"/operator.* | grep -c "$1"; } # REGEX
both=$((2 * times))
is "$(done_of '^grant .*: budget [0-9]')|$(done_of '^transfer .*: done')|$(done_of '^refund .*: done')" "$both|$((2 * both))|$both" \
	"two operators at once: each change is done"
is "$(cat "$work"/operator.* | grep -o 'budget [0-9]*$' | sort -u | wc -l)" "$both" "two operators at once: each grant is a budget of its own"
is "$(budget list chemistry --csv --no-headings | awk -F, '$3 == "" { n++; sum += $5 } END { print n, sum }')" \
	"$both $(awk "BEGIN { print $both * 0.25 }")" "two operators at once: no grant is lost or doubled"
is "$(balance 9 amount)|$(balance 10 amount)" "$((6000 + both * 15))|$((6000 + both * 15))" "two operators at once: no transfer is lost or doubled"
is "$(budget show 1 | awk '$1 == "refunded" { printf "%.5f\n", $2 }')" "$(awk "BEGIN { printf \"%.5f\", $both * 0.00001 }")" \
	"two operators at once: no refund is lost or doubled"
is "$(grep -c ' root(0) ' <(grep '^grant .* chemistry ' "$state_dir/equitree_budgets"))|$(grep -c ' uid([0-9]*) ' <(grep '^grant .* chemistry ' "$state_dir/equitree_budgets"))" \
	"$((times + 1))|$times" "two operators at once: the journal says who made each grant"
as root "$equitree" budget close 9 >"$work/close.1" 2>&1 &
as dan "$equitree" budget close 9 >"$work/close.2" 2>&1 &
wait
is "$(budget list --csv --no-headings | awk -F, '$1 == 9 { print $8, $12 }')|$(grep -c 'error' "$work"/close.1)" "0 closed|0" \
	"two operators at once: a budget that both close is closed"
like "$(budget verify)" "^balanced: $((10 + both)) budgets" "after two operators at once, verify says balanced"

# ---- A budget for GPUs ------------------------------------------------------------------------

manage add account metal >/dev/null
manage add user ada account=metal >/dev/null
wait_until has_association 'Account=metal UserName=ada'
gpus=$(budget grant metal 10 --pool gpus | grep -o '[0-9]*$')
cores=$(budget grant metal 10 --pool cores | grep -o '[0-9]*$')
job=$(submit ada 300 -A metal -t10)
wait_until job_is "$job" RUNNING
is "$(balance "$gpus" committed)|$(balance "$cores" committed)" "0|10" "a job without GPUs draws on the budget for cores"
job=$(submit ada 300 -A metal -p gpu --gres=gpu:1 -t10)
wait_until job_is "$job" RUNNING
ok "a job with a GPU draws on the budget for GPUs ($(balance "$gpus" committed))" \
	test "$(balance "$gpus" committed | cut -d. -f1)" -gt 0
is "$(balance "$cores" committed)" 10 "a job with a GPU leaves the budget for cores as it is"
in_cluster scancel -A metal
wait_until none_of metal

no_equitree_errors
done_testing
