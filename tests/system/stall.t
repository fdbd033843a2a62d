#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Descriptions that take long to judge: while one user sends them, another one's
# question is answered at once, and slurmctld goes on as before.
#
# The bound is on what the attacks add to the longest wait of a quiet time on the
# same machine. Each of them took between 0.7 and 9 seconds under slurmctld's locks
# when the plugin went through whatever a user wrote; the allowance of 400 ms is for
# other work on the machine and for Slurm's own reading of the long messages.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

hostile=$build/tests/system/hostile
[[ -x $hostile ]] || skip_all "tests/system/hostile is not built in $build"
allowance_ms=400

cluster_up --site "$(site rules)" \
	--set "PartitionName=p100 Nodes=gpu1" \
	--set "PartitionName=strict Nodes=cpu[1-2]"
for user in eve fay; do
	cp "$hostile" "$dir/home/$user/hostile"
done
before=$(cluster daemon pid slurmctld)
job_of() { # USER
	as "$1" sbatch --parsable --begin=now+30days -o /dev/null \
		"${@:2}" --wrap true 2>/dev/null
}
eve_job=$(job_of eve)
fay_job=$(job_of fay -p p100 --gpus=1)

as fay ./hostile probe "$fay_job" 6000 >"$work/quiet" 2>&1
quiet=$(grep -oE '^[0-9]+' "$work/quiet")
diag "quiet: $(cat "$work/quiet")"

# The one who waits starts first and ends last.
as fay ./hostile probe "$fay_job" 25000 >"$work/probe" 2>&1 &
probe=$!
sleep 1
start=$(date +%s%N)
as eve ./hostile stall "$eve_job" >"$work/stall.out" 2>"$work/stall.err"
diag "attacks: $((($(date +%s%N) - start) / 1000000)) ms" \
	"$(sort "$work/stall.out" | uniq)"
wait "$probe"
longest=$(grep -oE '^[0-9]+' "$work/probe")
diag "attacked: $(cat "$work/probe")"

like "$(tail -n 1 "$work/stall.out")" '^30 sent, [0-9]+ taken, 0 raw$' \
	"all descriptions that take long are sent"
ok "another user's question waits no longer than when it is quiet" \
	test "${longest:-99999}" -le $((${quiet:-0} + allowance_ms))
is "$(cluster daemon pid slurmctld)" "$before" "slurmctld is the same process"
like "$(job_field "$eve_job" Partition)" '^cpu$' \
	"a change that names a million partitions changes nothing"
wait_pass
like "$(as fay srun -p p100 --gpus=1 -t1 echo works 2>/dev/null)" '^works$' \
	"jobs of others run after the attacks"
like "$(as eve sbatch -n2 --wrap true -o /dev/null 2>&1)" \
	'equitree: cost 2 core-equivalents' \
	"the next job of the attacker has the price of before"
no_equitree_errors
in_cluster scancel -u eve
done_testing
