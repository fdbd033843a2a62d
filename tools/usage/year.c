/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An allocation year: its jobs, priced, beside what accounts may use. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/output_options.h"
#include "slurm/conf/site_conf.h"
#include "usage/jobs.h"
#include "usage/usage.h"

#define SMALL_YEARS 0.01L /* 88 hours of a year */

/* The shares of all accounts and users below the root. With --share-years each share is
 * an allocation of so many years, and the cluster is the sum of those on the top level. */
static double shares_sum_top(const struct eqt_sshare *shares)
{
	double sum = 0;
	uint32_t i;

	for (i = 1; i < shares->count; i++) {
		if (shares->assocs[i].parent == 0 &&
		    !shares->assocs[i].parent_shares)
			sum += shares->assocs[i].shares;
	}
	return sum;
}

/* In years of one core or GPU, before it is divided among accounts. What the operator
 * says overrides what the nodes have. */
static int year_size_cluster(struct eqt_year_basis *basis,
			     const struct eqt_year_options *options,
			     const struct eqt_job_pricer *pricer,
			     struct eqt_error *err)
{
	if (options->share_years) {
		basis->capacity[EQT_YEAR_CORE] = (double) options->share_years *
						 shares_sum_top(basis->shares);
		basis->capacity[EQT_YEAR_GPU] = basis->capacity[EQT_YEAR_RGU] =
			NAN;
		return 0;
	}
	if (!pricer->nodes && !options->cores && !options->gpus)
		return eqt_error_set(
			err,
			"--assocs: expected the cluster's size: --nodes, or "
			"--cores and --gpus");
	eqt_year_capacity(basis->capacity, pricer);
	if (options->cores)
		basis->capacity[EQT_YEAR_CORE] = (double) options->cores;
	if (options->gpus)
		basis->capacity[EQT_YEAR_GPU] = basis->capacity[EQT_YEAR_RGU] =
			(double) options->gpus;
	return 0;
}

/* Targets of all clusters together cannot be divided among lines of each. */
static int year_check_cluster(const struct eqt_year *usage,
			      struct eqt_error *err)
{
	size_t i;

	for (i = 0; i < usage->sum.key_count; i++) {
		if (usage->sum.keys[i] == EQT_YEAR_BY_CLUSTER &&
		    usage->targets.cluster == EQT_COLUMNS_NONE)
			return eqt_error_set(
				err,
				"%s: line %zu: --by=cluster needs a column "
				"Cluster",
				usage->targets.table.text.name,
				usage->targets.table.lines[0]);
	}
	return 0;
}

/* Targets override shares; with both, the tree is printed with the targets. */
static int year_make_lines(struct eqt_year *usage,
			   const struct eqt_year_options *options,
			   const struct eqt_job_pricer *pricer,
			   struct eqt_error *err)
{
	const struct eqt_sshare_options how = { .path = options->assocs };
	struct eqt_year_basis basis = { .sum = &usage->sum,
					.pools = &pricer->conf->pools };

	if (options->targets) {
		if (eqt_year_targets_read(&usage->targets, options->targets,
					  err) < 0)
			return -1;
		basis.targets = &usage->targets;
		if (year_check_cluster(usage, err) < 0)
			return -1;
	}
	if (options->shares) {
		if (eqt_sshare_read(&usage->shares, &how, err) < 0)
			return -1;
		basis.shares = &usage->shares;
		if (!options->targets &&
		    year_size_cluster(&basis, options, pricer, err) < 0)
			return -1;
	}
	usage->allocations = options->targets || options->shares;
	return eqt_year_lines_make(&usage->lines, &basis) < 0
		       ? eqt_error_set(err, "out of memory")
		       : 0;
}

/* Is a year too large a unit, so that hours say more? */
static bool lines_are_small(const struct eqt_year *usage)
{
	const long double year =
		(long double) (usage->period.until_s - usage->period.from_s);
	bool any = false;
	size_t i;
	int unit;

	for (i = 0; i < usage->lines.count; i++) {
		const struct eqt_year_line *line = &usage->lines.line[i];

		for (unit = EQT_YEAR_CORE; unit <= EQT_YEAR_RGU; unit++) {
			if (line->used[unit] >= SMALL_YEARS * year ||
			    line->allocated[unit] >= (double) SMALL_YEARS)
				return false;
			any = any || line->used[unit] > 0;
		}
	}
	return any;
}

/* The pricer borrows nodes and conf. */
static int year_compute(struct eqt_year *usage,
			const struct eqt_year_options *options,
			const struct eqt_job_pricer *pricer,
			struct eqt_error *err)
{
	usage->weights = eqt_year_has_weights(&pricer->conf->prices);
	eqt_year_unit_names_make(&usage->names, &pricer->conf->prices,
				 usage->weights);
	usage->raw = options->raw;
	if (eqt_year_period_make(&usage->period, options->year_start,
				 (int) options->year, options->year_end_s,
				 options->now_s, err) < 0 ||
	    eqt_year_jobs_add(&usage->sum, &usage->period, options, pricer,
			      err) < 0)
		return -1;
	if (options->titles &&
	    eqt_year_titles_read(&usage->titles, options->titles, err) < 0)
		return -1;
	if (year_make_lines(usage, options, pricer, err) < 0)
		return -1;
	usage->hours = options->unit
			       ? strcmp(options->unit, "hours") == 0
			       : !eqt_output_csv() && lines_are_small(usage);
	return 0;
}

int eqt_year_make(struct eqt_year *usage,
		  const struct eqt_year_options *options, struct eqt_error *err)
{
	struct eqt_job_pricer pricer = { .threads = options->threads };
	int rc = 0;

	*usage = (struct eqt_year){ .allocations = false };
	usage->conf = eqt_site_conf_open(options->conf);
	if (!usage->conf)
		return eqt_error_set(
			err, "there are no prices without equitree.conf");
	pricer.conf = usage->conf;
	/* Saved jobs and live nodes may belong to two clusters. */
	if (options->nodes || options->job_files == 0) {
		rc = eqt_scontrol_nodes_read(&usage->nodes, options->nodes,
					     err);
		pricer.nodes = &usage->nodes;
		if (rc == 0 && !pricer.threads)
			pricer.threads = eqt_year_threads(&usage->nodes);
	}
	if (rc == 0 && !options->reprice)
		rc = eqt_pricer_billed(&pricer, options->job_files == 0, err);
	return rc == 0 ? year_compute(usage, options, &pricer, err) : -1;
}

void eqt_year_free(struct eqt_year *usage)
{
	free(usage->lines.line);
	eqt_year_targets_free(&usage->targets);
	eqt_year_titles_free(&usage->titles);
	eqt_sshare_free(&usage->shares);
	eqt_year_sum_free(&usage->sum);
	eqt_scontrol_nodes_free(&usage->nodes);
	eqt_conf_free(usage->conf);
	*usage = (struct eqt_year){ .allocations = false };
}
