/* SPDX-License-Identifier: GPL-2.0-or-later */
/* events: a sorted list of a simulation's jobs; private to lib/sim. */
#ifndef EQT_EVENTS_H
#define EQT_EVENTS_H

#include <stddef.h>
#include <stdint.h>

/* An entry of a list that is sorted by rising key, then by order of arrival. */
struct eqt_event {
	int64_t key;
	uint32_t job;
	uint32_t slot; /* index into live[] */
};

/* {0} is empty; eqt_events_free() frees what it holds. */
struct eqt_events {
	struct eqt_event *entries;
	size_t count;
};

/* Insert an entry at its place. 0, or -1 when memory is short. */
int eqt_events_add(struct eqt_events *list, struct eqt_event entry);
/* Add an entry at the end, for eqt_events_sort() to put in its place. 0 or -1. */
int eqt_events_append(struct eqt_events *list, struct eqt_event entry);
/* Put the entries that were appended in their places. */
void eqt_events_sort(struct eqt_events *list);
void eqt_events_free(struct eqt_events *list);

#endif
