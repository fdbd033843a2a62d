/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Each job needs several look-ups, so the table is a hash table with open addressing. A
 * list beside it has the entries in the order in which they were added. */
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "cli/alloc.h"
#include "cli/names.h"

#define SLOTS_MIN 256

/* The name of an entry is its first member. */
static const char *thing_name(const void *thing)
{
	return *(const char *const *) thing;
}

/* The low bits of the hash alone are badly distributed, so mix in the upper half. */
static size_t thing_hash_name(const char *name)
{
	const uint64_t hash =
		eqt_hash_bytes(EQT_HASH_START, name, strlen(name));

	return (size_t) (hash ^ hash >> 32);
}

/* The slot of a name, or the free slot where the name belongs. At least half of the slots
 * are free, so the search always ends. */
static size_t slot_find(void *const *slot, size_t slots, const char *name)
{
	size_t at = thing_hash_name(name) & (slots - 1);

	while (slot[at] && strcmp(thing_name(slot[at]), name) != 0)
		at = (at + 1) & (slots - 1);
	return at;
}

/* Double the number of slots once half of them are used. */
static void names_make_room(struct eqt_names *names)
{
	const size_t slots = names->slots ? names->slots * 2 : SLOTS_MIN;
	void **slot;

	if (names->count * 2 < names->slots)
		return;
	slot = eqt_alloc(slots, sizeof(*slot));
	names->list = eqt_alloc_again(names->list, slots, sizeof(*slot));
	for (size_t i = 0; i < names->count; i++)
		slot[slot_find(slot, slots, thing_name(names->list[i]))] =
			names->list[i];
	free(names->slot);
	names->slot = slot;
	names->slots = slots;
}

void *eqt_names_get(struct eqt_names *names, const char *name, size_t size,
		    int *new)
{
	char *own;
	void *thing;
	size_t at;

	names_make_room(names);
	at = slot_find(names->slot, names->slots, name);
	if (new)
		*new = !names->slot[at];
	if (names->slot[at])
		return names->slot[at];
	thing = eqt_alloc(1, size);
	own = eqt_alloc_text(name);

	memcpy(thing, &own, sizeof(own));
	names->slot[at] = names->list[names->count++] = thing;
	return thing;
}

void *eqt_names_find(const struct eqt_names *names, const char *name)
{
	return names->slots
		       ? names->slot[slot_find(names->slot, names->slots, name)]
		       : NULL;
}

static int things_compare(const void *a, const void *b)
{
	return strcmp(thing_name(*(void *const *) a),
		      thing_name(*(void *const *) b));
}

void eqt_names_sort(struct eqt_names *names)
{
	if (names->count > 1)
		qsort(names->list, names->count, sizeof(*names->list),
		      things_compare);
}

void eqt_names_free(struct eqt_names *names)
{
	for (size_t i = 0; i < names->count; i++) {
		free(*(char **) names->list[i]);
		free(names->list[i]);
	}
	free(names->slot);
	free(names->list);
	*names = (struct eqt_names){ .count = 0 };
}

const char *eqt_names_text(struct eqt_names *names, const char *text)
{
	const char **own = eqt_names_get(names, text, sizeof(*own), NULL);

	return *own;
}
