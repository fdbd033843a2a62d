#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What equitree.conf's section priority gives beside the order of jobs, in the
# numbers of sprio and sshare: idle_shares, size_by and expansion_weight. No job
# runs: both partitions are down, and jobs only wait.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

down=()
for part in "cpu Nodes=cpu[1-2] Default=YES" "gpu Nodes=gpu[1-2]"; do
	down+=(--set "PartitionName=$part State=DOWN")
done
cluster_up --no-slurmctld --set PriorityParameters=period=1 \
	--set PriorityDecayHalfLife=0 --set PriorityUsageResetPeriod=YEARLY \
	--set PriorityWeightAge=0 --set PriorityWeightFairshare=0 \
	--set PriorityWeightJobSize=1000000 "${down[@]}"

place_usage "$(date +%s)" <<-'END'
	physics ada 300000
	chemistry cleo 100000
END
daemon start slurmctld || bail "slurmctld starts" "$(tail "$work/daemon.out")"

# The section is that line from now on.
section() { # KEYS
	sed -i '/^priority {/d' "$dir/etc/equitree.conf"
	echo "priority { $1 }" >>"$dir/etc/equitree.conf"
	pass_now || bail "a pass is run with $1"
}
columns() { # ID FORMAT
	in_cluster sprio -h -j "$1" -o "$2" | tr -d ' '
}
level() { share "$1" "$2" levelfs; }

# ---- Idle shares ------------------------------------------------------------

# At the root there are 2948 shares: 1800 of physics, 1142 of chemistry, 5 of
# bloggs, and one of the root user. Three of four seconds are of physics.
section 'idle_shares = yes'
near "$(level physics '')" "$(value '1800 / 2948 / 0.75')" 1e-6 \
	'idle_shares = yes: all shares count'
near "$(level physics ada)" 0.5 1e-6 'idle_shares = yes: shares of a user without a job count'
section 'idle_shares = no'
near "$(level physics '')" "$(value '1800 / 2942 / 0.75')" 1e-6 \
	'idle_shares = no: those of who has used nothing do not'
near "$(level chemistry '')" "$(value '1142 / 2942 / 0.25')" 1e-6 \
	'for any account'
near "$(level physics ada)" 1 1e-6 'idle_shares = no: shares of a user without a job do not count'
ben=$(submit ben 1 -n1)
wait_pass
near "$(level physics ada)" 0.5 1e-6 'until that one has a job that waits'
near "$(level physics '')" "$(value '1800 / 2942 / 0.75')" 1e-6 \
	'which changes nothing above'
xyz=$(submit xyz789 1 -n1)
wait_pass
near "$(level physics '')" "$(value '1800 / 2947 / 0.75')" 1e-6 \
	'a job below an account wakes the account'
in_cluster scancel "$ben" "$xyz"
gone() { [[ -z $(in_cluster squeue -h) ]]; }
wait_until gone
wait_pass
near "$(level physics ada)" 1 1e-6 'idle_shares = no: a user counts no more without a job'
near "$(level physics '')" "$(value '1800 / 2942 / 0.75')" 1e-6 \
	'idle_shares = no: an account counts no more without a job below it'

# ---- Size -------------------------------------------------------------------

# The cluster: 120 cores and 576000 MB, which are 144 equivalents; and eight GPUs.
memory=$(submit ada 1 -N1 -n2 --mem=36000M)
cores=$(submit ada 1 -N2 -n64 --mem=1000M)
gpu=$(submit ada 1 -p gpu -N1 -n6 --gpus=p100:1 --mem=32000M)
wide=$(submit ada 1 -p gpu -N1 -n12 --gpus=p100:1 --mem=32000M)
section 'size_by = equivalents'
is "$(columns "$memory" %J)" 62500 'size_by = equivalents: memory, 9 of 144'
is "$(columns "$cores" %J)" 444444 'cores, 64 of 144'
is "$(columns "$gpu" %J)" 125000 'a GPU, one of eight'
is "$(columns "$wide" %J)" 250000 'a GPU with the cores of two'
section 'size_by = resources'
is "$(columns "$memory" %J)" "$(value 'int((1 / 4 + 2 / 120) / 2 * 1e6)')" \
	"size_by = resources: nodes and CPUs as Slurm counts them"
is "$(columns "$wide" %J)" "$(value 'int((1 / 4 + 12 / 120) / 2 * 1e6)')" \
	"whatever GPUs the job asks for"
in_cluster scancel -u ada
wait_until gone

# ---- Expansion --------------------------------------------------------------

# The whole weight is reached when the wait is a tenth of the limit.
short=$(submit ada 1 -n1 -t 1)
long=$(submit ada 1 -n1 -t 1000)
held=$(submit ada 1 -n1 -t 1 --hold)
later=$(submit ada 1 -n1 -t 1 --begin=now+3600)
section 'expansion_weight = 600000  expansion_full = 1.1'
has_all() { [[ $(columns "$short" %S) == 600000 ]]; }
ok 'a job that waits a tenth of its length has all the points' \
	wait_until has_all
accrued=$(in_cluster env SLURM_TIME_FORMAT=%s scontrol -o show job "$long" |
	sed -nE 's/.* AccrueTime=([0-9]+) .*/\1/p')
# 100 points a second. The priority is of a pass between these two moments.
from=$(date +%s)
wait_pass
read -r points size priority < <(in_cluster sprio -h -j "$long" -o '%S %J %Y')
to=$(date +%s)
ok "one that is a thousand times as long has less: $points" \
	calc "100 * ($from - $accrued) <= $points && $points <= 100 * ($to - $accrued)"
near "$priority" "$points + $size" 1 'points of the expansion factor are in the priority'
is "$(in_cluster sprio -h -o %i | grep -wcE "$held|$later")" 0 \
	'one that is held, or begins later, is not compared'
section 'expansion_weight = 0'
is "$(columns "$short" %S) $(columns "$long" %S)" "0 0" 'without it: none'
in_cluster scancel -u ada

# ---- Without Fair Tree ------------------------------------------------------

mark=$(log_size)
echo 'priority { idle_shares = no }' >>"$dir/etc/equitree.conf"
sed -i '/^priority { expansion/d' "$dir/etc/equitree.conf"
echo 'PriorityFlags=NO_FAIR_TREE' >>"$dir/etc/slurm.conf"
daemon restart slurmctld || bail "slurmctld restarts"
told() { log_has "$mark" 'idle_shares need Fair Tree.*no effect'; }
ok 'classic fair share: the log says that idle_shares has no effect' \
	wait_until told
done_testing
