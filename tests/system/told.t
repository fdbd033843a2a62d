#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Random requests: what sbatch tells of each at its submission is what the job that
# starts is charged: the price, within its range, or up to what more nodes
# cost; and in the unit of what it holds.
#
# EQUITREE_TOLD_SITES: names of told/sites.sh (all that are in its list);
# EQUITREE_TOLD_COUNT: requests for each (80); EQUITREE_TOLD_SEED: what they come
# from, which is printed. EQUITREE_TOLD_SET: more lines for slurm.conf,
# "Key=Value;Key=Value".
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=told/sites.sh
. "$(dirname "$0")/told/sites.sh"
# shellcheck source=told/requests.sh
. "$(dirname "$0")/told/requests.sh"

# What a site names, and the request that is drawn.
partitions=() gpu_types=() nodes=() request=()

count=${EQUITREE_TOLD_COUNT:-80}
seed=${EQUITREE_TOLD_SEED:-1}
read -ra sites <<<"${EQUITREE_TOLD_SITES:-plain threads gpus}"

# Each request as a line of a script; of number N the message is in N.err, the
# job's id in N.id.
write_requests() {
	local i
	for ((i = 0; i < count; i++)); do
		draw_request
		echo "${request[*]}" >"$work/$site.$i"
		printf 'sbatch --parsable -o /dev/null -t 10 %s --wrap "sleep 0.2" >%d.id 2>%d.err\n' \
			"${request[*]}" "$i" "$i"
	done
}

none_starts() {
	local now
	[[ -z $(in_cluster squeue -h -t R,CG,CF -o %i) ]] || return 1
	now=$(in_cluster squeue -h -t PD -o %r | grep -cE '^(None|Priority|Resources)$')
	[[ $now == 0 ]] || (($(date +%s) - submitted_at > 40))
}

# "low high unit" of a message: "at least" has no high end.
told_range() { # MESSAGE
	awk -v text="$1" 'BEGIN {
		high = ""
		least = sub(/^at least /, "", text)
		if (!match(text, /^[0-9.]+/)) exit
		low = substr(text, 1, RLENGTH) + 0
		high = low
		head = text
		sub(/[;,(].*/, "", head)
		units = (head ~ /core-eq/ ? "core" : "") (head ~ /GPU-eq/ ? "GPU" : "")
		# "1 to 2 GPU-equivalents or 32 core-equivalents"
		parts = split(head, part, / or /)
		for (p = 1; p <= parts; p++) {
			n = split(part[p], word, /[^0-9.]+/)
			if (n > 2 && word[2] != "" && word[2] + 0 < word[1] + 0)
				falls = 1
			for (i = 1; i <= n; i++) {
				if (word[i] == "" || word[i] == ".") continue
				if (word[i] + 0 > high) high = word[i] + 0
				if (word[i] + 0 < low) low = word[i] + 0
			}
		}
		if (match(text, /; up to [0-9.]+ without/)) {
			more = substr(text, RSTART + 8) + 0
			if (more > high) high = more
		}
		if (least) high = "inf"
		print low, high, units, falls ? "falls" : ""
	}'
}

# Whether Slurm gave a job fewer CPUs than its own record wants, as it does where
# nodes that are used in part have room for a part of a task.
is_short() { # RECORD TRES
	local tasks each cpus
	tasks=$(sed -nE 's/.* NumTasks=([0-9]+).*/\1/p' <<<"$1")
	each=$(sed -nE 's/.* CPUs\/Task=([0-9]+).*/\1/p' <<<"$1")
	cpus=$(tr , '\n' <<<"$2" | sed -n 's/^cpu=//p')
	((${cpus:-0} < ${tasks:-0} * ${each:-1}))
}

# How many fell outside, of how many that ran.
compare() {
	local i id line tres billing low high unit falls holds bad
	in_cluster scontrol -o show job >"$work/$site.jobs"
	ran=0 outside=0
	for ((i = 0; i < count; i++)); do
		id=$(<"$home/$i.id")
		[[ $id ]] || continue
		line=$(grep "^JobId=$id " "$work/$site.jobs")
		[[ $line =~ \ StartTime=[0-9] && $line =~ \ NodeList=[a-z] ]] ||
			continue
		[[ $line =~ \ (AllocTRES|TRES)=([^ ]*) ]] && tres=${BASH_REMATCH[2]}
		billing=$(tr , '\n' <<<"$tres" | sed -n 's/^billing=//p')
		read -r low high unit falls < <(told_range \
			"$(sed -n 's/^sbatch: equitree: \(cost \)\?//p' "$home/$i.err" | head -n 1)")
		holds=core
		[[ $tres != *gres/gpu* ]] || holds=GPU
		ran=$((ran + 1))
		bad=
		if [[ -z $low ]]; then
			bad="nothing was told"
		elif [[ $unit != *"$holds"* ]]; then
			bad="the unit is another one"
		elif [[ $falls ]]; then
			bad="the range falls"
		elif ! awk -v low="$low" -v high="$high" -v got="${billing:-0}" \
			'BEGIN { exit !(got / 1000 >= low - 0.00006 &&
				(high == "inf" || (got - 1) / 1000 < high + 0.00006)) }'
		then
			bad="outside"
		fi
		[[ $bad ]] || continue
		if [[ $bad == outside ]] && is_short "$line" "$tres"; then
			diag "$site $seed.$i: $(<"$work/$site.$i"): Slurm gave fewer CPUs than its tasks want"
			continue
		fi
		outside=$((outside + 1))
		diag "$site $seed.$i: $(<"$work/$site.$i")" \
			"  $bad: charged ${billing:-0}/1000 for $tres" \
			"  told: $(sed -n 's/^sbatch: equitree: \(cost \)\?//p' "$home/$i.err" | head -n 1)"
	done
}

run_site() {
	"site_$site"
	home=$dir/home/ada
	RANDOM=$((seed % 32768))
	write_requests >"$home/submit"
	chmod -R a+rwX "$home"
	as ada bash ./submit
	submitted_at=$(date +%s)
	wait_until none_starts
	in_cluster scancel -t PD -u ada
	wait_pass
	compare
	ok "site $site, seed $seed: of $count requests jobs ran" test "$ran" -gt 0
	is "$outside" 0 \
		"site $site, seed $seed: $ran jobs cost what was told at their submission"
	no_equitree_errors
	cluster purge
}

# Options of this run for every site.
told_set=()
IFS=';' read -ra told_lines <<<"${EQUITREE_TOLD_SET-}"
for one in "${told_lines[@]}"; do
	told_set+=(--set "$one")
done

for site in "${sites[@]}"; do
	run_site
done
done_testing
