/* SPDX-License-Identifier: GPL-2.0-or-later */
/* events: a sorted list of a replay's jobs; private to lib/sim. */
#ifndef EQT_EVENTS_H
#define EQT_EVENTS_H

#include <stddef.h>
#include <stdint.h>

/* Jobs by a key, rising, and by their order of arrival. */
struct eqt_event {
	int64_t key;
	uint32_t job;
	uint32_t slot; /* of live[] */
};

/* Owned; {0} is empty. */
struct eqt_events {
	struct eqt_event *entries;
	size_t count;
	size_t space;
};

/* Put an entry in its place, take it out; 0, or -1 when memory is short. */
int eqt_events_add(struct eqt_events *list, struct eqt_event entry);
void eqt_events_take(struct eqt_events *list, struct eqt_event entry);
/* After keys have changed. */
void eqt_events_sort(struct eqt_events *list);

#endif
