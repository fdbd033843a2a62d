#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

mapfile -t code < <(sources '*.c' '*.h')
mapfile -t core < <(sources 'lib/*.c' 'lib/*.h')
mapfile -t scripts < <(grep -lE '^#!.*sh' $(sources '*' | grep -v '/corpus/'))

none 'every source has its SPDX line' \
	"$(for f in "${code[@]}" "${scripts[@]}"; do
		grep -q 'SPDX-License-Identifier: GPL-2.0-or-later' < <(head -n 3 "$f") ||
			echo "$f"
	done)"

# Who still writes to it when it has found its line is killed, and with pipefail
# that counts as not found. (What quickstart waits for has a shell of its own.)
none 'no script asks grep -q at the end of a pipe' \
	"$(perl -0ne 'while (/[^|\n]\|\s*(\\\n\s*)?grep -\w*q[^\n]*/g) {
			print "$ARGV: $&\n" }' "${scripts[@]}" $(sources '*.sh') |
		grep -v '^quickstart: ')"

none 'a .c file has at most 800 lines, a header of the core 200' \
	"$(wc -l "${code[@]}" | awk '
		$2 == "total" { next }
		$2 ~ /\.c$/ && $1 > 800 { print }
		$2 ~ /^lib\/.*\.h$/ && $1 > 200 { print }')"

none 'a function of the core has at most 60 lines, others 80' \
	"$(awk 'FNR == 1 { start = 0 }
		/^\{/ { start = FNR }
		/^\}/ && start { max = FILENAME ~ /^lib\// ? 60 : 80
			if (FNR - start - 1 > max) print FILENAME ":" start
			start = 0 }' $(printf '%s\n' "${code[@]}" | grep '\.c$'))"

none 'the core knows no Slurm, clock, thread, environment or output' \
	"$(grep -nE '#include *[<"](slurm|src/|pthread|unistd)|\b(printf|fprintf|puts|time|gettimeofday|clock_gettime|getenv|pthread_[a-z_]+|exit|abort) *\(' "${core[@]}" |
		grep -vE '^[^:]*:[0-9]+: ?\*|^[^:]*:[0-9]+:/\*')"

# State belongs into the struct that is handed down.
none 'no object of the core, a plugin or the command is thread-local' \
	"$(grep -nwE '_Thread_local|thread_local|__thread' \
		$(sources 'lib/*.[ch]' 'plugins/*.[ch]' 'tools/*.[ch]'))"

none 'only compat.h and its parts ask which Slurm it is built for' \
	"$(grep -nE 'EQT_SLURM_FROM|EQT_HAVE_[A-HJ-Z]|^ *# *(el)?if.*SLURM_VERSION' \
		"${code[@]}" |
		grep -vE '^(plugins/slurm/compat(/[a-z_]+)?|tests/compat/[a-z_]+)\.h:')"

none 'no name that only one release of Slurm has (see compat.h)' \
	"$(grep -nwE '(List|ListIterator|hostset_t|hostlist_t|hostlist_iterator_t) [*a-z]|struct job_details|site_factor_plugin_(init|fini)|node_record_count|slurm_destroy_priority_factors_object' \
		"${code[@]}" | grep -vE '^(plugins/slurm/compat(/[a-z_]+)?|tests/compat/[a-z_]+)\.h:')"

# "noun: what it is" opens the comment of a header.
none 'the comment of a header begins with the name of its file' \
	"$(awk 'FNR == 1 { name = FILENAME; sub(/.*\//, "", name); sub(/\.h$/, "", name) }
		FNR == 2 { begun = /^\/\*$/ }
		(FNR == 2 || (FNR == 3 && begun)) && match($0, /^(\/\*| \*) [a-z_0-9]+: /) {
			title = substr($0, 4, RLENGTH - 5)
			if (title != name && title != "eqt_" name) print FILENAME ": " title
		}' $(printf '%s\n' "${code[@]}" | grep '\.h$'))"

none 'the error of a pthread function is its return value, not errno' \
	"$(grep -nE -A2 'pthread_(create|join|[a-z]+_init)\(' "${code[@]}" | grep -wE 'errno|perror|%m')"

none 'no unfinished mark, no dead code' \
	"$(grep -nE '\b(TODO|FIXME|XXX)\b|^#if 0' "${code[@]}")"

none 'no plugin reaches into another, the command reaches into none' \
	"$(grep -nE '#include "(\.\./)+(priority|job_submit|spank)/' $(sources 'plugins/*.c' 'plugins/*.h')
	   grep -nE '#include .*plugins/|#include "src/' $(sources 'tools/*.c' 'tools/*.h'))"

none 'every header of the core compiles alone, in C11' \
	"$(for f in $(changed_sources 'lib/*.h'); do
		${CC:-cc} -std=c11 -D_POSIX_C_SOURCE=200809L -Wall -Wextra \
			-Wpedantic -Werror -Ilib -fsyntax-only -xc \
			- <<<"#include \"${f#lib/}\"" 2>&1 || echo "$f"
	done)"

if command -v clang-format >/dev/null; then
	none 'clang-format would change nothing' \
		"$(changed_sources '*.c' '*.h' |
			xargs -r -P 2 -n 20 clang-format --dry-run -Werror 2>&1 |
			grep 'error:' | cut -d: -f1 | sort -u)"
fi
plan
