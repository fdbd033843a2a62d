#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Energy on a live cluster: Slurm's own acct_gather_energy/pm_counters measures the steps of jobs,
# and usage, report and bill show what sacct has of them. The counter of the nodes is a file that
# jobs raise: it is in a /sys of the sandbox alone.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

equitree=$build/tools/equitree
counter=/sys/cray/pm_counters
cluster_up --set AcctGatherEnergyType=acct_gather_energy/pm_counters \
	--set JobAcctGatherType=jobacct_gather/linux --set PrologFlags=Contain --no-slurmctld
in_cluster sh -c "mkdir -p /sys && mount -t tmpfs none /sys && mkdir -p $counter &&
	echo '1000000 J' >$counter/energy && echo '100 W' >$counter/power && chmod 666 $counter/*" ||
	bail "the nodes have a counter"
daemon start slurmctld
daemon restart slurmd # it looks for the counter once
in_cluster sh -c 'until [ "$(sinfo -h -o %t -t idle)" ]; do sleep 0.1; done'

# The script uses 2 kWh, and a step of it another 0.5.
cat >"$work/job" <<END
#!/bin/bash
add() { read -r joules _ <$counter/energy; echo "\$((joules + \$1)) J" >$counter/energy; }
add 7200000
srun -n1 bash -c "\$(declare -f add); add 1800000; sleep 1"
END
chmod 755 "$work" "$work/job"
# AllocTRES has it with the last of the steps, and slurmdbd some seconds later.
joules() { in_cluster sacct -naXP -j "$1" -o AllocTRES | sed -nE 's/.*energy=([0-9]+).*/\1/p'; }
measured() { [[ $(joules "$1") ]]; }
id=$(as ada sbatch --parsable -n1 -t5 -o /dev/null "$work/job" 2>>"$work/sbatch.err")
wait_until jobs_ended "$id"
wait_until measured "$id"
# A list of a user has a job some seconds later than -j.
listed() { [[ $(in_cluster "$equitree" usage --by=submitter --energy --csv) == *kWh* ]]; }
wait_until listed
is "$(joules "$id")" 9000000 "Slurm records the joules of the extern step"
is "$(in_cluster sacct -naXP -j "$id" -o ConsumedEnergyRaw)" 9000000 "ConsumedEnergyRaw of the job is the same number"
like "$(in_cluster "$equitree" bill --job "$id")" $'\n  it used 2\.5000 kWh$' "a bill shows kWh without a carbon intensity"
before=$(in_cluster "$equitree" usage --by=submitter --json)

hour=$(date -u +%FT%H:00:00Z -d -1hour)
{
	echo utc,gco2e_per_kwh
	for i in 0 1 2; do date -u "+%FT%H:00:00Z,200" -d "$hour + $i hour"; done
} >"$work/intensity.csv"
echo "carbon_intensity_file = \"$work/intensity.csv\"" >>"$dir/etc/equitree.conf"
like "$(in_cluster "$equitree" bill --job "$id")" $'\n  it used 2\.5000 kWh, 500\.0 gCO2e$' "a bill shows the CO2e of its hours"
user_is_listed() { [[ $(in_cluster "$equitree" bill --user ada) =~ KWH\ +KGCO2E.*\ 2\.5000\ +0\.5000 ]]; }
ok "the list of a user has kWh and CO2e" wait_until user_is_listed
wait_pass
csv=$(in_cluster "$equitree" usage --by=submitter --energy --csv)
like "$csv" $'\nada,kWh,2\.5000,,sacct\nada,kgCO2e,0\.5000,,sacct$' "usage has both, of a user"
like "$csv" $'\nada,core-years,[^,]*,[^,]*,record\n' "what is charged is still the record's"
is "$(in_cluster "$equitree" usage --by=submitter --json | grep -c kwh)|$(grep -c kwh <<<"$before")" "0|0" \
	"without --energy accounting is not read, and no kWh are shown"
in_cluster "$equitree" report --energy --out "$work/report" >"$work/report.out" 2>&1 || diag "$(<"$work/report.out")"
like "$(<"$work/report/user/ada/index.html")" "<h2>Energy</h2>.*<dd>2\.50* <small>kWh<.*<h2>CO2e</h2>.*<dd>0\.50* <small>kgCO2e<" \
	"the page of a user has both"

no_equitree_errors
done_testing
