/* SPDX-License-Identifier: GPL-2.0-or-later */
/* events: a sorted list of a replay's jobs; private to lib/sim. */
#ifndef EQT_SIMULATION_EVENTS_H
#define EQT_SIMULATION_EVENTS_H

#include <stddef.h>
#include <stdint.h>

/* Jobs by a key, rising, and by their order of arrival. */
struct eqt_simulation_event {
	int64_t key;
	uint32_t job;
	uint32_t slot; /* of live[] */
};

/* Owned; {0} is empty. */
struct eqt_simulation_events {
	struct eqt_simulation_event *entries;
	size_t count;
	size_t space;
};

/* Put an entry in its place, take it out; 0, or -1 when memory is short. */
int eqt_simulation_events_add(struct eqt_simulation_events *list,
			      struct eqt_simulation_event entry);
void eqt_simulation_events_take(struct eqt_simulation_events *list,
				struct eqt_simulation_event entry);
/* After keys have changed. */
void eqt_simulation_events_sort(struct eqt_simulation_events *list);

#endif
