#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What configure finds, refuses and leaves out, and what make install puts
# where. Each case configures a folder of its own; EQUITREE_BUILD, or build/tree, is
# a built tree.
top=$(cd "$(dirname "$0")/../.." && pwd)
source_tree=$("$top/build-aux/slurm-headers" \
	"${EQUITREE_SLURM_SOURCES:-$top/build/slurm}")
export LC_ALL=C
version=${source_tree##*-}
tree=${EQUITREE_BUILD:-$top/build/tree}
mkdir -p "$top/build"
work=$(mktemp -d -p "$top/build" configure-XXXXXX) || exit 1
trap 'rm -rf "$work" "$work-public"' EXIT
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
	local name=$1 folder=$work/$1
	shift
	[[ $name != public ]] || folder=$public
	mkdir -p "$folder"
	# What is found of the machine is the same for all, but for the daemon.
	sed -i '/SLURM_DAEMON/d' "$work/cache" 2>/dev/null
	(cd "$folder" &&
		"$top/configure" --cache-file="$work/cache" CC=gcc "$@") \
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

# A slurmctld that is not the system's: it comes first, its library beside it.
own=$work/own
mkdir -p "$own/sbin" "$own/lib"
cp -L "$(PATH=$PATH:/usr/sbin type -P slurmctld)" "$own/sbin/slurmctld"
full=$(ldd "$own/sbin/slurmctld" | awk '/libslurmfull/ { print $3 }')
cp -L "$full" "$own/lib/libslurmfull.so"
plugins=${full%/*}

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

# A machine without Slurm: no header of it is found.
no_headers() {
	mkdir -p "$work/alone/no/slurm"
	echo '#error "no Slurm here"' | tee "$work/alone/no/slurm/spank.h" >"$work/alone/no/slurm/slurm.h"
	cp "$work/alone/no/slurm/slurm.h" "$work/alone/no/slurm/slurm_version.h"
}
alone() { # ARGUMENT
	no_headers
	(cd "$work/alone" && "$top/configure" CC=gcc CPPFLAGS="-I$work/alone/no" "$1") >"$work/alone.log" 2>&1
}
refuses_alone() { ! alone --enable-plugins && says alone '--disable-plugins builds the command without them'; }
ok "without Slurm's headers the refusal names --disable-plugins" refuses_alone
ok "the command alone is configured without Slurm's headers" alone --disable-plugins
ok 'the command alone is built' make -C "$work/alone" -j4
ok 'the command alone runs' "$work/alone/tools/equitree" --version
no_plugins() { [[ ! $(find "$work/alone/plugins" -name '*.la') ]]; }
ok 'the command alone has no plugins' no_plugins

# A prefix whose public headers are of the release 0xNUMBER.
prefix() { # NAME NUMBER
	mkdir -p "$work/prefix-$1/include"
	cp -r /usr/include/slurm "$work/prefix-$1/include/"
	sed -i "s/^\(#define SLURM_VERSION_NUMBER\) .*/\1 $2/" \
		"$work/prefix-$1/include/slurm/slurm_version.h"
}
refuses_prefix() { # NAME NUMBER TEXT ARGUMENT...
	local name=$1 text=$3
	prefix "$1" "$2"
	shift 3
	[[ $name != daemon ]] || cp -r "$own/sbin" "$work/prefix-$name/"
	LD_LIBRARY_PATH=$own/lib refuses "$name" "$text" \
		--with-slurm="$work/prefix-$name" "$@"
}
# What configure made of another tree of that release.
refuses_number() {
	changed number META ''
	mkdir -p "$work/tree-number/slurm"
	rm -f "$work/tree-number/slurm/slurm_version.h"
	echo '#define SLURM_VERSION_NUMBER 0x150800' >"$work/tree-number/slurm/slurm_version.h"
	refuses number "slurm/slurm_version.h is of another release than its META, which says $version" \
		--with-slurm-source="$work/tree-number"
}
refuses_old() {
	changed old META 's/^\( *Version:\).*/\1 21.08.8/'
	rm "$work/tree-old/src/common/slurm_protocol_common.h"
	rm -f "$work/tree-old/slurm/slurm_version.h"
	refuses_prefix old 0x150808 "Slurm 21.08.8 is older than 22.05" \
		--with-slurm-source="$work/tree-old"
}
ok 'a tree whose META names no version is refused' refuses_tree unnamed META \
	'/Version:/d' "META names no version"
ok 'a part of a tree is refused' refuses_tree part src/slurmctld/slurmctld.h d \
	"has no src/slurmctld/slurmctld.h: it is no whole source tree of Slurm"
ok 'a tree that was configured as another release is refused' refuses_number
ok 'a tree older than 22.05 is refused' refuses_old
ok 'a folder that is no prefix of Slurm is refused' refuses nowhere \
	"has no include/slurm/slurm_version.h: it is no prefix of an installed Slurm" \
	--with-slurm="$work"
ok 'public headers of another release than the daemon are refused' \
	refuses_prefix daemon 0x170b0a \
	"the public headers are of Slurm 23.11.10, but Slurm $version is installed"
refuses_function() {
	PATH=$own/sbin:$PATH LD_LIBRARY_PATH=$own/lib refuses_tree "$@"
}
ok 'a tree in which a function has another parameter is refused' \
	refuses_function function src/slurmctld/locks.h \
	's/lock_slurmctld *(slurmctld_lock_t/lock_slurmctld(int also, slurmctld_lock_t/' \
	"does not know: incompatible type for argument 1 of 'lock_slurmctld'"
ok 'of a Slurm elsewhere configure takes the folder of its library for plugins' \
	says function "checking for Slurm's plugin folder... $own/lib"
ok "of the installed Slurm configure takes the plugin folder by itself" \
	says field "checking for Slurm's plugin folder... $plugins"

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
# configure has compiled every source that knows Slurm; make, for its rules and for
# the release that Slurm reads in a plugin before it loads it, needs only the entries.
newer_builds() {
	local entry
	make -C "$work/newer" -j2 plugins/spank/spank_equitree_la-plugin.lo \
		plugins/{priority/priority,job_submit/job_submit}_equitree_la-plugin.lo &&
		for entry in "$work"/newer/plugins/{priority,job_submit}/.libs/*-plugin.o; do
			objdump -s -j .rodata "$entry" | grep 00051b00 || return 1
		done
}
ok 'make builds the entries of the plugins for a release newer than all' newer_builds
ok 'configure says of which release the internal headers are' \
	says newer "internal headers     27.05.0 ($work/tree-newer)"

# As the tree that the other tests use, as deep, and in its language: ccache, where it
# is installed, knows again what both have in common.
public=$work-public
cc=gcc
! command -v ccache >/dev/null || cc="ccache gcc"
ok 'without internal headers the rest is configured' configure public \
	--cache-file=/dev/null CC="$cc" --enable-werror \
	--with-plugindir="$work/plugins" --prefix="$work/usr"
ok 'without internal headers configure says what is left out' \
	says public 'priority/equitree    left out: needs the internal headers'
ok 'without internal headers make builds the rest' env -u LC_ALL make -C "$public" -j2
ok 'without internal headers make install installs the rest' make -C "$public" install
installed() { (cd "$1" && diff <(ls ./*.so) <(printf './%s\n' "${@:2}")); }
ok 'the plugins are in the folder that was named' \
	installed "$work/plugins" job_submit_equitree.so spank_equitree.so
ok 'the command runs' "$work/usr/bin/equitree" --version

# The tree of the other tests has been built with internal headers.
ok 'with internal headers all is installed' make -C "$tree" install DESTDIR="$work/all"
ok "three plugins are in Slurm's own plugin folder" installed "$work/all$plugins" \
	job_submit_equitree.so priority_equitree.so spank_equitree.so
echo "1..$count"
