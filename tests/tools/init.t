#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# equitree init: a first equitree.conf, which equitree check accepts.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"
top=$(cd "$tools_dir/../.." && pwd)

# ---- Sites: what init writes for them, check finds nothing in -----------------

# The slurm.conf of a page, with lines that a site has and the page leaves out.
site_of() { # SLURM.CONF
	local conf=$work/etc/slurm.conf
	rm -rf "${work:?}/etc"
	mkdir "$work/etc"
	# As in tests/system: keys of the sandbox's site count unless the page
	# has them; nodes and partitions are the page's.
	if grep -q '^NodeName' "$1"; then
		grep -vE '^(NodeName|PartitionName|#|PluginDir|$)' "$cedar/slurm.conf" |
			while IFS= read -r line; do
				grep -qi "^${line%%=*}=" "$1" || echo "$line"
			done >"$conf"
	fi
	sed -E 's/\.\.\.$//' "$1" | grep -v '^PluginDir' >>"$conf"
	grep -q 'PartitionName=DEFAULT' "$conf" || grep -q DefMemPer "$conf" ||
		sed -i '0,/^PartitionName/s//PartitionName=DEFAULT DefMemPerCPU=1000\n&/' "$conf"
	echo "optional spank_equitree.so" >"$work/etc/plugstack.conf"
}
cedar=$top/sandbox/sites/cedar
accept() { # NAME [ACCOUNTS]
	run init --slurm-conf "$work/etc/slurm.conf" ${2:+--assocs "$2"} \
		--output "$work/etc/equitree.conf"
	is "$status|$out$err" "0|" "$1: init writes a file"
	run check --slurm-conf "$work/etc/slurm.conf" ${2:+--assocs "$2"}
	# A page's weight of age beside the sandbox's of fair share, options of its
	# Slurm, and a GRES that no bundle can price (local disk) are not init's.
	out=$(grep -vE '\[(weight-swamped|option-unmodelled|gres-unpriced)\]$' <<<"$out")
	is "${out:+$status}|${out//"$work/etc/"/}$err" "|" "$1: check finds nothing in it" ||
		diag "$(<"$work/etc/equitree.conf")"
}
page_block() { # PAGE NAME
	awk -v name="$2" '$0 == "```" name { on = 1; next } /^```$/ { on = 0 } on' "$1"
}
accounts_of() { # PAGE: as sacctmgr would print them
	echo 'Account|User'
	page_block "$1" accounts | sed 's/\\$//' |
		grep -oE 'add account [a-zA-Z0-9_.,-]+' | cut -d' ' -f3 | tr , '\n' |
		sed 's/$/|/'
}
site_of "$cedar/slurm.conf"
accept "the sandbox's site" "$data/sshare.txt"
for page in "$top"/docs/recipes/*.md; do
	page_block "$page" slurm.conf >"$work/page.conf"
	grep -q '^NodeName' "$work/page.conf" || continue
	name=$(basename "$page" .md)
	accounts_of "$page" >"$work/accounts"
	site_of "$work/page.conf"
	if [[ $(wc -l <"$work/accounts") -gt 1 ]]; then
		accept "$name" "$work/accounts"
	else
		accept "$name"
	fi
done
for file in "$top"/tests/system/sites/*/slurm.conf "$top/slurm.conf.example"; do
	[[ -e $file ]] || continue
	grep -q '^NodeName' "$file" || continue
	site_of "$file"
	accept "${file#"$top/"}"
done

# ---- What it writes -------------------------------------------------------------

written() { # LINE...: the lines of slurm.conf
	printf '%s\n' "$@" >"$work/slurm.conf"
	run init --slurm-conf "$work/slurm.conf"
	grep -vE '^#|^$' <<<"$out"
}
is "$(written 'NodeName=a[1-3] CPUs=40 RealMemory=191000' \
	'NodeName=fat Sockets=2 CoresPerSocket=20 ThreadsPerCore=2 RealMemory=1500000' \
	'PartitionName=thin Nodes=a[1-3]' 'PartitionName=fat Nodes=fat' \
	'PartitionName=all Nodes=ALL')" \
	'bundle "cores" { cores = 1  memory = 4800M }
partition "fat" { cores = 1  memory = 37500M }
billing_scale = 1000' "memory of most nodes, and a partition with other nodes"
is "$(written 'NodeName=g1 CPUs=32 RealMemory=256000 Gres=gpu:a100:3' \
	'NodeName=g[2-5] CPUs=64 RealMemory=512000 Gres=gpu:v100:4' \
	'NodeName=h1,h2 CPUs=24 RealMemory=512000 Gres=gpu:v100:4')" \
	'bundle "cores" { cores = 1  memory = 8000M }
bundle "gpu:a100" { cores = 10.666667  memory = 85350M }
bundle "gpu:v100" { cores = 16  memory = 128000M }
bundle "gpu:v100" { cores = 6  memory = 128000M  nodes = h1,h2 }
billing_scale = 1000' \
	"models of GPUs, one with two bundles; no nodes of cores alone"
is "$(written 'NodeName=g1 CPUs=8 RealMemory=64000 Gres=gpu:2,craynetwork:4')" \
	'bundle "cores" { cores = 1  memory = 8000M }
bundle "gpu" { cores = 4  memory = 32000M }
billing_scale = 1000' "GPUs without a type"
is "$(written SelectTypeParameters=CR_Core 'NodeName=c1 CPUs=8 RealMemory=64000')" \
	'bundle "cores" { cores = 1 }
billing_scale = 1000' "memory that Slurm does not allocate has no price"
is "$(written 'NodeName=c1 CPUs=8')" 'bundle "cores" { cores = 1 }
billing_scale = 1000' "nodes without RealMemory"
is "$(written 'NodeName=c1 CPUs=8 RealMemory=66000 CoreSpecCount=2 MemSpecLimit=2000')" \
	'bundle "cores" { cores = 1  memory = 10700M }
billing_scale = 1000' "cores and memory of Slurm itself are not a job's"
is "$(written "NodeName=$(seq -s, -f 'n%03g' 1 80) CPUs=8 RealMemory=8000 Gres=gpu:t4:1" \
	'NodeName=m[1-99] CPUs=2 RealMemory=8000 Gres=gpu:t4:1')" \
	'bundle "cores" { cores = 1  memory = 4000M }
bundle "gpu:t4" { cores = 2  memory = 8000M }
billing_scale = 1000' "names of nodes that are too long stay a comment"
run init --slurm-conf "$work/slurm.conf"
like "$out" '#bundle "gpu:t4" \{ cores = 8' "the bundle is there to be completed"

# ---- Pools ------------------------------------------------------------------------

pools() { # ACCOUNT...
	{ echo 'Account|User|Share' && printf '%s||1\n' root "$@"; } >"$work/accounts"
	run init --slurm-conf "$cedar/slurm.conf" --assocs "$work/accounts"
	grep 'pool "' <<<"$out"
}
is "$(pools def-x_cpu def-x_gpu rrg-y_gpu rrg-y_cpu)" \
	'pool "cpu" { suffix = _cpu }
pool "gpu" { suffix = _gpu }' "pairs of accounts make pools"
is "$(pools x-delta-cpu x-delta-gpu)" 'pool "cpu" { suffix = -cpu }
pool "gpu" { suffix = -gpu }' "pairs of accounts with another separator make pools"
is "$(pools def-x_cpu def-x_gpu rrg-y_gpu)" '#pool "cpu" { suffix = _cpu }
#pool "gpu" { suffix = _gpu }' "one account without its counterpart"
pools def-x_cpu def-x_gpu rrg-y_gpu >/dev/null
like "$out" 'Account rrg-y_gpu has no counterpart' "the account is named"
is "$(pools physics gpu mycpu)" '#pool "cpu" { suffix = _cpu }
#pool "gpu" { suffix = _gpu }' "no pairs, no pools"

# ---- The command --------------------------------------------------------------------

run init --slurm-conf "$cedar/slurm.conf" --json
is "$status|$(tr -d ' \n' <<<"$out")" \
	'0|{"bundles":[{"name":"cores","cores":1.0,"memory_mib":4000,"nodes":null,"node_count":2,"like":"cpu1"},{"name":"gpu:p100","cores":6.0,"memory_mib":32000,"nodes":null,"node_count":1,"like":"gpu1"},{"name":"gpu:v100","cores":8.0,"memory_mib":48000,"nodes":null,"node_count":1,"like":"gpu2"}],"partitions":[],"pool_cpu":null,"pool_gpu":null}' \
	"JSON: all that the file has"
SLURM_CONF=$cedar/slurm.conf run init
is "$status|$(grep -c '^bundle' <<<"$out")" "0|3" "slurm.conf is found by SLURM_CONF"
echo mine >"$work/there"
refuses "$work/there exists" "a file that is there stays" \
	init --slurm-conf "$cedar/slurm.conf" -o "$work/there"
is "$(<"$work/there")" mine "its content stays"
refuses "$work/none: No such file or directory" "no slurm.conf" \
	init --slurm-conf "$work/none"
refuses "$work/none: No such file or directory" "no file of accounts" \
	init --slurm-conf "$cedar/slurm.conf" --assocs "$work/none"
echo ClusterName=x >"$work/empty"
refuses "slurm.conf has no nodes" "a slurm.conf without nodes" \
	init --slurm-conf "$work/empty"
for i in {1..40}; do
	echo "NodeName=n$i CPUs=8 RealMemory=8000 Gres=gpu:m$i:1"
done >"$work/many"
refuses "more than 32 kinds of nodes: write the bundles by hand" \
	"more models than a file may have" init --slurm-conf "$work/many"
head -n 33 "$work/many" >"$work/many33"
refuses "more than 32 kinds of nodes: write the bundles by hand" \
	"one model more than a file may have" init --slurm-conf "$work/many33"
{
	head -n 32 "$work/many"
	echo "NodeName=c1 CPUs=8 RealMemory=16000"
} >"$work/many32"
run init --slurm-conf "$work/many32" -o "$work/many32.conf"
is "$status|$(grep -c '^bundle' "$work/many32.conf")" "0|33" \
	"as many models as a file may have, and cores"
run check -f "$work/many32.conf" --slurm-conf "$work/many32"
is "$(grep -c 'many32.conf' <<<"$out$err")" 0 "equitree check finds no error in that file"
run init --json -o "$work/x"
is "$status" 2 "--output with --json is misuse"
# ---- Prices as Slurm has them: its own formula, worked out again ----------------

# The billing of CPUs, MiB, GPUs and GiB of disk by the weights below.
slurm_billing() { # PARTITION LARGEST CPUS MEMORY GPUS DISK
	awk -v part="$1" -v largest="$2" -v cpus="$3" -v mem="$4" -v gpus="$5" -v disk="$6" 'BEGIN {
		w[1] = cpus
		if (part != "plain") w[2] = mem * 0.25 / 1024
		if (part == "gpu") { w[3] = gpus * 15; w[4] = disk * 0.006 }
		for (i = 1; i <= 4; i++) { sum += w[i]; if (w[i] > most) most = w[i] }
		printf "%d\n", (largest ? most : sum) + 1e-9 }'
}
# The same for 2,000 jobs, as sacct prints them.
month() { # LARGEST
	awk -v largest="$1" 'BEGIN {
		srand(29)
		print "JobIDRaw|Account|User|Partition|QOS|Start|End|ElapsedRaw|Suspended|AllocTRES"
		for (i = 1; i <= 2000; i++) {
			part = i % 3 == 0 ? "plain" : i % 3 == 1 ? "gpu" : "cpu"
			w[1] = cpus = 1 + int(rand() * 32)
			mem = 1 + int(rand() * 128000)
			w[2] = part == "plain" ? 0 : mem * 0.25 / 1024
			gpus = part == "gpu" ? int(rand() * 5) : 0
			disk = part == "gpu" ? int(rand() * 800) : 0
			w[3] = gpus * 15
			w[4] = disk * 0.006
			most = sum = 0
			for (k = 1; k <= 4; k++) { sum += w[k]; if (w[k] > most) most = w[k] }
			tres = sprintf("billing=%d,cpu=%d", (largest ? most : sum) + 1e-9, cpus)
			if (gpus) tres = tres sprintf(",gres/gpu:a100=%d,gres/gpu=%d", gpus, gpus)
			if (disk) tres = tres sprintf(",gres/nvme=%dG", disk)
			day = 1 + int(rand() * 29)
			printf "%d|a|u%d|%s|normal|2026-05-%02dT00:00:00|2026-05-%02dT10:00:00|36000|00:00:00|%s,mem=%dM,node=1\n", \
				i, i, part, day, day, tres, mem
		} }'
}
for largest in 0 1; do
	flags=("FAIR_TREE" "MAX_TRES")
	cat >"$work/weights.conf" <<-END
	ClusterName=x
	SlurmctldHost=head
	PriorityFlags=${flags[largest]}
	SelectTypeParameters=CR_Core_Memory
	NodeName=c[1-4] CPUs=64 Sockets=2 CoresPerSocket=16 ThreadsPerCore=2 RealMemory=128000
	NodeName=g[1-2] CPUs=32 Sockets=2 CoresPerSocket=16 RealMemory=128000 Gres=gpu:a100:4,nvme:800G
	PartitionName=cpu Nodes=c[1-4] TRESBillingWeights="CPU=1.0,Mem=0.25G" Default=YES
	PartitionName=gpu Nodes=g[1-2] TRESBillingWeights="CPU=1.0,Mem=0.25G,GRES/gpu=15.0,GRES/nvme=0.006G,License/x=3"
	PartitionName=plain Nodes=c[1-4]
	END
	run init --weights --slurm-conf "$work/weights.conf"
	is "$status|$err" "0|" "${flags[largest]}: init takes the prices of TRESBillingWeights"
	like "$out" "# not priced: License/x=3" "${flags[largest]}: a weight without a key is named"
	echo "$out" >"$work/weights.equitree"
	RANDOM=7 differ=0
	for ((i = 0; i < 60; i++)); do
		part=$([[ $((i % 3)) == 0 ]] && echo cpu || { ((i % 3 == 1)) && echo gpu || echo plain; })
		cores=$((1 + RANDOM % 16)) mem=$((1 + RANDOM)) gpus=0 disk=0 options=()
		if [[ $part == gpu ]]; then
			gpus=$((RANDOM % 5)) disk=$((RANDOM % 800))
			((gpus == 0)) || options+=("--gpus=a100:$gpus")
			((disk == 0)) || options+=("--gres=nvme:${disk}G")
		fi
		run bill --json -f "$work/weights.equitree" -p "$part" -N1 -n"$cores" --mem="${mem}M" "${options[@]}"
		got=$(sed -nE 's/^ *"billing": *([0-9]+),?/\1/p' <<<"$out" | head -n 1)
		cpus=$cores
		[[ $part == gpu ]] || cpus=$((2 * cores))
		[[ $got == "$(slurm_billing "$part" "$largest" "$cpus" "$mem" "$gpus" "$disk")" ]] || {
			differ=$((differ + 1))
			diag "$part -n$cores --mem=$mem ${options[*]}: $got"
		}
	done
	is "$differ" 0 "${flags[largest]}: 60 requests have the billing of Slurm's formula"

	# A month of jobs, each of a user of its own: where the present price is another than the
	# billing, usage by billing differs from usage by prices in the line of that user.
	sed -i 's/CPUs=64 /CPUs=32 /; s/ThreadsPerCore=2/ThreadsPerCore=1/' "$work/weights.conf"
	run init --weights --slurm-conf "$work/weights.conf"
	{ echo "$out"; echo 'billing_since = 2026-05-01'; } >"$work/weights.equitree"
	month "$largest" >"$work/month"
	run usage -f "$work/weights.equitree" --now 2026-06-01 --by submitter --csv --jobs "$work/month"
	billed=${out//,billing/}
	run usage -f "$work/weights.equitree" --now 2026-06-01 --by submitter --csv --jobs "$work/month" --reprice
	is "$(grep -cE '^u[0-9]+,(core|GPU)-years,0\.0*[1-9]' <<<"$billed")|$(diff <(echo "$billed") <(echo "${out//,prices/}") | grep -c '^<')" "2000|0" \
		"${flags[largest]}: 2000 jobs of a month have the prices of init, 0 differences"
	sed -i '2s/billing=[0-9]*/billing=99/' "$work/month"
	run usage -f "$work/weights.equitree" --now 2026-06-01 --by submitter --csv --jobs "$work/month"
	is "$(diff <(echo "$billed") <(echo "${out//,billing/}") | grep -c '^<')" 1 \
		"${flags[largest]}: another billing of one job is a difference"
done

done_testing
