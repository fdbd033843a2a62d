/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * assoc_cache: the addresses of all associations in the order of assoc_mgr's list, and
 * a walk over them that prefetches their memory.
 *
 * Following the linked list costs more than all the work of a pass on its members. So
 * their addresses are kept in an array from one walk to the next, as long as the list
 * can be proved unchanged (docs/design/0028).
 *
 * Callers hold assoc_mgr's association lock, except for eqt_assoc_cache_clear(). Only
 * the pass thread uses the cache, and init() and fini() while that does not run; any thread
 * may call eqt_assoc_cache_is_known() with the lock held for writing.
 */
#ifndef EQT_ASSOC_CACHE_H
#define EQT_ASSOC_CACHE_H

#include "walk/visit.h"

/* {0} is empty; eqt_assoc_cache_clear() frees what it holds. */
struct eqt_assoc_cache {
	struct eqt_assoc_at *at; /* in the list's order */
	uint32_t count;
	size_t space;
	uint32_t most_id;
	struct eqt_assoc_state state;
	/* Points before the second association. NULL: the list cannot be proved
	 * unchanged. The list owns it and frees it when it is destroyed. */
	list_itr_t *iterator;
	const list_t *list;
};

/*
 * Visit all associations (next is NULL); or those from *next on, for EQT_WALK_ASSOC_NS at
 * most: the caller knows that the list has the order of the slice before. Returns whether
 * there are more, from the new *next on.
 */
bool eqt_assoc_cache_each(struct eqt_assoc_cache *cache,
			  enum eqt_assoc_parts parts, uint32_t *next,
			  eqt_assoc_visit *visit, void *arg);

/* Visit all without a cache, one after the other in the list itself. */
void eqt_assoc_cache_each_uncached(eqt_assoc_visit *visit, void *arg);

/* The versions of the list; valid only while the lock is held. Reads the list again if it
 * cannot be proved unchanged. */
struct eqt_assoc_state eqt_assoc_cache_state(struct eqt_assoc_cache *cache);

/*
 * Start the proof that the list is unchanged, if the root has our mark: its level_fs was
 * set to NO_VAL. The root of a new list has 0.
 */
void eqt_assoc_cache_keep(struct eqt_assoc_cache *cache);

/* If the root has our mark, read the list if it has changed, and start the proof. Returns
 * whether there is one. */
bool eqt_assoc_cache_prepare(struct eqt_assoc_cache *cache);

/* Can the list be proved unchanged since it was read last? */
bool eqt_assoc_cache_is_known(const struct eqt_assoc_cache *cache);

/* Free the cache (at fini). Takes assoc_mgr's assoc lock for reading. */
void eqt_assoc_cache_clear(struct eqt_assoc_cache *cache);

#endif
