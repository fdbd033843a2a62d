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
#include "usage/jobs.h"

/* What all lists are added with. */
struct job_lists {
	struct eqt_year_sum *sum;
	const struct eqt_year_period *period;
	const struct eqt_year_options *options;
	const struct eqt_conf *conf;
	struct eqt_year_rates *rates;
	unsigned int needed; /* columns */
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

static int lists_ask_month(const struct job_lists *lists,
			   const struct eqt_year_slice *slice,
			   struct eqt_error *err)
{
	struct eqt_error why;
	char command[512];

	/*
	 * Times in seconds depend neither on locale nor on zone. States select
	 * jobs by when they ran; without them sacct selects by when a job
	 * became eligible, which a hold of a running job resets.
	 */
	(void) snprintf(
		command, sizeof(command),
		"SLURM_TIME_FORMAT=%%s sacct -aXDP --noconvert "
		"-s R,S "
		"-S uts%" PRId64 " -E uts%" PRId64 " -o " EQT_SACCT_FORMAT
		"%s%s",
		slice->from_s, slice->until_s,
		lists->needed & EQT_SACCT_BIT(EQT_SACCT_COMMENT) ? ",Comment"
								 : "",
		lists->needed & EQT_SACCT_BIT(EQT_SACCT_WCKEY) ? ",WCKey" : "");
	if (lists_add(lists, NULL, command, slice, &why) < 0)
		return eqt_error_set(
			err, "%.450s; without slurmdbd there is no past usage",
			why.text);
	return 0;
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
		rc = lists_ask_month(lists, &slice, err);
		eqt_progress_update(&progress,
				    (size_t) (slice.until_s - period->from_s));
	}
	eqt_progress_end(&progress);
	return rc;
}

int eqt_year_jobs_add(struct eqt_year_sum *sum,
		      const struct eqt_year_period *period,
		      const struct eqt_year_options *options,
		      const struct eqt_job_pricer *pricer,
		      struct eqt_error *err)
{
	struct job_lists lists = { sum,
				   period,
				   options,
				   pricer->conf,
				   eqt_year_rates_new(pricer),
				   EQT_SACCT_RUNS };
	size_t i;
	int rc;

	if (!lists.rates)
		return eqt_error_set(err, "out of memory");
	for (i = 0; i < options->key_count; i++)
		lists.needed |= eqt_year_key_needs(options->keys[i]);
	/* Only saved lists may overlap; sacct is asked for disjoint months. */
	rc = options->job_files > 0 ? lists_add_saved(&lists, err)
				    : lists_ask_sacct(&lists, err);
	eqt_year_rates_free(lists.rates);
	return rc;
}
