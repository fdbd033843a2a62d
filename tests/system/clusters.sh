# shellcheck shell=bash disable=SC2154
# SPDX-License-Identifier: GPL-2.0-or-later
# More clusters of one slurmdbd, each with a slurmctld and one node, beside the cluster of
# lib.sh, which is "cedar". Sourced behind lib.sh.
#
# $all has the names, cedar first; more_up brings up the others.

home() { [[ $1 == cedar ]] && echo "$dir" || echo "$dir/$1"; }
conf() { [[ $1 == cedar ]] && echo "$dir/etc/slurm.conf" || echo "$dir/$1/etc/slurm.conf"; }
declare -A port=([beech]=7817 [cherry]=7818) started=()

more_conf() { # NAME
	local at=$dir/$1 own=${port[$1]}
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
		SlurmctldPort=$own
		NodeName=$1 NodeHostname=head Port=$((own + 100)) Sockets=2 CoresPerSocket=16 RealMemory=128000
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

submit_on() { on "$1" timeout 30 sbatch --parsable -o /dev/null -t1 "${@:2}" 2>>"$work/sbatch.err"; } # CLUSTER OPTIONS
job_has() { [[ $(on "$1" scontrol -o show job "$2") == *$3* ]]; } # CLUSTER ID TEXT

# wait_until for five times as long: jobs wait for others, and the machine may be busy.
patient() { # COMMAND...
	local end=$((SECONDS + 5 * patience_s))
	until "$@"; do
		((SECONDS < end)) || in_vain $((5 * patience_s)) "$@" || return
		sleep 1
	done
}

# Users and accounts of each: ada and ben in physics, and birch without anyone.
more_up() {
	local one
	in_cluster sacctmgr -iQ add account birch cluster=cedar >"$work/added" 2>&1
	for one in "${all[@]:1}"; do
		more_conf "$one"
		in_cluster bash -c "sacctmgr -iQ add cluster $one
			sacctmgr -iQ add account physics,birch cluster=$one fairshare=7
			sacctmgr -iQ add user ada,ben cluster=$one account=physics fairshare=3" >"$work/added" 2>&1 ||
			bail "$one is added" "$(<"$work/added")"
		ctld_start "$one"
		on "$one" slurmd -D -N "$one" >"$dir/$one/slurmd.out" 2>&1 &
		wait_until registered "$one" || bail "$one is up" "$(tail -n 5 "$dir/$one/out" "$dir/$one/slurmctld.log")"
		wait_until node_idle "$one" || bail "the node of $one is up" "$(on "$one" sinfo)"
	done
}
