/* SPDX-License-Identifier: GPL-2.0-or-later */
/* equitree usage: core-years and GPU-years of an allocation year. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli/cmd.h"
#include "cli/site_conf.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "slurm/timestamp.h"
#include "usage/usage.h"
#include "cli/failure.h"

#define FILES_MAX 64
#define COUNT_MAX 999999999

struct usage_options {
	const char *jobs[FILES_MAX];
	size_t job_files;
	const char *conf;
	const char *year_start;
	int64_t now_s;
	bool shares;
	const char *assocs; /* NULL: run sshare */
	const char *targets;
	const char *nodes;
	uint64_t year, cores, gpus, threads;
	enum eqt_year_key keys[EQT_YEAR_KEYS_MAX];
	size_t key_count;
	struct eqt_output_options common;
};

/* ---- Options -------------------------------------------------------------- */

static int usage_take_keys(void *into, const char *arg, struct eqt_error *err)
{
	struct usage_options *options = into;
	size_t length;

	options->key_count = 0;
	for (;; arg += length + 1) {
		enum eqt_year_key key;

		length = strcspn(arg, ",");
		key = eqt_year_key_find(arg, length);
		if (key == EQT_YEAR_KEYS ||
		    options->key_count == EQT_YEAR_KEYS_MAX)
			return eqt_error_set(
				err,
				"\"%.64s\": expected at most three of account, "
				"project, "
				"submitter, month, partition, qos and cluster",
				arg);
		options->keys[options->key_count++] = key;
		if (arg[length] == '\0')
			return 0;
	}
}

static int usage_take_jobs(void *into, const char *path, struct eqt_error *err)
{
	struct usage_options *options = into;

	if (options->job_files == FILES_MAX)
		return eqt_error_set(err, "more than %d files", FILES_MAX);
	options->jobs[options->job_files++] = path;
	return 0;
}

static int usage_take_now(void *into, const char *arg, struct eqt_error *err)
{
	struct usage_options *options = into;

	return eqt_timestamp_option(&options->now_s, arg, err);
}

static int usage_take_assocs(void *into, const char *path,
			     struct eqt_error *err)
{
	struct usage_options *options = into;

	(void) err;
	options->shares = true;
	options->assocs = path;
	return 0;
}

static int usage_check_options(void *into, struct eqt_error *err)
{
	const struct usage_options *options = into;
	bool sole = options->key_count == 1;

	if ((options->shares &&
	     !(sole && options->keys[0] == EQT_YEAR_BY_ACCOUNT)))
		return eqt_error_set(err, "--assocs needs --by=account");
	if (options->targets &&
	    !(sole && options->keys[0] <= EQT_YEAR_BY_PROJECT))
		return eqt_error_set(err,
				     "--targets needs --by=account or project");
	if (options->year && options->year < 1971)
		return eqt_error_set(err,
				     "--year: \"%" PRIu64 "\": expected a year",
				     options->year);
	return 0;
}

static const struct eqt_option options_table[] = {
	{ "by", 0, "KEY[,KEY]",
	  "one line per account (the default), project, submitter, "
	  "month, partition, qos or cluster",
	  0, EQT_TAKEN_BY(usage_take_keys) },
	{ "year", 0, "YEAR",
	  "the allocation year that began then, instead of the "
	  "current one",
	  0, EQT_NUMBER_AT(struct usage_options, year, 2200) },
	{ "year-start", 0, "MM-DD",
	  "the first day of allocation years; default 04-01", 0,
	  EQT_TEXT_AT(struct usage_options, year_start) },
	{ "targets", 0, "FILE",
	  "the targets of accounts: lines "
	  "\"Account|CoreYears|GPUYears\"",
	  0, EQT_TEXT_AT(struct usage_options, targets) },
	{ "assocs", 0, "FILE",
	  "allocations by shares, and the tree: what \"sshare -alP\" "
	  "printed; run by default",
	  0, EQT_OPTION_TAKE, 0, 0, true, usage_take_assocs },
	{ "jobs", 0, "FILE",
	  "read what \"sacct -aXDP --noconvert -s R,S\" printed (-: "
	  "stdin); may be repeated",
	  0, EQT_TAKEN_BY(usage_take_jobs) },
	{ "nodes", 0, "FILE",
	  "the nodes of the jobs: what \"scontrol -o show node\" "
	  "printed",
	  0, EQT_TEXT_AT(struct usage_options, nodes) },
	{ "cores", 0, "N", "cores of the cluster, for --assocs", 0,
	  EQT_NUMBER_AT(struct usage_options, cores, COUNT_MAX) },
	{ "gpus", 0, "N", "GPUs of the cluster, for --assocs", 0,
	  EQT_NUMBER_AT(struct usage_options, gpus, COUNT_MAX) },
	{ "threads-per-core", 0, "N", "CPUs per core, instead of the nodes'", 0,
	  EQT_NUMBER_AT(struct usage_options, threads, COUNT_MAX) },
	{ "now", 0, "TIME",
	  "the present time: 2026-11-21 or 2026-11-21T12:00:00", 0,
	  EQT_TAKEN_BY(usage_take_now) },
	{ "file", 'f', "FILE",
	  "the equitree.conf to read, instead of the one beside "
	  "slurm.conf",
	  0, EQT_TEXT_AT(struct usage_options, conf) },
	{ 0 }
};

/* ---- Jobs ----------------------------------------------------------------- */

static int usage_add_file(struct eqt_year *usage, const char *path,
			  const struct eqt_job_pricer *pricer,
			  struct eqt_error *err)
{
	const struct eqt_year_slice all = { .from_s = usage->period.from_s,
					    .until_s = usage->period.seen_s,
					    .first = true };
	struct eqt_sacct sacct;
	int rc;

	if (eqt_sacct_read(&sacct, path, NULL, EQT_SACCT_RUNS, err) < 0)
		return -1;
	rc = eqt_year_sum_add(&usage->sum, &sacct, pricer, &all, err);
	eqt_sacct_free(&sacct);
	return rc;
}

static int usage_ask_month(struct eqt_year *usage,
			   const struct eqt_year_slice *slice,
			   const struct eqt_job_pricer *pricer,
			   struct eqt_error *err)
{
	struct eqt_sacct sacct;
	struct eqt_error why;
	char command[512];
	int rc;

	/*
	 * Times in seconds depend neither on locale nor on zone. States select
	 * jobs by when they ran; without them sacct selects by when a job
	 * became eligible, which a hold of a running job resets.
	 */
	(void) snprintf(command, sizeof(command),
			"SLURM_TIME_FORMAT=%%s sacct -aXDP --noconvert "
			"-s R,S "
			"-S uts%" PRId64 " -E uts%" PRId64
			" -o " EQT_SACCT_FORMAT,
			slice->from_s, slice->until_s);
	if (eqt_sacct_read(&sacct, NULL, command, EQT_SACCT_RUNS, &why) < 0)
		return eqt_error_set(
			err, "%.450s; without slurmdbd there is no past usage",
			why.text);
	rc = eqt_year_sum_add(&usage->sum, &sacct, pricer, slice, err);
	eqt_sacct_free(&sacct);
	return rc;
}

/* Ask month by month: neither sacct nor memory holds a whole year. */
static int usage_ask_sacct(struct eqt_year *usage,
			   const struct eqt_job_pricer *pricer,
			   struct eqt_error *err)
{
	struct eqt_year_slice slice = { .from_s = usage->period.from_s,
					.first = true };
	const int64_t all_s = usage->period.seen_s - slice.from_s;
	struct eqt_progress progress;
	char month[EQT_YEAR_TEXT];
	int rc = 0;

	eqt_progress_begin(&progress, "sacct", all_s > 0 ? (size_t) all_s : 0);
	for (; rc == 0 && slice.from_s < usage->period.seen_s;
	     slice.from_s = slice.until_s, slice.first = false) {
		slice.until_s = eqt_year_month(slice.from_s, month);
		if (slice.until_s > usage->period.seen_s)
			slice.until_s = usage->period.seen_s;
		rc = usage_ask_month(usage, &slice, pricer, err);
		eqt_progress_update(&progress, (size_t) (slice.until_s -
							 usage->period.from_s));
	}
	eqt_progress_end(&progress);
	return rc;
}

/* Only saved lists may overlap; sacct is asked for disjoint months. */
static int usage_add_jobs(struct eqt_year *usage,
			  const struct usage_options *options,
			  const struct eqt_job_pricer *pricer,
			  struct eqt_error *err)
{
	size_t i;

	memcpy(usage->sum.keys, options->keys, sizeof(usage->sum.keys));
	usage->sum.key_count = options->key_count;
	usage->sum.once = options->job_files > 0;
	if (options->job_files == 0)
		return usage_ask_sacct(usage, pricer, err);
	for (i = 0; i < options->job_files; i++) {
		if (usage_add_file(usage, options->jobs[i], pricer, err) < 0)
			return -1;
	}
	return 0;
}

/* ---- The rest ------------------------------------------------------------- */

static bool bundles_have_weights(const struct eqt_bundle_table *prices)
{
	uint32_t i;

	for (i = 0; i < prices->gpu_count; i++) {
		if (prices->gpu[i].weight_u != EQT_MICRO)
			return true;
	}
	return false;
}

static int usage_size_cluster(struct eqt_year_basis *basis,
			      const struct usage_options *options,
			      const struct eqt_job_pricer *pricer,
			      struct eqt_error *err)
{
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

/* Targets override shares; with both, the tree is printed with the targets. */
static int usage_make_lines(struct eqt_year *usage,
			    const struct usage_options *options,
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
	}
	if (options->shares) {
		if (eqt_sshare_read(&usage->shares, &how, err) < 0 ||
		    (!options->targets &&
		     usage_size_cluster(&basis, options, pricer, err) < 0))
			return -1;
		basis.shares = &usage->shares;
	}
	usage->allocations = options->targets || options->shares;
	return eqt_year_lines_make(&usage->lines, &basis) < 0
		       ? eqt_error_set(err, "out of memory")
		       : 0;
}

/* All but printing; the pricer borrows nodes and conf. */
static int usage_compute(struct eqt_year *usage,
			 const struct usage_options *options,
			 const struct eqt_job_pricer *pricer,
			 struct eqt_error *err)
{
	usage->weights = bundles_have_weights(&pricer->conf->prices);
	if (eqt_year_period_make(&usage->period, options->year_start,
				 (int) options->year, options->now_s,
				 err) < 0 ||
	    usage_add_jobs(usage, options, pricer, err) < 0)
		return -1;
	return usage_make_lines(usage, options, pricer, err);
}

static int usage_print(struct eqt_year *usage,
		       const struct usage_options *options,
		       struct eqt_error *err)
{
	if (options->common.json)
		eqt_year_json(usage);
	else if (eqt_year_show(usage, !options->common.no_headings) < 0)
		return eqt_error_set(err, "out of memory");
	return 0;
}

static int usage_run(const struct usage_options *options, struct eqt_error *err)
{
	struct eqt_job_pricer pricer = { .threads = options->threads };
	struct eqt_year usage = { .allocations = false };
	struct eqt_scontrol_nodes nodes = { .count = 0 };
	int rc = 0;

	pricer.conf = eqt_site_conf_open(options->conf);
	if (!pricer.conf)
		return eqt_error_set(
			err, "there are no prices without equitree.conf");
	/* Saved jobs and live nodes may belong to two clusters. */
	if (options->nodes || options->job_files == 0) {
		rc = eqt_scontrol_nodes_read(&nodes, options->nodes, err);
		pricer.nodes = &nodes;
		if (rc == 0 && !pricer.threads)
			pricer.threads = eqt_year_threads(&nodes);
	}
	if (rc == 0)
		rc = usage_compute(&usage, options, &pricer, err);
	if (rc == 0)
		rc = usage_print(&usage, options, err);
	free(usage.lines.line);
	eqt_year_targets_free(&usage.targets);
	eqt_sshare_free(&usage.shares);
	eqt_year_sum_free(&usage.sum);
	eqt_scontrol_nodes_free(&nodes);
	eqt_conf_free(pricer.conf);
	return rc;
}

int cmd_usage(int argc, char **argv)
{
	static const struct eqt_options_spec line = {
		.table = options_table,
		.common_at = offsetof(struct usage_options, common),
		.doc = "Print what accounts used in an allocation year, in the "
		       "scheduler's own units.\vA core-year is one "
		       "core-equivalent for the whole allocation year. "
		       "Projections assume that usage continues at its present "
		       "rate.",
		.check = usage_check_options,
	};
	struct usage_options options = { .year_start = "04-01",
					 .now_s = (int64_t) time(NULL),
					 .key_count = 1 };
	struct eqt_error err;

	if (eqt_options_parse(&line, argc, argv, &options) != 0)
		return EXIT_MISUSE;
	if (usage_run(&options, &err) == 0)
		return EXIT_SUCCESS;
	return eqt_failure_print("usage", &err);
}
