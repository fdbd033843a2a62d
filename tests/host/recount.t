#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Run-seconds after slurmctld has counted them anew: what has passed is taken off in
# slices, and whatever happens to a job between two of them, limits hold what is left
# of the jobs that run, to the second.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

# shellcheck source=rows.sh
. "$here/rows.sh"

if [[ ! -x $host ]]; then
	echo "1..0 # SKIP $host is not built (no internal headers of Slurm)"
	exit 0
fi

# 200 jobs that run, the last ones since after a pass, and 10 that wait: more than
# six times what is charged at once. AGAIN is how slurmctld comes to count anew, with
# the moment for @N@. The first print is in the second of a pass, 467; in the second
# one all have ended. One history for each moment.
histories() { # MOMENTS EVENT AGAIN
	awk -v moments="$1" -v event="$2" -v text="$3" 'function history(moment,   i, again) {
		again = text
		gsub(/@N@/, moment, again)
		print "### " moment
		print "conf PriorityDecayHalfLife=0"
		print "conf PriorityUsageResetPeriod=YEARLY"
		print "cluster cpu=640 node=10"
		print "qos normal"
		print "qos half factor=0.5"
		print "partition main"
		print "account phys"
		print "user ada account=phys"
		print "user ben account=phys"
		print "busy"
		print "run"
		for (i = 1; i <= 210; i++) {
			print "submit", i, "user=" (i % 2 ? "ada" : "ben"),
				"account=phys time=600 cpu=" 1 + i % 2,
				"qos=" (i % 3 ? "normal" : "half")
			if (i == 191)
				print "advance 307"
			if (i <= 200)
				print "start", i
		}
		print "advance 150"
		print "midway", moment, event
		print again
		print "advance 10\ndebug\nprint assocs qos"
		for (i = 1; i <= 210; i++)
			if (event "\n" again "\n" !~ "(^|[ \n])end " i "\n")
				print "end", i
		print "debug\nadvance 1\nprint assocs qos"
	}
	BEGIN {
		for (moment = 1; moment <= moments; moment++)
			history(moment)
	}'
}

# The CPU run-seconds that "ada ben normal half" must hold after a pass at SECOND,
# where one JOB has so many CPUs for MINUTES from START on (-1: its own).
held() { # SECOND JOB CPUS START MINUTES
	awk -v second="$1" -v job="$2" -v cpus="$3" -v start="$4" \
		-v minutes="$5" 'BEGIN {
		for (i = 1; i <= 210; i++) {
			s = i < 191 ? 0 : 307
			c = i <= 200 ? 1 + i % 2 : 0
			limit = 36000
			if (i == job) {
				c = cpus
				s = start < 0 ? s : start
				limit = minutes * 60
			}
			factor = i % 3 ? 1 : 0.5
			passed = second > s ? second - s : 0
			left = c * (int(factor * limit) - int(factor * passed))
			user[i % 2] += left
			qos[!(i % 3)] += left
		}
		print user[1], user[0], qos[0], qos[1] }'
}

# What is wrong with the histories that were played: each has EXPECTED at the print
# of SECOND, and holds nothing at its last one.
wrong_in() { # MOMENTS EXPECTED SECOND
	awk -v moments="$1" -v expected="$2" -v second="$3" '
	function judge() {
		if (!moment)
			return
		now = held["assoc=phys/ada"] " " held["assoc=phys/ben"] " " \
			held["qos=normal"] " " held["qos=half"]
		if (now != expected)
			print "moment " moment ": " now " instead of " expected
		if (prints != 2)
			print "moment " moment ": " prints + 0 " prints"
		if (left)
			print "moment " moment ": " left
	}
	/^### / {
		judge()
		moment = $2
		seen++
		split("", held)
		prints = on = 0
		left = ""
		next
	}
	/^ended with/ { print "moment " moment ": " $0 }
	$1 == "==" { prints++; on = $2 == second; left = ""; next }
	{
		for (i = 2; i <= NF; i++) {
			if (on && index($i, "run:cpu=") == 1)
				held[$1] = substr($i, 9)
			if (index($i, "run:") == 1)
				left = left $1 " " $i " "
		}
	}
	END {
		judge()
		if (seen != moments)
			print seen + 0 " of " moments " histories were played"
	}' "$work/out"
}

# Before each time in turn that the pass takes slurmctld's locks: while it looks which
# jobs there are, between the slices, and after them.
exact() { # NAME EVENT AGAIN EXPECTED [SECOND]
	local wrong
	histories "$moments" "$2" "$3" >"$work/histories"
	ours -m "$work/histories" >"$work/out" 2>"$work/err"
	wrong=$(wrong_in "$moments" "$4" "${5:-467}")
	none "$1" "$(head -n 4 <<<"$wrong")${wrong:+$'\n'$(tail -n 1 "$work/err")}"
}

moments=24
for again in restart reconfigure; do
	exact "$again: what has passed is taken off" debug "$again" "$(held 467 0)"
	exact "$again: a job ends meanwhile" 'end 100' "$again" "$(held 467 100 0)"
	exact "$again: one that counts half" 'end 99' "$again" "$(held 467 99 0)"
	exact "$again: one that began after the last pass" 'end 195' "$again" \
		"$(held 467 195 0)"
	exact "$again: a job is requeued" 'requeue 100' "$again" "$(held 467 100 0)"
	exact "$again: a job gets other CPUs" 'resize 100 cpu=5' "$again" \
		"$(held 467 100 5 -1 600)"
	exact "$again: another time limit" 'time 100 700' "$again" \
		"$(held 467 100 1 -1 700)"
	exact "$again: a job is suspended" 'suspend 100' "$again" "$(held 467 0)"
	exact "$again: a job starts" 'start 205' "$again" \
		"$(held 467 205 2 457 600)"
done

# Where slurmctld itself goes on.
if ((release < 2311)); then
	twice='reconfigure PriorityWeightAge=7'
	exact 'slurm.conf is read again meanwhile' "$twice" reconfigure \
		"$(held 467 0)"
	exact 'a reconfigure, and a job ends in the walk that starts again' "$twice" \
		$'reconfigure\nmidway @N@ end 100' "$(held 467 100 0)"
	moments=9
	exact 'at once where no pass follows' 'end 100' \
		'reconfigure PriorityParameters=stock_compat' \
		"$(held 300 100 0)"
	# Before the walk alone: it sees another reading by its second.
	moments=4
	exact 'slurmctld reports late, and the usage of each QOS is reset' reread \
		$'reconfigure\ntell\nadvance 2\nreset normal\nreset half\nend 100' \
		"$(held 469 100 0)" 469
fi

echo "1..$count"
