/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * eqt_price_message: the text of the price that sbatch, srun and salloc print at a
 * submission, and that `equitree bill` prints.
 *
 *	cost 2.5 core-equivalents (memory decides), 2.5 h for 1:00:00;
 *	--mem=8000M: 2
 *
 * Nothing is allocated. No message contains text that a user typed.
 */
#ifndef EQT_PRICE_MESSAGE_H
#define EQT_PRICE_MESSAGE_H

#include <stddef.h>

#include "quote/quote.h"
#include "base/text.h"

#define EQT_PRICE_MESSAGE_SIZE 4096 /* bytes that are enough for any message */

/* Write the price in one line without a newline, cut to size. Return buf. */
char *eqt_price_message_brief(const struct eqt_quote *quote, char *buf,
			      size_t size);

/* Write the brief line and, below it, a line for each resource with the computation of
 * its part. The last line has no newline. Return buf. */
char *eqt_price_message_full(const struct eqt_quote *quote, char *buf,
			     size_t size);

/* Append minutes in Slurm's format, such as 1-02:00:00. */
void eqt_price_message_put_minutes(struct eqt_text *line, uint64_t minutes);

/* Compute the equivalent-hours of two prices for all tasks of an array. Return false if
 * they are not known. */
bool eqt_price_message_hours(struct eqt_frac *low, struct eqt_frac *high,
			     const struct eqt_quote *quote,
			     const struct eqt_price *from,
			     const struct eqt_price *to);

#endif
