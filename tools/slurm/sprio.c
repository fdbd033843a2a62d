/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "slurm/sprio.h"

static const struct {
	const char *column; /* of sprio -l */
	const char *name;
} factors[EQT_FACTORS] = {
	[EQT_FACTOR_FAIRSHARE] = { "FAIRSHARE", "fair share" },
	[EQT_FACTOR_AGE] = { "AGE", "age" },
	[EQT_FACTOR_ASSOC] = { "ASSOC", "association" },
	[EQT_FACTOR_SIZE] = { "JOBSIZE", "job size" },
	[EQT_FACTOR_PARTITION] = { "PARTITION_2", "partition" },
	[EQT_FACTOR_QOS] = { "QOS", "QOS" },
	[EQT_FACTOR_TRES] = { "TRES", "TRES" },
	[EQT_FACTOR_SITE] = { "SITE", "site" },
	[EQT_FACTOR_NICE] = { "NICE", "nice" },
};

const char *eqt_factor_name(enum eqt_factor factor)
{
	return factors[factor].name;
}

/* "cpu=12,mem=-3" into one sum; an empty one is 0. */
static int sum_tres(int64_t *sum, const struct eqt_stock_table *table,
		    size_t row, size_t column, struct eqt_error *err)
{
	const char *at = eqt_stock_table_cell(table, row, column), *value;
	char *end;

	*sum = 0;
	if (strcmp(at, "(null)") == 0)
		return 0;
	for (; *at != '\0'; at = end + (*end == ',')) {
		value = strchr(at, '=');
		end = NULL;
		if (value && __builtin_add_overflow(
				     *sum, strtoll(value + 1, &end, 10), sum))
			end = NULL;
		if (!end || end == value + 1 || (*end != ',' && *end != '\0'))
			return eqt_error_set(
				err,
				"%s: line %zu: TRES: \"%.64s\" is no list "
				"of NAME=POINTS",
				table->text.name, table->lines[row + 1],
				eqt_stock_table_cell(table, row, column));
	}
	return 0;
}

static int read_job(struct eqt_pending_job *job,
		    const struct eqt_stock_table *table, size_t row,
		    const size_t *columns, struct eqt_error *err)
{
	int i, rc;

	for (i = 0; i < EQT_FACTORS; i++) {
		if (columns[i] == EQT_STOCK_NO_COLUMN)
			continue;
		rc = i == EQT_FACTOR_TRES
			     ? sum_tres(&job->points[i], table, row, columns[i],
					err)
			     : eqt_stock_table_signed(&job->points[i], table,
						      row, columns[i], err);
		if (rc < 0)
			return -1;
	}
	job->points[EQT_FACTOR_NICE] = -job->points[EQT_FACTOR_NICE];
	return 0;
}

static int read_jobs(struct eqt_pending *pending, struct eqt_error *err)
{
	const struct eqt_stock_table *table = &pending->table;
	size_t id = eqt_stock_table_column(table, "JOBID", err);
	size_t priority = eqt_stock_table_column(table, "PRIORITY", err);
	size_t partition = eqt_stock_table_column(table, "PARTITION", err);
	size_t user = eqt_stock_table_column(table, "USER", err);
	size_t columns[EQT_FACTORS], row;
	int i;

	if (id == EQT_STOCK_NO_COLUMN || priority == EQT_STOCK_NO_COLUMN ||
	    partition == EQT_STOCK_NO_COLUMN || user == EQT_STOCK_NO_COLUMN)
		return -1;
	for (i = 0; i < EQT_FACTORS; i++)
		columns[i] =
			eqt_stock_table_column(table, factors[i].column, NULL);
	pending->jobs = calloc(table->rows, sizeof(*pending->jobs));
	if (!pending->jobs)
		return eqt_error_set(err, "out of memory");
	pending->count = table->rows;
	for (row = 0; row < table->rows; row++) {
		struct eqt_pending_job *job = &pending->jobs[row];

		job->id = eqt_stock_table_cell(table, row, id);
		job->partition = eqt_stock_table_cell(table, row, partition);
		job->user = eqt_stock_table_cell(table, row, user);
		if (eqt_stock_table_signed(&job->priority, table, row, priority,
					   err) < 0 ||
		    read_job(job, table, row, columns, err) < 0)
			return -1;
	}
	return 0;
}

/* Of these columns the line of weights has none. */
static bool has_weight(const char *name)
{
	static const char *const without[] = { "JOBID",	  "PARTITION",
					       "USER",	  "ACCOUNT",
					       "QOSNAME", "PRIORITY",
					       "NICE" };
	size_t i;

	for (i = 0; i < sizeof(without) / sizeof(without[0]); i++) {
		if (strcmp(name, without[i]) == 0)
			return false;
	}
	return true;
}

/* Take the next word of *at as the weight of the column named name. */
static int take_weight(struct eqt_pending *pending, const char *name, char **at)
{
	char *end;
	long long value = strtoll(*at, &end, 10);
	int i;

	if (strcmp(name, "TRES") == 0)
		return 0; /* one for each TRES: the points are its own */
	if (end == *at || (*end != ' ' && *end != '\n' && *end != '\r'))
		return -1;
	*at = end;
	for (i = 0; i < EQT_FACTORS; i++) {
		if (strcmp(factors[i].column, name) == 0)
			pending->weights[i] = value;
	}
	return 0;
}

/* The line of weights has blanks where a job has its name and priority. */
static int parse_weights(struct eqt_pending *pending,
			 struct eqt_stock_text *text)
{
	char *line = strchr(text->text, '\n'), *at, *save, *name;
	bool partition = false;

	at = line + 1 + strspn(line + 1, " ");
	if (strncmp(at, "Weights", 7) != 0)
		return -1;
	at += 7;
	*line = '\0';
	for (name = strtok_r(text->text, " \r", &save); name;
	     name = strtok_r(NULL, " \r", &save)) {
		if (partition && strcmp(name, "PARTITION") == 0) {
			if (take_weight(pending, "PARTITION_2", &at) < 0)
				return -1;
		} else if (has_weight(name) &&
			   take_weight(pending, name, &at) < 0) {
			return -1;
		}
		partition = partition || strcmp(name, "PARTITION") == 0;
	}
	return 0;
}

static int read_weights(struct eqt_pending *pending, const char *path,
			struct eqt_error *err)
{
	struct eqt_stock_text text;
	int rc;

	if (eqt_stock_text_read(&text, path, "sprio -wl", err) < 0)
		return -1;
	rc = parse_weights(pending, &text);
	if (rc < 0)
		(void) eqt_error_set(err, "%s: not what \"sprio -wl\" prints",
				     text.name);
	eqt_stock_text_free(&text);
	pending->weighted = rc == 0;
	return rc;
}

static int load(struct eqt_pending *pending, const char *jobs_path,
		const char *weights_path, struct eqt_error *err)
{
	struct eqt_stock_text text;

	if (eqt_stock_text_read(&text, jobs_path, "sprio -l", err) < 0 ||
	    eqt_stock_table_cut_spaces(&pending->table, &text, err) < 0 ||
	    read_jobs(pending, err) < 0)
		return -1;
	if (jobs_path && !weights_path)
		return 0;
	return read_weights(pending, weights_path, err);
}

int eqt_pending_read(struct eqt_pending *out, const char *jobs_path,
		     const char *weights_path, struct eqt_error *err)
{
	*out = (struct eqt_pending){ .count = 0 };
	if (load(out, jobs_path, weights_path, err) < 0) {
		eqt_pending_free(out);
		return -1;
	}
	return 0;
}

void eqt_pending_free(struct eqt_pending *pending)
{
	free(pending->jobs);
	eqt_stock_table_free(&pending->table);
	*pending = (struct eqt_pending){ .count = 0 };
}
