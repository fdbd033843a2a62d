#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# One account with two units beside each other: its jobs without GPUs pay from a budget in CPU
# BU, those with GPUs from one in GPU-BU, and each is told, held, charged, shown and recorded
# in its unit. slurmctld is killed between.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=priced.sh
. "$(dirname "$0")/priced.sh"
equitree=$build/tools/equitree

made=$(site local_disk)
sed -i 's/Name=jobfs/Name=nvme/' "$made/gres.conf"
{
	cat "$system_dir/../../docs/recipes/csc-roihu.conf"
	echo "message = brief"
} >"$made/equitree.conf"
cluster_up --site "$made" \
	--set PriorityDecayHalfLife=0 --set PriorityUsageResetPeriod=YEARLY \
	--set AccountingStorageEnforce=associations,limits \
	--set GresTypes=gpu,nvme \
	--set AccountingStorageTRES=gres/gpu,gres/gpu:v100,gres/nvme \
	--set "NodeName=cpu[1-2] NodeHostname=head Port=[6821-6822] Sockets=2 CoresPerSocket=16 RealMemory=128000 Gres=nvme:1600G" \
	--set "NodeName=gpu2 NodeHostname=head Port=6824 Sockets=2 CoresPerSocket=12 RealMemory=128000 Gres=gpu:v100:4,nvme:800G"
nodes_up() { [[ $(in_cluster sinfo -h -o %T -n cpu1,cpu2,gpu2 | sort -u) == idle ]]; }
wait_until nodes_up || bail "the nodes are there" "$(in_cluster sinfo -N)"

budget() { in_cluster "$equitree" budget "$@"; }
# A column of a budget, in equivalent-seconds.
balance() { # ID COLUMN
	budget list --csv | awk -F, -v id="$1" -v column="$2" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$1 == id { printf "%.3f\n", $(at[column]) * 3600 }'
}
# What the record of charges has of runs of a pool, in equivalent-seconds.
recorded_of() { # c|g
	record_lines | awk -v pool="$1" 'substr($21, 2) == pool { print $11 - $12, $13, $14, $15 }' |
		while read -r seconds rate factor unit; do
			printf '%d %.17g %.17g %d\n' "$seconds" "$rate" "$factor" "$unit"
		done | awk '{ sum += $1 * $2 * $3 / $4 } END { printf "%.3f\n", sum }'
}
used() { awk -v a="$(exact_usage physics ada)" -v b="$(exact_usage physics ben)" 'BEGIN { printf "%.3f\n", a + b }'; }
agree() {
	[[ $(balance 1 spent) == "$(recorded_of c)" && $(balance 2 spent) == "$(recorded_of g)" ]] &&
		awk -v a="$(balance 1 spent)" -v b="$(balance 2 spent)" -v all="$(used)" \
			'BEGIN { d = a + b - all; exit !(a > 0 && b > 0 && d * d < 0.0001) }'
}
same() { # NAME
	wait_pass
	ok "$1: each budget has what the record has in its unit, and fair share has both" \
		wait_until agree
	diag "CPU-BU $(balance 1 spent), $(recorded_of c); GPU-BU $(balance 2 spent), $(recorded_of g); usage $(used)"
}
runs() { wait_until job_is "$1" RUNNING || bail "job $1 runs" "$(in_cluster squeue)"; }

is "$(budget grant physics 1000 --pool cores)|$(budget grant physics 1000 --pool gpus)" \
	"grant 1000 CPU-BU-hours to physics: budget 1|grant 1000 GPU-BU-hours to physics: budget 2" \
	"a grant names the unit of its pool"
like "$(budget transfer 1 2 5 2>&1)" \
	'budget 1 has CPU-BU-hours and budget 2 GPU-BU-hours: transfer from 1 to -, and from - to 2' \
	"a transfer turns no unit into another one"
is "$(budget list --csv --no-headings | cut -d, -f5 | xargs)" "1000 1000" "a refused transfer moves nothing"
like "$(budget transfer 2 - 2000 2>&1)" 'budget 2 has only 1000 GPU-BU-hours left' \
	"what a budget has left is told in its unit"
is "$(budget list --csv --no-headings | awk -F, '{ print $4 ": " $NF }')" \
	$'cores: CPU-BU-hour\ngpus: GPU-BU-hour' "the list has the unit of each budget"
like "$(budget list)" 'STATE +UNIT.* 1 +physics +cores .*CPU-BU-hour.* 2 +physics +gpus .*GPU-BU-hour' \
	"the table has a column with it"
like "$(budget show 2)" 'unit +GPU-BU-hour' "a budget in full has it"

costs 5750 ada physics "a job without GPUs" "CPU-BU" -N1 -n2 --mem=10G --gres=nvme:100G
is "$(balance 1 spent)|$(balance 2 spent)" \
	"$(awk -v s="$(elapsed "$id")" 'BEGIN { printf "%.3f", 5.75 * s }')|0.000" \
	"a job without GPUs has paid CPU-BU alone"
costs 202000 ben physics "a job with a GPU" "GPU-BU" -p gpu -w gpu2 -N1 -n4 --mem=20G --gpus=v100:1 --gres=nvme:100G
is "$(balance 2 spent)" "$(awk -v s="$(elapsed "$id")" 'BEGIN { printf "%.3f", 202 * s }')" \
	"a job with a GPU has paid GPU-BU alone"
same "after a job of each kind"

# What a refund gives back is of the unit that was paid.
back=$(balance 2 spent)
budget refund "$id" --reason 'a test' >/dev/null
is "$(balance 2 spent)|$(balance 2 left)" "0.000|3600000.000" "a refund of a job with a GPU is in GPU-BU"

# 200 BU an hour for six hours are more than there is.
like "$(as ben sbatch -t6:00:00 -p gpu -N1 --gpus=v100:1 --wrap true 2>&1)" \
	"budget 2 of physics has 1000 of 1000 GPU-BU-hours left .*needs 1200" \
	"a job that its unit can never pay is refused, and the message names the unit"
first=$(submit ben 300 -t3:00:00 -p gpu -N1 -w gpu2 --gpus=v100:1)
runs "$first"
held=$(as ben sbatch --parsable --bill=brief -t3:00:00 -p gpu -N1 -w gpu2 --gpus=v100:1 \
	-o /dev/null --wrap 'sleep 300' 2>"$work/message")
like "$(cat "$work/message")" \
	"budget 2 of physics has 400 of 1000 GPU-BU-hours left .*needs 600; the job waits" \
	"a job that its unit cannot pay now waits, and the message names the unit"
like "$(in_cluster squeue -h -j "$held" -o %r)" \
	"^Budget[ _]2[ _]of[ _]physics[ _]for[ _]gpus[ _]has[ _]400[ _]left,[ _]job[ _]needs[ _]600$" \
	"squeue names the budget that lacks"
why=$(in_cluster "$equitree" why "$held" 2>&1)
like "$why" "2 of physics: 400 of 1000 GPU-BU-hours left" "why names it, with its unit"
is "$(grep -c CPU-BU <<<"$why")" 0 "why does not name the budget of the other unit"
cpu_job=$(submit ada 300 -t20 -N1 -n2 --mem=4G)
runs "$cpu_job"
is "$(job_field "$held" JobState)" PENDING "meanwhile a job without GPUs starts"
is "$(balance 1 committed)|$(balance 2 committed)" "1800.000|2160000.000" \
	"each job has committed its own unit, and the one that waits nothing"
in_cluster scancel "$first"
wait_until jobs_ended "$first" || bail "the first job ends"
# It has paid something, so that the next one fits for less than three hours only.
in_cluster scontrol update job "$held" TimeLimit=2:00:00
runs "$held"
is "$(balance 2 committed)" 1440000.000 "a job that waited for its unit starts when that has enough"

# A kill between.
jobs_saved "$held" || bail "slurmctld has saved its jobs"
daemon kill slurmctld
daemon start slurmctld
like "$(budget verify)" "^balanced: 2 budgets" "verify says balanced after a kill"
in_cluster scancel "$held" "$cpu_job"
wait_until jobs_ended "$held,$cpu_job" 2 || bail "the jobs end"
none_committed() { [[ $(balance 1 committed)$(balance 2 committed) == 0.0000.000 ]]; }
ok "after a kill each job gives its own unit back" wait_until none_committed
# A refund is not in the record, which has what fair share was charged.
settled() {
	[[ $(balance 1 spent) == "$(recorded_of c)" ]] &&
		awk -v spent="$(balance 2 spent)" -v all="$(recorded_of g)" -v back="$back" \
			'BEGIN { d = spent + back - all; exit !(spent > 0 && d * d < 0.0001) }'
}
ok "after a kill each budget has what the record has in its unit" wait_until settled
diag "CPU-BU $(balance 1 spent), $(recorded_of c); GPU-BU $(balance 2 spent), $(recorded_of g), refunded $back"
# A job that waits and is changed pays in the other unit.
budget grant chemistry 100 --pool cores >/dev/null
budget grant chemistry 1000 --pool gpus >/dev/null
id=$(submit cleo 0 --begin=now+1hour -t60 -p gpu -N1 -n4 --mem=1G)
has() { [[ "$(balance 3 committed)|$(balance 4 committed)" == "$1" ]]; }
ok "a waiting job without GPUs has committed CPU-BU" wait_until has "10800.000|0.000"
in_cluster scontrol update job "$id" TresPerNode=gres:gpu:v100:1
ok "with a GPU it has committed GPU-BU instead" wait_until has "0.000|720000.000" ||
	diag "$(budget list) $(job_tres "$id")"
in_cluster scancel "$id"
ok "cancelled, it has committed nothing" wait_until has "0.000|0.000"
no_equitree_errors
done_testing
