#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The section "priority" of equitree.conf in a stand-in slurmctld: who gets what
# from a scheduler that starts jobs by priority, and what each option gives.
# shellcheck source=../tap.sh
. "$(dirname "$0")/../tap.sh"
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

if [[ ! -x $host ]]; then
	echo "1..0 # SKIP $host is not built (no internal headers of Slurm)"
	exit 0
fi

play() { # NAME: the history's output, as $work/NAME
	ours "$here/histories/$1.txt" >"$work/$1" 2>"$work/$1.err" ||
		fail "$1 runs to its end" "$(tail -n 3 "$work/$1.err")"
}

priorities() { # NAME TIME JOB...
	local name=$1 time=$2 job text=
	shift 2
	for job; do
		text+=" $(value "$work/$name" "$time" "job=$job" priority)"
	done
	echo "${text# }"
}

# ---- Who gets what ----------------------------------------------------------

# Part of a group in what was allocated between the last two prints.
part_of() { # GROUP
	awk -v group="assoc=$1" '
		$1 == "==" { print_no++ }
		$1 == group || $1 == "assoc=root" {
			sub(/raw=/, "", $2)
			raw[print_no, $1] = $2
		}
		END {
			all = raw[print_no, "assoc=root"] - \
				raw[print_no - 1, "assoc=root"]
			mine = raw[print_no, group] - raw[print_no - 1, group]
			print (all > 0 ? mine / all : -1)
		}' "$work/shares"
}
divide() { # KIND LINE
	"$here/shares-history" "$@" >"$work/shares-history"
	ours "$work/shares-history" >"$work/shares" 2>"$work/shares.err" ||
		fail "$1 runs to its end" "$(tail -n 3 "$work/shares.err")"
}
by_jobs='priority { rank_by = allocated  order = jobs  rank_every = 1000 }'
for kind in even late flood; do
	divide $kind "$by_jobs"
	near "$(part_of g5)" 0.5 0.025 "$kind: 5 of 10 shares have half, to 5 %"
	near "$(part_of g3)" 0.3 0.015 "$kind: 3 of 10 shares have 3 tenths"
	near "$(part_of g2)" 0.2 0.010 "$kind: 2 of 10 shares have a fifth"
done
# What the order by jobs is for.
divide flood 'priority { rank_by = allocated }'
ok 'ranks of users alone starve short jobs between two passes' \
	calc "$(part_of g2) < 0.15"

# ---- Places -----------------------------------------------------------------

play new_jobs
is "$(priorities new_jobs 0 1 2 3 4 6)" '1 1 1 1 1' \
	'a new job is behind all until the next pass'
is "$(priorities new_jobs 2 6 4 1 2 3)" '1001 800 600 400 200' \
	"one user's jobs have places one after the other, by their own order"
is "$(priorities new_jobs 2 5)" 1 'what cannot start has no place'
is "$(tail -n 6 "$work/new_jobs")" \
	"$(tail -n 13 "$work/new_jobs" | head -n 6)" \
	'a job that is asked for again between passes keeps its place'

# ---- Equal access -----------------------------------------------------------

play access
is "$(priorities access 60 5 6 7 3 1 2)" '1000 1000 667 507 333 167' \
	'what the owner has before a job counts, running jobs and all'
is "$(priorities access 60 4)" 1000 'in each queue by itself'
is "$(value "$work/access" 60 job=3 site)" $((2147483648 + 507)) \
	"sprio's SITE has both it and the site's own factor"
is "$(priorities access 120 6)" 1011 'a site factor that is set later counts'
sed 's/access_weight = 1000/& access_scope = account/' \
	"$here/histories/access.txt" >"$work/by-account"
ours "$work/by-account" >"$work/account" 2>&1
is "$(priorities account 60 6 7 3 5 1 2)" '1000 833 674 167 500 333' \
	'access_scope = account: what the account has before a job counts'

{
	grep -v '^submit\|^start\|^advance\|^print\|^site' \
		"$here/histories/access.txt"
	for job in {1..1000}; do
		echo "submit $job user=ada account=phys"
	done
	echo 'submit 1001 user=ben account=chem'
	echo 'schedule 30 cpu=1'
	echo 'print jobs'
} >"$work/thousand.txt"
ours "$work/thousand.txt" >"$work/thousand" 2>&1
is "$(priorities thousand last 1001)" 1000 \
	'one job is placed before the thousand of another user'
is "$(value "$work/thousand" last job=2 state)" PENDING \
	'the thousand jobs of the other user wait, except for the first'

# ---- The others -------------------------------------------------------------

play expansion
is "$(priorities expansion 540 1)" 100000 \
	'a short job that waits nine of its lengths has all the points'
is "$(priorities expansion 540 2)" $(((100000 * 540 + 388800) / 777600 - 50)) \
	'a long one next to none, and less what the site takes'
is "$(priorities expansion 540 3)" 1 'one that is not eligible has none'
is "$(priorities expansion 540 4)" 167 \
	"without a limit of its own the partition's counts"

play size
is "$(priorities size 60 1 2 3)" '500 250 250' \
	'half of the memory is half of the cluster, a GPU one of four'
sed 's/size_by = equivalents//' "$here/histories/size.txt" >"$work/plain"
ours "$work/plain" >"$work/size" 2>&1
is "$(priorities size 60 1 2 3)" '132 250 132' \
	'by resources it is CPUs and nodes'

play idle
is "$(value "$work/idle" 60 assoc=a level)" 0.5 \
	'an account with a job halves the share of the only other in use'
near "$(value "$work/idle" 120 assoc=a level)" 1/9 1e-12 \
	'when that job has gone, its shares do not count'

# ---- What it leaves alone -----------------------------------------------------

all_on="price priority { rank_by = allocated order = jobs rank_every = ${RANK_EVERY:-60000}
	idle_shares = no access_weight = 1000 access_scope = account
	expansion_weight = 500 expansion_full = 3 size_by = equivalents }"
usage_of() { # HISTORY
	ours "$1" >"$work/usage.out" 2>/dev/null
	last_print "$work/usage.out" | awk '/^(assoc|qos)=/ {
			printf "%s", $1
			for (i = 2; i <= NF; i++)
				if ($i ~ /^(raw|wall|cpu|mem|run:[a-z]*)=/)
					printf " %s", $i
			print "" }'
}
differing=
for seed in {1..6}; do
	# A restart at the end, so that usage is as of the same second.
	{
		awk -v wild=1 -f "$here/random-history" "$seed"
		printf 'restart\nprint\n'
	} >"$work/plain"
	{
		grep -q '^price' "$work/plain" ||
			echo 'price bundle "cores" { cores = 1 }'
		echo "${all_on//$'\n'/ }"
		cat "$work/plain"
	} >"$work/all-on"
	usage_of "$work/plain" >"$work/usage"
	[[ -s $work/usage ]] || differing+=" $seed: nothing"
	usage_of "$work/all-on" | cmp -s - "$work/usage" ||
		differing+=" $seed"
done
is "$differing" '' 'nothing is charged by any of it, whatever is killed'

# ---- Switched off -----------------------------------------------------------

ours "$here/histories/points.txt" >"$work/without" 2>/dev/null
sed '1i price bundle "cores" { cores = 1 }\nprice priority { rank_by = usage allocated_now = 0 order = users rank_every = 0 idle_shares = yes access_weight = 0 expansion_weight = 0 size_by = resources }' \
	"$here/histories/points.txt" >"$work/points"
ours "$work/points" >"$work/with" 2>/dev/null
ok 'the values of Slurm, said by name, change nothing' \
	cmp -s "$work/with" "$work/without"
is "$(ours <(printf '%s\n' 'price bundle "cores" { cores = 1 }' \
	'price priority { order = jobs }' 'cluster cpu=1' 'partition main' \
	run) 2>&1 | grep -c 'order = jobs needs allocated_now')" 1 \
	'a section that contradicts itself stops the start and says why'

# ---- The cost of rankings between passes -------------------------------------

{
	echo 'price bundle "cores" { cores = 1 }'
	echo 'price priority { rank_by = allocated  rank_every = 1  rank_cpu = 1 }'
	printf '%s\n' 'cluster cpu=9000 node=9 mem=9000' 'partition main' \
		'account a' 'user u account=a' run
	for ((i = 1; i <= 6000; i++)); do
		echo "submit $i user=u account=a cpu=1"
	done
	echo 'advance 3'
} >"$work/rank_cpu"
is "$(ours -v -v "$work/rank_cpu" 2>&1 |
	grep -c 'rankings take .* come every')" 1 \
	'rankings that take more of a core than rank_cpu come more rarely'
done_testing
