/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/hash.h"
#include "budget/book/payers.h"

/* Add a level to a path. A level beyond EQT_BOOK_LEVELS pays nothing. The names
 * are borrowed from the association. */
static void path_add(struct eqt_book_path *path, const char *account,
		     const char *user)
{
	if (path->levels == EQT_BOOK_LEVELS)
		return;
	path->level[path->levels].account = account;
	path->level[path->levels++].user = user;
}

void eqt_payers_fill(struct eqt_book_path *path,
		     const slurmdb_assoc_rec_t *assoc)
{
	path->levels = 0;
	if (assoc && assoc->user && assoc->acct) {
		path_add(path, assoc->acct, assoc->user);
		/* The association above the user's has the same account, so the
		   account is taken from there. */
		if (!assoc->usage || !assoc->usage->parent_assoc_ptr)
			path_add(path, assoc->acct, "");
		else
			assoc = assoc->usage->parent_assoc_ptr;
	}
	for (; assoc && !assoc->user && assoc->acct;
	     assoc = assoc->usage ? assoc->usage->parent_assoc_ptr : NULL)
		path_add(path, assoc->acct, "");
}

/* Hash a text with its NUL, so that "a" "bc" and "ab" "c" differ. */
static uint64_t hash_text(uint64_t hash, const char *text)
{
	return eqt_hash_bytes(hash, text, strlen(text) + 1);
}

void eqt_payers_wish(struct eqt_book_wish *wish, struct eqt_book_path *path,
		     const job_record_t *job)
{
	eqt_payers_fill(path, job->assoc_ptr);
	*wish = (struct eqt_book_wish){
		.path = path,
		.qos = job->qos_ptr ? job->qos_ptr->name : NULL,
		.job = job->job_id,
		.tasks = 1,
		.now = (uint64_t) time(NULL),
	};
}

struct eqt_book_wish eqt_payers_all_tasks(const struct eqt_book_wish *one,
					  uint64_t tasks)
{
	struct eqt_book_wish all = *one;

	all.tasks = tasks;
	if (__builtin_mul_overflow(one->need_u, tasks, &all.need_u))
		all.need_u = UINT64_MAX;
	return all;
}

uint64_t eqt_payers_hash(const struct eqt_book_wish *wish)
{
	uint64_t hash = EQT_HASH_START;

	for (size_t i = 0; i < wish->path->levels; i++) {
		hash = hash_text(hash, wish->path->level[i].account);
		hash = hash_text(hash, wish->path->level[i].user);
	}
	if (wish->qos)
		hash = hash_text(hash, wish->qos);
	hash = eqt_hash_bytes(hash, &wish->need_u, sizeof(wish->need_u));
	hash = eqt_hash_bytes(hash, &wish->tasks, sizeof(wish->tasks));
	hash = eqt_hash_bytes(hash, &wish->pool, sizeof(wish->pool));
	/* 0 stands for no request (waiting.h). */
	return hash ? hash : 1;
}

#define SLOTS 4096 /* a power of two */
#define PROBES 4 /* The number of slots that an account may have. */
#define KEPT_S 1

struct eqt_ancestors {
	uint64_t when;
	size_t levels;
	/* First the account in the user's spelling, and then the name of each
	   level. Each text ends with a NUL. */
	char text[];
};

/* The slot of an account. If it has none, returns a free slot or the slot of
 * the oldest entry. */
static struct eqt_ancestors **ancestry_slot(const struct eqt_ancestry *known,
					    const char *account)
{
	const uint64_t first =
		eqt_hash_bytes(EQT_HASH_START, account, strlen(account));
	struct eqt_ancestors **oldest = NULL;

	for (uint64_t i = 0; i < PROBES; i++) {
		struct eqt_ancestors **slot = &known->slot[(first + i) % SLOTS];

		if (!*slot || strcmp((*slot)->text, account) == 0)
			return slot;
		if (!oldest || (*slot)->when < (*oldest)->when)
			oldest = slot;
	}
	return oldest;
}

/* If the clock was set back, the difference wraps, so the entry counts as too
 * old as well. */
bool eqt_ancestry_get(const struct eqt_ancestry *known, const char *account,
		      uint64_t now, struct eqt_book_path *path)
{
	const struct eqt_ancestors *found;
	const char *name;

	if (!known->slot)
		return false;
	found = *ancestry_slot(known, account);
	if (!found || strcmp(found->text, account) != 0 ||
	    now - found->when > KEPT_S)
		return false;
	name = found->text;
	for (size_t i = 0; i < found->levels; i++) {
		name += strlen(name) + 1;
		path->level[i].account = name;
		path->level[i].user = "";
	}
	path->levels = found->levels;
	return true;
}

/* Make an entry. Returns NULL if memory is short. */
static struct eqt_ancestors *ancestors_new(const char *account, uint64_t now,
					   const struct eqt_book_path *path)
{
	struct eqt_ancestors *found;
	size_t size = strlen(account) + 1;
	char *end;

	for (size_t i = 0; i < path->levels; i++)
		size += strlen(path->level[i].account) + 1;
	found = malloc(sizeof(*found) + size);
	if (!found)
		return NULL;
	found->when = now;
	found->levels = 0;
	end = stpcpy(found->text, account) + 1;
	for (size_t i = 0; i < path->levels; i++) {
		if (path->level[i].user[0])
			continue;
		end = stpcpy(end, path->level[i].account) + 1;
		found->levels++;
	}
	return found;
}

void eqt_ancestry_put(struct eqt_ancestry *known, const char *account,
		      uint64_t now, const struct eqt_book_path *path)
{
	struct eqt_ancestors *found, **slot;

	if (!known->slot)
		known->slot = calloc(SLOTS, sizeof(*known->slot));
	if (!known->slot)
		return;
	found = ancestors_new(account, now, path);
	if (!found)
		return;
	slot = ancestry_slot(known, account);
	free(*slot);
	*slot = found;
}

void eqt_ancestry_free(struct eqt_ancestry *known)
{
	for (size_t i = 0; known->slot && i < SLOTS; i++)
		free(known->slot[i]);
	free(known->slot);
	known->slot = NULL;
}
