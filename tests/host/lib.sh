# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# How the scripts of this folder run a history, and read what it printed.
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
build=${EQUITREE_BUILD:-$here/../../build/tree}
host=${EQUITREE_HOST:-$build/tests/host/host}
plugin=${EQUITREE_PLUGIN:-$build/plugins/priority/.libs/priority_equitree.so}

PATH=${EQUITREE_SLURM_PREFIX:+$EQUITREE_SLURM_PREFIX/sbin:}$PATH:/usr/sbin:/sbin
# The release of the installed Slurm as a number, such as 2205.
release=$(slurmctld -V | sed -E 's/^[^ ]* ([0-9]+)\.([0-9]+).*/\1\2/')

# The folder of Slurm's own plugins is the one that the program was linked with.
stock_plugin() {
	local full
	full=$(ldd "$host" | awk '/libslurmfull/ { print $3 }')
	echo "$(dirname "$full")/priority_multifactor.so"
}

# The state files of thousands of passes are not worth a disk, nor are its waits.
if [[ -z ${TMPDIR:-} && -w /dev/shm ]]; then
	export TMPDIR=/dev/shm
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# Each start of the stand-in copies the plugin: without what debuggers need it is a
# tenth as long. A plugin that was named is taken as it is.
if [[ -z ${EQUITREE_PLUGIN:-} ]] && mkdir "$work/plugin" &&
	strip --strip-debug -o "$work/plugin/${plugin##*/}" "$plugin" 2>/dev/null; then
	plugin=$work/plugin/${plugin##*/}
fi

ours() { timeout "${HOST_TIMEOUT:-600}" "$host" "$plugin" "$@"; }
stock() { timeout "${HOST_TIMEOUT:-600}" "$host" "$(stock_plugin)" "$@"; }

# value OUTPUT TIME THING KEY: "value out 600 assoc=phys/ada raw" is the word
# raw=... of that line in the print at second 600; TIME may be "last".
value() {
	awk -v time="$2" -v thing="$3" -v key="$4" '
		$1 == "==" { now = time == "last" || $2 == time; next }
		now && $1 == thing {
			found = ""
			for (i = 2; i <= NF; i++)
				if (index($i, key "=") == 1)
					found = substr($i, length(key) + 2)
		}
		END { print found }' "$1"
}

# The same for all lines: "THING VALUE" of each that has the key.
values() {
	awk -v key="$2" '{
		for (i = 2; i <= NF; i++)
			if (index($i, key "=") == 1)
				print $1, substr($i, length(key) + 2)
	}' "$1"
}

# The last print of an output.
last_print() { # OUTPUT
	awk '$1 == "==" { text = ""; next } { text = text $0 "\n" }
		END { printf "%s", text }' "$1"
}
