#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# One grant on several clusters of one slurmdbd: jobs on all, balances, kill -9 of any
# slurmctld and of the command that balances between its steps, and a slurmdbd that is
# away. At each look spent + committed + in transit is at most what was granted; at the end
# nothing is in transit, and what was spent is the record of charges.
#
# JOINT_CLUSTERS (2), JOINT_JOBS (30), JOINT_KILLS (6), JOINT_AWAY_S (3), JOINT_SEED.
# The long form: JOINT_CLUSTERS=3 JOINT_JOBS=1000 JOINT_KILLS=40 JOINT_AWAY_S=180.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=clusters.sh
. "$(dirname "$0")/clusters.sh"
# shellcheck source=pages.sh
. "$(dirname "$0")/pages.sh"

readonly jobs=${JOINT_JOBS:-30} kills=${JOINT_KILLS:-6} away_s=${JOINT_AWAY_S:-3}
readonly seed=${JOINT_SEED:-3} count=${JOINT_CLUSTERS:-2}
all=(cedar beech cherry)
all=("${all[@]:0:count}")
RANDOM=$seed
diag "JOINT_CLUSTERS=$count JOINT_JOBS=$jobs JOINT_KILLS=$kills JOINT_AWAY_S=$away_s JOINT_SEED=$seed"

cluster_up --set MinJobAge=7200 --set PriorityDecayHalfLife=0 --set PriorityUsageResetPeriod=YEARLY
equitree=$build/tools/equitree
budget() { in_cluster "$equitree" budget "$@" 2>&1; }
joined=$(IFS=,; echo "${all[*]}")

more_up

# ---- Bad input --------------------------------------------------------------------

like "$(budget grant physics 1 -M cedar,nosuch)" 'nosuch: ' "an unknown cluster is named, and nothing is granted"
like "$(budget grant chemistry 1 -M cedar,beech)" 'beech: chemistry does not exist' "a cluster without the account is named"
like "$(as ada "$equitree" budget grant physics 1 -M cedar,beech 2>&1)" 'operators may change budgets' "a user may grant on no cluster"
like "$(as ada sbatch --test-only --comment='equitree budget: receive 0 7 1 beech 99 3600000000 0 - - 0 00000000' --wrap=true 2>&1)" \
	'operators may change budgets' "a user cannot put hours on"
ctld_kill beech
like "$(budget grant physics 1 -M cedar,beech)" 'beech: ' "a cluster that does not answer is named"
ctld_start beech
wait_until ctld_answers beech || bail "beech starts again" "$(tail -n 5 "$dir/beech/slurmctld.log")"
is "$(budget list -M cedar,beech --csv --no-headings)" "" "what was refused has granted nothing"
like "$(budget balance -M cedar,beech)" '^$' "without a grant there is nothing to balance"

# ---- One grant ----------------------------------------------------------------------

granted=0.6
like "$(budget grant physics "$granted" -M "$joined" --reason proposal)" 'grant 0.6 equivalent-hours to physics on cedar,beech' "a grant is for all clusters"
for one in "${all[@]}"; do
	near "$(budget list -M "$one" --csv --no-headings | cut -d, -f5)" "$(awk "BEGIN { print $granted / $count }")" 0.02 "$one has its part"
done
is "$(budget list -M "$joined" --csv --no-headings | cut -d, -f1-5,13)" "0,physics,,all,0.6,0" "the sum of the parts is the grant"
like "$(budget show 1)" 'clusters +cedar,beech' "a part says of what it is one"

# A job of more than the part waits, and starts when the other part has come. It asks for
# nine tenths of all that is left: no part has as much, however a balance has spread it.
long_on() { # CLUSTER
	submit_on "$1" --uid=ada -n1 -t "$(budget list -M "$joined" --csv --no-headings |
		awk -F, '{ print int($8 * 60 * 0.9) }')" --wrap=true
}
long=$(long_on beech)
ok "a job that needs more than the part waits, and is not refused" wait_until job_has beech "$long" Reason=Budget
like "$(budget balance)" 'equivalent-hours from cedar to beech' "hours go where a job waits for them"
ok "the job starts on what has come" wait_until job_has beech "$long" JobState=COMPLETED

# ---- Steps ------------------------------------------------------------------------

# An sbatch that kills who called it, before or after a step of a transfer.
sbatch=$(in_cluster bash -c 'command -v sbatch')
mkdir "$dir/deadly"
cat >"$dir/deadly/sbatch" <<-END
	#!/bin/bash
	read -r word when 2>/dev/null <"$dir/kill-at" || exec $sbatch "\$@"
	[[ "\$*" == *"equitree budget: \$word "* ]] || exec $sbatch "\$@"
	rm -f "$dir/kill-at"
	[[ \$when == before ]] || $sbatch "\$@"
	kill -9 \$PPID
END
chmod 755 "$dir/deadly/sbatch"
killed_balance() { # STEP WHEN
	echo "$1 $2" >"$dir/kill-at"
	in_cluster bash -c "PATH=$dir/deadly:\$PATH; exec $equitree budget balance -M $joined" >>"$work/balance" 2>&1
}
looks=0 unseen=0 wrong=''
look() {
	local row
	row=$(in_cluster timeout 20 "$equitree" budget list physics -M "$joined" --csv --no-headings 2>>"$work/looks") &&
		[[ $row ]] || { unseen=$((unseen + 1)) && return; }
	looks=$((looks + 1))
	wrong+=$(awk -F, -v granted="$granted" '{ amount += $5; used += $6 + $7 + $13 }
		END { if (used > granted + 1e-9 || amount > granted + 1e-9 || amount < granted - 1e-9) print }' <<<"$row")
}
transit() { budget list -M "$joined" --csv --no-headings | cut -d, -f13; }


turn=0
for step in "send before" "send after" "receive before" "receive after" "arrived before" "arrived after"; do
	one=${all[turn++ % count]}
	id=$(long_on "$one")
	ok "a job waits for hours of the other clusters: $step" wait_until job_has "$one" "$id" Reason=Budget
	killed_balance $step
	is "$(cat "$dir/kill-at" 2>/dev/null)" "" "the command is killed: $step"
	case $step in
	"send after" | "receive before") isnt "$(transit)" 0 "what was taken off is seen in transit: $step" ;;
	*) is "$(transit)" 0 "nothing is in transit: $step" ;;
	esac
	look
	budget balance -M "$joined" >>"$work/balance" 2>&1
	wait_until job_has "$one" "$id" JobState=COMPLETED
	is "$(for at in "${all[@]}"; do budget show 1 -M "$at"; done | grep -c 'in transit')" 0 "the next balance finishes it: $step"
	look
done
is "$looks $wrong" "12 " "each look adds up to the grant"

# ---- Jobs, kills and balances ------------------------------------------------------

granted=$(awk "BEGIN { print 0.6 + $jobs * 0.002 }")
is "$(budget transfer - 1 "$(awk "BEGIN { print $granted - 0.6 }")" -M cedar | grep -c 'done$')" 1 "the grant grows by a transfer from outside"
event() { # NUMBER
	local at=${all[RANDOM % count]} balance
	local steps=("send before" "send after" "receive before" "receive after" "arrived before" "arrived after")
	case $1 in
	0)
		ctld_kill "$at"
		ctld_start "$at"
		;;
	1)
		budget balance -M "$joined" >>"$work/balance" 2>&1 &
		balance=$!
		sleep "0.$((RANDOM % 4))"
		ctld_kill "$at"
		sleep "0.$((RANDOM % 9))"
		ctld_start "$at"
		wait "$balance"
		;;
	2) killed_balance ${steps[RANDOM % 6]} ;;
	esac
}
# The number of a job that slurmctld forgot comes twice, which its node does not take: the node is
# drained, and the job is held.
balance_and_look() {
	local one
	for one in "${all[@]}"; do
		on "$one" bash -c "scontrol update nodename=ALL state=undrain
			squeue -h -t PD -o '%A %r' | sed -nE 's/ (launch failed|BeginTime).*//p' | xargs -r scancel" >/dev/null 2>&1
	done
	budget balance >>"$work/balance" 2>&1
	look
}
one_job() {
	local users=(ada ben)
	submit_on "${all[RANDOM % count]}" --uid="${users[RANDOM % 2]}" -n$((1 + RANDOM % 4)) \
		--wrap="sleep $((RANDOM % 3))" >>"$work/ids"
}
for ((i = 1; i <= jobs; i++)); do
	one_job
	if ((kills && i % (jobs / kills) == jobs / kills / 2)); then
		event $((RANDOM % 3))
	fi
	if ((i % 5 == 0)); then
		balance_and_look
	fi
	((i != jobs / 2)) || {
		# Each cluster is alone: the others, and the accounts, are found through slurmdbd.
		daemon stop slurmdbd
		like "$(budget balance -M "$joined")" "(cedar|beech): " "without slurmdbd a balance names what does not answer"
		for one in "${all[@]}"; do
			id=$(submit_on "$one" --uid=ada -n1 --wrap='sleep 1')
			ok "$one works on its part, alone" wait_until job_has "$one" "$id" JobState=COMPLETED
		done
		sleep "$away_s"
		daemon start slurmdbd
		look
	}
done
ok "most of $jobs submissions are taken" test "$(wc -l <"$work/ids")" -gt $((jobs / 2))
for one in "${all[@]}"; do wait_until ctld_answers "$one"; done

# Jobs that slurmctld forgot in a kill run until the node is asked.
none_left() {
	local one left=''
	balance_and_look
	for one in "${all[@]}"; do
		left+=$(on "$one" squeue -h -o %A)
	done
	[[ ! $left ]]
}
ok "all jobs end, on whatever cluster they wait for hours" patient none_left
for one in "${all[@]}"; do diag "$(on "$one" squeue)"; done

# ---- The end ---------------------------------------------------------------------------

diag "$looks looks, $unseen without an answer of all clusters"
is "$wrong" "" "at each look spent, committed and in transit are within the grant"
ok "there were looks" test "$looks" -gt $((jobs / 10))
settled() { [[ $(budget list -M "$joined" --csv --no-headings | cut -d, -f5,7,13) == "$granted,0,0" ]]; }
ok "nothing is committed or in transit, and all parts are the grant" patient settled
for one in "${all[@]}"; do
	like "$(budget verify -M "$one")" '^balanced: 1 budgets' "verify says balanced: $one"
done
# A kill makes node failures of runs, and budgets excuse these: the record has them with the
# reason. What a budget had settled of one before stays spent (note 0082).
record_lines() {
	zcat -qf "$state_dir"/equitree_charges/charges.[0-9]* |
		awk -v plain="$plain" '$1 == "c" && (!plain || $30 == "-")' | sort -u
}
record_sum() { # PLAIN, 1: without the lines that have a reason
	local one sum=0 plain=$1
	for one in "${all[@]}"; do
		state_dir=$(home "$one")/state
		cp "$state_dir/equitree_charges/open" "$work/open"
		sum=$(awk "BEGIN { printf \"%.2f\", $sum + $(recorded ada) + $(recorded ben) }")
	done
	echo "$sum"
}
spent_s() { budget list -M "$joined" --csv --no-headings | awk -F, '{ printf "%.2f\n", $6 * 3600 }'; }
agree() {
	sums="spent $(spent_s), the record has $(record_sum 1) to $(record_sum 0)"
	awk '{ exit !($2 + 0 >= $6 - 0.5 && $2 + 0 <= $8 + 0.5) }' <<<"$sums"
}
wait_until agree
diag "$sums"
ok "what was spent is the record of charges of all clusters, but for runs that are excused" agree
is "$(cat "$dir/log/slurmctld.log" "$dir"/*/slurmctld.log | grep -E 'error: (priority|job_submit)/equitree' | grep -vE 'its end was cut before it was synced')" "" "the logs have no error of equitree"

# ---- The page ----------------------------------------------------------------------------

cp "$build/tools/equitree" "$dir/plugins/"
play "$system_dir/../../docs/OPERATING.md" "console clusters"
for one in "${all[@]:1}"; do ctld_kill "$one"; done
done_testing
