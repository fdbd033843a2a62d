#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# equitree boost without a cluster: the leases and the audit as they are on the
# disk, and what is misuse. What it does to shares is in tests/system/boost.t.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"
export TZ=UTC

leases=$data/leases
boost() { run boost --leases "$leases" "$@"; }

boost --list
is "$status|$err|$(tr -s ' ' <<<"$out" | sed 's/ $//')" \
"0||NAME SHARES BEFORE UNTIL STATE BY REASON
bloggs.prj.high/abc123 50 parent 2026-07-08 00:00 overdue ops
physics 2500 1800 2100-01-01 00:00 granted root the review" "equitree boost lists the boosts"
((widest=$(widest), widest <= 80))
is "$?" 0 "the list of boosts fits 80 columns ($widest)"
boost --list --json
is "$(grep -c '"until_s"' <<<"$out")|$(grep -c '"user": null' <<<"$out")" "2|1" "equitree boost --json lists the boosts"
boost --audit
is "$status|$(wc -l <<<"$out")|$(sed -n 4p <<<"$out" | tr -s ' ' | sed 's/ $//')" \
	"0|8|2026-06-08 00:01 chemistry ended 1142 > 2000 root beam time" "equitree boost --audit prints the changes"
((widest=$(widest), widest <= 80))
is "$?" 0 "the audit of boosts fits 80 columns ($widest)"
boost --audit --json
is "$(grep -c '"event"' <<<"$out")" 7 "JSON of it"

# ---- What is on the disk --------------------------------------------------------

fresh() { rm -rf "$work/leases" && cp -r "$leases" "$work/leases"; }
fresh
printf '{"cluster":"ce' >>"$work/leases/audit.log"
run boost --leases "$work/leases" --audit
is "$status|$(wc -l <<<"$out")|$err" \
	"0|8|equitree boost: $work/leases/audit.log: line 8: not an event; cut off when the command died?" \
	"an audit that was cut off tells the rest, and where"
spoiled() { # NAME SED-COMMAND
	fresh
	sed -i "$2" "$work/leases/cedar+physics.lease"
	run boost --leases "$work/leases" --list
	is "$status|$(grep -c physics <<<"$out")|$(head -n 1 <<<"$err")" \
		"1|0|equitree boost: $work/leases/cedar+physics.lease: not a lease" "$1"
}
spoiled "a truncated lease" '$d'
spoiled "a state that is none" 's/"granted"/"lent"/'
spoiled "shares that are none" 's/"1800"/"18x"/'
spoiled "no end" '/until_s/d'
spoiled "an end that is no number" 's/"until_s": [0-9]*/"until_s": "soon"/'
spoiled "no account" 's/"physics"/""/'
fresh
: >"$work/leases/cedar+physics.lease.Ab3dEf"
run boost --leases "$work/leases" --list
is "$status|$(wc -l <<<"$out")" "0|3" "a lease that is being written is none"
run boost --leases "$work/leases" --expire --json
is "$(find "$work/leases" -name '*.Ab3dEf' | wc -l)" 0 "who takes the lock removes what is left of it"
is "$(find "$work/leases" -name '*.lease' | wc -l)|$status" "2|1" \
	"without a cluster nothing is ended"
refuses "$work/none: No such file or directory: no boost was ever granted there" "a folder that is not there" \
	boost --leases "$work/none" --list
mkdir "$work/empty"
run boost --leases "$work/empty" --list
is "$status|$out" "0|No boosts." "equitree boost says that there are no boosts"

# ---- Misuse ---------------------------------------------------------------------

misuse() { # NAME ARGUMENT...
	local name=$1
	shift
	run boost --leases "$work/empty" "$@"
	is "$status|$out|$(find "$work/empty" -name '*.lease' | wc -l)" "2||0" "$name"
}
misuse "nobody named"
misuse "no end" physics --shares 5
misuse "shares that are none" physics --shares -5 --for 60
misuse "no shares at all" physics --shares 0 --for 60
misuse "an end that is none" physics --shares 5 --until soon
misuse "a time that is none" physics --shares 5 --for 0
misuse "two things at once" --list --expire
misuse "a name for all" --expire physics
misuse "shares for the list" --list --shares 5
for name in 'a,b' 'a b' 'a=b' '/ada' 'physics/' "a'b" 'a%b'; do
	run boost --leases "$work/empty" --cluster cedar "$name" --shares 5 --for 60
	is "$status|$(grep -c ': expected a name' <<<"$err")" "1|1" "no name: $name"
done
mkdir "$work/bin"
printf '#!/bin/sh\necho "ClusterName = $SLURM_CLUSTERS"\n' >"$work/bin/scontrol"
chmod 755 "$work/bin/scontrol"
PATH=$work/bin:$PATH run boost --leases "$work/empty" --cluster cedar physics --shares 5 --until 2020-01-01
is "$status|$err" "1|equitree boost: this time is in the past" "an end that is over"
done_testing
