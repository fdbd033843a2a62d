/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * progress: a bar on stderr, where that is a terminal and it takes longer than
 * a second; wiped off in the end. One is shown at a time, the outermost: what
 * begins within another keeps that one's clock going.
 */
#ifndef EQT_CLI_PROGRESS_H
#define EQT_CLI_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <time.h>

/* A plain value, to stay where it is until its end. */
struct eqt_progress {
	const char *what; /* borrowed */
	size_t all; /* 0: not known, time is shown alone */
	size_t done;
	struct timespec began, told;
	struct eqt_progress *outer; /* the one that is shown instead, or NULL */
	bool shown;
};

/* Begin: nothing is shown within the first second. */
void eqt_progress_begin(struct eqt_progress *progress, const char *what,
			size_t all);

/* So much is done; cheap, to be called often. */
void eqt_progress_update(struct eqt_progress *progress, size_t done);

/* End, and wipe the bar off if it was shown. */
void eqt_progress_end(struct eqt_progress *progress);

/* Is there any need to tell often, while waiting for something? */
bool eqt_progress_wanted(void);

#endif
