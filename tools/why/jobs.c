/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Points are those that sprio prints. Percentages are computed from the positive points,
 * because nice values may be negative. Jobs of equal priority share a place.
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "why/why.h"
#include "cli/table.h"
#include "cli/json.h"
#include "cli/print.h"

#define BAR 24

/* The place of a job among the pending jobs, and the number of those jobs. The first
 * place is 1. Jobs of equal priority share a place. */
struct rank {
	size_t place;
	size_t of;
};

/* The rank of a job in a partition, or among all jobs if partition is NULL. */
static struct rank job_rank(const struct eqt_sprio *pending,
			    const struct eqt_sprio_job *job,
			    const char *partition)
{
	struct rank rank = { 1, 0 };

	for (size_t i = 0; i < pending->count; i++) {
		const struct eqt_sprio_job *other = &pending->jobs[i];

		if (partition && strcmp(other->partition, partition) != 0)
			continue;
		rank.of++;
		rank.place += other->priority > job->priority;
	}
	return rank;
}

/* The part of all positive points that comes from a factor, from 0 to 1. */
static double job_points_part(const struct eqt_sprio_job *job, int factor)
{
	double all = 0;

	for (int i = 0; i < EQT_SPRIO_FACTORS; i++) {
		if (job->points[i] > 0)
			all += (double) job->points[i];
	}
	return job->points[factor] > 0 ? (double) job->points[factor] / all : 0;
}

/* The value of a factor, from 0 to 1, is its points divided by its weight. sprio -l
 * prints the points, and sprio -wl the weights. The site factor has neither a weight nor
 * a value. */
static void factor_fill_row(struct libscols_line *line,
			    const struct eqt_sprio *pending,
			    const struct eqt_sprio_job *job, int factor)
{
	int64_t weight = pending->weights[factor];
	int64_t points = job->points[factor];
	char text[EQT_TABLE_CELL] = "";

	eqt_table_cell(line, 0,
		       eqt_sprio_factor_name((enum eqt_sprio_factor) factor));
	if (weight != 0 && factor != EQT_SPRIO_SITE) {
		eqt_table_cell_print(line, 1, "%" PRId64, weight);
		eqt_table_cell_print(line, 2, "%.6f",
				     (double) points / (double) weight);
	}
	(void) snprintf(text, sizeof(text), "%" PRId64, points);
	eqt_table_cell_set(line, 3, text,
			   points < 0 ? EQT_COLOUR_BAD : EQT_COLOUR_NONE);
	if (points <= 0)
		return;
	eqt_table_cell_print(line, 4, "%.1f %%",
			     job_points_part(job, factor) * 100);
	(void) snprintf(text, sizeof(text), "%.*s",
			(int) (job_points_part(job, factor) * BAR + 0.5),
			"########################");
	eqt_table_cell_set(line, 5, text, EQT_COLOUR_GOOD);
}

/* Print a sentence such as "Fair share gives 95.2 % of the points, age 4.8 %." */
static void job_print_sentence(const struct eqt_sprio_job *job)
{
	char text[EQT_SPRIO_FACTORS * 64] = "";

	for (int i = 0; i < EQT_SPRIO_FACTORS; i++) {
		if (job->points[i] <= 0)
			continue;
		eqt_print_append(
			text, sizeof(text), "%s%s %s%.1f %%%s",
			text[0] ? ", " : "",
			eqt_sprio_factor_name((enum eqt_sprio_factor) i),
			text[0] ? "" : "gives ", job_points_part(job, i) * 100,
			text[0] ? "" : " of the points");
	}
	if (text[0] == '\0')
		(void) snprintf(text, sizeof(text),
				"no factor gives any points");
	text[0] = (char) toupper((unsigned char) text[0]);
	eqt_print_wrapped(text);
	puts(".");
}

/* Print the place of a job, and a table of the factors of its priority. */
static void job_print(const struct eqt_sprio *pending,
		      const struct eqt_sprio_job *job)
{
	struct libscols_table *table =
		eqt_table_new("FACTOR|>WEIGHT|>VALUE|>POINTS|>SHARE", true);
	struct rank here = job_rank(pending, job, job->partition);
	struct rank all = job_rank(pending, job, NULL);

	eqt_table_column(table, "", 0);
	printf("Job %s of %s in partition %s has priority %" PRId64 ":\n"
	       "place %zu of %zu pending there, %zu of %zu in all.\n",
	       job->id, job->user, job->partition, job->priority, here.place,
	       here.of, all.place, all.of);
	job_print_sentence(job);
	for (int i = 0; i < EQT_SPRIO_FACTORS; i++) {
		if (job->points[i] == 0 &&
		    (pending->weights[i] == 0 || i == EQT_SPRIO_SITE))
			continue;
		factor_fill_row(eqt_table_line(table, NULL), pending, job, i);
	}
	eqt_table_print(table);
}

/* The place and the factors of a job as JSON. Weights are null if a saved list of jobs
 * has none. */
static json_object *job_json(const struct eqt_sprio *pending,
			     const struct eqt_sprio_job *job)
{
	json_object *object = json_object_new_object();
	json_object *factors = json_object_new_object(), *one;
	struct rank here = job_rank(pending, job, job->partition);
	struct rank all = job_rank(pending, job, NULL);

	eqt_json_add(object, "job", job->id);
	eqt_json_add(object, "partition", job->partition);
	eqt_json_add(object, "user", job->user);
	eqt_json_add(object, "priority", job->priority);
	eqt_json_add(object, "place", here.place);
	eqt_json_add(object, "pending", here.of);
	eqt_json_add(object, "place_in_all", all.place);
	eqt_json_add(object, "pending_in_all", all.of);
	for (int i = 0; i < EQT_SPRIO_FACTORS; i++) {
		one = json_object_new_object();
		eqt_json_add(one, "points", job->points[i]);
		eqt_json_add(one, "weight",
			     pending->weighted ? json_object_new_int64(
							 pending->weights[i])
					       : NULL);
		eqt_json_add(one, "share", job_points_part(job, i));
		eqt_json_add(factors,
			     eqt_sprio_factor_name((enum eqt_sprio_factor) i),
			     one);
	}
	eqt_json_add(object, "factors", factors);
	return object;
}

/* The next row of a job, from *from on. */
static const struct eqt_sprio_job *job_next_row(const struct eqt_sprio *pending,
						const char *id, size_t *from)
{
	while (*from < pending->count) {
		const struct eqt_sprio_job *job = &pending->jobs[(*from)++];

		if (strcmp(job->id, id) == 0)
			return job;
	}
	return NULL;
}

/* The row of a job in a partition. If there is none, the row with the highest
 * priority. */
static const struct eqt_sprio_job *job_best_row(const struct eqt_sprio *pending,
						const char *id,
						const char *partition)
{
	const struct eqt_sprio_job *best = NULL, *job;
	size_t from = 0;

	while ((job = job_next_row(pending, id, &from))) {
		if (partition && strcmp(job->partition, partition) == 0)
			return job;
		if (!best || job->priority > best->priority)
			best = job;
	}
	return best;
}

/* A row of each of the two jobs that are compared. The job that goes first comes
 * first. */
struct couple {
	const struct eqt_sprio_job *first;
	const struct eqt_sprio_job *second;
};

/*
 * Choose the rows to compare. A job in several partitions has several rows. For the
 * second job the row in the partition of the first is taken, if there is one.
 */
static struct couple jobs_couple(const struct eqt_sprio *pending,
				 const char *const *ids)
{
	const struct eqt_sprio_job *a = job_best_row(pending, ids[0], NULL);
	const struct eqt_sprio_job *b =
		job_best_row(pending, ids[1], a->partition);

	return b->priority > a->priority ? (struct couple){ b, a }
					 : (struct couple){ a, b };
}

/* The fair-share points of both jobs have the same weight, so they compare like the
 * factors. */
int eqt_why_jobs_fairer(const struct eqt_sprio *pending, const char *const *ids)
{
	const struct couple couple = jobs_couple(pending, ids);
	const int64_t more = couple.first->points[EQT_SPRIO_FAIRSHARE] -
			     couple.second->points[EQT_SPRIO_FAIRSHARE];
	const int first = strcmp(couple.first->id, ids[0]) != 0;

	if (more == 0)
		return -1;
	return more > 0 ? first : !first;
}

/* Print which job goes first, by how many points, and the difference of each factor. */
static void print_difference(const struct eqt_sprio *pending,
			     const char *const *ids)
{
	const struct couple couple = jobs_couple(pending, ids);
	const struct eqt_sprio_job *a = couple.first, *b = couple.second;
	char text[EQT_SPRIO_FACTORS * 64 + 256];
	const char *before = "";

	if (a->priority == b->priority) {
		printf("\nJobs %s and %s have the same priority; the one "
		       "submitted first goes first.\n",
		       a->id, b->id);
		return;
	}
	(void) snprintf(text, sizeof(text),
			"\n%sJob %.64s goes before job %.64s%s by %" PRId64
			" points: ",
			eqt_colour(EQT_COLOUR_BOLD), a->id, b->id,
			eqt_colour(EQT_COLOUR_NONE), a->priority - b->priority);
	for (int i = 0; i < EQT_SPRIO_FACTORS; i++) {
		if (a->points[i] == b->points[i])
			continue;
		eqt_print_append(
			text, sizeof(text), "%s%s %+" PRId64, before,
			eqt_sprio_factor_name((enum eqt_sprio_factor) i),
			a->points[i] - b->points[i]);
		before = ", ";
	}
	eqt_print_wrapped(text);
	puts(".");
}

json_object *eqt_why_difference_json(const struct eqt_sprio *pending,
				     const char *const *ids)
{
	const struct couple couple = jobs_couple(pending, ids);
	const struct eqt_sprio_job *a = couple.first, *b = couple.second;
	json_object *object = json_object_new_object();
	json_object *points = json_object_new_object();

	for (int i = 0; i < EQT_SPRIO_FACTORS; i++)
		eqt_json_add(points,
			     eqt_sprio_factor_name((enum eqt_sprio_factor) i),
			     a->points[i] - b->points[i]);
	eqt_json_add(object, "first",
		     a->priority == b->priority ? NULL : a->id);
	eqt_json_add(object, "priority", a->priority - b->priority);
	eqt_json_add(object, "points", points);
	return object;
}

/* Waiting tasks of an array share one row in sprio. */
int eqt_why_jobs_known(const struct eqt_sprio *pending, const char *const *ids,
		       int count, struct eqt_error *err)
{
	for (int i = 0; i < count; i++) {
		size_t array = strcspn(ids[i], "_");

		if (job_best_row(pending, ids[i], NULL))
			continue;
		if (ids[i][array] == '\0')
			return eqt_error_set(err, "%s: no pending job %s",
					     pending->table.text.name, ids[i]);
		return eqt_error_set(err,
				     "%s: no pending job %s; tasks of an array "
				     "wait together, as job %.*s",
				     pending->table.text.name, ids[i],
				     (int) array, ids[i]);
	}
	return 0;
}

/* One row per job and partition, as in sprio. */
json_object *eqt_why_jobs_json(const struct eqt_sprio *pending,
			       const char *const *ids, int count)
{
	json_object *array = json_object_new_array();
	const struct eqt_sprio_job *job;

	for (int i = 0; i < count; i++) {
		for (size_t from = 0;
		     (job = job_next_row(pending, ids[i], &from));)
			eqt_json_append(array, job_json(pending, job));
	}
	return array;
}

void eqt_why_jobs(const struct eqt_sprio *pending, const char *const *ids,
		  int count)
{
	const struct eqt_sprio_job *job;
	bool first = true;

	for (int i = 0; i < count; i++) {
		for (size_t from = 0;
		     (job = job_next_row(pending, ids[i], &from));
		     first = false) {
			if (!first)
				putchar('\n');
			job_print(pending, job);
		}
	}
	if (count == 2)
		print_difference(pending, ids);
}
