/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * assoc_cache: where all associations are, in the order of assoc_mgr's list,
 * and their memory prefetched before a visit.
 *
 * The list is chained one by one, which costs more than all that a pass does to
 * its members. So their places are kept in an array from one walk to the next,
 * as long as it can be shown that the list is still the same
 * (docs/design/0028).
 *
 * Every caller holds assoc_mgr's association lock, except of
 * eqt_assoc_cache_clear(). The pass thread's own, and init's and fini's while
 * that does not run.
 */
#ifndef EQT_ASSOC_CACHE_H
#define EQT_ASSOC_CACHE_H

#include "walk/assoc_at.h"

/* {0} is empty; eqt_assoc_cache_clear() frees what it holds. */
struct eqt_assoc_cache {
	struct eqt_assoc_at *at; /* in the list's order */
	uint32_t count;
	uint32_t space;
	struct eqt_assoc_state state;
	/* NULL: it cannot be shown that the list is the same. It stands before
	 * the second association, and belongs to the list, with which it goes. */
	list_itr_t *iterator;
	const list_t *list;
};

/* Visit all. */
void eqt_assoc_cache_each(struct eqt_assoc_cache *cache,
			  enum eqt_assoc_parts parts, eqt_assoc_visit *visit,
			  void *arg);

/* To be asked for in the lock hold in which it is used. */
struct eqt_assoc_state eqt_assoc_cache_state(struct eqt_assoc_cache *cache);

/*
 * From now on it can be shown that the list is the same. To be called in the
 * hold of the write lock in which the root's level_fs was set to NO_VAL: the
 * record of the next list's root has 0.
 */
void eqt_assoc_cache_keep(struct eqt_assoc_cache *cache);

/* Free what is kept (at fini). Takes assoc_mgr's assoc lock for reading. */
void eqt_assoc_cache_clear(struct eqt_assoc_cache *cache);

#endif
