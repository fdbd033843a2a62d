/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * eqt_price_message: the wording of the price that sbatch, srun and salloc print at a
 * submission, and `equitree bill`.
 *
 *	cost 2.5 core-equivalents (memory decides), 2.5 h for 1:00:00;
 *	--mem=8000M: 2
 *
 * Nothing allocates. No message holds anything that a user typed.
 */
#ifndef EQT_PRICE_MESSAGE_H
#define EQT_PRICE_MESSAGE_H

#include <stddef.h>

#include "quote/quote.h"
#include "base/text.h"

#define EQT_PRICE_MESSAGE_SIZE 4096 /* bytes that hold any message */

/* One line without a newline, cut to size. Returns buf. */
char *eqt_price_message_brief(const struct eqt_quote *quote, char *buf,
			      size_t size);

/* The line, and below it a line a resource with how its part was computed;
 * newlines between, none at the end. Returns buf. */
char *eqt_price_message_full(const struct eqt_quote *quote, char *buf,
			     size_t size);

/* Slurm's way to write minutes: 1-02:00:00 */
void eqt_price_message_put_minutes(struct eqt_text *line, uint64_t minutes);

/* The equivalent-hours of both prices for all tasks; false where they are not
 * known. */
bool eqt_price_message_hours(struct eqt_frac *low, struct eqt_frac *high,
			     const struct eqt_quote *quote,
			     const struct eqt_price *from,
			     const struct eqt_price *to);

#endif
