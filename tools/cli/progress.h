/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * progress: a progress bar on stderr. It appears on a terminal after one second and is
 * removed at the end. If bars are nested, only the outermost is shown; updates of inner
 * bars redraw it.
 */
#ifndef EQT_CLI_PROGRESS_H
#define EQT_CLI_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <time.h>

/* A plain value, which must not be moved before eqt_progress_end(). */
struct eqt_progress {
	const char *what; /* borrowed */
	/* number of items; 0: not known, so only the time is shown */
	size_t all;
	size_t done;
	struct timespec began, drawn;
	/* the enclosing bar, which is shown instead; NULL: none */
	struct eqt_progress *outer;
	bool shown;
};

/* Begin a bar. Nothing is shown within the first second. */
void eqt_progress_begin(struct eqt_progress *progress, const char *what,
			size_t all);

/* Report how many items are done. Cheap enough to be called for every item. */
void eqt_progress_update(struct eqt_progress *progress, size_t done);

/* End the bar, and remove it if it was shown. */
void eqt_progress_end(struct eqt_progress *progress);

/* Is a bar active that needs regular calls while the caller waits? */
bool eqt_progress_wanted(void);

#endif
