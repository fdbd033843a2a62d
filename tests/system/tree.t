#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A group with high, normal and low priority accounts, as a site documents it:
# its shares, and the order of its users once one of them has used something.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

# shellcheck disable=SC2119 # no options
cluster_up

# Account, user, RawShares, NormShares of `bloggs`; the root's shares add up
# to 2948, of which it has 5.
shares=$(in_cluster sshare -alPn -o account,user,rawshares,normshares |
	tr -d ' ' | grep '^bloggs' | sort)
is "$shares" "bloggs.prj.high|abc123|parent|0.900901
bloggs.prj.high|ijk456|parent|0.900901
bloggs.prj.high|xyz789|parent|0.900901
bloggs.prj.high||100|0.900901
bloggs.prj.low|abc123|10|0.333333
bloggs.prj.low|ijk456|10|0.333333
bloggs.prj.low|xyz789|10|0.333333
bloggs.prj.low||1|0.009009
bloggs.prj|abc123|10|0.333333
bloggs.prj|ijk456|10|0.333333
bloggs.prj|xyz789|10|0.333333
bloggs.prj||10|0.090090
bloggs||5|0.001696" \
	"shares, normalised at their level; users of .high have their parent's"

unused=$(in_cluster sshare -alPn -o user,fairshare | grep '[^ |]|' |
	cut -d'|' -f2 | sort -u)
is "$unused" "1.000000" "nobody has used anything: all are equal"

# A job of the only user that has usage.
id=$(submit xyz789 2 -A bloggs.prj -n4)
wait_until jobs_ended "$id" || bail "the job runs" "$(in_cluster squeue)"
pass_now || bail "a pass saves its results"

effective() { # ACCOUNT USER
	share "$1" "$2" effectvusage
}
is "$(effective bloggs.prj xyz789)" 1.000000 "xyz789 is all of .prj's usage"
is "$(effective bloggs.prj "")" 1.000000 ".prj is all of the group's usage"
others=
for account in bloggs.prj bloggs.prj.high bloggs.prj.low; do
	for user in abc123 ijk456; do
		others+=" $(effective $account $user)"
	done
done
others+=" $(effective bloggs.prj.high "") $(effective bloggs.prj.low "")"
is "$others" "$(printf ' 0.000000%.0s' {1..8})" \
	"the others have used nothing"
# Their parent's usage is theirs, as its shares are.
is "$(effective bloggs.prj.high xyz789)" 0.000000 ".high is not charged"

fs() { share "$1" "$2" fairshare; } # ACCOUNT USER
first=$(fs bloggs.prj.high abc123)
six=
for account in bloggs.prj.high bloggs.prj.low; do
	for user in abc123 ijk456 xyz789; do
		six+=" $(fs $account $user)"
	done
done
is "$six" "$(printf " $first%.0s" {1..6})" \
	"the six users of .high and .low are equal"
is "$(fs bloggs.prj abc123)" "$(fs bloggs.prj ijk456)" \
	"the two of .prj without usage are equal"
second=$(fs bloggs.prj abc123)
third=$(fs bloggs.prj xyz789)
ok ".high and .low come before .prj" calc "$first > $second"
ok "in .prj, xyz789 comes last" calc "$second > $third"
# 14 user associations: 5 of other accounts that used nothing stand first,
# then the six, the two, and xyz789.
is "$first $second $third" "0.642857 0.214286 0.071429" \
	"fair share is 9/14, 3/14, 1/14"

# The same in what users see: one job of each, none can start.
in_cluster scontrol update partitionname=cpu state=down
points() { # USER ACCOUNT
	local id
	id=$(submit "$1" 1 -A "$2") || return
	in_cluster sprio -h -j "$id" -o %F | tr -d ' '
}
high=$(points abc123 bloggs.prj.high)
is "$high" "$(awk "BEGIN { printf \"%.0f\", 100000000 * 9 / 14 }")" \
	"a job of .high gets 9/14 of the weight of fair share"
is "$(points xyz789 bloggs.prj.low)" "$high" "a job of .low gets 9/14 of the weight of fair share, too"
normal=$(points ijk456 bloggs.prj)
used=$(points xyz789 bloggs.prj)
ok "a job of .prj gets less: $normal" calc "$high > $normal"
ok "who has used .prj gets least: $used" calc "$normal > $used && $used > 0"

# ---- Usage in .high --------------------------------------------------------

in_cluster scancel --state=PENDING
in_cluster scontrol update partitionname=cpu state=up
id=$(submit abc123 2 -A bloggs.prj.high -n4)
wait_until jobs_ended "$id" || bail "the job runs" "$(in_cluster squeue)"
pass_now || bail "a pass saves its results"
three=
for user in abc123 ijk456 xyz789; do
	three+=" $(fs bloggs.prj.high $user)"
done
is "$three" " 0.428571 0.428571 0.428571" \
	"parent shares: what one user of .high has used counts for all three"
is "$(fs bloggs.prj.low abc123) $(fs bloggs.prj ijk456) \
$(fs bloggs.prj xyz789)" "0.642857 0.214286 0.071429" \
	".low comes first now, .high second, .prj last: shares against usage"

no_equitree_errors
done_testing
