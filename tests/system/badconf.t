#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A broken equitree.conf: slurmctld does not start with it, and one that runs
# keeps the configuration that it has; either way its log names file, line and
# key.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

cluster_up --no-slurmctld \
	--set PriorityDecayHalfLife=0 --set PriorityUsageResetPeriod=YEARLY
conf=$dir/etc/equitree.conf
cp "$conf" "$work/good.conf"

# The cases: what is wrong, a regular expression for the log, and the file.
names=() wanted=() files=()
case_of() { # NAME REGEX, the file on stdin
	names+=("$1")
	wanted+=("$2")
	files+=("$(cat)")
}
case_of "an unknown key" 'equitree\.conf:3:.*wieght' <<'END'
bundle "cores" {
	cores = 1
	wieght = 2
}
END
case_of "negative memory" 'equitree\.conf:3:.*memory' <<'END'
bundle "cores" {
	cores = 1
	memory = -4000M
}
END
case_of "a bundle without cores" 'equitree\.conf:[0-9]+:.*gpu:p100.*cores' <<'END'
bundle "cores" {
	cores = 1
}
bundle "gpu:p100" {
	memory = 32000M
}
END
case_of "the same bundle twice" 'equitree\.conf:[0-9]+:.*gpu:p100' <<'END'
bundle "cores" {
	cores = 1
}
bundle "gpu:p100" {
	cores = 6
}
bundle "gpu:p100" {
	cores = 8
}
END
case_of "a brace that is not closed" 'equitree\.conf:[0-9]+:' <<'END'
bundle "cores" {
	cores = 1
	memory = 4000M
END
case_of "a word in place of a number" 'equitree\.conf:2:.*cores' <<'END'
bundle "cores" {
	cores = many
}
END
case_of "no bundle of cores" 'equitree\.conf: .*cores' <<'END'
bundle "gpu:p100" {
	cores = 6
}
END
case_of "an empty file" 'equitree\.conf: .*cores' </dev/null
case_of "no file" 'equitree\.conf: .*[Nn]o such file' </dev/null

put_case() { # I
	if [[ ${names[$1]} == "no file" ]]; then
		rm "$conf"
	else
		printf '%s\n' "${files[$1]}" >"$conf"
	fi
}

# ---- At start --------------------------------------------------------------

for i in "${!names[@]}"; do
	put_case "$i"
	at=$(log_size)
	if daemon start slurmctld; then
		fail "${names[i]}: slurmctld does not start"
		daemon stop slurmctld
	else
		pass "${names[i]}: slurmctld does not start"
	fi
	like "$(log_since "$at" | grep 'error:.*equitree\.conf')" \
		"error: [a-z_]+/equitree: .*${wanted[i]}" \
		"${names[i]}: its log names the place"
	like "$(log_since "$at" | grep fatal)" "plugin" \
		"${names[i]}: and says that a plugin failed"
done

# ---- At reconfigure --------------------------------------------------------

cp "$work/good.conf" "$conf"
ok "with a good file slurmctld starts" daemon start slurmctld
# Errors from here on are those that the test expects.
nodes_up() { [[ $(in_cluster sinfo -h -o %T | sort -u) == idle ]]; }
wait_until nodes_up || bail "the nodes are there"

# A job's price from what is charged for it.
charged_price() { # OPTIONS...
	local id before after seconds
	before=$(exact_usage physics ada)
	id=$(submit ada 1 "$@")
	wait_until jobs_ended "$id" && wait_pass || return
	after=$(exact_usage physics ada)
	seconds=$(elapsed "$id")
	value "($after - $before) / $seconds"
}

is "$(charged_price -n2 --mem=10000M)" 2.5 "a job is charged by the good file"
for i in "${!names[@]}"; do
	put_case "$i"
	at=$(log_size)
	in_cluster scontrol reconfigure
	wait_until log_has "$at" "error: priority/equitree: .*${wanted[i]}"
	like "$(log_since "$at" | grep 'error: priority/equitree')" \
		"${wanted[i]}.*keeping the previous configuration" \
		"${names[i]}: the log names the place and what is in force"
	ok "${names[i]}: slurmctld runs on" daemon pid slurmctld
done
is "$(charged_price -n2 --mem=10000M)" 2.5 \
	"after all of them the price is what it was"

# From 23.11 on it is a new slurmctld that takes it.
taken() { log_has "$at" "priority/equitree: (configuration read|loaded)"; }
sed 's/4000M/2000M/' "$work/good.conf" >"$conf"
at=$(log_size)
in_cluster scontrol reconfigure
wait_until taken || bail "the file is taken"
is "$(log_since "$at" | sed "s|$dir|DIR|g" | grep 'error:.*equitree')" "" \
	"a good file is taken without complaint"
is "$(charged_price -n2 --mem=10000M)" 5 "the prices of a good file hold after a reconfigure"

# With GPUs that no bundle prices, an operator must be told.
printf 'bundle "cores" {\n\tcores = 1\n}\n' >"$conf"
at=$(log_size)
in_cluster scontrol reconfigure
wait_until taken || bail "the file is taken"
like "$(log_since "$at")" "priority/equitree: no bundle for gres/gpu:p100" \
	"a GPU model without a bundle is named in the log"

done_testing
