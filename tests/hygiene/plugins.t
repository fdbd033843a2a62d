#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The built plugins: what they export, what they need, how they bind.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

build=${EQUITREE_BUILD:-$top/build/tree}

exports() { nm -D --defined-only "$1" | awk '{ print $3 }' | sort; }

mapped() { # the names under global: in a linker map
	awk '/global:/ { on = 1; next } /local:/ { on = 0 }
		on { gsub(/[;\t ]/, ""); if ($0) print }' "$1" | sort
}

# Everything slurmctld and its libraries offer to a plugin.
offered() {
	local lib
	nm -D --defined-only "$(readlink -f "$(command -v slurmctld)")"
	for lib in "$(ldconfig -p | awk '/libslurmfull/ { print $NF; exit }')" \
		/usr/lib/*/slurm*/libslurmfull.so; do
		[[ -e $lib ]] && nm -D --defined-only "$lib"
	done
	for lib in $(ldd "$1" | awk '$3 ~ /^\// { print $3 }'); do
		nm -D --defined-only "$lib"
	done
}

for room in priority job_submit spank; do
	so=$(ls "$build/plugins/$room/.libs/"*_equitree.so 2>/dev/null)
	if [[ -z $so ]]; then
		none "$room: the plugin is built" "$build/plugins/$room"
		continue
	fi
	none "$room: exports its entry points and nothing else" \
		"$(diff <(exports "$so") <(mapped "$top/plugins/$room/$room.map"))"
	none "$room: binds lazily, as a plugin of slurmctld must" \
		"$(readelf -d "$so" | grep -E 'BIND_NOW|FLAGS.*NOW')"
	none "$room: carries no search path" \
		"$(readelf -d "$so" | grep -E 'RPATH|RUNPATH')"
	none "$room: needs nothing that slurmctld does not offer" \
		"$(comm -23 <(nm -D --undefined-only "$so" | awk '$1 == "U" { print $2 }' | sed 's/@.*//' | sort -u) \
			<(offered "$so" | awk '{ print $3 }' | sed 's/@.*//' | sort -u))"
	none "$room: has its relocations read-only and checks the stack" \
		"$([[ $(readelf -lW "$so") == *GNU_RELRO* ]] || echo "$so: no RELRO"
		   [[ $room == spank || $(nm -D "$so") == *__stack_chk_fail* ]] ||
			echo "$so: no stack protector")"
done

command=$build/tools/equitree
none 'the command: a PIE that is bound at its start, with checked buffers' \
	"$([[ $(readelf -hW "$command") =~ Type:[^a-z]*DYN ]] || echo "no PIE"
	   [[ $(readelf -dW "$command") =~ FLAGS[^a-z]*NOW ]] || echo "no BIND_NOW"
	   [[ $(readelf -lW "$command") == *GNU_RELRO* ]] || echo "no RELRO"
	   [[ $(nm -D "$command") == *__stack_chk_fail* ]] ||
		echo "no stack protector"
	   [[ $(nm -D "$command") == *_chk@* ]] || echo "no _FORTIFY_SOURCE")"
plan
