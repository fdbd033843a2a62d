/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "het_sum.h"

/* The job that this thread is being handed. Units are copied: a reconfigure may free
 * the configuration between two components. */
static _Thread_local struct {
	uint32_t components; /* that were added; 0: none */
	bool known; /* all of them have a price, in one unit */
	bool least;
	struct eqt_frac low, high;
	char one[EQT_UNIT_SIZE], many[EQT_UNIT_SIZE];
} het_sum __attribute__((tls_model("initial-exec")));

/* Does a price have the unit of the components before it? The first one sets it. */
static bool het_sum_has_unit(const struct eqt_price *price)
{
	const char *one = eqt_unit_name(price->unit, price->gpu_pool, false);
	const char *many = eqt_unit_name(price->unit, price->gpu_pool, true);

	if (het_sum.components == 0) {
		(void) snprintf(het_sum.one, sizeof(het_sum.one), "%s", one);
		(void) snprintf(het_sum.many, sizeof(het_sum.many), "%s", many);
	}
	return strcmp(het_sum.one, one) == 0 && strcmp(het_sum.many, many) == 0;
}

static bool het_sum_add_price(const struct eqt_quote *quote)
{
	return !quote->also && !quote->lack && het_sum_has_unit(&quote->low) &&
	       het_sum_has_unit(&quote->high) &&
	       eqt_frac_add(&het_sum.low, het_sum.low,
			    quote->low.equivalents) == 0 &&
	       eqt_frac_add(&het_sum.high, het_sum.high,
			    quote->high.equivalents) == 0;
}

void eqt_het_sum_add(const job_desc_msg_t *desc, const struct eqt_quote *quote)
{
	const uint32_t offset = desc->het_job_offset;

	if (offset == 0) {
		het_sum.components = 0;
		het_sum.known = true;
		het_sum.least = false;
		het_sum.low = het_sum.high = EQT_FRAC_ZERO;
	} else if (offset == NO_VAL || offset != het_sum.components) {
		het_sum.components = 0;
		het_sum.known = false;
		return;
	}
	het_sum.known = het_sum.known && quote && het_sum_add_price(quote);
	het_sum.least |= quote && quote->least;
	het_sum.components++;
}

bool eqt_het_sum_text(char *buf, size_t size)
{
	struct eqt_text line = { .data = buf, .space = size };
	const bool one = eqt_frac_cmp(het_sum.high, EQT_FRAC_ONE) == 0 &&
			 eqt_frac_cmp(het_sum.low, EQT_FRAC_ONE) == 0;

	if (!het_sum.known || het_sum.components < 2 || size == 0)
		return false;
	buf[0] = '\0';
	eqt_text_put(&line, "components 0 to ");
	eqt_text_whole(&line, het_sum.components - 1);
	eqt_text_put(&line, " together: cost ");
	if (het_sum.least)
		eqt_text_put(&line, "at least ");
	eqt_frac_put(&line, het_sum.low);
	if (eqt_frac_cmp(het_sum.low, het_sum.high) != 0) {
		eqt_text_put(&line, " to ");
		eqt_frac_put(&line, het_sum.high);
	}
	eqt_text_put(&line, " ");
	eqt_text_put(&line, one ? het_sum.one : het_sum.many);
	return true;
}
