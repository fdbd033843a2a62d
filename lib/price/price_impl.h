/* SPDX-License-Identifier: GPL-2.0-or-later */
/* price_impl: shared by price.c and price_words.c; private to these. */
#ifndef EQT_PRICE_IMPL_H
#define EQT_PRICE_IMPL_H

#include "price/price.h"

/* The unit of a request's price, borrowed from the prices; NULL: the built-in name.
 * GPUs without a model count as GPUs of that model. */
const struct eqt_unit *eqt_price_unit_find(
	const struct eqt_bundle_table *prices, const struct eqt_demand *demand,
	bool gpu_pool, uint32_t model);

#endif
