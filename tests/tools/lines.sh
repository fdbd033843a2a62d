# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A command line of each subcommand that works without a cluster and finds
# nothing to say against its input. Sourced after lib.sh.
conf=$tools_dir/../../sandbox/sites/cedar
# shellcheck source=report_data.sh
. "$tools_dir/report_data.sh"
report_folder "$work/lines"
mkdir -p "$work/lines-saved"
cp "$data"/why/*.txt "$data/config.txt" "$work/lines-saved/"
declare -A line=(
	[bill]="-f $conf/equitree.conf -n1 --mem=1G"
	[check]="--slurm-conf $conf/slurm.conf"
	[tree]="--shares $data/sshare.txt"
	[when]="--from $work/lines-saved 5 --futures 3"
	[why]="--shares $data/sshare.txt ada ben"
	[recover]="--shares $data/sshare.txt --half-life 7-0 ada"
	[overhead]="--nodes $data/nodes.txt"
	[boost]="--list --leases $data/leases"
	[budget]="list --journal $data/budgets"
	[init]="--slurm-conf $conf/slurm.conf"
	[leave]="--check --config $data/leave/config.txt
		--partitions $data/leave/partitions.txt
		--jobs $data/leave/jobs.txt"
	[metrics]="--shares $data/sshare.txt"
	[report]="-f $conf/equitree.conf --from $work/lines --out $work/lines-pages"
	[shares]="apply $data/shares/tree.csv --dry-run --assocs $data/shares/assocs.txt"
	[simulate]="--policy $data/policies/shares.conf --nodes $data/nodes.txt
		--shares $data/sshare.txt --generate 20 --days 1"
	[tune]="--policy $data/policies/shares.conf --shares $data/sshare.txt --fresh
		--cluster nodes=2,cpus=4 --generate 40 --days 2 --runs 8
		--aims $data/aims.txt"
	[usage]="-f $conf/equitree.conf --now 2026-07-01 --jobs $data/sacct.txt"
)
