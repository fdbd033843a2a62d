/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * store: the file of budgets, equitree_budgets in StateSaveLocation, and its
 * previous files, equitree_budgets.NUMBER. Only the budget thread writes, and holds no lock
 * of slurmctld meanwhile.
 */
#ifndef EQT_BUDGET_STORE_H
#define EQT_BUDGET_STORE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "budget/book.h"
#include "store/append_file.h"

#define EQT_BUDGET_STORE "equitree_budgets"

/* An operator creates this file so that the next start goes on with the entries that are there,
 * although others are missing. */
#define EQT_BUDGET_ACCEPT EQT_BUDGET_STORE ".accept"

/* Start with {.file = {.folder, .name = EQT_BUDGET_STORE, EQT_APPEND_FILE}};
 * eqt_store_close() closes the file. */
struct eqt_store {
	struct eqt_append_file file;
	uint64_t seq; /* of the last line */
	uint32_t crc;
};

/* A file with the accounts that have budgets, in the form of a file of budgets. A start without
 * that file needs it. */
#define EQT_BUDGET_ACCOUNTS "equitree_accounts"

/* The result of reading the file at a start. */
struct eqt_store_found {
	uint64_t
		known; /* the last entry, as another file says; set by the caller */
	bool cut; /* lines whose sync was not over were dropped */
	bool accepted; /* an operator has accepted that entries are missing */
	struct eqt_error why; /* what is missing then; "": nothing */
};

/* A growing text of bodies (entry.h), each with a newline. {0} is empty. */
struct eqt_bodies {
	char *data;
	size_t length;
	size_t space;
};

/* Add a body. -1: out of memory, or the text has its largest size. */
int eqt_bodies_add(struct eqt_bodies *text, const struct eqt_entry *entry);
void eqt_bodies_free(struct eqt_bodies *text);

/* Read the file into a new book. *book is NULL if there are no budgets. -1 with err filled: the
 * file cannot be read, or lacks entries that were written; *book then has its readable part, or
 * is NULL. */
int eqt_store_load(struct eqt_store *store, struct eqt_book **book,
		   struct eqt_store_found *found, struct eqt_error *err);

/*
 * Make the file ours: from then on no other slurmctld can write it. *newer is NULL, or a new
 * book if another slurmctld has added entries since we read the file. 0, or -1 with err
 * filled.
 */
int eqt_store_take(struct eqt_store *store, struct eqt_book **newer,
		   struct eqt_error *err);

/* Read the file again, up to the last line that was written. NULL with err
 * filled. */
struct eqt_book *eqt_store_read(const struct eqt_store *store,
				struct eqt_error *err);

/* Write the lines of these bodies. 0, or -1 with err filled; then the file has none of
 * them. */
int eqt_store_put(struct eqt_store *store, const struct eqt_bodies *text,
		  struct eqt_error *err);

/* Sync all lines. 0: they are on the disk, and a slurmctld that takes over reads them; or -1
 * with err filled. */
int eqt_store_sync(struct eqt_store *store, struct eqt_error *err);

/*
 * Begin a new file with these bodies, those of eqt_book_state(). The previous file
 * gets the number of its last line as a suffix. 0, or -1 with err filled; then the
 * previous file stays in use.
 */
int eqt_store_begin(struct eqt_store *store, const struct eqt_bodies *text,
		    struct eqt_error *err);

/* Call each for every entry of the file and of its previous files, the newest
 * file first. Ends early if each returns false. */
void eqt_store_each(const struct eqt_store *store,
		    bool (*each)(const struct eqt_entry *entry, void *arg),
		    void *arg);

/* Add an account to a book of accounts, as a budget of the largest amount, unless it is there.
 * 0, or -1 with err filled: out of memory. */
int eqt_store_account_add(struct eqt_book *accounts, const char *account,
			  struct eqt_error *err);

/* Write the book of accounts: 0, or -1 with err filled. Read it: NULL with err filled if the
 * file is missing or damaged. */
int eqt_store_accounts_write(const struct eqt_store *store,
			     const struct eqt_book *accounts,
			     struct eqt_error *err);
struct eqt_book *eqt_store_accounts_read(const struct eqt_store *store,
					 struct eqt_error *err);

/* Close the file. What was appended is on the disk already. */
void eqt_store_close(struct eqt_store *store);

#endif
