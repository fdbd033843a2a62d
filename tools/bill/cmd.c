/* SPDX-License-Identifier: GPL-2.0-or-later */
/* equitree bill: the price of a request, without submitting it. */
#include <stdio.h>
#include <stdlib.h>

#include "bill/job_cmd.h"
#include "bill/json.h"
#include "bill/options.h"
#include "bill/partitions.h"
#include "bill/refusal.h"
#include "cli/cmd.h"
#include "slurm/conf/site_conf.h"
#include "cli/json.h"
#include "cli/print.h"
#include "cli/failure.h"
#include "quote/price_message.h"

/* The estimates of a job's components, in order. */
struct estimates {
	struct eqt_estimate *quotes;
	int count;
};

/* The sum of the components, if all have one unit: low and high ends. Quotes that have
 * two units, or differ in theirs, have no sum. */
static bool estimates_sum(struct eqt_quote *sum, const struct estimates *quotes)
{
	int i;

	*sum = quotes->quotes[0].bill;
	for (i = 1; i < quotes->count; i++) {
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

/* The words are those of the price message. */
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

/* The account that a pool chooses, as sbatch prints it. */
static void estimate_print_account(const struct eqt_estimate *quote)
{
	char text[EQT_ACCOUNT_SIZE + 32];

	if (quote->account[0] == '\0')
		return;
	(void) snprintf(text, sizeof(text), "charged to account %s",
			quote->account);
	eqt_print_line(text);
}

/* What the price cannot know is said on stderr, behind the text. */
static void estimates_print_text(const struct estimates *quotes)
{
	char text[EQT_PRICE_MESSAGE_SIZE];
	bool untold = false;
	int i;

	for (i = 0; i < quotes->count; i++) {
		const struct eqt_quote *bill = &quotes->quotes[i].bill;

		if (quotes->count > 1)
			printf("%sComponent %d: ", i ? "\n" : "", i);
		(void) eqt_price_message_full(bill, text, sizeof(text));
		eqt_print_line(text);
		estimate_print_account(&quotes->quotes[i]);
		untold = untold || bill->totals.mem == EQT_MEM_NOT_GIVEN;
	}
	estimates_print_sum(quotes);
	(void) fflush(stdout);
	if (untold)
		fprintf(stderr,
			"equitree bill: no memory requested; the partition's "
			"default is not counted\n");
}

/*
 * One object; a job of several components has an object with an array of them.
 */
static void estimates_print_json(const struct eqt_conf *conf,
				 const struct estimates *quotes)
{
	json_object *object, *array;
	int i;

	if (quotes->count == 1) {
		eqt_json_print(eqt_estimate_json(conf, quotes->quotes));
		return;
	}
	object = json_object_new_object();
	array = json_object_new_array();
	for (i = 0; i < quotes->count; i++)
		(void) json_object_array_add(
			array, eqt_estimate_json(conf, &quotes->quotes[i]));
	eqt_json_add(object, "components", array);
	eqt_json_print(object);
}

/* A component that cannot be priced makes the whole job unpriced: sbatch would
 * reject it, too. */
static int estimates_make(struct estimates *quotes,
			  const struct eqt_estimate_site *site,
			  const struct eqt_bill_options *options,
			  struct eqt_error *err)
{
	struct eqt_error why;
	int i;

	quotes->count = options->request.components;
	quotes->quotes =
		calloc((size_t) quotes->count, sizeof(*quotes->quotes));
	if (!quotes->quotes)
		return eqt_error_set(err, "out of memory");
	for (i = 0; i < quotes->count; i++) {
		if (eqt_estimate_make(&quotes->quotes[i], site,
				      &options->request.asks[i], &why) == 0)
			continue;
		if (quotes->count > 1)
			return eqt_error_set(err, "component %d: %s", i,
					     why.text);
		*err = why;
		return -1;
	}
	return 0;
}

/* The cluster, from files or, where there are none and it is not offline, from Slurm:
 * each is asked once. */
static int site_read(struct eqt_estimate_site *site,
		     const struct eqt_bill_options *options,
		     struct eqt_error *err)
{
	const bool live = !options->offline;

	site->usage_factor_u = options->usage_factor_u;
	if (((live || options->partitions) &&
	     eqt_scontrol_records_read(&site->partitions, options->partitions,
				       "scontrol -a -o show partition",
				       "PartitionName", err) < 0) ||
	    ((live || options->nodes) &&
	     eqt_scontrol_nodes_read(&site->nodes, options->nodes, err) < 0) ||
	    ((live || options->config) &&
	     eqt_cluster_allocation_read(&site->cluster, options->config, err) <
		     0))
		return -1;
	if (live)
		eqt_bill_owner_ask(&site->owner);
	return 0;
}

/* Slurm's own refusal comes before any price. */
static int bill_print(const struct eqt_estimate_site *site,
		      const struct eqt_bill_options *options,
		      struct eqt_error *err)
{
	struct estimates quotes = { .count = 0 };
	char start[EQT_REFUSAL_START];
	int rc = -1;

	if (options->all_partitions)
		return eqt_bill_partitions_print(site, options, err);
	if (!options->offline &&
	    eqt_bill_refusal_ask(start, &options->request.words, NULL, err) < 0)
		return -1;
	rc = estimates_make(&quotes, site, options, err);
	if (rc == 0 && options->request.common.json)
		estimates_print_json(site->conf, &quotes);
	else if (rc == 0)
		estimates_print_text(&quotes);
	free(quotes.quotes);
	return rc;
}

/* The cluster is read before the request is completed, since rules depend on the release
 * that config names. */
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
		return eqt_failure_print("bill", &err);
	}
	if (eqt_sbatch_options_apply(&options->request, site->cluster.release,
				     &err) < 0 ||
	    bill_print(site, options, &err) < 0)
		return eqt_failure_print("bill", &err);
	return EXIT_SUCCESS;
}

/* The same name has two commands: for a request, and with --job or --user for jobs. */
int cmd_bill(int argc, char **argv)
{
	struct eqt_bill_options options;
	struct eqt_estimate_site site = { .conf = NULL };
	struct eqt_error err;
	int status = EXIT_FAILURE;

	if (eqt_job_cmd_is_meant(argc, argv))
		return eqt_job_cmd_run(argc, argv);
	if (eqt_bill_options_parse(&options, argc, argv, &err) < 0)
		return eqt_failure_print("bill", &err);
	site.conf = eqt_site_conf_open(options.conf);
	if (site.conf)
		status = bill_run(&site, &options);
	eqt_bill_owner_free(&site.owner);
	eqt_scontrol_nodes_free(&site.nodes);
	eqt_scontrol_records_free(&site.partitions);
	eqt_conf_free(site.conf);
	eqt_sbatch_options_free(&options.request);
	return status;
}
