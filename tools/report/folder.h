/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * folder: the pages of a report on disk. All new pages are written beside the old ones
 * and flushed together. Then each new page replaces the old one, and pages that the new
 * report does not have are removed. Other files are left alone.
 */
#ifndef EQT_REPORT_FOLDER_H
#define EQT_REPORT_FOLDER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* How each page begins. A file that begins otherwise was not written by a report. */
#define EQT_FOLDER_MARK "<!DOCTYPE html>\n<!-- equitree report -->\n"

/* A folder of pages. Owns its memory; {0} is closed. */
struct eqt_folder {
	const char *path; /* borrowed */
	int fd; /* holds the lock */
	/* paths of the pages within the folder, in the order of writing */
	char **page;
	size_t count;
	bool committed;
};

/* Open a folder, which is created if needed. Returns 0, or -1 with err filled if it
 * cannot be created, or if another report is being written there. */
int eqt_folder_open(struct eqt_folder *out, const char *path,
		    struct eqt_error *err);

/* Write a page such as "user/ada/index.html". Its folders are created. Returns 0, or -1
 * with err filled. */
int eqt_folder_write(struct eqt_folder *folder, const char *name,
		     const char *text, size_t length, struct eqt_error *err);

/* Move the pages into place, and remove other pages of reports in "account" and "user".
 * Returns 0, or -1 with err filled. After an error some of the pages may be new. */
int eqt_folder_commit(struct eqt_folder *folder, struct eqt_error *err);

/* Close the folder and free its memory. Pages that were not committed are removed. */
void eqt_folder_close(struct eqt_folder *folder);

#endif
