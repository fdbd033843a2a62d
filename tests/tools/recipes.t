#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# docs/recipes: charging rules of real sites, each priced as the site has
# written it down.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"
recipes=$tools_dir/../../docs/recipes

# A node of 128 cores and 256 GB, alone in its partition.
sed -n '1s/cpu1/a1/; 1s/=32 /=128 /gp' "$data/nodes.txt" |
	sed 's/CoresPerSocket=16/CoresPerSocket=64/; s/=128000/=262144/;
		s/Partitions=cpu/Partitions=wide/' \
		>"$work/nodes"
sed -n '1,/^$/p' "$data/partitions.txt" |
	sed 's/PartitionName=cpu/PartitionName=wide/; s/Nodes=cpu.*/Nodes=a1/' \
		>"$work/partitions"

# Two nodes of 40 cores, with a little less than 4 GB for each, in a partition.
for i in 1 2; do
	sed -n "1s/cpu1/o$i/; 1s/=32 /=40 /gp" "$data/nodes.txt"
done | sed 's/CoresPerSocket=16/CoresPerSocket=20/; s/=128000/=160000/;
	s/Partitions=cpu/Partitions=two/' >"$work/two-nodes"
sed -n '1,/^$/p' "$data/partitions.txt" |
	sed 's/PartitionName=cpu/PartitionName=two/; s/Nodes=cpu.*/Nodes=o[1-2]/' \
		>"$work/two"

used=()
# recipe, price and pool, charge, options. For the Alliance's clusters the first rows
# are the largest request that the site recommends for each GPU and slice: it costs
# its weight.
while IFS='|' read -r recipe price charge options; do
	[[ $recipe ]] || continue
	read -ra options <<<"${options//WORK/$work}"
	used+=("$recipe")
	run bill -f "$recipes/$recipe.conf" "${options[@]}"
	first=${out%%$'\n'*}
	like "$first" "^(cost $price(-equivalents?)? \\(|free)" \
		"$recipe: $price: ${options[*]/$work\//}"
	[[ $price == *" to "* ]] && continue
	run bill --json -f "$recipes/$recipe.conf" "${options[@]}"
	near "$(sed -nE 's/^ *"usage": *([0-9.e+-]+),?/\1/p' <<<"$out")" \
		"$charge" 1e-9 "$recipe: $charge is charged"
done <<'END'
cedar|2 core|2|-n2 --mem=4G
cedar|2.5 core|2.5|-n2 --mem-per-cpu=5G
cedar|2 core|2|-n1 --mem=8G
cedar|2 GPU|2|--gpus=p100:2 -n6 --mem=32000M
cedar|1.5 GPU|1.5|--gpus=p100:1 -n9 --mem=32000M
cedar|1.5 GPU|1.5|--gpus=p100:1 -n6 --mem=48000M
cedar|1 GPU|1|--gpus=p100l:1 -n6 --mem=64000M
cedar|2 GPU|2|--gpus=p100l:1 -n12 --mem=64000M
cedar|1 GPU|1|--gpus=v100l:1 -n8 --mem=48000M
cedar|2.5 GPU|2.5|--gpus=v100l:2 -n8 --mem=120000M
graham|1 GPU|1|--gpus=p100:1 -n16 --mem=64000M
graham|1.5 GPU|1.5|--gpus=p100:1 -n24 --mem=64000M
graham|1 GPU|1|--gpus=v100:1 -n3 --mem=22500M
graham|2 GPU|2|--gpus=v100:2 -n7 --mem=45000M
graham|2 GPU|2|--gpus=v100:1 -n7 --mem=22500M
graham|1 GPU|1|--gpus=v100l:1 -n5 --mem=48000M
graham|1 GPU|1|--gpus=t4:1 -n4 --mem=49000M
graham|1 to 2.75 GPU||--gpus=t4:1 -n11 --mem=49000M
graham|2 GPU|2|--gpus=t4:1 -n4 --mem=98000M
beluga|1 GPU|1|--gpus=v100:1 -n10 --mem=47000M
beluga|2 GPU|2|--gpus=v100:1 -n5 --mem=94000M
niagara|2.5 core|2.5|-n1 --mem=12G
niagara|128 core|128|-n1 --exclusive --mem=1G -p wide --node-info=WORK/nodes --partition-info=WORK/partitions
alliance-fir|12.2 GPU|12.2|--gpus=h100:1 -n12 --mem=280G
alliance-fir|1.74 GPU|1.74|--gpus=h100_1g.10gb:1 -n1 --mem=35G
alliance-fir|3.48 GPU|3.48|--gpus=h100_2g.20gb:1 -n3 --mem=70G
alliance-fir|6.1 GPU|6.1|--gpus=h100_3g.40gb:1 -n6 --mem=140G
alliance-narval|0.57 GPU|0.57|--gpus=a100_1g.5gb:1 -n1 --mem=15G
alliance-narval|1.14 GPU|1.14|--gpus=a100_2g.10gb:1 -n3 --mem=31G
alliance-narval|2 GPU|2|--gpus=a100_3g.20gb:1 -n6 --mem=62G
alliance-narval|2.3 GPU|2.3|--gpus=a100_4g.20gb:1 -n6 --mem=62G
alliance-nibi|1.74 GPU|1.74|--gpus=h100_1g.10gb:1 -n2 --mem=31G
alliance-nibi|3.48 GPU|3.48|--gpus=h100_2g.20gb:1 -n4 --mem=62G
alliance-nibi|6.1 GPU|6.1|--gpus=h100_3g.40gb:1 -n6 --mem=124G
alliance-rorqual|12.2 GPU|12.2|--gpus=h100:1 -n16 --mem=124G
alliance-rorqual|1.74 GPU|1.74|--gpus=h100_1g.10gb:1 -n2 --mem=15G
alliance-rorqual|3.48 GPU|3.48|--gpus=h100_2g.20gb:1 -n4 --mem=31G
alliance-rorqual|6.1 GPU|6.1|--gpus=h100_3g.40gb:1 -n8 --mem=62G
alliance-trillium|12.2 GPU|12.2|--gpus=h100:1 -n24 --mem=188G
alliance-fir|12.2 GPU|12.2|--gpus=h100:1 -n12 --mem=288G
alliance-fir|24.4 GPU|24*12.2/12|--gpus=h100:1 -n24 --mem=280G
alliance-fir|20.3333 GPU|480*12.2/288|--gpus=h100:1 -n8 --mem=480G
alliance-fir|3.48 GPU|3.48|--gpus=h100_2g.20gb:1 -n3 --mem=80G
alliance-fir|1.74 GPU|1.74|--gpus=h100_1g.10gb:1 -n1 --mem=40G
alliance-fir|18.3 GPU|18.3|--gpus=h100:1,h100_3g.40gb:1 -n17 --mem=400G
alliance-narval|4 GPU|4|--gpus=a100:1 -n12 --mem=124G
alliance-narval|1.14 GPU|1.14|--gres=gpu:a100_2g.10gb:1 -n3 --mem=35G
alliance-narval|2 GPU|2|--gres=gpu:a100_2g.10gb:1 -n6 --mem=35G
alliance-narval|0.57 GPU|0.57|--gres=gpu:a100_1g.5gb:1 -n1 --mem=17G
alliance-narval|2.3 GPU|2.3|--gres=gpu:a100_4g.20gb:1 -n6 --mem=71G
alliance-narval|0.57 to 4 GPU||--gpus=1 -n1 --mem=1G
alliance-nibi|12.2 GPU|12.2|--gpus=h100:1 -n14 --mem=250G
alliance-nibi|13.0435 GPU|15/1.15|--gpus=h100:1 -n15 --mem=250G
alliance-rorqual|12.2 GPU|12.2|--gpus=h100:1 -n15 --mem=124G
alliance-rorqual|12.543 GPU|128*12.2/124.5|--gpus=h100:1 -n15 --mem=128G
alliance-trillium|48.8 GPU|48.8|--gpus=h100:4 -n96 --mem=751G
rgu-models|1.3 GPU|1.3|--gpus=t4:1 -n3 --mem=40G
rgu-models|4.8 GPU|4.8|--gpus=a100l:1 -n14 --mem=149G
rgu-models|1 to 12.2 GPU||--gpus=1 -n3 --mem=31G
rgu-models|4.4 GPU|4.4|--gpus=v100:2 -n13 --mem=136G
whole-units|3 core|3|-n2 --mem=10000M
whole-units|2 GPU|2|--gpus=a100:1 -n17 --mem=1G
whole-units|1 core|1|-n1 --mem=1G
service-units|1 core|1|-n1 --mem=1G
service-units|6 core|6|-n1 --mem=12G
service-units|128 core|128|-n1 --exclusive --mem=1G -p wide --node-info=WORK/nodes --partition-info=WORK/partitions
service-units|128 core|128|-n1 --mem=0 -p wide --node-info=WORK/nodes --partition-info=WORK/partitions
service-units|8 core|32|-p highmem -n1 --mem=64G
partition-weights|32 core|32|-p cpu -n4 --mem=64G
partition-weights|8 core|8|-p largemem -n4 --mem=64G
partition-weights|2 core|1|-p longcpu -n2 --mem=4G
partition-weights|16 GPU|16|-p gpu --gpus=1 -n16 --mem=64G
partition-weights|8 GPU|8|-p gpu -n8 --mem=64G
node-hours|1 core|1|-n128 --mem=200G
node-hours|2 core|4|-q premium -N2 -n256 --mem=512G
node-hours|0.25 core|0.25|-n32 --mem=64G
node-hours|1 core|0.143|-p vm-small -n16 --mem=32G
node-hours|1 core|0|-q overrun -n128 --mem=200G
slices|4 core|4|-n4 --mem=16G
slices|150 GPU|150|--gpus=a100:1 -n18 --mem=125G
slices|43.5 GPU|43.5|--gpus=a100_2g.10gb:1 -n5 --mem=36G
slices|193.5 GPU|193.5|--gpus=a100:1,a100_2g.10gb:1 -n20 --mem=100G
csc-puhti|3.6 BU|2+10*0.1+100*0.006|-n2 --mem=10G --gres=nvme:100G
csc-puhti|40 BU|40|-N1 -n20 --mem=200G
csc-puhti|78 BU|60+10+8|--gpus=v100:1 -N1 -n10 --mem=80G
csc-puhti|319 BU|4*60+40+36+500*0.006|--gres=gpu:v100:4,nvme:500G -N1 -n40 --mem=360G
csc-roihu|6 CPU-BU|6|-N1 -n4 --mem=16G
csc-roihu|400 GPU-BU|2*200|-N1 --gpus=2 -n144 --mem=434G
csc-roihu|1152 CPU-BU|4*288|-p medium -N4 -n1536
csc-roihu|5.75 CPU-BU|10*0.375+100*0.02|-N1 -n2 --mem=10G --gres=nvme:100G
csc-roihu|7.5 CPU-BU|10*0.75|-N1 -n10 --mem=20G
csc-roihu|500 CPU-BU|2000*0.25|-p hugemem -N1 -n8 --mem=2000G
csc-roihu|98 CPU-BU|12*8+100*0.02|-p hugemem -N1 -n8 --mem=100G --gres=nvme:100G
csc-mahti|400 BU|400|-p medium -N4 -n512
csc-mahti|6 BU|5+100*0.01|-N1 -n5 --gres=nvme:100G
csc-mahti|400 BU|400|-N1 --gpus=a100:4 -n32
csc-mahti|16 BU|15+1|-N1 --gpus=a100_1g.5gb:1 -n4 --gres=nvme:100G
nersc|81920 core|1024*80*0.6|-p knl -N1024
nersc|81840 core|1023*80|-p knl -N1023
nersc|81920 core|1024*80*0.6*2|-p knl -q premium -N1024
nersc|80 core|80*4|-p knl -q premium4 -N1
nersc|14000 core|14000|-p haswell -N100
nersc|140 core|0|-p haswell -q overrun -N1
lumi|2048 core|16*128|-p standard -N16
lumi|4 core|4|-p small -N1 -n4 --mem=4G
lumi|16 core|32/2|-p small -N1 -n4 --mem=32G
lumi|3 core|3|-p small -N1 -n1 --mem=5G
lumi|32 core|32|-N1 -n32
lumi|16 core|4*4|-p standard-g -N4
lumi|16 GPU|4*4|-p standard-g -N4 --gpus-per-node=8
lumi|2 GPU|2*0.5|-p small-g -N1 --gpus=2
lumi|2 GPU|128/64*0.5|-p small-g -N1 -n1 --gpus=1 --mem=128G
lumi|2 GPU|2*0.5|-p small-g -N1 -n9 --gpus=1 --mem=1G
osc|3 core|3|-N1 -n3
osc|3 core|12/4|-N1 -n1 --mem=12G
osc|68 GPU|8+2*30|-N1 -n8 --gpus=2
osc|1 core|1|-N1 -n1 --mem=1G -p two --node-info=WORK/two-nodes --partition-info=WORK/two
osc|80 core|2*40|-N2 -n2 --mem=1G -p two --node-info=WORK/two-nodes --partition-info=WORK/two
osc|80 core|2*40|-n41 --mem=1G -p two --node-info=WORK/two-nodes --partition-info=WORK/two
archer2|16 CUs?|16|-p standard -N16
archer2|3 CUs?|3|-p highmem -N3
archer2|1 CUs?|0|-p serial -N1 -n4
archer2|1 GPU|0|-p gpu -N1 --gpus=1
archer2|2048 CUs?|0|-p standard -q lowpriority -N2048
ulhpc|9 core|1+32*0.25|-N1 -n1 --mem=32G
ulhpc|72 GPU|4*15+4+32*0.25|-N1 -n4 --gpus=4 --mem=32G
delta|128 core|128|-N1 -n128 --mem=238418M
delta|5.3687 core|10*2^30/(2*10^9)|-N1 -n1 --mem=10G
delta|4 GPU|4|-p gpuA100x4 -N1 -n64 --gpus=a100:4 --mem=208G
delta|1 GPU|1|-p gpuMI100x8 -N1 -n2 --gpus=mi100:1 --mem=3G
delta|8 GPU|8|-p gpuMI100x8 -N1 -n2 --gpus=mi100:8 --mem=3G
delta|8 GPU|16|-p gpuMI100x8-interactive -N1 -n128 --gpus=mi100:8 --mem=64G
delta|8 GPU|8*1.5|-p gpuA100x8 -N1 -n128 --gpus=a100:8 --mem=1900000M
delta|1.3744 GPU|0.6*80*2^30/(62.5*10^9)|-p gpuA40x4 -N1 -n16 --gpus=1 --mem=80G
delta|4 core|8|-p cpu-interactive -N1 -n4 --mem=4G
rails|96 core|96|-N1 -n96 --mem=488281M
rails|960 GPU|960|-N1 -n96 --gpus=h100:8 --mem=1907348M
rails|120 GPU|120|-N1 -n12 --gpus=h100:1 --mem=238418M
rails|240 GPU|240|-N1 -n24 --gpus=h100:1 --mem=16G
rails|6.4425 core|32*2^30*96/(512*10^9)|-N1 -n1 --mem=32G
night-weekend|4 core|4*0.5|-n4 --mem=4G -t60
night-weekend|2 core|2*3*0.5|-p express -n2 --mem=8G -t60
queues|4 core|12|-p express -n4 --mem=4G -t60
queues|4 core|4|-p normal -n4 --mem=64G -t60
queues|4 core|0|-p normal -q bonus --usage-factor=0 -n4 --mem=4G -t60
END

refuses "partition normal wants --time, and --mem (or --mem-per-cpu, --mem-per-gpu), and --ntasks or --cpus-per-task" \
	"queues: what a job must say" \
	bill -f "$recipes/queues.conf" -p normal

run bill -f "$recipes/night-weekend.conf" -n4 --mem=4G -t60
like "$out" "×0.5 to 1 by the time of the week, 2 to 4 h for 1:00:00" \
	"night-weekend: the message has the range of the week"

for file in "$recipes"/*.conf; do
	name=$(basename "$file" .conf)
	like " ${used[*]} " " $name " "$name: has a price here"
done
done_testing
