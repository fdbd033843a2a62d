/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A sorted array. Callers choose keys so that the next event is the first or the last
 * entry. Unlike a heap, the array can be read in order, as the scheduler does.
 */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "sim/events.h"

/* Compare by key and then by job, so that the order is the same in every run. */
static int event_compare(const void *x, const void *y)
{
	const struct eqt_event *a = x, *b = y;

	if (a->key != b->key)
		return a->key < b->key ? -1 : 1;
	return a->job < b->job ? -1 : a->job > b->job;
}

/* Return the index of an entry, or the index where the entry belongs. */
static size_t event_find(const struct eqt_events *list,
			 const struct eqt_event *entry)
{
	size_t low = 0, high = list->count;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (event_compare(&list->entries[mid], entry) < 0)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

void eqt_events_free(struct eqt_events *list)
{
	free(list->entries);
	*list = (struct eqt_events){ .count = 0 };
}

int eqt_events_add(struct eqt_events *list, struct eqt_event entry)
{
	size_t at;

	if (EQT_ARRAY_ROOM(list->entries, list->count) < 0)
		return -1;
	at = event_find(list, &entry);
	memmove(&list->entries[at + 1], &list->entries[at],
		(list->count - at) * sizeof(entry));
	list->entries[at] = entry;
	list->count++;
	return 0;
}

int eqt_events_append(struct eqt_events *list, struct eqt_event entry)
{
	if (EQT_ARRAY_ROOM(list->entries, list->count) < 0)
		return -1;
	list->entries[list->count++] = entry;
	return 0;
}

void eqt_events_sort(struct eqt_events *list)
{
	if (list->count > 1)
		qsort(list->entries, list->count, sizeof(*list->entries),
		      event_compare);
}
