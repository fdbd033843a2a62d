#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Who includes whom, and what is called what, by the table rooms.conf; and that
# each check finds what it is for, in small trees made here.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

checker=$top/tests/hygiene/rooms.py
table=$top/tests/hygiene/rooms.conf

# judge NAME CHECK: the remarks stand above the row.
judge() {
	local said
	said=$("$checker" "$top" "$table" "$2" 2>&1)
	grep '^#' <<<"$said"
	none "$1" "$(grep -v '^#' <<<"$said")"
}

judge 'a room includes itself and what the table allows' rooms
judge 'a lower floor includes no upper one' floors
judge 'a folder has the files in it that the table names' only
judge 'files do not include each other in a circle' circles
judge 'folders do not include each other in a circle' folder-circles
judge 'a prefix eqt_NOUN_ is defined in one folder' prefixes
judge 'a static function has a name of its own in its folder' statics
judge 'static functions share few names in the whole project' \
	statics-repeated-percent
judge 'the .c files of a folder have comments enough' comments
judge 'a folder has at most 32 files of C' crowded
judge 'each prototype of a header stands below a comment' prototypes
judge 'the table names no exception that is gone' stale

# ---- The checker itself -------------------------------------------------------

fake=$(mktemp -d)
trap 'rm -rf "$fake"' EXIT
cat >"$fake/conf" <<'END'
may lib:
may plugins/slurm: lib
may plugins/priority: lib plugins/slurm
may tools/cli: lib
may tools/*: lib tools/cli
may tools/main: lib tools
one plugins/slurm: plugins/slurm/compat
floors lib: base | conf price
floors plugins/priority: config | walk | pass
only tools: main
comments lib 10
END

# Files "PATH: TEXT", where @ ends a line, in a tree that has nothing else.
plant() { # PATH:TEXT...
	local one
	rm -rf "$fake/tree"
	for one in "$@"; do
		mkdir -p "$fake/tree/$(dirname "${one%%:*}")"
		tr @ '\n' <<<"${one#*:}" >"$fake/tree/${one%%:*}"
	done
}

check_fake() { "$checker" "$fake/tree" "$fake/conf" "$1" 2>&1 | grep -v '^#'; }

# finds CHECK TEXT NAME FILE...: that line, and no other.
finds() {
	plant "${@:4}"
	none "$3" "$(diff <(check_fake "$1") <(printf '%s' "${2:+$2$'\n'}"))"
}

finds rooms 'lib/a.c includes plugins/slurm/log.h' \
	'the checker finds a core file that includes a plugin' \
	'lib/a.c:#include "../plugins/slurm/log.h"' 'plugins/slurm/log.h:'
finds rooms 'tools/why/cmd.c includes tools/bill/quote.h' \
	'the checker finds a subcommand that includes another' \
	'tools/why/cmd.c:#include "bill/quote.h"' 'tools/bill/quote.h:'
finds rooms '' 'the checker lets a subcommand include cli and itself' \
	'tools/why/cmd.c:#include "cli/out.h"@#include "pair.h"' \
	'tools/cli/out.h:' 'tools/why/pair.h:' \
	'tools/main.c:#include "why/pair.h"'
finds rooms 'plugins/new/a.c: no rule names its room' \
	'the checker finds a folder that the table does not know' \
	'plugins/new/a.c:'
finds rooms '' 'the checker seeks an include where the compiler does' \
	'plugins/priority/walk/a.c:#include "usage/usage.h"' \
	'plugins/priority/usage/usage.h:' 'tools/usage/usage.h:' \
	'tools/why/b.c:#include "cli/nodes.h"' \
	'tools/cli/nodes.h:' 'plugins/priority/cli/nodes.h:'
finds rooms 'plugins/slurm/a.c includes plugins/priority/walk/job.h' \
	'the checker finds an include by a path from the folder of plugins' \
	'plugins/slurm/a.c:#include "priority/walk/job.h"' \
	'plugins/priority/walk/job.h:' 'tools/priority/walk/job.h:'
finds floors 'plugins/priority/walk/job.c includes plugins/priority/pass.h, which is on a floor above' \
	'the checker finds an include of an upper floor' \
	'plugins/priority/walk/job.c:#include "../pass.h"' \
	'plugins/priority/pass.h:#include "walk/job.h"' \
	'plugins/priority/walk/job.h:' 
finds floors 'lib/sum/a.c: on no floor of lib' \
	'the checker finds a folder on no floor' 'lib/sum/a.c:'
finds only 'tools/stray.c: not one of tools'\''s own files' \
	'the checker finds a file that belongs into a folder' \
	'tools/stray.c:' 'tools/main.c:'
finds circles 'a circle: lib/conf/a lib/conf/b lib/conf/c' \
	'the checker finds a circle of three files' \
	'lib/conf/a.c:#include "b.h"' 'lib/conf/a.h:' \
	'lib/conf/b.h:#include "c.h"' 'lib/conf/c.h:#include "a.h"'
finds circles '' 'the checker takes a file and its header for one' \
	'lib/conf/a.c:#include "a.h"' 'lib/conf/a.h:#include "b.h"' \
	'lib/conf/b.h:'
finds circles '' 'the checker takes a private header for a part of its module' \
	'lib/conf/a.c:#include "a_impl.h"' 'lib/conf/a_impl.h:#include "a.h"' \
	'lib/conf/a.h:#include "b.h"' 'lib/conf/b.h:' \
	'lib/conf/b.c:#include "c.h"' 'lib/conf/c.h:#include "d_impl.h"' \
	'lib/conf/d_impl.h:'
finds folder-circles '' 'the checker takes folders for one by the table' \
	'plugins/slurm/a.h:#include "compat/b.h"' \
	'plugins/slurm/compat/b.h:#include "slurm/c.h"' 'plugins/slurm/c.h:'
finds folder-circles 'a circle: lib/conf lib/price' \
	'the checker finds a circle of folders without one of files' \
	'lib/conf/a.c:#include "price/b.h"' 'lib/price/b.h:' \
	'lib/price/c.c:#include "conf/d.h"' 'lib/conf/d.h:'
finds prefixes 'eqt_tree_ in lib/base lib/conf' \
	'the checker finds a prefix that is defined in two folders' \
	'lib/base/a.c:int eqt_tree_add(int a)@{@}' \
	'lib/conf/b.c:void eqt_tree_free(int a,@	int b)@{@}'
finds prefixes '' \
	'the checker takes the longest name of a file for the prefix' \
	'lib/base/tree.c:int eqt_tree_add(int a)@{@}' \
	'lib/conf/tree_list.c:int eqt_tree_list_add(int a)@{@}'
finds prefixes 'eqt_tree_list_ in lib/base lib/conf' \
	'the checker finds the prefix of another folder'\''s file' \
	'lib/base/tree.c:int eqt_tree_list_end(int a)@{@}' \
	'lib/conf/tree_list.c:int eqt_tree_list_add(int a)@{@}'
finds statics 'find in lib/base/a.c lib/base/b.c' \
	'the checker finds a static name that is there twice' \
	'lib/base/a.c:static int find(int a)@{@}' \
	'lib/base/b.c:static const char *find(void)@{@}' \
	'lib/conf/c.c:static int find(int a)@{@}'
finds statics-repeated-percent '100 percent, at most 0 are allowed' \
	'the checker counts static names over the folders' \
	'lib/base/a.c:static int find(int a)@{@}' \
	'lib/conf/c.c:static int find(int a)@{@}'
mapfile -t many < <(seq 33 | sed 's,.*,lib/base/&.c:int a&;,')
plant "${many[@]}"
none 'the checker finds a folder with too many files' \
	"$(diff <(check_fake crowded) \
		<(echo 'lib/base: 33 files, at most 32 are allowed'))"
finds prototypes '' 'the checker lets the size of a buffer stand below the comment' \
	'tools/why/a.h:/* One. */@#define SIZE 8@char *eqt_a_one(char buf[SIZE]);'
finds prototypes 'lib/base/a.h:4: a prototype without a comment' \
	'the checker finds a prototype without a comment' \
	'lib/base/a.h:/* One. */@int eqt_a_one(void);@@int eqt_a_two(void);' 
plant 'lib/base/a.c:/* SPDX */@int a;@int b;@int c;'
none 'the checker finds a folder without comments' \
	"$(check_fake comments | grep -vE '^lib(/base)?: 0\.0 percent')"
none 'each folder without comments has its line' \
	"$( (($(check_fake comments | wc -l) == 2)) || check_fake comments)"
plan
