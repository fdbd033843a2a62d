/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Exact fractions become JSON numbers with as few digits as name the same
 * double, so that 2.5 is printed as 2.5. Keys ending in _max belong to the
 * dearest GPU model or set of nodes that the job might get.
 */
#include <stdlib.h>

#include "bill/json.h"
#include "cli/json.h"

json_object *eqt_bill_json_frac(struct eqt_frac value)
{
	char text[EQT_FRAC_TEXT];
	double nearest = eqt_frac_double(value);

	/* Use a short text where it has the same value: 2.5, not
	 * 2.5000000000000000. */
	eqt_frac_text(value, text, sizeof(text));
	if (strtod(text, NULL) == nearest)
		return json_object_new_double_s(nearest, text);
	return json_object_new_double(nearest);
}

static json_object *resource_json(const struct eqt_quote *bill,
				  enum eqt_resource which, uint64_t amount)
{
	json_object *object = json_object_new_object();

	eqt_json_add(object, "amount", json_object_new_uint64(amount));
	eqt_json_add(object, "equivalents",
		     eqt_bill_json_frac(bill->low.by[which]));
	if (bill->by_model || bill->by_nodes)
		eqt_json_add(object, "equivalents_max",
			     eqt_bill_json_frac(bill->high.by[which]));
	return object;
}

static json_object *resources_json(const struct eqt_quote *bill)
{
	json_object *object = json_object_new_object();

	eqt_json_add(object, "cores",
		     resource_json(bill, EQT_CORES, bill->totals.demand.cores));
	eqt_json_add(object, "memory",
		     resource_json(bill, EQT_MEMORY,
				   bill->totals.demand.mem_mib));
	eqt_json_add(object, "gpus",
		     resource_json(bill, EQT_GPUS, bill->totals.gpus));
	if (bill->prices->disk_gres)
		eqt_json_add(object, "disk",
			     resource_json(bill, EQT_DISK,
					   bill->totals.demand.disk));
	return object;
}

static json_object *billing_json(const struct eqt_conf *conf,
				 const struct eqt_price *price)
{
	return json_object_new_uint64(eqt_frac_round(
		price->charge, conf->billing_scale, conf->billing_round));
}

/* Members that are left out if the request lacks them. */
static void estimate_add_totals(json_object *object,
				const struct eqt_quote *bill)
{
	struct eqt_frac hours, money;

	if (bill->array_tasks)
		eqt_json_add(object, "array_tasks",
			     json_object_new_uint64(bill->array_tasks));
	if (bill->minutes == 0 || bill->minutes == EQT_AMOUNT_UNLIMITED)
		return;
	eqt_json_add(object, "time_limit_minutes",
		     json_object_new_uint64(bill->minutes));
	if (eqt_quote_hours(&hours, bill, &bill->low) == 0)
		eqt_json_add(object, "equivalent_hours",
			     eqt_bill_json_frac(hours));
	if (eqt_quote_hours(&hours, bill, &bill->low) == 0 &&
	    eqt_unit_money(&money, bill->low.unit, hours) == 0)
		eqt_json_add(object, "money", eqt_bill_json_frac(money));
	if (eqt_quote_hours(&hours, bill, &bill->high) == 0)
		eqt_json_add(object, "equivalent_hours_max",
			     eqt_bill_json_frac(hours));
	if (eqt_quote_hours(&hours, bill, &bill->high) == 0 &&
	    eqt_unit_money(&money, bill->high.unit, hours) == 0)
		eqt_json_add(object, "money_max", eqt_bill_json_frac(money));
}

/* What it is in the other unit, where the job may hold GPUs or none. */
static json_object *other_unit_json(const struct eqt_conf *conf,
				    const struct eqt_quote *bill)
{
	json_object *object = json_object_new_object();
	const struct eqt_price *low = &bill->also_low;
	const struct eqt_price *high = &bill->also_high;

	eqt_json_add(object, "equivalents",
		     eqt_bill_json_frac(low->equivalents));
	eqt_json_add(object, "equivalents_max",
		     eqt_bill_json_frac(high->equivalents));
	eqt_json_add(object, "unit",
		     json_object_new_string(eqt_price_unit(low)));
	eqt_json_add(object, "charge", eqt_bill_json_frac(low->charge));
	eqt_json_add(object, "charge_max", eqt_bill_json_frac(high->charge));
	eqt_json_add(object, "usage", eqt_bill_json_frac(low->usage));
	eqt_json_add(object, "usage_max", eqt_bill_json_frac(high->usage));
	eqt_json_add(object, "billing", billing_json(conf, low));
	eqt_json_add(object, "billing_max", billing_json(conf, high));
	return object;
}

json_object *eqt_estimate_json(const struct eqt_conf *conf,
			       const struct eqt_estimate *quote)
{
	const struct eqt_quote *bill = &quote->bill;
	json_object *object = json_object_new_object();
	const char *unit = eqt_price_unit(&bill->low);

	eqt_json_add(object, "equivalents",
		     eqt_bill_json_frac(bill->low.equivalents));
	eqt_json_add(object, "equivalents_max",
		     eqt_bill_json_frac(bill->high.equivalents));
	eqt_json_add(object, "at_least", json_object_new_boolean(bill->least));
	if (bill->spread_nodes > 0) {
		eqt_json_add(object, "spread_nodes",
			     json_object_new_uint64(bill->spread_nodes));
		eqt_json_add(object, "equivalents_spread",
			     eqt_bill_json_frac(bill->spread.equivalents));
	}
	eqt_json_add(object, "unit", json_object_new_string(unit));
	if (bill->low.unit && bill->low.unit->currency[0] != '\0')
		eqt_json_add(object, "currency",
			     json_object_new_string(bill->low.unit->currency));
	if (quote->account[0] != '\0')
		eqt_json_add(object, "account",
			     json_object_new_string(quote->account));
	eqt_json_add(object, "dominant",
		     json_object_new_string(
			     bill->low.minimum
				     ? "minimum"
				     : eqt_resource_name(bill->low.dominant)));
	eqt_json_add(object, "charge", eqt_bill_json_frac(bill->low.charge));
	eqt_json_add(object, "charge_max",
		     eqt_bill_json_frac(bill->high.charge));
	eqt_json_add(object, "usage", eqt_bill_json_frac(bill->low.usage));
	eqt_json_add(object, "usage_max", eqt_bill_json_frac(bill->high.usage));
	eqt_json_add(object, "billing", billing_json(conf, &bill->low));
	eqt_json_add(object, "billing_max", billing_json(conf, &bill->high));
	if (bill->also)
		eqt_json_add(object, "or", other_unit_json(conf, bill));
	eqt_json_add(object, "per_resource", resources_json(bill));
	estimate_add_totals(object, bill);
	if (quote->partition[0] != '\0')
		eqt_json_add(object, "partition",
			     json_object_new_string(quote->partition));
	return object;
}
