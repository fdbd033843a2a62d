/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the parts of eqt_price share. */
#ifndef EQT_PRICE_IMPL_H
#define EQT_PRICE_IMPL_H

#include "price/price.h"

/* The unit in which a request is priced whose GPUs without a model are of that one,
 * borrowed from the prices; NULL: it has no name of its own. */
const struct eqt_unit *eqt_price_unit_find(
	const struct eqt_bundle_table *prices, const struct eqt_demand *demand,
	bool gpu_pool, uint32_t model);

#endif
