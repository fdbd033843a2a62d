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
	if (!arg)
		return eqt_error_set(err, "--csv and --reprice need --job or "
					  "--user");
	return eqt_error_set(err,
			     "\"%.64s\": --job and --user exclude a "
			     "request",
			     arg);
}

/* Files are of a cluster that this machine need not know. */
static int bill_check_options(void *into, bool request, struct eqt_error *err)
{
	struct eqt_bill_options *options = into;

	(void) request;
	options->offline |= options->conf || options->nodes ||
			    options->partitions || options->config;
	if (options->all_partitions && options->offline)
		return eqt_error_set(err, "--all-partitions asks Slurm; "
					  "--offline and files do not");
	return 0;
}

static const struct eqt_option own_table[] = {
	{ .doc = "Options of this command:", .group = 2 },
	{ "file", 'f', "FILE",
	  "the equitree.conf to read, instead of the one beside slurm.conf", 2,
	  EQT_TEXT_AT(struct eqt_bill_options, conf) },
	{ "all-partitions", 0, NULL,
	  "compare all partitions: what the job costs, and when Slurm would "
	  "start it",
	  2, EQT_FLAG_AT(struct eqt_bill_options, all_partitions) },
	{ "offline", 0, NULL,
	  "ask no cluster; the same with any of these files", 2,
	  EQT_FLAG_AT(struct eqt_bill_options, offline) },
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
	  "the QOS's UsageFactor, instead of that of sacctmgr", 2,
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
	{ "charges", 0, "DIR", "the folder of the record of charges", 3,
	  EQT_TAKEN_BY(take_of_jobs) },
	{ "reprice", 0, NULL,
	  "price what was allocated by the present equitree.conf, whatever was "
	  "charged",
	  3, EQT_TAKEN_BY(take_of_jobs) },
	{ "csv", 0, NULL, "with --user: print the table as CSV", 3,
	  EQT_TAKEN_BY(take_of_jobs) },
	{ 0 }
};

int eqt_bill_options_parse(struct eqt_bill_options *options, int argc,
			   char **argv, struct eqt_error *err)
{
	const struct eqt_sbatch_command command = {
		.words = "[SCRIPT [ARGUMENT...]]\n"
			 "OPTIONS : OPTIONS... [SCRIPT]",
		.doc = "Print what a job would cost: what sbatch would print. "
		       "Slurm is asked about its partitions and nodes; nothing "
		       "is submitted. Options are sbatch's own; those in "
		       "#SBATCH lines of the script count, too.\vWhat sbatch "
		       "would refuse is refused, with its words.",
		.own = own_table,
		.into = options,
		.check = bill_check_options,
	};

	*options = (struct eqt_bill_options){ .conf = NULL };
	return eqt_sbatch_options_parse(&options->request, &command, argc, argv,
					err);
}
