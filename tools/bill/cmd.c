/* SPDX-License-Identifier: GPL-2.0-or-later */
/* equitree bill: the price of a request, without submitting it. */
#include <stdio.h>
#include <stdlib.h>

#include "bill/json.h"
#include "cli/cmd.h"
#include "cli/conf_path.h"

/* Prices of a job's components, in order. */
struct quotes {
	struct eqt_quote *quotes;
	int count;
};

static void print_text(const struct quotes *quotes)
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
			"equitree bill: no memory is asked for; what "
			"the partition gives by default is not counted\n");
}

/* One object; of several components one that has theirs. */
static void print_json(const struct eqt_conf *conf, const struct quotes *quotes)
{
	json_object *object, *array;
	int i;

	if (quotes->count == 1) {
		eqt_json_print(eqt_bill_json(conf, quotes->quotes));
		return;
	}
	object = json_object_new_object();
	array = json_object_new_array();
	for (i = 0; i < quotes->count; i++)
		(void) json_object_array_add(
			array, eqt_bill_json(conf, &quotes->quotes[i]));
	eqt_json_add(object, "components", array);
	eqt_json_print(object);
}

static int make_all(struct quotes *quotes, const struct eqt_site *site,
		    const struct eqt_bill_options *options,
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
		if (eqt_quote_make(&quotes->quotes[i], site, &options->asks[i],
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

static int bill(struct eqt_site *site, const struct eqt_bill_options *options)
{
	struct quotes quotes = { .count = 0 };
	struct eqt_error err;
	int status = EXIT_SUCCESS;

	if ((options->partitions &&
	     eqt_stock_records_read(&site->partitions, options->partitions, "",
				    "PartitionName", &err) < 0) ||
	    (options->nodes &&
	     eqt_nodes_read(&site->nodes, options->nodes, &err) < 0) ||
	    make_all(&quotes, site, options, &err) < 0)
		status = eqt_failed("bill", &err);
	else if (options->common.json)
		print_json(site->conf, &quotes);
	else
		print_text(&quotes);
	free(quotes.quotes);
	return status;
}

int cmd_bill(int argc, char **argv)
{
	struct eqt_bill_options options;
	struct eqt_site site = { .conf = NULL };
	struct eqt_error err;
	int status = EXIT_FAILURE;

	if (eqt_bill_options_parse(&options, argc, argv, &err) < 0)
		return eqt_failed("bill", &err);
	site.usage_factor_u = options.usage_factor_u;
	site.conf = eqt_conf_open(options.conf);
	if (site.conf)
		status = bill(&site, &options);
	eqt_nodes_free(&site.nodes);
	eqt_stock_records_free(&site.partitions);
	eqt_conf_free(site.conf);
	eqt_bill_options_free(&options);
	return status;
}
