#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Damages of the budgets' file while slurmctld is down: slurmctld starts with the balances
# of before, or it does not start and says what is missing; or an operator accepts what
# is there. BUDGET_DAMAGES (2) of each random kind, and from 40 on a cut after each line;
# BUDGET_SEED.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

equitree=$build/tools/equitree
RANDOM=${BUDGET_SEED:-5}
readonly damages=${BUDGET_DAMAGES:-2}
cluster_up --set PriorityParameters=period=2
nodes_up() { [[ $(in_cluster sinfo -h -o %T | sort -u) == idle ]]; }
wait_until nodes_up || bail "the nodes are there"
file=$state_dir/equitree_budgets
log=$dir/log/slurmctld.log

budget() { in_cluster "$equitree" budget "$@"; }
balances() { budget list --csv --no-headings | cut -d, -f1-9 | md5sum; }
nothing_runs() { [[ ! $(in_cluster squeue -h) ]]; }
last_entry() { budget verify | sed 's/.*entry //'; }

budget grant physics 10 --reason first >/dev/null || bail "a budget is granted"
cp "$file" "$work/first"
budget grant bloggs 5 --reason second >/dev/null
for seconds in 1 2 1 2; do submit ada "$seconds" -t1 >/dev/null; done
wait_asking nothing_runs
entry=$(last_entry)
known() { grep -q "^b $entry\$" "$state_dir/equitree_usage"; }
ok "the snapshot of usage has the number of the last entry" wait_until known
right=$(balances)
daemon stop slurmctld
mkdir "$work/good" "$work/accepted"
cp -a "$state_dir/." "$work/good"
size=$(stat -c %s "$file")
lines=$(wc -l <"$file")

restore() { # all state of before
	rm -rf "${state_dir:?}"/*
	cp -a "$work/good/." "$state_dir"
}

# damaged NAME: does slurmctld start? Then the balances must be those of before.
declare -A results=()
wrong=0 why=
damaged() {
	: >"$log"
	if daemon start slurmctld; then
		result=started
		if [[ $(balances) != "$right" ]]; then
			((++wrong))
			why+="$1: $(budget list --csv --no-headings) "
		fi
		daemon kill slurmctld
	else
		result=refused
		grep -q 'error: priority/equitree: .*equitree_budgets' "$log" || {
			((++wrong))
			why+="$1: no reason "
		}
	fi
	((++count))
	results[$result]=$((${results[$result]:-0} + 1))
	restore
}
# all_are RESULT NAME
all_are() {
	is "${results[*]}|${!results[*]}|$wrong $why" "$count|$1|0 " "$2"
	results=() count=0 wrong=0 why=
}
count=0

damaged whole
all_are started "an undamaged file is read"

for ((i = 1; i < lines; i += damages < 40 ? 4 : 1)); do
	head -n "$i" "$work/good/equitree_budgets" >"$file"
	damaged "cut after line $i"
done
: >"$file"
damaged empty
for ((i = 0; i < damages; i++)); do
	truncate -s $(((RANDOM * 32768 + RANDOM) % size)) "$file"
	damaged "cut at random"
done
truncate -s $((size - 1)) "$file"
damaged "without its last newline"
all_are refused "a file that is cut, at the end of a line or elsewhere, stops the start"

rm "$file"
damaged missing
rm "$file" "$file.end"
damaged "missing with its end"
rm -r "$state_dir"/equitree_*
damaged "missing with all other files of equitree"
all_are refused "a missing file stops the start"

cp "$work/first" "$file"
damaged older
cp "$work/first" "$file"
rm "$file.end"
damaged "older, without an end"
all_are refused "an older file stops the start"

rm "$file.end"
damaged "without an end"
: >"$file.end"
damaged "with an empty end"
truncate -s 10 "$file.end"
damaged "with a cut end"
head -c 128 /dev/zero >"$file.end"
damaged "with an end of zeros"
all_are refused "a missing or damaged file of the end stops the start"

for part in 2 3 8; do
	dd if=/dev/zero of="$file" conv=notrunc bs=1 seek=$((size - size / part)) count=$((size / part)) 2>/dev/null
	damaged "zeros at the end"
done
head -c "$size" /dev/zero >"$file"
damaged "all zeros"
rm "$file"
mkdir "$file"
damaged "a folder"
all_are refused "zeros and a folder stop the start"
for ((i = 0; i < damages; i++)); do
	at=$(((RANDOM * 32768 + RANDOM) % size))
	byte=$(od -An -tu1 -j "$at" -N 1 "$file")
	printf "\\x$(printf %02x $((byte ^ (1 << (RANDOM % 8)))))" |
		dd of="$file" conv=notrunc bs=1 seek="$at" 2>/dev/null
	damaged "a bit at $at"
done
# One of them may change nothing, as in a digit of a checksum that becomes a capital.
is "$wrong $why" "0 " "with a flipped bit the balances are those of before, or it does not start"
results=() count=0

# What was written and not synced: nobody was promised any of it.
printf 'commit 179' >>"$file"
damaged "a part of a line"
head -c 5000 /dev/zero >>"$file"
damaged "zeros after the end"
printf 'garbage\nand more\n' >>"$file"
damaged "lines after the end"
all_are started "what follows the synced end is dropped"

# ---- An operator goes on -------------------------------------------------------------

head -n "$((lines - 1))" "$work/good/equitree_budgets" >"$file"
: >"$file.accept"
: >"$log"
daemon start slurmctld || bail "slurmctld starts"
like "$(grep 'error: priority/equitree' "$log")" "cut or older: entry $entry was written; going on with what is there" \
	"with equitree_budgets.accept it starts, and says what is missing"
like "$(budget verify)" '^balanced: 2 budgets' "what is there is in force"
budget grant bloggs 1 --reason third >/dev/null
daemon stop slurmctld
: >"$log"
daemon start slurmctld || bail "slurmctld starts once more"
is "$(grep 'error: priority/equitree' "$log")|$(balances | wc -l)" "|1" "after that, the file is whole again"

# ---- Held instead of refused -----------------------------------------------------------

daemon start slurmctld || bail "slurmctld starts with the files of before"
running=$(submit ada 600 -t20)
waiting=$(submit ada 1 -t1 --begin=now+1hour)
other=$(submit cleo 1 -t1 --begin=now+1hour)
unpriced=$(submit ada 1 -t1 -p gpu --gres=gpu:p100:1 --begin=now+1hour)
in_cluster scontrol update jobid="$waiting" priority=5000
ok "a job of an account with a budget runs" wait_until job_is "$running" RUNNING
reason_of() { in_cluster squeue -h -j "$1" -O Reason:200 | sed 's, *$,,'; } # JOB
committed_of() { grep -c "^commit [0-9]* $1 " "$file"; }            # JOB
committed_all() { (($(committed_of "$running") > 0 && $(committed_of "$waiting") > 0 && $(committed_of "$unpriced") > 0)); }
wait_until committed_all
list_is_whole() { [[ $(grep -c '^budget ' "$state_dir/equitree_accounts") == 2 ]]; }
ok "a file has the accounts that have budgets" wait_until list_is_whole
limit=$(job_field "$running" TimeLimit)
is "$(job_field "$waiting" Priority)" 5000 "a waiting job has the priority that an operator gave it"
daemon stop slurmctld
rm -rf "$work/good"
cp -a "$state_dir" "$work/good"
echo 'budget { when_damaged = hold }' >>"$dir/etc/equitree.conf"
sums() { md5sum "$state_dir"/equitree_{budgets,accounts}* 2>&1; }
is_held() { [[ $(reason_of "$1") == "Budget of $2 cannot be read: see slurmctld's log"* ]]; } # JOB ACCOUNT
held() { # NAME ACCOUNT JOBS...: it starts, holds the jobs by that account, and writes no file of budgets
	local before job bad=
	before=$(sums)
	: >"$log"
	daemon start slurmctld || bad+=" refused"
	for job in "${@:3}"; do wait_until is_held "$job" "$2" || bad+=" job $job: $(reason_of "$job")"; done
	[[ $(grep -c 'error: priority/equitree: .*equitree_budgets.*as when_damaged = hold says.*create the empty file equitree_budgets.accept' "$log") == 1 &&
		$(grep -c 'error: priority/equitree' "$log") == 1 ]] || bad+=" $(grep 'error: priority/equitree' "$log")"
	[[ $(job_field "$running" JobState) == RUNNING && $(job_field "$running" TimeLimit) == "$limit" ]] ||
		bad+=" the running job: $(job_field "$running" TimeLimit)"
	daemon stop slurmctld
	[[ $(sums) == "$before" ]] || bad+=" files have changed"
	is "$bad" "" "with when_damaged = hold and $1 slurmctld starts, and holds jobs of $2"
	rm -rf "${state_dir:?}"/*
	cp -a "$work/good/." "$state_dir"
}
rm "$file" "$file.end"
held "a missing file" physics "$waiting"
: >"$file"
held "an empty file" physics "$waiting"
cp "$work/first" "$file"
held "an older file" physics "$waiting"
truncate -s -7 "$file"
held "a cut file" physics "$waiting"
sed -i 's/ 20000000 / 20000001 /; 2s/physics/phisics/' "$file"
head -n 1 "$state_dir/equitree_accounts" >"$work/cut"
held "a changed file" physics "$waiting"
rm "$file"
cp "$work/cut" "$state_dir/equitree_accounts"
held "neither that file nor a whole list of accounts" root "$waiting" "$other"

# Until somebody puts the file back. One job has no price any more.
mv "$file" "$work/away"
echo 'partition "gpu" { bundles = gpu:v100 }' >>"$dir/etc/equitree.conf"
: >"$log"
daemon start slurmctld || bail "slurmctld starts without the file of budgets"
wait_until is_held "$waiting" physics
like "$(grep 'error: priority/equitree' "$log")" 'Jobs of the accounts physics, bloggs are held' "the log names the accounts"
in_cluster scontrol update jobid="$other" starttime=now
ok "a job of an account without a budget runs" wait_until job_is "$other" COMPLETED
in_cluster scontrol update jobid="$unpriced" starttime=now
ok "a job without a price draws on no budget, and runs" wait_until job_is "$unpriced" COMPLETED
late=$(submit ada 1 -t1 2>"$work/late")
ok "a new job of an account with a budget is held" wait_until is_held "$late" physics
in_cluster scontrol release "$late"
ok "a release does not let it go" wait_until is_held "$late" physics
like "$(budget list 2>&1)" 'equitree_budgets is missing' "balances are not shown"
like "$(budget grant chemistry 1 --reason "not now" 2>&1)" 'cannot be read or changed' "a grant is refused"
in_cluster scontrol update jobid="$running" timelimit=30
is "$(job_field "$running" TimeLimit)" 00:30:00 "the time limit of a running job is not cut"
like "$(reason_of "$waiting")" ', then priority 5000$' "a held job says which priority an operator gave it"
jobs_saved "$running"
daemon kill slurmctld
ok "nothing has made a new file of budgets" test ! -e "$file"
mv "$work/away" "$file"
: >"$log"
daemon start slurmctld || bail "slurmctld starts with the file again"
ok "with the file again a held job runs" wait_until job_is "$late" COMPLETED
is "$(job_field "$waiting" Priority)" 5000 "with the file again, after a kill, a job has the priority that an operator gave it"
spent() { budget list physics --csv --no-headings | awk -F, '{ print $6 }'; }
# All of the job's runs, with the nodes that they held after their ends.
settled() { budgets_file_has "^settle [0-9]+ $1 1 "; } # JOB
wait_until settled "$late"
before=$(spent)
cancelled=$SECONDS
in_cluster scancel "$running" "$waiting"
wait_asking nothing_runs
wait_until settled "$running"
held=$((SECONDS - cancelled))
wait_until jobs_ended "$running"
seconds=$(account_of "$running" elapsedraw)
ok "the run that went on meanwhile is charged whole" \
	calc "$seconds - 1 <= ($(spent) - $before) * 3600 && ($(spent) - $before) * 3600 <= $seconds + $held + 1"
like "$(budget verify)" '^balanced: ' "the books balance"
no_equitree_errors
done_testing
