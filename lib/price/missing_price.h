/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * missing_price: the refusal of GPUs that no bundle prices. A request with such GPUs has
 * no price; whether its job is refused is decided by the caller.
 */
#ifndef EQT_MISSING_PRICE_H
#define EQT_MISSING_PRICE_H

#include "base/error.h"
#include "price/bundle_table.h"

/*
 * Look at a demand of GPUs, of each model so many (EQT_MODELS_MAX of them). Returns 0 if
 * each model that is demanded has a price; or -1 with err filled. A model has none, too,
 * while a rule takes its bundle away.
 */
int eqt_missing_price_check(const struct eqt_bundle_table *prices,
			    const uint64_t *gpus, struct eqt_error *err);

/* Say in err that no bundle prices the GRES of a name and type ("": none); returns -1. */
int eqt_missing_price_of(const char *name, const char *type,
			 struct eqt_error *err);

#endif
