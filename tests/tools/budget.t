#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# equitree budget without slurmctld: balances from a journal, and misuse.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"
export TZ=UTC

journal=$data/budgets
run budget list --journal "$journal" --csv --no-headings
is "$status|$(cut -d, -f1-8 <<<"$out")" $'0|1,physics,,all,10,1,0,9\n2,chemistry,dan,gpus,2.5,0,0,2.5' \
	"balances are computed from a journal"
run budget show 2 --journal "$journal"
like "$out" 'when spent +bonus bonus' "equitree budget show says what happens when a budget is spent"
sed 's/18000000000/18000000001/' "$journal" >"$work/changed"
run budget list --journal "$work/changed"
is "$status|$err" "1|equitree budget: $work/changed: line 4: the checksum differs" "a changed line of a journal is found"
sed 3d "$journal" >"$work/missing"
run budget list --journal "$work/missing"
is "$status|$err" "1|equitree budget: $work/missing: line 3: the checksum differs" "a missing line of a journal is found"
while IFS='|' read -r words want; do
	read -ra words <<<"$words"
	run budget "${words[@]}"
	[[ $status != 0 && $err == *"$want"* ]]
	is "$?" 0 "misuse is told: ${words[*]}"
done <<'END'
nonsense|expected grant, list, show, transfer, refund, close, verify, notify or import
grant physics|expected: grant ACCOUNT[/USER] HOURS
grant /ada 5|expected ACCOUNT or ACCOUNT/USER
grant physics 0|the amount must be above 0
grant physics 1e3|expected a number of equivalent-hours
grant physics 99999999999999999999|the amount is too large
grant physics 5 --pool=gpu|expected all, cores or gpus
grant physics 5 --when-spent=bonus|--when-spent=bonus needs --qos
grant physics 5 --refill=dates|--refill=dates needs --dates
grant physics 5 --refill=dates --dates=2027-04-01,2027-01-01|dates must ascend
grant physics 5 --start=2027-01-02 --end=2027-01-01|it would end before it starts
transfer 1 1 5|from and to are the same
show x|expected the number of a budget
END
done_testing
