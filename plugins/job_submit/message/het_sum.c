/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "het_sum.h"

/* Does the price have the same unit as the components before it? The first
 * component sets the unit. */
static bool het_sum_has_unit(struct eqt_het_sum *sum,
			     const struct eqt_price *price)
{
	const char *one = eqt_unit_name(price->unit, price->gpu_pool, false);
	const char *many = eqt_unit_name(price->unit, price->gpu_pool, true);

	if (sum->components == 0) {
		(void) snprintf(sum->one, sizeof(sum->one), "%s", one);
		(void) snprintf(sum->many, sizeof(sum->many), "%s", many);
	}
	return strcmp(sum->one, one) == 0 && strcmp(sum->many, many) == 0;
}

static bool het_sum_add_price(struct eqt_het_sum *sum,
			      const struct eqt_quote *quote)
{
	return !quote->also && !quote->lack &&
	       het_sum_has_unit(sum, &quote->low) &&
	       het_sum_has_unit(sum, &quote->high) &&
	       eqt_frac_add(&sum->low, sum->low, quote->low.equivalents) == 0 &&
	       eqt_frac_add(&sum->high, sum->high, quote->high.equivalents) ==
		       0;
}

/* The sum of the calling thread. A new sum replaces the sum that was not used
 * for the longest time. The lock is held. */
static struct eqt_het_sum *het_sums_mine(struct eqt_het_sums *sums)
{
	const pthread_t self = pthread_self();
	struct eqt_het_sum *oldest = &sums->of[0];

	for (int i = 0; i < EQT_HET_SUMS; i++) {
		struct eqt_het_sum *one = &sums->of[i];

		if (one->turn > 0 && pthread_equal(one->thread, self))
			return one;
		if (one->turn < oldest->turn)
			oldest = one;
	}
	*oldest = (struct eqt_het_sum){ .thread = self };
	return oldest;
}

/* Component 0 starts a new sum, because an ended thread may have had the same
 * pthread_t. */
static void het_sum_add_component(struct eqt_het_sum *sum, uint32_t offset,
				  const struct eqt_quote *quote)
{
	if (offset == 0)
		*sum = (struct eqt_het_sum){ .thread = sum->thread,
					     .known = true,
					     .low = EQT_FRAC_ZERO,
					     .high = EQT_FRAC_ZERO };
	sum->known = sum->known && offset == sum->components && quote &&
		     het_sum_add_price(sum, quote);
	sum->least |= quote && quote->least;
	sum->components = offset + 1;
}

struct eqt_het_sum eqt_het_sum_add(struct eqt_het_sums *sums,
				   const job_desc_msg_t *desc,
				   const struct eqt_quote *quote)
{
	struct eqt_het_sum *mine, copy = { .components = 0 };

	if (desc->het_job_offset == NO_VAL)
		return copy;
	pthread_mutex_lock(&sums->lock);
	mine = het_sums_mine(sums);
	het_sum_add_component(mine, desc->het_job_offset, quote);
	mine->turn = ++sums->turn;
	copy = *mine;
	pthread_mutex_unlock(&sums->lock);
	return copy;
}

bool eqt_het_sum_text(const struct eqt_het_sum *sum, char *buf, size_t size)
{
	struct eqt_text line = { .data = buf, .space = size };
	const bool one = eqt_frac_cmp(sum->high, EQT_FRAC_ONE) == 0 &&
			 eqt_frac_cmp(sum->low, EQT_FRAC_ONE) == 0;

	if (!sum->known || sum->components < 2 || size == 0)
		return false;
	buf[0] = '\0';
	eqt_text_put(&line, "components 0 to ");
	eqt_text_whole(&line, sum->components - 1);
	eqt_text_put(&line, " together: cost ");
	if (sum->least)
		eqt_text_put(&line, "at least ");
	eqt_frac_put(&line, sum->low);
	if (eqt_frac_cmp(sum->low, sum->high) != 0) {
		eqt_text_put(&line, " to ");
		eqt_frac_put(&line, sum->high);
	}
	eqt_text_put(&line, " ");
	eqt_text_put(&line, one ? sum->one : sum->many);
	return true;
}
