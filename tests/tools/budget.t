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

# Granted in November 2023, one of ten hours is spent, and it has no end.
cat >"$work/lasting" <<'END'
base 1700000000 0 0 0 185f22b9
grant 1700000000 7 1 physics - 0 0 - 36000000000 1700000000 0 0 0 0 - 0 root(0) - 1 b429983a
commit 1700000100 12 1 0 1:18000000000:0:0 2 7655395a
settle 1700003700 12 1 1700003700 0 - 1:18000000000:3600000000:0 3 02407d32
END
now=$(date +%s)
run budget list --journal "$work/lasting" --json
is "$status|$(tr -s ' \n' ' ' <<<"$out" | grep -oE '"(account|amount_hours|spent_hours|committed_hours|left_hours|percent|state)": [^,}]*' | paste -sd' ')" \
	'0|"account": "physics" "amount_hours": 10.0 "spent_hours": 1.0 "committed_hours": 0.0 "left_hours": 9.0 "percent": 10 "state": "open" ' \
	"--json has what is granted, spent, committed and left"
projected=$(grep -oE '"projected_end_s": [0-9]+' <<<"$out" | cut -d' ' -f2)
late=$((projected - now - 9 * (now - 1700000000)))
ok "a budget ends when its rest is spent as fast as before" test "$late" -ge -5 -a "$late" -le 600
run budget list --journal "$work/lasting" --csv --no-headings
is "$(cut -d, -f1-8,10,12 <<<"$out")" "1,physics,,all,10,1,0,9,-,open" "--csv has the same amounts and state"
late=$(($(date -d "$(cut -d, -f11 <<<"$out")" +%s) - projected))
ok "--csv has the projected end" test "$late" -ge -5 -a "$late" -le 600
run budget list --journal "$work/lasting"
like "$out" '^ID ACCOUNT POOL AMOUNT SPENT COMMITTED LEFT END +PROJECTED +STATE' "the table has the same columns"

# The same budget, granted an hour ago.
python3 - "$((now - 3600))" >"$work/new" <<'END'
import sys, zlib
at, crc = int(sys.argv[1]), 0
for text in (f"base {at} 0 0 0", f"grant {at} 7 1 physics - 0 0 - 36000000000 {at} 0 0 0 0 - 0 root(0) - 1",
	     f"commit {at} 12 1 0 1:18000000000:0:0 2", f"settle {at + 9} 12 1 {at + 9} 0 - 1:18000000000:3600000000:0 3"):
    crc = zlib.crc32(text.encode(), crc)
    print("%s %08x" % (text, crc))
END
run budget list --journal "$work/new" --csv --no-headings
is "$(cut -d, -f6,11 <<<"$out")" "1,-" "seconds of use are no rate: no end is projected on the first day"

# ---- Open OnDemand ------------------------------------------------------------------

mkdir "$work/bin"
printf '#!/bin/sh\ncat %s/sshare.txt\n' "$data" >"$work/bin/sshare"
chmod +x "$work/bin/sshare"
# As its dashboard reads the file: a number for each user and project.
ondemand() { # JOURNAL OPTION...
	PATH=$work/bin:$PATH run budget list --journal "$1" --format ondemand "${@:2}"
	python3 -c 'import json, sys
facts = [line.rstrip("\n").split("\t") for line in open(sys.argv[1]) if line[0] != "#"]
def check(where, keys):
    known = {name: (kind, needed) for at, name, kind, needed in facts if at == where}
    for name in keys: assert type(keys[name]).__name__ == known[name][0], name
    for name in known: assert name in keys or known[name][1] != "needed", name
file = json.load(sys.stdin)
assert file["version"] == 1
check("file", file)
check("config", file["config"])
for one in file["balances"]: check("balance", one)
print(*("%(user)s/%(project)s=%(value)d" % one for one in file["balances"]))' "$data/ondemand_balance.tsv" <<<"$out"
}
is "$(ondemand "$journal")" "ada/physics=9 ben/physics=9 dan/chemistry=2" \
	"--format=ondemand has what each user has left, and no user without a budget"
is "$(ondemand "$journal" --pool cores)" "ada/physics=9 ben/physics=9" "--pool leaves out budgets of other jobs"
run budget list --format ood
is "$status|$(grep -c 'ood: expected ondemand' <<<"$err")" "2|1" "another format is refused"

printf '#!/bin/sh\necho "sbatch: Job 12 to start at 2026-11-25T10:00:00 using 1 processors on nodes c1 in partition cpu" >&2\n' >"$work/bin/sbatch"
chmod +x "$work/bin/sbatch"
PATH=$work/bin:$PATH run budget grant physics 5
is "$status|$out|$err" "1||equitree budget: slurmctld has no plugin that answers: expected the line JobSubmitPlugins=equitree in slurm.conf" \
	"without the submission plugin the missing line of slurm.conf is named"
printf '#!/bin/sh\necho "sbatch: error: no route" >&2\nexit 1\n' >"$work/bin/sbatch"
PATH=$work/bin:$PATH run budget list
is "$status|$out|$err" "1||equitree budget: no answer: no route" "a list that fails does not name the list as what shows more"
printf '#!/bin/sh\nexit 1\n' >"$work/bin/scontrol"
chmod +x "$work/bin/scontrol"
PATH=$work/bin:$PATH refuses '"scontrol show config" failed' "no file is offered where no option reads one" budget balance
rm "$work/bin/scontrol"

run budget grant physics 0.123456789 --dry-run
is "$status|$out" "0|would grant 0.12345678 equivalent-hours to physics" "an amount is cut to what a budget can hold"
while IFS='|' read -r words want; do
	read -ra words <<<"$words"
	run budget "${words[@]}"
	[[ $status != 0 && $err == *"$want"* ]]
	is "$?" 0 "misuse is told: ${words[*]}"
done <<'END'
nonsense|expected grant, list, show, balance, transfer, refund, close, verify, notify or import
grant physics|expected: grant ACCOUNT[/USER] HOURS
grant /ada 5|expected ACCOUNT or ACCOUNT/USER
grant physics 0|the amount must be above 0
grant physics 0.0000000001|the amount must be above 0
grant physics nan|expected a number of equivalent-hours
grant physics 1,5|expected a number of equivalent-hours
grant physics 1e3|expected a number of equivalent-hours
grant physics 99999999999999999999|the amount is too large
grant physics 5 --pool=gpu|expected all, cores or gpus
import|expected: import FILE
grant physics 5 --when-spent=bonus|--when-spent=bonus needs --qos
grant physics 5 --refill=dates|--refill=dates needs --dates
grant physics 5 --refill=dates --dates=2027-04-01,2027-01-01|dates must ascend
grant physics 5 --dates=2027-01-01|--dates needs --refill=dates
grant physics 5 --refill=month --dates=2027-01-01|--dates needs --refill=dates
grant physics 5 --qos=free|--qos needs --when-spent=bonus
grant physics 5 --carry-over|--carry-over needs --refill
grant physics 5 --refill-amount=3|--refill-amount needs --refill
grant physics 5 --start=2027-01-02 --end=2027-01-01|it would end before it starts
grant physics -5|-5: the amount must be above 0
grant physics --pool cores -5.5|-5.5: the amount must be above 0
transfer - 1 -5|-5: the amount must be above 0
transfer 1 1 5|from and to are the same
show x|expected the number of a budget
show 99999999999999999999|expected the number of a budget
END
done_testing
