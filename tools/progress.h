/* SPDX-License-Identifier: GPL-2.0-or-later */
/* progress: a bar on stderr, where that is a terminal and it takes long. */
#ifndef EQT_PROGRESS_H
#define EQT_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <time.h>

/* A plain value. */
struct eqt_progress {
	const char *what; /* borrowed */
	size_t all;
	struct timespec began, told;
	bool terminal;
	bool shown;
	unsigned int calls;
};

/* Begin: nothing is shown within the first second. */
void eqt_progress_begin(struct eqt_progress *progress, const char *what,
			size_t all);

/* So much is done; cheap, to be called often. */
void eqt_progress_tell(struct eqt_progress *progress, size_t done);

/* Wipe the bar off, if it was shown. */
void eqt_progress_end(struct eqt_progress *progress);

#endif
