/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A sorted array of the present associations, and of the parents of removed ones. */
#include <stdlib.h>

#include "usage/amounts/assoc_index.h"

/* An association that exists, or a removed one with its former parent. */
struct entry {
	uint32_t id;
	uint32_t parent_id;
	slurmdb_assoc_rec_t *assoc; /* NULL: gone */
};

struct eqt_assoc_index {
	struct entry *entries; /* sorted by id, one for each id */
	size_t count;
};

/* By id; for one id, the association comes before the entry from the snapshot. */
static int assoc_entry_compare(const void *x, const void *y)
{
	const struct entry *a = x, *b = y;

	if (a->id != b->id)
		return a->id < b->id ? -1 : 1;
	return (b->assoc != NULL) - (a->assoc != NULL);
}

static int assoc_index_add(void *item, void *arg)
{
	slurmdb_assoc_rec_t *assoc = item;
	struct eqt_assoc_index *index = arg;

	index->entries[index->count++] =
		(struct entry){ .id = assoc->id, .assoc = assoc };
	return 0;
}

/* Keep the first of each id. */
static void assoc_index_drop_doubles(struct eqt_assoc_index *index)
{
	size_t kept = 0;

	for (size_t i = 0; i < index->count; i++)
		if (!kept ||
		    index->entries[kept - 1].id != index->entries[i].id)
			index->entries[kept++] = index->entries[i];
	index->count = kept;
}

struct eqt_assoc_index *eqt_assoc_index_new(const struct eqt_snapshot *snapshot)
{
	struct eqt_assoc_index *index = xcalloc(1, sizeof(*index));
	size_t space = (size_t) list_count(assoc_mgr_assoc_list) +
		       snapshot->parent_count;

	index->entries = xcalloc(space + 1, sizeof(*index->entries));
	list_for_each(assoc_mgr_assoc_list, assoc_index_add, index);
	for (uint32_t i = 0; i < snapshot->parent_count; i++)
		index->entries[index->count++] = (struct entry){
			.id = snapshot->parents[i].id,
			.parent_id = snapshot->parents[i].parent_id,
		};
	qsort(index->entries, index->count, sizeof(*index->entries),
	      assoc_entry_compare);
	assoc_index_drop_doubles(index);
	return index;
}

void eqt_assoc_index_free(struct eqt_assoc_index *index)
{
	if (!index)
		return;
	xfree(index->entries);
	xfree(index);
}

static int assoc_entry_compare_id(const void *x, const void *y)
{
	const struct entry *a = x, *b = y;

	return a->id < b->id ? -1 : a->id > b->id;
}

static const struct entry *assoc_index_entry(
	const struct eqt_assoc_index *index, uint32_t id)
{
	const struct entry key = { .id = id };

	return bsearch(&key, index->entries, index->count, sizeof(key),
		       assoc_entry_compare_id);
}

slurmdb_assoc_rec_t *eqt_assoc_index_find(const struct eqt_assoc_index *index,
					  uint32_t id)
{
	const struct entry *entry = assoc_index_entry(index, id);

	/* Parents of a damaged snapshot may form a ring; no other path is longer
	 * than the number of entries. */
	for (size_t i = 0; entry && !entry->assoc && i < index->count; i++)
		entry = assoc_index_entry(index, entry->parent_id);
	return entry ? entry->assoc : NULL;
}
