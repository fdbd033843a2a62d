/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One charge becomes several rates, because a report has a column for each. Cores and
 * GPUs have separate targets, and some portals count GPUs without their weights. Money is
 * for an hour of the charge, at the present rates. */
#include <stdio.h>
#include <string.h>

#include "price/gres.h"
#include "usage/year_price.h"

uint64_t eqt_year_price_threads(const struct eqt_scontrol_nodes *nodes)
{
	for (size_t i = 1; i < nodes->count; i++) {
		if (nodes->nodes[i].threads != nodes->nodes[0].threads)
			return 0;
	}
	return nodes->count > 0 ? nodes->nodes[0].threads : 0;
}

/* Copy the bundles of a table, with the weight of a GPU set to 1. A share of a GPU keeps
 * its weight, which tells what part of a GPU it is. */
static void bundles_of_gpus(struct eqt_bundle out[EQT_MODELS_MAX],
			    const struct eqt_bundle_table *prices)
{
	for (uint32_t i = 0; i < prices->gpu_count; i++) {
		out[i] = prices->gpu[i];
		if (!eqt_gres_is_share(out[i].name))
			out[i].weight_u = EQT_MICRO;
	}
}

/* The money for an hour of a price. 0 if the unit has no rate in money. */
static double price_money(const struct eqt_price *price)
{
	struct eqt_frac money;

	return eqt_unit_money(&money, price->unit, price->charge) < 0
		       ? 0
		       : eqt_frac_double(money);
}

/* Plain GPU-equivalents are priced by the table of bundles_of_gpus(). If the price is in
 * core-equivalents, the members for GPUs stay 0. */
static void priced_rate(struct eqt_year_rate *out, struct eqt_cost *priced)
{
	const double charge = eqt_frac_double(priced->price.charge);
	struct eqt_bundle gpu[EQT_MODELS_MAX];
	struct eqt_bundle_table prices = priced->prices;
	struct eqt_price price;
	bool uncertain;

	out->uncertain = priced->uncertain;
	out->source = priced->source;
	if (!priced->price.gpu_pool) {
		out->of[EQT_YEAR_CORE] = charge;
		out->of[EQT_YEAR_CORE_MONEY] = price_money(&priced->price);
		return;
	}
	out->of[EQT_YEAR_RGU] = out->of[EQT_YEAR_GPU] = charge;
	out->of[EQT_YEAR_GPU_MONEY] = price_money(&priced->price);
	bundles_of_gpus(gpu, &prices);
	prices.gpu = gpu;
	if (eqt_cost_demand(&price, &uncertain, &prices, &priced->demand,
			    NULL) == 0)
		out->of[EQT_YEAR_GPU] =
			eqt_frac_double(price.charge) * priced->ratio;
}

int eqt_year_price_make(struct eqt_year_rate *out,
			const struct eqt_job_pricer *pricer,
			const struct eqt_sacct_job *job, struct eqt_error *err)
{
	struct eqt_cost priced;
	int rc = eqt_cost_make(&priced, pricer, job, err);

	*out = (struct eqt_year_rate){ .uncertain = false };
	if (rc < 0)
		return -1;
	out->of[EQT_YEAR_CORES] = (double) priced.demand.cores;
	out->of[EQT_YEAR_GPUS] = (double) priced.gpus;
	if (rc > 0)
		priced_rate(out, &priced);
	return rc;
}

/* The cores of nodes with GPUs belong to the GPUs. Nodes that are down count as well,
 * because the year is longer than an outage. */
void eqt_year_price_capacity(double out[EQT_YEAR_UNITS],
			     const struct eqt_job_pricer *pricer)
{
	const struct eqt_bundle_table *prices = &pricer->conf->prices;
	const struct eqt_scontrol_nodes *nodes = pricer->nodes;
	struct eqt_gres gres;

	memset(out, 0, EQT_YEAR_UNITS * sizeof(*out));
	for (size_t i = 0; nodes && i < nodes->count; i++) {
		const struct eqt_scontrol_node *node = &nodes->nodes[i];
		const char *list = node->gres;

		if (node->total.of[EQT_UNIT_PART_GPUS] == 0)
			out[EQT_YEAR_CORE] +=
				(double) (node->total.of[EQT_UNIT_PART_CORES] /
					  (node->threads ? node->threads : 1));
		while (eqt_gres_next(&gres, &list, NULL) > 0) {
			int model = eqt_bundle_table_find(prices, gres.name,
							  gres.type);

			if (model < 0 || eqt_gres_is_share(gres.name))
				continue;
			out[EQT_YEAR_GPU] += (double) gres.count;
			out[EQT_YEAR_RGU] +=
				(double) gres.count *
				(double) prices->gpu[model].weight_u /
				(double) EQT_MICRO;
		}
	}
}

/* Without weights, GPU-years and weighted GPU-years are the same, so one column is
 * enough. */
bool eqt_year_price_has_weights(const struct eqt_bundle_table *prices)
{
	for (uint32_t i = 0; i < prices->gpu_count; i++) {
		if (prices->gpu[i].weight_u != EQT_MICRO)
			return true;
	}
	return false;
}

/* Make "core-years", or the same with the site's own word. */
static void name_set(struct eqt_year_unit_names *names, enum eqt_year_unit unit,
		     const struct eqt_unit *own, const char *built_in)
{
	(void) snprintf(names->years[unit], sizeof(names->years[unit]),
			"%s-years",
			own && own->one[0] != '\0' ? own->one : built_in);
}

/* Keep the currency of a unit. Returns false if another currency was kept before. */
static bool currency_keep(struct eqt_year_unit_names *names,
			  const struct eqt_unit *unit)
{
	if (!unit || unit->currency[0] == '\0')
		return true;
	if (names->currency[0] != '\0')
		return strcmp(names->currency, unit->currency) == 0;
	memcpy(names->currency, unit->currency, sizeof(names->currency));
	return true;
}

void eqt_year_price_unit_names(struct eqt_year_unit_names *out,
			       const struct eqt_bundle_table *prices,
			       bool weights)
{
	const struct eqt_unit *cores =
		prices->cores.unit ? prices->cores.unit : prices->pool_unit[0];
	const struct eqt_unit *gpus = prices->pool_unit[1];
	bool one;

	*out = (struct eqt_year_unit_names){ .currency = "" };
	name_set(out, EQT_YEAR_CORE, cores, "core");
	name_set(out, EQT_YEAR_GPU, weights ? NULL : gpus, "GPU");
	name_set(out, EQT_YEAR_RGU, gpus, "RGU");
	memcpy(out->years[EQT_YEAR_ENERGY], "kWh", sizeof("kWh"));
	memcpy(out->years[EQT_YEAR_CO2E], "kgCO2e", sizeof("kgCO2e"));
	one = currency_keep(out, cores) &&
	      currency_keep(out, prices->pool_unit[0]) &&
	      currency_keep(out, gpus);
	for (uint32_t i = 0; i < prices->gpu_count; i++)
		one = one && currency_keep(out, prices->gpu[i].unit);
	if (!one)
		out->currency[0] = '\0';
}
