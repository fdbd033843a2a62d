/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lists are read in one pass; memory holds the sums and never the jobs. sacct
 * lists the runs of a job together, so within one list only those of the
 * present job are kept, to find duplicates. Lists in another order, and several
 * lists, are read with a set of all runs.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/progress.h"
#include "cli/site_conf.h"
#include "usage/cache.h"
#include "usage/jobs.h"

/* A day is finished this long after its end. Jobs that ended have reached slurmdbd
 * then, if slurmctld has no unsent records. */
#define SETTLE_S 3600

/* What all lists are added with. */
struct job_lists {
	struct eqt_year_sum *sum;
	const struct eqt_year_period *period;
	const struct eqt_year_options *options;
	const struct eqt_conf *conf;
	struct eqt_year_rates *rates;
	unsigned int needed; /* columns */
	char command[512]; /* of sacct */
};

/* A list may be read twice, so the callback hears of each beginning. */
static void lists_begin(struct job_lists *lists, enum eqt_year_runs_check check)
{
	struct eqt_year_sum *sum = lists->sum;

	eqt_year_sum_free(sum);
	if (lists->options->each)
		(void) lists->options->each(lists->options->with, NULL);
	memcpy(sum->keys, lists->options->keys, sizeof(sum->keys));
	sum->key_count = lists->options->key_count;
	sum->runs.check = check;
	sum->each = lists->options->each;
	sum->each_run = lists->options->each_run;
	sum->with = lists->options->with;
}

/* As eqt_year_sum_add(), of a file or of what a command prints. */
static int lists_add(const struct job_lists *lists, const char *path,
		     const char *command, const struct eqt_year_slice *slice,
		     struct eqt_error *err)
{
	struct eqt_sacct_reader sacct;
	int rc;

	if (eqt_sacct_reader_open(&sacct, path, command, lists->needed, err) <
	    0)
		return -1;
	rc = eqt_year_sum_add(lists->sum, &sacct, lists->rates, lists->conf,
			      slice, err);
	if (rc != 0)
		(void) eqt_sacct_reader_close(&sacct, NULL);
	else
		rc = eqt_sacct_reader_close(&sacct, err);
	return rc;
}

/* ---- Saved lists ---------------------------------------------------------- */

/* Each file is cut to the period: saved lists have other jobs as well. */
static int lists_add_files(const struct job_lists *lists, struct eqt_error *err)
{
	const struct eqt_year_slice all = { .from_s = lists->period->from_s,
					    .until_s = lists->period->seen_s,
					    .first = true };
	int rc = 0;
	size_t i;

	for (i = 0; i < lists->options->job_files && rc == 0; i++)
		rc = lists_add(lists, lists->options->jobs[i], NULL, &all, err);
	return rc;
}

/* One list is tried in the order of sacct first. Standard input cannot be read
 * a second time. */
static int lists_add_saved(struct job_lists *lists, struct eqt_error *err)
{
	struct eqt_error order;
	int rc;

	if (lists->options->job_files == 1) {
		lists_begin(lists, EQT_YEAR_RUNS_ORDER);
		rc = lists_add_files(lists, err);
		if (rc <= 0)
			return rc;
		order = *err;
		if (strcmp(lists->options->jobs[0], "-") == 0)
			return eqt_error_set(err,
					     "%.400s; save the list to a file",
					     order.text);
	}
	lists_begin(lists, EQT_YEAR_RUNS_ALL);
	return lists_add_files(lists, err);
}

/* ---- sacct ---------------------------------------------------------------- */

/*
 * Times in seconds depend neither on locale nor on zone. States select jobs by when
 * they ran; without them sacct selects by when a job became eligible, which a hold of a
 * running job resets. -a: of all users; -X: no steps; -D: all runs of a requeued job;
 * --noconvert: exact memory.
 */
static void lists_write_command(struct job_lists *lists, int64_t from_s,
				int64_t until_s)
{
	(void) snprintf(
		lists->command, sizeof(lists->command),
		"SLURM_TIME_FORMAT=%%s sacct -aXDP --noconvert "
		"-s R,S "
		"-S uts%" PRId64 " -E uts%" PRId64 " -o " EQT_SACCT_FORMAT
		"%s%s",
		from_s, until_s,
		lists->needed & EQT_SACCT_BIT(EQT_SACCT_COMMENT) ? ",Comment"
								 : "",
		lists->needed & EQT_SACCT_BIT(EQT_SACCT_WCKEY) ? ",WCKey" : "");
}

/* sacct fails as well when slurmdbd is not reachable, so the error says what that
 * means. */
static int lists_ask_error(const struct eqt_error *why, struct eqt_error *err)
{
	return eqt_error_set(err,
			     "%.450s; without slurmdbd there is no past usage",
			     why->text);
}

/* Add the jobs that ran between two times, cut to the slice. */
static int lists_ask(struct job_lists *lists, int64_t from_s, int64_t until_s,
		     const struct eqt_year_slice *slice, struct eqt_error *err)
{
	struct eqt_error why;

	lists_write_command(lists, from_s, until_s);
	return lists_add(lists, NULL, lists->command, slice, &why) < 0
		       ? lists_ask_error(&why, err)
		       : 0;
}

/* Ask month by month: neither sacct nor memory holds a whole year. */
static int lists_ask_sacct(struct job_lists *lists, struct eqt_error *err)
{
	const struct eqt_year_period *period = lists->period;
	struct eqt_year_slice slice = { .from_s = period->from_s,
					.first = true };
	const int64_t all_s = period->seen_s - slice.from_s;
	struct eqt_progress progress;
	char month[EQT_YEAR_TEXT];
	int rc = 0;

	lists_begin(lists, EQT_YEAR_RUNS_NONE);
	eqt_progress_begin(&progress, "sacct", all_s > 0 ? (size_t) all_s : 0);
	for (; rc == 0 && slice.from_s < period->seen_s;
	     slice.from_s = slice.until_s, slice.first = false) {
		slice.until_s = eqt_year_month(slice.from_s, month);
		if (slice.until_s > period->seen_s)
			slice.until_s = period->seen_s;
		rc = lists_ask(lists, slice.from_s, slice.until_s, &slice, err);
		eqt_progress_update(&progress,
				    (size_t) (slice.until_s - period->from_s));
	}
	eqt_progress_end(&progress);
	return rc;
}

/* ---- Finished days -------------------------------------------------------- */

/* As eqt_year_day_read(), of sacct. */
static int lists_ask_day(struct job_lists *lists, struct eqt_year_day *day,
			 struct eqt_error *err)
{
	struct eqt_sacct_reader sacct;
	struct eqt_error why;
	int rc;

	lists_write_command(lists, day->from_s, day->until_s);
	if (eqt_sacct_reader_open(&sacct, NULL, lists->command, lists->needed,
				  &why) < 0)
		return lists_ask_error(&why, err);
	rc = eqt_year_day_read(day, &sacct, lists->rates, lists->conf, &why);
	if (rc != 0)
		(void) eqt_sacct_reader_close(&sacct, NULL);
	else
		rc = eqt_sacct_reader_close(&sacct, &why);
	return rc < 0 ? lists_ask_error(&why, err) : rc;
}

/* Add a finished day as it is kept; else ask for it, and keep it if that is possible. */
static int lists_add_day(struct job_lists *lists, struct eqt_year_cache *cache,
			 struct eqt_year_day *day, struct eqt_error *err)
{
	const struct eqt_year_slice alone = {
		.from_s = lists->period->from_s,
		.until_s = day->until_s,
		.first = true,
		.ended_s = day->from_s,
		.end_by_s = day->until_s,
	};
	int rc = eqt_year_cache_get(cache, day, err);

	if (rc < 0)
		return -1;
	if (rc == 0) {
		day->columns = cache->columns;
		/* Before sacct: records that come later are not lacking. */
		(void) eqt_year_cache_is_open(cache);
		rc = lists_ask_day(lists, day, err);
		if (rc < 0)
			return -1;
		if (rc > 0)
			return lists_ask(lists, day->from_s, day->until_s,
					 &alone, err);
		eqt_year_cache_put(cache, day);
	}
	return eqt_year_day_add(day, lists->sum, lists->conf,
				lists->period->from_s, err);
}

/* Add all finished days; *end_s becomes the end of the last. */
static int lists_add_days(struct job_lists *lists, struct eqt_year_cache *cache,
			  int64_t *end_s, struct eqt_error *err)
{
	const struct eqt_year_period *period = lists->period;
	const int64_t settled_s = lists->options->clock_s - SETTLE_S;
	struct eqt_year_day day = { .from_s = period->from_s };
	struct eqt_progress progress;
	char text[EQT_YEAR_TEXT];
	int rc = 0;

	*end_s = period->from_s;
	eqt_progress_begin(&progress, "sacct",
			   (size_t) (period->seen_s - period->from_s));
	while (rc == 0) {
		day.from_s = *end_s;
		day.until_s = eqt_year_day(day.from_s, text);
		if (day.until_s > period->seen_s || day.until_s > settled_s)
			break;
		*end_s = day.until_s;
		rc = lists_add_day(lists, cache, &day, err);
		eqt_year_day_free(&day);
		eqt_progress_update(&progress,
				    (size_t) (*end_s - period->from_s));
	}
	eqt_progress_end(&progress);
	return rc;
}

/* What the files of days must have. Days that were kept without the columns that are
 * wanted now are read again. */
static unsigned int lists_columns(const struct job_lists *lists)
{
	const unsigned int texts = EQT_SACCT_BIT(EQT_SACCT_COMMENT) |
				   EQT_SACCT_BIT(EQT_SACCT_WCKEY);

	return (lists->needed & texts) |
	       (lists->options->each_run ? EQT_YEAR_DAY_LAST : 0);
}

/* The days that are finished, and then the jobs that ended later or run. */
static int lists_ask_cached(struct job_lists *lists,
			    const struct eqt_job_pricer *pricer,
			    struct eqt_error *err)
{
	const struct eqt_year_period *period = lists->period;
	struct eqt_year_slice rest = { .from_s = period->from_s,
				       .until_s = period->seen_s,
				       .first = true };
	struct eqt_year_cache cache;
	char beside[PATH_MAX];
	int64_t from_s;

	if (eqt_year_cache_open(&cache, lists->options->cache,
				eqt_site_conf_path(lists->options->conf,
						   beside),
				lists_columns(lists), pricer, err) < 0)
		return -1;
	lists_begin(lists, EQT_YEAR_RUNS_NONE);
	if (lists_add_days(lists, &cache, &rest.ended_s, err) < 0)
		return -1;
	/* Jobs that ended after the period ran at its end. */
	from_s = rest.ended_s < period->seen_s ? rest.ended_s
					       : period->seen_s - 1;
	return lists_ask(lists, from_s, period->seen_s, &rest, err);
}

/* ---- All jobs ------------------------------------------------------------- */

/* Prices come from the pricer, which reads neither jobs nor the clock. */
static int lists_add_jobs(struct job_lists *lists,
			  const struct eqt_job_pricer *pricer,
			  struct eqt_error *err)
{
	if (lists->options->job_files > 0)
		return lists_add_saved(lists, err);
	/* Only saved lists may overlap; sacct is asked for disjoint periods. */
	return lists->options->cache ? lists_ask_cached(lists, pricer, err)
				     : lists_ask_sacct(lists, err);
}

int eqt_year_jobs_add(struct eqt_year_sum *sum,
		      const struct eqt_year_period *period,
		      const struct eqt_year_options *options,
		      const struct eqt_job_pricer *pricer,
		      struct eqt_error *err)
{
	struct job_lists lists = { .sum = sum,
				   .period = period,
				   .options = options,
				   .conf = pricer->conf,
				   .rates = eqt_year_rates_new(pricer),
				   .needed = EQT_SACCT_RUNS };
	size_t i;
	int rc;

	if (!lists.rates)
		return eqt_error_set(err, "out of memory");
	for (i = 0; i < options->key_count; i++)
		lists.needed |= eqt_year_key_needs(options->keys[i]);
	rc = lists_add_jobs(&lists, pricer, err);
	eqt_year_rates_free(lists.rates);
	return rc;
}
