/* SPDX-License-Identifier: GPL-2.0-or-later */
/* random_prices: random price tables and requests. */
#ifndef EQT_TESTS_RANDOM_PRICES_H
#define EQT_TESTS_RANDOM_PRICES_H

#include <stdio.h>

#include "price/price.h"
#include "random.h"

static inline struct eqt_bundle random_bundle(struct eqt_random *random)
{
	struct eqt_bundle bundle = { 0 };

	bundle.cores_u = 1 + eqt_random_below(random, 128 * EQT_MICRO);
	bundle.weight_u = 1 + eqt_random_below(random, 20 * EQT_MICRO);
	/* Half of the tables have whole cores, like most sites. */
	if (eqt_random_below(random, 2))
		bundle.cores_u = (1 + bundle.cores_u / EQT_MICRO) * EQT_MICRO;
	if (eqt_random_below(random, 8))
		bundle.mem_mib_u = 1 + eqt_random_below(
			random, UINT64_C(1048576) * EQT_MICRO);
	if (eqt_random_below(random, 4) == 0)
		bundle.disk = 1 + eqt_random_below(random, 10000000);
	return bundle;
}

/* The GPU bundles of the last table. */
static struct eqt_bundle random_gpus[6];

/* It points to random_gpus: a table is good until the next one is made. */
static inline struct eqt_bundle_table random_prices(struct eqt_random *random)
{
	struct eqt_bundle_table prices = { .gpu = random_gpus };
	uint32_t i;

	prices.cores = random_bundle(random);
	prices.gpu_count = (uint32_t) eqt_random_below(random, 6);
	for (i = 0; i < prices.gpu_count; i++) {
		random_gpus[i] = random_bundle(random);
		snprintf(random_gpus[i].name, EQT_NAME_SIZE, "gpu:m%u", i);
	}
	return prices;
}

/* Rules of a site: any of the keys, or none. */
static inline void add_rules(struct eqt_random *random, struct eqt_bundle_table *prices)
{
	int i;

	if (eqt_random_below(random, 2))
		prices->minimum_u = eqt_random_below(random, 9 * EQT_MICRO);
	if (eqt_random_below(random, 2))
		prices->round_unit = eqt_random_below(random, 1000);
	for (i = 0; i < EQT_CHARGE_FACTORS; i++) {
		if (eqt_random_below(random, 2) == 0)
			continue;
		prices->queue[i].name = "a";
		prices->queue[i].factor_u =
			eqt_random_below(random, 4 * EQT_MICRO);
	}
}

/* A request of no model, one, or several. */
static inline struct eqt_demand random_request(struct eqt_random *random,
					 uint32_t gpu_count)
{
	struct eqt_demand demand = { 0 };
	uint64_t models = eqt_random_below(random, 3);
	uint32_t i;

	demand.cores = eqt_random_below(random, 10000);
	demand.mem_mib = eqt_random_below(random, 100000000);
	if (eqt_random_below(random, 2))
		demand.disk = eqt_random_below(random, 1000000000);
	for (i = 0; models == 2 && i < gpu_count; i++)
		demand.gpus[i] = eqt_random_below(random, 64);
	if (models == 1 && gpu_count > 0) {
		i = (uint32_t) eqt_random_below(random, gpu_count);
		demand.gpus[i] = 1 + eqt_random_below(random, 64);
	}
	return demand;
}

#endif
