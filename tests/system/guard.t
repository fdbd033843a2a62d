#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A priority plugin that was built with headers whose job record is another
# one, though the version says that they fit: it changes nothing, says so, and
# slurmctld lives.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

# Those of the daemons: a Slurm that was built from its source keeps its own.
sources=${EQUITREE_SLURM_PREFIX:+$EQUITREE_SLURM_PREFIX/source}
[[ $sources ]] || sources=$("$system_dir/../../build-aux/slurm-headers" \
	"${EQUITREE_SLURM_SOURCES:-$system_dir/../../build/slurm}") ||
	skip_all "no internal headers of Slurm"

# The same headers, with one member more in the record.
headers=$work/headers
record=$(grep -lrE '^struct job_record \{' \
	"$sources"/src/{common,slurmctld}/*.h)
mkdir -p "$headers"
cp -as "$sources"/{src,slurm,META} "$headers/"
other=$headers/${record#"$sources"/}
rm "$other"

# Builds the plugin with a member before the one that is named.
build_before() { # MEMBER
	local top=$system_dir/../.. parts
	mapfile -t parts < <(find "$top/plugins/priority" "$top/plugins/slurm" \
		-name '*.c')
	sed -E "/^struct job_record \\{/,/^\\}/s/^\t[a-z_ ]* \\**$1;/\tuint64_t of_another_release;\n&/" \
		"$record" >"$other"
	! cmp -s "$record" "$other" || bail "$record has a member $1"
	cc -shared -fPIC -std=c11 -D_GNU_SOURCE -DEQT_HAVE_INTERNAL \
		-DEQT_VERSION='"before"' \
		-I"$top/lib" -I"$top/plugins" -I"$top/plugins/priority" \
		-I"$build/plugins" -I"$top/plugins/slurm/slurm-config" \
		-isystem "$headers" -o "$work/wrong.so" -Wl,-z,lazy \
		-Wl,-z,nodelete \
		-Wl,--version-script="$top/plugins/priority/priority.map" \
		"${parts[@]}" \
		"$build/lib/.libs/libequitree.a" -lz -lm \
		>"$work/cc.out" 2>&1 ||
		bail "the plugin is built with a member before $1" \
			"$(tail -n 10 "$work/cc.out")"
}

cluster_up --set PriorityDecayHalfLife=0 --set PriorityUsageResetPeriod=YEARLY
priority() { in_cluster squeue -h -j "$1" -o %Q; }

while IFS='|' read -r member says; do
	build_before "$member"
	daemon stop slurmctld
	cp "$work/wrong.so" "$dir/plugins/priority_equitree.so"
	at=$(log_size)
	ok "$member is elsewhere: slurmctld starts" daemon start slurmctld
	id=$(submit ada 1 -n2)
	held=$(submit ada 1 -n2 --begin=now+1hour)
	wait_until jobs_ended "$id"
	is "$(account_of "$id" State)" COMPLETED \
		"$member is elsewhere: a job runs and ends"
	wait_pass
	is "$(exact_usage physics ada)" 0 \
		"$member is elsewhere: nothing is charged"
	# What slurmctld gives a job before anybody computes its priority.
	like "$(priority "$held")" '^42949017[0-9]{2}$' \
		"$member is elsewhere: no priority is computed"
	in_cluster sprio >/dev/null 2>&1
	is "$(log_since "$at" | grep -c 'error: priority/equitree')" 1 \
		"$member is elsewhere: the log has one error"
	like "$(log_since "$at" | grep 'error: priority/equitree')" "$says" \
		"$member is elsewhere: which says so"
	ok "$member is elsewhere: slurmctld lives" daemon pid slurmctld
	in_cluster scancel "$held"
done <<'END'
details|not laid out
part_ptr|not laid out|has no partition
END

done_testing
