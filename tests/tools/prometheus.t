#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The alert rules and the dashboard in contrib/, in a Prometheus that reads what equitree
# metrics writes.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"
contrib=$(readlink -f "$tools_dir/../../contrib")

if ! command -v promtool >/dev/null || ! command -v prometheus >/dev/null; then
	echo "1..0 # SKIP prometheus is not installed"
	exit 0
fi
checked=$(promtool check rules "$contrib/prometheus/equitree.rules.yml" 2>&1)
like "$checked" "SUCCESS: 6 rules found" "promtool accepts the rules"
tested=$(cd "$contrib/prometheus" && promtool test rules equitree.rules.test.yml 2>&1)
is "$?|$(grep -ci failed <<<"$tested")" "0|0" "each alert comes and goes when it should"
sed 's/> 1.25/> 5/; s/> 60/> 600/; s/written == 0/written == 2/; s/> 1800/> 18000/' \
	"$contrib/prometheus/equitree.rules.yml" >"$work/equitree.rules.yml"
cp "$contrib/prometheus/equitree.rules.test.yml" "$work/"
is "$(cd "$work" && promtool test rules equitree.rules.test.yml 2>&1 | grep -c 'alertname: ')" 4 \
	"each of the four alerts has a test that notices another threshold"

# ---- A Prometheus on loopback -------------------------------------------------

{ cat "$tools_dir/../../sandbox/sites/cedar/equitree.conf"
	printf 'pool "cpu" { suffix = _cpu }\npool "gpu" { suffix = _gpu }\n'; } >"$work/conf"
sed 's/physics/lab_cpu/g; s/chemistry/lab_gpu/g' "$data/sshare.txt" >"$work/shares"
mark='[2026-11-22T10:00:00.000]'
cat >"$work/log" <<-END
	$mark debug:  priority/equitree: pass: 12 jobs charged, 0 with another billing, in 61000 ms; 9 users ranked, 7 priorities in 4000 ms; saved in 1500 ms
	$mark error: priority/equitree: cannot write equitree_journal in StateSaveLocation: No space left on device; if slurmctld is killed before a snapshot can be written, ends of jobs may be lost
END
mkdir "$work/www"
metrics() {
	run metrics --shares "$work/shares" --nodes "$data/nodes.txt" -f "$work/conf" \
		--log "$work/log" --output "$work/www/metrics"
}
metrics
is "$status$err" 0 "there are metrics"
value() { grep -F "$1" "$work/www/metrics" | grep -v '^#' | sed 's/.* //'; }
is "$(value equitree_journal_written)" 0 "a journal that cannot be written is seen in the log"
echo "$mark priority/equitree: equitree_journal can be written again" >>"$work/log"
metrics
is "$(value equitree_journal_written)" 1 "a journal that can be written again is seen, too"
sed -i '$d' "$work/log"
metrics

# Two ports that nobody has at this moment. Somebody may take one before it is used, so
# both servers are tried again on others.
start() {
	read -r page_port port < <(/usr/bin/python3 -c '
import socket
held = [socket.socket() for _ in range(2)]
for one in held:
    one.bind(("127.0.0.1", 0))
print(*(one.getsockname()[1] for one in held))')
	cat >"$work/prometheus.yml" <<-END
		global: { scrape_interval: 1s, evaluation_interval: 1s }
		rule_files: [ $contrib/prometheus/equitree.rules.yml ]
		scrape_configs:
		  - job_name: equitree
		    static_configs: [ { targets: [ "127.0.0.1:$page_port" ] } ]
	END
	/usr/bin/python3 -m http.server --bind 127.0.0.1 --directory "$work/www" \
		"$page_port" >"$work/http.log" 2>&1 &
	servers=("$!")
	prometheus --config.file="$work/prometheus.yml" \
		--storage.tsdb.path="$work/tsdb.$port" \
		--web.listen-address="127.0.0.1:$port" >"$work/prometheus.log" 2>&1 &
	servers+=("$!")
}
stop() { kill "${servers[@]}" 2>/dev/null; wait "${servers[@]}" 2>/dev/null; }
trap 'stop; rm -rf "$work"' EXIT

# ask EXPRESSION: "SERIES VALUE" lines, or the error
ask() {
	/usr/bin/python3 - "http://127.0.0.1:$port/api/v1/query" "$1" <<-'END'
		import json, sys, urllib.error, urllib.parse, urllib.request
		try:
		    url = sys.argv[1] + "?" + urllib.parse.urlencode({"query": sys.argv[2]})
		    answer = json.load(urllib.request.urlopen(url, timeout=10))
		    for one in answer["data"]["result"]:
		        labels = {k: v for k, v in one["metric"].items() if k not in ("job", "instance")}
		        print(json.dumps(labels, sort_keys=True), one["value"][1])
		except urllib.error.HTTPError as error:
		    print("error:", error.read().decode())
		except OSError:
		    pass
	END
}
for _ in 1 2 3; do
	start
	deadline=$((SECONDS + 40))
	until [[ $(ask 'ALERTS{alertname="EquitreePassTooLong"}') ]] ||
		((SECONDS > deadline)) || ! kill -0 "${servers[@]}" 2>/dev/null; do
		sleep 0.5
	done
	[[ ! $(ask 'ALERTS{alertname="EquitreePassTooLong"}') ]] || break
	diag "no alert yet:" "$(tail -n 3 "$work/prometheus.log" "$work/http.log")"
	stop
done
is "$(ask 'equitree:pass_seconds')" '{"__name__": "equitree:pass_seconds"} 66.5' \
	"Prometheus reads the metrics, and computes the rules"
is "$(ask 'sort(equitree_pool_norm_shares)' | sed 's/.*"pool": //; s/\(0\.[0-9]\{4\}\).*/\1/')" \
	"$("$equitree" tree --shares "$work/shares" --json | awk '
		/"account": "lab_/ { gsub(/[",]/, ""); account = $2 } /"user": null/ { top = 1 }
		/"user": "/ { top = 0 }
		/"norm_shares"/ && top && account != "" { printf "\"%s\"} %.6f\n", substr(account, 5), $2; account = "" }' |
		sort -k 2 -n | sed 's/\(0\.[0-9]\{4\}\).*/\1/')" \
	"a pool has the shares of its accounts"
is "$(ask 'sort_desc(ALERTS)' | grep -oE 'Equitree[A-Za-z]*' | sort | xargs)" \
	"EquitreeJournalNotWritten EquitreePassTooLong EquitreePoolOverspent" \
	"the three alerts are pending"
while IFS= read -r expression; do
	got=$(ask "$expression")
	[[ $got && $got != error:* ]] || echo "$expression: $got"
done < <(/usr/bin/python3 -c '
import json, sys
for panel in json.load(open(sys.argv[1]))["panels"]:
    for target in panel["targets"]:
        print(target["expr"])' "$contrib/grafana/equitree.json") >"$work/empty"
is "$(<"$work/empty")" "" "each panel of the dashboard has data"
done_testing
