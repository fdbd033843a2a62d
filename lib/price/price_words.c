/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The words for the parts of a price: units, resources, reasons. */
#include "base/text.h"
#include "price/price_impl.h"

/* The unit of a bundle, or else of its pool. */
static const struct eqt_unit *unit_of(const struct eqt_bundle_table *prices,
				      const struct eqt_unit *bundle_unit,
				      int gpu_pool)
{
	return bundle_unit ? bundle_unit : prices->pool_unit[gpu_pool != 0];
}

/* The unit that all bundles of a request share, or the pool's if they differ. GPUs
 * without a model have the unit of the given model. */
static const struct eqt_unit *gpu_unit_find(
	const struct eqt_bundle_table *prices, const struct eqt_demand *demand,
	uint32_t model)
{
	const struct eqt_unit *unit =
		unit_of(prices, prices->gpu[model].unit, 1);
	bool any = demand->gpus_untyped > 0;
	uint32_t i;

	for (i = 0; i < prices->gpu_count; i++) {
		const struct eqt_unit *next =
			unit_of(prices, prices->gpu[i].unit, 1);

		if (demand->gpus[i] == 0)
			continue;
		if (any && next != unit)
			return prices->pool_unit[1];
		unit = next;
		any = true;
	}
	return unit;
}

const struct eqt_unit *eqt_price_unit_find(
	const struct eqt_bundle_table *prices, const struct eqt_demand *demand,
	bool gpu_pool, uint32_t model)
{
	return gpu_pool ? gpu_unit_find(prices, demand, model)
			: unit_of(prices, prices->cores.unit, 0);
}

const char *eqt_price_unit(const struct eqt_price *price)
{
	return eqt_unit_name(price->unit, price->gpu_pool, true);
}

const char *eqt_resource_name(enum eqt_resource resource)
{
	static const char *const names[EQT_RESOURCES] = {
		[EQT_CORES] = "cores", [EQT_MEMORY] = "memory",
		[EQT_GPUS] = "GPUs",   [EQT_DISK] = "disk",
		[EQT_NODES] = "nodes",
	};

	return names[resource];
}

/* The terms that cost something, by what decides each. Returns how many. */
static int terms_put(const struct eqt_price *price, struct eqt_text *line)
{
	static const enum eqt_resource order[EQT_RESOURCES] = {
		EQT_GPUS, EQT_CORES, EQT_MEMORY, EQT_DISK, EQT_NODES
	};
	int terms = 0;

	for (int i = 0; i < EQT_RESOURCES; i++) {
		const enum eqt_resource one = order[i];

		if (price->by[one].num == 0 ||
		    eqt_price_term(price, one) != one)
			continue;
		eqt_text_put(line, terms++ ? ", " : "");
		eqt_text_put(line, eqt_resource_name(one));
		eqt_text_put(line, " ");
		eqt_frac_put(line, price->by[one]);
	}
	return terms;
}

const char *eqt_price_reason(const struct eqt_price *price,
			     char buf[EQT_PRICE_REASON_SIZE])
{
	static const char *const reasons[EQT_RESOURCES] = {
		[EQT_CORES] = "cores decide", [EQT_MEMORY] = "memory decides",
		[EQT_GPUS] = "GPUs decide",   [EQT_DISK] = "disk decides",
		[EQT_NODES] = "nodes decide",
	};
	struct eqt_text line = { .data = buf, .space = EQT_PRICE_REASON_SIZE };

	if (price->minimum)
		return "the least for a job";
	if (price->apart && terms_put(price, &line) > 1)
		return buf;
	return reasons[price->dominant];
}
