#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# One grant on several clusters of one slurmdbd: jobs on all, balances, kill -9 of any
# slurmctld and of the command that balances between its steps, and a slurmdbd that is
# away. At each look spent + committed + in transit is at most what was granted; at the end
# nothing is in transit, and what was spent is the record of charges.
#
# JOINT_CLUSTERS (2), JOINT_JOBS (40), JOINT_KILLS (6), JOINT_AWAY_S (6), JOINT_SEED.
# The long form: JOINT_CLUSTERS=3 JOINT_JOBS=1000 JOINT_KILLS=40 JOINT_AWAY_S=180.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

readonly jobs=${JOINT_JOBS:-40} kills=${JOINT_KILLS:-6} away_s=${JOINT_AWAY_S:-6}
readonly seed=${JOINT_SEED:-3} count=${JOINT_CLUSTERS:-2}
all=(cedar beech cherry)
all=("${all[@]:0:count}")
RANDOM=$seed
diag "JOINT_CLUSTERS=$count JOINT_JOBS=$jobs JOINT_KILLS=$kills JOINT_AWAY_S=$away_s JOINT_SEED=$seed"

cluster_up --set MinJobAge=7200 --set PriorityDecayHalfLife=0 --set PriorityUsageResetPeriod=YEARLY
equitree=$build/tools/equitree
budget() { in_cluster "$equitree" budget "$@" 2>&1; }
joined=$(IFS=,; echo "${all[*]}")

# ---- More clusters: a slurmctld and one node each --------------------------------

home() { [[ $1 == cedar ]] && echo "$dir" || echo "$dir/$1"; }
conf() { [[ $1 == cedar ]] && echo "$dir/etc/slurm.conf" || echo "$dir/$1/etc/slurm.conf"; }
declare -A port=([beech]=7817 [cherry]=7818) started=()

more_conf() { # NAME
	local at=$dir/$1
	mkdir -p "$at"/{state,etc,spool}
	sed -e "s/^ClusterName=.*/ClusterName=$1/" -e '/^SlurmctldPort/d' -e '/^NodeName/d' \
		-e '/^PartitionName=[^D]/d' \
		-e "s|^StateSaveLocation=.*|StateSaveLocation=$at/state|" \
		-e "s|^SlurmctldLogFile=.*|SlurmctldLogFile=$at/slurmctld.log|" \
		-e "s|^SlurmctldPidFile=.*|SlurmctldPidFile=/run/slurmctld/$1.pid|" \
		-e "s|^SlurmdSpoolDir=.*|SlurmdSpoolDir=$at/spool|" \
		-e "s|^SlurmdPidFile=.*|SlurmdPidFile=/run/slurmd.$1.pid|" \
		-e "s|^SlurmdLogFile=.*|SlurmdLogFile=$at/slurmd.log|" \
		"$dir/etc/slurm.conf" >"$at/etc/slurm.conf"
	cat >>"$at/etc/slurm.conf" <<-CONF
		SlurmctldPort=${port[$1]}
		NodeName=$1 NodeHostname=head Port=$((port[$1] + 100)) Sockets=2 CoresPerSocket=16 RealMemory=128000
		PartitionName=cpu Nodes=$1 Default=YES
	CONF
	cp "$dir/etc/equitree.conf" "$at/etc/"
}

on() { in_cluster env SLURM_CONF="$(conf "$1")" "${@:2}"; } # CLUSTER COMMAND...

ctld_start() { # NAME
	if [[ $1 == cedar ]]; then
		daemon start slurmctld
		return
	fi
	on "$1" slurmctld -D >>"$dir/$1/out" 2>&1 &
	started[$1]=$!
}
ctld_kill() { # NAME
	if [[ $1 == cedar ]]; then
		daemon kill slurmctld
		return
	fi
	in_cluster bash -c "kill -9 \$(cat /run/slurmctld/$1.pid)" 2>/dev/null
	wait "${started[$1]}" 2>/dev/null
}
ctld_answers() { grep -q 'is UP' < <(on "$1" scontrol ping 2>/dev/null); }
node_idle() { [[ $(on "$1" sinfo -h -o %T) =~ ^(idle|mixed|alloc) ]]; }
registered() { [[ $(in_cluster sacctmgr -nP show cluster "$1" format=ControlPort) == "${port[$1]}" ]]; }

for one in "${all[@]:1}"; do
	more_conf "$one"
	in_cluster bash -c "sacctmgr -iQ add cluster $one
		sacctmgr -iQ add account physics cluster=$one fairshare=7
		sacctmgr -iQ add user ada,ben cluster=$one account=physics fairshare=3" >"$work/added" 2>&1 ||
		bail "$one is added" "$(<"$work/added")"
	ctld_start "$one"
	on "$one" slurmd -D -N "$one" >"$dir/$one/slurmd.out" 2>&1 &
	wait_until registered "$one" || bail "$one is up" "$(tail -n 5 "$dir/$one/out" "$dir/$one/slurmctld.log")"
	wait_until node_idle "$one" || bail "the node of $one is up" "$(on "$one" sinfo)"
done

# ---- Bad input --------------------------------------------------------------------

like "$(budget grant physics 1 -M cedar,nosuch)" 'nosuch: ' "an unknown cluster is named, and nothing is granted"
like "$(budget grant chemistry 1 -M cedar,beech)" 'beech: chemistry does not exist' "a cluster without the account is named"
like "$(as ada "$equitree" budget grant physics 1 -M cedar,beech 2>&1)" 'operators may change budgets' "a user may grant on no cluster"
ctld_kill beech
like "$(budget grant physics 1 -M cedar,beech)" 'beech: ' "a cluster that does not answer is named"
ctld_start beech
wait_until ctld_answers beech || bail "beech starts again" "$(tail -n 5 "$dir/beech/slurmctld.log")"
is "$(budget list -M cedar,beech --csv --no-headings)" "" "what was refused has granted nothing"
like "$(budget balance -M cedar,beech)" '^$' "without a grant there is nothing to balance"

# ---- One grant ----------------------------------------------------------------------

granted=0.5
like "$(budget grant physics "$granted" -M "$joined" --reason proposal)" 'grant 0.5 equivalent-hours to physics on cedar,beech' "a grant is for all clusters"
for one in "${all[@]}"; do
	near "$(budget list -M "$one" --csv --no-headings | cut -d, -f5)" "$(awk "BEGIN { print $granted / $count }")" 0.02 "$one has its part"
done
is "$(budget list -M "$joined" --csv --no-headings | cut -d, -f1-5,13)" "0,physics,,all,0.5,0" "the sum of the parts is the grant"
like "$(budget show 1)" 'clusters +cedar,beech' "a part says of what it is one"

# A job of more than the part waits, and starts when the other part has come.
long=$(on beech sbatch --parsable --uid=ada -o /dev/null -n8 -t3 --wrap='sleep 1')
held() { [[ $(on beech squeue -h -j "$1" -o %r) == *Budget* ]]; }
ok "a job that needs more than the part waits, and is not refused" wait_until held "$long"
like "$(budget balance)" 'equivalent-hours from cedar to beech' "hours go where a job waits for them"
ran() { [[ $(on beech scontrol -o show job "$1") == *JobState=COMPLETED* ]]; }
ok "the job starts on what has come" wait_until ran "$long"

# ---- Steps ------------------------------------------------------------------------

# An sbatch that kills who called it, before or after a step of a transfer.
mkdir "$dir/bin"
cat >"$dir/bin/sbatch" <<-END
	#!/bin/bash
	read -r word when 2>/dev/null <"$dir/kill-at" || exec /usr/bin/sbatch "\$@"
	[[ "\$*" == *"equitree budget: \$word "* ]] || exec /usr/bin/sbatch "\$@"
	rm -f "$dir/kill-at"
	[[ \$when == before ]] || /usr/bin/sbatch "\$@"
	kill -9 \$PPID
END
chmod 755 "$dir/bin/sbatch"
sbatch_path=$(in_cluster bash -c 'command -v sbatch')
[[ $sbatch_path == /usr/bin/sbatch ]] || sed -i "s|/usr/bin/sbatch|$sbatch_path|" "$dir/bin/sbatch"
killed_balance() { # STEP WHEN
	echo "$1 $2" >"$dir/kill-at"
	in_cluster bash -c "PATH=$dir/bin:\$PATH; exec $equitree budget balance -M $joined" >>"$work/balance" 2>&1
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

# All is where it is not wanted, so that the next run moves it.
push() {
	local id
	id=$(on "$1" sbatch --parsable --uid=ada -o /dev/null -n16 -t1 --wrap=true) || return
	wait_until held_or_ended "$1" "$id"
}
held_or_ended() { [[ $(on "$1" scontrol -o show job "$2") =~ (JobState=COMPLETED|Reason=Budget|JobHeldAdmin) ]]; }
