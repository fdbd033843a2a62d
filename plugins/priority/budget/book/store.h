/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * store: the file of budgets, equitree_budgets in StateSaveLocation, and its
 * previous files, equitree_budgets.NUMBER. Only the budget thread writes them,
 * and it holds no lock of slurmctld meanwhile.
 */
#ifndef EQT_BUDGET_STORE_H
#define EQT_BUDGET_STORE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "budget/book.h"
#include "store/append_file.h"

#define EQT_BUDGET_STORE "equitree_budgets"

/* An operator creates this file to let the next start continue with the
 * remaining entries although others are missing. */
#define EQT_BUDGET_ACCEPT EQT_BUDGET_STORE ".accept"

/* The store. Start with {.file = {.folder, .name = EQT_BUDGET_STORE,
 * EQT_APPEND_FILE}}; eqt_store_close() closes the file. */
struct eqt_store {
	struct eqt_append_file file;
	uint64_t seq; /* The number of the last line. */
	uint32_t crc;
};

/* A file with the accounts that have budgets, in the form of a file of budgets.
 * A start needs it if the file of budgets cannot be used. */
#define EQT_BUDGET_ACCOUNTS "equitree_accounts"

/* The result of reading the file at a start. */
struct eqt_store_found {
	/* The number of the last entry according to another file. The caller
	   sets this member. */
	uint64_t known;
	bool cut; /* Lines were dropped whose sync was not finished. */
	bool accepted; /* An operator has accepted that entries are missing. */
	/* What is missing, if an operator has accepted that; otherwise an empty
	   string. */
	struct eqt_error why;
};

/* A growing text of bodies (entry.h), each with a newline. A struct of zeros is
 * empty. */
struct eqt_bodies {
	char *data;
	size_t length;
	size_t space;
};

/* Add a body. Returns -1 if memory is short or the text has its largest
 * size. */
int eqt_bodies_add(struct eqt_bodies *text, const struct eqt_entry *entry);
void eqt_bodies_free(struct eqt_bodies *text);

/* Read the file into a new book. *book becomes NULL if there are no budgets.
 * Returns 0, or -1 with err filled if the file cannot be read or lacks entries
 * that were written. *book is then its readable part, or NULL. */
int eqt_store_load(struct eqt_store *store, struct eqt_book **book,
		   struct eqt_store_found *found, struct eqt_error *err);

/*
 * Make the file ours, so that no other slurmctld can write it from then on.
 * *newer becomes a new book if another slurmctld has added entries since we
 * read the file, or else NULL. Returns 0, or -1 with err filled.
 */
int eqt_store_take(struct eqt_store *store, struct eqt_book **newer,
		   struct eqt_error *err);

/* Read the file again, up to the last line that was written. Returns NULL with
 * err filled after an error. */
struct eqt_book *eqt_store_read(const struct eqt_store *store,
				struct eqt_error *err);

/* Write the lines of these bodies. Returns 0, or -1 with err filled; after an
 * error the file has none of the lines. */
int eqt_store_put(struct eqt_store *store, const struct eqt_bodies *text,
		  struct eqt_error *err);

/* Sync all lines. Returns 0 if they are on the disk and a slurmctld that takes
 * over reads them, or -1 with err filled. */
int eqt_store_sync(struct eqt_store *store, struct eqt_error *err);

/*
 * Begin a new file with these bodies, which are those of eqt_book_state(). The
 * name of the previous file gets the number of its last line as a suffix.
 * Returns 0, or -1 with err filled; after an error the previous file stays in
 * use.
 */
int eqt_store_begin(struct eqt_store *store, const struct eqt_bodies *text,
		    struct eqt_error *err);

/* Call `each` for every entry of the file and of its previous files, with the
 * newest file first. The walk ends early if `each` returns false. */
void eqt_store_each(const struct eqt_store *store,
		    bool (*each)(const struct eqt_entry *entry, void *arg),
		    void *arg);

/* Add an account to a book of accounts, as a budget of the largest amount,
 * unless the book has it. Returns 0, or -1 with err filled if memory is
 * short. */
int eqt_store_account_add(struct eqt_book *accounts, const char *account,
			  struct eqt_error *err);

/* Write and read the book of accounts. Writing returns 0, or -1 with err
 * filled. Reading returns NULL with err filled if the file is missing or
 * damaged. */
int eqt_store_accounts_write(const struct eqt_store *store,
			     const struct eqt_book *accounts,
			     struct eqt_error *err);
struct eqt_book *eqt_store_accounts_read(const struct eqt_store *store,
					 struct eqt_error *err);

/* Close the file. Everything that was appended is already on the disk. */
void eqt_store_close(struct eqt_store *store);

#endif
