/* SPDX-License-Identifier: GPL-2.0-or-later */
/* equitree bill: the price of a request, from the calls that the submission
 * plugin makes. */
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bill_options.h"
#include "cmd.h"
#include "conf_path.h"
#include "eqt_bill.h"

static json_object *number(struct eqt_frac value)
{
	char text[EQT_FRAC_TEXT];
	double nearest = eqt_frac_double(value);

	/* A short text where it says the same: 2.5, not 2.5000000000000000. */
	eqt_frac_text(value, text, sizeof(text));
	if (strtod(text, NULL) == nearest)
		return json_object_new_double_s(nearest, text);
	return json_object_new_double(nearest);
}

static void add(json_object *object, const char *key, json_object *value)
{
	(void) json_object_object_add(object, key, value);
}

static json_object *resource(const struct eqt_bill *bill,
			     enum eqt_resource which, uint64_t amount)
{
	json_object *object = json_object_new_object();

	add(object, "amount", json_object_new_uint64(amount));
	add(object, "equivalents", number(bill->low.by[which]));
	if (bill->by_model || bill->by_nodes)
		add(object, "equivalents_max", number(bill->high.by[which]));
	return object;
}

static json_object *per_resource(const struct eqt_bill *bill)
{
	json_object *object = json_object_new_object();

	add(object, "cores",
	    resource(bill, EQT_CORES, bill->asked.request.cores));
	add(object, "memory",
	    resource(bill, EQT_MEMORY, bill->asked.request.mem_mib));
	add(object, "gpus", resource(bill, EQT_GPUS, bill->asked.gpus));
	return object;
}

static json_object *billing(const struct eqt_conf *conf,
			    const struct eqt_price *price)
{
	return json_object_new_uint64(eqt_frac_round(
		price->charge, conf->billing_scale, conf->billing_round));
}

/* The optional members: what a request without it does not have. */
static void add_totals(json_object *object, const struct eqt_bill *bill)
{
	struct eqt_frac hours;

	if (bill->array_tasks)
		add(object, "array_tasks",
		    json_object_new_uint64(bill->array_tasks));
	if (bill->minutes == 0 || bill->minutes == EQT_MINUTES_UNLIMITED)
		return;
	add(object, "time_limit_minutes",
	    json_object_new_uint64(bill->minutes));
	if (eqt_bill_hours(&hours, bill, &bill->low) == 0)
		add(object, "equivalent_hours", number(hours));
	if (eqt_bill_hours(&hours, bill, &bill->high) == 0)
		add(object, "equivalent_hours_max", number(hours));
}

static void print_json(const struct eqt_conf *conf, const struct eqt_bill *bill)
{
	json_object *object = json_object_new_object();
	const char *unit = eqt_price_unit(&bill->low);

	add(object, "equivalents", number(bill->low.equivalents));
	add(object, "equivalents_max", number(bill->high.equivalents));
	add(object, "at_least", json_object_new_boolean(bill->least));
	add(object, "unit", json_object_new_string(unit));
	add(object, "dominant",
	    json_object_new_string(eqt_resource_name(bill->low.dominant)));
	add(object, "charge", number(bill->low.charge));
	add(object, "charge_max", number(bill->high.charge));
	add(object, "usage", number(bill->low.usage));
	add(object, "usage_max", number(bill->high.usage));
	add(object, "billing", billing(conf, &bill->low));
	add(object, "billing_max", billing(conf, &bill->high));
	add(object, "per_resource", per_resource(bill));
	add_totals(object, bill);
	puts(json_object_to_json_string_ext(
		object, JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_SPACED));
	json_object_put(object);
}

/* The price by the rules of the queues named; 0, or -1: refused. */
static int make_bill(struct eqt_bill *bill, struct eqt_prices *prices,
		     const struct eqt_conf *conf,
		     const struct eqt_bill_options *options,
		     struct eqt_error *err)
{
	const char *name = options->partition;
	const struct eqt_rule *rule = NULL;

	if (name)
		rule = eqt_rules_find(&conf->partitions, name, strlen(name));
	if (rule && eqt_rule_missing(rule, &options->ask, err))
		return -1;
	eqt_conf_prices(prices, conf, name, options->qos);
	prices->queue[EQT_USAGE] =
		(struct eqt_queue){ options->qos ? options->qos : "(unnamed)",
				    options->usage_factor_u };
	if (eqt_bill_make(bill, prices, &options->ask, err) < 0)
		return -1;
	return rule ? eqt_rule_check(rule, &bill->low, err) : 0;
}

static int print_bill(const struct eqt_conf *conf,
		      const struct eqt_bill_options *options)
{
	char text[EQT_BILL_TEXT];
	struct eqt_prices prices;
	struct eqt_bill bill;
	struct eqt_error err;

	if (make_bill(&bill, &prices, conf, options, &err) < 0) {
		fprintf(stderr, "equitree bill: %s\n", err.text);
		return EXIT_FAILURE;
	}
	if (options->json)
		print_json(conf, &bill);
	else
		puts(eqt_bill_full(&bill, text, sizeof(text)));
	if (bill.asked.mem == EQT_MEM_NOT_GIVEN)
		fprintf(stderr,
			"equitree bill: no memory is asked for; what "
			"the partition gives by default is not counted\n");
	return EXIT_SUCCESS;
}

int cmd_bill(int argc, char **argv)
{
	struct eqt_bill_options options;
	const struct eqt_conf *conf;
	int status = EXIT_FAILURE;

	eqt_bill_options_parse(&options, argc, argv);
	conf = eqt_conf_open(options.conf);
	if (conf)
		status = print_bill(conf, &options);
	eqt_conf_free(conf);
	eqt_bill_options_free(&options);
	return status;
}
