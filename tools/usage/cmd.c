/* SPDX-License-Identifier: GPL-2.0-or-later */
/* equitree usage: core-years and GPU-years of an allocation year. */
#include <stdlib.h>
#include <time.h>

#include "cli/cmd.h"
#include "cli/print.h"
#include "proof/proof.h"
#include "usage/usage.h"

/* The plot is written beside the table, not instead of it. */
static int usage_print(struct eqt_year *usage,
		       const struct eqt_year_options *options,
		       struct eqt_error *err)
{
	if (options->plot && eqt_year_plot(usage, options->plot, err) < 0)
		return -1;
	if (options->common.json)
		eqt_year_json(usage);
	else if (eqt_year_show(usage, !options->common.no_headings) < 0)
		return eqt_error_set(err, "out of memory");
	return 0;
}

/* What was read is freed whether it could be printed or not. */
static int usage_run(const struct eqt_year_options *options,
		     struct eqt_error *err)
{
	struct eqt_year usage = { .allocations = false };
	int rc = eqt_year_make(&usage, options, err);

	if (rc == 0)
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
		.table = eqt_year_options_table,
		.common_at = offsetof(struct eqt_year_options, common),
		.csv = true,
		.doc = "Print what accounts used in an allocation year, in the "
		       "scheduler's own units.\vA core-year is one "
		       "core-equivalent for the whole allocation year. "
		       "Projections assume that usage continues at its present "
		       "rate.",
		.check = eqt_year_options_check,
	};
	struct eqt_year_options options = { .year_start = "04-01",
					    .now_s = (int64_t) time(NULL),
					    .key_count = 1 };
	struct eqt_error err;
	int rc;

	eqt_options_parse(&line, argc, argv, &options);
	if (options.verify)
		rc = usage_verify(&options, &err);
	else
		rc = usage_run(&options, &err);
	if (rc >= 0)
		return rc == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
	return eqt_print_failure("usage", &err);
}
