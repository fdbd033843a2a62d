/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>

#include "walk/prefetch.h"
#include "walk/assoc_walk.h"

/* Visits between two stages of one. */
#define STEP EQT_PREFETCH_STEP

static struct {
	struct eqt_assoc_walk_at *at; /* in the list's order */
	uint32_t count;
	uint32_t space;
	struct eqt_assoc_walk_state states;
	/* NULL: it cannot be shown that the list is the same. It stands before
	 * the second association, and belongs to the list, with which it goes. */
	list_itr_t *iterator;
	const list_t *list;
} known;

/*
 * Is the first association one that had our mark when the list was kept? A
 * record that is new has a level_fs of 0, wherever its memory is, and a record
 * lives as long as its list or shorter: then the list is the one of then, and
 * its iterators are alive.
 */
static bool is_known_list(void)
{
	const slurmdb_assoc_rec_t *first;

	if (!known.iterator || assoc_mgr_assoc_list != known.list)
		return false;
	first = list_peek(assoc_mgr_assoc_list);
	return first && first == known.at[0].assoc &&
	       first->usage->level_fs == (long double) NO_VAL;
}

/*
 * assoc_mgr sorts its list anew whenever an association comes, goes, gets
 * another parent or other shares: it empties it and fills it again. Both move
 * every iterator: to the next one that is left, and in the end to the first or
 * beyond the last one.
 */
static bool is_same_list(void)
{
	return is_known_list() &&
	       (uint32_t) list_count(assoc_mgr_assoc_list) == known.count &&
	       list_peek_next(known.iterator) == known.at[1].assoc;
}

static void touch_record(void *item)
{
	const slurmdb_assoc_rec_t *assoc = item;

	eqt_prefetch_want(&assoc->id);
	eqt_prefetch_want(&assoc->usage);
	eqt_prefetch_want(&assoc->user);
}

static struct eqt_assoc_walk_at place_of(slurmdb_assoc_rec_t *assoc)
{
	return (struct eqt_assoc_walk_at){
		.assoc = assoc,
		.usage = assoc->usage,
		.id = assoc->id,
		.user = assoc->user != NULL,
	};
}

/* One walk over the list, against what it was before. */
struct noting {
	uint32_t count;
	bool moved;
};

static void note_one(void *item, void *arg)
{
	struct noting *noting = arg;
	uint32_t i = noting->count++;
	struct eqt_assoc_walk_at at = place_of(item);

	if (i >= known.space)
		return;
	if (i >= known.count || known.at[i].assoc != at.assoc ||
	    known.at[i].id != at.id)
		noting->moved = true;
	known.at[i] = at;
}

static int push(void *item, void *arg)
{
	eqt_prefetch_push(arg, item);
	return 0;
}

static int make_space(uint32_t count)
{
	struct eqt_assoc_walk_at *at;

	if (count <= known.space)
		return 0;
	at = realloc(known.at, count * sizeof(*at));
	if (!at)
		return -1;
	known.at = at;
	known.space = count;
	return 0;
}

/* Go through the list itself. Short of memory, nothing is known. */
static void note_all(void)
{
	static const struct eqt_prefetch_plan plan = {
		.touch = { touch_record },
	};
	struct noting noting = { 0 };
	struct eqt_prefetch walk = {
		.plan = &plan,
		.visit = note_one,
		.arg = &noting,
	};

	if (is_known_list())
		list_iterator_destroy(known.iterator);
	known.iterator = NULL;
	known.states.shape++;
	if (make_space((uint32_t) list_count(assoc_mgr_assoc_list)) < 0) {
		known.count = 0;
		known.states.order++;
		return;
	}
	list_for_each_ro(assoc_mgr_assoc_list, push, &walk);
	eqt_prefetch_finish(&walk);
	if (noting.moved || noting.count != known.count)
		known.states.order++;
	known.count = noting.count;
}

static void touch_used(const struct eqt_assoc_walk_at *at)
{
	eqt_prefetch_own(&at->usage->grp_used_wall);
	eqt_prefetch_own(&at->usage->usage_raw);
	if (!at->user)
		eqt_prefetch_want(&at->assoc->leaf_usage);
}

static void touch_tres(const struct eqt_assoc_walk_at *at)
{
	if (at->usage->usage_raw != 0)
		eqt_prefetch_own_all(at->usage->usage_tres_raw,
				     g_tres_count * sizeof(long double));
}

static void touch_raw(const struct eqt_assoc_walk_at *at)
{
	eqt_prefetch_want(&at->usage->usage_raw);
}

static void touch_rank(const struct eqt_assoc_walk_at *at)
{
	eqt_prefetch_own(&at->usage->fs_factor);
	eqt_prefetch_own(&at->usage->usage_efctv);
	eqt_prefetch_own(&at->usage->level_fs);
}

typedef void touch(const struct eqt_assoc_walk_at *at);

static touch *const plans[EQT_ASSOC_PARTS][2] = {
	[EQT_ASSOC_USED] = { touch_used, touch_tres },
	[EQT_ASSOC_RAW] = { touch_raw, NULL },
	[EQT_ASSOC_RANK] = { touch_rank, NULL },
};

/* The visit as the caller has it. */
struct call {
	eqt_assoc_walk_visit *visit;
	void *arg;
};

static int visit_unknown(void *item, void *arg)
{
	const struct call *call = arg;
	const struct eqt_assoc_walk_at at = place_of(item);

	call->visit(&at, call->arg);
	return 0;
}

void eqt_assoc_walk_each(enum eqt_assoc_walk_parts parts,
			 eqt_assoc_walk_visit *visit, void *arg)
{
	touch *first = plans[parts][0], *second = plans[parts][1];

	(void) eqt_assoc_walk_states();
	if ((uint32_t) list_count(assoc_mgr_assoc_list) != known.count) {
		list_for_each_ro(assoc_mgr_assoc_list, visit_unknown,
				 &(struct call){ visit, arg });
		return;
	}
	for (uint32_t i = 0; i < known.count + 2 * STEP; i++) {
		if (i < known.count)
			first(&known.at[i]);
		if (second && i >= STEP && i - STEP < known.count)
			second(&known.at[i - STEP]);
		if (i >= 2 * STEP)
			visit(&known.at[i - 2 * STEP], arg);
	}
}

struct eqt_assoc_walk_state eqt_assoc_walk_states(void)
{
	if (!is_same_list())
		note_all();
	return known.states;
}

void eqt_assoc_walk_keep(void)
{
	if (known.iterator || known.count < 2 ||
	    known.at[0].usage->level_fs != (long double) NO_VAL)
		return;
	known.list = assoc_mgr_assoc_list;
	known.iterator = list_iterator_create(assoc_mgr_assoc_list);
	(void) list_next(known.iterator);
}

void eqt_assoc_walk_clear(void)
{
	assoc_mgr_lock_t locks = { .assoc = READ_LOCK };

	assoc_mgr_lock(&locks);
	if (assoc_mgr_assoc_list && is_known_list())
		list_iterator_destroy(known.iterator);
	assoc_mgr_unlock(&locks);
	free(known.at);
	known.at = NULL;
	known.iterator = NULL;
	known.count = known.space = 0;
}
