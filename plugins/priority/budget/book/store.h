/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * store: the file of budgets, equitree_budgets in StateSaveLocation, and its
 * previous files, equitree_budgets.NUMBER. Only the budget thread writes, without
 * any lock of slurmctld.
 */
#ifndef EQT_BUDGET_STORE_H
#define EQT_BUDGET_STORE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"
#include "budget/book.h"
#include "usage/journal/state_file.h"

#define EQT_BUDGET_STORE "equitree_budgets"

/* Start with {.folder, .fd = -1}; eqt_store_close() closes the file. */
struct eqt_store {
	const struct eqt_state_folder *folder; /* not owned */
	int fd;
	off_t size; /* of the complete lines */
	uint64_t seq; /* of the last line */
	uint32_t crc;
	bool cut; /* the file may have an incomplete line after size */
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

/* Is there a file of budgets? */
bool eqt_store_exists(const struct eqt_state_folder *folder);

/*
 * Read the file into a new book, and open it for more. A last line that was cut by a
 * kill is dropped, and *dropped is set. NULL with err filled: it cannot be read, or
 * a line is damaged.
 */
struct eqt_book *eqt_store_load(struct eqt_store *store, bool *dropped,
				struct eqt_error *err);

/* Read the file again, up to the last line that was written. NULL with err
 * filled. */
struct eqt_book *eqt_store_read(const struct eqt_store *store,
				struct eqt_error *err);

/* Write the lines of these bodies and sync them. 0; or -1 with err filled: then
 * the file has none of them. */
int eqt_store_append(struct eqt_store *store, const struct eqt_bodies *text,
		     struct eqt_error *err);

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

/* Close the file. What was appended is on the disk already. */
void eqt_store_close(struct eqt_store *store);

#endif
