/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The whole quote: quote_price.c computes the prices, and quote_advice.c looks for a
 * cheaper request. */
#include "base/amount.h"
#include "quote/quote.h"

void eqt_quote_count_tasks(struct eqt_quote *quote,
			   const struct eqt_job_spec *spec)
{
	struct eqt_amount_tasks tasks;

	if (!spec->array || spec->array[0] == '\0' ||
	    eqt_amount_array_tasks(&tasks, spec->array, spec->array_size) < 0)
		return;
	quote->array_tasks = tasks.count;
	quote->array_at_most = tasks.at_most;
}

int eqt_quote_count(struct eqt_quote *out,
		    const struct eqt_bundle_table *prices,
		    const struct eqt_job_spec *spec,
		    const struct eqt_parsed_spec *parsed, struct eqt_error *err)
{
	if (eqt_quote_price(out, prices, spec, parsed, err) < 0)
		return -1;
	eqt_quote_count_tasks(out, spec);
	eqt_quote_advice_find(out, spec);
	return 0;
}

int eqt_quote_make(struct eqt_quote *out, const struct eqt_bundle_table *prices,
		   const struct eqt_job_spec *spec, struct eqt_error *err)
{
	struct eqt_parsed_spec parsed;

	if (eqt_parsed_spec_make(&parsed, prices, spec, err) < 0)
		return -1;
	return eqt_quote_count(out, prices, spec, &parsed, err);
}

struct eqt_price eqt_quote_most_with_number(const struct eqt_quote *quote)
{
	struct eqt_price most = quote->high;

	if (quote->also &&
	    eqt_frac_cmp(quote->also_high.charge, most.charge) > 0)
		most = quote->also_high;
	return most;
}

struct eqt_price eqt_quote_most(const struct eqt_quote *quote)
{
	const struct eqt_price most = eqt_quote_most_with_number(quote);

	return quote->spread_nodes > 0 && eqt_frac_cmp(quote->spread.charge,
						       most.charge) > 0
		       ? quote->spread
		       : most;
}

int eqt_quote_hours(struct eqt_frac *out, const struct eqt_quote *quote,
		    const struct eqt_price *price)
{
	struct eqt_frac hours;

	if (quote->minutes == 0 || quote->minutes == EQT_AMOUNT_UNLIMITED ||
	    eqt_frac_make(&hours, quote->minutes, 60) < 0)
		return -1;
	return eqt_frac_mul(out, price->usage, hours);
}
