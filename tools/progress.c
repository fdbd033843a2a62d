/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <unistd.h>

#include "progress.h"

#define WIDTH 40
#define CALLS 256 /* between two looks at the clock */

static long ms_since(const struct timespec *then)
{
	struct timespec now;

	(void) clock_gettime(CLOCK_MONOTONIC, &now);
	return (now.tv_sec - then->tv_sec) * 1000L +
	       (now.tv_nsec - then->tv_nsec) / 1000000L;
}

void eqt_progress_begin(struct eqt_progress *progress, const char *what,
			size_t all)
{
	*progress = (struct eqt_progress){
		.what = what,
		.all = all,
		.terminal = isatty(STDERR_FILENO),
	};
	(void) clock_gettime(CLOCK_MONOTONIC, &progress->began);
	progress->told = progress->began;
}

void eqt_progress_tell(struct eqt_progress *progress, size_t done)
{
	int i, full;

	if (!progress->terminal || ++progress->calls % CALLS != 0 ||
	    ms_since(&progress->began) < 1000 ||
	    ms_since(&progress->told) < 200)
		return;
	(void) clock_gettime(CLOCK_MONOTONIC, &progress->told);
	full = progress->all ? (int) (done * WIDTH / progress->all) : 0;
	fprintf(stderr, "\r%-20.20s [", progress->what);
	for (i = 0; i < WIDTH; i++)
		fputc(i < full ? '#' : ' ', stderr);
	fprintf(stderr, "] %3d %%", full * 100 / WIDTH);
	progress->shown = true;
}

void eqt_progress_end(struct eqt_progress *progress)
{
	if (progress->shown)
		fprintf(stderr, "\r%70s\r", "");
	progress->shown = false;
}
