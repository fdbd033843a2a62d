/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The options of equitree bill itself; those of the request are sbatch's. */
#include "base/fraction.h"
#include "bill/options.h"

#define FACTOR_MAX 1000000

static int take_usage_factor(void *into, const char *arg, struct eqt_error *err)
{
	struct eqt_bill_options *options = into;

	if (eqt_frac_micro_parse(&options->usage_factor_u, arg) < 0 ||
	    options->usage_factor_u > FACTOR_MAX * EQT_MICRO)
		return eqt_error_set(err, "\"%.64s\": expected a UsageFactor",
				     arg);
	return 0;
}

/* An option of eqt_job_cmd_run(), beside a request. */
static int take_of_jobs(void *into, const char *arg, struct eqt_error *err)
{
	(void) into;
	return eqt_error_set(err,
			     "\"%.64s\": --job and --user exclude a "
			     "request",
			     arg);
}

static const struct eqt_option own_table[] = {
	{ .doc = "Options of this command:", .group = 2 },
	{ "file", 'f', "FILE",
	  "the equitree.conf to read, instead of the one beside slurm.conf", 2,
	  EQT_TEXT_AT(struct eqt_bill_options, conf) },
	{ "partition-info", 0, "FILE",
	  "apply the partition's defaults: what \"scontrol show partition\" "
	  "printed",
	  2, EQT_TEXT_AT(struct eqt_bill_options, partitions) },
	{ "node-info", 0, "FILE",
	  "use the partition's nodes, for whole nodes: what \"scontrol show "
	  "node\" printed",
	  2, EQT_TEXT_AT(struct eqt_bill_options, nodes) },
	{ "config-info", 0, "FILE",
	  "apply the cluster's defaults and limits: what \"scontrol show "
	  "config\" printed",
	  2, EQT_TEXT_AT(struct eqt_bill_options, config) },
	{ "usage-factor", 0, "N",
	  "the QOS's UsageFactor, as sacctmgr shows it; default 1", 2,
	  EQT_TAKEN_BY(take_usage_factor) },
	{ .doc = "What jobs cost, instead of a request:", .group = 3 },
	{ "job", 0, "ID[,ID]", "what these jobs cost, that wait, run or ran", 3,
	  EQT_TAKEN_BY(take_of_jobs) },
	{ "user", 0, "NAME", "a table of the jobs of a user", 3,
	  EQT_TAKEN_BY(take_of_jobs) },
	{ "since", 0, "TIME",
	  "with --user: those that ran since then; default: today", 3,
	  EQT_TAKEN_BY(take_of_jobs) },
	{ "jobs", 0, "FILE",
	  "with these: what \"sacct -P --noconvert\" printed", 3,
	  EQT_TAKEN_BY(take_of_jobs) },
	{ "queue", 0, "FILE",
	  "with --job: the jobs of squeue, as \"why --save\" keeps them", 3,
	  EQT_TAKEN_BY(take_of_jobs) },
	{ 0 }
};

int eqt_bill_options_parse(struct eqt_bill_options *options, int argc,
			   char **argv, struct eqt_error *err)
{
	const struct eqt_sbatch_command command = {
		.words = "[SCRIPT [ARGUMENT...]]\n"
			 "OPTIONS : OPTIONS... [SCRIPT]",
		.doc = "Print what a job would cost, from equitree.conf and "
		       "the request alone: nothing is submitted, no cluster "
		       "is asked. Options are sbatch's own; those in #SBATCH "
		       "lines of the script count, too.\vWith -p and -q the "
		       "rules of equitree.conf for them apply. Only "
		       "--partition-info adds the partition's defaults.",
		.own = own_table,
		.into = options,
	};

	*options = (struct eqt_bill_options){ .usage_factor_u = EQT_MICRO };
	return eqt_sbatch_options_parse(&options->request, &command, argc, argv,
					err);
}
