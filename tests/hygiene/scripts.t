#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Scripts, and what editors and make are told of the sources.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

mapfile -t scripts < <(grep -lE '^#!.*\bsh|^#!.*bash|^# shellcheck shell' \
	$(changed_sources '*' | grep -vE '/corpus/|\.(md|c|h|[1-8])$') /dev/null)

# What shellcheck says of the scripts; without scripts nothing.
scripts_remarks() {
	[[ ${#scripts[@]} == 0 ]] ||
		shellcheck -x -S warning -e SC2046,SC2034,SC2154,SC1007 -f gcc \
			"${scripts[@]}" 2>&1
}

# Words are split on purpose in many places here, and what a sourced file sets is
# used elsewhere: those two kinds of remarks are left out.
if command -v shellcheck >/dev/null; then
	none 'shellcheck has no remark about a script' \
		"$(scripts_remarks)"
else
	none 'shellcheck has no remark about a script' \
		'shellcheck is not installed'
fi

none 'a script says which shell runs it' \
	"$(for f in $(sources '*.sh' '*.t'); do
		head -n 1 "$f" | grep -E '^#!/bin/(ba)?sh|shellcheck shell=' \
			>/dev/null || echo "$f"
	done)"

none 'make check knows each TAP script that needs no cluster' \
	"$(diff <(grep -oE '^	tests/[a-z]+/[a-z_]+\.t' tests/local.mk |
			tr -d '\t' | sort) \
		<(sources 'tests/host/*.t' 'tests/tools/*.t' \
			'tests/hygiene/*.t' 'tests/fuzz/*.t' | sort))"

for file in .editorconfig .clang-format .clang-tidy; do
	ok_file() { [[ -s $1 ]] || echo "$1"; }
	none "$file is there" "$(ok_file "$file")"
done
plan
