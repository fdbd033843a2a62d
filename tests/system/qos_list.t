#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Jobs that name several QOS (--qos=a,b, from Slurm 24.11 on): Slurm tries them in
# the order of their priority, so that any of them may charge the job. The told
# range holds the price of each, and the charge is that of the one in which it runs.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

release=$(slurmctld -V | sed -E 's/^[^ ]* ([0-9]+)\.([0-9]+).*/\1\2/')
((release >= 2411)) || skip_all "several QOS came with Slurm 24.11"

cluster_up --site "$(site qos_list)" --set PriorityDecayHalfLife=0 \
	--set PriorityUsageResetPeriod=YEARLY

told() { # OPTIONS...
	as ada sbatch --test-only -t60 --mem=1000M "$@" --wrap true 2>&1 |
		sed -n 's/.*equitree: //p'
}
billed() { # OPTIONS...
	# shellcheck disable=SC2154
	as ada "$build/tools/equitree" bill -t60 --mem=1000M "$@" | head -n 1
}
qos_is() { [[ $(job_field "$1" QOS) == "$2" ]]; } # ID QOS

range="cost 4 core-equivalents (the QOS decides), 2 to 8 h for 1:00:00"
is "$(told -n4 --qos=half)" "cost 4 core-equivalents (cores decide) ×0.5 in QOS half, 2 h for 1:00:00" \
	"a job with one QOS is told its factor"
is "$(told -n4 --qos=half,double)" "$range" \
	"a job with two QOS is told the range of both prices"
is "$(told -n4 --qos=double,half)" "$range" \
	"the order of the QOS does not matter"
is "$(told -n4 --qos=half,double -p cpu,gpu)" \
	"$(told -n4 --qos=double,half -p gpu,cpu)" "the order of QOS and partitions does not matter"
is "$(billed -n4 --qos=half,double)" "$range" \
	"equitree bill prints the same range for two QOS"
many=$(printf 'half,double,%.0s' {1..10})
like "$(as ada sbatch --test-only -n1 --qos="${many%,}" --wrap true 2>&1)" \
	"the job names more than 16 QOS" "a list of 20 QOS is refused"

# The first job takes the one place of the dearer QOS; the second runs in the other.
first=$(as ada sbatch --parsable -o /dev/null -t10 -n4 --mem=1000M \
	--qos=half,double --wrap 'sleep 300' 2>>"$work/sbatch.err")
ok "the first job runs" wait_until job_is "$first" RUNNING
second=$(as ada sbatch --parsable -o /dev/null -t10 -n4 --mem=1000M \
	--qos=half,double --wrap 'sleep 300' 2>>"$work/sbatch.err")
ok "the second job runs" wait_until job_is "$second" RUNNING
ok "the first job has the QOS of the highest priority" qos_is "$first" double
ok "the second job has the other QOS" qos_is "$second" half
billing_is() { [[ $(job_tres "$1"), =~ billing=$2, ]]; } # ID BILLING
ok "the first job is billed in its QOS" wait_until billing_is "$first" 8
ok "the second job is billed in its QOS" wait_until billing_is "$second" 2

no_equitree_errors
done_testing
