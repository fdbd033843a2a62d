# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What the system tests share: TAP lines, a real cluster of their own, and the
# answers of Slurm's commands as plain words. Each test sources it first.
#
# EQUITREE_BUILD is the build tree whose plugins are under test; EQUITREE_KEEP=1
# leaves the cluster up for a look around (sandbox/cluster -n sys-... purge), and
# EQUITREE_INSTALLED=1 takes what is installed in Slurm's own plugin folder.
# Waiting is polling with a bound, and the bound is generous: no test asserts
# how long something takes.
set -uo pipefail

system_dir=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
build=${EQUITREE_BUILD:-$system_dir/../../build/tree}
sandbox=$system_dir/../../sandbox/cluster
test_name=$(basename "$0" .t)
cluster_name=sys-$test_name-$$
work=$(mktemp -d "${TMPDIR:-/tmp}/equitree-$test_name.XXXXXX") || exit 1
patience_s=60
export LC_ALL=C

# shellcheck source=../tap.sh
. "$system_dir/../tap.sh"

after_failure() {
	diag "--- the end of slurmctld's log"
	diag "$(grep -vi 'mpi' "$dir/log/slurmctld.log" 2>&1 | tail -n 12)"
}

skip_all() {
	echo "1..0 # SKIP $*"
	exit 0
}

# The rest makes no sense without this: says why, and leaves no plan.
bail() {
	fail "$@"
	exit 1
}

in_vain() { # SECONDS COMMAND...
	diag "waited $1 s in vain: ${*:2}" >&2
	return 1
}

wait_until() { # COMMAND...
	local end=$((SECONDS + patience_s))
	until "$@"; do
		((SECONDS < end)) || in_vain "$patience_s" "$@" || return
		sleep 0.1
	done
}

# A line of the budgets' file; settlements are gathered for a moment.
budgets_file_has() { grep -qE "$1" "$state_dir/equitree_budgets"; } # REGEX

# The same where slurmctld was killed. A job whose end it forgot runs for it until
# the node tells what it has, BatchStartTimeout and ten seconds after the start or
# later; it asks by itself at its start only, so we have it ask.
wait_asking() { # COMMAND...
	local end=$((SECONDS + 5 * patience_s)) next=0
	until "$@"; do
		((SECONDS < end)) || in_vain $((5 * patience_s)) "$@" || return
		if ((SECONDS >= next)); then
			daemon ask slurmd
			next=$((SECONDS + 5))
		fi
		sleep 0.1
	done
}

# ---- The cluster ----------------------------------------------------------

cluster() { "$sandbox" -n "$cluster_name" "$@"; }
in_cluster() { cluster run "$@"; }
as() { cluster run -u "$@"; } # USER COMMAND...
daemon() { cluster daemon "$@" >>"$work/daemon.out" 2>&1; }
dir=$(cluster path)
state_dir=$dir/state

at_exit() {
	[[ ! ${EQUITREE_KEEP-} ]] || return 0
	cluster purge
	rm -rf "$work"
}
trap at_exit EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

# The built plugins, side by side as an installation has them.
collect_plugins() {
	local file
	[[ -d $work/plugins ]] && return
	mkdir "$work/plugins"
	for file in "$build"/plugins/*/.libs/*_equitree.so; do
		[[ -e $file ]] && cp -L "$file" "$work/plugins/"
	done
	[[ -e $work/plugins/priority_equitree.so ]] ||
		skip_all "priority_equitree.so is not built in $build"
}

# A site with the users and accounts of sites/NAME, all else as in cedar.
site() { # NAME
	local made=$work/site-$1
	mkdir -p "$made"
	cp "$system_dir"/../../sandbox/sites/cedar/* "$made/"
	cp "$system_dir/sites/$1"/* "$made/"
	echo "$made"
}

# Most tests compare usage with accounting, which has no end but Slurm's, and what
# an epilog takes on a busy machine is no part of that. A test of jobs that
# complete has "yes" here.
charge_completing=no

# The site of the options, with charge_completing.
site_up() {
	local made=$work/site-up from=$system_dir/../../sandbox/sites/cedar
	while (($#)); do
		[[ $1 != --site ]] || from=$2
		shift
	done
	[[ -e $from/equitree.conf ]] || return
	rm -rf "$made"
	cp -r "$from" "$made"
	echo "charge_completing = $charge_completing" >>"$made/equitree.conf"
	echo "$made"
}

# Up with the built plugins; options are those of the sandbox. With --stock
# it is Slurm's own priority plugin.
cluster_up() {
	local options=() made
	made=$(site_up "$@") && set -- "$@" --site "$made"
	if [[ " $* " != *" --stock "* && ! ${EQUITREE_INSTALLED-} ]]; then
		collect_plugins
		options=(--plugins "$work/plugins")
	fi
	cluster up "${options[@]}" "$@" >"$work/up.out" 2>&1 ||
		bail "the cluster comes up" "$(tail -n 20 "$work/up.out")"
}

log_size() { stat -c %s "$dir/log/slurmctld.log" 2>/dev/null || echo 0; }

# slurmctld's log from a position (of log_size) on.
log_since() { tail -c "+$(($1 + 1))" "$dir/log/slurmctld.log"; }

# Not through a pipe: grep ends when it has found it, and who still writes to it is
# killed, which would count.
log_has() { grep -qE -e "$2" < <(log_since "$1"); } # POSITION REGEX

# What no test may leave behind: errors of the plugins.
no_equitree_errors() {
	local lines
	# The sandbox's own path has the word in it, too.
	lines=$(sed "s|$dir|DIR|g" "$dir/log/slurmctld.log" |
		grep 'error:.*equitree')
	is "$lines" "" "slurmctld's log has no error of equitree"
}

# ---- Usage ----------------------------------------------------------------

assoc_id() { # ACCOUNT USER
	in_cluster sacctmgr -nP show assoc where account="$1" user="$2" \
		format=id
}

# Columns of sshare for one user (or, USER being "", one account).
share() { # ACCOUNT USER FIELDS
	in_cluster sshare -alP -n -A "$1" -o "account,user,$3" |
		awk -F'|' -v user="$2" '
			$2 == user {
				sub(/^[^|]*[|][^|]*[|]/, "")
				print
				exit
			}'
}

# One row of the usage that the plugin has saved, its hexadecimal numbers as
# decimal ones: "RAW WALL TRES...". A row that is not there has no usage.
saved_row() { # a|q ID
	local -a field
	read -ra field < <(grep "^$1 $2 " "$state_dir/equitree_usage")
	[[ ${#field[@]} -gt 3 ]] || field=("$1" "$2" 0x0p+0 0x0p+0)
	printf '%.15g ' "${field[@]:2}"
}

# What the plugin has charged to the user's association, to the last digit.
exact_usage() { # ACCOUNT USER
	saved_row a "$(assoc_id "$1" "$2")" | cut -d' ' -f1
}

# Up to when the saved usage is charged and decayed; epoch seconds.
saved_as_of() { head -n 1 "$state_dir/equitree_usage" | cut -d' ' -f3; }

saved_since() { (($(saved_as_of) >= $1)); }

# A pass that began after all that happened before this call, and its results
# on disk: with a short period, or when something wakes the plugin.
wait_pass() {
	local now
	now=$(($(date +%s) + 1))
	wait_until saved_since "$now"
}

# The same whatever the period is: being asked to read its configuration makes
# the plugin run a pass.
pass_now() {
	local now
	now=$(($(date +%s) + 1))
	while (($(date +%s) < now)); do sleep 0.05; done
	in_cluster scontrol reconfigure
	# Where there is one every few seconds, one of now may have begun before
	# slurmctld told of the new configuration.
	if grep -qE '^PriorityParameters=(.*,)?period=[0-9](,|$)' \
		"$dir/etc/slurm.conf"; then
		wait_pass
	else
		wait_until saved_since "$now"
	fi
}

# Usage as if it had been charged up to a moment: a snapshot for slurmctld to
# start with, which must not run. Lines "ACCOUNT USER RAW [WALL [CPU]]", or
# "qos NAME RAW [WALL [CPU]]", on stdin; instead of CPUs another TRES by its id.
place_usage() { # EPOCH [TRES-ID]
	local account user raw wall cpu id kind rows=0 text
	text="equitree-usage 1 $1 $1 0 ${2:-1}"$'\n'
	while read -r account user raw wall cpu; do
		kind=a
		if [[ $account == qos ]]; then
			kind=q
			id=$(in_cluster sacctmgr -nP show qos "$user" format=id)
		else
			id=$(assoc_id "$account" "$user")
		fi
		[[ $id ]] || bail "usage of $account $user has an owner"
		text+=$(printf '%s %d %a %a %a' "$kind" "$id" "$raw" \
			"${wall:-0}" "${cpu:-0}")$'\n'
		rows=$((rows + 1))
	done
	text+="end $rows "
	rm -f "$state_dir"/{equitree_*,priority_last_decay_ran*}
	printf '%s%s\n' "$text" "$(printf %s "$text" | crc32_of)" \
		>"$state_dir/equitree_usage"
}

# The checksum that gzip puts behind its data.
crc32_of() { gzip -c | tail -c 8 | od -An -tx4 -N4 | tr -d ' \n'; }

# ---- The record of charges --------------------------------------------------

record_lines() {
	zcat -qf "$state_dir"/equitree_charges/charges.[0-9]* | grep '^c ' | sort -u
}
# JOB AMOUNT of each line of a user; those of runs that go on come from $work/open, a copy of
# the file "open", unless the record has them by now.
record_amounts() { # USER
	{
		record_lines
		grep '^c ' "$work/open"
	} | awk -v user="$1" '
		$26 != user { next }
		$3 != "o" { if ($9 + $10 + $11 > until[$4]) until[$4] = $9 + $10 + $11 }
		$3 == "o" && until[$4] > $9 + $10 { next }
		{ print $4, $11 - $12, $13, $14, $15 }' |
		while read -r job seconds rate factor unit; do
			printf '%s %d %.17g %.17g %d\n' "$job" "$seconds" "$rate" "$factor" "$unit"
		done | awk '{ printf "%s %.17g\n", $1, $2 * $3 * $4 / $5 }'
}
recorded() { # USER
	record_amounts "$1" | awk '{ sum += $2 } END { printf "%.15g\n", sum }'
}

# ---- Jobs -----------------------------------------------------------------

# Submits as a user; prints the job's id.
submit() { # USER SECONDS OPTIONS...
	local user=$1 seconds=$2
	shift 2
	as "$user" sbatch --parsable -o /dev/null "$@" \
		--wrap "sleep $seconds" 2>>"$work/sbatch.err"
}

# $work/epilogs/epilog, for Epilog: it takes the seconds that a file "seconds" beside it says,
# none without the file.
make_epilog() {
	mkdir -m 755 "$work/epilogs"
	cat >"$work/epilogs/epilog" <<END
#!/bin/bash
read -r seconds <"$work/epilogs/seconds" 2>/dev/null || exit 0
sleep "\$seconds"
END
	chmod 755 "$work" "$work/epilogs/epilog"
}

# Until no job runs, but those of the name "fill", and none can start. A job that waits for
# resources while nothing runs never starts, and keeps others from starting: it is
# cancelled.
wait_for_starts() { # REQUESTS
	local end=$((SECONDS + 40 + $1 / 5)) idle=$SECONDS ids
	while ((SECONDS < end)); do
		sleep 0.2
		! grep -qvx fill < <(in_cluster squeue -h -t R,CG,CF -o %j) ||
			{ idle=$SECONDS && continue; }
		in_cluster squeue -h -t PD -o '%i %r' |
			grep -E ' (None|Priority|Resources)$' >"$work/waiting" || return
		((SECONDS - idle >= 3)) || continue
		mapfile -t ids < <(sed -n 's/ Resources$//p' "$work/waiting")
		((${#ids[@]} == 0)) || in_cluster scancel "${ids[@]}"
		idle=$SECONDS
	done
}

job_field() { # ID FIELD
	in_cluster scontrol -o show job "$1" |
		sed -nE "s/.*[ ]$2=([^ ]*).*/\1/p"
}

# What a job asks for or has been given, in the words of either release.
job_tres() { # ID
	local field tres
	for field in AllocTRES ReqTRES TRES; do
		tres=$(job_field "$1" "$field")
		[[ -z $tres || $tres == "(null)" ]] || break
	done
	echo "$tres"
}

job_is() { [[ $(job_field "$1" JobState) == "$2" ]]; } # ID STATE

# Columns of sacct for jobs, one line for each time that one ran.
account_of() { # IDS FIELDS
	in_cluster sacct -DXnP --noconvert -S 2000-01-01 -j "$1" -o "$2"
}

# True when slurmdbd knows the end of the jobs (arrays: of COUNT of them).
jobs_ended() { # IDS [COUNT]
	local ends
	ends=$(account_of "$1" End) || return 1
	[[ $ends && $ends != *Unknown* && $ends != *None* ]] || return 1
	(($(wc -l <<<"$ends") >= ${2:-1}))
}

# True when the jobs have ended for slurmctld, and slurmdbd knows the same ends.
# Where slurmctld was killed that takes both: slurmdbd may know an end that the
# slurmctld after it does not, which lets the job run on and tells another end.
# Jobs that never ran do not matter. What disagrees is in $work/disagree.
ends_agree() { # IDS
	account_of "$1" JobIDRaw,Start,End >"$work/told" || return 1
	[[ -s $work/told ]] || return 1
	in_cluster squeue -h -r -t all -o '%A|%S|%e|%T' >"$work/squeue" ||
		return 1
	awk -F'|' '
		FNR == NR {
			row[$1] = $0
			delete end[$1]
			if ($2 ~ /^[0-9]/)
				end[$1] = $3
			next
		}
		!($1 in row) { next }
		{ seen[$1] = 1 }
		$4 == "CANCELLED" && !($1 in end) { next }
		$4 ~ /^(PENDING|RUNNING|SUSPENDED|COMPLETING)$/ ||
		    end[$1] != $3 {
			print "slurmctld: " $0 " slurmdbd: " row[$1]
		}
		END {
			for (id in row)
				if (!(id in seen) && end[id] !~ /^[0-9]/)
					print "slurmdbd: " row[id]
		}' "$work/told" "$work/squeue" >"$work/disagree" &&
		[[ ! -s $work/disagree ]]
}

# Of a job that has just started slurmctld refuses that until slurmdbd knows it.
comment_job() { # ID COMMENT
	in_cluster scontrol update jobid="$1" comment="$2" 2>/dev/null
}

# slurmctld writes its jobs down seconds after a change. What it has not written
# down does not exist for the next one, and no plugin can help. ID is any job
# that has not ended.
jobs_saved() { # ID
	local mark
	mark=saved-$(date +%s%N)
	wait_until comment_job "$1" "$mark" || return 1
	wait_until grep -sqF "$mark" "$state_dir/job_state"
}

# Elapsed seconds, summed over the jobs, as accounted.
elapsed() { # IDS
	account_of "$1" ElapsedRaw | awk '{ sum += $1 } END { print sum + 0 }'
}
