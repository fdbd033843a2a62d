/* SPDX-License-Identifier: GPL-2.0-or-later */
/* eqt_replay_list: a sorted list of a replay's jobs; private to eqt_replay*.c. */
#ifndef EQT_REPLAY_LIST_H
#define EQT_REPLAY_LIST_H

#include <stddef.h>
#include <stdint.h>

/* Jobs by a key, rising, and by their order of arrival. */
struct eqt_replay_entry {
	int64_t key;
	uint32_t job;
	uint32_t slot; /* of live[] */
};

/* Owned; {0} is empty. */
struct eqt_replay_list {
	struct eqt_replay_entry *entries;
	size_t count;
	size_t space;
};

/* Put an entry in its place, take it out; 0, or -1 when memory is short. */
int eqt_replay_list_add(struct eqt_replay_list *list,
			struct eqt_replay_entry entry);
void eqt_replay_list_take(struct eqt_replay_list *list,
			  struct eqt_replay_entry entry);
/* After keys have changed. */
void eqt_replay_list_sort(struct eqt_replay_list *list);

#endif
