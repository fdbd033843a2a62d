/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of a set has open addressing, and at most half of its places are used. */
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

/* Return the place of a hash, or the free place where it belongs. */
static uint64_t *set_place(const struct eqt_hash_set *set, uint64_t hash)
{
	size_t at = (size_t) hash & (set->space - 1);

	while (set->hash[at] && set->hash[at] != hash)
		at = (at + 1) & (set->space - 1);
	return &set->hash[at];
}

/* Make the table larger. Return 0, or -1 with the set unchanged if there is no
 * memory. */
static int set_grow(struct eqt_hash_set *set)
{
	struct eqt_hash_set larger = {
		.count = set->count,
		.space = set->space ? set->space * 2 : 64,
	};

	larger.hash = calloc(larger.space, sizeof(*larger.hash));
	if (!larger.hash)
		return -1;
	for (size_t i = 0; i < set->space; i++) {
		if (set->hash[i])
			*set_place(&larger, set->hash[i]) = set->hash[i];
	}
	free(set->hash);
	*set = larger;
	return 0;
}

int eqt_hash_set_add(struct eqt_hash_set *set, uint64_t hash)
{
	const uint64_t stored = hash ? hash : 1;
	uint64_t *place;

	if (set->count >= set->space / 2 && set_grow(set) < 0)
		return -1;
	place = set_place(set, stored);
	if (*place)
		return 0;
	*place = stored;
	set->count++;
	return 1;
}

void eqt_hash_set_clear(struct eqt_hash_set *set)
{
	if (set->count > 0)
		memset(set->hash, 0, set->space * sizeof(*set->hash));
	set->count = 0;
}

void eqt_hash_set_free(struct eqt_hash_set *set)
{
	free(set->hash);
	*set = (struct eqt_hash_set){ .count = 0 };
}
