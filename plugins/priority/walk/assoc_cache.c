/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The cache of association records. Two marks prove that assoc_mgr's list is
 * unchanged: the root's level_fs, and an iterator that any change of the list
 * moves (docs/design/0028).
 */
#include <stdlib.h>

#include "base/array.h"
#include "slurm/elapsed.h"
#include "walk/prefetch.h"
#include "walk/assoc_cache.h"

/* The number of visits between two prefetch stages of one association. */
#define AHEAD 8

/*
 * Is this the list that eqt_assoc_cache_keep() marked? A new record has a
 * level_fs of 0, even at an address that was used before, and a record does not
 * outlive its list. So if the first record has our mark, the list is the same
 * object and its iterators are valid.
 */
static bool assoc_list_is_known(const struct eqt_assoc_cache *cache)
{
	const slurmdb_assoc_rec_t *first;

	if (!cache->iterator || assoc_mgr_assoc_list != cache->list)
		return false;
	first = list_peek(assoc_mgr_assoc_list);
	return first && first == cache->at[0].assoc &&
	       first->usage->level_fs == (long double) NO_VAL;
}

/*
 * Does the list have the same members? Whenever an association is added,
 * removed, moved or gets other shares, assoc_mgr empties its list and fills it
 * again in order. That moves every iterator away from the second member: it
 * then points to the first member or beyond the last.
 */
bool eqt_assoc_cache_is_known(const struct eqt_assoc_cache *cache)
{
	return assoc_list_is_known(cache) &&
	       (uint32_t) list_count(assoc_mgr_assoc_list) == cache->count &&
	       list_peek_next(cache->iterator) == cache->at[1].assoc;
}

static void assoc_touch_record(void *item)
{
	const slurmdb_assoc_rec_t *assoc = item;

	eqt_prefetch_want(&assoc->id);
	eqt_prefetch_want(&assoc->usage);
	eqt_prefetch_want(&assoc->user);
}

/* The state of one walk over the list, which is compared with the previous
 * list. */
struct assoc_listing {
	struct eqt_assoc_cache *cache;
	uint32_t count;
	bool moved;
};

static void assoc_list_one(void *item, void *arg)
{
	struct assoc_listing *listing = arg;
	struct eqt_assoc_cache *cache = listing->cache;
	uint32_t i = listing->count++;
	struct eqt_assoc_at at = eqt_assoc_at_of(item);

	if (i >= cache->space)
		return;
	if (at.id > cache->most_id)
		cache->most_id = at.id;
	if (i >= cache->count || cache->at[i].assoc != at.assoc ||
	    cache->at[i].id != at.id)
		listing->moved = true;
	cache->at[i] = at;
}

static int assoc_push(void *item, void *arg)
{
	eqt_prefetch_push(arg, item);
	return 0;
}

/* Read the whole list into the cache. If memory is short, nothing is cached. */
static void assoc_list_all(struct eqt_assoc_cache *cache)
{
	static const struct eqt_prefetch_plan plan = {
		.ahead = AHEAD,
		.touch = { assoc_touch_record },
	};
	struct assoc_listing listing = { .cache = cache };
	struct eqt_prefetch prefetch = {
		.plan = &plan,
		.visit = assoc_list_one,
		.arg = &listing,
	};

	if (assoc_list_is_known(cache))
		list_iterator_destroy(cache->iterator);
	cache->iterator = NULL;
	cache->state.shape++;
	cache->most_id = 0;
	if (EQT_ARRAY_RESERVE(cache->at, cache->space,
			      (size_t) list_count(assoc_mgr_assoc_list)) < 0) {
		cache->count = 0;
		cache->state.order++;
		return;
	}
	list_for_each_ro(assoc_mgr_assoc_list, assoc_push, &prefetch);
	eqt_prefetch_finish(&prefetch);
	if (listing.moved || listing.count != cache->count)
		cache->state.order++;
	cache->count = listing.count;
}

static void assoc_touch_used(const struct eqt_assoc_at *at)
{
	eqt_prefetch_own(&at->usage->grp_used_wall);
	eqt_prefetch_own(&at->usage->usage_raw);
	if (!at->user)
		eqt_prefetch_want(&at->assoc->leaf_usage);
}

static void assoc_touch_saved(const struct eqt_assoc_at *at)
{
	assoc_touch_used(at);
	eqt_prefetch_want(&at->usage->parent_assoc_ptr);
}

static void assoc_touch_tres(const struct eqt_assoc_at *at)
{
	if (at->usage->usage_raw != 0)
		eqt_prefetch_own_all(at->usage->usage_tres_raw,
				     g_tres_count * sizeof(long double));
}

static void assoc_touch_raw(const struct eqt_assoc_at *at)
{
	eqt_prefetch_want(&at->usage->usage_raw);
}

static void assoc_touch_rank(const struct eqt_assoc_at *at)
{
	eqt_prefetch_own(&at->usage->fs_factor);
	eqt_prefetch_own(&at->usage->usage_efctv);
	eqt_prefetch_own(&at->usage->level_fs);
}

typedef void assoc_touch(const struct eqt_assoc_at *at);

static assoc_touch *const assoc_touches[EQT_ASSOC_PARTS][2] = {
	[EQT_ASSOC_USED] = { assoc_touch_used, assoc_touch_tres },
	[EQT_ASSOC_SAVED] = { assoc_touch_saved, assoc_touch_tres },
	[EQT_ASSOC_RAW] = { assoc_touch_raw, NULL },
	[EQT_ASSOC_RANK] = { assoc_touch_rank, NULL },
};

/* The caller's visit and its argument. */
struct assoc_call {
	eqt_assoc_visit *visit;
	void *arg;
};

static int assoc_visit_uncached(void *item, void *arg)
{
	const struct assoc_call *call = arg;
	const struct eqt_assoc_at at = eqt_assoc_at_of(item);

	call->visit(&at, call->arg);
	return 0;
}

void eqt_assoc_cache_each_uncached(eqt_assoc_visit *visit, void *arg)
{
	struct assoc_call call = { visit, arg };

	list_for_each_ro(assoc_mgr_assoc_list, assoc_visit_uncached, &call);
}

/* Visit the associations from index `from` on: all of them, or if `bounded` is
 * set, as many as EQT_WALK_ASSOC_NS allows. Returns the index after the last
 * visited one. */
static uint32_t assoc_visit_from(const struct eqt_assoc_cache *cache,
				 enum eqt_assoc_parts parts, uint32_t from,
				 const struct assoc_call *call, bool bounded)
{
	assoc_touch *first = assoc_touches[parts][0];
	assoc_touch *second = assoc_touches[parts][1];
	struct timespec start = eqt_elapsed_start();

	for (uint32_t i = from; i < cache->count + 2 * AHEAD; i++) {
		if (i < cache->count)
			first(&cache->at[i]);
		if (second && i >= from + AHEAD && i - AHEAD < cache->count)
			second(&cache->at[i - AHEAD]);
		if (i < from + 2 * AHEAD)
			continue;
		call->visit(&cache->at[i - 2 * AHEAD], call->arg);
		if (bounded && i % EQT_WALK_CLOCK_EVERY == 0 &&
		    eqt_elapsed_ns(&start) > EQT_WALK_ASSOC_NS)
			return i - 2 * AHEAD + 1;
	}
	return cache->count;
}

bool eqt_assoc_cache_each(struct eqt_assoc_cache *cache,
			  enum eqt_assoc_parts parts, uint32_t *next,
			  eqt_assoc_visit *visit, void *arg)
{
	const struct assoc_call call = { visit, arg };
	uint32_t from;

	(void) eqt_assoc_cache_state(cache);
	/* If the cache could not be allocated, walk over the list itself. */
	if ((uint32_t) list_count(assoc_mgr_assoc_list) != cache->count) {
		eqt_assoc_cache_each_uncached(visit, arg);
		return false;
	}
	from = assoc_visit_from(cache, parts, next ? *next : 0, &call, next);
	if (next)
		*next = from;
	return from < cache->count;
}

struct eqt_assoc_state eqt_assoc_cache_state(struct eqt_assoc_cache *cache)
{
	if (!eqt_assoc_cache_is_known(cache))
		assoc_list_all(cache);
	return cache->state;
}

void eqt_assoc_cache_keep(struct eqt_assoc_cache *cache)
{
	/* The iterator points before the second association, so the list must
	   have one. */
	if (cache->iterator || cache->count < 2 ||
	    cache->at[0].usage->level_fs != (long double) NO_VAL)
		return;
	cache->list = assoc_mgr_assoc_list;
	cache->iterator = list_iterator_create(assoc_mgr_assoc_list);
	(void) list_next(cache->iterator);
}

bool eqt_assoc_cache_prepare(struct eqt_assoc_cache *cache)
{
	const slurmdb_assoc_rec_t *first = list_peek(assoc_mgr_assoc_list);

	if (!first || first->usage->level_fs != (long double) NO_VAL)
		return false;
	(void) eqt_assoc_cache_state(cache);
	eqt_assoc_cache_keep(cache);
	return eqt_assoc_cache_is_known(cache);
}

void eqt_assoc_cache_clear(struct eqt_assoc_cache *cache)
{
	assoc_mgr_lock_t locks = { .assoc = READ_LOCK };

	assoc_mgr_lock(&locks);
	if (assoc_mgr_assoc_list && assoc_list_is_known(cache))
		list_iterator_destroy(cache->iterator);
	assoc_mgr_unlock(&locks);
	free(cache->at);
	cache->at = NULL;
	cache->iterator = NULL;
	cache->count = 0;
	cache->space = 0;
}
