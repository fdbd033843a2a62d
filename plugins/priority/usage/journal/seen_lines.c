/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A set of the 64-bit hashes of lines, in a table with open addressing. */
#include <stdlib.h>

#include "base/hash.h"
#include "usage/journal/seen_lines.h"

/* The hash of a line. It is never 0, which marks a free place. */
static uint64_t line_key(const char *line, size_t length)
{
	const uint64_t key = eqt_hash_bytes(EQT_HASH_START, line, length);

	return key ? key : 1;
}

/* The place of the key, or the free place where it belongs. */
static uint64_t *key_slot(const struct eqt_seen_lines *set, uint64_t key)
{
	size_t at = (size_t) key & (set->space - 1);

	while (set->keys[at] && set->keys[at] != key)
		at = (at + 1) & (set->space - 1);
	return &set->keys[at];
}

/* Make the table larger. Returns -1 with the set unchanged if memory is
 * short. */
static int set_grow(struct eqt_seen_lines *set)
{
	struct eqt_seen_lines larger = {
		.count = set->count,
		.space = set->space ? set->space * 2 : 1024,
	};

	larger.keys = calloc(larger.space, sizeof(*larger.keys));
	if (!larger.keys)
		return -1;
	for (size_t i = 0; i < set->space; i++)
		if (set->keys[i])
			*key_slot(&larger, set->keys[i]) = set->keys[i];
	free(set->keys);
	*set = larger;
	return 0;
}

bool eqt_seen_lines_add(struct eqt_seen_lines *set, const char *line,
			size_t length)
{
	uint64_t key = line_key(line, length), *slot;

	if (set->count >= set->space / 2 && set_grow(set) < 0)
		return true;
	slot = key_slot(set, key);
	if (*slot)
		return false;
	*slot = key;
	set->count++;
	return true;
}

void eqt_seen_lines_clear(struct eqt_seen_lines *set)
{
	free(set->keys);
	*set = (struct eqt_seen_lines){ 0 };
}
