/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Only the last MiB is read: the log of a busy slurmctld has gigabytes. The
 * line is recognized by the plugin's own text; slurmctld's prefix depends on
 * its configuration.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "metrics/pass_log.h"

#define TAIL ((long) 1 << 20)

/* The plugin's own text; slurmctld puts its own in front. */
static const char mark[] = "priority/equitree: pass: ";

/*
 * Read the summary of a pass. A line that differs in any way is left out, so
 * the last sound one stays.
 */
static void pass_log_take_line(struct eqt_metrics_pass *out, const char *line)
{
	const char *at = strstr(line, mark);
	struct eqt_metrics_pass got = { .there = true,
					.journal_fails = out->journal_fails };
	int end = -1;

	if (!at)
		return;
	(void) sscanf(at + sizeof(mark) - 1,
		      "%9u jobs charged, %9u with another billing, in %9ld "
		      "ms; %9u users ranked, %9u priorities in %9ld ms; saved "
		      "in %9ld ms%n",
		      &got.jobs, &got.billed, &got.charge_ms, &got.users,
		      &got.priorities, &got.rank_ms, &got.save_ms, &end);
	if (end > 0 && strchr("\r\n", at[sizeof(mark) - 1 + (size_t) end]))
		*out = got;
}

/* A failure is logged once, and so is its end. */
static void pass_log_take_journal(struct eqt_metrics_pass *out,
				  const char *line)
{
	const char *at = strstr(line, "priority/equitree: ");

	if (!at)
		return;
	if (strstr(at, "cannot write equitree_journal") ||
	    strstr(at, "StateSaveLocation hangs: equitree_journal"))
		out->journal_fails = true;
	else if (strstr(at, "equitree_journal can be written again") ||
		 strstr(at, "lines of equitree_journal were dropped"))
		out->journal_fails = false;
}

int eqt_metrics_log_read(struct eqt_metrics_pass *out, const char *path,
			 struct eqt_error *err)
{
	FILE *stream = fopen(path, "r");
	char *line = NULL;
	size_t size = 0;
	int rc = 0;

	*out = (struct eqt_metrics_pass){ .there = false };
	if (!stream)
		return eqt_error_set(err, "%s: %s", path, strerror(errno));
	/* The seek fails for a shorter log, which is then read as a whole. */
	(void) fseek(stream, -TAIL, SEEK_END);
	while (getline(&line, &size, stream) > 0) {
		pass_log_take_line(out, line);
		pass_log_take_journal(out, line);
	}
	if (ferror(stream))
		rc = eqt_error_set(err, "%s: %s", path, strerror(errno));
	free(line);
	(void) fclose(stream);
	return rc;
}
