/* SPDX-License-Identifier: GPL-2.0-or-later */
/* equitree bill: the price of a request, without submitting it. */
#include <stdio.h>
#include <stdlib.h>

#include "bill/job_cmd.h"
#include "bill/offers.h"
#include "cli/alloc.h"
#include "cli/cmd.h"
#include "slurm/conf/site_conf.h"
#include "cli/print.h"
#include "quote/price_message.h"
#include "base/fraction.h"

/* ---- Options ------------------------------------------------------------------------
 * The command line of equitree bill. The options of the request are those of sbatch. */

struct eqt_bill_options {
	const char *conf; /* given with -f; NULL: the file next to slurm.conf */
	/* names of files; NULL: not given */
	const char *nodes, *partitions, *config;
	/* --usage-factor in millionths; 0: not given */
	uint64_t usage_factor_u;
	bool offline; /* --offline: do not ask Slurm */
	bool all_partitions;
	struct eqt_sbatch_options request;
};

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

/* An option of eqt_job_cmd_run(), which cannot be given together with a request. */
static int take_of_jobs(void *into, const char *arg, struct eqt_error *err)
{
	(void) into;
	if (!arg)
		return eqt_error_set(
			err, "--csv and --reprice need --job or --user");
	return eqt_error_set(
		err, "\"%.64s\": --job and --user exclude a request", arg);
}

/* Files may belong to another cluster, so with any file Slurm is not asked. */
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
	EQT_SITE_CONF_OPTION(struct eqt_bill_options, conf, 2),
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

/* Like eqt_sbatch_options_parse(); the caller frees the request with
 * eqt_sbatch_options_free(). */
static int bill_options_parse(struct eqt_bill_options *options, int argc,
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

/* ---- The subcommand ------------------------------------------------------- */

/* The estimates of a job's components, in their order. */
struct estimates {
	struct eqt_estimate *quotes;
	int count;
};

/* Add up the low and the high ends of the components' prices. Returns false if there is
 * only one component, or if the components have different units. */
static bool estimates_sum(struct eqt_quote *sum, const struct estimates *quotes)
{
	*sum = quotes->quotes[0].bill;
	for (int i = 1; i < quotes->count; i++) {
		const struct eqt_quote *bill = &quotes->quotes[i].bill;

		if (bill->low.unit != sum->low.unit ||
		    bill->high.unit != sum->low.unit || bill->also ||
		    bill->low.gpu_pool != sum->low.gpu_pool ||
		    eqt_frac_add(&sum->low.equivalents, sum->low.equivalents,
				 bill->low.equivalents) < 0 ||
		    eqt_frac_add(&sum->high.equivalents, sum->high.equivalents,
				 bill->high.equivalents) < 0)
			return false;
		sum->least |= bill->least;
	}
	return quotes->count > 1 && !sum->also &&
	       sum->high.unit == sum->low.unit;
}

/* Print the sum, in the words of the price message. */
static void estimates_print_sum(const struct estimates *quotes)
{
	char low[EQT_FRAC_TEXT], high[EQT_FRAC_TEXT];
	struct eqt_quote sum;
	bool one, range;

	if (!estimates_sum(&sum, quotes))
		return;
	one = eqt_frac_cmp(sum.high.equivalents, EQT_FRAC_ONE) == 0;
	range = eqt_frac_cmp(sum.low.equivalents, sum.high.equivalents) != 0;
	printf("\nAll components: cost %s%s%s%s %s\n",
	       sum.least ? "at least " : "",
	       eqt_frac_text(sum.low.equivalents, low, sizeof(low)),
	       range ? " to " : "",
	       range ? eqt_frac_text(sum.high.equivalents, high, sizeof(high))
		     : "",
	       eqt_unit_name(sum.low.unit, sum.low.gpu_pool, range || !one));
}

/* Print the account of the pool that the job is charged to, as sbatch does. */
static void estimate_print_account(const struct eqt_estimate *quote)
{
	if (quote->account[0] != '\0')
		eqt_print_line("charged to account %s", quote->account);
}

/* A note about memory that the price does not count goes to stderr, after the prices. */
static void estimates_print_text(const struct estimates *quotes)
{
	char text[EQT_PRICE_MESSAGE_SIZE];
	bool untold = false;

	for (int i = 0; i < quotes->count; i++) {
		const struct eqt_quote *bill = &quotes->quotes[i].bill;

		if (quotes->count > 1)
			printf("%sComponent %d: ", i ? "\n" : "", i);
		eqt_print_line("%s", eqt_price_message_full(bill, text,
							    sizeof(text)));
		estimate_print_account(&quotes->quotes[i]);
		untold = untold || bill->totals.mem == EQT_MEM_NOT_GIVEN;
	}
	estimates_print_sum(quotes);
	(void) fflush(stdout);
	if (untold)
		fprintf(stderr, "equitree bill: no memory requested; the "
				"partition's default is not counted\n");
}

/* Print one object. For a job of several components the object has an array of their
 * objects. */
static void estimates_print_json(const struct eqt_conf *conf,
				 const struct estimates *quotes)
{
	json_object *object, *array;

	if (quotes->count == 1) {
		eqt_json_print(eqt_estimate_json(conf, quotes->quotes));
		return;
	}
	object = json_object_new_object();
	array = json_object_new_array();
	for (int i = 0; i < quotes->count; i++)
		eqt_json_append(array,
				eqt_estimate_json(conf, &quotes->quotes[i]));
	eqt_json_add(object, "components", array);
	eqt_json_print(object);
}

/* If one component cannot be priced, the whole job has no price, because sbatch would
 * reject the whole job. */
static int estimates_make(struct estimates *quotes,
			  const struct eqt_estimate_site *site,
			  const struct eqt_bill_options *options,
			  struct eqt_error *err)
{
	struct eqt_error why;

	quotes->count = options->request.components;
	quotes->quotes =
		eqt_alloc((size_t) quotes->count, sizeof(*quotes->quotes));
	for (int i = 0; i < quotes->count; i++) {
		if (eqt_estimate_make(&quotes->quotes[i], site,
				      &options->request.component[i],
				      &why) == 0)
			continue;
		if (quotes->count > 1)
			return eqt_error_set(err, "component %d: %s", i,
					     why.text);
		*err = why;
		return -1;
	}
	return 0;
}

/* Ask Slurm for the owner and the reservations, which no file has. Without reservations
 * it is not known which nodes are free now. */
static void site_ask_more(struct eqt_estimate_site *site)
{
	struct eqt_error err;

	eqt_estimate_owner_ask(&site->owner);
	site->asked_now =
		eqt_records_read(&site->reservations, NULL,
				 "scontrol -o show reservation 2>/dev/null",
				 "ReservationName", &err) == 0;
}

/* Read the cluster from files. Unless --offline was given, read the rest from Slurm, each
 * part once. */
static int site_read(struct eqt_estimate_site *site,
		     const struct eqt_bill_options *options,
		     struct eqt_error *err)
{
	const bool live = !options->offline;

	site->usage_factor_u = options->usage_factor_u;
	if (((live || options->partitions) &&
	     eqt_records_read(&site->partitions, options->partitions,
			      "scontrol -a -o show partition", "PartitionName",
			      err) < 0) ||
	    ((live || options->nodes) &&
	     eqt_scontrol_nodes_read(&site->nodes, options->nodes, err) < 0) ||
	    ((live || options->config) &&
	     eqt_cluster_allocation_read(&site->cluster, options->config, err) <
		     0))
		return -1;
	if (live)
		site_ask_more(site);
	return 0;
}

/* A request that Slurm refuses has no price. */
static int bill_print(const struct eqt_estimate_site *site,
		      const struct eqt_bill_options *options,
		      struct eqt_error *err)
{
	struct estimates quotes = { .count = 0 };
	char start[EQT_REFUSAL_START];
	int rc = -1;

	if (options->all_partitions)
		return eqt_offers_print(site, &options->request, err);
	if (!options->offline &&
	    eqt_estimate_refusal_ask(start, &options->request.words, NULL,
				     err) < 0)
		return -1;
	rc = estimates_make(&quotes, site, options, err);
	if (rc == 0 && options->request.common.json)
		estimates_print_json(site->conf, &quotes);
	else if (rc == 0)
		estimates_print_text(&quotes);
	free(quotes.quotes);
	return rc;
}

/* The cluster is read before the request is completed, because sbatch's rules depend on
 * the release that the configuration names. */
static int bill_run(struct eqt_estimate_site *site,
		    struct eqt_bill_options *options)
{
	struct eqt_error err, why;

	if (site_read(site, options, &err) < 0) {
		why = err;
		if (!options->offline)
			(void) eqt_error_set(&err,
					     "%.300s; --offline prices a "
					     "request without the cluster",
					     why.text);
		return eqt_print_failure("bill", &err);
	}
	if (eqt_sbatch_options_apply(&options->request, site->cluster.release,
				     &err) < 0 ||
	    bill_print(site, options, &err) < 0)
		return eqt_print_failure("bill", &err);
	return EXIT_SUCCESS;
}

/* equitree bill has two forms: one for a request, and one for jobs, with --job or
 * --user. */
int cmd_bill(int argc, char **argv)
{
	struct eqt_bill_options options;
	struct eqt_estimate_site site = { .conf = NULL };
	struct eqt_error err;
	int status = EXIT_FAILURE;

	if (eqt_job_cmd_is_meant(argc, argv))
		return eqt_job_cmd_run(argc, argv);
	if (bill_options_parse(&options, argc, argv, &err) < 0)
		return eqt_print_failure("bill", &err);
	site.conf = eqt_site_conf_open(options.conf);
	if (site.conf)
		status = bill_run(&site, &options);
	eqt_estimate_owner_free(&site.owner);
	eqt_scontrol_nodes_free(&site.nodes);
	eqt_records_free(&site.partitions);
	eqt_records_free(&site.reservations);
	eqt_conf_free(site.conf);
	eqt_sbatch_options_free(&options.request);
	return status;
}
