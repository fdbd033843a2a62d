/* SPDX-License-Identifier: GPL-2.0-or-later */
/* price_impl: shared by price.c and price_range.c; private to these. */
#ifndef EQT_PRICE_IMPL_H
#define EQT_PRICE_IMPL_H

#include <string.h>

#include "price/price.h"

#define EQT_PRICE_NAME_STEPS 4 /* for each name, if a price has several */

/* The number of models that hold. */
static inline uint32_t eqt_price_count_held(
	const struct eqt_bundle_table *prices)
{
	return (uint32_t) __builtin_popcount(eqt_bundle_table_held(prices));
}

/* Refuse a request whose price does not fit 64 bits. Returns -1. */
int eqt_price_too_large(struct eqt_error *err);

/* Are there GPUs of any model? */
static inline bool eqt_price_has_models(const struct eqt_demand *demand)
{
	static const uint64_t none[EQT_MODELS_MAX];

	return memcmp(demand->gpus, none, sizeof(none)) != 0;
}

static inline bool eqt_price_wants_gpus(const struct eqt_demand *demand)
{
	return demand->gpus_untyped > 0 || eqt_price_has_models(demand);
}

/* Does the price depend on a model that the request does not name? */
static inline bool eqt_price_wants_model(const struct eqt_bundle_table *prices,
					 const struct eqt_demand *demand)
{
	return demand->gpus_untyped > 0 ||
	       (prices->cores_off && !eqt_price_wants_gpus(demand));
}

#endif
