# shellcheck shell=bash disable=SC2034,SC2154
# SPDX-License-Identifier: GPL-2.0-or-later
# What told.t and bill.t share: the sites of a run, and the requests of each. To be
# sourced after lib.sh.
#
# TOLD_SEED: what the requests come from (1), which also chooses the options of
# each site; TOLD_JOBS: requests of all sites together; TOLD_SITES: names of
# sites.sh (all); TOLD_OPTIONS: the number of a site's options; TOLD_SET: more
# lines for slurm.conf, "Key=Value;Key=Value"; TOLD_REQUESTS: a file of requests
# in sbatch's words, one a line, instead of random ones; TOLD_ALL: print each
# request.
# shellcheck source=sites.sh
. "$system_dir/told/sites.sh"
# shellcheck source=requests.sh
. "$system_dir/told/requests.sh"

read -ra sites <<<"${TOLD_SITES:-plain threads gpus mixed linear}"
seed=${TOLD_SEED:-1}

told_set=()
IFS=';' read -ra told_lines <<<"${TOLD_SET-}"
for one in "${told_lines[@]}"; do
	told_set+=(--set "$one")
done

# The site is up, and requests has those of it; name is what rows begin with.
start_site() { # SITE REQUESTS-OF-ALL-SITES
	RANDOM=$((seed % 32768))
	choose_options "$1"
	"site_$1"
	name="site $1 ($options), seed $seed"
	home=$dir/home/ada
	requests=()
	if [[ ${TOLD_REQUESTS-} ]]; then
		mapfile -t requests <"$TOLD_REQUESTS"
	fi
	jobs=$((($2 + ${#sites[@]} - 1) / ${#sites[@]}))
	while [[ ! ${TOLD_REQUESTS-} ]] && ((${#requests[@]} < jobs)); do
		draw_request
		requests+=("${request[*]}")
	done
	jobs=${#requests[@]}
}
