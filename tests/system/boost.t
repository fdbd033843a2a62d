#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# equitree boost on a live cluster: shares go up, the accounting database says
# so, and they come back, whatever dies when.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

equitree=$build/tools/equitree
leases=$work/leases
cluster_up

boost() { in_cluster "$equitree" boost --leases "$leases" "$@"; }
# Shares as the accounting database has them.
shares_of() { # ACCOUNT [USER]
	in_cluster sacctmgr -nP show assoc where account="$1" format=user,fairshare |
		awk -F'|' -v user="${2-}" '$1 == user { print $2 }'
}
live_shares() { # ACCOUNT USER WANT: as slurmctld has them
	[[ $(share "$1" "$2" rawshares) == "$3" ]]
}
count() { find "$leases" -name '*.lease*' | wc -l; }
transactions() { in_cluster sacctmgr -nP list transactions action="modify associations" format=actor,info | tail -n "$1" | tr '\n' ' '; }
events() { boost --audit --json | awk -F'"' '$2 == "event" { print $4 }' | tr '\n' ' '; }

# ---- There and back -----------------------------------------------------------

out=$(boost physics --shares 2500 --for 1:00:00 --reason "a deadline")
like "$out" '^physics has 2500 shares until .*; before they were 1800$' "granted, and told"
is "$(shares_of physics)" 2500 "the accounting database has the new shares"
ok "slurmctld has them as well" wait_until live_shares physics "" 2500
like "$(transactions 1)" '^root\|(fair)?shares=2500' "its transactions tell who and what"
like "$(boost --list)" 'physics +2500 +1800 .* granted +root +a deadline' "equitree boost lists the boosts"
is "$(boost physics --shares 3000 --for 60 2>&1)" \
	"equitree boost: physics is already boosted; --cancel ends it, --until alone moves its end" \
	"no boost of a boost"
like "$(boost physics --for 2:00:00)" '^physics has 2500 shares until' "its end can be moved"
boost --expire
is "$?|$(shares_of physics)" "0|2500" "what is not over stays"
is "$(boost physics --cancel)" "physics has 1800 shares again" "equitree boost --cancel ends a boost"
is "$(shares_of physics)|$(count)" "1800|0" "a cancelled boost restores the shares"
like "$(transactions 2)" 'shares=2500.* root\|(fair)?shares=1800' "which the transactions tell, too"
is "$(events)" "granting granted moved cancelled " "the audit has each event of a boost"

# Where associations have comments, the reason is in one, and in the transaction.
comment_of() { in_cluster sacctmgr -nP show assoc where account="$1" user= format=comment 2>/dev/null; }
if comment_of physics >/dev/null; then
	in_cluster sacctmgr -iQ modify account physics set comment="old: a note" >/dev/null
	boost physics --shares 2500 --until 2100-01-01 --reason "The \"review\", of ada's" >/dev/null
	is "$(comment_of physics)" "boosted until 2100-01-01 00:00 by root: the  review , of ada s" \
		"the association says until when, by whom and why"
	like "$(transactions 1)" "shares=2500, comment='boosted until .* by root: the  review , of ada s'" \
		"the transaction has the reason of the boost"
	boost physics --cancel >/dev/null
	is "$(shares_of physics)|$(comment_of physics)" "1800|old: a note" "the shares and the comment are put back"
	boost physics --shares 2500 --for 60 >/dev/null
	in_cluster sacctmgr -iQ modify account physics set comment=another >/dev/null
	boost physics --cancel >/dev/null
	is "$(shares_of physics)|$(comment_of physics)" "1800|another" "a comment of somebody else stays"
	boost chemistry --shares 2000 --for 60 >/dev/null
	boost chemistry --cancel >/dev/null
	is "$(shares_of chemistry)|$(comment_of chemistry)" "1142|" "none is none again"
else
	boost physics --shares 2500 --for 60 --reason why >/dev/null
	is "$(boost --list --json | grep -c '"comment_before": null')" 1 \
		"a boost knows that this Slurm has no comments at associations"
	boost physics --cancel >/dev/null
fi

boost physics/ada --shares 30 --for 7-0 >/dev/null
boost bloggs.prj.high/abc123 --shares 5 --for 7-0 >/dev/null
is "$(shares_of physics ada)|$(shares_of physics ben)|$(shares_of bloggs.prj.high abc123)" \
	"30|10|5" "users, one of them with Fairshare=parent"
overdue() { # as if the time had come
	sed -i 's/"until_s": *[0-9]*/"until_s": 1000000000/' "$leases"/*.lease
}
overdue
like "$(boost --list)" 'overdue' "what nobody ended is overdue"
boost --expire >/dev/null
is "$?|$(shares_of physics ada)|$(shares_of bloggs.prj.high abc123)|$(count)" \
	"0|10|parent|0" "a timer puts them back, parent too"
boost --expire
is "$?" 0 "once more is fine"

# ---- Others' hands ------------------------------------------------------------

boost chemistry --shares 2000 --for 60 >/dev/null
in_cluster sacctmgr -iQ modify account where name=chemistry set fairshare=1500 >/dev/null
overdue
out=$(boost --expire 2>&1; echo "status $?")
like "$out" 'chemistry: somebody else has set its shares to 1500, which are kept' \
	"what somebody else changed is told"
like "$out" 'status 1$' "as a failure"
is "$(shares_of chemistry)|$(count)" "1500|0" "shares that somebody else changed are left alone"
in_cluster sacctmgr -iQ modify account where name=chemistry set fairshare=1142 >/dev/null
for wrong in "nobody --shares 9" "physics/nobody --shares 9" "physics --shares 1800" \
	"physics,chemistry --shares 9999" "physics/ada* --shares 9999"; do
	# shellcheck disable=SC2086
	boost $wrong --for 60 >/dev/null 2>&1
	is "$?|$(count)" "1|0" "refused, without a lease: $wrong"
done
is "$(shares_of physics)|$(shares_of chemistry)" "1800|1142" "nothing was changed by them"

# ---- Killed ---------------------------------------------------------------------

# The real sacctmgr, held up at the door when it comes to modify something.
mkdir "$work/bin"
cat >"$work/bin/sacctmgr" <<END
#!/bin/bash
if [[ " \$* " == *" modify "* && -e $work/hold ]]; then
	echo "\$PPID" >$work/held
	if [[ \$(<$work/hold) == lost ]]; then
		while :; do sleep 0.05; done
	fi
	while [[ -e $work/hold ]]; do sleep 0.05; done
fi
exec $(command -v sacctmgr) "\$@"
END
chmod +x "$work/bin/sacctmgr"
held() { [[ -s $work/held ]]; }
# The command begun in the background; when its sacctmgr is at the door, it is
# killed, as its own parent sees it.
killed() { # HOW ARGUMENT...
	local how=$1 job
	shift
	rm -f "$work/held"
	echo "$how" >"$work/hold"
	in_cluster env PATH="$work/bin:$PATH" "$equitree" boost --leases "$leases" "$@" \
		>/dev/null 2>&1 &
	job=$!
	wait_until held
	in_cluster kill -9 "$(<"$work/held")"
	wait "$job" 2>/dev/null
}
# Ends the sacctmgr that is held up, as if it had died, too.
lose() {
	in_cluster bash -c 'for p in /proc/[0-9]*; do
		{ [[ $(tr "\0" " " <$p/cmdline) == *"$0/sacctmgr "* ]] &&
			kill -9 "${p#/proc/}"; } 2>/dev/null; done; :' "$work/bin"
	rm -f "$work/hold"
}

killed lost physics --shares 2600 --for 60
like "$(boost --list)" 'physics +2600 +1800 .* unfinished' \
	"kill -9 before sacctmgr did anything: an unfinished lease"
lose
is "$(shares_of physics)" 1800 "an unfinished lease leaves the old shares"
like "$(boost --expire)" '^physics has 2600 shares until' "which the timer grants after all"
is "$(shares_of physics)" 2600 "a lease that the timer grants late sets the shares"

killed lost physics --cancel
lose
is "$(shares_of physics)|$(count)" "2600|1" "kill -9 before sacctmgr put them back"
boost --expire >/dev/null
is "$?|$(shares_of physics)|$(count)" "0|1800|0" "the timer ends what was being ended, though not overdue"

killed wait physics --shares 2700 --for 60
boost physics --cancel >"$work/cancel.out" 2>&1 &
canceller=$!
sleep 1
is "$(<"$work/cancel.out")|$(shares_of physics)" "|1800" \
	"kill -9 while sacctmgr is under way: others wait for it"
rm -f "$work/hold"
wait "$canceller"
is "$?|$(shares_of physics)|$(count)" "0|1800|0" \
	"what it did late was seen and undone"

# At any moment: the same over and over, killed after ever longer, up to twice
# what a grant takes on this machine now.
begun=$EPOCHREALTIME
boost physics/ben --shares 77 --for 60 >/dev/null 2>&1
took_ms=$(((${EPOCHREALTIME/./} - ${begun/./}) / 1000))
boost physics/ben --cancel >/dev/null 2>&1
before=$(grep -c '"shares":"77".*"event":"granted"' "$leases/audit.log")
rounds=0 bad=0
# sacctmgr may get no answer once on a busy machine.
as_it_was() { [[ $(shares_of physics ben)$(count) == 100 ]]; }
for step in $(seq 0 30); do
	late=$((step * 2 * took_ms / 30))
	in_cluster bash -c '"$0" boost --leases "$1" physics/ben --shares 77 --for 60 &
		sleep "$2"; kill -9 $!; wait' "$equitree" "$leases" \
		"$(value "$late / 1000")" >/dev/null 2>&1
	boost physics/ben --cancel >/dev/null 2>&1
	rounds=$((rounds + 1))
	wait_until as_it_was || bad=$((bad + 1))
done
is "$rounds|$bad" "31|0" "killed at any moment, then cancelled: as it was, each time"
granted=$(($(grep -c '"shares":"77".*"event":"granted"' "$leases/audit.log") - before))
ok "some were killed before and some after it was granted ($granted)" \
	calc "$granted > 0 && $granted < $rounds"

# ---- No database ----------------------------------------------------------------

boost physics --shares 2500 --for 60 >/dev/null
overdue
daemon kill slurmdbd
boost --expire >"$work/expire.out" 2>&1
is "$?|$(count)" "1|1" "without slurmdbd the lease stays"
daemon start slurmdbd
back() { boost --expire >/dev/null 2>&1 && [[ $(count) == 0 ]]; }
ok "the lease is ended when slurmdbd is back" wait_until back
is "$(shares_of physics)" 1800 "with the shares"
no_equitree_errors
done_testing
