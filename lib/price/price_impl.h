/* SPDX-License-Identifier: GPL-2.0-or-later */
/* price_impl: functions that only price.c and price_range.c share. */
#ifndef EQT_PRICE_IMPL_H
#define EQT_PRICE_IMPL_H

#include <string.h>

#include "price/price.h"

/* The steps that each GRES name of a price costs, if there are several. Steps are the
 * limit of work in struct eqt_bundle_table. */
#define EQT_PRICE_NAME_STEPS 4

/* Return the number of GPU models whose bundles are in force for a job. */
static inline uint32_t eqt_price_count_held(
	const struct eqt_bundle_table *prices)
{
	return (uint32_t) __builtin_popcount(eqt_bundle_table_held(prices));
}

/* Write the error that a price does not fit 64 bits. Returns -1. */
int eqt_price_too_large(struct eqt_error *err);

/* Does a request name GPUs of a model? */
static inline bool eqt_price_has_models(const struct eqt_demand *demand)
{
	static const uint64_t none[EQT_MODELS_MAX];

	return memcmp(demand->gpus, none, sizeof(none)) != 0;
}

static inline bool eqt_price_wants_gpus(const struct eqt_demand *demand)
{
	return demand->gpus_untyped > 0 || eqt_price_has_models(demand);
}

/* Does the price depend on a GPU model that the request does not name? */
static inline bool eqt_price_wants_model(const struct eqt_bundle_table *prices,
					 const struct eqt_demand *demand)
{
	return demand->gpus_untyped > 0 ||
	       (prices->cores_off && !eqt_price_wants_gpus(demand));
}

#endif
