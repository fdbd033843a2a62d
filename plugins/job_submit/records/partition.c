/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "partition.h"
#include "slurm/reservation.h"

const part_record_t *eqt_partition_find(const char *name)
{
	/* Most jobs get the default partition, which is compared first, because
	   slurmctld searches a list. */
	if (default_part_loc && strcmp(default_part_loc->name, name) == 0)
		return default_part_loc;
	return find_part_record((char *) (uintptr_t) name);
}

const char *eqt_partition_default(const char *reservation)
{
	const part_record_t *part = eqt_reservation_partition(reservation);

	if (!part)
		part = default_part_loc;
	return part ? part->name : NULL;
}

/* The slot that holds the name, or the empty slot where it belongs. */
static struct eqt_partition_entry *index_slot(
	const struct eqt_partition_index *index, const char *name)
{
	for (uint32_t hash = eqt_hash_name(name);; hash++) {
		struct eqt_partition_entry *entry =
			&index->entry[hash & (index->slots - 1)];

		if (!entry->part || strcmp(entry->part->name, name) == 0)
			return entry;
	}
}

bool eqt_partition_index_open(struct eqt_partition_index *out)
{
	uint32_t slots = 16;
	list_itr_t *iterator;
	part_record_t *part;

	*out = (struct eqt_partition_index){ .entry = NULL };
	/* At most half of the slots are used, so each search ends at an empty
	   one. */
	while (slots < 2 * (uint32_t) list_count(part_list))
		slots *= 2;
	out->entry = calloc(slots, sizeof(*out->entry));
	if (!out->entry)
		return false;
	out->slots = slots;
	iterator = list_iterator_create(part_list);
	while ((part = list_next(iterator)))
		index_slot(out, part->name)->part = part;
	list_iterator_destroy(iterator);
	return true;
}

void eqt_partition_index_close(struct eqt_partition_index *index)
{
	free(index->entry);
	*index = (struct eqt_partition_index){ .entry = NULL };
}

struct eqt_partition_entry *eqt_partition_index_find(
	const struct eqt_partition_index *index, const char *name)
{
	struct eqt_partition_entry *entry =
		index->slots ? index_slot(index, name) : NULL;

	return entry && entry->part ? entry : NULL;
}
