/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * folder: the pages of a report on disk. All pages are written beside the old ones and
 * flushed together. Then each replaces the old one, and pages that the new report does not
 * have are removed. Other files are left alone.
 */
#ifndef EQT_REPORT_FOLDER_H
#define EQT_REPORT_FOLDER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* Each page begins with it; a file without it is not ours. */
#define EQT_FOLDER_MARK "<!DOCTYPE html>\n<!-- equitree report -->\n"

/* Owned; {0} is closed. */
struct eqt_folder {
	const char *path; /* borrowed */
	int fd; /* holds a lock */
	char **page; /* paths below it, in the order of writing */
	size_t count;
	bool committed;
};

/* Open a folder, and make it if it is not there. Returns 0, or -1 with err filled.
 * Possible errors: it cannot be made, another report is being written there. */
int eqt_folder_open(struct eqt_folder *out, const char *path,
		    struct eqt_error *err);

/* Write a page such as "user/ada/index.html", whose folders are made. Returns 0, or -1
 * with err filled. */
int eqt_folder_write(struct eqt_folder *folder, const char *name,
		     const char *text, size_t length, struct eqt_error *err);

/* Put the pages into their places, and remove other pages of reports in "account" and
 * "user". Returns 0, or -1 with err filled. Possible errors: some pages may be new. */
int eqt_folder_commit(struct eqt_folder *folder, struct eqt_error *err);

/* Free it; without a commit, what was written is removed. */
void eqt_folder_close(struct eqt_folder *folder);

#endif
