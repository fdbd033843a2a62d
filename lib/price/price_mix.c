/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What GPUs without a model cost where they are of two. */
#include "price/price.h"

#define DIVISIONS 8 /* so many GPUs are divided in each way */

/* The next way to divide count GPUs after one that gives the first model some. */
static uint64_t next_division(uint64_t some, uint64_t count)
{
	if (count <= DIVISIONS || some + 1 == count)
		return some + 1;
	return some < count / 2 ? count / 2 : count - 1;
}

struct mixture {
	struct eqt_price *low, *high;
	const struct eqt_bundle_table *prices;
	const struct eqt_demand *demand;
};

static int add_pair(struct mixture *mixture, uint32_t one, uint32_t other,
		    struct eqt_error *err)
{
	const uint64_t count = mixture->demand->gpus_untyped;
	struct eqt_demand divided = *mixture->demand;
	struct eqt_price price;
	uint64_t some;

	divided.gpus_untyped = 0;
	for (some = 1; some < count; some = next_division(some, count)) {
		divided.gpus[one] = mixture->demand->gpus[one] + some;
		divided.gpus[other] =
			mixture->demand->gpus[other] + count - some;
		if (eqt_price_as(&price, mixture->prices, &divided, one, err) <
		    0)
			return -1;
		if (eqt_frac_cmp(price.equivalents, mixture->low->equivalents) <
		    0)
			*mixture->low = price;
		if (eqt_frac_cmp(price.equivalents,
				 mixture->high->equivalents) > 0)
			*mixture->high = price;
	}
	return 0;
}

int eqt_price_mixtures(struct eqt_price *low, struct eqt_price *high,
		       const struct eqt_bundle_table *prices,
		       const struct eqt_demand *demand, struct eqt_error *err)
{
	struct mixture mixture = { low, high, prices, demand };
	uint32_t one, other;

	for (one = 0; one < prices->gpu_count; one++) {
		if (!eqt_bundle_table_near(prices, one))
			continue;
		for (other = one + 1; other < prices->gpu_count; other++) {
			if (eqt_bundle_table_near(prices, other) &&
			    add_pair(&mixture, one, other, err) < 0)
				return -1;
		}
	}
	return 0;
}
