/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "budget/book/ancestry.h"

#define SLOTS 4096 /* a power of two */
#define PROBES 4 /* slots that an account may have */
#define KEPT_S 1

struct eqt_ancestors {
	uint64_t when;
	size_t levels;
	char text[]; /* what was asked for, then each name, with their NULs */
};

/* The slot of an account; or a free one, or that of the longest unused one. */
static struct eqt_ancestors **ancestry_slot(const struct eqt_ancestry *known,
					    const char *account)
{
	const uint64_t first =
		eqt_hash_bytes(EQT_HASH_START, account, strlen(account));
	struct eqt_ancestors **oldest = NULL;

	for (uint64_t i = 0; i < PROBES; i++) {
		struct eqt_ancestors **slot = &known->slot[(first + i) % SLOTS];

		if (!*slot || strcmp((*slot)->text, account) == 0)
			return slot;
		if (!oldest || (*slot)->when < (*oldest)->when)
			oldest = slot;
	}
	return oldest;
}

/* A clock that was set back makes them too old as well. */
bool eqt_ancestry_get(const struct eqt_ancestry *known, const char *account,
		      uint64_t now, struct eqt_book_path *path)
{
	const struct eqt_ancestors *found;
	const char *name;

	if (!known->slot)
		return false;
	found = *ancestry_slot(known, account);
	if (!found || strcmp(found->text, account) != 0 ||
	    now - found->when > KEPT_S)
		return false;
	name = found->text;
	for (size_t i = 0; i < found->levels; i++) {
		name += strlen(name) + 1;
		path->level[i].account = name;
		path->level[i].user = "";
	}
	path->levels = found->levels;
	return true;
}

/* NULL: out of memory. */
static struct eqt_ancestors *ancestors_new(const char *account, uint64_t now,
					   const struct eqt_book_path *path)
{
	struct eqt_ancestors *found;
	size_t size = strlen(account) + 1;
	char *end;

	for (size_t i = 0; i < path->levels; i++)
		size += strlen(path->level[i].account) + 1;
	found = malloc(sizeof(*found) + size);
	if (!found)
		return NULL;
	found->when = now;
	found->levels = 0;
	end = stpcpy(found->text, account) + 1;
	for (size_t i = 0; i < path->levels; i++) {
		if (path->level[i].user[0])
			continue;
		end = stpcpy(end, path->level[i].account) + 1;
		found->levels++;
	}
	return found;
}

void eqt_ancestry_put(struct eqt_ancestry *known, const char *account,
		      uint64_t now, const struct eqt_book_path *path)
{
	struct eqt_ancestors *found, **slot;

	if (!known->slot)
		known->slot = calloc(SLOTS, sizeof(*known->slot));
	if (!known->slot)
		return;
	found = ancestors_new(account, now, path);
	if (!found)
		return;
	slot = ancestry_slot(known, account);
	free(*slot);
	*slot = found;
}

void eqt_ancestry_free(struct eqt_ancestry *known)
{
	for (size_t i = 0; known->slot && i < SLOTS; i++)
		free(known->slot[i]);
	free(known->slot);
	known->slot = NULL;
}
