/* SPDX-License-Identifier: GPL-2.0-or-later */
/* equitree bill: the price of a request, without submitting it. */
#include <stdio.h>
#include <stdlib.h>

#include "bill/json.h"
#include "cli/cmd.h"
#include "cli/site_conf.h"
#include "cli/json.h"
#include "cli/print.h"
#include "cli/failure.h"

/* The estimates of a job's components, in order. */
struct estimates {
	struct eqt_estimate *quotes;
	int count;
};

static void estimates_print_text(const struct estimates *quotes)
{
	char text[EQT_QUOTE_TEXT];
	bool untold = false;
	int i;

	for (i = 0; i < quotes->count; i++) {
		const struct eqt_quote *bill = &quotes->quotes[i].bill;

		if (quotes->count > 1)
			printf("%sComponent %d: ", i ? "\n" : "", i);
		(void) eqt_quote_full(bill, text, sizeof(text));
		eqt_print_line(text);
		untold = untold || bill->totals.mem == EQT_MEM_NOT_GIVEN;
	}
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
			  const struct eqt_sbatch_options *options,
			  struct eqt_error *err)
{
	struct eqt_error why;
	int i;

	quotes->count = options->components;
	quotes->quotes =
		calloc((size_t) quotes->count, sizeof(*quotes->quotes));
	if (!quotes->quotes)
		return eqt_error_set(err, "out of memory");
	for (i = 0; i < quotes->count; i++) {
		if (eqt_estimate_make(&quotes->quotes[i], site,
				      &options->asks[i], &why) == 0)
			continue;
		if (quotes->count > 1)
			return eqt_error_set(err, "component %d: %s", i,
					     why.text);
		*err = why;
		return -1;
	}
	return 0;
}

static int bill_run(struct eqt_estimate_site *site,
		    const struct eqt_sbatch_options *options)
{
	struct estimates quotes = { .count = 0 };
	struct eqt_error err;
	int status = EXIT_SUCCESS;

	if ((options->partitions &&
	     eqt_scontrol_records_read(&site->partitions, options->partitions,
				       "", "PartitionName", &err) < 0) ||
	    (options->nodes &&
	     eqt_scontrol_nodes_read(&site->nodes, options->nodes, &err) < 0) ||
	    estimates_make(&quotes, site, options, &err) < 0)
		status = eqt_failure_print("bill", &err);
	else if (options->common.json)
		estimates_print_json(site->conf, &quotes);
	else
		estimates_print_text(&quotes);
	free(quotes.quotes);
	return status;
}

int cmd_bill(int argc, char **argv)
{
	struct eqt_sbatch_options options;
	struct eqt_estimate_site site = { .conf = NULL };
	struct eqt_error err;
	int status = EXIT_FAILURE;

	if (eqt_sbatch_options_parse(&options, argc, argv, &err) < 0)
		return eqt_failure_print("bill", &err);
	site.usage_factor_u = options.usage_factor_u;
	site.conf = eqt_site_conf_open(options.conf);
	if (site.conf)
		status = bill_run(&site, &options);
	eqt_scontrol_nodes_free(&site.nodes);
	eqt_scontrol_records_free(&site.partitions);
	eqt_conf_free(site.conf);
	eqt_sbatch_options_free(&options);
	return status;
}
