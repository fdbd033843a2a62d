/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the parts of eqt_quote share. */
#ifndef EQT_QUOTE_IMPL_H
#define EQT_QUOTE_IMPL_H

#include "quote/quote.h"

/* Makes a quote, *out being undefined where it returns -1. */
typedef int eqt_quote_fn(struct eqt_quote *out,
			 const struct eqt_bundle_table *prices,
			 const struct eqt_job_spec *spec,
			 const struct eqt_parsed_spec *parsed,
			 struct eqt_error *err);

/*
 * The bill of a request that could get nodes of several kinds: what it is on
 * each of those that it fits on, as a range of all, each by the function. parsed: the
 * request as it was counted by its lists. Errors as eqt_quote_make().
 */
int eqt_quote_classes_range(struct eqt_quote *out,
			    const struct eqt_bundle_table *prices,
			    const struct eqt_job_spec *spec,
			    const struct eqt_parsed_spec *parsed,
			    eqt_quote_fn *each, struct eqt_error *err);

/* Widen the prices of a bill by those of another; true if they differ. */
bool eqt_quote_widen_prices(struct eqt_quote *quote,
			    const struct eqt_quote *other);

/* Is the price a range? */
static inline bool eqt_quote_spans(const struct eqt_quote *quote)
{
	return quote->also ||
	       eqt_frac_cmp(quote->low.charge, quote->high.charge) != 0;
}

#endif
