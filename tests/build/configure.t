#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What configure finds, refuses and leaves out, and what make install puts
# where. Each case configures a folder of its own.
top=$(cd "$(dirname "$0")/../.." && pwd)
source_tree=$("$top/build-aux/slurm-headers" \
	"${EQUITREE_SLURM_SOURCES:-$top/build/slurm}")
version=${source_tree##*-}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
count=0

ok() { # NAME COMMAND...
	local name=$1
	shift
	((++count))
	if "$@" >"$work/out" 2>&1; then
		echo "ok $count - $name"
	else
		echo "not ok $count - $name"
		tail -n 15 "$work/out" | sed 's/^/#   /'
	fi
}

configure() { # NAME ARGUMENT...
	local name=$1
	shift
	mkdir -p "$work/$name"
	(cd "$work/$name" && "$top/configure" "$@") >"$work/$name.log" 2>&1
}

says() { grep -F -- "$2" "$work/$1.log" || { tail "$work/$1.log" && false; }; }

refuses() { # NAME TEXT ARGUMENT...
	local name=$1 text=$2
	shift 2
	! configure "$name" "$@" && says "$name" "$text"
}

# A tree that calls itself another release.
other=$work/other
mkdir -p "$other/src/slurmctld"
cp "$source_tree/src/slurmctld/slurmctld.h" "$other/src/slurmctld/"
sed "s/^\( *Version:\).*/\1 ${version}9/" "$source_tree/META" >"$other/META"

ok 'headers of another release are refused by both names' \
	refuses other "is Slurm ${version}9, but Slurm $version is installed" \
	--with-slurm-source="$other"
ok 'a folder that is no Slurm tree is refused' \
	refuses none "is no Slurm source tree" --with-slurm-source="$work"
ok 'without internal headers the rest is built' \
	configure public --with-plugindir="$work/plugins" --prefix="$work/usr"
ok 'and configure says what is left out' \
	says public 'priority/equitree    left out: needs the internal headers'
ok 'it builds' make -C "$work/public" -j2
ok 'it installs' make -C "$work/public" install
installed() { (cd "$1" && diff <(ls ./*.so) <(printf './%s\n' "${@:2}")); }
ok 'the plugins are in the folder that was named' \
	installed "$work/plugins" job_submit_equitree.so spank_equitree.so
ok 'the command runs' "$work/usr/bin/equitree" --version
ok 'with internal headers all is built' \
	configure full --with-slurm-source="$source_tree" \
	--with-plugindir="$work/all" --prefix="$work/usr"
ok 'and configure says of which release they are' says full "$version ("
full_install() { make -C "$work/full" -j2 && make -C "$work/full" install; }
ok 'it builds and installs' full_install
ok 'three plugins are installed' installed "$work/all" \
	job_submit_equitree.so priority_equitree.so spank_equitree.so
ok "Slurm's plugin folder is found by itself" bash -c '
	cd "$1" && mkdir auto && cd auto &&
	"$2/configure" | grep -E "plugins go to +/.*/slurm"' _ "$work" "$top"

# A slurmctld that is not the system's: it comes first, its library beside it.
own=$work/own
mkdir -p "$own/sbin" "$own/lib"
cp -L "$(PATH=$PATH:/usr/sbin type -P slurmctld)" "$own/sbin/slurmctld"
full=$(ldd "$own/sbin/slurmctld" | awk '/libslurmfull/ { print $3 }')
cp -L "$full" "$own/lib/libslurmfull.so"
own_configure() {
	PATH=$own/sbin:$PATH LD_LIBRARY_PATH=$own/lib configure prefix
}
ok 'of a Slurm elsewhere it is the folder of its library' own_configure
ok 'and configure says so' says prefix "plugins go to        $own/lib"
echo "1..$count"
