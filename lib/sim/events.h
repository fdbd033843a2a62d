/* SPDX-License-Identifier: GPL-2.0-or-later */
/* events: a sorted list of jobs of a simulation. Only lib/sim uses it. */
#ifndef EQT_EVENTS_H
#define EQT_EVENTS_H

#include <stddef.h>
#include <stdint.h>

/* An entry of a list that is sorted by rising key, and then by order of arrival. */
struct eqt_event {
	int64_t key;
	uint32_t job;
	uint32_t slot; /* index of the job in live[] */
};

/* A list. {0} is empty. eqt_events_free() frees its memory. */
struct eqt_events {
	struct eqt_event *entries;
	size_t count;
};

/* Insert an entry at its place. Return 0, or -1 if there is no memory. */
int eqt_events_add(struct eqt_events *list, struct eqt_event entry);
/* Add an entry at the end until eqt_events_sort() moves it to its place. Return 0, or
 * -1 if there is no memory. */
int eqt_events_append(struct eqt_events *list, struct eqt_event entry);
/* Move the entries that were appended to their places. */
void eqt_events_sort(struct eqt_events *list);
void eqt_events_free(struct eqt_events *list);

#endif
