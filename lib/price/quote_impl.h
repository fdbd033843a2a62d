/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the parts of eqt_quote share. */
#ifndef EQT_QUOTE_IMPL_H
#define EQT_QUOTE_IMPL_H

#include "price/quote.h"

/*
 * The bill of a request that could get nodes of several kinds: what it is on
 * each of those that it fits on, as a range of all. text: with all that is told,
 * else the price alone. Errors as eqt_quote_make().
 */
int eqt_quote_on_kinds(struct eqt_quote *out,
		       const struct eqt_bundle_table *prices,
		       const struct eqt_job_spec *spec, bool text,
		       struct eqt_error *err);

/* Widen the prices of a bill by those of another; true if they differ. */
bool eqt_quote_merge(struct eqt_quote *quote, const struct eqt_quote *other);

#endif
