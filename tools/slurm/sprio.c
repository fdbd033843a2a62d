/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sprio aligns its columns with blanks, and prints two columns named PARTITION: the
 * partition's name and the partition's points. The line of weights has other blanks than
 * the lines of jobs, so its words are matched to columns by their order.
 */
#include <stdlib.h>
#include <string.h>

#include "slurm/sprio.h"
#include "cli/alloc.h"
#include "slurm/text/tres_list.h"

static const struct {
	const char *column; /* name of the column in sprio -l */
	const char *name;
} factors[EQT_SPRIO_FACTORS] = {
	[EQT_SPRIO_FAIRSHARE] = { "FAIRSHARE", "fair share" },
	[EQT_SPRIO_AGE] = { "AGE", "age" },
	[EQT_SPRIO_ASSOC] = { "ASSOC", "association" },
	[EQT_SPRIO_SIZE] = { "JOBSIZE", "job size" },
	[EQT_SPRIO_PARTITION] = { "PARTITION_2", "partition" },
	[EQT_SPRIO_QOS] = { "QOS", "QOS" },
	[EQT_SPRIO_TRES] = { "TRES", "TRES" },
	[EQT_SPRIO_SITE] = { "SITE", "site" },
	[EQT_SPRIO_NICE] = { "NICE", "nice" },
};

const char *eqt_sprio_factor_name(enum eqt_sprio_factor factor)
{
	return factors[factor].name;
}

/* Add the points of all TRES, such as "cpu=12,mem=-3". */
static int sprio_sum_tres(int64_t *sum, const struct eqt_columns *table,
			  size_t row, size_t column, struct eqt_error *err)
{
	const char *at = eqt_columns_cell(table, row, column);
	struct eqt_treslist_item item;
	char *end;
	int rc = 0;

	*sum = 0;
	while (strcmp(at, "(null)") != 0 &&
	       (rc = eqt_tres_list_next(&item, &at)) > 0) {
		if (__builtin_add_overflow(*sum, strtoll(item.value, &end, 10),
					   sum) ||
		    *end != '\0')
			break;
	}
	if (rc == 0)
		return 0;
	return eqt_error_set(
		err, "%s: line %zu: TRES: \"%.64s\": expected NAME=POINTS,...",
		table->text.name, table->lines[row + 1],
		eqt_columns_cell(table, row, column));
}

/* Read the points of each factor. sprio prints no column for a factor whose weight is
 * 0. */
static int sprio_read_points(struct eqt_sprio_job *job,
			     const struct eqt_columns *table, size_t row,
			     const size_t *columns, struct eqt_error *err)
{
	int i, rc;

	for (i = 0; i < EQT_SPRIO_FACTORS; i++) {
		if (columns[i] == EQT_COLUMNS_NONE)
			continue;
		rc = i == EQT_SPRIO_TRES
			     ? sprio_sum_tres(&job->points[i], table, row,
					      columns[i], err)
			     : eqt_columns_signed(&job->points[i], table, row,
						  columns[i], err);
		if (rc < 0)
			return -1;
	}
	job->points[EQT_SPRIO_NICE] = -job->points[EQT_SPRIO_NICE];
	return 0;
}

/* Read all rows. A job in several partitions has one row per partition. */
static int sprio_read_jobs(struct eqt_sprio *pending, struct eqt_error *err)
{
	const struct eqt_columns *table = &pending->table;
	enum { ID, PRIORITY, PARTITION, USER, COLUMNS };
	static const char *const names[COLUMNS] = { "JOBID", "PRIORITY",
						    "PARTITION", "USER" };
	size_t at[COLUMNS], columns[EQT_SPRIO_FACTORS], row;

	if (eqt_columns_find_all(at, table, names, COLUMNS, COLUMNS, err) < 0)
		return -1;
	for (int i = 0; i < EQT_SPRIO_FACTORS; i++)
		columns[i] = eqt_columns_find(table, factors[i].column, NULL);
	pending->jobs = eqt_alloc(table->rows + 1, sizeof(*pending->jobs));
	pending->count = table->rows;
	for (row = 0; row < table->rows; row++) {
		struct eqt_sprio_job *job = &pending->jobs[row];

		job->id = eqt_columns_cell(table, row, at[ID]);
		job->partition = eqt_columns_cell(table, row, at[PARTITION]);
		job->user = eqt_columns_cell(table, row, at[USER]);
		if (eqt_columns_signed(&job->priority, table, row, at[PRIORITY],
				       err) < 0 ||
		    sprio_read_points(job, table, row, columns, err) < 0)
			return -1;
	}
	return 0;
}

/* Does the line of weights have a word for this column? */
static bool column_has_weight(const char *name)
{
	static const char *const without[] = { "JOBID",	  "PARTITION",
					       "USER",	  "ACCOUNT",
					       "QOSNAME", "PRIORITY",
					       "NICE" };

	for (size_t i = 0; i < sizeof(without) / sizeof(without[0]); i++) {
		if (strcmp(name, without[i]) == 0)
			return false;
	}
	return true;
}

/* Take the next word at *at as the weight of the column with this name. */
static int sprio_take_weight(struct eqt_sprio *pending, const char *name,
			     char **at)
{
	char *end;
	long long value = strtoll(*at, &end, 10);

	/* each TRES has its own weight, which its points include */
	if (strcmp(name, "TRES") == 0)
		return 0;
	if (end == *at || (*end != ' ' && *end != '\n' && *end != '\r'))
		return -1;
	*at = end;
	for (int i = 0; i < EQT_SPRIO_FACTORS; i++) {
		if (strcmp(factors[i].column, name) == 0)
			pending->weights[i] = value;
	}
	return 0;
}

/* Read the line of weights. The second of the two columns PARTITION has the points. */
static int sprio_parse_weights(struct eqt_sprio *pending,
			       struct eqt_listing *text)
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
			if (sprio_take_weight(pending, "PARTITION_2", &at) < 0)
				return -1;
		} else if (column_has_weight(name) &&
			   sprio_take_weight(pending, name, &at) < 0) {
			return -1;
		}
		partition = partition || strcmp(name, "PARTITION") == 0;
	}
	return 0;
}

/* Read the output of "sprio -wl", from sprio or from a file. */
static int sprio_read_weights(struct eqt_sprio *pending, const char *path,
			      struct eqt_error *err)
{
	struct eqt_listing text;
	int rc;

	if (eqt_listing_read(&text, path, "sprio -wl", err) < 0)
		return -1;
	rc = sprio_parse_weights(pending, &text);
	if (rc < 0)
		(void) eqt_error_set(err,
				     "%s: expected the output of \"sprio -wl\"",
				     text.name);
	eqt_listing_free(&text);
	pending->weighted = rc == 0;
	return rc;
}

/* Read points and weights. Points from a file stay without weights if no file has
 * weights, because sprio's weights may be those of another site. */
static int sprio_load(struct eqt_sprio *pending, const char *jobs_path,
		      const char *weights_path, struct eqt_error *err)
{
	if (eqt_columns_read(&pending->table, EQT_COLUMNS_SPACES, jobs_path,
			     "sprio -l", err) < 0 ||
	    sprio_read_jobs(pending, err) < 0)
		return -1;
	if (jobs_path && !weights_path)
		return 0;
	return sprio_read_weights(pending, weights_path, err);
}

int eqt_sprio_read(struct eqt_sprio *out, const char *jobs_path,
		   const char *weights_path, struct eqt_error *err)
{
	*out = (struct eqt_sprio){ .count = 0 };
	if (sprio_load(out, jobs_path, weights_path, err) < 0) {
		eqt_sprio_free(out);
		return -1;
	}
	return 0;
}

void eqt_sprio_free(struct eqt_sprio *pending)
{
	free(pending->jobs);
	eqt_columns_free(&pending->table);
	*pending = (struct eqt_sprio){ .count = 0 };
}
