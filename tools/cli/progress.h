/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * progress: a bar on stderr, shown on a terminal after one second and removed at the end.
 * Of nested bars only the outermost is shown; updates of inner ones redraw it.
 */
#ifndef EQT_CLI_PROGRESS_H
#define EQT_CLI_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <time.h>

/* A plain value; must not move before its end. */
struct eqt_progress {
	const char *what; /* borrowed */
	size_t all; /* 0: not known, so the time alone is shown */
	size_t done;
	struct timespec began, drawn;
	struct eqt_progress *outer; /* that is shown instead, or NULL */
	bool shown;
};

/* Begin; nothing is shown within the first second. */
void eqt_progress_begin(struct eqt_progress *progress, const char *what,
			size_t all);

/* Report how much is done; cheap enough for every item. */
void eqt_progress_update(struct eqt_progress *progress, size_t done);

/* End, and remove the bar if it was shown. */
void eqt_progress_end(struct eqt_progress *progress);

/* Is there a bar that needs regular calls while waiting? */
bool eqt_progress_wanted(void);

#endif
