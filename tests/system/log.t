#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What slurmctld's log has of the plugin at each level: what an operator must
# know at info, a line a pass at debug, a line a job at debug2 only, and with
# DebugFlags=Priority how each number came about.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

cluster_up --set PriorityParameters=period=2 \
	--set PriorityDecayHalfLife=0 --set PriorityUsageResetPeriod=YEARLY
ours() { log_since "$1" | sed -n 's/^\[[^]]*\] \(.*priority\/equitree: \)/\1/p'; }
saw() { log_has "$position" "$1"; }
logged() { wait_until saw "$1"; }
mark() { position=$(log_size); }

# ---- info ------------------------------------------------------------------

release=$(slurmctld -V)
is "$(ours 0)" "priority/equitree: loaded: version $(
	"$build/tools/equitree" --version | cut -d' ' -f2) for Slurm ${release#* }, mode equitree" \
	"a first start: one line, with version, release and mode"
job=$(submit ada 600 -n2 --mem=10000M -t 20)
wait_until job_is "$job" RUNNING
wait_pass
is "$(ours 0 | wc -l)" 1 "passes and jobs add none at info"
mark
in_cluster scontrol reconfigure
# From 23.11 on a reconfigure is a new process.
ok "a configuration that is read" \
	logged '] priority/equitree: (configuration read$|loaded: version)'
mark
daemon restart slurmctld
ok "what was recovered from which file" logged \
	'] priority/equitree: usage of [0-9]+ .* recovered from equitree_usage, [0-9]+ ends of jobs from the journal'

# ---- debug -----------------------------------------------------------------

in_cluster scontrol setdebug debug
mark
ok "debug: a pass tells its counts and times" logged \
	'debug:  priority/equitree: pass: 1 jobs charged, [0-9]+ with another billing, in [0-9]+ ms; [1-9][0-9]* users ranked, [0-9]+ priorities in [0-9]+ ms; saved in [0-9]+ ms'
wait_pass
wait_pass
is "$(ours "$position" | grep -v ': pass: ')" "" "the log has nothing else for any job"
passes=$(ours "$position" | grep -c ': pass: ')
ok "one line a pass" calc "$passes >= 2 && $passes <= 20"
in_cluster scontrol setdebug debug2
mark
ok "debug2: a line for each job that is charged" logged \
	"debug2: priority/equitree: job $job: 2.5 equivalents for [0-9]+ s"

# ---- DebugFlags=Priority ---------------------------------------------------

in_cluster scontrol setdebug info
mark
in_cluster scontrol setdebugflags +Priority
ok "flag: the weights" logged \
	'] priority/equitree: weights: age 10000000 .*fairshare 100000000'
ok "flag: half-life and period" logged \
	'] priority/equitree: half-life 0 s, a pass every 2 s'
ok "flag: each charge with its TRES" logged \
	"] priority/equitree: job $job: 2.5 equivalents for [0-9]+ s; TRES: cpu=2 mem=10000 node=1 billing=3"
ok "flag: what the user has then, and the run-seconds that are left" logged \
	'] priority/equitree: association [0-9]+ \(physics/ada/\): usage \+[0-9.]+, now [0-9.]+; wall \+[0-9]+ s, now [0-9]+; run-seconds left: cpu=[0-9]+'
ok "flag: and the account" logged \
	'] priority/equitree: association [0-9]+ \(physics//\): usage \+'
ok "flag: and the QOS" logged '] priority/equitree: QOS normal: usage \+'
ok "flag: how usage decays" logged \
	'] priority/equitree: decay: usage of [0-9]+ s ago counts 1'
ok "flag: each user's place in the tree" logged \
	'] priority/equitree: tree: user ben of physics: level inf, shares [0-9.]+, usage 0, factor [0-9.]+$'
held=$(submit ben 1 -n1 -b now+1hour)
ok "flag: a priority as the sum that it is" logged \
	"] priority/equitree: job $held: age 0\\*10000000 \\+ fairshare [0-9.]+\\*100000000 \\+ TRES 0.00 \\+ site 0 - nice 0 = [0-9]+"
in_cluster scontrol setdebugflags -Priority
wait_pass
mark
wait_pass
is "$(ours "$position")" "" "without the flag all of it is gone"

# ---- Nothing to do ---------------------------------------------------------

in_cluster scancel "$job"
wait_until job_is "$job" CANCELLED
in_cluster scontrol setdebug debug
mark
ok "a pass in which no usage has changed leaves the ranks as they are" logged \
	'debug:  priority/equitree: pass: 0 jobs charged, 0 with another billing, in [0-9]+ ms; 0 users ranked,'

no_equitree_errors
done_testing
