/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "base/hash.h"
#include "budget/book/payers.h"

/* A level beyond EQT_BOOK_LEVELS pays nothing. The names are borrowed from the
 * association. */
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
		/* The association above has the same account, so take it from there. */
		if (!assoc->usage || !assoc->usage->parent_assoc_ptr)
			path_add(path, assoc->acct, "");
		else
			assoc = assoc->usage->parent_assoc_ptr;
	}
	for (; assoc && !assoc->user && assoc->acct;
	     assoc = assoc->usage ? assoc->usage->parent_assoc_ptr : NULL)
		path_add(path, assoc->acct, "");
}

/* The NUL included, so that "a" "bc" and "ab" "c" differ. */
static uint64_t hash_text(uint64_t hash, const char *text)
{
	return eqt_hash_bytes(hash, text, strlen(text) + 1);
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
