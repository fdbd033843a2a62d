#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What kills.t expects is computed from slurmctld's log by ran-seconds. Here are logs in
# which kills follow each other within a second, and what must be computed from them.
system_dir=$(dirname "$(readlink -f "$0")")
# shellcheck source=../tap.sh
. "$system_dir/../tap.sh"
work=$(mktemp -d "${TMPDIR:-/tmp}/equitree-ran-seconds.XXXXXX")
trap 'rm -rf "$work"' EXIT

# Lines of slurmctld's log, "SECOND TEXT"; "SECOND boot" is its start. "kill AS_OF" and
# "believes JOB START NODES ..." say what kills.t noted at that moment. The epoch is the
# time of the first second, in this machine's time zone. told is what slurmctld has at the
# end, as two times.
epoch=$(date -d 2026-11-22T21:00:00 +%s)
story() {
	local first rest job start nodes
	: >"$work/log" && : >"$work/kills" && : >"$work/beliefs"
	while read -r first rest; do
		case $first in
		kill) echo "0 $((epoch + rest)) $(stat -c %s "$work/log")" >>"$work/kills" ;;
		believes)
			echo "boot $(stat -c %s "$work/log")"
			while read -r job start nodes; do
				[[ ! $job ]] || echo "$job $((epoch + start)) $nodes"
			done <<<"${rest//,/$'\n'}"
			;;
		*)
			[[ $rest != boot ]] ||
				rest="slurmctld version 22.05.8 started on cluster cedar"
			printf '[2026-11-22T21:00:%02d.000] %s\n' "$first" "$rest" >>"$work/log"
			;;
		esac
	done >"$work/beliefs.new"
	mv "$work/beliefs.new" "$work/beliefs"
	echo "1 ada ${told-}" | "$system_dir/ran-seconds" "$work/log" "$work/kills" "$work/beliefs" \
		2>"$work/err" || cat "$work/err"
}

ran=$(story <<'END'
0 boot
1 sched: Allocate JobId=1 NodeList=cpu1 #CPUs=4
9 deallocate_nodes: JobId=1
END
)
is "$ran" "ada 40 8 0 0 0" "a run without a kill is expected as long as it was"

ran=$(told="$((epoch + 1)) $((epoch + 8))" && story <<'END'
0 boot
2 sched: Allocate JobId=1 NodeList=cpu1 #CPUs=4
9 deallocate_nodes: JobId=1
END
)
is "$ran" "ada 35 7 0 0 0" "a run whose lines are late is expected with slurmctld's own times"

ran=$(told="$((epoch + 12)) $((epoch + 15))" && story <<'END'
0 boot
1 sched: Allocate JobId=1 NodeList=cpu1 #CPUs=4
9 deallocate_nodes: JobId=1
12 sched: Allocate JobId=1 NodeList=cpu1 #CPUs=4
15 deallocate_nodes: JobId=1
END
)
is "$ran" "ada 55 11 0 0 0" "slurmctld's own times are those of the last run"

ran=$(story <<'END'
0 boot
1 sched: Allocate JobId=1 NodeList=cpu1 #CPUs=4
4 deallocate_nodes: JobId=1
kill 4
5 boot
believes 1 1 1
9 deallocate_nodes: JobId=1
END
)
is "$ran" "ada 40 8 0 0 5" "a run whose end was forgotten is expected to go on"

ran=$(story <<'END'
0 boot
1 sched: Allocate JobId=1 NodeList=cpu1 #CPUs=4
kill 2
3 boot
kill 3
3 boot
believes
8 sched: Allocate JobId=1 NodeList=cpu1 #CPUs=4
9 deallocate_nodes: JobId=1
END
)
is "$ran" "ada 5 1 5 5 0" \
	"a run whose start was forgotten is expected as charged up to the last pass"

# The first successor lives for less than a second: it believes the job to run, which
# ends, and is saved. The second knows that.
ran=$(story <<'END'
0 boot
1 sched: Allocate JobId=1 NodeList=cpu1 #CPUs=4
kill 4
5 boot
believes 1 1 1
5 deallocate_nodes: JobId=1
kill 5
5 boot
believes
5 Requeuing JobId=1
END
)
is "$ran" "ada 20 4 0 0 5" \
	"a slurmctld that starts in the second of its predecessor has its own beliefs"

# Its end is forgotten; the node reports the end of the epilog, and Slurm requeues the
# job without another end.
ran=$(story <<'END'
0 boot
1 sched: Allocate JobId=1 NodeList=cpu1 #CPUs=4
4 deallocate_nodes: JobId=1
kill 4
5 boot
believes 1 1 1
6 Requeuing JobId=1
9 deallocate_nodes: JobId=1
END
)
is "$ran" "ada 40 8 0 0 5" "a requeue of a run whose end was forgotten is no error"
done_testing
