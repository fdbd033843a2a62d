/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "budget/book/coordinators.h"
#include "slurm/compat.h"
#include "slurm/moment.h"

#define READ_EVERY_S 60
/* requests make the thread use at most 1 / READ_SHARE of a processor */
#define READ_SHARE 100

bool eqt_coordinators_is_due(const struct eqt_coordinators *known,
			     uint64_t budgets, bool asked)
{
	const time_t age = eqt_moment_in_ms(0).tv_sec - known->when;
	time_t least = 1 + (time_t) (known->took_ms * READ_SHARE / 1000);

	if (!known->when || known->budgets != budgets)
		return true;
	if (!asked && least < READ_EVERY_S)
		least = READ_EVERY_S;
	return age >= least;
}

static int name_compare(const void *a, const void *b)
{
	return strcmp(*(char *const *) a, *(char *const *) b);
}

/* Leave one of each name. */
static void names_sort(struct eqt_coordinators *next)
{
	size_t kept = 0;

	if (next->names > 0)
		qsort(next->name, next->names, sizeof(*next->name),
		      name_compare);
	for (size_t i = 0; i < next->names; i++) {
		if (kept > 0 &&
		    strcmp(next->name[kept - 1], next->name[i]) == 0)
			free(next->name[i]);
		else
			next->name[kept++] = next->name[i];
	}
	next->names = kept;
}

int eqt_coordinators_name(struct eqt_coordinators *next,
			  const struct eqt_book *book)
{
	next->budgets = eqt_book_count(book);
	for (uint64_t id = 1; id <= next->budgets; id++) {
		char *name = strdup(eqt_book_budget(book, id)->terms.account);

		if (!name || EQT_ARRAY_ROOM(next->name, next->names) < 0) {
			free(name);
			return -1;
		}
		next->name[next->names++] = name;
	}
	names_sort(next);
	return 0;
}

/* The place of an account, from 1 on; 0: no budget belongs to it. */
static uint32_t name_place(const struct eqt_coordinators *known,
			   const char *account)
{
	char **found = known->names == 0
			       ? NULL
			       : bsearch(&account, known->name, known->names,
					 sizeof(*known->name), name_compare);

	return found ? (uint32_t) (found - known->name) + 1 : 0;
}

static int coordinator_compare(const void *a, const void *b)
{
	const struct eqt_coordinator *one = a, *other = b;

	if (one->uid != other->uid)
		return one->uid < other->uid ? -1 : 1;
	return (one->account > other->account) -
	       (one->account < other->account);
}

/* One walk over the users. */
struct coordinators_walk {
	struct eqt_coordinators *next;
	uint32_t uid; /* of the present user */
	bool failed;
};

static void walk_note(struct coordinators_walk *walk, uint32_t account)
{
	struct eqt_coordinators *next = walk->next;

	if (EQT_ARRAY_ROOM(next->of, next->count) < 0)
		walk->failed = true;
	else
		next->of[next->count++] =
			(struct eqt_coordinator){ walk->uid, account };
}

static int walk_coordinated(void *item, void *arg)
{
	const slurmdb_coord_rec_t *coordinated = item;
	struct coordinators_walk *walk = arg;
	const uint32_t account =
		coordinated->name ? name_place(walk->next, coordinated->name)
				  : 0;

	if (account)
		walk_note(walk, account);
	return 0;
}

static void walk_user(struct coordinators_walk *walk,
		      const slurmdb_user_rec_t *user)
{
	walk->uid = user->uid;
	if (user->uid == NO_VAL)
		return;
	if (user->admin_level >= SLURMDB_ADMIN_OPERATOR)
		walk_note(walk, 0);
	if (user->coord_accts)
		(void) list_for_each_ro(user->coord_accts, walk_coordinated,
					walk);
}

int eqt_coordinators_read(struct eqt_coordinators *next)
{
	const uint64_t began = eqt_moment_thread_ms();
	struct coordinators_walk walk = { .next = next };
	assoc_mgr_lock_t locks = { .user = READ_LOCK };
	const slurmdb_user_rec_t *user;
	list_itr_t *iterator;

	assoc_mgr_lock(&locks);
	if (assoc_mgr_user_list) {
		/* Between two steps of an iterator others may search the list. */
		iterator = list_iterator_create(assoc_mgr_user_list);
		while ((user = list_next(iterator)))
			walk_user(&walk, user);
		list_iterator_destroy(iterator);
	}
	assoc_mgr_unlock(&locks);
	if (next->count > 0)
		qsort(next->of, next->count, sizeof(*next->of),
		      coordinator_compare);
	next->when = eqt_moment_in_ms(0).tv_sec;
	next->took_ms = eqt_moment_thread_ms() - began;
	return walk.failed ? -1 : 0;
}

static bool coordinator_is_known(const struct eqt_coordinators *known,
				 uint32_t uid, uint32_t account)
{
	const struct eqt_coordinator key = { uid, account };

	return known->count > 0 &&
	       bsearch(&key, known->of, known->count, sizeof(*known->of),
		       coordinator_compare);
}

bool eqt_coordinators_operates(const struct eqt_coordinators *known,
			       uint32_t uid)
{
	return coordinator_is_known(known, uid, 0);
}

bool eqt_coordinators_has(const struct eqt_coordinators *known, uint32_t uid,
			  const char *account)
{
	const uint32_t place = name_place(known, account);

	return place && coordinator_is_known(known, uid, place);
}

void eqt_coordinators_free(struct eqt_coordinators *known)
{
	for (size_t i = 0; i < known->names; i++)
		free(known->name[i]);
	free(known->name);
	free(known->of);
	*known = (struct eqt_coordinators){ 0 };
}
