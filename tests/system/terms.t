#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Prices of several terms, as sites publish them: the same number in the message, the
# billing, the charge, the budget, the record of charges, and from the command.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=priced.sh
. "$(dirname "$0")/priced.sh"
equitree=$build/tools/equitree
recipes=$system_dir/../../docs/recipes

made=$(site local_disk)
sed -i 's/Name=jobfs/Name=nvme/' "$made/gres.conf"
# The recipe of a site with what the tests of prices need.
recipe() { # NAME FILE
	{
		cat "$recipes/$1.conf"
		echo "message = brief"
		[[ $2 != */etc/* ]] || echo "charge_completing = $charge_completing"
	} >"$2"
}
recipe csc-puhti "$made/equitree.conf"
cluster_up --site "$made" \
	--set PriorityDecayHalfLife=0 --set PriorityUsageResetPeriod=YEARLY \
	--set AccountingStorageEnforce=associations,limits \
	--set GresTypes=gpu,nvme \
	--set AccountingStorageTRES=gres/gpu,gres/gpu:v100,gres/nvme \
	--set "NodeName=cpu[1-2] NodeHostname=head Port=[6821-6822] Sockets=2 CoresPerSocket=16 RealMemory=128000 Gres=nvme:1600G" \
	--set "NodeName=gpu2 NodeHostname=head Port=6824 Sockets=2 CoresPerSocket=12 RealMemory=128000 Gres=gpu:v100:4,nvme:800G" \
	--set "PartitionName=hugemem Nodes=cpu2" \
	--set "PartitionName=medium Nodes=cpu[1-2] OverSubscribe=EXCLUSIVE"
nodes_up() { [[ $(in_cluster sinfo -h -o %T -n cpu1,cpu2,gpu2 | sort -u) == idle ]]; }
wait_until nodes_up || bail "the nodes are there" "$(in_cluster sinfo -N)"
in_cluster "$equitree" budget grant physics 10000 >/dev/null
in_cluster "$equitree" budget grant chemistry 10000 >/dev/null

in_cluster sacctmgr -i add qos premium,premium4 >/dev/null
in_cluster sacctmgr -i modify account physics set qos+=premium,premium4 >/dev/null

# Price in thousandths, user and account, name, options.
jobs_of() { # SITE
	local price user account name options
	while IFS='|' read -r price user account name options; do
		read -ra options <<<"$options"
		costs "$price" "$user" "$account" "$1: $name" "$unit" "${options[@]}"
		n=$((n + 1))
	done
}
n=0 unit=BU
jobs_of puhti <<'END'
3600|ada|physics|cores, memory and disk|-N1 -n2 --mem=10G --gres=nvme:100G
20000|ben|physics|cores and memory|-N1 -n10 --mem=100G
78600|cleo|chemistry|a GPU with its cores, memory and disk|-p gpu -w gpu2 -N1 -n10 --mem=80G --gpus=v100:1 --gres=nvme:100G
END
recipe csc-roihu "$dir/etc/equitree.conf"
in_cluster scontrol reconfigure
unit='[CG]PU-BU'
jobs_of roihu <<'END'
5750|ada|physics|memory decides one term, disk is the other|-N1 -n2 --mem=10G --gres=nvme:100G
7500|dan|chemistry|cores decide|-N1 -n10 --mem=1G
26000|ben|physics|a partition with prices of its own|-p hugemem -N1 -n2 --mem=16G --gres=nvme:100G
402000|cleo|chemistry|GPUs alone, and disk|-p gpu -w gpu2 -N1 -n4 --mem=80G --gpus=v100:2 --gres=nvme:100G
640000|dan|chemistry|nodes with all their disk|-p medium -N2 -n2 -w cpu[1-2]
END
recipe nersc "$dir/etc/equitree.conf"
sed -i 's/from 1024/from 2/; s/"knl"/"medium"/; s/"haswell"/"cpu"/' "$dir/etc/equitree.conf"
printf '%s\n' 'billing_scale = 1000' 'bundle "gpu" { node = 1 }' >>"$dir/etc/equitree.conf"
in_cluster scontrol reconfigure
unit=core-equivalents
jobs_of nersc <<'END'
140000|ada|physics|a node|-N1 -n2 --mem=1G
END
before=$(exact_usage chemistry dan)
id=$(submit_priced dan -p medium -N2 -n2 --mem=1G)
like "$(cat "$work/message")" "cost 160 core-equivalents .* ×0.6 in partition medium" \
	"nersc: two nodes are told the factor of big jobs"
wait_until jobs_ended "$id" || bail "the big job ends"
wait_pass
is "$(value "$(exact_usage chemistry dan) - $before")" "$(value "96 * $(elapsed "$id")")" \
	"nersc: two nodes are charged with the factor"
like ",$(account_of "$id" AllocTRES)," ",billing=96000," "nersc: so is the billing"
# A fifth of the budget is committed: the dearer QOS.
like "$(as ada sbatch --bill=brief --test-only -t5 -N1 -n2 -q premium --wrap true 2>&1)" \
	"cost 140 core-equivalents .* ×2 in QOS premium" "nersc: premium costs twice as much"
long=$(submit ben 300 -t15:00:00 -N1 -n2 -w cpu2)
committed() { [[ $(in_cluster "$equitree" budget list --csv) == *physics*2100* ]]; }
wait_until committed || bail "a fifth is committed" "$(in_cluster "$equitree" budget list --csv)"
before=$(exact_usage physics ada)
id=$(submit_priced ada -N1 -n2 -q premium)
like "$(cat "$work/message")" \
	"cost 140 core-equivalents .* ×4 in QOS premium4.* 2[0-9] % spent and committed, and QOS premium ends at 20 %; the job goes to QOS premium4" \
	"nersc: after a fifth of the grant it is told four times as much"
wait_until jobs_ended "$id" || bail "the dear job ends"
wait_pass
is "$(value "$(exact_usage physics ada) - $before")" "$(value "560 * $(elapsed "$id")")" \
	"nersc: it is charged that"
like ",$(account_of "$id" AllocTRES)," ",billing=560000," "nersc: so is the billing"
# slurmdbd may write the QOS a moment after the end.
in_premium4() { [[ $(account_of "$id" QOS) == premium4 ]]; }
wait_until in_premium4
is "$(account_of "$id" QOS)" premium4 "nersc: it ran in that QOS"
in_cluster scancel "$long"
wait_until jobs_ended "$long" || bail "the long job ends"
recipe osc "$dir/etc/equitree.conf"
echo 'billing_scale = 1000' >>"$dir/etc/equitree.conf"
in_cluster scontrol reconfigure
jobs_of osc <<'END'
3000|ada|physics|one node is a part of it|-N1 -n3 --mem=1G
64000|dan|chemistry|two nodes are whole ones|-N2 -n2 --mem=1G
64000|ben|physics|so are as many as the job needs|-n40 --mem=1G
END
id=$(submit ada 0 --hold -N1 -n1)
like "$(as ada scontrol update job "$id" NumNodes=2 2>&1)" "Job violates accounting/QOS policy" \
	"osc: no change makes a job of parts one of two nodes"
is "$(job_field "$id" NumNodes)" 1-1 "osc: it stays as it is"
in_cluster scancel "$id"
is "$n" 12 "all kinds are tried"

# What a budget has spent, and what the record of charges has, in equivalent-seconds.
spent() { # ACCOUNT
	in_cluster "$equitree" budget list --csv | awk -F, -v account="$1" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$(at["account"]) == account { printf "%.3f\n", $(at["spent"]) * 3600 }'
}
recorded() { # ACCOUNT
	zcat -qf "$state_dir"/equitree_charges/charges.[0-9]* | grep '^c ' | sort -u |
		awk -v account="$1" '$25 == account { print $11 - $12, $13, $14, $15 }' |
		while read -r seconds rate factor unit; do
			printf '%d %.17g %.17g %d\n' "$seconds" "$rate" "$factor" "$unit"
		done | awk '{ sum += $1 * $2 * $3 / $4 } END { printf "%.3f\n", sum }'
}
used() { # ACCOUNT USERS
	local user
	for user in $2; do exact_usage "$1" "$user"; done |
		awk '{ sum += $1 } END { printf "%.3f\n", sum }'
}
agree() { # ACCOUNT USERS
	[[ $(spent "$1") == "$(used "$1" "$2")" && $(recorded "$1") == "$(used "$1" "$2")" ]]
}
while read -r account users; do
	ok "$account: budget, record of charges and usage have one number" \
		wait_until agree "$account" "$users"
	diag "budget $(spent "$account"), record $(recorded "$account"), usage $(used "$account" "$users")"
done <<'END'
physics ada ben
chemistry cleo dan
END

recipe csc-roihu "$dir/etc/equitree.conf"
in_cluster scontrol reconfigure
out=$(as ada sbatch --bill=full -t5 -N1 -n2 --mem=10G --gres=nvme:100G --test-only --wrap true 2>&1)
like "$out" "cost 5.75 CPU-BU \(memory 3.75, disk 2\)" "the message has the parts of a price"
like "$out" "--mem=4096M: 3.5" "a hint says what less memory costs in its term"
out=$(in_cluster "$equitree" check --show 2>&1)
like "$out" "max\(0.75/core, 0.375/G memory\) \+ 0.02/G disk" "check --show has the terms"
no_equitree_errors
done_testing
