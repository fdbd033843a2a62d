#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# equitree why: users, accounts and jobs explained from saved output.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

sshare=$data/sshare.txt
why() { run why --shares "$sshare" "$@"; }
jobs() { run why --jobs "$data/sprio.txt" "$@"; }
line() { sed -n "$1p" <<<"$out"; }
verdict() { grep 'goes first' <<<"$out"; }
# Values of the JSON in $out: each argument goes down to one, "shares/first/user".
pick() { # PATH...
	perl -MJSON::PP -e '
		my $all = decode_json(do { local $/; <STDIN> });
		print join "|", map {
			my $at = $all;
			$at = ref $at eq "ARRAY" ? $at->[$_] : $at->{$_}
				for split m{/};
			ref $at ? ref $at : $at // "null";
		} @ARGV' "$@" <<<"$out"
}

# ---- Users -----------------------------------------------------------------

why ada ben
is "$status$err" 0 "two users of one account"
is "$(line 4)" "Their paths part below physics:" "their first common ancestor"
is "$(line 5)" "  ada  Level FS    0.8176  has used 1.22 times its share" \
	"more than the share, in words"
is "$(line 6)" "  ben  Level FS    1.2881  has used 77.6 % of its share" \
	"less than the share, in words"
is "$(verdict)" \
	"physics/ben goes first: its side has 1.2881 there, the other 0.8176." \
	"who goes first and by what"
like "$out" '1 has used exactly' "what a Level FS means is said"
ada_ben=$(verdict)
why ben ada
is "$(verdict)" "$ada_ben" "the order of the two does not matter"
why dan bloggs.prj/abc123
is "$(line 4)|$(verdict)" \
	"Their paths part below root:|chemistry/dan goes first: its side has 10.4564 there, the other 0.0232." \
	"two accounts decide, not their users"
why bloggs.prj.high/abc123 bloggs.prj.high/ijk456
like "$out" "Neither goes first: both have the same rank" "two users of equal rank: neither goes first"
like "$out" "Fairshare=parent: ahead of all with shares" \
	"Fairshare=parent in words"
why physics chemistry
is "$(verdict)" \
	"chemistry goes first: its side has 10.4564 there, the other 0.6867." \
	"two accounts are compared by their own shares"
sed "s/|ada|/|$(id -un)|/" "$sshare" >"$work/mine"
run why --shares "$work/mine"
like "$status|$out" "^0.*physics/$(id -un): rank 5 of 14" "without a name it is the caller's own rank"
sed '2d' "$sshare" >"$work/private"
refuses "$work/private: line 2: the first row is not the root: the list is not complete, or PrivateData hides accounts from you: ask as root, SlurmUser or an operator" \
	"a list that PrivateData has cut says so" why ada --shares "$work/private"
sed 's/^\( *\)physics|/\1phys|ics|/; s/^\( *\)chemistry|/\1che\nmistry|/' "$sshare" >"$work/names"
run why ada --shares "$work/names"
is "$status|$err|$(head -n 1 <<<"$out")" "0||phys|ics/ada: rank 5 of 14, FairShare 0.714286" \
	"an account with a bar in its name is read"
run why cleo --shares "$work/names"
is "$status|$err|$(head -n 1 <<<"$out")" "0||che mistry/cleo: rank 3 of 14, FairShare 0.857143" \
	"an account with a line end in its name is read"
why xyz789
is "$(grep rank <<<"$out")" \
"bloggs.prj/xyz789: rank 14 of 14, FairShare 0.071429
bloggs.prj.high/xyz789: rank 6 of 14, FairShare 0.642857
bloggs.prj.low/xyz789: rank 6 of 14, FairShare 0.642857" \
	"one user: each association"
((widest=$(widest), widest <= 80))
is "$?" 0 "the paths fit 80 columns ($widest)"
why ada ben --json
is "$(pick 'first/user' 'common/account' 'compared/0/user' 'compared/1/user' decided_by)" \
	"ben|physics|ada|ben|level_fs" "JSON: who is first, where, and by what"
why bloggs.prj.high/abc123 bloggs.prj.high/ijk456 --json
is "$(pick first decided_by)" "null|null" "JSON: equal ones"

# Tied accounts: u3 of b is compared with u2 of a.
# c has one user here.
sed '/c|u[67]/d; s/c|u5|1|1000/c|u5|1|6000/' "$data/ties.txt" >"$work/ties"
run why u2 u3 --shares "$work/ties"
is "$(verdict)" "b/u3 goes first: its side has 1.1250 there, the other 0.3638." \
	"tied accounts: their users are compared"
like "$out" "below root, where their accounts are tied" "tied accounts: a line says that users are compared"
run why u2 u3 --shares "$work/ties" --json
is "$(pick tied_levels 'common/account' 'compared/1/user' decided_by)" \
	"1|root|u3|level_fs" "JSON: tied accounts"
run why u1 u4 --shares "$work/ties" --stock
like "$(verdict)" "^a/u1 goes first: the two sides are tied" \
	"--stock: the list decides"
run why u1 u4 --shares "$work/ties" --stock --json
is "$(pick 'first/user' decided_by)" "u1|list" "JSON with --stock: the list decides"

# Who has used nothing, beside one who has: user beside user, account beside account.
sed 's/^  a|u1|3|3128$/  a|u1|3|0/; s/^ a||0|10000$/ a||0|6872/; s/^ c||10|6000$/ c||10|0/
	s/^  c|u5|1|6000$/  c|u5|1|0/; s/|19000$/|9872/' "$work/ties" >"$work/unused"
run why u1 u2 --shares "$work/unused"
is "$(verdict)" "a/u1 goes first: its side has inf there, the other 0.2500." \
	"a user who has used nothing is not tied"
run why u5 u3 --shares "$work/unused"
is "$(sed -n 4p <<<"$out")|$(verdict)" \
	"Their paths part below root:|c/u5 goes first: its side has inf there, the other 0.0000." \
	"an account that has used nothing is not tied"
run why u5 u3 --shares "$work/unused" --json
is "$(pick tied_levels compared/0/account decided_by)" "0|c|level_fs" "JSON: an account without usage decides by Level FS"
refuses "$sshare: no \"nobody\"" "nobody" \
	why --shares "$sshare" nobody
refuses '"xyz789" has several associations: name one of bloggs.prj/xyz789, bloggs.prj.high/xyz789, bloggs.prj.low/xyz789' \
	"a user with several associations" why --shares "$sshare" xyz789 ada
refuses "one of physics and ada is above the other" "an ancestor" \
	why --shares "$sshare" physics ada

# ---- Jobs ------------------------------------------------------------------

jobs 12 --weights "$data/sprio-weights.txt"
is "$(head -n 3 <<<"$out")" \
"Job 12 of ben in partition cpu has priority 78472470:
place 4 of 7 pending there, 5 of 8 in all.
Fair share gives 100.0 % of the points, age 0.0 %." \
	"a job: its place, and a sentence"
is "$(grep -E '^(fair|age|nice)' <<<"$out" | tr -s ' ' | sed 's/ *$//')" \
"fair share 100000000 0.785714 78571429 100.0 % ########################
age 10000000 0.000104 1042 0.0 %
nice -100000" "weight, value, points and share of each factor"
jobs 9 12
is "$(tail -n 1 <<<"$out")" \
	"Job 9 goes before job 12 by 14385714 points: fair share +14285714, nice +100000." \
	"two jobs are compared by their points"
sed 's/78472470/78572470/' "$data/sprio.txt" >"$work/equal"
run why 8 12 --jobs "$work/equal"
is "$status|$(tail -n 1 <<<"$out")" \
	"0|Jobs 8 and 12 have the same priority; the one submitted first goes first." \
	"two of the same priority"
run why 9 12 --jobs "$data/sprio.txt" --shares "$sshare" --queue "$data/jobs.txt"
like "$status|$err|$out" "^0..*nice .100000\..*Their paths part below " \
	"two jobs with shares: where the paths of their owners part"
like "$out" "goes first: its side has " "by what they have used"
run why 8 12 --jobs "$data/sprio.txt" --shares "$sshare"
is "$status|$(tail -n 1 <<<"$out")" "0|Both belong to ben: their shares are the same." \
	"two of one user"
run why 8 12 --jobs "$data/sprio.txt" --shares "$sshare" --json
is "$status|$(pick 'shares/owners/0' 'shares/owners/1' 'shares/first')" \
	"0|ben|ben|null" "JSON: two of one user"
run why 12 9 --jobs "$data/sprio.txt" --shares "$sshare" \
	--queue "$data/jobs.txt" --json
is "$status$err|$(pick 'jobs/0/job' 'jobs/1/job' 'difference/first' \
	'difference/priority' 'difference/points/fair share')" \
	"0|12|9|9|14385714|14285714" "JSON: two jobs, and what makes the difference"
is "$(pick 'shares/owners/0' 'shares/common/account' 'shares/compared/0/account' \
	'shares/compared/0/level_fs' 'shares/compared/1/account' \
	'shares/compared/1/level_fs' 'shares/first/user' 'shares/decided_by')" \
	"ben|root|physics|0.686715091664031|chemistry|10.4563817957376|dan|level_fs" \
	"JSON: the first common ancestor of their owners, both sides, and who wins"
jobs 9 12 --json
is "$status|$(pick 'difference/first' shares)" "0|9|null" \
	"JSON: saved jobs without shares"
refuses "$data/sprio.txt: no pending job 99" "JSON: a job that is not pending" \
	why --jobs "$data/sprio.txt" --shares "$sshare" 9 99 --json
refuses "$work/ties: no \"dan\"" "JSON: an owner without shares" \
	why --jobs "$data/sprio.txt" --shares "$work/ties" 9 12 --json
jobs 13
is "$(grep -c '^Job 13 of cleo in partition [cg]pu has' <<<"$out")" 2 \
	"a job in two partitions"
jobs 13 --json
is "$(grep -c '"job": "13"' <<<"$out")|$(grep -c '"points": 85714286' <<<"$out")" \
	"2|2" "JSON: one object for each partition"
cat >"$work/all" <<'END'
  JOBID PARTITION  USER PRIORITY SITE AGE ASSOC FAIRSHARE JOBSIZE PARTITION QOS NICE TRES
      1 long        eve      108  -12  10    20        30      15         5  10  -10 cpu=12,mem=18
      2 long        eve       90    0  10    20        30      15         5  10    0
END
run why 1 --jobs "$work/all"
is "$(grep -E '%$|#|-' <<<"$out" | awk '/[0-9]/ { sub(/ %.*/, ""); print $1, $NF }' | xargs)" \
	"fair 23.1 age 7.7 association 15.4 job 11.5 partition 3.8 QOS 7.7 TRES 23.1 site -12 nice 7.7" \
	"all factors: what each adds; nice may be below 0"
refuses "$data/sprio.txt: no pending job 99" "a job that is not pending" \
	why --jobs "$data/sprio.txt" 99
refuses "$data/sprio.txt: no pending job 9_1; tasks of an array wait together, as job 9" \
	"a task of an array" why --jobs "$data/sprio.txt" 9_1
sed 's/ben/ben x/' "$data/sprio.txt" >"$work/bad"
refuses "$work/bad: line 3: PRIORITY: \"x\": expected a whole number" \
	"a row with too much" why --jobs "$work/bad" 9
sed 's/NICE/ICE/; s/PRIORITY/PRIO/' "$data/sprio.txt" >"$work/bad"
like "$("$equitree" why --jobs "$work/bad" 9 2>&1)" \
	'line 1: no column "PRIORITY" among JOBID' "a missing column"
sed 's/413/4e1/; s/1042/4e1/' "$data/sprio.txt" >"$work/bad"
refuses "$work/bad: line 2: AGE: \"4e1\": expected a whole number" \
	"points that are no number" why --jobs "$work/bad" 9
refuses "$sshare: expected the output of \"sprio -wl\"" "weights that are none" \
	why --jobs "$data/sprio.txt" --weights "$sshare" 9

# ---- One job, from a folder ------------------------------------------------------

export TZ=UTC
page() { run why "$@" --from "$data/why"; out=$(tr -s ' \n' ' ' <<<"$out"); }
page 12
like "$status|$err|$out" '^0..Job 12 of dan \(account chemistry, QOS normal\) has waited in cpu for 1 min\.' "the page of a job: whose, where and how long"
like "$out" 'QOSMaxCpuPerUserLimit: QOS normal allows 40 CPUs a user; dan has 22, this job wants 32' "the page: the limit, of a job that wants a whole node"
first=$out
cp -r "$data/why" "$work/newer"
sed -i '1s/OVER_SUBSCRIBE/EXCLUSIVE/; 2,$s/|NO|/|NODE|/; 2,$s/|OK|/|NO|/' "$work/newer/queue.txt"
run why 12 --from "$work/newer"
is "$(tr -s ' \n' ' ' <<<"$out")" "$first" "the page: the same, of a squeue that has a column Exclusive"
out=$first
like "$out" 'You can wait until jobs of yours give back 14 of the CPUs, or ask for at most 18' "the page: what the user can do"
like "$out" 'Reserved maint has cpu2 from 14:54 \(in 8 min\) to 15:54 .* a job of at most 8 min ends before it' "the page: a reservation in the way"
like "$out" 'of 2 nodes in cpu 2 fit: 1 busy with other jobs \(cpu1\), 1 reserved \(cpu2\)' "the page: nodes"
like "$out" 'Ahead 1 of 4 jobs that could start in cpu has a higher priority; to their time limits they want 5 equivalent-hours' "the page: jobs ahead, and their equivalent-hours"
like "$out" "Start Slurm's backfill plans it for 15:14 \(in 28 min\)" "the page: when Slurm expects it to start"
like "$out" 'place 2 of 4 pending there.*fair share 100000000' "the page: what the priority is made of"
page 8
like "$out" 'Dependency: it depends on other jobs: afterok:1\(unfulfilled\): job 1 runs, for 28 min at most' "the page: a dependency, and how the other job is"
page 7
like "$out" 'BeginTime: .*that is 15:43 \(in 58 min\)' "the page: a begin time"
page 6_4
like "$out" 'Job 6_\[3-5%2\] of dan .*JobArrayTaskLimit: .*2 may run at once, and 2 do' "the page of a task of an array is that of all that wait"
page '6_[3-5%2]'
like "$out" '^Job 6_\[3-5%2\] of dan ' "the tasks of an array have the name that squeue prints"
refuses "no job 6_9 runs or waits; equitree bill --job 6_9 says what it cost" \
	"a task that does not wait is not one of those that do" why 6_9 --from "$data/why"
page 5
like "$out" 'Licenses: .*matlab: it wants 1, 0 of 2 are free' "the page: licences"
page 1
is "$status|$out" "0|Job 1 of ada (account physics) is RUNNING in cpu on cpu1, for 1 min, and for 28 min at most. " "the page of a job that runs"
run why 12 --from "$data/why" --json
is "$(pick reason limit/limit limit/used limit/wants nodes/fit nodes/busy nodes/reserved ahead/jobs ahead/equivalent_hours priority/0/place slurm_start_s)" \
	"QOSMaxCpuPerUserLimit|40|22|32|2|1|1|1|5|2|1795360440" "JSON: the page of a job"
for id in 3 5 6 7 8 12 14; do
	run why "$id" --from "$data/why"
	((widest=$(widest), widest <= 80))
	is "$?" 0 "the page of job $id fits 80 columns ($widest)"
done
refuses "no job 99 runs or waits; equitree bill --job 99 says what it cost" "a job that is not there" \
	why 99 --from "$data/why"
# A reason that a user has made up cannot begin the line of another job.
rm -rf "$work/queue" && cp -r "$data/why" "$work/queue"
sed -i 's/(null) Licenses|5$/(null) x|5\n3|3|eve|/' "$work/queue/queue.txt"
run why 3 --from "$work/queue"
is "$status|${err#*: }" "1|$work/queue/queue.txt: line 3: 4 columns: expected 25" "a line of a job that was made up"
for file in queue nodes partitions time; do
	rm -rf "$work/queue" && cp -r "$data/why" "$work/queue"
	rm "$work/queue/$file.txt"
	refuses "$work/queue/$file.txt: No such file or directory" "a folder without $file.txt" \
		why 5 --from "$work/queue"
done
sed 's/GrpTRES=cpu=60(48)/GrpTRES=cpu=60(50)/' "$data/why/limits.txt" >"$work/limits"
for row in "AssocGrpCpuLimit|account physics allows 60 CPUs in all; 50 are taken, this job wants 16" \
	"QOSGrpMemLimit|QOS normal limits MiB of memory; you may not see the number" \
	"Nonsense|Nonsense: Slurm says so, and has no more words for it" \
	"InvalidQOS|its QOS does not exist any more" "NodeDown|a node of it went down"; do
	rm -rf "$work/queue" && cp -r "$data/why" "$work/queue"
	cp "$work/limits" "$work/queue/limits.txt"
	sed -i "s/(null) Nodes required[^|]*|3$/(null) ${row%%|*}|3/" "$work/queue/queue.txt"
	run why 3 --from "$work/queue"
	like "$status|$(tr -s ' \n' ' ' <<<"$out")" "^0.*${row#*|}" "the page: ${row%%|*}"
done

# ---- What holds, whatever Slurm says -----------------------------------------------

# Each row changes the saved answers: JOB|NAME|SED OF queue.txt|SED OF limits.txt|WORDS
held() { # ID QUEUE LIMITS
	rm -rf "$work/queue" && cp -r "$data/why" "$work/queue"
	sed -i "$2" "$work/queue/queue.txt"
	sed -i "$3" "$work/queue/limits.txt"
	run why "$1" --from "$work/queue"
	out=$(tr -s ' \n' ' ' <<<"$out")
}
page 3
like "$out" 'Obstacles 1\. limit: QOS normal allows 40 CPUs a user; ada has 32, this job wants 16; until 15:14 \(in 28 min\) at the latest 2\. limit: account physics allows 60 CPUs in all; 48 are taken, this job wants 16; until 14:54 .* 3\. nodes: it wants 1, and 0 of 2 that fit are free; the running jobs leave enough by 15:14 .* 4\. priority: 3 of 4 jobs' \
	"obstacles: all that hold, beside the one that Slurm names, and the one that ends last comes first"
like "$out" 'Nodes required .*: Slurm said so when it last looked; now enough nodes that fit are up, unless .*: of 2 nodes that fit, 0 are drained, 0 are down, and 1 are reserved; the job wants 1 You can ask for a shorter --time' \
	"nodes that are up are not told to be gone"
held 5 's/Licenses|5$/Priority|5/' ''
like "$out" 'Priority: Slurm said so when it last looked; now no other job goes first: 0 of the 4 jobs' "Priority is not repeated where no job goes first"
held 12 's/^12|12|/12|11+1|/; s/|1|1|cpu=1,mem=4000M,node=1,billing=1|1:00:00|0:00|1795358640/|1|1|cpu=1,mem=900G,node=1,billing=1|1:00:00|0:00|1795358640/; s/|21430191|/|0|/' ''
run why 11+1 --from "$work/queue"
like "$(tr -s ' \n' ' ' <<<"$out")" 'Job 11\+1 .*You can cancel it, and ask for what the nodes have: it cannot start as it is Obstacles 1\. nodes: it wants 1, and 0 of 2 there could hold a part of it; this never lets it start .*hold:' \
	"a component that no node can hold never starts, which is told before its hold"
held 7 's/^7|7|/7|5+2|/; s/BeginTime|7$/JobHeldUser|7/' ''
like "$out" 'You can release it: scontrol release 5 ' "a component is released with its whole job"
# Job 8 depends on job 5.
behind() { # SED OF job 5
	held 8 "s/afterok:1(/afterok:5(/; $1" ''
}
behind '/^5|/{s/|cleo|/|dan|/; s/Licenses|5$/JobHeldUser|5/}'
like "$out" 'Dependency: .*You can release job 5: scontrol release 5 ' \
	"a job behind a held one of its user: which to release"
behind '/^5|/s/Licenses|5$/JobHeldAdmin|5/'
like "$out" 'You can ask the operators of the cluster to release job 5 ' \
	"a job behind one that an operator holds: whom to ask"
behind '/^5|/s/Licenses|5$/JobHeldUser|5/'
like "$out" 'You can ask cleo to release job 5 ' "a job behind one that another user holds: whom to ask"
behind '/^5|/{s/Licenses|5$/Dependency|5/; s/|N.A|(null)|matlab/|N\/A|afterok:7(unfulfilled)|matlab/}; /^7|/s/BeginTime|7$/JobHeldUser|7/'
like "$out" 'You can release job 7: scontrol release 7 ' "a chain of dependencies with a held job at its end"
behind ''
like "$out" 'You can only wait' "a job behind one that is not held can only wait"
held 7 '/PENDING/{/^[57]|/!d}' ''
like "$out" '[01] of 1 job that could start in cpu' "one job is not called jobs"
# More licences than the list of obstacles has room for, and then a reservation in an hour.
lics=$(printf 'l%d:1,' {10..39})
held 5 "/^5|/s/|matlab:1|(null)|/|${lics%,}|maint|/" ''
for l in {10..39}; do echo "LicenseName=l$l Total=1 Used=1 Free=0 Reserved=0 Remote=no"; done >"$work/queue/licenses.txt"
run why 5 --from "$work/queue"
is "$(grep -c 'licence l' <<<"$out")|$(tr -s ' \n' ' ' <<<"$out" | grep -c 'licence [^;]*; until')" "24|0" \
	"a full list of obstacles gives no time of one that is left out to another"
held 12 's/QOSMaxCpuPerUserLimit|12$/Priority|12/' 's/MaxTRESPJ= MaxTRESPN/MaxTRESPJ=cpu=8 MaxTRESPN/'
like "$out" 'Priority: other jobs go first.*You can cancel it, and ask for at most 8 CPUs: it cannot start as it is Obstacles 1\. limit: .* allows 8 CPUs a job; this job asks for 32; this never lets it start' \
	"a limit that never lets the job start decides what the user can do"
held 5 's/Licenses|5$/ReqNodeNotAvail, May be reserved for other job|5/' ''
like "$out" 'You can ask for a --time that ends before, or use another partition' "no advice to leave out --nodelist where there is none"
held 7 's/|1:00:00|0:00|1795358639|1795362239/|INVALID|0:00|1795358639|1795362239/; s/BeginTime|7$/PartitionTimeLimit|7/' ''
like "$out" 'it allows 7-00:00:00; this job asks for more than a year' "a time limit beyond a year, which squeue prints as INVALID"
held 7 's/|1:00:00|0:00|1795358639|1795362239/|UNLIMITED|0:00|1795358639|1795362239/; s/BeginTime|7$/PartitionTimeLimit|7/' ''
like "$(tr -s ' \n' ' ' <<<"$out")" 'it allows 7-00:00:00; this job asks for no limit .*partition cpu allows 7-00:00:00; it asks for no limit' \
	"a job without a time limit passes the limit of its partition"
held 3 's/Nodes required[^|]*|3$/AssocGrpBillingMinutes|3/' '/Account=physics UserName= /s/GrpTRESMins=cpu=N(78),\(.*\),billing=N(78)\(.*\),billing=N(1041)/GrpTRESMins=cpu=N(78),\1,billing=5000(866)\2,billing=N(4000)/'
like "$out" 'AssocGrpBillingMinutes: account physics allows 5000 billing-minutes in all; 866 are used up, 4000 are reserved by running jobs, this job wants 320 You can wait until running jobs end, which return what they reserved' \
	"minutes that running jobs reserve count, and return"
held 7 '1s/END_TIME/END_TIME|RESTART_COUNT/; 2,$s/|\(17[0-9]*\|N.A\)|\((null)\|after[^|]*\)|/|\1|0|\2|/; /^7|/s/|0|(null)|/|2|(null)|/' ''
like "$out" 'BeginTime: it ran before and was requeued, and Slurm lets it begin again a little later: that is 15:43 .* Obstacles 1\. requeue:' \
	"a requeued job is not told that it is to begin later"
held 5 's/|cpu|normal|PENDING|28573065|1|30|cpu=30,mem=120000M,node=1,billing=30|10:00/|cpu,gpu|normal|PENDING|28573065|1|4|cpu=4,mem=4000M,node=1,billing=4|5:00/' ''
like "$out" 'of 4 nodes in cpu,gpu 4 fit: 1 free \(cpu2\), 2 busy .* 1 drained' "a job of two partitions: a node with room is free"
sed -i '/^PartitionName=cpu /s/OverSubscribe=NO/OverSubscribe=EXCLUSIVE/' "$work/queue/partitions.txt"
run why 5 --from "$work/queue"
like "$(tr -s ' \n' ' ' <<<"$out")" 'of 4 nodes in cpu,gpu 4 fit: 3 busy .* 1 drained' "a job of two partitions: where one gives whole nodes, a node with jobs is busy"
held 14 's/QOSMaxCpuPerUserLimit|14$/Resources|14/' 's/=40(22)/=N(22)/'
is "$(grep -c limit: <<<"$out")" 0 "a limit that is not set is no obstacle"
run why 3 --from "$data/why" --json
is "$(pick obstacles/0/kind obstacles/0/ends obstacles/0/ends_s obstacles/3/kind obstacles/3/ends)" \
	"limit|time|1795360440|priority|queue" "JSON: obstacles, and when each ends"
printf 'AccountingStorageEnforce = associations\n' >"$work/queue/config.txt"
run why 3 --from "$work/queue"
is "$(grep -c limit: <<<"$out")" 0 "limits are no obstacles where slurmctld does not enforce them"

# ---- order = jobs ----------------------------------------------------------------

# Two jobs of one user have places of their own; so has a job of a user with the
# better shares that goes behind.
sed -E 's/^( *12 .*) 78571429 /\1 92857144 /; s/78472470/92858190/; s/-100000/0/' "$data/sprio.txt" >"$work/places"
run why 9 12 --jobs "$work/places" --shares "$sshare" --queue "$data/jobs.txt"
is "$status|$(grep -c 'goes first' <<<"$out")" "0|0" "order = jobs: no second verdict contradicts the points"
like "$(tr '\n' ' ' <<<"$out")" 'Job 12 goes before job 9 by .*By the shares alone chemistry/dan would go before the other, but the points of the jobs say otherwise: with order = jobs' \
	"order = jobs: the shares are named as what they are"
run why 9 12 --jobs "$work/places" --shares "$sshare" --queue "$data/jobs.txt" --json
is "$(pick difference/first shares/first/user)|$(grep -c '"jobs_agree": false' <<<"$out")" "12|dan|1" "JSON: the jobs do not agree with the shares"

for words in "--from x ada" "--from x 1 2" "--save x 1" "--from x" "ada 12" "ada ben cleo" "--bogus"; do
	# shellcheck disable=SC2086
	run why $words
	is "$status" 2 "misused: why $words"
done
done_testing
