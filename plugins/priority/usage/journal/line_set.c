/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A set of 64-bit hashes of lines, in an open-addressed table. */
#include <stdlib.h>

#include "usage/journal/line_set.h"

/* FNV-1a; never 0, which marks a free place. */
static uint64_t line_key(const char *line, size_t length)
{
	uint64_t key = 0xcbf29ce484222325ULL;

	for (size_t i = 0; i < length; i++)
		key = (key ^ (unsigned char) line[i]) * 0x100000001b3ULL;
	return key ? key : 1;
}

/* The place of the key, or the free place where it belongs. */
static uint64_t *key_slot(const struct eqt_line_set *set, uint64_t key)
{
	size_t at = (size_t) key & (set->space - 1);

	while (set->keys[at] && set->keys[at] != key)
		at = (at + 1) & (set->space - 1);
	return &set->keys[at];
}

/* Make the table larger. -1: out of memory, and the set is unchanged. */
static int set_grow(struct eqt_line_set *set)
{
	struct eqt_line_set larger = {
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

bool eqt_line_set_add(struct eqt_line_set *set, const char *line, size_t length)
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

void eqt_line_set_clear(struct eqt_line_set *set)
{
	free(set->keys);
	*set = (struct eqt_line_set){ 0 };
}
