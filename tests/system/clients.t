#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What Slurm's own clients show and to whom: each option of sprio; who sees what
# with PrivateData, the same under our plugin and Slurm's own; and sshare on a
# machine that has not got the plugin.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

# ---- The queue --------------------------------------------------------------

# Nothing can run: what waits is the same for as long as the test takes.
fill_queue() {
	local part down=() user
	for part in "cpu Nodes=cpu[1-2] Default=YES" "gpu Nodes=gpu[1-2]"; do
		down+=(--set "PartitionName=$part State=DOWN")
	done
	cluster_up "${down[@]}" "$@"
	in_cluster sacctmgr -iQ add coordinator account=physics names=ben \
		>/dev/null
	for user in ada ben cleo; do
		job[$user]=$(submit "$user" 1 -n2)
	done
	job[two]=$(submit cleo 1 -n2 -p cpu,gpu --nice=5)
	job[array]=$(submit dan 1 -n2 -a 1-3)
	wait_until listed || bail "sprio has the jobs" "$(in_cluster sprio)"
}
listed() { (($(in_cluster sprio -h -o %i | wc -l) == 6)); }
declare -A job
fill_queue

sprio() { in_cluster sprio "$@"; }
ids() { sprio -h -o %i "$@" | tr -d ' ' | sort -n | paste -sd' '; }
jobs() { # NAME...: their ids
	local name
	for name; do
		echo "${job[$name]}"
	done | sort -n | paste -sd' '
}
all=$(jobs ada ben cleo two two array)
release=$(sprio -V | awk '{ print $2 }')

# ---- Options of sprio -------------------------------------------------------

is "$(ids)" "$all" "sprio: all jobs, one in two partitions twice"
for option in --federation --local --sibling -Mcedar --cluster=cedar -Mall; do
	is "$(ids "$option")" "$all" "sprio $option: the same without a federation"
done
is "$(ids -j "${job[two]}")" "$(jobs two two)" "sprio --jobs prints these jobs"
is "$(ids --jobs="${job[array]}")" "$(jobs array)" "an array is one line"
is "$(ids -u cleo)" "$(jobs cleo two two)" "sprio --user prints the jobs of a user"
is "$(ids --user=cleo,ada -p gpu)" "$(jobs two)" "sprio --partition prints the jobs of a partition"
is "$(sprio -h -j 4711 | grep -c '^ *[0-9]')" 0 "a job that is not there"
# 24.11's sprio takes a list of jobs for the number of one, whatever the plugin.
case $release in
22.05*)
	is "$(ids -j "${job[ada]},${job[two]}")" "$(jobs ada two two)" \
		"a list of jobs"
	;;
esac
like "$(sprio -M nowhere 2>&1)" "'?nowhere" "a cluster that is not there"

heading() { sprio "$@" | head -n 1 | tr -s ' ' | sed 's/^ //; s/ $//'; }
is "$(heading)" "JOBID PARTITION PRIORITY SITE AGE FAIRSHARE" \
	"columns: the weights that there are"
like "$(heading -l)" '^JOBID .*PRIORITY SITE AGE ASSOC FAIRSHARE JOBSIZE PARTITION QOS(NAME QOS)? NICE TRES$' \
	"sprio --long: all columns"
is "$(sprio -h | wc -l)" 6 "sprio --noheader prints no header"
is "$(heading -n)" "JOBID PARTITION PRIORITY AGE FAIRSHARE" \
	"sprio --norm: parts of 1"
is "$(sprio -h -w -o '%A %F' | xargs)" "10000000 100000000" "sprio --weights prints the weights"
is "$(sprio -h -w -n -o '%A %F' | xargs)" "10000000 100000000" \
	"with --norm as well"
is "$(sprio -h -S i -o %i | tr -d ' ' | paste -sd' ')" "$all" \
	"sprio --sort by number"
is "$(sprio -h -S -i -o %i | tr -d ' ' | paste -sd' ')" \
	"$(tr ' ' '\n' <<<"$all" | sort -nr | paste -sd' ')" "sprio --sort=-i sorts backwards"
like "$(sprio -v 2>&1)" 'verbose += 1' "sprio --verbose prints its options"
like "$(sprio -V)" "^slurm" "sprio --version prints the release"
like "$(sprio --usage)" '--federation' "sprio --usage prints its options"
like "$(sprio --help)" '--weights' "sprio --help prints its options"

# All letters of --format for one job, and what they must be to each other.
read -r id user part nice site integer age fs < <(sprio -h -j "${job[two]}" \
	-p gpu -o '%i %u %r %N %S %Y %A %F')
is "$id $user $part $nice $site" "${job[two]} cleo gpu 5 0" \
	"sprio --format: number, user, partition, nice, site"
near "$integer" "$age + $fs - $nice" 2 "a priority is its parts, less nice"
is "$(sprio -h -j "${job[ada]}" -o '%B %J %P %Q %T' | xargs)" "0 0 0 0" \
	"what has no weight has no points"
near "$(sprio -h -j "${job[ada]}" -o %y)" \
	"$(sprio -h -j "${job[ada]}" -o %Y) / 4294967295" 1e-6 \
	"a part of 1 is one of the largest priority"
is "$(sprio -h -j "${job[ada]}" -o '%a %b %f %j %p %q %t' | xargs | wc -w)" 6 \
	"each factor has a part of 1, a TRES only with a weight"
near "$(sprio -h -j "${job[ada]}" -o %f)" "$(share physics ada fairshare)" \
	1e-6 "the part of fair share is sshare's"

# ---- Private data -----------------------------------------------------------

# What each of them sees: a user, a coordinator of physics, one of another
# account, and root.
seen() {
	local user
	for user in ada ben cleo root; do
		echo "$user sprio: $(as "$user" sprio -h -o %u | sort -u | xargs)"
		echo "$user sshare -a: $(as "$user" sshare -aP -n \
			-o account,user | tr -d ' ' | xargs)"
		echo "$user sshare: $(as "$user" sshare -P -n -o account,user |
			tr -d ' ' | xargs)"
		echo "$user scontrol: $(as "$user" scontrol -o show assoc_mgr \
			flags=assoc 2>/dev/null |
			grep -oE 'Account=[^ ]* UserName=[a-z]*' | xargs)"
	done
}
see_private() { # PrivateData
	sed -i '/^PrivateData=/d' "$dir/etc/slurm.conf"
	[[ ! $1 ]] || echo "PrivateData=$1" >>"$dir/etc/slurm.conf"
	in_cluster scontrol reconfigure
	seen
}
is_told() { # KEY
	sed -n "s/^$1: //p" "$work/seen"
}
everyone="ada ben cleo dan"

# shellcheck disable=SC2054 # one word of PrivateData has commas
words=("" accounts jobs usage users accounts,jobs,usage)
for word in "${words[@]}"; do
	see_private "$word" >"$work/ours-$word"
done

cp "$work/ours-" "$work/seen"
is "$(is_told 'ada sprio')" "$everyone" "without PrivateData all see all jobs"
like "$(is_told 'ada sshare -a')" "chemistry\|cleo" "without PrivateData all see all shares"
cp "$work/ours-jobs" "$work/seen"
is "$(is_told 'ada sprio')" "ada" "PrivateData=jobs: a user sees the own jobs"
is "$(is_told 'ben sprio')" "ada ben" "a coordinator sees the jobs of the account"
is "$(is_told 'root sprio')" "$everyone" "root sees the jobs of all users"
like "$(is_told 'ada sshare -a')" "chemistry\|cleo" "shares are no jobs"
cp "$work/ours-usage" "$work/seen"
is "$(is_told 'ada sprio')" "$everyone" "PrivateData=usage: jobs are no usage"
is "$(is_told 'cleo sshare -a')" "chemistry|cleo" "a user sees the own share"
is "$(is_told 'ben sshare -a')" "physics| physics|ada physics|ben" \
	"a coordinator sees the shares of the account"
like "$(is_told 'root sshare -a')" "bloggs.prj\|abc123.*physics\|ben" "root sees the shares of all users"
cp "$work/ours-accounts,jobs,usage" "$work/seen"
is "$(is_told 'cleo sprio')|$(is_told 'cleo sshare -a')" "cleo|chemistry|cleo" \
	"all of them together"

# ---- A machine without the plugin -------------------------------------------

# Its slurm.conf has no PluginDir but Slurm's own.
bare=$dir/home/bare
mkdir "$bare"
cp "$dir"/etc/*.conf "$bare/"
sed -i -E 's/^(PluginDir=[^:]*):.*/\1/' "$bare/slurm.conf"
on_bare() { in_cluster env SLURM_CONF="$bare/slurm.conf" "$@" 2>&1; }
# As far as releases say the same: 26.05 cannot create a "priority context".
missing='cannot (find|create) priority (plugin|context) for priority/equitree'

is "$(on_bare sprio -h -o %i | tr -d ' ' | sort -n | paste -sd' ')" "$all" \
	"without the plugin: sprio is as everywhere"
case $release in
22.05*)
	is "$(on_bare sshare -alP)" "$(in_cluster sshare -alP)" \
		"without the plugin: sshare with Fair Tree is as everywhere"
	echo PriorityFlags=NO_FAIR_TREE >>"$bare/slurm.conf"
	like "$(on_bare sshare -alP)" "$missing" \
		"with NO_FAIR_TREE sshare says what is missing"
	;;
*)
	like "$(on_bare sshare -alP)" "$missing" "sshare says what is missing"
	;;
esac
cp "$work"/plugins/priority_equitree.so "$bare/"
sed -i "s|^PluginDir=.*|&:$bare|" "$bare/slurm.conf"
ok "with the one file that it wants all is well" \
	calc "$(on_bare sshare -alP | grep -c "$missing") == 0"
like "$(on_bare sshare -aP -n -o account,user)" "physics\|ada" \
	"sshare without the plugin has the shares"
no_equitree_errors

# ---- Under Slurm's own plugin -----------------------------------------------

cluster purge
unset job
declare -A job
fill_queue --stock
for word in "${words[@]}"; do
	see_private "$word" >"$work/stock"
	is "$(cat "$work/ours-$word")" "$(cat "$work/stock")" \
		"PrivateData=$word: as under priority/multifactor"
done
done_testing
