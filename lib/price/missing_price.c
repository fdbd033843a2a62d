/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "price/missing_price.h"

int eqt_missing_price_check(const struct eqt_bundle_table *prices,
			    const uint64_t *gpus, struct eqt_error *err)
{
	uint32_t i;

	for (i = 0; i < EQT_MODELS_MAX; i++) {
		if (gpus[i] > 0 && !eqt_bundle_table_holds(prices, i))
			return eqt_error_set(err,
					     "the request has GPUs of a model "
					     "that has no price");
	}
	return 0;
}

int eqt_missing_price_of(const char *name, const char *type,
			 struct eqt_error *err)
{
	return eqt_error_set(err, "%s%s%s has no price", name,
			     type[0] ? ":" : "", type);
}
