/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * assoc_cache: the addresses of all associations in the order of assoc_mgr's
 * list, and a walk over them that prefetches their memory.
 *
 * Following the linked list costs more than all the work of a pass on its
 * members. So the addresses are kept in an array from one walk to the next, as
 * long as the list can be proved unchanged (docs/design/0028).
 *
 * Callers hold assoc_mgr's assoc lock, except for eqt_assoc_cache_clear(). Only
 * the pass thread uses the cache, and init() and fini() while that thread does
 * not run. Any thread may call eqt_assoc_cache_is_known() with the lock held
 * for writing.
 */
#ifndef EQT_ASSOC_CACHE_H
#define EQT_ASSOC_CACHE_H

#include "walk/visit.h"

/* A cache of associations. A struct of zeros is empty, and
 * eqt_assoc_cache_clear() frees its members. */
struct eqt_assoc_cache {
	struct eqt_assoc_at *at; /* In the order of the list. */
	uint32_t count;
	size_t space;
	uint32_t most_id;
	struct eqt_assoc_state state;
	/* An iterator that points before the second association, or NULL if the
	   list cannot be proved unchanged. The list owns the iterator and frees
	   it together with itself. */
	list_itr_t *iterator;
	const list_t *list;
};

/*
 * Visit all associations if next is NULL. Otherwise visit those from *next on,
 * for at most EQT_WALK_ASSOC_NS; the caller knows that the list still has the
 * order of the previous slice. Returns whether associations are left, from the
 * new *next on.
 */
bool eqt_assoc_cache_each(struct eqt_assoc_cache *cache,
			  enum eqt_assoc_parts parts, uint32_t *next,
			  eqt_assoc_visit *visit, void *arg);

/* Visit all associations in the list itself, one after the other, without a
 * cache. */
void eqt_assoc_cache_each_uncached(eqt_assoc_visit *visit, void *arg);

/* The versions of the list, which are valid only while the lock is held. The
 * function reads the list again if it cannot be proved unchanged. */
struct eqt_assoc_state eqt_assoc_cache_state(struct eqt_assoc_cache *cache);

/*
 * Start the proof that the list is unchanged, if the root has our mark: its
 * level_fs was set to NO_VAL. The root of a new list has 0 instead.
 */
void eqt_assoc_cache_keep(struct eqt_assoc_cache *cache);

/* If the root has our mark, read the list if it has changed, and start the
 * proof. Returns whether there is a proof now. */
bool eqt_assoc_cache_prepare(struct eqt_assoc_cache *cache);

/* Can the list be proved unchanged since it was last read? */
bool eqt_assoc_cache_is_known(const struct eqt_assoc_cache *cache);

/* Free the cache when the plugin is unloaded. The function takes assoc_mgr's
 * assoc lock for reading. */
void eqt_assoc_cache_clear(struct eqt_assoc_cache *cache);

#endif
