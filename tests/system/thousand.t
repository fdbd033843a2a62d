#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A thousand short jobs of 20 users in 6 accounts: in the end each user's usage
# is what the accounting database says, price times elapsed time, added up.
# Tasks go to one node or to several, so that a job's memory, and its price, may
# be more than asked for; the billing that the database has tells which it was.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

tasks=50	# of each user
scale=16000	# makes all prices whole
folder=$(site thousand)
echo "billing_scale = $scale" >>"$folder/equitree.conf"
cluster_up --site "$folder" \
	--set PriorityDecayHalfLife=0 --set PriorityUsageResetPeriod=YEARLY

# Price on one node and request, one for each user: whole and broken, decided by
# cores, by memory, and by each part of a GPU bundle.
shapes=(
	"1|-n1 --mem=1000M"
	"2.5|-n2 --mem=10000M"
	"3|-n3 --mem=12000M"
	"1.0625|-n1 --mem=4250M"
	"1.5|-p gpu --gres=gpu:p100:1 -n9 --mem=2000M"
	"2|-n2 --mem=100M"
	"1.125|-p gpu --gres=gpu:p100:1 -n1 --mem=36000M"
	"1.00025|-n1 --mem-per-cpu=4001M"
	"2|-p gpu --gres=gpu:p100:2 -n2 --mem=2000M"
	"4|-n4"
	"1.25|-p gpu --gres=gpu:v100:1 -n10 --mem=2000M"
	"2.25|-n2 --mem=9000M"
	"1|-p gpu --gres=gpu:v100:1 -n1 --mem=1000M"
	"5.5|-n1 --mem=22000M"
)
declare -A price id account

mapfile -t lines < <(in_cluster sacctmgr -nP show assoc format=user,account |
	grep '^t')
for line in "${lines[@]}"; do
	account[${line%|*}]=${line#*|}
done
is "${#account[@]}" 20 "there are 20 users"
is "$(printf '%s\n' "${account[@]}" | sort -u | wc -l)" 6 "there are 6 accounts"

# shellcheck disable=SC2016 # the job is to work it out
submit_all() {
	local n user shape options
	for n in {01..20}; do
		user=t$n
		shape=${shapes[10#$n % ${#shapes[@]}]}
		price[$user]=${shape%%|*}
		read -ra options <<<"${shape#*|}"
		# Of no length to a few seconds, so that some end within a
		# period and some see several passes.
		id[$user]=$(as "$user" sbatch --parsable -o /dev/null \
			-a "1-$tasks" -t 2 "${options[@]}" \
			--wrap 'sleep $((SLURM_ARRAY_TASK_ID % 7 / 2))' \
			2>>"$work/sbatch.err")
		[[ ${id[$user]} ]] ||
			bail "$user submits" "$(tail "$work/sbatch.err")"
	done
}
submit_all

left() { in_cluster squeue -h -r -t PD,R,CG -o %i | wc -l; }
all_done() { (($(left) == 0)); }
# Far more work than one wait has patience for: it may take longer as long as
# it goes on.
before=-1
while now=$(left) && ((now > 0 && now != before)); do
	before=$now
	fewer() { (($(left) < now)); }
	wait_until fewer || break
done
ok "all jobs end" all_done
ids=$(IFS=, && echo "${id[*]}")
wait_until jobs_ended "$ids" $((20 * tasks)) ||
	bail "the database knows all ends"
wait_pass || bail "a pass saves its results"

accounted=$(account_of "$ids" User,ElapsedRaw,State,AllocTRES)
is "$(wc -l <<<"$accounted")" $((20 * tasks)) "1000 jobs are accounted"
is "$(cut -d'|' -f3 <<<"$accounted" | sort -u)" COMPLETED "all 1000 jobs completed"

total=0 largest=0
for n in {01..20}; do
	user=t$n
	read -r want least < <(awk -F'|' -v user="$user" -v scale=$scale '
		$1 == user {
			sub(/.*billing=/, "", $4)
			sub(/,.*/, "", $4)
			billing = $4 + 0
			sum += $2 * billing / scale
			if (!least || billing < least)
				least = billing
		}
		END { printf "%.15g %.15g\n", sum, least / scale }
		' <<<"$accounted")
	is "$least" "${price[$user]}" "$user: a job on one node is ${price[$user]}"
	got=$(exact_usage "${account[$user]}" "$user")
	near "$got" "$want" 1e-9 \
		"$user in ${account[$user]}: $tasks jobs at their prices"
	off=$(value "$got - $want")
	calc "${off#-} <= $largest" || largest=${off#-}
	total=$(value "$total + $want")
done
diag "largest difference of a user: $largest of $total equivalent seconds"
ok "the jobs took some time" calc "$total > 1000"
is "$(share root "" rawusage)" "$(value "int($total)")" \
	"the root has the sum of all"

minutes=$(in_cluster sshare -alPn -o tresrunmins | tr ',' '\n' |
	sed 's/.*=//' | sort -u)
is "$minutes" 0 "no run-minutes are left"

no_equitree_errors
done_testing
