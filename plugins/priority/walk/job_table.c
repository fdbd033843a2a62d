/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "walk/job_table.h"

/* The place where the search for an id begins. Job ids are consecutive.
 * Multiplicative hashing with 2^64 divided by the golden ratio spreads them
 * evenly for any step between running jobs. */
static size_t job_table_own_place(const struct eqt_job_table *table,
				  uint32_t job_id)
{
	return (size_t) ((job_id * UINT64_C(0x9e3779b97f4a7c15)) >> 32) &
	       (table->places - 1);
}

/* The place of an id, or the free place where the id belongs. */
static size_t job_table_place(const struct eqt_job_table *table,
			      uint32_t job_id)
{
	size_t i = job_table_own_place(table, job_id);

	while (table->id[i] && table->id[i] != job_id)
		i = (i + 1) & (table->places - 1);
	return i;
}

/* Replace an empty table by a table with this number of places. Returns 0, or
 * -1 if memory is short. */
static int job_table_make(struct eqt_job_table *table, size_t places)
{
	uint32_t *id = calloc(places, sizeof(*id));
	time_t *value = malloc(places * sizeof(*value));

	if (!id || !value) {
		free(id);
		free(value);
		return -1;
	}
	*table = (struct eqt_job_table){ id, value, places, 0 };
	return 0;
}

/* Store an id with its value. The table has room for it. */
static void job_table_put(struct eqt_job_table *table, uint32_t job_id,
			  time_t value)
{
	size_t i = job_table_place(table, job_id);

	table->count += !table->id[i];
	table->id[i] = job_id;
	table->value[i] = value;
}

/* Make room for one more id. Returns 0, or -1 if memory is short. */
static int job_table_grow(struct eqt_job_table *table)
{
	struct eqt_job_table old = *table;

	if (2 * (table->count + 1) <= table->places)
		return 0;
	if (job_table_make(table, old.places ? 2 * old.places : 64) < 0)
		return -1;
	for (size_t i = 0; i < old.places; i++)
		if (old.id[i])
			job_table_put(table, old.id[i], old.value[i]);
	eqt_job_table_free(&old);
	return 0;
}

size_t eqt_job_table_begin(struct eqt_job_table *table, size_t count)
{
	struct eqt_job_table fresh;
	size_t places = 1024;

	while (places < 2 * count)
		places *= 2;
	if (places > table->places && job_table_make(&fresh, places) == 0) {
		eqt_job_table_free(table);
		*table = fresh;
	} else if (table->places) {
		memset(table->id, 0, table->places * sizeof(*table->id));
	}
	table->count = 0;
	return count < table->places / 2 ? count : table->places / 2;
}

void eqt_job_table_set(struct eqt_job_table *table, uint32_t job_id,
		       time_t value)
{
	if (job_id && job_table_grow(table) == 0)
		job_table_put(table, job_id, value);
}

bool eqt_job_table_has(const struct eqt_job_table *table, uint32_t job_id)
{
	return eqt_job_table_get(table, job_id) != NULL;
}

const time_t *eqt_job_table_get(const struct eqt_job_table *table,
				uint32_t job_id)
{
	size_t i;

	if (!job_id || !table->places)
		return NULL;
	i = job_table_place(table, job_id);
	return table->id[i] ? &table->value[i] : NULL;
}

/* Free a place. If a search for a later id would now stop at the gap, that id
 * moves into the gap, and so on up to the next free place. */
static void job_table_remove(struct eqt_job_table *table, size_t gap)
{
	const size_t last = table->places - 1;

	for (size_t i = (gap + 1) & last; table->id[i]; i = (i + 1) & last) {
		size_t own = job_table_own_place(table, table->id[i]);

		if (((i - own) & last) < ((i - gap) & last))
			continue;
		table->id[gap] = table->id[i];
		table->value[gap] = table->value[i];
		gap = i;
	}
	table->id[gap] = 0;
	table->count--;
}

bool eqt_job_table_forget(struct eqt_job_table *table, uint32_t job_id)
{
	if (!eqt_job_table_has(table, job_id))
		return false;
	job_table_remove(table, job_table_place(table, job_id));
	return true;
}

void eqt_job_table_free(struct eqt_job_table *table)
{
	free(table->id);
	free(table->value);
	*table = (struct eqt_job_table){ .id = NULL };
}
