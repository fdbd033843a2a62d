/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * slurmctld multiplies each TRES by its weight and adds up the products, or takes
 * the largest. scontrol rounds memory to two decimals of a unit, so the result is
 * a range.
 */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "leave/own_billing.h"
#include "slurm/text/tres_list.h"

#define KIBI 1024.0

/* A number and the power of 1024 behind it; -1: not such a value. */
static int value_read(double *number, int *power,
		      const struct eqt_treslist_item *item)
{
	static const char units[] = "KMGTP";
	char text[64], *end;
	const char *unit;

	if (item->value_length >= sizeof(text))
		return -1;
	memcpy(text, item->value, item->value_length);
	text[item->value_length] = '\0';
	*number = strtod(text, &end);
	*power = 0;
	if (end == text || !isfinite(*number))
		return -1;
	if (*end == '\0')
		return 0;
	unit = strchr(units, *end & ~0x20);
	if (!unit || end[1] != '\0')
		return -1;
	*power = (int) (unit - units) + 1;
	return 0;
}

/* Memory is counted, and weighed, in MiB unless it has a unit. */
static bool item_is_memory(const struct eqt_treslist_item *item)
{
	return eqt_treslist_named(item, "mem");
}

/* The count of an item; *rounding is how far scontrol may have rounded it. */
static int item_count(double *count, double *rounding,
		      const struct eqt_treslist_item *item)
{
	const char *point = memchr(item->value, '.', item->value_length);
	double unit;
	int power;

	if (value_read(count, &power, item) < 0)
		return -1;
	/* From a power of 1024 bytes to one of 1024 MiB; without a unit it is
	 * in MiB. */
	if (item_is_memory(item) && power > 0)
		power -= 2;
	unit = pow(KIBI, power);
	*count *= unit;
	*rounding = point ? 0.01 * unit : 0;
	return 0;
}

/* The weight of one; 0: the weights do not name it. */
static int weight_find(double *weight, const char *weights,
		       const struct eqt_treslist_item *wanted)
{
	size_t length = strlen(weights);
	struct eqt_treslist_item item;
	int rc;

	*weight = 0;
	while ((rc = eqt_treslist_next(&item, &weights, &length)) > 0) {
		if (item.name_length == wanted->name_length &&
		    strncasecmp(item.name, wanted->name, item.name_length) ==
			    0 &&
		    eqt_treslist_weight(weight, &item, item_is_memory(&item)) <
			    0)
			return -1;
	}
	return rc;
}

/* A billing: the largest of the items that compete, and the sum of all others. */
struct tally {
	double largest, others;
};

/* PriorityFlags decides for which TRES only the largest counts. */
static bool item_competes(const struct eqt_treslist_item *item,
			  enum eqt_own_billing_sum sum)
{
	if (sum == EQT_OWN_BILLING_SUM)
		return false;
	if (item->name_length > 5 && strncasecmp(item->name, "gres/", 5) == 0)
		return sum == EQT_OWN_BILLING_MAX_TRES;
	return eqt_treslist_named(item, "cpu") || item_is_memory(item) ||
	       eqt_treslist_named(item, "node");
}

static void tally_add(struct tally *tally, double amount, bool competes)
{
	if (!competes)
		tally->others += amount;
	else if (amount > tally->largest)
		tally->largest = amount;
}

static int item_weigh(struct tally *least, struct tally *most,
		      const struct eqt_treslist_item *item, const char *weights,
		      enum eqt_own_billing_sum sum)
{
	const bool competes = item_competes(item, sum);
	double count, rounding, weight;

	/* Slurm weighs neither. */
	if (eqt_treslist_named(item, "billing") ||
	    eqt_treslist_named(item, "energy"))
		return 0;
	if (item_count(&count, &rounding, item) < 0)
		return -1;
	/* Without TRESBillingWeights the billing is the number of CPUs. */
	if (!weights)
		weight = eqt_treslist_named(item, "cpu") ? 1 : 0;
	else if (weight_find(&weight, weights, item) < 0)
		return -1;
	tally_add(least, (count - rounding) * weight, competes);
	tally_add(most, (count + rounding) * weight, competes);
	return 0;
}

enum eqt_own_billing_sum eqt_own_billing_flags(const char *flags)
{
	if (strstr(flags, "MAX_TRES_GRES"))
		return EQT_OWN_BILLING_MAX_TRES_GRES;
	return strstr(flags, "MAX_TRES") ? EQT_OWN_BILLING_MAX_TRES
					 : EQT_OWN_BILLING_SUM;
}

int eqt_own_billing(struct eqt_own_billing *out, const char *tres,
		    size_t length, const char *weights,
		    enum eqt_own_billing_sum sum)
{
	struct tally least = { 0 }, most = { 0 };
	struct eqt_treslist_item item;
	int rc;

	while ((rc = eqt_treslist_next(&item, &tres, &length)) > 0) {
		if (item_weigh(&least, &most, &item, weights, sum) < 0)
			return -1;
	}
	*out = (struct eqt_own_billing){ least.largest + least.others,
					 most.largest + most.others };
	return rc;
}
