/* SPDX-License-Identifier: GPL-2.0-or-later */
/* End is checked against Start, ElapsedRaw and Suspended, because a list from a cluster
 * in another time zone would be counted wrongly. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "base/text.h"
#include "slurm/text/duration.h"
#include "cli/alloc.h"
#include "slurm/sacct.h"
#include "slurm/text/timestamp.h"
#include "slurm/text/listing.h"

/* ---- As a whole ----------------------------------------------------------- */

#define SECONDS_MAX ((uint64_t) 1 << 40)
/* The local times of a job may disagree with its elapsed time by this many seconds,
 * because the cluster's clocks may change to summer time when the local zone does not. */
#define CLOCK_CHANGE 3600

/* The text after each cell. Comments, wckeys and names of accounts may hold '|' and line
 * ends, so it is a text that no user can guess. Returns a static text. */
static const char *sacct_delimiter(void)
{
	static char delimiter[sizeof("_0123456789abcdef_")];
	uint64_t bits = 0;

	if (!delimiter[0]) {
		(void) !getrandom(&bits, sizeof(bits), 0);
		(void) snprintf(delimiter, sizeof(delimiter),
				"_%016" PRIx64 "_", bits);
	}
	return delimiter;
}

char *eqt_sacct_command(char buf[EQT_SACCT_COMMAND], int64_t from_s,
			int64_t until_s, const char *more)
{
	(void) snprintf(buf, EQT_SACCT_COMMAND,
			"SLURM_TIME_FORMAT=%%s sacct -a%sDp --noconvert -s R,S "
			"-S uts%" PRId64 " -E uts%" PRId64
			" --delimiter='%s' -o " EQT_SACCT_FORMAT "%s",
			strstr(more, "TotalCPU") ? "" : "X", from_s, until_s,
			sacct_delimiter(), more);
	return buf;
}

/* The names that a column may have. The first name is preferred. */
static const struct {
	const char *name;
	const char *other;
} sacct_columns[EQT_SACCT_COLUMNS] = {
	[EQT_SACCT_ID] = { "JobIDRaw", "JobID" },
	[EQT_SACCT_CLUSTER] = { "Cluster", NULL },
	[EQT_SACCT_ACCOUNT] = { "Account", NULL },
	[EQT_SACCT_USER] = { "User", NULL },
	[EQT_SACCT_PARTITION] = { "Partition", NULL },
	[EQT_SACCT_QOS] = { "QOS", NULL },
	[EQT_SACCT_STATE] = { "State", NULL },
	[EQT_SACCT_ELIGIBLE] = { "Eligible", "Submit" },
	[EQT_SACCT_SUBMIT] = { "Submit", NULL },
	[EQT_SACCT_START] = { "Start", NULL },
	[EQT_SACCT_END] = { "End", NULL },
	[EQT_SACCT_ELAPSED] = { "ElapsedRaw", NULL },
	[EQT_SACCT_SUSPENDED] = { "Suspended", NULL },
	[EQT_SACCT_LIMIT] = { "TimelimitRaw", NULL },
	[EQT_SACCT_TRES] = { "AllocTRES", NULL },
	[EQT_SACCT_NODES] = { "NodeList", NULL },
	[EQT_SACCT_NAME] = { "JobID", NULL },
	[EQT_SACCT_RSS] = { "MaxRSS", NULL },
	[EQT_SACCT_TASKS] = { "NTasks", NULL },
	[EQT_SACCT_CPU] = { "TotalCPU", NULL },
	[EQT_SACCT_COMMENT] = { "Comment", NULL },
	[EQT_SACCT_WCKEY] = { "WCKey", NULL },
	[EQT_SACCT_RESERVATION] = { "Reservation", NULL },
};

/* Find each column by one of its names. A needed column that is missing is an error. */
static int sacct_find_columns(struct eqt_sacct *sacct, unsigned int needed,
			      struct eqt_error *err)
{
	for (unsigned int i = 0; i < EQT_SACCT_COLUMNS; i++) {
		const char *other = sacct_columns[i].other;
		bool fatal = (needed & EQT_SACCT_BIT(i)) != 0;
		size_t *at = &sacct->at[i];

		*at = eqt_columns_find(&sacct->table, sacct_columns[i].name,
				       fatal && !other ? err : NULL);
		if (*at == EQT_COLUMNS_NONE && other)
			*at = eqt_columns_find(&sacct->table, other,
					       fatal ? err : NULL);
		if (*at == EQT_COLUMNS_NONE && fatal)
			return -1;
	}
	return 0;
}

/* Cut a text into cells and find the columns. *text is empty afterwards, also on failure. */
static int sacct_cut(struct eqt_sacct *out, struct eqt_listing *text,
		     unsigned int needed, struct eqt_error *err)
{
	*out = (struct eqt_sacct){ .rows = 0 };
	if (eqt_columns_cut(&out->table, EQT_COLUMNS_ANY, text, err) < 0)
		return -1;
	if (sacct_find_columns(out, needed, err) < 0) {
		eqt_sacct_free(out);
		return -1;
	}
	out->rows = out->table.rows;
	return 0;
}

int eqt_sacct_read(struct eqt_sacct *out, const char *path, const char *command,
		   struct eqt_error *err)
{
	struct eqt_listing text;

	*out = (struct eqt_sacct){ .rows = 0 };
	if (eqt_listing_read(&text, path, command, err) < 0)
		return -1;
	return sacct_cut(out, &text, EQT_SACCT_RUNS, err);
}

void eqt_sacct_free(struct eqt_sacct *sacct)
{
	eqt_columns_free(&sacct->table);
	*sacct = (struct eqt_sacct){ .rows = 0 };
}

const char *eqt_sacct_cell(const struct eqt_sacct *sacct, size_t row,
			   enum eqt_sacct_column column)
{
	return eqt_columns_cell(&sacct->table, row, sacct->at[column]);
}

const char *eqt_sacct_column_name(enum eqt_sacct_column column)
{
	return sacct_columns[column].name;
}

/* Do two times agree, apart from a change to or from summer time? */
static bool times_agree(int64_t a, int64_t b)
{
	return a == b || a - b == CLOCK_CHANGE || b - a == CLOCK_CHANGE ||
	       a - b == CLOCK_CHANGE / 2 || b - a == CLOCK_CHANGE / 2;
}

/* Fill err with "FILE: line N: COLUMN: "CELL": why". Returns -1. */
static int job_refuse(const struct eqt_sacct_job *job, const char *source,
		      enum eqt_sacct_column column, const char *why,
		      struct eqt_error *err)
{
	return eqt_error_set(err, "%s: line %zu: %s: \"%.64s\": %s", source,
			     job->line, sacct_columns[column].name,
			     job->text[column], why);
}

/* Read a whole number of at most SECONDS_MAX. Returns 0, or -1 for any other text. */
static int job_parse_seconds(uint64_t *out, const char *text)
{
	return eqt_digits_read(out, &text, NULL) == 0 && *text == '\0' &&
			       *out <= SECONDS_MAX
		       ? 0
		       : -1;
}

/* If slurmctld is killed while a job is suspended, slurmdbd may know when the suspension
 * ended but not when it began. slurmdbd then counts it from 1970. If the clock is changed
 * meanwhile, slurmdbd has times of two clocks. In both cases the suspension is longer
 * than the job, and Elapsed is 0. The real length of the suspension is lost, so the job
 * counts as running from its start to its end. */
static bool suspension_is_lost(const struct eqt_sacct_job *job, int64_t end)
{
	int64_t most = end > job->start_s ? end - job->start_s : 0;

	/* A running job has no end to compare with. */
	if (end == 0)
		most = job->start_s / 2;
	return job->start_s > 0 && job->suspended_s > (uint64_t) most;
}

/*
 * A job that was resized has a record for each size. In the later record, Submit is the
 * time of the resize, and Start is often the start of the whole job. Remove the time
 * that belongs to the previous record. Any other job is submitted before it starts.
 */
static void job_cut_earlier_size(struct eqt_sacct_job *job)
{
	int64_t submit;

	if (eqt_timestamp_parse(&submit, job->text[EQT_SACCT_SUBMIT]) > 0 &&
	    submit > job->start_s && submit <= job->end_s)
		job->start_s = submit;
}

/* Read start and end in seconds since the epoch, and the seconds for which the job was
 * suspended. */
static int job_read_times(struct eqt_sacct_job *out, const char *source,
			  struct eqt_error *err)
{
	uint64_t elapsed;
	int64_t end;

	if (eqt_timestamp_parse(&out->start_s, out->text[EQT_SACCT_START]) < 0)
		return job_refuse(out, source, EQT_SACCT_START,
				  "expected a time", err);
	if (eqt_timestamp_parse(&end, out->text[EQT_SACCT_END]) < 0)
		return job_refuse(out, source, EQT_SACCT_END, "expected a time",
				  err);
	if (eqt_duration_parse(&out->suspended_s,
			       out->text[EQT_SACCT_SUSPENDED]) < 0)
		return job_refuse(out, source, EQT_SACCT_SUSPENDED,
				  "expected a length of time", err);
	if (job_parse_seconds(&elapsed, out->text[EQT_SACCT_ELAPSED]) < 0)
		return job_refuse(out, source, EQT_SACCT_ELAPSED,
				  "expected a whole number up to 1099511627776",
				  err);
	if (elapsed == 0 && suspension_is_lost(out, end)) {
		out->suspended_s = 0;
		elapsed = end > out->start_s ? (uint64_t) (end - out->start_s)
					     : 0;
	}
	out->end_s = out->start_s + (int64_t) (elapsed + out->suspended_s);
	out->ended = end != 0;
	if (out->start_s == 0 || out->end_s == out->start_s)
		return 0;
	if (end != 0 && !times_agree(end, out->end_s))
		return eqt_error_set(err,
				     "%s: line %zu: End is not Start + "
				     "ElapsedRaw + Suspended",
				     source, out->line);
	job_cut_earlier_size(out);
	return out->end_s > out->start_s;
}

/* Read a job whose text and line are already filled, like eqt_sacct_job(). "source" is
 * the name of the file for messages. */
static int sacct_job_read(struct eqt_sacct_job *out, const char *source,
			  struct eqt_error *err)
{
	const char *id = out->text[EQT_SACCT_ID];
	size_t digits = strspn(id, "0123456789");

	if (digits > 0 && strchr(id + digits, '.'))
		return 0;
	if (digits == 0 || id[digits] != '\0')
		return job_refuse(out, source, EQT_SACCT_ID,
				  "expected a job's id", err);
	return job_read_times(out, source, err);
}

int eqt_sacct_job(struct eqt_sacct_job *out, const struct eqt_sacct *sacct,
		  size_t row, struct eqt_error *err)
{
	out->line = sacct->table.lines[row + 1];
	for (unsigned int i = 0; i < EQT_SACCT_COLUMNS; i++)
		out->text[i] =
			eqt_sacct_cell(sacct, row, (enum eqt_sacct_column) i);
	return sacct_job_read(out, sacct->table.text.name, err);
}

/* ---- Line by line -------------------------------------------------------------------
 * A year of a large cluster has millions of jobs. Lines are read one at a time and cut in
 * place, so memory does not grow with the number of jobs. */

/* Write '|' for each delimiter of a line but the last. Returns its new length. */
static size_t line_join_cells(char *line, const char *delimiter)
{
	const size_t wide = strlen(delimiter);
	char *to = line;

	for (const char *from = line; *from;) {
		const bool cell_ends = strncmp(from, delimiter, wide) == 0;

		*to++ = cell_ends ? '|' : *from;
		from += cell_ends ? wide : 1;
	}
	*--to = '\0';
	return (size_t) (to - line);
}

/* Read the line of column names as a table of its own. It must have all needed
 * columns. */
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
	reader->delimiter = "|";
	if (strstr(line, sacct_delimiter())) {
		reader->delimiter = sacct_delimiter();
		reader->has_last = true;
		text.length = line_join_cells(line, reader->delimiter);
	}
	/* eqt_columns_cut() needs a line end, so add one. */
	text.text = eqt_alloc(text.length + 2, 1);
	memcpy(text.text, line, text.length);
	memcpy(text.text + text.length, "\n", 2);
	text.length++;
	if (sacct_cut(&reader->head, &text, needed, err) < 0)
		return -1;
	reader->cell =
		eqt_alloc(reader->head.table.columns, sizeof(*reader->cell));
	return 0;
}

int eqt_sacct_reader_open(struct eqt_sacct_reader *out, const char *path,
			  const char *command, unsigned int needed,
			  struct eqt_error *err)
{
	*out = (struct eqt_sacct_reader){ .cell = NULL };
	if (eqt_listing_lines_open(&out->lines, path, command, err) < 0)
		return -1;
	return reader_read_head(out, needed, err) < 0
		       ? eqt_sacct_reader_close(out, -1, err)
		       : 0;
}

/* Cut a line in place. Returns the number of its cells, of which the first ones up to
 * the number of columns are in reader->cell. */
static size_t reader_cut_cells(struct eqt_sacct_reader *reader, char *line)
{
	const size_t columns = reader->head.table.columns;
	const size_t wide = strlen(reader->delimiter);
	size_t cells = 0;

	do {
		if (cells < columns)
			reader->cell[cells] = line;
		cells++;
		line = strstr(line, reader->delimiter);
		if (line) {
			*line = '\0';
			line += wide;
		}
	} while (line && !(reader->has_last && *line == '\0'));
	return cells;
}

/* The number of delimiters in a text. */
static size_t delimiters_count(const char *text, const char *delimiter)
{
	size_t count = 0;

	for (; (text = strstr(text, delimiter)); text += strlen(delimiter))
		count++;
	return count;
}

/* A line with too few cells is a part of a job with a line end in one of its cells. Add
 * the next lines to *line until it has all cells. Nothing is added to a line of a file,
 * which may be damaged. Returns as eqt_listing_lines_next(). */
static int reader_add_lines(struct eqt_sacct_reader *reader, char **line,
			    struct eqt_error *err)
{
	const size_t wanted = reader->head.table.columns;
	size_t found, length, all;
	FILE *joined;
	char *next;
	int rc = 1;

	if (!reader->has_last)
		return 1;
	found = delimiters_count(*line, reader->delimiter);
	if (found >= wanted)
		return 1;
	free(reader->joined);
	joined = eqt_alloc_stream(&reader->joined, &all);
	(void) fputs(*line, joined);
	while (found < wanted &&
	       (rc = eqt_listing_lines_next(&reader->lines, &next, &length,
					    err)) > 0) {
		found += delimiters_count(next, reader->delimiter);
		(void) fprintf(joined, "\n%s", next);
	}
	eqt_alloc_stream_close(joined);
	*line = reader->joined;
	return rc < 0 ? -1 : 1;
}

int eqt_sacct_reader_row(struct eqt_sacct_reader *reader, int *damaged,
			 struct eqt_error *err)
{
	size_t length, cells;
	char *line;
	int rc = eqt_listing_lines_next(&reader->lines, &line, &length, err);

	if (rc > 0)
		rc = reader_add_lines(reader, &line, err);
	if (rc <= 0)
		return rc;
	cells = reader_cut_cells(reader, line);
	*damaged = 0;
	if (cells != reader->head.table.columns)
		*damaged = eqt_error_set(
			err, "%s: line %zu: %zu columns: expected %zu",
			reader->lines.name, reader->lines.line, cells,
			reader->head.table.columns);
	return rc;
}

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
			at = reader->head.at[i];
			job->text[i] =
				at == EQT_COLUMNS_NONE ? "" : reader->cell[at];
		}
		job->line = reader->lines.line;
		rc = sacct_job_read(job, reader->lines.name, err);
	} while (rc == 0);
	return rc;
}

int eqt_sacct_reader_close(struct eqt_sacct_reader *reader, int rc,
			   struct eqt_error *err)
{
	free(reader->cell);
	free(reader->joined);
	eqt_sacct_free(&reader->head);
	reader->cell = NULL;
	reader->joined = NULL;
	/* After an error, err has that error. */
	return eqt_listing_lines_close(&reader->lines, rc ? NULL : err) < 0 &&
			       !rc
		       ? -1
		       : rc;
}
