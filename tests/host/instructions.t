#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The instructions of a submission, of a first priority, of an end and of a pass, as
# valgrind's callgrind counts them, and the bytes of stack of a submission are those of
# the table instructions, within 3 %.
# A change that costs more, or less, changes the table in the same commit:
# instructions.t --write. Each count is the difference of two runs, so that what is done
# once does not count. Other compilers, flags and releases of Slurm have other counts;
# there all rows are skipped.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=rows.sh
. "$here/rows.sh"
table=$here/instructions
submit_program=$build/tests/submit/submit
submit_plugin=$build/plugins/job_submit/.libs/job_submit_equitree.so
priority_plugin=$build/plugins/priority/.libs/priority_equitree.so

# The first line of the table says what it was counted with.
counted_with() {
	printf '# %s, %s, Slurm %s, %s\n' \
		"$(readelf -p .comment "$priority_plugin" | grep -o 'GCC: .*' | head -n 1)" \
		"$(sed -n "s/^CFLAGS='\(.*\)'$/\1/p" "$build/config.log")" \
		"$release" "$(uname -m)"
}

if ! command -v callgrind_annotate >/dev/null; then
	echo '1..0 # SKIP there is no valgrind'
	exit
elif [[ ${1-} != --write && $(counted_with) != "$(head -n 1 "$table")" ]]; then
	echo "1..0 # SKIP counted with another compiler, flags or Slurm: $(
		counted_with)"
	exit
fi

# instructions FUNCTION COMMAND...: instructions of a function and all that it calls
instructions() {
	valgrind --tool=callgrind --callgrind-out-file="$work/counts" \
		"${@:2}" >"$work/out" 2>&1 ||
		{ tail -n 5 "$work/out" >&2 && return 1; }
	callgrind_annotate --inclusive=yes --threshold=100 --auto=no \
		"$work/counts" | awk -v name=":$1" '
		{ sub(/ \(.*%\)/, "") }
		index($0, name " ") { gsub(",", "", $1); print $1; exit }'
}

submission() { # KIND
	local few many
	few=$(instructions job_submit "$submit_program" "$submit_plugin" calls "$1" 5)
	many=$(instructions job_submit "$submit_program" "$submit_plugin" calls "$1" 25)
	echo $(((many - few) / 20))
}

# A history of jobs, some of which start and end, and passes.
history() { # JOBS PARTITION PASSES [SECTION]
	cat <<-END
		conf PriorityWeightFairshare=100000
		conf PriorityWeightAge=1000
		conf PriorityWeightJobSize=1000
		conf PriorityWeightPartition=1000
		price bundle cores { cores = 1  memory = 4000M }
		${4-}
		cluster cpu=10000 node=100 mem=40000000
	END
	printf 'partition p%d factor=%d tier=%d\n' 0 1 9 1 2 8 2 3 7 3 4 6 4 5 5 \
		5 6 4 6 7 3 7 8 2 8 9 1 9 10 0
	printf 'account a%d\n' 1 2 3 4
	printf 'user u%d account=a%d\n' 1 1 2 2 3 3 4 4
	echo run
	awk -v jobs="$1" -v partition="$2" -v passes="$3" 'BEGIN {
		for (i = 1; i <= jobs; i++)
			print "submit " i " user=u" i % 4 + 1 " account=a" \
				i % 4 + 1 " partition=" partition " cpu=" \
				i % 8 + 1 " mem=" 1000 * (i % 16 + 1) " time=99"
		for (i = 1; i <= jobs; i += 10)
			print "start " i " partition=p0"
		for (i = 0; i < passes; i++)
			print "advance 300"
		for (i = 1; i <= jobs; i += 10)
			print "end " i
	}'
}

played() { # FUNCTION JOBS PARTITION PASSES [SECTION]
	history "$2" "$3" "$4" "${5-}" >"$work/history"
	instructions "$1" "$host" "$priority_plugin" "$work/history"
}

# One more job, one more end, one more pass of a thousand jobs.
a_job() { # FUNCTION DIVISOR [PARTITION]
	local partition=${3-p0}
	echo $((($(played "$1" 600 "$partition" 1) - $(
		played "$1" 100 "$partition" 1)) / $2))
}

a_pass() { # PARTITION [SECTION]
	echo $((($(played eqt_pass_run 1000 "$1" 4 "${2-}") - $(
		played eqt_pass_run 1000 "$1" 2 "${2-}")) / 2))
}

# The same of few jobs and 1,000 more users, one of whom has other shares before each pass.
changed_pass() { # PASSES
	history 10 p0 0 | awk -v passes="$1" '
		/^run$/ {
			for (i = 1; i <= 1000; i++)
				print "user x" i " account=a" i % 4 + 1
		}
		!/^end/
		END {
			for (i = 1; i <= passes; i++)
				print "modify user x" i " account=a" i % 4 + 1 \
					" shares=" i + 1 "\nadvance 300"
		}' >"$work/history"
	instructions eqt_pass_run "$host" "$priority_plugin" "$work/history"
}

# The functions of the journal's text that run in the hook of an end, of 60 in a burst.
texts_of_ends() {
	history 600 p0 1 >"$work/history"
	valgrind --tool=callgrind --toggle-collect=priority_p_job_end \
		--callgrind-out-file="$work/counts" "$host" \
		"$priority_plugin" "$work/history" >"$work/out" 2>&1 ||
		{ tail -n 5 "$work/out" && return; }
	grep -q eqt_journal_charge "$work/counts" || echo 'there are no ends'
	grep -oE 'eqt_(journal_record_text|charge_record_put|digits)' \
		"$work/counts"
}

all_parts=p0,p1,p2,p3,p4,p5,p6,p7,p8,p9

# Names and counts, a line each.
counts() {
	local kind
	for kind in plain silent gpu any feature nodes array parts plain-lines \
		feature-huge exclude-huge all-apart; do
		printf 'submission, %s\t%s\n' "$kind" "$(submission "$kind")"
	done
	for kind in plain gpu parts; do
		printf 'stack of a submission, %s\t%s\n' "$kind" \
			"$("$submit_program" "$submit_plugin" stack "$kind")"
	done
	printf 'first priority\t%s\n' "$(a_job priority_p_set 500)"
	printf 'first priority in 10 partitions\t%s\n' \
		"$(a_job priority_p_set 500 "$all_parts")"
	printf 'end\t%s\n' "$(a_job priority_p_job_end 50)"
	printf 'pass of 1,000 jobs\t%s\n' "$(a_pass p0)"
	printf 'pass of 1,000 jobs in 10 partitions\t%s\n' \
		"$(a_pass "$all_parts")"
	printf 'pass of 1,000 users after a change of shares\t%s\n' \
		$((($(changed_pass 4) - $(changed_pass 2)) / 2))
	printf 'pass of 1,000 jobs with places and access\t%s\n' "$(a_pass p0 \
		'price priority { order = jobs  allocated_now = 3600  access_weight = 1000 }')"
}

if [[ ${1-} == --write ]]; then
	counts >"$work/table" && counted_with | cat - "$work/table" >"$table"
	exit
fi
counts >"$work/table"
while IFS=$'\t' read -r name wanted; do
	[[ $name != \#* ]] || continue
	now=$(sed -n "s/^$name\t//p" "$work/table")
	((now * 100 <= wanted * 103 && now * 100 >= wanted * 97))
	same=$?
	[[ $name == stack* ]] && unit=bytes || unit=instructions
	row "$name: $wanted $unit" "$same" "it takes $now"
done <"$table"
none 'a burst of ends makes no text under the job lock' "$(texts_of_ends)"
echo "1..$count"
