#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Nodes of two and four threads a core: what is told of options that say how many
# threads or tasks a core has is what such a job is billed.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

said() { # OPTIONS...
	as ada sbatch --bill=brief --test-only "$@" --wrap true 2>&1 |
		sed -n 's/.*equitree: cost //p' | head -n 1
}
billing() { job_tres "$1" | tr , '\n' | sed -n 's/^billing=//p'; } # ID
nodes_up() { [[ $(in_cluster sinfo -h -o %T | sort -u) == idle ]]; }

# The requests of a site, from standard input: each alone on the idle cluster.
try_requests() { # NAME
	local options id told
	while read -ra options; do
		told=$(said "${options[@]}")
		is "$(as ada "$build/tools/equitree" bill "${options[@]}" 2>/dev/null |
			sed -n '1s/^cost //p')" "$told" \
			"$1: equitree bill ${options[*]} says what sbatch says"
		id=$(submit ada 60 "${options[@]}")
		if ! wait_until job_is "$id" RUNNING; then
			fail_row "$1: ${options[*]} runs"
			continue
		fi
		pass_now
		is "$(within "$told" "$(billing "$id")")" yes \
			"$1: ${options[*]} is billed as told"
		diag "told $told; $(job_tres "$id")"
		in_cluster scancel "$id"
		wait_until nodes_up
	done
}
# Whether a billing in thousandths is the number, or in the range, that was told.
within() { # MESSAGE BILLING
	awk -v text="$1" -v billing="$2" 'BEGIN {
		low = high = text + 0
		if (match(text, /^[0-9.]+ to [0-9.]+/)) {
			high = substr(text, 1, RLENGTH)
			sub(/.* /, "", high)
		}
		print billing >= low * 1000 - 1 && billing <= high * 1000 + 1 ? "yes" : "no: " text
	}'
}
fail_row() { ok "$1" false; }

start_site() { # KEY=VALUE...
	local mem="NodeHostname=head Sockets=1 CoresPerSocket=8 RealMemory=147000 Gres=gpu:t4:4"
	cluster_up --site "$(site rules)" \
		--set PriorityDecayHalfLife=0 --set PriorityUsageResetPeriod=YEARLY \
		--set "NodeName=q[1-2] NodeHostname=head Port=[6831-6832] Sockets=1 CoresPerSocket=6 ThreadsPerCore=4 RealMemory=64000" \
		--set "NodeName=t4many1 NodeHostname=head Port=6833 Sockets=1 CoresPerSocket=16 ThreadsPerCore=2 RealMemory=192000 Gres=gpu:t4:4" \
		--set "AccountingStorageTRES=gres/gpu,gres/gpu:p100,gres/gpu:v100,gres/gpu:t4" \
		--set "PartitionName=express Nodes=cpu[1-2]" \
		--set "PartitionName=p100 Nodes=gpu1" \
		--set "PartitionName=strict Nodes=cpu[1-2]" \
		--set "PartitionName=limited Nodes=cpu[1-2]" \
		--set "NodeName=t4few1 NodeHostname=head Port=6834 Sockets=2 CoresPerSocket=8 ThreadsPerCore=2 RealMemory=128000 Gres=gpu:t4:4" \
		--set "PartitionName=q Nodes=q[1-2]" \
		--set "PartitionName=s Nodes=t4few1" \
		--set "NodeName=t4mem1 $mem Port=6835 Weight=5" \
		--set "NodeName=t4mem2 $mem Port=6836" \
		--set "PartitionName=mem Nodes=t4mem[1-2]" \
		--set "PartitionName=two Nodes=gpu1,t4few1" \
		--set "PartitionName=l Nodes=t4many1 MaxMemPerCPU=4000" \
		--set "PartitionName=h Nodes=t4many1 DefCpuPerGPU=3 MaxMemPerCPU=6500 DefMemPerGPU=9000 DefMemPerNode=190000" \
		--set "PartitionName=g Nodes=t4many1 DefCpuPerGPU=8" \
		--set "PartitionName=few Nodes=t4mem[1-2] DefCpuPerGPU=12" "$@"
	wait_until nodes_up || bail "the nodes are there"
}

start_site
try_requests "plain" <<'END'
-p q -N1 -n8 --threads-per-core=2 --mem=1000M
-p q -N1 -n8 --threads-per-core=3 --mem=1000M
-p q -N1 -n8 --threads-per-core=2 --mem-per-cpu=1000M
-p q -N1 -n4 --threads-per-core=1 --mem-per-cpu=1000M
-p q -N1 -n1 -c7 --threads-per-core=2 --mem=1000M
-p q -N1 -n3 -c2 --ntasks-per-core=1 --mem=1000M
-p q -N1 -n3 --ntasks-per-core=1 --mem-per-cpu=1500M
-p q -N1 -n4 --ntasks-per-core=3 --mem-per-cpu=1000M
-p q -N1 -n5 --ntasks-per-core=2 --mem=1000M
-p q -w q1 -n8 --threads-per-core=1 --exclusive=user
-p q -n4 -c3 --mem-per-cpu=8000M --exclusive=user
-p l -N1 -n1 --gres=gpu:1 --mem=60001M --ntasks-per-core=1
-p l -N1 -n1 --gres=gpu:1 --mem=60001M
-p g -n1 --gpus=1 --ntasks-per-gpu=1 --mem-per-cpu=8000M
-p g -n1 --gpus=1 --ntasks-per-gpu=1 --ntasks-per-core=2 --mem-per-cpu=8000M
-p two -n10 --gpus=2 --cpus-per-gpu=6 --mem=60001M
-p mem -n6 --gpus-per-task=t4:1 --mem-per-gpu=49000M
END
no_equitree_errors
cluster purge

start_site --set SelectTypeParameters=CR_Core_Memory,CR_ONE_TASK_PER_CORE
try_requests "one task per core" <<'END'
-p q -N1 -n2 -c2 --mem-per-cpu=1500M
-p q -N1 -n4 -c2 --mem=1000M
-p q -N1 -n4 -c3 --mem=1000M
-p q -N1 -n16 --hint=multithread --mem=4000M
-p g -N1 -n16 --hint=multithread --mem=4000M
-p q -w q1 -n8 --exclusive=user
-p q -N1 --mincpus=8 --hint=multithread --mem=16000M
-p l -N1 -n1 --gres=gpu:1 --mem=60001M
-p l -N1 -n1 --gres=gpu:1 --mem=30000M
-p l -N1 -n20 --gres=gpu:1 --cpus-per-gpu=2 --mem=48000M
-p g -N1 -n12 --gres=gpu:1
-p h -n8 -c3 --gpus=1
-p h -N1-4 -n6 --gpus=1 --ntasks-per-gpu=1
-p few -N1-4 -n3 --gpus=1 --ntasks-per-gpu=1 --mem=1000M
-p g -n1 --gpus=1 --ntasks-per-gpu=1 --mem-per-cpu=8000M
-p g -n1 --gres=gpu:1 --ntasks-per-gpu=1 --hint=multithread --mem-per-cpu=8000M
-p s -n1 --mincpus=2 --gpus-per-socket=t4:2 --sockets-per-node=1 --mem=1000M -O
-p s --mincpus=2 --gpus-per-socket=t4:2 --sockets-per-node=1 --mem=1000M -O
END
no_equitree_errors
cluster purge

start_site --set SelectTypeParameters=CR_CPU_Memory
try_requests "CPUs" <<'END'
-p q -N1 -n3 --mem=1000M --exclusive
-p q -N1 -n3 --hint=nomultithread --mem=1000M --exclusive
-p q -N1 -n3 --hint=nomultithread --mem=1000M
-p l -N1 -n1 -c3 --mincpus=12 --gpus-per-task=1 --mem=2000M
END
no_equitree_errors
done_testing
