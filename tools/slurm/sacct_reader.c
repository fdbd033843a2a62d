/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A year of a large cluster has millions of jobs: lines are read one at a time, and cut
 * in place. */
#include <stdlib.h>
#include <string.h>

#include "slurm/sacct_reader.h"

/* The line of names as a table of its own. The names say which columns there are;
 * needed: those without which it is an error. */
static int reader_read_head(struct eqt_sacct_reader *reader,
			    unsigned int needed, struct eqt_error *err)
{
	struct eqt_listing text = { .name = reader->lines.name };
	char *line;
	int rc = eqt_listing_lines_next(&reader->lines, &line, &text.length,
					err);

	if (rc <= 0)
		return rc < 0 ? -1
			      : eqt_error_set(err, "%s: no rows", text.name);
	/* A table has a line end at the end of each line. */
	text.text = malloc(text.length + 2);
	if (!text.text)
		return eqt_error_set(err, "out of memory");
	memcpy(text.text, line, text.length);
	memcpy(text.text + text.length, "\n", 2);
	text.length++;
	if (eqt_sacct_cut(&reader->head, &text, needed, err) < 0)
		return -1;
	reader->cell =
		calloc(reader->head.table.columns, sizeof(*reader->cell));
	return reader->cell ? 0 : eqt_error_set(err, "out of memory");
}

/* path NULL: the command is run. */
int eqt_sacct_reader_open(struct eqt_sacct_reader *out, const char *path,
			  const char *command, unsigned int needed,
			  struct eqt_error *err)
{
	*out = (struct eqt_sacct_reader){ .cell = NULL };
	if (eqt_listing_lines_open(&out->lines, path, command, err) < 0)
		return -1;
	/* The exit status of the command is of no interest then: the first error is reported. */
	if (reader_read_head(out, needed, err) < 0) {
		(void) eqt_sacct_reader_close(out, NULL);
		return -1;
	}
	return 0;
}

/* Cut a line in place; each has as many cells as the line of names. */
static int reader_cut_cells(struct eqt_sacct_reader *reader, char *line,
			    struct eqt_error *err)
{
	const size_t columns = reader->head.table.columns;
	size_t cells = 0;

	do {
		if (cells < columns)
			reader->cell[cells] = line;
		cells++;
		line = strchr(line, '|');
		if (line)
			*line++ = '\0';
	} while (line);
	if (cells != columns)
		return eqt_error_set(err,
				     "%s: line %zu: %zu columns: expected %zu",
				     reader->lines.name, reader->lines.line,
				     cells, columns);
	return 0;
}

int eqt_sacct_reader_row(struct eqt_sacct_reader *reader, int *damaged,
			 struct eqt_error *err)
{
	size_t length;
	char *line;
	const int rc =
		eqt_listing_lines_next(&reader->lines, &line, &length, err);

	if (rc > 0)
		*damaged = reader_cut_cells(reader, line, err);
	return rc;
}

/* 1 with *job; 0 at the end; -1 with err filled. Jobs that have not run are passed
 * over. */
int eqt_sacct_reader_next(struct eqt_sacct_reader *reader,
			  struct eqt_sacct_job *job, struct eqt_error *err)
{
	size_t i, at;
	int rc, damaged;

	do {
		rc = eqt_sacct_reader_row(reader, &damaged, err);
		if (rc <= 0 || damaged < 0)
			return rc <= 0 ? rc : -1;
		for (i = 0; i < EQT_SACCT_COLUMNS; i++) {
			/* Cells are borrowed from the line, until the next call. */
			at = reader->head.at[i];
			job->text[i] =
				at == EQT_COLUMNS_NONE ? "" : reader->cell[at];
		}
		job->line = reader->lines.line;
		rc = eqt_sacct_job_read(job, reader->lines.name, err);
	} while (rc == 0);
	return rc;
}

/* err NULL: an error was reported before, and the exit status does not matter. */
int eqt_sacct_reader_close(struct eqt_sacct_reader *reader,
			   struct eqt_error *err)
{
	free(reader->cell);
	eqt_sacct_free(&reader->head);
	reader->cell = NULL;
	return eqt_listing_lines_close(&reader->lines, err);
}
