#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What configure finds, refuses and leaves out, and what make install puts
# where. Each case configures a folder of its own.
top=$(cd "$(dirname "$0")/../.." && pwd)
source_tree=$("$top/build-aux/slurm-headers" \
	"${EQUITREE_SLURM_SOURCES:-$top/build/slurm}")
export LC_ALL=C
cc=gcc
! command -v ccache >/dev/null || cc="ccache gcc"
version=${source_tree##*-}
mkdir -p "$top/build"
work=$(mktemp -d -p "$top/build" configure-XXXXXX) || exit 1
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
	# What is found of the machine is the same for all, but for the daemon.
	sed -i '/SLURM_DAEMON/d' "$work/cache" 2>/dev/null
	(cd "$work/$name" &&
		"$top/configure" --cache-file="$work/cache" CC="$cc" "$@") \
		>"$work/$name.log" 2>&1
}

says() { grep -F -- "$2" "$work/$1.log" || { tail "$work/$1.log" && false; }; }

refuses() { # NAME TEXT ARGUMENT...
	local name=$1 text=$2
	shift 2
	! configure "$name" "$@" && says "$name" "$text"
}

# A copy of the tree, with one file changed by sed; SCRIPT d: the file is not there.
changed() { # NAME FILE SCRIPT
	mkdir -p "$work/tree-$1"
	cp -rs "$source_tree"/{META,slurm,src} "$work/tree-$1/"
	rm "$work/tree-$1/$2"
	[[ $3 == d ]] ||
		sed "$3" "$source_tree/$2" >"$work/tree-$1/$2"
}

refuses_tree() { # NAME FILE SCRIPT TEXT
	changed "$1" "$2" "$3"
	refuses "$1" "$4" --with-slurm-source="$work/tree-$1"
}

record=src/slurmctld/slurmctld.h
[[ ! -e $source_tree/src/common/job_record.h ]] ||
	record=src/common/job_record.h

ok 'headers of another release are refused by both names' refuses_tree other \
	META "s/^\( *Version:\).*/\1 ${version}9/" \
	"is Slurm ${version}9, but Slurm $version is installed"
ok 'a folder that is no Slurm tree is refused' \
	refuses none "has no META: it is no source tree of Slurm" \
	--with-slurm-source="$work"
ok 'a tree of another line whose META was edited is refused' \
	refuses_tree edited src/common/slurm_protocol_common.h \
	's/\(SLURM_PROTOCOL_VERSION SLURM_\)[0-9]*_[0-9]*/\120_11/' \
	"are of Slurm 20.11, although its META says $version"
ok 'a tree that lacks a header is refused, and the line names it' \
	refuses_tree header src/common/assoc_mgr.h d \
	"src/common/assoc_mgr.h: No such file or directory"
ok 'a tree in which a field of job records has another name is refused' \
	refuses_tree field "$record" 's/\<billable_tres\>/billed_tres/' \
	"has something that priority/equitree does not know: 'job_record_t'"
ok 'the line of the refusal names the field' says field "no member named 'billable_tres'"
ok 'the line of the refusal says what is built without internal headers' says field \
	'without --with-slurm-source the command, job_submit (its public part) and SPANK are built'
ok 'a tree in which a function has another parameter is refused' \
	refuses_tree function src/slurmctld/locks.h \
	's/lock_slurmctld *(slurmctld_lock_t/lock_slurmctld(int also, slurmctld_lock_t/' \
	"does not know: incompatible type for argument 1 of 'lock_slurmctld'"

# As it is today, by the name of a release to come.
newer() {
	local file=src/common/slurm_protocol_common.h
	changed newer META 's/^\( *Version:\).*/\1 27.05.0/'
	rm -f "$work/tree-newer/$file" "$work/tree-newer/slurm/slurm_version.h"
	sed 's/\(SLURM_PROTOCOL_VERSION SLURM_\)[0-9]*_[0-9]*/\127_05/' \
		"$source_tree/$file" >"$work/tree-newer/$file"
	sed -i "s/^#define SLURM_${version:0:2}_${version:3:2}_PROTOCOL/#define SLURM_27_05_PROTOCOL/" \
		"$work/tree-newer/$file"
	mkdir -p "$work/newer-prefix/include"
	cp -r /usr/include/slurm \
		"$work/newer-prefix/include/"
	echo '#define SLURM_VERSION_NUMBER 0x1b0500' \
		>"$work/newer-prefix/include/slurm/slurm_version.h"
	grep 'define SLURM_VERSION_[A-Z]*(' \
		/usr/include/slurm/slurm_version.h \
		>>"$work/newer-prefix/include/slurm/slurm_version.h"
	configure newer --with-slurm="$work/newer-prefix" \
		--with-slurm-source="$work/tree-newer" &&
		says newer 'WARNING: Slurm 27.05.0 is newer than 26.05'
}
ok 'a release newer than all is taken, with a warning' newer
newer_builds() {
	make -C "$work/newer" -j2 plugins/priority/priority_equitree.la \
		plugins/job_submit/job_submit_equitree.la \
		plugins/spank/spank_equitree.la
}
ok 'make builds the plugins for a release newer than all' newer_builds

ok 'without internal headers the rest is built' \
	configure public --with-plugindir="$work/plugins" --prefix="$work/usr"
ok 'without internal headers configure says what is left out' \
	says public 'priority/equitree    left out: needs the internal headers'
ok 'without internal headers make builds the rest' make -C "$work/public" -j2
ok 'without internal headers make install installs the rest' make -C "$work/public" install
installed() { (cd "$1" && diff <(ls ./*.so) <(printf './%s\n' "${@:2}")); }
ok 'the plugins are in the folder that was named' \
	installed "$work/plugins" job_submit_equitree.so spank_equitree.so
ok 'the command runs' "$work/usr/bin/equitree" --version
ok 'with internal headers all is built' \
	configure full --with-slurm-source="$source_tree" \
	--with-plugindir="$work/all" --prefix="$work/usr"
ok 'configure says of which release the internal headers are' says full "$version ("
full_install() { make -C "$work/full" -j2 && make -C "$work/full" install; }
ok 'with internal headers all is built and installed' full_install
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
ok 'configure names the plugin folder of a Slurm elsewhere' says prefix "plugins go to        $own/lib"
echo "1..$count"
