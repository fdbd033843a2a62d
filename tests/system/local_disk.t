#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Local disk that a site gives out as a GRES: a job that takes more of it than comes with
# its cores pays for the cores that cannot be used without. The same number in the message,
# the billing, the charge, and from the command.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=priced.sh
. "$(dirname "$0")/priced.sh"
equitree=$build/tools/equitree

cluster_up --site "$(site local_disk)" \
	--set PriorityDecayHalfLife=0 --set PriorityUsageResetPeriod=YEARLY \
	--set GresTypes=gpu,jobfs \
	--set AccountingStorageTRES=gres/gpu,gres/gpu:p100,gres/gpu:v100,gres/jobfs \
	--set "NodeName=cpu[1-2] NodeHostname=head Port=[6821-6822] Sockets=2 CoresPerSocket=16 RealMemory=128000 Gres=jobfs:1600G" \
	--set "NodeName=gpu1 NodeHostname=head Port=6823 Sockets=2 CoresPerSocket=12 RealMemory=128000 Gres=gpu:p100:4,jobfs:800G"
nodes_up() { [[ $(in_cluster sinfo -h -o %T | sort -u) == idle ]]; }
wait_until nodes_up || bail "the nodes are there"

# Price in thousandths, user and account, name, options.
n=0
while IFS='|' read -r price user account name options; do
	read -ra options <<<"$options"
	costs "$price" "$user" "$account" "$name" "" "${options[@]}"
	# sacct does not have the words of --exclusive.
	[[ " ${options[*]} " == *"=user "* ]] ||
		is "$(in_cluster "$equitree" bill --job "$id" --json | grep -oE '"equivalents": *[0-9.]+' |
			head -n 1 | grep -oE '[0-9.]+$')" "$(value "$price / 1000")" \
			"$name: equitree bill --job prints it afterwards"
	n=$((n + 1))
done <<'END'
1000|ada|physics|disk that comes with a core|-n1 --gres=jobfs:25G
4000|ben|physics|disk of four cores|-n1 --gres=jobfs:100G
8000|cleo|chemistry|disk on two nodes|-N2 -n2 --gres=jobfs:100G
6000|dan|chemistry|more memory than disk|-n1 --mem=24000M --gres=jobfs:100G
2000|ada|physics|disk of two GPUs|-p gpu -w gpu1 -n1 --gpus=p100:1 --gres=jobfs:400G
64000|cleo|chemistry|a whole node with much disk|-w cpu2 --exclusive
64000|dan|chemistry|a kept node with much disk|-n1 -w cpu2 --exclusive=user
END
is "$n" 7 "all kinds are tried"

out=$(as ada sbatch --bill=full -t5 -n1 --gres=jobfs:100G --test-only --wrap true 2>&1)
like "$out" "cost 4 core-equivalents \(disk decides\)" "the message says that disk decides"
like "$out" "disk    102400M at 25600M an equivalent: 4, which decides" \
	"the full message derives the price of disk"

# What is left for units, of disk and cores, while a job has the disk of six cores.
id=$(submit ada 30 -t5 -n4 -w cpu1 --gres=jobfs:150G)
wait_until job_is "$id" RUNNING || bail "the job with disk runs"
is "$(in_cluster "$equitree" overhead --unit cores=1,gres/jobfs=25G -p cpu --list --csv --no-headings |
	grep ^cpu | cut -d, -f 1,2,5,10,11)" "cpu1,28,28,1556925644800,600
cpu2,32,32,1717986918400," "equitree overhead counts the disk that is free, and bills the rest of it"
in_cluster scancel "$id"

out=$(in_cluster "$equitree" check 2>&1)
is "$(grep jobfs <<<"$out")" "" "check finds no fault with local disk that is counted"
in_cluster sed 's/,gres.jobfs//' "$dir/etc/slurm.conf" >"$work/uncounted"
like "$(in_cluster "$equitree" check -f "$dir/etc/equitree.conf" --slurm-conf "$work/uncounted" 2>&1)" \
	"AccountingStorageTRES has no gres/jobfs" "check finds local disk that Slurm does not count"
no_equitree_errors
done_testing
