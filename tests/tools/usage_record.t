#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# equitree usage by the record of charges; and --verify, which compares the record with
# RawUsage, with usage of the billing TRES, with budgets and with accounting.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"
export TZ=UTC

printf 'bundle "cores" { cores = 1 }\nbilling_scale = 1000\n' >"$work/conf"
sed 's/^PriorityDecayHalfLife.*/PriorityDecayHalfLife   = 7-00:00:00/' "$data/config.txt" >"$work/config"
echo 'AccountingStorageEnforce = associations,limits' >>"$work/config"
# The record of a job of 2 equivalents for an hour that ended a half-life ago, one of 1 for
# an hour until now with a change of its price, and one that was given back; RawUsage by the
# formula of a decay in each second.
cat >"$work/make.py" <<'END'
import math, os, sys, zlib
work, data = sys.argv[1:3]
NOW, H, U = 1780000000, 7 * 86400, 10 ** 6
def seal(text): return "%s%08x\n" % (text, zlib.crc32(text.encode()))
lines, number = [], 0
def line(kind, job, start, at, length, rate, user, factor=1.0, billing=None, idle=0, paid=0, entry=0, reason="-"):
    global number
    number += 1
    billing = int(rate * 1000) if billing is None else billing
    lines.append(seal(f"c {0 if kind == 'o' else number} {kind} {job} 0 0 0 0 {start} {at} {length} {idle} {rate.hex()} {float(factor).hex()} 1 1000 {billing} 7 1 0 cc 0 {paid} {entry} physics {user} cpu normal - {reason} "))
def counts(rate, begin, end): return rate * H / math.log(2) * (2 ** ((end - NOW) / H) - 2 ** ((begin - NOW) / H))
week = NOW - H
line("e", 1, week - 3600, 0, 3600, 2.0, "ada", paid=7200 * U, entry=3)
if os.environ.get("RESET"):
    number += 1
    lines.append(seal(f"c {number} z 0 0 0 0 0 {NOW - 1000} 0 0 0 0x0p+0 0x1p+0 1 1000 0 0 0 0 cc 0 0 0 - - - - - - "))
if os.environ.get("SHORT"): line("h", 4, NOW - 500, 0, 5, 128.0, "ben")
if os.environ.get("ALONE"): line("e", 5, NOW - 400, 0, 90, 7.0, "ben")
if os.environ.get("EARLIER"): line("l", 2, NOW - 7200, 0, 600, 3.0, "ben")
line("p", 2, NOW - 3600, 0, 1800, 1.0, "ben")
line("e", 2, NOW - 3600, 1800, 1740, 2.0, "ben", paid=5280 * U, entry=0 if os.environ.get("FREE") else 5)
# A kill lost the first end of the run, and its entry.
lost = 100 if os.environ.get("LOST") else 0
# It was suspended at its end.
waited = 100 if os.environ.get("WAITED") else 0
if lost: line("e", 3, NOW - 900, 0, lost, 4.0, "ben", paid=4 * lost * U, entry=5)
# The whole span may be given back, with a factor of how much of it was charged.
if os.environ.get("WHOLE"): line("f", 3, NOW - 900, lost, 300 - lost, 4.0, "ben", (waited - 300) / 300, reason="failed")
else: line("f", 3, NOW - 900, lost, 300 - lost, 4.0, "ben", -1.0, idle=waited, reason="failed")
line("e", 3, NOW - 900, lost, 300 - lost, 4.0, "ben", idle=waited, paid=4 * lost * U, entry=7, reason="failed")
os.makedirs(work + "/record", exist_ok=True)
with open(work + "/record/charges.2026-05-28", "w") as out:
    out.write(seal("equitree-charges 1 test 2026-05-28 "))
    out.writelines(lines)
if os.environ.get("RUNS"):
    line("o", 9, NOW - 600, 0, 600, 3.0, "ben")
    with open(work + "/record/open", "w") as out:
        out.write(seal("equitree-charges 1 test open "))
        out.write(lines.pop())
        if os.environ.get("SETTLED"): # what is settled of a run that is over
            line("o", 2, NOW - 3600, 3540, 0, 2.0, "ben")
            out.write(lines.pop())
# The budget of physics: the journal of what it charged.
crc, entries = 0, []
def entry(text):
    global crc
    text += f" {len(entries)}"
    crc = zlib.crc32(text.encode(), crc)
    entries.append("%s %08x\n" % (text, crc))
def drew(job, until, charged, why="-"):
    entry(f"commit {until - 900} {job} 1 0 1:{36000 * U}:0:0")
    entry(f"settle {until} {job} 1 {until} 0 {why} 1:{36000 * U}:{charged * U}:0")
entry(f"base {week - 9000} 0 0")
entry(f"grant {week - 9000} 7 1 physics - 0 0 - {360000 * U} {week - 9000} 0 0 0 0 - 0 root(0) -")
drew(1, week, 7200)
drew(2, NOW - 60, int(os.environ.get("SPENT", 5280)))
drew(3, NOW - 600, int(os.environ.get("DREW", 4 * lost)), "failed")
os.makedirs(work + "/state", exist_ok=True)
with open(work + "/state/equitree_budgets", "w") as out: out.writelines(entries)
usage = {"ada": counts(2, week - 3600, week), "ben": counts(1, NOW - 3600, NOW - 1800) + counts(2, NOW - 1800, NOW - 60)}
usage["ben"] += counts(4, NOW - 900, NOW - 900 + lost)
if os.environ.get("BEN"): usage["ben"] += counts(3, NOW - 600, NOW)
billing = {user: 1000 * used for user, used in usage.items()}
usage["ada"] += float(os.environ.get("ADA", 0))
billing["ada"] += float(os.environ.get("ADA_BILLING", 0))
if os.environ.get("RESET"):
    usage = {"ben": counts(2, NOW - 1000, NOW - 60)}
    billing = {"ben": 1000 * usage["ben"]}
for group in usage, billing: group["physics"] = group[""] = sum(group.values())
if os.environ.get("PHYSICS"): usage["physics"] += 100
with open(data + "/sshare.txt") as inp, open(work + "/shares", "w") as out:
    for text in inp:
        cell = text.rstrip("\n").split("|")
        if cell[1] != "User":
            name = cell[1] or cell[0].strip().replace("root", "")
            cell[4] = str(int(usage.get(name, 0)))
            cell[10] = "cpu=7,billing=%d" % (billing.get(name, 0) // 60)
        else: cell[10] = "GrpTRESRaw"
        out.write("|".join(cell) + "\n")
with open(work + "/jobs", "w") as out:
    out.write("JobIDRaw|Account|User|Partition|QOS|Start|End|ElapsedRaw|Suspended|AllocTRES\n")
    runs = [(1, "ada", week - 3600, week, 2000), (2, "ben", NOW - 3600, NOW - 60, 2000), (3, "ben", NOW - 900, NOW - 600, 4000), (4, "ben", NOW - 500, NOW - 500, 128000)]
    if not os.environ.get("SHORT"): runs.pop()
    # Accounting has a row for each size, with the start of the run or of the size.
    if os.environ.get("SIZE"): runs[1:2] = [(2, "ben", NOW - 3600, NOW - 1800, 1000), (2, "ben", NOW - int(os.environ["SIZE"]), NOW - 60, 2000)]
    for job, user, begin, end, billing in runs:
        out.write(f"{job}|physics|{user}|cpu|normal|{begin}|{end}|{end - begin}|00:00:00|billing={billing},cpu=2,mem=1M\n")
END
make() { rm -rf "$work/record" && python3 "$work/make.py" "$work" "$data"; }
verify() {
	run usage --verify -f "$work/conf" --now 1780000000 --charges "$work/record" \
		--assocs="$work/shares" --config "$work/config" --jobs "$work/jobs" "$@"
}
make
verify
is "$status|$err|$out" "0||14 associations and 3 ended jobs, 5 lines of the record: 0 differences" \
	"a record that explains RawUsage and accounting has no difference"
verify --json
is "$(python3 -c 'import json, sys; all = json.load(sys.stdin); print(all["jobs"], all["differences"])' <<<"$out")" "3 []" \
	"the same as JSON"
ADA=-3580 make
verify
is "$status|$(head -n 1 <<<"$out")" "1|account physics user ada: RawUsage 12, by the record 3593 to 3593: as much as job 1" \
	"usage that lacks a run is a difference, and the run is named"
PHYSICS=1 make
verify
is "$status|$(head -n 1 <<<"$out")" "1|account physics: RawUsage 8963, by the record 8863 to 8863" \
	"usage of an account that its users do not have is a difference"
ADA_BILLING=-3580000 make
verify
is "$status|$(sed -E 's/by the record [0-9]+ to [0-9]+/by the record N/; q' <<<"$out")" \
	"1|account physics user ada: usage of billing 12540, by the record N: as much as job 1" \
	"billing that lacks a run is a difference, and the run is named"
sed 's/,limits//' "$work/config" >"$work/config.nolimits"
run usage --verify -f "$work/conf" --now 1780000000 --charges "$work/record" --assocs="$work/shares" \
	--config "$work/config.nolimits" --jobs "$work/jobs"
is "$status" 0 "without limits slurmctld counts no billing, and none is compared"
make
sed -i 's/|1779999940|3540|/|1779999880|3480|/' "$work/jobs"
verify
is "$status|$(head -n 1 <<<"$out")" "1|job 2: 3540 s in the record, 3480 s in accounting" \
	"a run that is shorter in accounting is a difference"
make
sed -i 's/billing=4000/billing=3000/' "$work/jobs"
verify
is "$status|$(head -n 1 <<<"$out")" "1|job 3: billing 4000 in the record, 3000 in accounting" \
	"another billing in accounting is a difference"
WAITED=1 make
sed -i 's/|1779999400|300|/|1779999300|200|/' "$work/jobs"
verify
is "$status|${out##*: }" "0|0 differences" "accounting ends a suspended run with its suspension"
sed -i 's/|1779999300|200|/|1779999250|150|/' "$work/jobs"
verify
is "$status|$(head -n 1 <<<"$out")" "1|job 3: 300 s in the record, 150 s in accounting" \
	"a run that is shorter in accounting than without its suspension is a difference"
make
sed -i '/^c 3 /d' "$work/record"/*
verify
is "$status|$(tail -n 1 <<<"$out")" "1|14 associations and 3 ended jobs, 4 lines of the record: 4 differences" \
	"a line that is missing is found by its number, by usage and by accounting"
make
sed -i '/^c 5 /s/physics/chemist/' "$work/record"/*
verify
is "$status|$(grep -c 'altered' <<<"$out")" "1|1" "an altered line is a difference"
make
before=$(<"$work/shares")
RESET=1 make
verify
is "$status|$(grep -c '^account' <<<"$out")" "0|0" "RawUsage since a reset is what the record has since then"
echo "$before" >"$work/shares"
verify
is "$status|$(grep -c 'user [a-z]*: RawUsage' <<<"$out")" "1|2" "after a reset the record wants usage from then on alone"
make
# A job of ben's runs since ten minutes at 3 equivalents: "open" has it up to the last pass.
RUNS=1 make
verify
is "$status|$(sed -E 's/RawUsage .*: as/: as/' <<<"${out%%$'\n'*}")" "1|account physics user ben: : as much as job 9" \
	"a job that runs counts up to the last pass"
RUNS=1 BEN=1 make
verify
is "$status|$(tail -n 1 <<<"$out")" "0|14 associations and 3 ended jobs, 5 lines of the record: 0 differences" \
	"RawUsage has what the record says"
SETTLED=1 RUNS=1 BEN=1 make
verify
is "$status|$(tail -n 1 <<<"$out")" "0|14 associations and 3 ended jobs, 5 lines of the record: 0 differences" \
	"the last pass is not taken from a run that is over"
# ---- Budgets ----------------------------------------------------------------------

budgets() {
	verify --state "$work/state"
	printf '%s|%s' "$status" "$(head -n 1 <<<"$out")"
}
make
is "$(budgets)" "0|14 associations and 3 ended jobs, 1 budgets with 3 charges, 5 lines of the record: 0 differences" \
	"a record that explains what budgets spent has no difference"
mkdir "$work/copy"
cp "$work/state/equitree_budgets" "$work/copy"
cp -r "$work/record" "$work/copy/equitree_charges"
run usage --verify -f "$work/conf" --now 1780000000 --state "$work/copy" --assocs="$work/shares" \
	--config "$work/config" --jobs "$work/jobs"
is "$status|${out##*: }" "0|0 differences" "a copy of StateSaveLocation has the record, too"
SPENT=5000 make
is "$(budgets)" "1|job 2: 1.4667 hours charged to budgets in the record, 1.3889 by entry 5 of their journal" \
	"a charge that is another one in the budgets' journal is named with its job"
FREE=1 make
is "$(budgets)" "0|14 associations and 3 ended jobs, 1 budgets with 3 charges, 5 lines of the record: 0 differences" \
	"an entry whose line a kill lost is found in the sum of its job"
FREE=1 SPENT=5000 make
is "$(budgets)" "1|job 2: 1.3889 hours charged to budgets, by the record 1.4667" \
	"a charge that no line of the record has is named with its job"
LOST=1 make
is "$(budgets)" "0|14 associations and 3 ended jobs, 1 budgets with 3 charges, 6 lines of the record: 0 differences" \
	"an excused end that is charged for an earlier one, whose entry a kill lost, is explained"
LOST=1 DREW=1200 make
is "$(budgets)" "1|job 3: 0.1111 hours charged to budgets in the record, 0.3333 by entry 7 of their journal" \
	"an excused end that is charged for all of its run is a difference"
make
sed -i '/^settle.* 5 /d' "$work/state/equitree_budgets"
is "$(budgets)" "1|budgets: $work/state/equitree_budgets: line 6: the checksum differs" \
	"a charge that was taken out of the budgets' journal is a difference"
make
python3 - "$work/record" <<'END'
import glob, sys, zlib
path = glob.glob(sys.argv[1] + "/charges.*")[0]
lines = open(path).read().splitlines()
for i, line in enumerate(lines):
    if line.startswith("c 3 "): lines[i] = line.replace(" 5280000000 5 ", " 5000000000 5 ")[:-8]; lines[i] += "%08x" % zlib.crc32(lines[i].encode())
open(path, "w").write("\n".join(lines) + "\n")
END
is "$(budgets)" "1|job 2: 1.3889 hours charged to budgets in the record, 1.4667 by entry 5 of their journal" \
	"a charge that was changed in the record with its checksum is named with its job"

# ---- Usage by the record --------------------------------------------------------

year() { # ... prints hours of each submitter
	run usage -f "$work/conf" --now 1780000000 --charges "$work/record" --jobs "$work/jobs" --by submitter --json "$@"
	python3 -c 'import json, sys
all = json.load(sys.stdin)
print({row["submitter"]: round(row["core_hours"], 4) for row in all["usage"]}, all["jobs"], all["sources"])' <<<"$out"
}
make
want="{'ada': 2.0, 'ben': 1.4667} 3 {'prices': 0, 'billing': 0, 'record': 3}"
is "$(year)" "$want" "usage is what the record says: two prices of one run, and none for what was given back"
sed -i 's/cores = 1/cores = 4/' "$work/conf"
is "$(year)" "$want" "other prices afterwards change nothing"
sed -i 's/cores = 4/cores = 1/' "$work/conf"
RUNS=1 make
is "$(year)" "{'ada': 2.0, 'ben': 1.9667} 4 {'prices': 0, 'billing': 0, 'record': 4}" \
	"a job that runs counts up to the last pass, with saved answers"
make
sed -i '2i 7|physics|ada|cpu|normal|1779300000|1779303600|3600|00:00:00|billing=5000,cpu=2,mem=1M' "$work/jobs"
echo 'billing_since = 2026-01-01' >>"$work/conf"
is "$(year)" "{'ada': 7.0, 'ben': 1.4667} 4 {'prices': 0, 'billing': 1, 'record': 3}" \
	"a job that ended before the record began counts by its billing"
is "$(year --reprice)" "{'ada': 4.0, 'ben': 2.1333} 4 {'prices': 4, 'billing': 0, 'record': 0}" \
	"--reprice does not read the record"
run usage -f "$work/conf" --now 1780000000 --charges "$work/record" --jobs "$work/jobs" --csv --by submitter --no-headings
is "$out" "ada,core-years,0.0008,0.0050,record+billing
ben,core-years,0.0002,0.0011,record" "CSV has the source of each line"
sed -i '/^c 2 /s/ben/ban/' "$work/record"/*
run usage -f "$work/conf" --now 1780000000 --charges "$work/record" --jobs "$work/jobs"
is "$status|$(grep -c 'altered: checksum' <<<"$err")" "1|1" "an altered line is an error"
# ---- FOCUS ------------------------------------------------------------------------

make
focus() { run usage -f "$work/conf" --now 1780000000 --charges "$work/record" --jobs "$work/jobs" --format focus "$@"; }
focus
is "$status|$err|$("$tools_dir/focus.py" <<<"$out")" "0||5 0.0000 XXX ada=2.0000 ben=1.4667" \
	"charges in the columns of FOCUS, and what was given back"
sed -i 's/ cc 0 / cc 500000 /; s/ normal - / normal EUR /' "$work/make.py"
printf 'pool "cpu" { unit = SU  rate = 0.5  currency = EUR }\n' >>"$work/conf"
make
focus
is "$status|$("$tools_dir/focus.py" <<<"$out")|$(cut -d, -f23 <<<"$out" | sort | uniq -c | xargs)" \
	"0|5 1.7333 EUR ada=2.0000 ben=1.4667|1 PricingUnit 5 SU-Hours" "their money, at the rate that was charged"
focus --no-headings
is "$(wc -l <<<"$out")" 5 "no names of columns without headings"
TZ=Asia/Tokyo focus --year-start 05-22
is "$(cut -d, -f5,6,11,12 <<<"$out" | sed -n 2p)" \
	"2026-05-31T15:00:00Z,2026-04-30T15:00:00Z,2026-05-21T20:26:40Z,2026-05-21T19:26:40Z" "months of the site's zone, as times in UTC"
rm "$work/record"/*
sed -i '2i 8|physics|ada|cpu|normal|1777590000|1777593600|3600|00:00:00|billing=2000,cpu=2,mem=1M' "$work/jobs"
focus
is "$(cut -d, -f5,6,11,12,22 <<<"$out" | sed -n 2p)" \
	"2026-05-01T00:00:00Z,2026-04-01T00:00:00Z,2026-05-01T00:00:00Z,2026-04-30T23:00:00Z,2.000000000" "a job that ends with its month is one row"
sed -i 's/|1777593600|3600|/|1777594200|4200|/' "$work/jobs"
focus
is "$(cut -d, -f12,22 <<<"$out" | sed -n 2,3p)|$("$tools_dir/focus.py" <<<"$out")" "2026-04-30T23:00:00Z,2.000000000
2026-05-01T00:00:00Z,0.333333333|5 3.3167 EUR ada=4.3333 ben=2.3000" "a job is cut where its month ends, and past jobs have the present rate"
focus --json
is "$status|$(grep -c -- '--format excludes --json' <<<"$err")" "2|1" "--format with --json is refused"
sed -i '/^pool/d' "$work/conf"
sed -i 's/ cc 500000 / cc 0 /; s/ normal EUR / normal - /' "$work/make.py"
sed -i '/^8|/d' "$work/jobs"

# ---- Bills by the record ----------------------------------------------------------

make
recorded() { run bill -f "$work/conf" --charges "$work/record" --jobs "$work/jobs" "$@"; }
recorded --job 1
is "$status|$out" "0|job 1 : cost 2 core-equivalents (cores decide), 2 h for 1:00:00, as recorded" \
	"the bill of a job is what the record says"
recorded --job 2
is "$out" "job 2 : cost 1.4915 core-equivalents (cores decide), 1.4667 h for 0:59:00, as recorded" \
	"a job of two prices costs each while it was in force"
recorded --job 3
is "$out" "job 3 : cost 0 core-equivalents (cores decide), 0 h for 0:05:00, as recorded" \
	"what was given back costs nothing"
WHOLE=1 WAITED=1 make
recorded --job 3
is "$out" "job 3 : cost 0 core-equivalents (cores decide), 0 h for 0:03:20, as recorded" \
	"what was given back of a run that was suspended costs nothing"
EARLIER=1 make
recorded --job 2
is "$out" "job 2 run 1 of 2 UNKNOWN: cost 3 core-equivalents (cores decide), 0.5 h for 0:10:00, as recorded
job 2 run 2 of 2 : cost 1.4915 core-equivalents (cores decide), 1.4667 h for 0:59:00, as recorded
  all runs: 1.9667 h" "a run that accounting lost has its bill from the record"
recorded --user ben --since 2026-05-28T18:30:00
is "$(grep -c UNKNOWN <<<"$out")" 1 "the bill of its user has a run that accounting lost"
recorded --user ben --since 2026-05-28T19:30:00
is "$(grep -c UNKNOWN <<<"$out")" 0 "a bill lacks such a run that ended before its period"
ALONE=1 make
recorded --user ben --since 2026-05-28T18:30:00 --csv --no-headings
is "$(grep ^5, <<<"$out" | cut -d, -f1-2)" "5,UNKNOWN" "a bill has a run of a job that accounting does not know"
SHORT=1 make
recorded --job 4
is "$out" "job 4 : cost 128 core-equivalents (cores decide), 0.1778 h for 0:00:05, as recorded" \
	"a run that ended in the second of its start has a bill for the nodes that it held"
for size in 3600 1800; do
	SIZE=$size make
	recorded --job 2
	is "$out" "job 2 : cost 1.4915 core-equivalents (cores decide), 1.4667 h for 0:59:00, as recorded" \
		"a run that was resized, and whose second row in accounting begins $size s before now, is billed once"
done
make
recorded --job 2 --json
is "$(grep -c '"source": "record"' <<<"$out")" 1 "JSON has the source"
sed -i '2i 7|physics|ada|cpu|normal|1779300000|1779303600|3600|00:00:00|billing=5000,cpu=2,mem=1M' "$work/jobs"
recorded --job 7
is "$out" "job 7 : cost 5 core-equivalents, 5 h for 1:00:00, as billed" "a job that the record lacks is billed by accounting"
recorded --job 1 --reprice
is "$out" "job 1 : cost 2 core-equivalents (cores decide), 2 h for 1:00:00, at present prices" "--reprice does not ask the record"

run usage --config x
is "$status|$(head -n 1 <<<"$err")" "2|equitree usage: --config needs --verify" \
	"--config without --verify is refused"
run usage --state x
is "$status|$(head -n 1 <<<"$err")" "2|equitree usage: --state needs --verify" \
	"--state without --verify is refused"
done_testing
