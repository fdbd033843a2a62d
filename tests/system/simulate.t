#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# equitree simulate against a real cluster: jobs of four users on it, one at a
# time, and the same jobs replayed from what sacct says of them.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

after_failure() {
	diag "--- what was replayed"
	diag "$(cut -d'|' -f-11 "$work"/{sacct,starts,qos} 2>&1)"
}

cluster_up --no-slurmctld --set PriorityParameters=period=1 \
	--set PriorityWeightQOS=100000000 --set PriorityWeightTRES=cpu=1000 \
	--set PriorityWeightJobSize=0 --set PriorityWeightAge=0
in_cluster sacctmgr -iQ add qos urgent priority=10 >/dev/null
in_cluster sacctmgr -iQ modify account root set qos+=urgent >/dev/null
daemon start slurmctld || bail "slurmctld starts" "$(tail "$work/daemon.out")"
nodes_up() { [[ $(in_cluster sinfo -h -p cpu -o %T) == idle ]]; }
wait_until nodes_up || bail "the nodes are up"

filler=$(submit root 600 -N2 --exclusive -t 10)
wait_until job_is "$filler" RUNNING || bail "the cluster is full"
# In seconds, as sacct tells it, the others come after it.
began=$(date +%s)
later() { (($(date +%s) > began)); }
wait_until later
ids=()
for _ in 1 2 3; do
	for user in dan cleo ben ada; do
		ids+=("$(submit "$user" 4 -N2 --exclusive -t 1)")
	done
done
# Behind all others by shares, before them by its QOS.
ids+=("$(submit root 4 -N2 --exclusive -t 1 -q urgent)")
is "${#ids[@]}" 13 "thirteen jobs wait for the whole cluster"
wait_pass
in_cluster scancel "$filler"
list=$(IFS=,; echo "$filler,${ids[*]}")
all_ended() { jobs_ended "$list" 14; }
# Thirteen times four seconds and what lies between.
wait_until all_ended || wait_until all_ended || wait_until all_ended ||
	bail "all jobs end"

in_cluster env SLURM_TIME_FORMAT=%s sacct -aXP -j "$list" -o \
	JobIDRaw,User,Account,Partition,QOS,Eligible,ElapsedRaw,TimelimitRaw,State,AllocTRES,Start \
	>"$work/sacct"
in_cluster sshare -alP >"$work/shares"
in_cluster scontrol -o show node >"$work/nodes"
in_cluster scontrol -o show partition >"$work/partitions"
in_cluster sacctmgr -P show qos >"$work/qos"
in_cluster sacctmgr -P show assoc >"$work/assocs"
"$build/tools/equitree" simulate --policy "$dir/etc/slurm.conf" \
	--jobs "$work/sacct" --shares "$work/shares" --fresh \
	--nodes "$work/nodes" --partitions "$work/partitions" \
	--qos "$work/qos" --assocs "$work/assocs" \
	--starts "$work/starts" >"$work/report" 2>"$work/troubles"
is "$?|$(<"$work/troubles")" "0|" "what sacct says of them is replayed"

order() { # FILE START-COLUMN
	awk -F'|' -v at="$2" 'NR > 1 { print $at, $2 }' "$1" | sort -n |
		cut -d' ' -f2 | paste -sd' '
}
# Where two accounts are within a second of usage, a pass that comes late on a busy
# machine decides, for two jobs in a row at times: a job may be two places away.
places_apart() { # ORDER ORDER: the most that a user's k-th job is apart
	awk -v first="$1" -v second="$2" 'BEGIN {
		n = split(first, one, " ")
		if (split(second, two, " ") != n)
			n = most = 99
		for (i = 1; i <= n; i++)
			at[one[i], ++seen[one[i]]] = i
		for (i = 1; i <= n; i++) {
			place = at[two[i], ++met[two[i]]]
			apart = place > i ? place - i : i - place
			if (apart > most)
				most = apart
		}
		print most + 0
	}'
}
apart=$(places_apart "$(order "$work/starts" 5)" "$(order "$work/sacct" 11)")
ok "users start in the same order, within two places" test "$apart" -le 2
diag "$(order "$work/starts" 5)"
is "$(order "$work/sacct" 11 | cut -d' ' -f2)" root \
	"after the filler the one with the higher QOS"

# What physics got of the first half of what was delivered, in job-seconds; the
# jobs of root are no part of it.
part() { # FILE START-COLUMN LENGTH-COLUMN|-END-COLUMN
	awk -F'|' -v at="$2" -v last="$3" '
		NR > 1 && $2 != "root" {
			length_s = last < 0 ? $(-last) - $at : $last
			print $at, length_s, $3
		}' "$1" | sort -n | head -n 6 |
		awk '{ all += $2; if ($3 == "physics") mine += $2 }
			END { print mine / all }'
}
near "$(part "$work/starts" 5 -6)" "$(part "$work/sacct" 11 7)" 0.2 \
	"an account gets the same part, within one job of six"
diag "$(order "$work/sacct" 11)"
diag "physics: $(part "$work/sacct" 11 7) of the first half, replayed $(part "$work/starts" 5 -6)"
no_equitree_errors
done_testing
