#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# equitree bill --job and --user beside a live cluster: what a job costs while it
# runs and when it has ended is what it is charged.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

equitree=$build/tools/equitree
cluster_up --set JobAcctGatherType=jobacct_gather/linux \
	--set JobAcctGatherFrequency=1 --set PriorityDecayHalfLife=0 \
	--set PriorityUsageResetPeriod=YEARLY
bill() { in_cluster "$equitree" bill "$@" 2>&1; }

id=$(as ada sbatch --parsable --bill=off -N1 -n2 --mem=10000M -t60 -o /dev/null \
	--wrap 'sleep 6')
wait_until job_is "$id" RUNNING
# Without slurmdbd: squeue has it at once.
mkdir "$work/bin"
printf '#!/bin/sh\nexit 1\n' >"$work/bin/sacct"
chmod +x "$work/bin/sacct"
bill_alone() { in_cluster env PATH="$work/bin:$PATH" "$equitree" bill "$@" 2>&1; }
like "$(bill_alone --job "$id")" "^job $id RUNNING: cost 2.5 core-equivalents " \
	"a job that runs needs no slurmdbd"
waiting=$(as ada sbatch --parsable --bill=off -N1 -n2 --mem=10000M -t60 --hold \
	-o /dev/null --wrap true)
is "$(bill_alone --job "$waiting")" \
	"job $waiting PENDING: cost 2.5 core-equivalents (memory decides), 2.5 h for 1:00:00" \
	"a job that waits has the price of its request"
in_cluster scancel "$waiting"
like "$(bill --job "$id")" "^job $id RUNNING: cost 2.5 core-equivalents \(memory decides\), [0-9.]+ h for 0:00:[0-9]+ so far
  at most 2.5 h for 1:00:00\$" \
	"a running job has its price, its cost so far and the most"
wait_until jobs_ended "$id" || bail "the job ends" "$(in_cluster squeue)"
wait_pass
seconds=$(elapsed "$id")
like "$(bill --job "$id")" "^job $id COMPLETED: cost 2.5 core-equivalents \(memory decides\), .* h for 0:00:$(printf %02d "$seconds")
  it used 1 core and [0-9]+M: a request of these costs 1, " \
	"an ended job has what it cost, and what it used would have cost"
near "$(bill --job "$id" --json | sed -nE 's/.*"charge": *([0-9.]+).*/\1/p')" \
	2.5 1e-9 "JSON has the charge of a second"
near "$(exact_usage physics ada)" "2.5 * $(bill --job "$id" --json |
	grep -oE '"seconds": *[0-9]+' | grep -oE '[0-9]+')" 1e-6 \
	"the cost is what the user is charged"
like "$(bill --user ada --since "$(date -d '-1 hour' +%Y-%m-%dT%H:%M:%S)")" \
	"$id +COMPLETED +2.5 core-equivalents +memory" \
	"equitree bill --user prints the jobs of a user"
like "$(bill --job 4711)" "sacct knows no such job" \
	"a job that there is not is an error"
no_equitree_errors
done_testing
