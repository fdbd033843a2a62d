# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A folder of saved answers with names that attack a page, for equitree report.
# Sourced after lib.sh.
# shellcheck disable=SC2154 # data: of lib.sh

script_name='<script>alert(1)</script>'
image_name='"><img src=x onerror=alert(2)>'
path_name='../../escaped'

# report_folder DIR: accounts physics and <script>..., users ada, ben and attackers.
report_folder() {
	local dir=$1 now=1795358740 i=0
	mkdir -p "$dir"
	cp "$data"/why/{nodes,partitions,reservations,licenses,limits,time}.txt "$dir/"
	cat >"$dir/shares.txt" <<-END
		Account|User|RawShares|RawUsage
		root|||9000
		 root|root|1|0
		 physics||10|6000
		  physics|ada|1|4000
		  physics|ben|1|2000
		  ocean||5|0
		   ocean|ada|1|0
		 $script_name||10|3000
		  $script_name|$image_name|1|2000
		  $script_name|$path_name|1|1000
		  $script_name|ben|parent|0
	END
	{
		echo 'JobIDRaw|Cluster|Account|User|Partition|QOS|State|Start|End|ElapsedRaw|Suspended|AllocTRES|NodeList|Eligible|TotalCPU'
		local account user hours cpus
		while read -r account user hours cpus; do
			i=$((i + 1))
			echo "$i|c|${account/SCRIPT/$script_name}|$(
				sed "s|IMAGE|$image_name|;s|PATH|$path_name|" <<<"$user"
			)|cpu|normal|COMPLETED|$((now - hours * 3600))|$((now - hours * 3600 + 86400))|86400|00:00:00|billing=$cpus,cpu=$cpus,mem=$((cpus * 4000))M,node=1|cpu1|$((now - hours * 3600 - 30 * cpus))|$((cpus / 2))-00:00:00"
		done <<-END
			physics ada 4000 32
			physics ada 2000 16
			physics ben 1000 10
			SCRIPT IMAGE 700 32
			SCRIPT PATH 600 4
			gone ada 500 2
			ocean ada 300 32
			physics ada 48 8
		END
		echo "99|c|physics|ada|gpu|normal|COMPLETED|$((now - 90000))|$((now - 3600))|86400|00:00:00|billing=6,cpu=6,gres/gpu:p100=2,gres/gpu=2,mem=32000M,node=1|gpu1|$((now - 90120))|1-12:00:00"
	} >"$dir/jobs.txt"
	{
		head -n 1 "$data/why/queue.txt"
		waiting 7201 ada physics Priority 500
		waiting 7202 ben physics Priority 900
		waiting 7203 "$image_name" "$script_name" "$script_name" 100
		waiting 7204 ada physics Resources 700
	} >"$dir/queue.txt"
}

waiting() { # ID USER ACCOUNT REASON PRIORITY
	echo "$1|$1|$2|$3|cpu|normal|PENDING|$5|1|30|cpu=30,mem=120000M,node=1,billing=30|10:00|0:00|1795358639|1795358639|N/A|N/A|(null)|(null)|(null)||OK||(null) $4|$1"
}
