#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Energy of jobs in usage, report and bill: what sacct printed of real ones, bad files of
# carbon intensities, and hours against an independent computation in exact fractions.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"
export TZ=UTC

cp "$tools_dir/../../sandbox/sites/cedar/equitree.conf" "$work/none.conf"
conf() { # NAME LINE
	{
		cat "$work/none.conf"
		echo "$2"
	} >"$work/$1.conf"
}
conf flat "carbon_intensity = 200"
conf file "carbon_intensity_file = \"$work/i.csv\""
hours() { printf '%s\n' utc,gco2e_per_kwh "$@" >"$work/i.csv"; }
usage() { run usage -f "$work/$1.conf" --now 2026-12-01 --energy --jobs "$data/energy/$2.txt" "${@:3}"; }

# ---- What Slurm printed ---------------------------------------------------------

# Of 22.05 and acct_gather_energy/pm_counters, with PrologFlags=Contain and without: a script that
# used 2 kWh and a step of 0.5, the script alone in less than a second, and a step alone.
for kind in contain plain; do
	is "$(awk -F'|' 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
		NR > 1 && $at["JobIDRaw"] !~ /[.]/ { n = $at["ConsumedEnergyRaw"]
			print n == "" ? $at["AllocTRES"] !~ "energy" : $at["AllocTRES"] ~ "energy=" n "," }' \
		"$data/energy/$kind.txt" | sort -u)" 1 \
		"$kind: AllocTRES of a job has its ConsumedEnergyRaw"
done
usage flat contain --by=submitter --csv
like "$out" $'\nxyz789,kWh,4\.5000,,sacct\nxyz789,kgCO2e,0\.9000,,sacct$' "usage in CSV has kWh and kgCO2e"
usage flat contain --json
like "$out" '"kwh": 4.5,'$'\n *"kgco2e": 0.9' "usage in JSON has kWh and kgCO2e"
usage none contain
like "$out" "kWh +4\.5000 +-.*no carbon intensity\.$" "without an intensity there are kWh alone"
is "$(grep -c '^[^ ]* *kgCO2e' <<<"$out")" 0 "without an intensity there is no line of CO2e"
run usage -f "$work/flat.conf" --now 2026-12-01 --jobs "$data/energy/contain.txt"
is "$(grep -c kWh <<<"$out")" 0 "without --energy usage shows no kWh"
usage flat contain --format=focus
like "$err" "excludes .*--energy" "FOCUS has no energy"
run bill -f "$work/flat.conf" --jobs "$data/energy/contain.txt" --user xyz789 --since 2026-01-01
like "$out" "KWH KGCO2E"$'\n'"1 .* 2\.5000 0\.5000"$'\n' "a list of jobs has both"
usage flat plain
like "$out" "2 jobs used 2\.5000 kWh \(0\.5000 kgCO2e\); 0 that ended have no energy" "without an extern step Slurm lacks what batch scripts used, and the words say of how many jobs"

# ---- What has no energy ---------------------------------------------------------

head=JobIDRaw\|Account\|User\|Partition\|QOS\|Start\|End\|ElapsedRaw\|Suspended\|AllocTRES
mkdir "$work/energy"
job() { # END TRES
	printf '%s\n' "$head" "1|a|u|cpu|normal|2026-11-28T10:00:00|$1|7200|00:00:00|$2" >"$work/jobs"
}
none() { # TEXT END TRES
	job "$2" "$3"
	run usage -f "$work/flat.conf" --now 2026-12-01 --energy --jobs "$work/jobs" --csv
	is "$status|$(grep -c kWh <<<"$out")" "0|0" "$1"
}
end=2026-11-28T12:00:00
none "a job without energy is counted as such" $end cpu=1,mem=1M
none "energy of 0 is none" $end cpu=1,energy=0,mem=1M
none "the energy NO_VAL64 is none" $end cpu=1,energy=18446744073709551614,mem=1M
none "the energy INFINITE64 is none" $end cpu=1,energy=18446744073709551615,mem=1M
none "the energy of a counter that ran backwards is none" $end cpu=1,energy=18446744073709540000,mem=1M
none "a job that runs has no energy yet" Unknown cpu=1,energy=3600000,mem=1M
job $end cpu=1,energy=3600000,mem=1M
run usage -f "$work/flat.conf" --now 2026-12-01 --energy --jobs "$work/jobs" --csv
is "$(grep -c kWh <<<"$out")" 1 "a job with energy has a line of kWh"

# ---- Files of hours -------------------------------------------------------------

hours 2026-11-28T10:00:00Z,100 2026-11-28T11:00:00Z,300
run usage -f "$work/file.conf" --now 2026-12-01 --energy --jobs "$work/jobs"
like "$out" "kgCO2e +0\.2000" "each hour has its intensity"
hours 2026-11-28T10:00:00Z,100 2026-11-28T12:00:00Z,900
run usage -f "$work/file.conf" --now 2026-12-01 --energy --jobs "$work/jobs"
like "$out" "kgCO2e +0\.0500.*No CO2e is counted for 0\.5000 kWh of hours that"$'\n'"$work/i.csv"$'\n'"lacks: the first is 2026-11-28T11:00:00Z\.$" \
	"an hour that the file lacks is named and not guessed"
run bill -f "$work/file.conf" --jobs "$work/jobs" --job 1
like "$out" "it used 1\.0000 kWh, 50\.0 gCO2e in hours of known intensity$" "a bill says that hours are missing"
printf 'place,gco2e_per_kwh,UTC\r\n"a, b|c",0,2026-11-28T10:00:00Z\r\n\r\n"""",40,"2026-11-28T11:00:00Z"\r\n' >"$work/i.csv"
run usage -f "$work/file.conf" --now 2026-12-01 --energy --jobs "$work/jobs"
like "$out" "kgCO2e +0\.0200" "other columns, quotes, ends of DOS and an intensity of 0 are read"
hours 2026-11-27T23:00:00Z,1
run usage -f "$work/file.conf" --now 2026-12-01 --energy --jobs "$work/jobs"
like "$out" "1\.0000 kWh of hours.*first is 2026-11-28T10:00:00Z" "a file that ends before has none of the hours"
hours 2026-11-29T00:00:00Z,1
run usage -f "$work/file.conf" --now 2026-12-01 --energy --jobs "$work/jobs"
like "$out" "1\.0000 kWh of hours.*first is 2026-11-28T10:00:00Z" "a file that begins later has none of the hours"

bad() { # TEXT NAME LINES...
	hours "${@:3}"
	refuses "$work/i.csv: $1" "$2" usage -f "$work/file.conf" --energy --jobs "$work/jobs"
}
# Command line of refuses(): the subcommand is the first word.
utc="utc: expected an hour such as 2026-11-28T13:00:00Z"
number="gco2e_per_kwh: expected a number from 0 to 1000000, with at most six decimals"
later="utc: expected a later hour than in the line before"
bad "line 2: $utc" "half an hour is refused" 2026-11-28T10:30:00Z,1
bad "line 2: $utc" "local time is refused" 2026-11-28T10:00:00,1
bad "line 2: $utc" "a day that there is not is refused" 2026-02-30T10:00:00Z,1
bad "line 2: $utc" "an hour that there is not is refused" 2026-02-03T24:00:00Z,1
bad "line 2: $utc" "an empty hour is refused" ,1
bad "line 2: $number" "a negative intensity is refused" 2026-11-28T10:00:00Z,-1
bad "line 2: $number" "an empty intensity is refused" 2026-11-28T10:00:00Z,
bad "line 2: $number" "no number is refused" 2026-11-28T10:00:00Z,nan
bad "line 2: $number" "a large number is refused" 2026-11-28T10:00:00Z,1000000.1
bad "line 3: $later" "an hour that comes twice is refused" 2026-11-28T10:00:00Z,1 2026-11-28T10:00:00Z,1
bad "line 3: $later" "an earlier hour is refused" 2026-11-28T10:00:00Z,1 2026-11-28T09:00:00Z,1
bad "line 3: $later" "an hour far away is refused" 1971-01-01T00:00:00Z,1 9999-01-01T00:00:00Z,1
bad "line 2: 3 columns: expected 2" "a line with more cells is refused" 2026-11-28T10:00:00Z,1,5
bad "line 2: more than 256 columns, or a quote is missing" "a quote that does not end is refused" '"2026-11-28T10:00:00Z,1'
bad "line 2: more than 256 columns, or a quote is missing" "text behind a quote is refused" '"2026-11-28T10:00:00Z"1,1'
bad "no rows" "a file without hours is refused"
rm "$work/i.csv"
refuses "$work/i.csv: No such file or directory" "a file that is not there is refused" \
	usage -f "$work/file.conf" --energy --jobs "$work/jobs"
run bill -f "$work/file.conf" --jobs "$work/jobs" --job 1
is "$status|${out##*$'\n'}|$err" "0|  it used 1.0000 kWh|equitree bill: $work/i.csv: No such file or directory" \
	"a bill goes on without it"

# ---- Random runs and hours, in exact fractions ------------------------------------

like "$("$tools_dir/energy.py" "$equitree" "$work/none.conf" "$work")" "^2000 runs, 0 differences$" \
	"kWh and CO2e of random runs are those of an exact computation"
done_testing
