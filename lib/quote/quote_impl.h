/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the parts of eqt_quote share. */
#ifndef EQT_QUOTE_IMPL_H
#define EQT_QUOTE_IMPL_H

#include "base/text.h"
#include "quote/quote.h"

/* eqt_quote_count(), eqt_quote_other() or eqt_quote_price(). */
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
int eqt_quote_on_kinds(struct eqt_quote *out,
		       const struct eqt_bundle_table *prices,
		       const struct eqt_job_spec *spec,
		       const struct eqt_parsed_spec *parsed, eqt_quote_fn *each,
		       struct eqt_error *err);

/* Look for a way to pay less than high, and fill in the advice of a bill. */
void eqt_quote_advise(struct eqt_quote *quote, const struct eqt_job_spec *spec,
		      const struct eqt_gres_rows *rows);

/* Widen the prices of a bill by those of another; true if they differ. */
bool eqt_quote_merge(struct eqt_quote *quote, const struct eqt_quote *other);

/* Append some words; the last is NULL. */
void eqt_quote_put_words(struct eqt_text *line, const char *const *words);

#define PUT(line, ...) \
	eqt_quote_put_words(line, (const char *const[]){ __VA_ARGS__, NULL })

/* "2.5", or "1 to 2" */
void eqt_quote_put_range(struct eqt_text *line, struct eqt_frac low,
			 struct eqt_frac high);

/* "1 to 2 core-equivalents", or each with its unit if they differ */
void eqt_quote_put_price(struct eqt_text *line, const struct eqt_price *low,
			 const struct eqt_price *high);

/* Slurm's way to write minutes: 1-02:00:00 */
void eqt_quote_put_minutes(struct eqt_text *line, uint64_t minutes);

/* "--mem=8000M", of a quote that has advice */
void eqt_quote_put_advice(struct eqt_text *line, const struct eqt_quote *quote);

/* The hours of both prices in money; false, and nothing, where there is none. */
bool eqt_quote_put_money(struct eqt_text *line, const struct eqt_price *from,
			 const struct eqt_price *to, struct eqt_frac low,
			 struct eqt_frac high);

/* The line of eqt_quote_brief(). */
void eqt_quote_put_brief(struct eqt_text *line, const struct eqt_quote *quote);

/* Make both numbers those of all tasks of an array; 0, or -1 when that does not
 * fit. */
int eqt_quote_all_tasks(struct eqt_frac *low, struct eqt_frac *high,
			const struct eqt_quote *quote);

/* The equivalent-hours of both prices for all tasks; false where they are not
 * known. */
bool eqt_quote_hours_range(struct eqt_frac *low, struct eqt_frac *high,
			   const struct eqt_quote *quote,
			   const struct eqt_price *from,
			   const struct eqt_price *to);

/* Why no node can hold the request, of a quote that lacks nodes. */
void eqt_quote_put_lack(struct eqt_text *line, const struct eqt_quote *quote);

/* " in partition ", " in QOS ", ...: what comes before the name of a factor. */
const char *eqt_quote_factor_words(int kind);

/* The factor of a kind that the text of a quote names, or NULL. */
const struct eqt_charge_factor *eqt_quote_factor(const struct eqt_quote *quote,
						 int kind);

#endif
