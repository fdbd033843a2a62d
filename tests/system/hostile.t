#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Job descriptions that no client would send: slurmctld lives through all of
# them, nobody is charged for another, and no byte of a user's reaches a
# terminal or the log through our lines.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

hostile=$build/tests/system/hostile
[[ -x $hostile ]] || skip_all "tests/system/hostile is not built in $build"

cluster_up --site "$(site rules)" --set SlurmctldDebug=debug \
	--set "PartitionName=p100 Nodes=gpu1" \
	--set "PartitionName=strict Nodes=cpu[1-2]"
for user in eve fay; do
	cp "$hostile" "$dir/home/$user/hostile"
done
before=$(cluster daemon pid slurmctld)

# Runs as a user; says how many were sent, and keeps what libslurm said.
attack() { # NAME USER VERB...
	local name=$1 user=$2
	shift 2
	as "$user" ./hostile "$@" >"$work/$name.out" 2>"$work/$name.err"
	echo "$? $(tail -n 1 "$work/$name.out" | tr -dc 'a-z0-9 ')"
}
# Our lines with a byte that is no printable ASCII.
raw_lines() { grep -a 'equitree' "$@" | LC_ALL=C grep -anP '[^\x20-\x7e]'; }
accounts_of() { # USER: of all its jobs
	in_cluster squeue -h -t all -u "$1" -o %a | sort -u | tr '\n' ' '
}

like "$(attack submit eve submit)" '^0 [0-9]+ sent [0-9]+ taken 0 raw$' \
	"all are sent by sbatch's call, and no message is raw"
taken=$(grep -oE '[0-9]+ taken' "$work/submit.out" | cut -d' ' -f1)
ok "many of them are taken" test "${taken:-0}" -gt 300
is "$(raw_lines "$work/submit.err")" "" "refusals have nothing raw"
like "$(grep -a equitree: "$work/submit.err")" \
	"equitree: account def-x_cpu is not for GPUs|equitree: you may not use account" \
	"some of the refusals are those of equitree"
is "$(accounts_of eve)" "def-x_cpu def-x_gpu " "only eve's accounts have jobs"
is "$(accounts_of fay)" "" "the accounts of a user who submitted nothing have no jobs"
like "$(attack test eve test)" '^0 [0-9]+ sent [0-9]+ taken 0 raw$' \
	"all are sent by --test-only's call"
is "$(raw_lines "$work/test.err")" "" "refusals have nothing raw there"

# Updates, of a job of one's own and of another's.
job=$(as eve sbatch --parsable --begin=now+30days -o /dev/null --wrap true \
	2>/dev/null)
like "$(attack own eve update "$job")" '^0 [0-9]+ sent [0-9]+ taken 0 raw$' \
	"all are sent by scontrol update's call"
like "$(job_field "$job" Account)" '^def-x_[cg]pu$' \
	"eve's job is still charged to eve's account"
# What the scheduler notes down on its own is left out.
job_record() {
	in_cluster scontrol -o show job "$job" |
		sed -E 's/(Reason|LastSchedEval|Scheduler|StartTime|EndTime)=[^ ]*//g'
}
was=$(job_record)
like "$(attack other fay update "$job")" '^0 [0-9]+ sent 0 taken 0 raw$' \
	"no update of another's job is taken"
is "$(job_record)" "$was" "a job is unchanged after updates by another user"
is "$(grep -ac equitree "$work/other.err")" 0 \
	"refused updates of another user get no message about a price"

is "$(cluster daemon pid slurmctld)" "$before" "slurmctld is the same process"
is "$(raw_lines "$dir/log/slurmctld.log")" "" "our lines in the log are clean"
wait_pass
like "$(as fay srun -p p100 --gpus=1 -t1 echo works 2>/dev/null)" '^works$' \
	"srun works for another user after the attacks"
is "$(grep -ac 'error: priority/equitree\|error: job_submit/equitree' \
	"$dir/log/slurmctld.log")" 0 "no operator needs to act"
in_cluster scancel -u eve
done_testing
