#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A federation of two clusters: a job is a copy on both until one starts it. It is charged
# once, on the cluster where it ran; and a job whose account has a budget starts on no
# cluster without a commitment, where equitree check does not say otherwise.
#
# FEDERATION_JOBS (60). The long form: 200.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=clusters.sh
. "$(dirname "$0")/clusters.sh"
# shellcheck source=pages.sh
. "$(dirname "$0")/pages.sh"

readonly jobs=${FEDERATION_JOBS:-60}
all=(cedar beech)
cluster_up --set MinJobAge=7200 --set PriorityDecayHalfLife=0 --set PriorityUsageResetPeriod=YEARLY
more_up
equitree=$build/tools/equitree
ours() { in_cluster "$equitree" "$@" 2>&1; }
in_cluster bash -c 'sacctmgr -iQ add user ada,ben account=birch
	sacctmgr -iQ add federation wood clusters=cedar,beech' >"$work/added" 2>&1 ||
	bail "the federation is made" "$(<"$work/added")"
synced() { [[ $(on "$1" scontrol show federation) =~ Sibling:.*Synced:Yes ]]; }
for one in "${all[@]}"; do
	wait_until synced "$one" || bail "$one is in the federation" "$(on "$one" scontrol show federation)"
done

# ---- Charged once, where they ran ---------------------------------------------------

# Of each cluster in turn, so that both have copies of the other's jobs. Half of them come while
# cedar starts nothing, and half while beech does not.
all_ended() { [[ ! $(for one in "${all[@]}"; do on "$one" squeue -h -o %A; done) ]]; }
nodes() { on "$1" scontrol update nodename=ALL state="$2" reason=test >>"$work/nodes" 2>&1; } # CLUSTER STATE
users=(ada ben)
nodes cedar drain
for ((i = 0; i < jobs; i++)); do
	((i != jobs / 2)) || { patient all_ended && nodes cedar undrain && nodes beech drain; }
	submit_on "${all[i % 2]}" --uid="${users[i / 2 % 2]}" -A physics -n$((1 + i % 4)) --wrap="sleep $((1 + i % 2))" >>"$work/ids"
done
is "$(sort -u "$work/ids" | wc -l)" "$jobs" "each federated job has a number of its own"
ok "$jobs federated jobs end" patient all_ended
nodes beech undrain

# JOB CORE-SECONDS of what ran on a cluster, as accounted.
ran() { # CLUSTER
	in_cluster sacct -M "$1" -aDXnP --noconvert -S 2000-01-01 -o jobidraw,elapsedraw,alloccpus,start,state |
		awk -F'|' '$5 !~ /REVOKED/ && $4 ~ /^[0-9]/ && $3 > 0 { print $1, $2 * $3 }' | sort
}
# The same, as charged.
charged() { # CLUSTER
	state_dir=$(home "$1")/state
	cp "$state_dir/equitree_charges/open" "$work/open"
	for user in "${users[@]}"; do record_amounts "$user"; done |
		awk '{ sum[$1] += $2 } END { for (id in sum) printf "%s %.15g\n", id, sum[id] }' | sort
}
for one in "${all[@]}"; do
	alike() { [[ $(charged "$one") == "$(ran "$one")" ]]; }
	wait_until alike
	is "$(charged "$one")" "$(ran "$one")" "what $one charged is what ran on $one, job by job"
	ok "jobs of both clusters ran on $one" test "$(ran "$one" | awk '{ print int($1 / 67108864) }' | sort -u | wc -l)" -eq 2
	raw() { on "$one" sshare -M "$one" -hPA physics -o rawusage | grep -o '[0-9]*$' | head -n 1; }
	used() { [[ $(raw) == "$(ran "$one" | awk '{ sum += $2 } END { print sum }')" ]]; }
	ok "RawUsage of $one is what ran there" wait_until used
done
is "$(for one in "${all[@]}"; do charged "$one"; done | wc -l)" "$jobs" "each job is charged once"
counted() { [[ $(ours usage -M cedar,beech) == *" of $jobs jobs"* ]]; }
ok "usage of both clusters counts each job once" wait_until counted

# ---- Numbers ----------------------------------------------------------------------

# A job of cedar that ran on beech, and one of beech that ran on cedar.
id_of() { on "$1" scontrol show federation | grep -oE 'Self: .* ID:[0-9]+' | grep -oE '[0-9]+$'; } # CLUSTER
came_from() { ran "$2" | awk -v fed="$(id_of "$1")" 'int($1 / 67108864) == fed { print $1; exit }'; } # ORIGIN CLUSTER
for one in "cedar beech" "beech cedar"; do
	read -r origin where <<<"$one"
	id=$(came_from "$origin" "$where")
	like "$(ours bill --job "$id" -M "$where")" "$id.*core-equivalent" "bill knows a job of $origin on $where, where it ran"
	like "$(ours bill --job "$id" -M "$origin")" "job $id REVOKED: another cluster of the federation started it" "bill on $origin says that $where charges it"
	like "$(ours why "$id" -M "$origin")" "equitree bill --job $id" "why on $origin sends to bill"
done

# ---- Budgets ------------------------------------------------------------------------

like "$(ours budget grant birch 1 --reason one)" birch "a budget on one cluster"
budgets() { ours budget list birch --csv --no-headings -M "$1" | cut -d, -f5-7; } # CLUSTER; amount, spent, committed
is "$(budgets cedar)|$(budgets beech)" "1,0,0|" "a grant counts on one cluster of the federation"
is "$(ours budget list birch --csv --no-headings | cut -d, -f2)" birch "a list has the budgets of one cluster"
first=$(submit_on cedar --uid=ada -A birch -n1 -t40 --wrap='sleep 600')
wait_until job_has cedar "$first" JobState=RUNNING
second=$(submit_on cedar --uid=ada -A birch -n1 -t40 --wrap='sleep 600')
ok "what the budget does not cover waits" wait_until job_has cedar "$second" Reason=Budget
is "$(on beech squeue --local -h -A birch -o %A)" "" "its sibling, which has nothing to do, has no copy of it"
like "$(ours why "$second")" "Job +$second of ada.*Budget 1 of birch has 0.3333 left, job needs 0.6667" "why knows a federated job"
is "$(ours why "$second" | grep -c '^Budget ')" 1 "why asks one cluster of the federation for its budgets"
on cedar scancel "$first" "$second"
wait_until all_ended
committed() { [[ $(budgets "$1") == *",$2" ]]; } # CLUSTER HOURS
ok "what was committed is free again" wait_until committed cedar 0

# Beech knows nothing of the budget of cedar.
nodes cedar drain
third=$(submit_on beech --uid=ada -A birch -n1 -t40 --wrap='sleep 600')
ok "a job that is submitted where its account has no budget starts there" wait_until job_has beech "$third" JobState=RUNNING
ok "the other cluster, which had a copy, has committed nothing to it" wait_until committed cedar 0
on beech scancel "$third"
nodes cedar undrain
wait_until all_ended

# A grant on both holds both.
cp "$build/tools/equitree" "$dir/plugins/"
play "$system_dir/../../docs/OPERATING.md" "console federation"
ours budget close 1 --reason "one for both" >>"$work/closed"
for ((i = 0; i < jobs / 4; i++)); do
	submit_on "${all[i % 2]}" --uid="${users[i / 2 % 2]}" -A birch -n$((1 + i % 4)) --wrap="sleep $((1 + i % 2))" >>"$work/drawn"
done
patient all_ended
most=$(ours budget list birch --csv --no-headings -M beech | awk -F, '$12 == "open" { print int($8 * 60 * 0.7) }')
fourth=$(submit_on beech --uid=ada -A birch -n1 -t "$most" --wrap='sleep 600')
wait_until job_has beech "$fourth" JobState=RUNNING
fifth=$(submit_on beech --uid=ada -A birch -n1 -t "$most" --wrap='sleep 600')
ok "what the part of a cluster does not cover waits" wait_until job_has beech "$fifth" Reason=Budget
is "$(on cedar squeue --local -h -A birch -o %A | grep -x "$fifth")" "" "the other cluster, which has hours, does not start it by itself"
on beech scancel "$fourth" "$fifth"
ok "jobs that draw on the parts end" patient all_ended
# HOURS of birch, as charged on both clusters and as spent.
drawn_s() {
	for one in "${all[@]}"; do charged "$one"; done | grep -Fwf <(cat "$work/drawn"; echo "$fourth") | awk '{ sum += $2 } END { print sum }'
}
spent_s() { ours budget list -M cedar,beech --csv --no-headings | awk -F, '$12 == "open" { print $6 * 3600 }'; }
agree() { awk "BEGIN { exit !(($(drawn_s)) - ($(spent_s)) < 0.01 && ($(spent_s)) - ($(drawn_s)) < 0.01) }"; }
ok "what was spent of both parts is what the jobs were charged" wait_until agree
for one in "${all[@]}"; do
	like "$(ours budget verify -M "$one")" '^balanced' "verify says balanced: $one"
done
no_equitree_errors
for one in "${all[@]:1}"; do ctld_kill "$one"; done
done_testing
