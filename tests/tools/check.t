#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# equitree check: a clean configuration gives nothing, each fault its finding.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

# The clean configuration; a fault is a line more, or one that sed changes.
clean() {
	rm -rf "${work:?}/etc"
	mkdir "$work/etc"
	cat >"$work/etc/slurm.conf" <<'END'
ClusterName=test
PriorityType=priority/equitree
JobSubmitPlugins=lua,equitree
PriorityDecayHalfLife=7-0
PriorityWeightAge=1000
PriorityWeightFairshare=100000
AccountingStorageType=accounting_storage/slurmdbd
AccountingStorageEnforce=associations,limits
AccountingStorageTRES=gres/gpu,gres/gpu:p100
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
GresTypes=gpu
NodeName=DEFAULT CPUs=32 RealMemory=128000
NodeName=c[1-2]
NodeName=g1 CPUs=24 Gres=gpu:p100:4
PartitionName=DEFAULT DefMemPerCPU=4000
PartitionName=cpu Nodes=c[1-2]
PartitionName=gpu Nodes=g1
END
	cat >"$work/etc/gres.conf" <<'END'
NodeName=g1 Name=gpu Type=p100 File=/dev/nvidia[0-3]
END
	cat >"$work/etc/equitree.conf" <<'END'
bundle "cores" { cores = 1  memory = 4000M }
bundle "gpu:p100" {
	cores = 6
	memory = 32000M
}
END
	echo "optional spank_equitree.so" >"$work/etc/plugstack.conf"
}

check() { run check --slurm-conf "$work/etc/slurm.conf" "$@"; }

# finds "FILE[:LINE]: LEVEL: TEXT..." NAME: the findings, one a line, begin so;
# there are no others.
finds() {
	local wanted=$1 name=$2 line bad='' lines
	shift 2
	check "$@"
	lines=${out//"$work/etc/"/}
	[[ $status == 1 && ! $err ]] || bad="status $status, $err"
	[[ $(wc -l <<<"$lines") == $(wc -l <<<"$wanted") ]] || bad+=" count"
	while IFS= read -r line; do
		grep -qF -- "$line" <<<"$lines" || bad+=" [$line]"
	done <<<"$wanted"
	is "${bad:+$bad in: $lines}" "" "$name"
}

# slurm KEY [VALUE]: change or remove a line of slurm.conf.
slurm() {
	clean
	sed -i "s|^$1=.*|${2+$1=$2}|" "$work/etc/slurm.conf"
}
also() { printf '%s\n' "$@" >>"$work/etc/slurm.conf"; }
conf() {
	clean
	printf '%s\n' "$@" >>"$work/etc/equitree.conf"
}

clean
check
is "$status|$out|$err" "0||" "a clean configuration gives nothing"
check --json
is "$status|$(tr -d '[:space:]' <<<"$out")" "0|[]" "a clean configuration gives an empty JSON array"

# ---- slurm.conf's priorities and plugins ------------------------------------
slurm PriorityDecayHalfLife 0
finds 'slurm.conf:4: error: PriorityDecayHalfLife=0 without PriorityUsageResetPeriod' \
	"half-life 0 and no reset"
also PriorityUsageResetPeriod=MONTHLY
check
is "$status|$out" "0|" "half-life 0 with a reset is fine"
slurm PriorityDecayHalfLife 1:00:00
also PriorityCalcPeriod=30
finds 'slurm.conf:19: warning: ranks are up to 1800 s old, but usage halves every 3600 s' \
	"a period that is long for the half-life"
slurm PriorityDecayHalfLife 0:30
also PriorityParameters=period=20
finds 'slurm.conf:19: warning: ranks are up to 20 s old, but usage halves every 60 s' \
	"our own period as well"
slurm PriorityWeightAge 3000000000
also PriorityWeightQOS=2000000000
finds 'slurm.conf:5: error: the weights add up to 5000100000, but a priority has 32 bits
slurm.conf:6: warning: PriorityWeightFairShare=100000 is swamped by PriorityWeightAge' \
	"weights that overflow 32 bits, and one that they swamp"
slurm PriorityWeightFairshare
also PriorityWeightTRES=cpu=4294967295,mem=1
finds 'slurm.conf:19: error: the weights add up to 4294968296
slurm.conf: warning: PriorityWeightFairShare is 0' \
	"TRES have weights, too; no weight for the share tree"
slurm PriorityWeightAge 100
finds 'slurm.conf:5: warning: PriorityWeightAge=100 is swamped by PriorityWeightFairShare=100000' \
	"a weight that another swamps"
slurm PriorityWeightFairshare 10
sed -i 's/^PriorityWeightAge=.*/PriorityWeightAge=10/' "$work/etc/slurm.conf"
finds 'slurm.conf:6: warning: PriorityWeightFairShare=10 has fewer points than the 14 ranks' \
	"ranks that a weight cannot tell apart" --assocs "$data/sshare.txt"
clean
also PriorityFlags=MAX_TRES,no_fair_tree
finds 'slurm.conf:19: warning: NO_FAIR_TREE' "no Fair Tree"
conf 'priority {' ' idle_shares = no' '}'
also PriorityFlags=NO_FAIR_TREE
finds 'slurm.conf:19: warning: NO_FAIR_TREE
equitree.conf:7: warning: idle_shares needs Fair Tree: with PriorityFlags=NO_FAIR_TREE it has no effect' \
	"idle_shares without Fair Tree"
conf 'priority {' ' allocated_now = 60' ' order = jobs' ' tasks_ahead = 10' '}'
also PriorityFlags=NO_FAIR_TREE
finds 'slurm.conf:19: warning: NO_FAIR_TREE
equitree.conf:7: warning: allocated_now needs Fair Tree
equitree.conf:8: warning: order needs Fair Tree' "and what else needs it"
conf 'priority { idle_shares = no }'
check
is "$status|$out$err" "0|" "idle_shares with Fair Tree"
clean
slurm PriorityType priority/multifactor
finds 'slurm.conf:2: error: PriorityType is not priority/equitree' "another plugin"
slurm PriorityType
finds 'slurm.conf: error: PriorityType is not priority/equitree' "no plugin"
slurm JobSubmitPlugins lua
finds 'slurm.conf:3: error: JobSubmitPlugins has no equitree' "no submission plugin"
clean
rm "$work/etc/plugstack.conf"
finds 'slurm.conf: warning: plugstack.conf does not load spank_equitree.so' \
	"no plugstack.conf"
# As the packages have it.
mkdir -p "$work/etc/plugstack.conf.d" "$work/package"
echo "include plugstack.conf.d/*.conf" >"$work/etc/plugstack.conf"
echo "#include $work/package/*.conf" >"$work/etc/plugstack.conf.d/equitree.conf"
finds 'slurm.conf: warning: plugstack.conf does not load spank_equitree.so' \
	"an included file without the plugin but for a comment"
sed -i 's/^#//' "$work/etc/plugstack.conf.d/equitree.conf"
finds 'slurm.conf: warning: plugstack.conf does not load spank_equitree.so' \
	"an included file that includes nothing"
echo "optional spank_equitree.so" >"$work/package/plugin.conf"
check
is "$status|$out$err" "0|" "a plugin in an included file of an included file"
echo "include plugstack.conf" >"$work/etc/plugstack.conf"
finds 'slurm.conf: warning: plugstack.conf does not load spank_equitree.so' \
	"a plugstack.conf that includes itself"
rm -r "$work/etc/plugstack.conf.d" "$work/package"
clean
echo "# spank_equitree.so" >"$work/etc/other"
also "PlugStackConfig=$work/etc/other"
finds 'slurm.conf:19: warning: plugstack.conf does not load' \
	"one without the plugin but for a comment"
conf "carbon_intensity = 30"
finds 'slurm.conf: warning: equitree.conf has a carbon intensity, but without AcctGatherEnergyType' \
	"a carbon intensity without energy"
also AcctGatherEnergyType=acct_gather_energy/ipmi PrologFlags=Alloc,Serial
finds 'slurm.conf:20: warning: without PrologFlags=Contain the energy of a job lacks what its batch script used' \
	"energy without the extern step"
for flag in Contain x11 RunInJob; do
	conf 'carbon_intensity_file = "/i.csv"'
	also AcctGatherEnergyType=acct_gather_energy/rapl PrologFlags=Alloc,$flag
	check
	is "$status|$out$err" "0|" "energy with the extern step of $flag"
done
clean
also AcctGatherEnergyType=acct_gather_energy/rapl
check
is "$status|$out$err" "0|" "energy that no report shows as CO2e"
slurm AccountingStorageType accounting_storage/none
finds 'slurm.conf:7: error: without accounting_storage/slurmdbd' "no slurmdbd"
slurm AccountingStorageEnforce
finds 'slurm.conf: warning: AccountingStorageEnforce has no associations' \
	"associations not enforced"
slurm AccountingStorageEnforce associations
finds 'slurm.conf:8: warning: AccountingStorageEnforce has no limits' \
	"limits not enforced"
slurm SelectTypeParameters CR_Core
finds 'slurm.conf:11: warning: memory is priced, but' "memory is not allocated"
clean
also 'MaxMemPerCPU=2000'
finds 'slurm.conf:19: warning: MaxMemPerCPU=2000: Slurm adds CPUs to jobs with more memory, so 4000M cost 2 times what the bundle of cores says; from MaxMemPerCPU=4000 on they cost the same' \
	"MaxMemPerCPU that makes memory dearer than the bundle"
clean
also 'MaxMemPerCPU=4000'
check
is "$status|$out" "0|" "MaxMemPerCPU of the bundle's memory changes no price"
sed -i 's/CPUs=32/CPUs=32 ThreadsPerCore=2/; s/^MaxMemPerCPU=.*/MaxMemPerCPU=2000/' "$work/etc/slurm.conf"
check
is "$status|$out" "0|" "MaxMemPerCPU of one of two threads of a core changes no price"
sed -i 's/CPUs=32 ThreadsPerCore=2/CPUs=16 Sockets=2 CoresPerSocket=16 ThreadsPerCore=2/' "$work/etc/slurm.conf"
finds 'slurm.conf:19: warning: MaxMemPerCPU=2000: Slurm adds CPUs to jobs with more memory, so 4000M cost 2 times' \
	"MaxMemPerCPU of cores that are given out whole"
slurm SelectType select/linear
finds 'slurm.conf:10: warning: GPUs are priced, but only select/cons_tres' \
	"GPUs without cons_tres"
clean
also PriorityWeightAge=2000
finds 'slurm.conf:5: warning: duplicate key PriorityWeightAge: ' "a key twice"

# ---- GPU models ---------------------------------------------------------------
slurm AccountingStorageTRES gres/license
finds 'slurm.conf:9: error: AccountingStorageTRES has no gres/gpu:p100: Slurm does not count them' \
	"a model that Slurm does not count"
slurm AccountingStorageTRES gres/gpu
check
is "$status|$out" "0|" "the only model is known without a typed TRES"
conf 'bundle "gpu:v100" { cores = 8  memory = 48000M }'
sed -i 's|^AccountingStorageTRES=.*|AccountingStorageTRES=gres/gpu|' "$work/etc/slurm.conf"
also 'NodeName=g2 Gres=gpu:v100:2'
finds 'slurm.conf:9: error: AccountingStorageTRES has no gres/gpu:p100: Slurm counts such GPUs without their model
slurm.conf:9: error: AccountingStorageTRES has no gres/gpu:v100: Slurm counts such GPUs without their model' \
	"two models without typed TRES"
slurm GresTypes
finds 'slurm.conf: error: GresTypes has no gpu' "no GresTypes"
clean
sed -i 's/gpu:p100:4/gpu:4/' "$work/etc/slurm.conf"
finds 'equitree.conf:2: warning: bundle "gpu:p100": no node has this GRES
slurm.conf:15: note: node g1 has gpu without a type
slurm.conf:15: warning: node g1 has gpu without a type, but the bundles of gpu have types
gres.conf:1: warning: gpu:p100 here, but the NodeName line of g1 has none with a type' \
	"nodes without a type, bundles with one"
clean
sed -i 's/gpu:p100/gpu/' "$work/etc/equitree.conf"
also 'NodeName=g2 Gres=gpu:v100:2'
finds 'equitree.conf:2: warning: bundle "gpu" has no type and prices 2 types of GPU alike, such as p100 and v100' \
	"one bundle without a type for several models"
clean
also 'NodeName=g[2-3] Gres=gpu:v100:2'
finds 'slurm.conf:19: warning: node g2 has gpu:v100, which no bundle prices' \
	"a model of a node without a bundle"
clean
echo 'NodeName=g1 Name=gpu Type=a100 File=/dev/x' >>"$work/etc/gres.conf"
finds 'gres.conf:2: warning: gpu:a100 has no bundle' \
	"a model of gres.conf without a bundle"
clean
echo 'NodeName=g9 Name=gpu Type=p100 File=/dev/x' >>"$work/etc/gres.conf"
finds 'gres.conf:2: warning: slurm.conf has no node g9' "an unknown node there"
clean
also 'NodeName=g2 Gres=gpu::2'
finds 'slurm.conf:19: error: Gres=gpu::2: ' "a Gres that cannot be read"
conf 'bundle "gpu:h100" { cores = 8 }'
sed -i 's/^AccountingStorageTRES=.*/&,gres\/gpu:h100/' "$work/etc/slurm.conf"
finds 'equitree.conf:6: warning: bundle "gpu:h100": no node has this GRES' \
	"a bundle for a model that no node has"


# ---- What has no price ----------------------------------------------------------
clean
also 'NodeName=g[5-6] Gres=shard:16,craynetwork:4' 'NodeName=g7 Gres=shard:8'
finds 'slurm.conf:19: warning: no bundle prices shard: a job with a part of a GPU keeps the GPU from others
slurm.conf:19: warning: no bundle prices craynetwork: jobs have it for nothing' \
	"a GRES without a bundle is reported once"
clean
also 'NodeName=g[5-6] CPUs=24 Gres=gpu:p100:4,shard:16' \
	'NodeName=g7 CPUs=12 RealMemory=64000 Gres=gpu:p100:2,mps:200'
finds 'slurm.conf:19: warning: no bundle prices shard: a job with a part of a GPU keeps the GPU from others for the price of its cores and memory; its part is bundle "shard" { cores = 1.5  memory = 8000M  weight = 0.25 }
slurm.conf:20: warning: no bundle prices mps: a job with a part of a GPU keeps the GPU from others for the price of its cores and memory; its part is bundle "mps" { cores = 0.06  memory = 320M  weight = 0.01 }' \
	"shares of GPUs without a bundle: the bundle of their part is named"
conf 'bundle "shard" { cores = 1.5  memory = 8000M  weight = 0.25 }'
also 'NodeName=g5 CPUs=24 Gres=gpu:p100:4,shard:16'
sed -i 's/^GresTypes=.*/&,shard/; s/^AccountingStorageTRES=.*/&,gres\/shard/' "$work/etc/slurm.conf"
check
is "$out$err" "" "shards with a bundle: the node's GPUs count once"
clean
also 'PreemptMode=SUSPEND,GANG'
finds 'slurm.conf:19: warning: PreemptMode=SUSPEND,GANG: jobs take turns on a core' \
	"jobs that take turns on a core"
clean
also 'PartitionName=shared Nodes=g1 OverSubscribe=FORCE:2 ExclusiveUser=YES'
finds 'slurm.conf:19: warning: OverSubscribe=FORCE:2: jobs share a core
slurm.conf:19: warning: ExclusiveUser=YES: jobs keep other users off' \
	"a partition whose jobs share cores and keep other users off"
clean
also 'MCSParameters=enforced,select:a|b'
finds 'slurm.conf:19: warning: MCSParameters=enforced,select:a|b: jobs keep others off' \
	"labels that keep others off"
clean
sed -i 's/CR_Core_Memory/CR_Board_Memory/' "$work/etc/slurm.conf"
finds 'slurm.conf:11: warning: SelectTypeParameters=CR_Board_Memory: jobs get whole boards' \
	"whole boards"
clean

# ---- Billing ------------------------------------------------------------------
also_max() { also PriorityFlags=MAX_TRES; }
clean
also_max
also 'PartitionName=b Nodes=c1 TRESBillingWeights=CPU=1.0,Mem=0.256G'
check
is "$status|$out" "0|" "TRESBillingWeights that agree"
sed -i 's/Mem=0.256G/Mem=0.00025/' "$work/etc/slurm.conf"
check
is "$status|$out" "0|" "a TRESBillingWeight by MiB agrees with one by GiB"
sed -i 's/Mem=0.00025/Mem=0.25G/' "$work/etc/slurm.conf"
finds 'slurm.conf:20: warning: partition b: TRESBillingWeights=CPU=1.0,Mem=0.25G does not match bundle "cores"
slurm.conf:20: note: a match, with PriorityFlags=MAX_TRES: PartitionName=b TRESBillingWeights="CPU=1,Mem=0.256G"' \
	"TRESBillingWeights that disagree, and those that agree"
conf 'partition "gpu" { bundles = gpu:p100  factor = 2 }' 'billing_scale = 1000'
also_max
sed -i 's/^PartitionName=gpu .*/& TRESBillingWeights="CPU=1,GRES\/gpu=1"/' "$work/etc/slurm.conf"
finds 'slurm.conf:18: warning: partition gpu: TRESBillingWeights=CPU=1,GRES/gpu=1 does not match bundle "gpu:p100"
PartitionName=gpu TRESBillingWeights="CPU=333.333,Mem=64G,GRES/gpu=2000"' \
	"a bundle of GPUs rules; scale and factor are in the weights"
conf
also_max
sed -i 's/^PartitionName=gpu .*/& TRESBillingWeights=GRES\/gpu=1/' "$work/etc/slurm.conf"
finds 'slurm.conf:18: warning: partition gpu: no TRESBillingWeights can match the bundles: jobs with and without GPUs' \
	"where two bundles rule none agree"
conf 'partition "big" { cores = 1  memory = 32000M }'
also PriorityFlags=MAX_TRES 'NodeName=b1 RealMemory=1024000' \
	'PartitionName=big Nodes=b1 TRESBillingWeights=CPU=1,Mem=0.032G'
check
is "$status|$out" "0|" "weights agree with the cores and memory of a partition"
sed -i 's/Mem=0.032G/Mem=0.256G/' "$work/etc/slurm.conf"
finds 'slurm.conf:21: warning: partition big: TRESBillingWeights=CPU=1,Mem=0.256G does not match bundle "cores"
slurm.conf:21: note: a match, with PriorityFlags=MAX_TRES: PartitionName=big TRESBillingWeights="CPU=1,Mem=0.032G"' \
	"weights by the bundle of the cluster do not fit such a partition"
conf
also 'PartitionName=b Nodes=c1 TRESBillingWeights=CPU=1.0,Mem=0.256G'
finds 'slurm.conf:19: warning: TRESBillingWeights without PriorityFlags=MAX_TRES' \
	"added up instead of the largest"
conf 'billing_round = floor'
sed -i 's/cores = 1 /cores = 3.5/' "$work/etc/equitree.conf"
finds 'equitree.conf:6: warning: a job of one core has a billing of 0.2857, which is truncated to 0' \
	"truncation to 0"
conf 'billing_round = nearest' 'partition "cpu" { factor = 0.25 }'
finds 'equitree.conf:7: warning: a job of one core in cpu has a billing of 0.25' \
	"by a partition's factor"
conf 'partition "cpu" { big_factor = 0.6 from 1024 }' 'partition "gpu" { big_factor = 1.5 from 2 }' \
	'qos "large" { big_factor = 0.25 from 8 }'
check
is "$(grep -o 'note: .*' <<<"$out")" 'note: partition cpu: 1024 nodes cost as much as 614.4, so that some jobs on more nodes cost less [big-discount]
note: qos large: 8 nodes cost as much as 2, so that some jobs on more nodes cost less [big-discount]' \
	"each discount by which more nodes cost less is named, and no other factor"

# ---- Names ----------------------------------------------------------------------
conf 'partition "gone" { factor = 2 }'
finds 'equitree.conf:6: warning: slurm.conf has no partition "gone"' \
	"an unknown partition"
conf 'bundle "gpu:v100" { cores = 8 }' 'partition "gpu" {' ' bundles = cores,gpu:v100' '}'
sed -i 's/^AccountingStorageTRES=.*/&,gres\/gpu:v100/' "$work/etc/slurm.conf"
also 'NodeName=g2 Gres=gpu:v100:2' 'PartitionName=v Nodes=g2'
finds 'equitree.conf:8: warning: partition "gpu" has nodes with gpu:p100, whose bundle it excludes' \
	"a model whose bundle does not hold where its nodes are"
conf 'partition "cpu" { bundles = gpu:p100 }'
finds 'equitree.conf:6: warning: no bundle of partition "cpu" matches its nodes' \
	"a partition without a bundle of its nodes"
conf 'bundle "gpu:p100" { cores = 8 nodes = g[1-3] }'
finds 'equitree.conf:6: warning: bundle "gpu:p100": 2 of 3 nodes are not in slurm.conf, such as g3' \
	"a list that names no node"
conf 'bundle "gpu:p100" { cores = 8 nodes = g1,c2 }'
finds 'equitree.conf:6: warning: bundle "gpu:p100": 1 of its nodes have no such GRES, such as c2' \
	"a node without that model"
conf 'bundle "gpu:p100" { cores = 8 nodes = g[3-1] }'
finds 'equitree.conf:6: error: bundle "gpu:p100": nodes = "g[3-1]": expected a list of nodes' \
	"a list that is none"
cat >"$work/assocs" <<'END'
Cluster|Account|User|Partition|Share|QOS|Def QOS
test|root|||1|normal|
test|x_cpu|||1|normal|
test|x_cpu|ada||1|normal,high|normal
test|x_gpu|||1|normal|
test|y_cpu|||1|normal|
END
conf 'qos "high" { factor = 2 }' 'qos "bonus" { factor = 0 }'
finds 'equitree.conf:7: warning: no association and no partition has the QOS "bonus"' \
	"an unknown QOS" --assocs "$work/assocs"
check --assocs "$data/sshare.txt"
is "$status|$out" "0|" "sshare does not know QOS: nothing is said"
conf 'pool "cpu" { suffix = _cpu }' 'pool "gpu" { suffix = _gpu }'
finds "$work/assocs:6: warning: account y_cpu has no counterpart y_gpu: jobs of pool gpu are rejected" \
	"a suffix account is missing" --assocs "$work/assocs"
sed -i '/_gpu/d' "$work/assocs"
conf 'pool "gpu" { suffix = _gpu }'
finds 'equitree.conf:6: warning: no account ends in _gpu' "no account has a suffix" \
	--assocs "$work/assocs"

# ---- Grants and features ---------------------------------------------------------
cat >"$work/assocs" <<'END'
Cluster|Account|User|Partition|Share|QOS|Def QOS
test|root|||1|normal|
test|def-x|||1|normal|
test|def-x|ada||1|normal,free|normal
END
conf 'grant "def-*" { spent = bonus  bonus = free }' 'grant "rrg-*" { spent = warn }' \
	'qos "free" { factor = 0 }'
finds 'equitree.conf:7: warning: grant "rrg-*" applies to no account
slurm.conf:17: warning: grants are limits of billing-minutes' \
	"a grant that no account has" --assocs "$work/assocs"
conf 'grant "*" { spent = warn }' 'grant "def-*" { spent = refuse }'
finds 'equitree.conf:7: warning: grant "def-*" applies to no account
slurm.conf:17: warning: grants are limits of billing-minutes' \
	"a grant that one above hides" --assocs "$work/assocs"
conf 'grant "*" {' ' spent = bonus' ' bonus = gratis' '}'
finds 'equitree.conf:8: warning: QOS "gratis" is the bonus of grant "*", but has no section with factor = 0
equitree.conf:8: warning: no association and no partition has the QOS "gratis"
slurm.conf:17: warning: grants are limits of billing-minutes' \
	"a bonus that is not free, and is not there" --assocs "$work/assocs"
conf 'bundle "gpu:p100" { cores = 8 features = big,new }'
finds 'equitree.conf:6: warning: bundle "gpu:p100": no node has the features big,new' \
	"features that no node has"
sed -i 's/gpu:p100:4/& Feature=new,old,big/' "$work/etc/slurm.conf"
check
is "$status|$out" "0|" "features that some node has give no finding"
conf 'priority {' ' rank_by = allocated' ' order = jobs' '}'
finds 'equitree.conf:8: warning: order = jobs ranks single jobs' \
	"places that whole arrays have"
echo MaxArraySize=1 >>"$work/etc/slurm.conf"
check
is "$status|$out" "0|" "not where there are no arrays"
conf 'priority { rank_by = allocated order = jobs tasks_ahead = 100 }'
check
is "$status|$out" "0|" "tasks_ahead above 0 gives no finding about arrays"
conf 'priority { access_weight = 1000000000 }'
sed -i 's/^\(PriorityWeight.*\)=.*/\1=1700000000/' "$work/etc/slurm.conf"
finds 'slurm.conf:5: error: the weights add up to 4400000000' \
	"points of equitree.conf count in the sum"

# ---- Nodes ----------------------------------------------------------------------
clean
also 'NodeName=fat[1-2] RealMemory=2048000'
finds 'slurm.conf:19: warning: all cores of node fat1 are 32 equivalents, all its memory is 512' \
	"a node that its bundle does not fit"
clean
sed -i 's/DefMemPerCPU=4000/MaxTime=60/' "$work/etc/slurm.conf"
printf 'partition "cpu" { require = memory }\n' >>"$work/etc/equitree.conf"
finds 'slurm.conf:18: warning: partition gpu has no DefMemPerCPU or DefMemPerNode' \
	"no default for memory, and none is required"
conf 'partition "gpu" { max = 0.5 }'
finds 'equitree.conf:6: warning: partition "gpu": a single gpu:p100 exceeds its max' \
	"a cap below one GPU"

# ---- Files ------------------------------------------------------------------------
clean
chmod 600 "$work/etc/equitree.conf"
finds 'equitree.conf: warning: not readable for all' "a file that users cannot read"
conf 'weight = 3'
finds 'equitree.conf:6: error: unknown key "weight"' "an equitree.conf with an error"
clean
rm "$work/etc/equitree.conf"
finds 'equitree.conf: error: No such file or directory' "no equitree.conf"
clean
also 'PriorityWeightQOS 100'
finds 'slurm.conf:19: error: expected KEY=VALUE' "a line that is none"
clean
also 'Comment="x'
finds 'slurm.conf:19: error: unclosed quote' "a quote that is open"
clean
also 'Include gone.conf'
finds 'slurm.conf:19: error: Include gone.conf: No such file' "an include that is not there"
clean
echo nonsense >"$work/etc/more.conf"
also 'Include more.conf'
finds 'more.conf:1: error: expected KEY=VALUE' "an error in an include"
clean
also 'Include slurm.conf'
check
like "$out" 'error: files that include each other' "an include of itself"
clean
printf 'PriorityMaxAge=\\\n' >>"$work/etc/slurm.conf"
finds 'slurm.conf:19: error: the last line is continued, but the file ends' "a line that goes on into nothing"
clean
printf 'Priority\0MaxAge=3\n' >>"$work/etc/slurm.conf"
finds 'slurm.conf:19: error: a NUL byte' "a NUL byte"
clean
also 'NodeName=a[1-'
finds 'slurm.conf:19: error: NodeName="a[1-": expected a list of nodes' "a node list that is none"

# What slurm.conf may look like: includes, lines that go on, any case, quotes.
clean
cat >"$work/etc/test-nodes.conf" <<'END'
nodename=n[1-4,08] gres="gpu:k80:2"	# no bundle
END
also 'include %c-nodes.conf' 'PARTITIONNAME=all \' '  nodes=ALL \' ' tresbillingweights=cpu=5' \
	'PriorityFlags = max_tres'
finds 'test-nodes.conf:1: warning: node n08 has gpu:k80, which no bundle prices
slurm.conf:20: warning: partition all: no TRESBillingWeights can match' \
	"includes, continued lines, any case, quotes, comments"
clean
also 'NodeSet=ns Nodes=c1' 'NodeSet=fs Feature=big' 'NodeName=f1 Feature=fast,big' \
	'PartitionName=s Nodes=ns,fs TRESBillingWeights=CPU=1,Mem=0.256G' PriorityFlags=MAX_TRES
check
is "$status|$out" "0|" "sets of nodes"

# ---- The migration ----

finds_none() { # NAME OPTION...
	check "${@:2}"
	is "$status|$out$err" "0|" "$1"
}
stock() { # LINE...: as before the migration
	clean
	sed -i -e '/^PriorityType=/d' -e '/^JobSubmitPlugins=/d' "$work/etc/slurm.conf"
	rm "$work/etc/plugstack.conf"
	also "$@"
}
stock PriorityType=priority/multifactor
finds_none "--before: Slurm's own plugin, no plugin of ours" --before
stock PriorityType=priority/multifactor PriorityParameters=stock_site,of=another
finds_none "--before: PriorityParameters of another plugin" --before
clean
finds 'slurm.conf:2: warning: PriorityType is priority/equitree already
slurm.conf:3: warning: JobSubmitPlugins has equitree, but jobs are charged Slurm' \
	"--before: it is migrated" --before
stock PriorityType=priority/equitree PriorityParameters=stock_compat
finds_none "stock_compat needs neither JobSubmitPlugins nor a client"
also JobSubmitPlugins=equitree
finds "slurm.conf:19: warning: JobSubmitPlugins has equitree, but jobs are charged Slurm's own billing (stock_billing)" \
	"a message about a price that nobody is charged"
clean
also PriorityParameters=stock_tise
finds 'slurm.conf:19: error: PriorityParameters: unknown word "stock_tise", did you mean "stock_ties"' \
	"a misspelled word of PriorityParameters"
clean
also PriorityParameters=period=0
finds 'slurm.conf:19: error: PriorityParameters: ' "a period of 0"
stock PriorityType=priority/equitree PriorityParameters=stock_compat,period=30
finds 'slurm.conf:18: warning: period has no effect with stock_compat' \
	"a period that stock_compat ignores"
stock PriorityType=priority/equitree PriorityParameters=stock_compat
echo 'priority { idle_shares = no }' >>"$work/etc/equitree.conf"
finds 'slurm.conf:18: warning: the section "priority" of equitree.conf has no effect' \
	"keys that stock_compat ignores"

# A core has been 500 units of Slurm's billing.
stock PriorityFlags=MAX_TRES 'PartitionName=w Nodes=c1 TRESBillingWeights=CPU=500,Mem=128G'
echo 'weights_scale = 500' >>"$work/etc/equitree.conf"
finds_none "--before: weights in another unit, and weights_scale says so" --before
sed -i '/weights_scale/d' "$work/etc/equitree.conf"
finds 'equitree.conf: warning: in partition w one equivalent has been 500 units of Slurm'\''s billing: weights_scale = 500' \
	"--before: weights in a unit that weights_scale does not say" --before
stock
echo 'weights_scale = 1000' >>"$work/etc/equitree.conf"
finds 'equitree.conf:6: warning: weights_scale = 1000, but no partition has TRESBillingWeights' \
	"--before: weights_scale without weights" --before

cat >"$work/assocs" <<'END'
Cluster|Account|User|Partition|Share|GrpTRES|GrpTRESMins|MaxTRES|MaxTRESMins|QOS|Def QOS|GrpTRESRunMins
test|root|||1|||||normal||
test|phys|||1||cpu=12,billing=6000|||normal||
test|phys|ada||1|billing=40||||normal||
END
stock
echo 'billing_scale = 1000' >>"$work/etc/equitree.conf"
finds "$work/assocs:3: warning: account phys: GrpTRESMins=billing=6000 has Slurm's unit: when jobs are charged in equivalents, make it billing=6000000
$work/assocs:4: warning: ada in account phys: GrpTRES=billing=40 has Slurm's unit: when jobs are charged in equivalents, make it billing=40000" \
	"--before: limits that billing_scale shrinks" --before --assocs "$work/assocs"
clean
echo 'billing_scale = 1000' >>"$work/etc/equitree.conf"
finds "$work/assocs:3: warning: account phys: GrpTRESMins=billing=6000 is 6 equivalent-minutes with billing_scale = 1000
$work/assocs:4: warning: ada in account phys: GrpTRES=billing=40 is 0.04 equivalents with billing_scale = 1000
slurm.conf:17: warning: grants are limits of billing-minutes" \
	"limits from before the migration" --assocs "$work/assocs"
clean
finds 'slurm.conf:17: warning: grants are limits of billing-minutes' \
	"limits in units of billing_scale" --assocs <(sed 's/billing=6000/billing=600000/' "$work/assocs")

clean
mkdir -p "$work/plugins"
also "PluginDir=$work/none:$work/plugins"
finds "slurm.conf:19: warning: this machine has no priority_equitree.so in $work/none:$work/plugins" \
	"a machine without the plugin"
touch "$work/plugins/priority_equitree.so"
finds_none "a machine with the plugin"
sed -i "s|^PluginDir=.*|PluginDir=$work/none|" "$work/etc/slurm.conf"
finds_none "a PluginDir of another machine"

# ---- Budgets -----------------------------------------------------------------------
clean
cat >"$work/assocs" <<'END'
Cluster|Account|User|Partition|Share|GrpTRESMins|QOS|Def QOS
test|root|||1||normal|
test|physics|||1|billing=600|normal|
test|physics|ada||1||normal|normal
END
finds 'slurm.conf:17: warning: grants are limits of billing-minutes (GrpTRESMins), which Slurm checks before a start by CPUs' \
	"a grant that Slurm checks by another price" --assocs "$work/assocs"
sed -i '18,$d; s/^PartitionName=cpu.*/& TRESBillingWeights="CPU=1,Mem=0.256G"/
	s/^PriorityDecay.*/&\nPriorityFlags=MAX_TRES/' "$work/etc/slurm.conf"
sed -i '/gpu/,$d' "$work/etc/equitree.conf"
sed -i '/gpu/Id; /g1/d' "$work/etc/slurm.conf"
rm "$work/etc/gres.conf"
check --assocs "$work/assocs"
is "$status|$out" "0|" "a grant that Slurm checks by the same price gives no finding"
finds "$data/budgets: warning: budget 2 belongs to chemistry/dan, which does not exist" \
	"a budget of an account that does not exist" --assocs "$work/assocs" --budgets "$data/budgets"
sed 's/physics - 0 0/physics - 2 0/' "$data/budgets" >"$work/gpus"
check --budgets "$work/gpus"
is "$status" 1 "a changed journal of budgets is refused"
like "$err" 'gpus: line 2: the checksum differs' "a changed journal of budgets is named with its line"
mkdir -p "$work/state"
cp "$data/budgets" "$work/state/equitree_budgets"
echo "StateSaveLocation=$work/state" >>"$work/etc/slurm.conf"
finds "$work/state/equitree_budgets: warning: budget 2 belongs to chemistry/dan" \
	"the journal of budgets is found in StateSaveLocation" --assocs "$work/assocs"
sed -i 's/^AccountingStorageEnforce.*/AccountingStorageEnforce=associations/' "$work/etc/slurm.conf"
echo 'partition "cpu" { factor = 0 }' >>"$work/etc/equitree.conf"
check
like "$out" 'error: budgets need limits in AccountingStorageEnforce' "budgets without limits"
like "$out" 'warning: no budget applies to jobs of partition cpu: its factor is 0' \
	"a partition where no budget applies"
clean
printf '%s\n' 'base 1795349595 0 0 0 97949591' \
	'grant 1795349595 7 1 physics - 2 0 - 36000000000 1795349595 0 0 0 0 - 0 root(0) - 1 7b2edb97' >"$work/gpus"
finds 'slurm.conf:17: warning: no budget applies to jobs of partition cpu: it has no GPUs, and all budgets are for GPUs' \
	"a partition without GPUs, and budgets for GPUs" --budgets "$work/gpus"
printf '%s\n' 'base 1795349595 0 0 0 97949591' \
	'grant 1795349595 7 1 physics - 1 0 - 36000000000 1795349595 0 0 0 0 - 0 root(0) - 1 c17bdf80' >"$work/cores"
echo 'partition "gpu" { bundles = gpu:p100 }' >>"$work/etc/equitree.conf"
finds 'slurm.conf:18: warning: no budget applies to jobs of partition gpu: it is for GPUs alone, and all budgets are for cores' \
	"a partition for GPUs alone, and budgets for cores" --budgets "$work/cores"
clean
sed -i 's/^PartitionName=cpu/& OverTimeLimit=UNLIMITED/' "$work/etc/slurm.conf"
check --budgets "$data/budgets"
like "$out" 'warning: jobs that draw on a budget are refused in partition cpu: with OverTimeLimit=UNLIMITED' \
	"a partition where jobs may run without end, and budgets"

clean
echo 'week_factor = 1.5 Mon-Fri 09:00-17:00, 0.5 Sat-Sun' >>"$work/etc/equitree.conf"
check
like "$out" 'note: up to 1.5 is charged, and Slurm.s limits of billing count jobs that run as 1 \[week-factor\]' \
	"a factor of the week above 1"
run check --show -f "$work/etc/equitree.conf"
like "$out" 'week_factor       1 from Mon 00:00, 1.5 from Mon 09:00, 1 from Mon 17:00, 1.5' "--show has the times of the week"
clean

# ---- The command --------------------------------------------------------------------
slurm PriorityDecayHalfLife 0
check --json
is "$status|$(grep -cE '"(file|line|level|check|text)":' <<<"$out")|$(grep '"line"' <<<"$out" | tr -dc 0-9)" \
	"1|5|4" "JSON: file, line, level, check and text"
clean
check --show
is "$status|$(grep -c . <<<"$out")" "0|37" "--show tells what was read"
like "$out" 'PartitionName=cpu TRESBillingWeights="CPU=1,Mem=0.256G"' "--show prints the lines that agree"
run check --slurm-conf "$work/etc/none" -f "$work/etc/equitree.conf"
is "$status|$out" "1|$work/etc/none: error: No such file or directory [slurm.conf]" \
	"a slurm.conf that was named and is not there"
SLURM_CONF=$work/etc/none run check -f "$work/etc/equitree.conf"
is "$status|$out|$err" "0||equitree check: no $work/etc/none: checking equitree.conf alone" \
	"without any, equitree.conf is checked alone"
SLURM_CONF=$work/etc/slurm.conf run check
is "$status|$out|$err" "0||" "files are found by SLURM_CONF"
refuses "$work/gone: No such file or directory" "no file of accounts" \
	check --slurm-conf "$work/etc/slurm.conf" --assocs "$work/gone"
run check --nonsense
is "$status" 2 "an unknown option is misuse"
run check something
is "$status" 2 "an argument is misuse"
done_testing
