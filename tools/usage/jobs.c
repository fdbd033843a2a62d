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
#include "slurm/conf/site_conf.h"
#include "usage/jobs.h"
#include "usage/record.h"

/* What all lists are added with. */
struct job_lists {
	struct eqt_year_sum *sum;
	const struct eqt_year_period *period;
	const struct eqt_year_options *options;
	const struct eqt_conf *conf;
	struct eqt_year_rates *rates;
	unsigned int needed; /* columns */
	char record
		[EQT_CHARGES_FOLDER]; /* the folder of the record; "": none */
	int64_t begin_s; /* jobs that ended before are not in it; 0: no record */
	char command[512]; /* of sacct */
};

/* The record comes first. A list may be read twice, so the callback hears of each
 * beginning. */
static int lists_begin(struct job_lists *lists, enum eqt_year_runs_check check,
		       struct eqt_error *err)
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
	return lists->record[0] == '\0'
		       ? 0
		       : eqt_year_record_add(sum, &lists->begin_s,
					     lists->record, lists->period,
					     lists->conf, err);
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
					    .first = true,
					    .ended_by_s = lists->begin_s };
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
		if (lists_begin(lists, EQT_YEAR_RUNS_ORDER, err) < 0)
			return -1;
		rc = lists_add_files(lists, err);
		if (rc <= 0)
			return rc;
		order = *err;
		if (strcmp(lists->options->jobs[0], "-") == 0)
			return eqt_error_set(err,
					     "%.400s; save the list to a file",
					     order.text);
	}
	return lists_begin(lists, EQT_YEAR_RUNS_ALL, err) < 0
		       ? -1
		       : lists_add_files(lists, err);
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
					.first = true,
					.ended_by_s = lists->begin_s };
	const int64_t end_s = lists->begin_s && lists->begin_s < period->seen_s
				      ? lists->begin_s
				      : period->seen_s;
	const int64_t all_s = end_s - slice.from_s;
	struct eqt_progress progress;
	char month[EQT_YEAR_TEXT];
	int rc = 0;

	eqt_progress_begin(&progress, "sacct", all_s > 0 ? (size_t) all_s : 0);
	for (; rc == 0 && slice.from_s < end_s;
	     slice.from_s = slice.until_s, slice.first = false) {
		slice.until_s = eqt_year_month(slice.from_s, month);
		if (slice.until_s > end_s)
			slice.until_s = end_s;
		rc = lists_ask(lists, slice.from_s, slice.until_s, &slice, err);
		eqt_progress_update(&progress,
				    (size_t) (slice.until_s - period->from_s));
	}
	eqt_progress_end(&progress);
	return rc;
}

/* The record, and accounting for the jobs that ended before it begins. */
static int lists_ask_cluster(struct job_lists *lists, struct eqt_error *err)
{
	if (lists_begin(lists, EQT_YEAR_RUNS_NONE, err) < 0)
		return -1;
	return lists->begin_s && lists->begin_s <= lists->period->from_s
		       ? 0
		       : lists_ask_sacct(lists, err);
}

/* ---- All jobs ------------------------------------------------------------- */

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
	eqt_year_record_folder(lists.record, options, lists.conf);
	/* Only saved lists may overlap; sacct is asked for disjoint periods. */
	rc = options->job_files > 0 ? lists_add_saved(&lists, err)
				    : lists_ask_cluster(&lists, err);
	eqt_year_rates_free(lists.rates);
	return rc;
}
