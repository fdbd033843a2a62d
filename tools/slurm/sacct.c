/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "slurm/sacct.h"

#define SECONDS_MAX ((uint64_t) 1 << 40)
/* By how much local times of one job may disagree with its elapsed time: a
 * change of the clocks between them that the zone here does not have. */
#define CLOCK_CHANGE 3600

static const struct {
	const char *name;
	bool needed;
} columns[EQT_SACCT_COLUMNS] = {
	[EQT_SACCT_ID] = { "JobIDRaw", true },
	[EQT_SACCT_CLUSTER] = { "Cluster", false },
	[EQT_SACCT_ACCOUNT] = { "Account", true },
	[EQT_SACCT_USER] = { "User", true },
	[EQT_SACCT_PARTITION] = { "Partition", true },
	[EQT_SACCT_QOS] = { "QOS", true },
	[EQT_SACCT_START] = { "Start", true },
	[EQT_SACCT_END] = { "End", true },
	[EQT_SACCT_ELAPSED] = { "ElapsedRaw", true },
	[EQT_SACCT_SUSPENDED] = { "Suspended", true },
	[EQT_SACCT_TRES] = { "AllocTRES", true },
	[EQT_SACCT_NODES] = { "NodeList", false },
};

static int sacct_find_columns(struct eqt_sacct *sacct, struct eqt_error *err)
{
	int i;

	for (i = 0; i < EQT_SACCT_COLUMNS; i++) {
		sacct->at[i] = eqt_columns_find(&sacct->table, columns[i].name,
						columns[i].needed ? err : NULL);
		if (sacct->at[i] == EQT_COLUMNS_NONE && columns[i].needed)
			return -1;
	}
	return 0;
}

int eqt_sacct_read(struct eqt_sacct *out, const char *path, const char *command,
		   struct eqt_error *err)
{
	struct eqt_source text;

	*out = (struct eqt_sacct){ .rows = 0 };
	if (eqt_source_read(&text, path, command, err) < 0 ||
	    eqt_columns_cut_any(&out->table, &text, err) < 0)
		return -1;
	if (sacct_find_columns(out, err) < 0) {
		eqt_sacct_free(out);
		return -1;
	}
	out->rows = out->table.rows;
	return 0;
}

void eqt_sacct_free(struct eqt_sacct *sacct)
{
	eqt_columns_free(&sacct->table);
	*sacct = (struct eqt_sacct){ .rows = 0 };
}

static int sacct_cell_error(const struct eqt_sacct *sacct, size_t row,
			    enum eqt_sacct_column column, const char *what,
			    struct eqt_error *err)
{
	const struct eqt_columns *table = &sacct->table;

	return eqt_error_set(err, "%s: line %zu: %s: \"%.64s\" is no %s",
			     table->text.name, table->lines[row + 1],
			     columns[column].name,
			     eqt_columns_cell(table, row, sacct->at[column]),
			     what);
}

/* "2026-04-01T00:00:00", local, or seconds since the epoch; 0: not yet. */
static int sacct_read_time(int64_t *out, const char *text)
{
	struct tm tm = { .tm_isdst = -1 };
	int used = -1;

	*out = 0;
	if (!strcmp(text, "Unknown") || !strcmp(text, "None"))
		return 0;
	if (strspn(text, "0123456789") == strlen(text)) {
		*out = strtoll(text, NULL, 10);
		return text[0] != '\0' && strlen(text) < 13 ? 0 : -1;
	}
	if (sscanf(text, "%4d-%2d-%2dT%2d:%2d:%2d%n", &tm.tm_year, &tm.tm_mon,
		   &tm.tm_mday, &tm.tm_hour, &tm.tm_min, &tm.tm_sec,
		   &used) != 6 ||
	    used != 19 || text[used] != '\0' || tm.tm_mon < 1 ||
	    tm.tm_mon > 12 || tm.tm_mday < 1 || tm.tm_mday > 31 ||
	    tm.tm_hour > 23 || tm.tm_min > 59 || tm.tm_sec > 60)
		return -1;
	tm.tm_year -= 1900;
	tm.tm_mon -= 1;
	*out = (int64_t) mktime(&tm);
	return *out > 0 ? 0 : -1;
}

/* A length of time, "1-02:03:04", "02:03:04" or "03:04" with or without
 * parts of a second. */
static int sacct_read_duration(uint64_t *out, const char *text)
{
	uint64_t part[3] = { 0 }, days = 0;
	const char *at = text;
	size_t parts = 0;
	char *end;

	for (;; at = end + 1) {
		if (!isdigit((unsigned char) *at) || parts == 3)
			return -1;
		part[parts++] = strtoull(at, &end, 10);
		if (end - at > 7)
			return -1;
		if (*end == '-' && parts == 1 && at == text) {
			days = part[--parts];
			continue;
		}
		if (*end != ':')
			break;
	}
	if (*end == '.')
		end += 1 + strspn(end + 1, "0123456789");
	if (*end != '\0' || parts < 2)
		return -1;
	*out = days * 86400 + (parts == 3 ? part[0] * 3600 : 0) +
	       part[parts - 2] * 60 + part[parts - 1];
	return 0;
}

/* Is the difference of two times that of the clocks' change, or none? */
static bool times_agree(int64_t a, int64_t b)
{
	return a == b || a - b == CLOCK_CHANGE || b - a == CLOCK_CHANGE ||
	       a - b == CLOCK_CHANGE / 2 || b - a == CLOCK_CHANGE / 2;
}

static int sacct_read_times(struct eqt_sacct_job *out,
			    const struct eqt_sacct *sacct, size_t row,
			    struct eqt_error *err)
{
	uint64_t elapsed;
	int64_t end;

	if (sacct_read_time(&out->start_s, out->text[EQT_SACCT_START]) < 0)
		return sacct_cell_error(sacct, row, EQT_SACCT_START, "time",
					err);
	if (sacct_read_time(&end, out->text[EQT_SACCT_END]) < 0)
		return sacct_cell_error(sacct, row, EQT_SACCT_END, "time", err);
	if (sacct_read_duration(&out->suspended_s,
				out->text[EQT_SACCT_SUSPENDED]) < 0)
		return sacct_cell_error(sacct, row, EQT_SACCT_SUSPENDED,
					"length of time", err);
	if (eqt_columns_number(&elapsed, &sacct->table, row,
			       sacct->at[EQT_SACCT_ELAPSED], SECONDS_MAX,
			       err) < 0)
		return -1;
	out->end_s = out->start_s + (int64_t) (elapsed + out->suspended_s);
	if (out->start_s == 0 || out->end_s == out->start_s)
		return 0;
	if (end != 0 && !times_agree(end, out->end_s))
		return eqt_error_set(err,
				     "%s: line %zu: End is not Start and "
				     "ElapsedRaw and Suspended",
				     sacct->table.text.name, out->line);
	return 1;
}

int eqt_sacct_job(struct eqt_sacct_job *out, const struct eqt_sacct *sacct,
		  size_t row, struct eqt_error *err)
{
	const char *id;
	int i;

	out->line = sacct->table.lines[row + 1];
	for (i = 0; i < EQT_SACCT_COLUMNS; i++)
		out->text[i] =
			eqt_columns_cell(&sacct->table, row, sacct->at[i]);
	id = out->text[EQT_SACCT_ID];
	if (!isdigit((unsigned char) id[0]))
		return sacct_cell_error(sacct, row, EQT_SACCT_ID, "job's id",
					err);
	if (strchr(id, '.'))
		return 0; /* a step: part of the job */
	if (strspn(id, "0123456789") != strlen(id))
		return sacct_cell_error(sacct, row, EQT_SACCT_ID, "job's id",
					err);
	return sacct_read_times(out, sacct, row, err);
}
