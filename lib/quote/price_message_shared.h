/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The words and numbers that the brief message and the full one share. Private to the
 * messages of lib/quote. */
#ifndef EQT_PRICE_MESSAGE_SHARED_H
#define EQT_PRICE_MESSAGE_SHARED_H

#include "base/text.h"
#include "quote/price_message.h"

/* Append some words; the last is NULL. */
void eqt_price_message_put_words(struct eqt_text *line,
				 const char *const *words);

#define PUT(line, ...)                                                        \
	eqt_price_message_put_words(line, (const char *const[]){ __VA_ARGS__, \
								 NULL })

/* "2.5", or "1 to 2" */
void eqt_price_message_put_range(struct eqt_text *line, struct eqt_frac low,
				 struct eqt_frac high);

/* The number of a price in the words: its equivalents, or what is charged where the
 * factors of partitions or QOS differ. */
struct eqt_frac eqt_price_message_amount(const struct eqt_quote *quote,
					 const struct eqt_price *price);

/* "1 to 2 core-equivalents", or each with its unit if they differ */
void eqt_price_message_put_price(struct eqt_text *line,
				 const struct eqt_quote *quote,
				 const struct eqt_price *low,
				 const struct eqt_price *high);

/* Slurm's way to write minutes: 1-02:00:00 */
void eqt_price_message_put_minutes(struct eqt_text *line, uint64_t minutes);

/* "--mem=8000M", of a quote that has advice */
void eqt_price_message_put_advice(struct eqt_text *line,
				  const struct eqt_quote *quote);

/* The hours of both prices in money; false, and nothing, where there is none. */
bool eqt_price_message_put_money(struct eqt_text *line,
				 const struct eqt_price *from,
				 const struct eqt_price *to,
				 struct eqt_frac low, struct eqt_frac high);

/* The line of eqt_price_message_brief(), for the first line of the long message. */
void eqt_price_message_put_brief(struct eqt_text *line,
				 const struct eqt_quote *quote);

/* Make both numbers those of all tasks of an array; 0, or -1 when that does not
 * fit. */
int eqt_price_message_all_tasks(struct eqt_frac *low, struct eqt_frac *high,
				const struct eqt_quote *quote);

/* The equivalent-hours of both prices for all tasks; false where they are not
 * known. */
bool eqt_price_message_hours(struct eqt_frac *low, struct eqt_frac *high,
			     const struct eqt_quote *quote,
			     const struct eqt_price *from,
			     const struct eqt_price *to);

/* Why no node can hold the request, of a quote that lacks nodes. */
void eqt_price_message_put_lack(struct eqt_text *line,
				const struct eqt_quote *quote);

/* " in partition ", " in QOS ", ...: what comes before the name of a factor. */
const char *eqt_price_message_factor_words(int kind);

/* The factor of a kind that the message names, or NULL. */
const struct eqt_charge_factor *eqt_price_message_factor(
	const struct eqt_quote *quote, int kind);

#endif
