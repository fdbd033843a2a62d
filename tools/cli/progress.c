/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Inner loops report their progress, so a call costs only one reading of the clock. The
 * bar is drawn at most every 200 ms, and never for work that takes less than a second.
 */
#include <stdio.h>
#include <unistd.h>

#include "base/whole.h"
#include "cli/progress.h"

#define WIDTH 40
#define QUIET_MS 1000
#define EVERY_MS 200

/* the bar on the terminal, or NULL */
static struct eqt_progress *current;

bool eqt_progress_wanted(void)
{
	return isatty(STDERR_FILENO);
}

static long ms_between(const struct timespec *then, const struct timespec *now)
{
	return (now->tv_sec - then->tv_sec) * 1000L +
	       (now->tv_nsec - then->tv_nsec) / 1000000L;
}

void eqt_progress_begin(struct eqt_progress *progress, const char *what,
			size_t all)
{
	*progress = (struct eqt_progress){
		.what = what,
		.all = all,
		.outer = current,
	};
	(void) clock_gettime(CLOCK_MONOTONIC, &progress->began);
	progress->drawn = progress->began;
	if (!current && eqt_progress_wanted())
		current = progress;
}

/* Use a single write, so that a terminal never shows half a bar. */
static void progress_draw(struct eqt_progress *progress, long passed_ms)
{
	static const char full[] = "########################################";
	size_t done = eqt_whole_min(progress->done, progress->all);
	char bar[WIDTH + 32] = "", line[2 * WIDTH + 64];
	double part;

	if (progress->all) {
		part = (double) done / (double) progress->all;
		(void) snprintf(bar, sizeof(bar), "[%-*.*s] %3d %% ", WIDTH,
				(int) (part * WIDTH), full, (int) (part * 100));
	}
	(void) snprintf(line, sizeof(line), "\r%-20.20s %s%ld s",
			progress->what, bar, passed_ms / 1000);
	(void) fputs(line, stderr);
	progress->shown = true;
}

void eqt_progress_update(struct eqt_progress *progress, size_t done)
{
	struct timespec now;
	long passed_ms;

	progress->done = done;
	if (progress->outer)
		progress = progress->outer;
	if (progress != current)
		return;
	(void) clock_gettime(CLOCK_MONOTONIC, &now);
	passed_ms = ms_between(&progress->began, &now);
	if (passed_ms < QUIET_MS ||
	    ms_between(&progress->drawn, &now) < EVERY_MS)
		return;
	progress->drawn = now;
	progress_draw(progress, passed_ms);
}

void eqt_progress_end(struct eqt_progress *progress)
{
	if (current != progress)
		return;
	if (progress->shown)
		fprintf(stderr, "\r\033[K");
	current = NULL;
}
