/* SPDX-License-Identifier: GPL-2.0-or-later */
/* quote_impl: what the files of lib/quote share. */
#ifndef EQT_QUOTE_IMPL_H
#define EQT_QUOTE_IMPL_H

#include "quote/quote.h"

/* A function that makes a quote. *out is undefined if it returns -1. */
typedef int eqt_quote_fn(struct eqt_quote *out,
			 const struct eqt_bundle_table *prices,
			 const struct eqt_job_spec *spec,
			 const struct eqt_parsed_spec *parsed,
			 struct eqt_error *err);

/*
 * Compute the quote of a request that could get nodes of several kinds. The function
 * `each` makes a quote for every kind on which the request fits, and the result is the
 * range of all. `parsed` is the request as it was counted. Errors are those of
 * eqt_quote_make().
 */
int eqt_quote_classes_range(struct eqt_quote *out,
			    const struct eqt_bundle_table *prices,
			    const struct eqt_job_spec *spec,
			    const struct eqt_parsed_spec *parsed,
			    eqt_quote_fn *each, struct eqt_error *err);

/* Compute low, high and the reason why nodes are lacking. Prices on more nodes and the
 * charge of big jobs are not computed. */
int eqt_quote_price_range(struct eqt_quote *out,
			  const struct eqt_bundle_table *prices,
			  const struct eqt_job_spec *spec,
			  const struct eqt_parsed_spec *parsed,
			  struct eqt_error *err);

/* Extend the prices of a quote by those of another. Return true if they differ. */
bool eqt_quote_widen_prices(struct eqt_quote *quote,
			    const struct eqt_quote *other);

/* Do cores that MaxMemPerCPU has added decide the price? The real reason is then the
 * memory. */
static inline bool eqt_quote_by_limit(const struct eqt_quote *quote)
{
	return quote->high.dominant == EQT_CORES &&
	       quote->totals.fair_mem_mib > 0 && quote->high.apart == 0;
}

/* Is the price a range? */
static inline bool eqt_quote_spans(const struct eqt_quote *quote)
{
	return quote->also ||
	       eqt_frac_cmp(quote->low.charge, quote->high.charge) != 0;
}

#endif
