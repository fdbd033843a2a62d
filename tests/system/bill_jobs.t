#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# equitree bill --job and --user beside a live cluster: what a job costs while it
# runs and when it has ended is what it is charged. BILL_RECORD=yes: bills read the record of
# charges; otherwise billing of accounting.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

equitree=$build/tools/equitree
record=${BILL_RECORD:-no}
source=billing
as="as billed"
[[ $record == no ]] || source=record as="as recorded"
# cpu2 has two threads a core, and both nodes with GPUs have the same model, with a bundle
# each.
cp -r "$system_dir/../../sandbox/sites/cedar" "$work/site"
sed -i -E 's/^NodeName=cpu\[1-2\] .*/NodeName=cpu1 NodeHostname=head Port=6821 Sockets=2 CoresPerSocket=16 RealMemory=256000\
NodeName=cpu2 NodeHostname=head Port=6822 Sockets=2 CoresPerSocket=8 ThreadsPerCore=2 RealMemory=128000/
	s/gpu:v100/gpu:p100/' "$work/site/slurm.conf"
sed -i 's/v100/p100/' "$work/site/gres.conf"
cat >"$work/site/equitree.conf" <<'END'
message = brief
bundle "cores" { cores = 1  memory = 4000M }
bundle "gpu:p100" { cores = 6  memory = 32000M  nodes = gpu1 }
bundle "gpu:p100" { cores = 16  memory = 96000M  nodes = gpu2 }
pool "cpu" { rate = 0.02  currency = EUR }
billing_scale = 1000
END
echo "charges { record = $record }" >>"$work/site/equitree.conf"
cluster_up --site "$work/site" --set JobAcctGatherType=jobacct_gather/linux \
	--set JobAcctGatherFrequency=1 --set PriorityDecayHalfLife=0 \
	--set PriorityUsageResetPeriod=YEARLY
bill() { in_cluster "$equitree" bill "$@" 2>&1; }

id=$(as ada sbatch --parsable --bill=off -N1 -n2 --mem=10000M -t60 -o /dev/null \
	--wrap 'sleep 15')
wait_until job_is "$id" RUNNING
# Without slurmdbd: squeue has it at once.
mkdir "$work/bin"
printf '#!/bin/sh\nexit 1\n' >"$work/bin/sacct"
chmod +x "$work/bin/sacct"
bill_alone() { in_cluster env PATH="$work/bin:$PATH" "$equitree" bill "$@" 2>&1; }
like "$(bill_alone --job "$id" | tail -n 2)" "^job $id RUNNING: cost 2.5 core-equivalents " \
	"a job that runs needs no slurmdbd"
waiting=$(as ada sbatch --parsable --bill=off -N1 -n2 --mem=10000M -t60 --hold \
	-o /dev/null --wrap true)
is "$(bill_alone --job "$waiting")" \
	"equitree bill: sacct does not answer: earlier runs of the job are missing
job $waiting PENDING: cost 2.5 core-equivalents (memory decides), 2.5 h (0.05 EUR) for 1:00:00" \
	"a job that waits has the price of its request"
# Slurm has no way to tell a price at a change: it prints a message as an error.
is "$(as ada scontrol update job "$waiting" MinMemoryNode=20000 TimeLimit=30 2>&1)" "" \
	"a change of a job that waits is told no price"
is "$(bill_alone --job "$waiting")" \
	"equitree bill: sacct does not answer: earlier runs of the job are missing
job $waiting PENDING: cost 5 core-equivalents (memory decides), 2.5 h (0.05 EUR) for 0:30:00" \
	"the bill of such a job has the price of its request as it was changed"
in_cluster scancel "$waiting"
# The record has a job that runs from the first pass on, within a second after it.
wait_pass
recorded() { [[ $(bill --job "$id") == *"$as"* ]]; }
wait_until recorded
like "$(bill --job "$id")" "^job $id RUNNING: cost 2.5 core-equivalents \(memory decides\), [0-9.]+ h \(<?[0-9.]+ EUR\) for 0:00:[0-9]+ so far, $as
  at most 2.5 h \(0.05 EUR\) for 1:00:00\$" \
	"a running job has its price, its cost so far and the most"
wait_until jobs_ended "$id" || bail "the job ends" "$(in_cluster squeue)"
wait_pass
seconds=$(elapsed "$id")
like "$(bill --job "$id")" "^job $id COMPLETED: cost 2.5 core-equivalents \(memory decides\), .* h \(.*\) for 0:00:$(printf %02d "$seconds"), $as
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

# ---- Jobs that hold more than they asked for, or elsewhere --------------------

# The charge of a second that the bill has, the billing of sacct, and the usage.
charged() { bill --job "$1" --json | python3 -c 'import json, sys
for job in json.load(sys.stdin)["jobs"]: print(job["charge"], job["source"])'; }
billing() { account_of "$1" AllocTRES | sed -E 's/.*billing=([0-9]+).*/\1/'; }
as_charged() { # TEXT CHARGE SBATCH-OPTIONS...
	local id text=$1 want=$2
	shift 2
	id=$(as ben sbatch --parsable --bill=off -o /dev/null --wrap 'sleep 3' "$@")
	wait_until jobs_ended "$id" || bail "$text: it ends" "$(in_cluster squeue)"
	wait_pass
	is "$(charged "$id")" "$want $source" "$text"
	is "$(billing "$id")" "$(value "$want * 1000" | sed 's/\..*//')" "$text: the same as sacct's billing"
	last=$id
}
as_charged "one core of a user's whole node" 64 -n1 --mem=1000M --exclusive=user -w cpu1
exclusive=$last
like "$(bill --job "$exclusive")" "cost 64 core-equivalents.*, .* EUR\) for 0:00:0[0-9], $as" \
	"its bill says how it is known"
as_charged "a whole node whose memory decides" 64 -n1 --mem=1000M --exclusive -w cpu1
as_charged "threads of the job's own node" 2 -n1 -c4 --mem=4000M -w cpu2
as_charged "a model with two bundles, on the node of the second" 1 -p gpu -n1 -c16 --mem=1000M --gpus=p100:1 -w gpu2
as_charged "a model with two bundles, on the node of the first" 2 -p gpu -n1 -c12 --mem=1000M --gpus=p100:1 -w gpu1

again=$(as cleo sbatch --parsable --bill=off --requeue -n4 --mem=4000M -o /dev/null --wrap 'sleep 4')
wait_until job_is "$again" RUNNING
sleep 2
in_cluster scontrol requeue "$again"
wait_until job_is "$again" PENDING
like "$(bill --job "$again")" "^job $again run 1 of 2 REQUEUED: cost 4 .*
.*job $again run 2 of 2 PENDING: cost 4 .*
  all runs: " "a job that waits after a requeue has its first run, too"
# Slurm lets a requeued job wait for two minutes, and says so when its node is free.
# Each change of that time lets the scheduler look at the job anew, so there are few.
next=$((SECONDS + 3)) # slurmd refuses a start in the second of the requeue
wait_again() {
	if ((SECONDS >= next)) && job_is "$again" PENDING; then
		next=$((SECONDS + 4))
		in_cluster scontrol update jobid="$again" StartTime=now
	fi
	[[ $(in_cluster sacct -aXDnP -j "$again" -o State | tail -n 1) == COMPLETED ]]
}
wait_until wait_again || bail "the requeued job ends" "$(in_cluster squeue)"
wait_pass
sum=$(bill --job "$again" --json | python3 -c 'import json, sys
print(sum(job["charge"] * job["seconds"] for job in json.load(sys.stdin)["jobs"]))')
near "$sum" "$(exact_usage chemistry cleo)" 1e-6 "all runs of a requeued job cost what the user is charged"

# ---- Money, and other prices afterwards ---------------------------------------

# One core of a user's whole node, for an hour: 64 x 0.02 EUR in the message and in the bill.
told=$(as ben sbatch -o /dev/null -n1 --mem=1000M -t60 --exclusive=user -w cpu1 --wrap 'sleep 60' 2>&1)
paid=$(sed -n 's/^Submitted batch job //p' <<<"$told")
like "$told" "1\.28 EUR" "the message says what the job will cost at most, in EUR"
wait_until job_is "$paid" RUNNING || bail "the job runs that is told in EUR"
like "$(bill --job "$paid")" "at most 64 h \(1\.28 EUR\) for 1:00:00" "its bill has the money of the message"
in_cluster scancel "$paid"
wait_until jobs_ended "$paid"
wait_pass
before=$(bill --job "$exclusive,$id" | grep '^job')
year() { in_cluster "$equitree" usage --by submitter --json "$@" | python3 -c 'import json, sys
print([(row["submitter"], round(row["core_hours"] * 3600, 3)) for row in json.load(sys.stdin)["usage"]])'; }
usage_before=$(year)
near "$(year | sed -nE "s/.*\('ben', ([0-9.]+)\).*/\1/p") + $(in_cluster "$equitree" usage --by submitter --json |
	python3 -c 'import json, sys
print([row["gpu_hours"] * 3600 for row in json.load(sys.stdin)["usage"] if row["submitter"] == "ben"][0])')" \
	"$(exact_usage physics ben)" 1e-3 "usage is what fair share is charged"
sed -i 's/bundle "cores" .*/bundle "cores" { cores = 4  memory = 64000M }/' "$dir/etc/equitree.conf"
in_cluster scontrol reconfigure
wait_pass
is "$(bill --job "$exclusive,$id" | grep '^job' | sed 's/ (memory decides)//')" "${before// (memory decides)/}" \
	"other prices afterwards change no bill"
is "$(year)" "$usage_before" "a change of equitree.conf leaves the usage of the year"
isnt "$(year --reprice)" "$usage_before" "the usage of the year changes with --reprice"
no_equitree_errors
done_testing
