#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# equitree metrics: what Prometheus' own parsers read of it.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

sshare=$data/sshare.txt
parsed() { # [NAME=LABEL-VALUE...]: the families, samples, and those asked for
	"$tools_dir/openmetrics.py" "$work/out" "$@" 2>&1
}
if ! /usr/bin/python3 -c 'import prometheus_client.openmetrics' 2>/dev/null; then
	echo "1..0 # SKIP python3-prometheus-client is not installed"
	exit 0
fi
metrics() { run metrics --shares "$sshare" "$@"; }
sample() { grep -F "$1" <<<"$out" | sed 's/.*} //'; }

metrics
is "$status|$err" "0|" "equitree metrics reads saved shares"
is "$(parsed)" "11 $(grep -cv '^#' <<<"$out")" "two parsers of OpenMetrics accept the output"
is "$(tail -n 1 <<<"$out")" "# EOF" "its end is marked"
metrics --nodes "$data/nodes.txt" --unit cores=1,memory=2G
is "$(parsed equitree_overhead_units=cores=1,memory=2G)" "14 $(grep -cv '^#' <<<"$out")
{'unit': 'cores=1,memory=2G'} 29.0" "true overhead, as equitree overhead has it"
is "$(sample 'units_free="16-31"}')$(sample 'units_free="0"}')" 12 "the histogram of nodes"
is "$(sample 'equitree_account_level_fs{account="physics"')" 0.686715091664031 "equitree metrics exports the Level FS"
is "$(sample 'equitree_account_level_fs{account="bloggs.prj.low",parent="root/bloggs"}')" +Inf \
	"infinite without usage; a nested account"
is "$(grep -c 'raw_shares.*prj.high.*user=' <<<"$out")" 0 "no shares with Fairshare=parent"
tree() { "$equitree" tree --shares "$sshare" --json; }
is "$(sample 'equitree_user_rank{account="physics",parent="root",user="ben"}')" \
	"$(tree | awk '/"user": "ben"/ { on = 1 } on && /"rank"/ { print $2 + 0; exit }')" \
	"the rank of equitree tree"

# ---- Bounds -----------------------------------------------------------------

metrics --users 2 --accounts 1
is "$(grep -c '^equitree_user_rank' <<<"$out")|$(grep -c '^equitree_account_raw_usage' <<<"$out")" \
	"2|1" "at most so many series"
is "$(sample '{kind="user"}')" "$(($(grep -cE '^ +[^|]+\|[^|]' "$sshare") - 2))" "how many were left out"
is "$(sample 'equitree_user_raw_usage{account="physics",parent="root",user="ada"}')" 1952 \
	"a limit keeps the users with the most usage"
metrics --users 0 --accounts 0
is "$(parsed)" "1 2" "none at all"

# ---- Odd names --------------------------------------------------------------

odd=$'we"ird\\\xff\xc3\xa9'
sed "s/ physics|/ $(sed 's/[\\&]/\\&/g' <<<"$odd")|/" "$sshare" >"$work/odd"
run metrics --shares "$work/odd"
is "$status|$(parsed "equitree_account_raw_shares=we\"ird\\"$'\xef\xbf\xbd\xc3\xa9' | tail -n 1)" \
	"0|{'account': 'we\"ird\\\\"$'\xef\xbf\xbd\xc3\xa9'"', 'parent': 'root'} 1800.0" \
	"quotes, backslashes, letters, and bytes that are none"
# With associations of partitions sshare has a row for each.
awk '/physics\|(ada|ben)/ { sub(/0[.]500000/, "0.333333") } { print }
	/physics\|ben/ { print }' "$sshare" >"$work/twice"
run metrics --shares "$work/twice"
is "$(parsed | grep -c twice)|$(grep -c 'user_rank.*user="ben",association="2"' <<<"$out")" "0|1" \
	"a user with two associations in an account"

# ---- Pools and passes -------------------------------------------------------

{ cat "$tools_dir/../../sandbox/sites/cedar/equitree.conf"
	printf 'pool "cpu" { suffix = _cpu }\npool "gpu" { suffix = _gpu }\n'; } >"$work/conf"
sed 's/physics/lab_cpu/g; s/chemistry/lab_gpu/g' "$sshare" >"$work/pools"
run metrics --shares "$work/pools" -f "$work/conf"
is "$(sample 'pool_raw_usage{pool="cpu"}')|$(sample 'pool_raw_usage{pool="gpu"}')|$(parsed | head -n 1 | cut -d' ' -f1)" \
	"3192|133|14" "pools by the accounts' suffixes"
line='priority/equitree: pass: 7 jobs charged, 1 with another billing, in 3 ms; 14 users ranked, 9 priorities in 1250 ms; saved in 2 ms'
{
	echo "[2026-11-21T12:00:00.000] debug:  ${line/7/6}"
	echo "[2026-11-21T12:05:00.000] debug:  $line"
	echo "[2026-11-21T12:05:01.000] error: job x: ${line/7 jobs charged,/8 jobs}"
} >"$work/log"
metrics --log "$work/log"
is "$(sample 'seconds{part="rank"}')|$(grep '^equitree_pass_jobs_charged' <<<"$out")|$(parsed | cut -d' ' -f1)" \
	"1.25|equitree_pass_jobs_charged 7|17" "the last whole line of a pass"
echo "quiet" >"$work/log"
metrics --log "$work/log"
is "$(grep ^equitree_pass <<<"$out")" "equitree_pass_known 0" "no line: nothing is told but that"

# ---- The file ---------------------------------------------------------------

metrics --output "$work/m.prom"
metrics_text=$("$equitree" metrics --shares "$sshare")
is "$status|$out|$(<"$work/m.prom")|$(stat -c %a "$work/m.prom")" "0||$metrics_text|644" "--output writes the file and prints nothing"
refuses "$work/none: No such file or directory" "shares that are not there" \
	metrics --shares "$work/none" --output "$work/m.prom"
is "$(<"$work/m.prom")|$(compgen -G "$work/m?prom?*")" "$metrics_text|" \
	"the old file stays, and nothing beside it"
refuses "$work/no/m.prom: No such file or directory" "a folder that is not there" \
	metrics --shares "$sshare" --output "$work/no/m.prom"
metrics --json
is "$(grep -c '"value": "inf"' <<<"$out")|$(grep -c '"name"' <<<"$out")" \
	"$(grep -c +Inf <<<"$metrics_text")|$(grep -cv '^#' <<<"$metrics_text")" "equitree metrics prints JSON"
metrics --no-headings
is "$(grep -c HELP <<<"$out")" 0 "--no-headings leaves the comments out"
refuses "stdin: line 3: 10 columns: expected 11" "a truncated list" \
	metrics --shares - < <(sed '3s/|[^|]*$//' "$sshare")
run metrics --users many
is "$status" 2 "a limit that is none is misuse"
done_testing
