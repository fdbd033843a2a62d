/* SPDX-License-Identifier: GPL-2.0-or-later */
/* equitree usage: core-years and GPU-years of an allocation year. */
#include <inttypes.h>
#include <string.h>
#include <time.h>

#include "cli/cmd.h"
#include "cli/print.h"
#include "proof/proof.h"
#include "usage/usage.h"
#include "base/amount.h"
#include "cli/plot.h"

/* ---- Options ------------------------------------------------------------------------
 * The command line of equitree usage. Options that contradict each other are refused
 * before anything is read, because a report of a year may need sacct for minutes. */

/* The largest number of cores, GPUs, threads and core-years. */
#define COUNT_MAX 999999999

/* The last --by counts and replaces the default. */
static int usage_take_keys(void *into, const char *arg, struct eqt_error *err)
{
	struct eqt_year_options *options = into;
	size_t length;

	options->key_count = 0;
	for (;; arg += length + 1) {
		enum eqt_year_key key;

		length = strcspn(arg, ",");
		key = eqt_sum_key_find(arg, length);
		if (key == EQT_YEAR_KEYS ||
		    options->key_count == EQT_YEAR_KEYS_MAX)
			return eqt_error_set(
				err,
				"\"%.64s\": expected at most three of account, "
				"project, submitter, month, day, partition, "
				"qos, cluster, comment and wckey",
				arg);
		options->keys[options->key_count++] = key;
		if (arg[length] == '\0')
			return 0;
	}
}

/* Several lists, such as one per month, may overlap, and then a job is in two of
 * them. */
static int usage_take_jobs(void *into, const char *path, struct eqt_error *err)
{
	struct eqt_year_options *options = into;

	if (options->job_files == EQT_YEAR_FILES_MAX)
		return eqt_error_set(err, "more than %d files",
				     EQT_YEAR_FILES_MAX);
	options->jobs[options->job_files++] = path;
	return 0;
}

/* The number of days may be left out. */
static int usage_take_verify(void *into, const char *arg, struct eqt_error *err)
{
	struct eqt_year_options *options = into;

	options->verify = true;
	options->verify_days = 30;
	if (!arg)
		return 0;
	if (eqt_amount_count(&options->verify_days, arg, strlen(arg)) < 0 ||
	    options->verify_days > 36500)
		return eqt_error_set(err, "\"%.64s\": expected days", arg);
	return 0;
}

/* Without --unit, a table uses hours or years depending on the numbers, and CSV uses
 * years. */
static int usage_take_unit(void *into, const char *arg, struct eqt_error *err)
{
	struct eqt_year_options *options = into;

	options->unit = arg;
	if (strcmp(arg, "hours") == 0 || strcmp(arg, "years") == 0)
		return 0;
	return eqt_error_set(err, "\"%.64s\": expected hours or years", arg);
}

/* --format=focus: print a file for other programs. */
static int usage_take_format(void *into, const char *arg, struct eqt_error *err)
{
	((struct eqt_year_options *) into)->focus = true;
	return strcmp(arg, "focus") == 0
		       ? 0
		       : eqt_error_set(err, "\"%.64s\": expected focus", arg);
}

/* The file may be left out; sshare is then run. */
static int usage_take_assocs(void *into, const char *path,
			     struct eqt_error *err)
{
	struct eqt_year_options *options = into;

	(void) err;
	options->shares = true;
	options->assocs = path;
	return 0;
}

/* How many of the keys are between "first" and "last", both included? */
static size_t keys_count(const struct eqt_year_options *options,
			 enum eqt_year_key first, enum eqt_year_key last)
{
	size_t count = 0;

	for (size_t i = 0; i < options->key_count; i++)
		count += options->keys[i] >= first && options->keys[i] <= last;
	return count;
}

/* Refuse options that contradict each other, after all were read. Returns 0, or -1 with
 * err filled. */
static int year_options_check(void *into, struct eqt_error *err)
{
	const struct eqt_year_options *options = into;
	const size_t accounts =
		keys_count(options, EQT_YEAR_BY_ACCOUNT, EQT_YEAR_BY_PROJECT);
	const size_t clusters =
		keys_count(options, EQT_YEAR_BY_CLUSTER, EQT_YEAR_BY_CLUSTER);

	if (!options->verify && (options->config || options->state))
		return eqt_error_set(err, "%s needs --verify",
				     options->config ? "--config" : "--state");
	if (options->verify && options->job_files > 1)
		return eqt_error_set(err, "--verify reads one --jobs");
	if (options->focus &&
	    (options->plot || options->common.json || options->verify ||
	     options->raw || options->energy))
		return eqt_error_set(err,
				     "--format excludes --json, --plot, --raw, "
				     "--energy and --verify");
	if (options->common.clusters &&
	    (options->verify || options->shares || options->conf ||
	     options->charges || options->nodes || options->job_files > 0))
		return eqt_error_set(err, "several clusters exclude --verify, "
					  "--assocs, --file and saved lists");
	if (options->shares && !(options->key_count == 1 &&
				 options->keys[0] == EQT_YEAR_BY_ACCOUNT))
		return eqt_error_set(err, "--assocs needs --by=account");
	if (options->share_years && !options->shares)
		return eqt_error_set(err, "--share-years needs --assocs");
	if (options->targets && (accounts != 1 || clusters > 1 ||
				 accounts + clusters != options->key_count))
		return eqt_error_set(err, "--targets needs --by=account or "
					  "project, alone or with cluster");
	if (options->plot && (options->key_count != 1 ||
			      (options->keys[0] != EQT_YEAR_BY_DAY &&
			       options->keys[0] != EQT_YEAR_BY_MONTH)))
		return eqt_error_set(err, "--plot needs --by=day or month");
	if (options->titles && accounts == 0)
		return eqt_error_set(err,
				     "--titles needs --by=account or project");
	if (options->year && options->year < 1971)
		return eqt_error_set(err,
				     "--year: \"%" PRIu64 "\": expected a year",
				     options->year);
	return 0;
}

static const struct eqt_option options_table[] = {
	{ "by", 0, "KEY[,KEY]",
	  "one line per account (the default), project, submitter, month, day, "
	  "partition, qos, cluster, comment or wckey",
	  0, EQT_TAKEN_BY(usage_take_keys) },
	EQT_YEAR_OPTIONS(struct eqt_year_options, ),
	{ "targets", 0, "FILE",
	  "the targets of accounts: lines \"Account|CoreYears|GPUYears\", or "
	  "with a column Cluster",
	  0, EQT_TEXT_AT(struct eqt_year_options, targets) },
	{ "assocs", 0, "FILE",
	  "allocations by shares, and the tree: what \"sshare -alP\" printed; "
	  "run by default",
	  0, EQT_OPTION_TAKE, 0, 0, true, usage_take_assocs },
	{ "share-years", 0, "N",
	  "for --assocs: a share stands for N core-years, whatever the size of "
	  "the cluster",
	  0, EQT_NUMBER_AT(struct eqt_year_options, share_years, COUNT_MAX) },
	{ "titles", 0, "FILE",
	  "print titles and owners of accounts: lines \"Account|Title|Owner\"",
	  0, EQT_TEXT_AT(struct eqt_year_options, titles) },
	{ "raw", 0, NULL,
	  "print the allocated cores and GPUs as well, which portals count", 0,
	  EQT_FLAG_AT(struct eqt_year_options, raw) },
	{ "energy", 0, NULL,
	  "print the energy that Slurm recorded as well, in kWh, and its CO2e",
	  0, EQT_FLAG_AT(struct eqt_year_options, energy) },
	{ "unit", 0, "UNIT",
	  "print hours or years; by default what suits the numbers", 0,
	  EQT_TAKEN_BY(usage_take_unit) },
	{ "verify", 0, "DAYS",
	  "compare the record of charges with RawUsage, usage of billing, "
	  "budgets, and with accounting of the last days (30); exit with 1 if "
	  "they differ",
	  0, EQT_OPTION_TAKE, 0, 0, true, usage_take_verify },
	{ "charges", 0, "DIR", "the folder of the record of charges", 0,
	  EQT_TEXT_AT(struct eqt_year_options, charges) },
	{ "config", 0, "FILE",
	  "for --verify: what \"scontrol show config\" printed", 0,
	  EQT_TEXT_AT(struct eqt_year_options, config) },
	{ "state", 0, "DIR",
	  "for --verify: a copy of StateSaveLocation, with the record and the "
	  "budgets",
	  0, EQT_TEXT_AT(struct eqt_year_options, state) },
	{ "reprice", 0, NULL,
	  "price what was allocated by the present equitree.conf, whatever was "
	  "charged",
	  0, EQT_FLAG_AT(struct eqt_year_options, reprice) },
	{ "format", 0, "focus",
	  "print each charge in the columns of FOCUS, as CSV", 0,
	  EQT_TAKEN_BY(usage_take_format) },
	{ "plot", 0, "FILE",
	  "with --by=day or month: draw usage over time with gnuplot (.svg or "
	  ".png)",
	  0, EQT_PLOT_AT(struct eqt_year_options, plot) },
	{ "jobs", 0, "FILE",
	  "read what \"sacct -aXDP --noconvert -s R,S\" printed (-: stdin); "
	  "may be repeated",
	  0, EQT_TAKEN_BY(usage_take_jobs) },
	{ "nodes", 0, "FILE",
	  "the nodes of the jobs: what \"scontrol -o show node\" printed", 0,
	  EQT_TEXT_AT(struct eqt_year_options, nodes) },
	{ "cores", 0, "N", "cores of the cluster, for --assocs", 0,
	  EQT_NUMBER_AT(struct eqt_year_options, cores, COUNT_MAX) },
	{ "gpus", 0, "N", "GPUs of the cluster, for --assocs", 0,
	  EQT_NUMBER_AT(struct eqt_year_options, gpus, COUNT_MAX) },
	{ "threads-per-core", 0, "N", "CPUs per core, instead of the nodes'", 0,
	  EQT_NUMBER_AT(struct eqt_year_options, threads, COUNT_MAX) },
	{ 0 }
};

/* ---- The subcommand ------------------------------------------------------- */

/* The drawing is made in addition to the table. */
static int usage_print(struct eqt_year *usage,
		       const struct eqt_year_options *options,
		       struct eqt_error *err)
{
	if (options->plot && eqt_year_show_plot(usage, options->plot, err) < 0)
		return -1;
	if (options->common.json)
		eqt_year_show_json(usage);
	else
		eqt_year_show(usage, !options->common.no_headings);
	return 0;
}

/* Make the report and print it. */
static int usage_run(struct eqt_year_options *options, struct eqt_error *err)
{
	struct eqt_year usage = { .allocations = false };
	struct eqt_year_focus focus = { &usage, !options->common.no_headings };
	int rc;

	if (options->focus) {
		options->each = eqt_focus_part;
		options->with = &focus;
	}
	rc = eqt_year_make(&usage, options, err);
	if (rc == 0 && !options->focus)
		rc = usage_print(&usage, options, err);
	eqt_year_free(&usage);
	return rc;
}

static int usage_verify(const struct eqt_year_options *options,
			struct eqt_error *err)
{
	const struct eqt_proof_options proof = {
		.conf = options->conf,
		.charges = options->charges,
		.state = options->state,
		.assocs = options->assocs,
		.config = options->config,
		.jobs = options->job_files > 0 ? options->jobs[0] : NULL,
		.now_s = options->now_s,
		.days = options->verify_days,
		.json = options->common.json,
	};

	return eqt_proof_make(&proof, err);
}

int cmd_usage(int argc, char **argv)
{
	static const struct eqt_options_spec line = {
		.table = options_table,
		.common_at = offsetof(struct eqt_year_options, common),
		.csv = true,
		.clusters = true,
		.doc = "Print what accounts used in an allocation year, in the "
		       "scheduler's own units.\vA core-year is one "
		       "core-equivalent for the whole allocation year. "
		       "Projections assume that usage continues at its present "
		       "rate.",
		.check = year_options_check,
	};
	struct eqt_year_options options = { .year_start = "04-01",
					    .now_s = (int64_t) time(NULL),
					    .key_count = 1 };
	struct eqt_error err;
	int rc;

	eqt_options_parse(&line, argc, argv, &options);
	rc = options.verify ? usage_verify(&options, &err)
			    : usage_run(&options, &err);
	return eqt_print_status("usage", rc, &err);
}
