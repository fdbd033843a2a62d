#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Two clusters of one slurmdbd: -M asks about the other one, with the prices of its
# slurmctld. And a host that has no equitree.conf gets it from slurmctld.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=pages.sh
. "$(dirname "$0")/pages.sh"

cluster_up
equitree=$build/tools/equitree
ours() { in_cluster "$equitree" "$@" 2>&1; }
theirs() { in_cluster "$equitree" "$@" -M beech 2>&1; }

# ---- The second cluster: a slurmctld without nodes, with prices of its own ------

beech=$dir/beech
mkdir -p "$beech/state" "$beech/etc"
sed -e 's/^ClusterName=.*/ClusterName=beech/' -e '/^SlurmctldPort/d' \
	-e "s|^StateSaveLocation=.*|StateSaveLocation=$beech/state|" \
	-e "s|^SlurmctldLogFile=.*|SlurmctldLogFile=$beech/slurmctld.log|" \
	-e 's|^SlurmctldPidFile=.*|SlurmctldPidFile=/run/slurmctld/beech.pid|' \
	"$dir/etc/slurm.conf" >"$beech/etc/slurm.conf"
echo SlurmctldPort=7817 >>"$beech/etc/slurm.conf"
cp "$dir/etc/gres.conf" "$beech/etc/" 2>/dev/null
cat >"$beech/etc/equitree.conf" <<-CONF
	# A comment that nobody else needs to read: "quoted".
	bundle "cores" { cores = 1  memory = 1000M }	# a quarter of cedar's
	bundle "gpu:p100" { cores = 6  memory = 32000M }
	bundle "gpu:v100" { cores = 8  memory = 48000M }
	charges { record = no }
CONF
in_cluster bash -c 'sacctmgr -i add cluster beech
	sacctmgr -i add account birch cluster=beech fairshare=7
	sacctmgr -i add user ada cluster=beech account=birch fairshare=3' >"$work/added" 2>&1 ||
	bail "the second cluster is added" "$(<"$work/added")"
in_cluster env SLURM_CONF="$beech/etc/slurm.conf" slurmctld -D >"$work/beech.out" 2>&1 &
beech_job=$!
stop_beech() { kill "$beech_job" 2>/dev/null; }
trap 'stop_beech; at_exit' EXIT
registered() { [[ $(in_cluster sacctmgr -nP show cluster beech format=ControlPort) == 7817 ]]; }
wait_until registered || bail "the second slurmctld is up" "$(tail -n 5 "$work/beech.out" "$beech/slurmctld.log")"
knows_user() { [[ $(in_cluster sshare -hP -M beech -a) == *birch* ]]; }
wait_until knows_user || bail "the second slurmctld has its accounts" "$(in_cluster sshare -M beech -a)"

# ---- -M -------------------------------------------------------------------------

like "$(ours bill -n1 --mem=4000M)" '^cost 1 core-equivalent' "a price of one's own cluster"
like "$(theirs bill -n1 --mem=4000M)" '^cost 4 core-equivalents' "-M prices with what the other cluster charges"
like "$(ours bill -n1 --mem=4000M --clusters=beech)" '^cost 4 core-equivalents' "--clusters, as of sbatch, prices with what the other cluster charges"
like "$(theirs tree)" 'birch' "-M shows the tree of the other cluster"
isnt "$(ours tree | grep -c physics)" 0 "without -M the tree is that of one's own"
is "$(theirs tree | grep -c physics)" 0 "-M shows no account of one's own cluster"
like "$(theirs why ada)" 'birch/ada' "-M says why of a user of the other cluster"
id=$(submit ada 1 -n1)
wait_until jobs_ended "$id"
one_job() { [[ $(ours usage) == *" of 1 jobs"* ]]; }
ok "without -M usage has the job of one's own cluster" wait_until one_job
like "$(theirs usage)" ' of 0 jobs' "-M sums up the usage of the other cluster"
like "$(ours budget grant physics 5 --reason one)" 'physics' "a budget of one's own cluster"
like "$(theirs budget grant birch 7 --reason two)" 'birch' "-M grants on the other cluster"
like "$(theirs budget list)" 'birch' "-M lists the budgets of the other cluster"
is "$(theirs budget list | grep -c physics)" 0 "-M lists no budget of one's own cluster"
# Both, where a sum makes sense.
both() { in_cluster "$equitree" "$@" -M cedar,beech 2>&1; }
like "$(both usage)" ' of 1 jobs' "-M a,b sums up the usage of two clusters"
both report --out "$dir/both" >>"$work/both"
like "$(cat "$dir/both/index.html")" 'href="cluster/cedar/index.html">cedar<.*href="cluster/beech/index.html">beech<' "report of both has their sum, and leads to the pages of each"
ok "the pages of a cluster are below the sum" test -s "$dir/both/cluster/beech/account/birch/index.html"
is "$(both report --out "$dir/both" --json | sed -n 's/.*"jobs": \([0-9]*\),*/\1/p')" 1 "report of both adds up the jobs"
is "$(both usage --by cluster,account --csv --no-headings | cut -d, -f1,2)" "cedar,physics" "usage of both by cluster"
in_cluster sacctmgr -iQ add account physics cluster=beech >/dev/null
granted() { [[ $(theirs budget grant physics 2 --reason three) == *'budget 2' ]]; }
wait_until granted || bail "the other cluster grants to the account" "$(theirs budget list)"
is "$(both budget list --csv --no-headings | cut -d, -f1-5,8 | sort)" "0,birch,,all,7,7
0,physics,,all,7,7" "-M a,b sums up the budgets of an account on two clusters"
like "$(both budget list)" '(^|[[:space:]])- physics' "a sum of budgets has no number"
like "$(both tree)" 'cedar,beech.*expected the name of one cluster' "what has no sum takes one cluster"
like "$(ours usage -M beech,cedar,beech)" 'expected the name of one cluster, or a,b' "no cluster is counted twice"
like "$(ours usage -M 'cedar,a;b')" 'expected the name of one cluster, or a,b' "each name of a list is looked at"
like "$(both budget close 1)" 'grant, list and balance' "a number of a budget is of one cluster"
like "$(both usage --verify)" 'several clusters exclude --verify' "a proof is of one cluster"
echo 'pool "cpu" { unit = SU }' >>"$beech/etc/equitree.conf"
in_cluster scontrol -M beech reconfigure
other_unit() { [[ $(both usage) == *'beech counts in other units'* ]]; }
ok "clusters that count in other units have no sum" wait_until other_unit
like "$(theirs check)" "this is slurmctld's" "-M checks what the other slurmctld reads"
# Each subcommand that asks a cluster asks that of -M: WORDS, and what beech alone says.
printf 'Account,Parent,User,Shares\nbirch,root,,5\n' >"$dir/shares.csv"
while IFS='|' read -r words want; do
	read -ra word <<<"$words"
	like "$(theirs "${word[@]}")" "$want" "equitree $words -M beech asks beech"
done <<END
bill -n1 --mem=4000M|cost 4 
check|no slurm.conf of beech: checking equitree.conf alone
init|--clusters needs --slurm-conf
tree|birch +7
when -n1 -t1 -A birch|request
why ada|birch/ada
recover ada|birch
overhead --partitions|cores=1,memory=1000M
usage| of 0 jobs
report --out $dir/pages --json|"jobs": 0
metrics|account="birch",parent="root"
boost birch --shares 9 --for 60 --leases $dir/leases|birch has 9 shares until .* before they were 7
boost birch --cancel --leases $dir/leases|birch has 7 shares
shares apply $dir/shares.csv --dry-run|set account birch +7 +5
budget list|birch
leave --check|$beech/etc/slurm.conf
END
like "$(ours tree -M nosuch)" 'nosuch' "a cluster that slurmdbd does not know is named"
like "$(ours tree -M 'a;b')" 'a;b.*expected the name of one cluster' "what is no name is refused"

# slurmdbd has the associations of all clusters, and each command asks for those of one.
mkdir "$dir/bin"
printf '#!/bin/sh\necho "$*" >>%s\nexec /usr/bin/sacctmgr "$@"\n' "$dir/asked" >"$dir/bin/sacctmgr"
chmod 755 "$dir/bin/sacctmgr"
noted() { in_cluster env PATH="$dir/bin:$PATH" "$equitree" "$@" >"$work/noted" 2>&1; }
noted bill -n1
noted simulate --policy "$dir/etc/slurm.conf" --generate 10
noted simulate --policy "$beech/etc/slurm.conf" --generate 10 -M beech
is "$(grep -c ' withassoc cluster=cedar ' "$dir/asked")" 1 "the accounts of a submitter are those of one cluster"
is "$(grep -oE ' show assoc .*cluster=(cedar|beech)$' "$dir/asked" | grep -o '[a-z]*$' | xargs)" "cedar beech" "the associations of a simulation are those of one cluster"

# ---- A host without equitree.conf -----------------------------------------------

# It has slurm.conf alone, as one that gets its configuration from slurmctld.
mkdir "$dir/bare"
cp "$dir/etc/slurm.conf" "$dir/etc/gres.conf" "$dir/bare/"
bare() { in_cluster env SLURM_CONF="$dir/bare/slurm.conf" "$equitree" "$@" 2>&1; }
echo "p50 wait of all jobs <= 30 minutes" >"$dir/aims"
printf 'account,hours\nphysics,1\n' >"$dir/grants.csv"
is "$(bare bill -n1 --mem=6000M)" "$(ours bill -n1 --mem=6000M)" "a price on a host without equitree.conf"
for words in tree "why ada" usage "budget list" metrics overhead "recover ada" "when -n1 -t1" \
	"report --out $dir/pages" "boost --list --leases $dir/leases" "shares apply $dir/shares.csv --dry-run" \
	"simulate --policy $dir/etc/slurm.conf --generate 10" "leave --check" \
	"tune --policy $dir/etc/slurm.conf --generate 20 --days 1 --aims $dir/aims" \
	"budget show 1" "budget verify" "budget notify true" "budget import $dir/grants.csv --dry-run"; do
	read -ra word <<<"$words"
	# A pass may come in between.
	alike() { [[ $(bare "${word[@]}" | head -n 4 | sed "s|$dir/bare/|$dir/etc/|") == "$(ours "${word[@]}" | head -n 4)" ]]; }
	ok "equitree $words is the same on a host without equitree.conf" wait_until alike
done
like "$(bare budget grant physics 3 --reason four)" '^grant 3 equivalent-hours to physics: budget [0-9]+$' "a host without equitree.conf grants"
like "$(bare budget transfer 1 - 1)" '^transfer 1 hours from 1' "a host without equitree.conf gives back what a budget has left"
is "$(bare init | grep bundle)" "$(ours init | grep bundle)" "equitree init is the same on a host without equitree.conf"
cp "$build/tools/equitree" "$dir/plugins/"
typed_before="export SLURM_CONF=$dir/bare/slurm.conf; " play "$system_dir/../../docs/OPERATING.md" "console configless"

# ---- What slurmctld tells -------------------------------------------------------

asked() { as ada sbatch --test-only --comment='equitree configuration' --wrap=true 2>&1; }
like "$(asked)" 'bundle "cores"' "slurmctld tells its configuration"
is "$(asked | grep -c '#')" 0 "comments are not told"
is "$(in_cluster squeue -h)" "" "the question becomes no job"
chmod 640 "$dir/etc/equitree.conf"
echo >>"$dir/etc/equitree.conf"
in_cluster scontrol reconfigure
closed() { [[ $(asked) == *"not for all to read"* ]]; }
ok "a file that users cannot read is not told" wait_until closed
like "$(bare bill -n1)" 'slurmctld does not tell its prices: error equitree.conf is not for all to read; -f FILE' \
	"a host without equitree.conf says what is missing"
chmod 644 "$dir/etc/equitree.conf"
in_cluster scontrol reconfigure
wait_until test -n "$(asked)"

# ---- A federation ---------------------------------------------------------------

in_cluster sacctmgr -iQ add federation wood clusters=cedar,beech >/dev/null
synced() { [[ $(in_cluster scontrol show federation) =~ Sibling:.*Synced:Yes ]]; }
wait_until synced || bail "the clusters are a federation" "$(in_cluster scontrol show federation)"
viable() { in_cluster scontrol show job "$1" | grep -o 'FedViableSiblings=[^ ]*' | cut -d= -f2 | tr , '\n' | sort | xargs; }
job=$(submit ada 1 -H -t5)
is "$(viable "$job")" cedar "a job that draws on a budget runs on no sibling"
as ada scontrol update "jobid=$job" clusters=beech,cedar >>"$work/update" 2>&1
is "$(viable "$job")" cedar "a change of its clusters brings no sibling"
is "$(viable "$(submit cleo 1 -H -t5)")" "beech cedar" "a job without a budget may run on both clusters"
done_testing
