#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Each member of Slurm's job_desc_msg_t is named in the page of options that change an
# allocation, and functions that the page names are in the sources. The headers are those of
# the installed Slurm, of build/slurm, and of $EQUITREE_SLURM_PREFIXES.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"
page=docs/design/0039-options-that-change-an-allocation.md
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fields() { # HEADER: the members of the struct
	perl -0777 -ne 's{/\*.*?\*/}{}gs;
		print "$1\n" while /typedef struct job_descriptor\s*\{(.*?)\n\}/gs' "$1" |
		grep -oE '[a-z_0-9]+(\[[^]]*\])?;' | sed 's/[[;].*//' | sort
}
named() { # all words in backquotes from the table on
	sed -n '/^## Fields of a description/,/^\*\*The account\*\*/p' "$page" |
		grep -oE '`[a-z_0-9]+`' | tr -d '`' | sort -u
}

shopt -s nullglob
headers=(/usr/include/slurm/slurm.h build/slurm/*/slurm/slurm.h
	"${EQUITREE_SLURM_PREFIXES:-/nowhere}"/*/source/slurm/slurm.h
	/var/tmp/equitree-roots/*/usr/include/slurm/slurm.h)
named >"$work/named"
seen=0
for header in "${headers[@]}"; do
	[[ -e $header ]] || continue
	fields "$header" >"$work/fields"
	(($(wc -l <"$work/fields") > 100)) && seen=$((seen + 1))
	none "0039 names each member of a job description: $header" \
		"$(comm -23 "$work/fields" "$work/named")"
done
((seen)) || skip 'members of a job description are found' 'no header of Slurm'

none 'each function that the table of fields names is in the sources' \
	"$(sed -n '/^## Fields of a description/,/^No part/p' "$page" |
		grep -oE '\| `[a-z_]+\(\)`[^|]*\|' | grep -oE '`[a-z_]+\(\)`' |
		tr -d '`()' | sort -u | while IFS= read -r name; do
		grep -qrE "\b$name\(" lib plugins || echo "$name"
	done)"

# A member of a release to come.
sed 's/^typedef struct job_descriptor {/&\n\tuint32_t never_heard_of;/' \
	/usr/include/slurm/slurm.h >"$work/slurm.h" 2>/dev/null
if [[ -s $work/slurm.h ]]; then
	fields "$work/slurm.h" >"$work/fields"
	none 'a member that a release brings is found' \
		"$([[ $(comm -23 "$work/fields" "$work/named") == never_heard_of ]] ||
			comm -23 "$work/fields" "$work/named")"
else
	skip 'a member that a release brings is found' 'no header of Slurm'
fi
plan
