#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# equitree leave --check on saved output. On a cluster it is in tests/system/leave.t.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

saved=$work/saved
cp -r "$data/leave" "$saved"
leave() { # OPTION...
	run leave --check --config "$saved/config.txt" \
		--partitions "$saved/partitions.txt" --jobs "$saved/jobs.txt" "$@"
}
alter() { # FILE EXPRESSION
	sed -E "$2" "$data/leave/$1.txt" >"$saved/$1.txt"
}

leave
like "$status|$err|$out" "^0\|\|Safe: 3 jobs " "all jobs have Slurm's own billing"
leave --json
is "$out" '{"safe":true,"stock_billing":true,"jobs":3,"other":[]}' "the same as JSON"

# state of a job, its billing, the weights of both partitions, PriorityFlags
while IFS='|' read -r tres weights flags want name; do
	echo "JobId=7 JobState=RUNNING Partition=p TRES=$tres" >"$saved/jobs.txt"
	echo "PartitionName=p TRESBillingWeights=$weights" >"$saved/partitions.txt"
	alter config "s/MAX_TRES/$flags/"
	leave --json
	like "$status$out" "^${want/safe/0.*\\[\\]\}}" "$name"
done <<'ROWS'
cpu=2,mem=10000M,node=1,billing=2|(null)|MAX_TRES|safe|without weights it is the CPUs
cpu=2,mem=10000M,node=1,billing=2500|(null)|MAX_TRES|1.*"billing":2500,"own":2\}|a price in thousandths is not
cpu=2,mem=10000M,node=1,billing=2|CPU=1,Mem=0.25G|MAX_TRES|safe|the largest: 2.44 is truncated
cpu=2,mem=10000M,node=1,billing=4|CPU=1,Mem=0.25G|SMALL|safe|without MAX_TRES the sum, 4.44
cpu=2,mem=10000M,node=1,billing=3|CPU=1,Mem=0.25G|SMALL|1.*"own":4\}|and not 3
cpu=2,mem=9.77G,node=1,billing=4|CPU=1,Mem=0.25G|SMALL|safe|rounded memory
cpu=2,mem=8G,node=1,billing=4|cpu=1,mem=0.000244140625|SMALL|safe|a weight of memory without a unit is per MiB
cpu=2,node=1,billing=5,gres/gpu=1,gres/gpu:p100=1|CPU=1,GRES/gpu=1,GRES/gpu:p100=2|SMALL|safe|a model is added to all GPUs
cpu=2,node=1,billing=3,gres/gpu=3,gres/gpu:p100=1|CPU=1,GRES/gpu=1,GRES/gpu:p100=2|MAX_TRES|safe|with MAX_TRES it is not
cpu=2,node=1,billing=5,gres/gpu=1,gres/gpu:p100=1|CPU=1,GRES/gpu=1,GRES/gpu:p100=2|MAX_TRES_GRES|safe|with MAX_TRES_GRES GPUs are added
cpu=2,node=1,billing=6,license/x=4|CPU=1,License/x=1|MAX_TRES|safe|licences are added always
ROWS

cp "$data"/leave/* "$saved/"
alter config 's/stock_billing,//'
leave
like "$status|$out" "^1\|Not yet: add stock_billing" "without stock_billing it is not safe"
alter config 's/stock_billing/stock_compat/'
leave
is "$status" 0 "stock_compat has it, too"
alter config 's|stock_billing,||; s|priority/equitree|priority/multifactor|'
leave
is "$status" 0 "under multifactor only the jobs count"

cp "$data"/leave/* "$saved/"
echo "JobId=9 JobName=x TRES=billing=0 JobState=RUNNING Partition=cpu TRES=cpu=1,billing=1" \
	>>"$saved/jobs.txt"
leave
like "$status|$out" "^1\|job 9: ambiguous record" "a user's text that looks like keys"
for ((i = 10; i < 30; i++)); do
	echo "JobId=$i JobState=RUNNING Partition=cpu TRES=cpu=1,billing=1000"
done >"$saved/jobs.txt"
leave
is "$status|$(grep -c "^job" <<<"$out")|$(grep '^and' <<<"$out")" "1|10|and 10 more" \
	"of many jobs ten are listed"
echo "No jobs in the system" >"$saved/jobs.txt"
leave
like "$status|$out" "^0\|Safe: 0 jobs" "an empty queue is safe"

rm "$saved/jobs.txt"
leave
is "$status|$out|$err" "1||equitree leave: cannot open $saved/jobs.txt: No such file or directory" \
	"a missing file"
run leave
is "$status|$out" "2|" "without --check it is misuse"
done_testing
