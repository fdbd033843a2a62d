/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The line that a submission prints with message = brief in equitree.conf. That of an
 * ordinary request has at most 100 characters: what it costs and why, the hours of its
 * time limit, and what another request would cost.
 */
#include "quote/price_message_shared.h"

/* What decides, or what does not do so before the job runs. */
static const char *brief_reason(const struct eqt_quote *quote,
				char buf[EQT_PRICE_REASON_SIZE])
{
	if (quote->by_partition && quote->by_factor && !quote->by_qos)
		return "the partition and its factor decide";
	if (quote->by_partition)
		return quote->by_qos ? "partition and QOS decide"
				     : "the partition decides";
	if (quote->by_qos)
		return "the QOS decides";
	if (quote->by_model && quote->totals.demand.gpus_untyped == 0)
		return "the nodes decide";
	if (quote->by_model)
		return quote->by_nodes ? "models and nodes decide"
				       : "the model decides";
	if (quote->by_nodes)
		return "the nodes decide";
	if (!quote->low.minimum && eqt_quote_by_limit(quote))
		return "memory decides by MaxMemPerCPU";
	return eqt_price_reason(&quote->low, buf);
}

/* "free (QOS bonus)": nothing is charged, whatever Slurm chooses. */
static bool brief_put_free(struct eqt_text *line, const struct eqt_quote *quote)
{
	static const char *const kinds[EQT_CHARGE_FACTORS] = {
		[EQT_CHARGE_FACTOR_PARTITION] = " (partition ",
		[EQT_CHARGE_FACTOR_QOS] = " (QOS ",
		[EQT_CHARGE_FACTOR_USAGE] = " (QOS ",
	};
	const struct eqt_charge_factor *factor;

	if (quote->low.usage.num > 0 || quote->high.usage.num > 0 ||
	    (quote->also && quote->also_high.usage.num > 0))
		return false;
	eqt_text_put(line, "free");
	for (int i = 0; i < EQT_CHARGE_FACTORS; i++) {
		factor = eqt_price_message_factor(quote, i);
		if (!factor || factor->factor_u > 0)
			continue;
		PUT(line, kinds[i], factor->name, ")");
		break;
	}
	return true;
}

/* " ×3 in partition express", for each queue that has a factor */
static void brief_put_factors(struct eqt_text *line,
			      const struct eqt_quote *quote)
{
	for (int i = 0; i < EQT_CHARGE_FACTORS; i++) {
		const struct eqt_charge_factor *queue =
			eqt_price_message_factor(quote, i);
		struct eqt_frac factor;

		if (!queue || eqt_price_factor(&factor, queue,
					       quote->totals.demand.nodes) < 0)
			continue;
		eqt_text_put(line, " ×");
		eqt_frac_put(line, factor);
		PUT(line, eqt_price_message_factor_words(i), queue->name);
	}
}

/* Whether the hours of the time limit tell how many tasks an array has. */
static bool brief_counts_by_hours(const struct eqt_quote *quote)
{
	struct eqt_frac low, high;

	return eqt_price_message_hours(&low, &high, quote, &quote->low,
				       &quote->high);
}

/* ", 10 tasks: 25", where no hours say so */
static void brief_put_array(struct eqt_text *line,
			    const struct eqt_quote *quote)
{
	struct eqt_frac low = eqt_price_message_amount(quote, &quote->low);
	struct eqt_frac high = eqt_price_message_amount(quote, &quote->high);

	if (quote->array_tasks == 0 || brief_counts_by_hours(quote))
		return;
	eqt_text_put(line, quote->array_at_most ? ", up to " : ", ");
	eqt_text_whole(line, quote->array_tasks);
	eqt_text_put(line, quote->array_tasks == 1 ? " task" : " tasks");
	if (eqt_price_message_all_tasks(&low, &high, quote) < 0)
		return;
	eqt_text_put(line, ": ");
	eqt_price_message_put_range(line, low, high);
}

/* "2.5 h (0.05 EUR)": of one unit, for all tasks together; false, and nothing, where
 * that is not known. */
static bool brief_put_unit_hours(struct eqt_text *line,
				 const struct eqt_quote *quote,
				 const struct eqt_price *from,
				 const struct eqt_price *to, const char *before)
{
	char money[EQT_PRICE_MESSAGE_SIZE / 16];
	struct eqt_text in_money = { .data = money, .space = sizeof(money) };
	struct eqt_frac low, high;

	if (!eqt_price_message_hours(&low, &high, quote, from, to))
		return false;
	PUT(line, before, quote->least ? "at least " : "");
	eqt_price_message_put_range(line, low, high);
	eqt_text_put(line, " h");
	if (eqt_price_message_put_money(&in_money, from, to, low, high))
		PUT(line, " (", money, ")");
	return true;
}

/* " for 1:00:00", or " for 10x1:00:00" of the tasks of an array */
static void brief_put_limit(struct eqt_text *line,
			    const struct eqt_quote *quote)
{
	eqt_text_put(line, " for ");
	if (quote->array_tasks > 0) {
		eqt_text_put(line, quote->array_at_most ? "up to " : "");
		eqt_text_whole(line, quote->array_tasks);
		eqt_text_put(line, "x");
	}
	eqt_price_message_put_minutes(line, quote->minutes);
}

/* What is charged for the time limit. */
static void brief_put_hours(struct eqt_text *line,
			    const struct eqt_quote *quote)
{
	if (quote->minutes == EQT_AMOUNT_UNLIMITED)
		eqt_text_put(line, ", no time limit");
	if (!brief_put_unit_hours(line, quote, &quote->low, &quote->high, ", "))
		return;
	if (quote->also)
		(void) brief_put_unit_hours(line, quote, &quote->also_low,
					    &quote->also_high, " or ");
	brief_put_limit(line, quote);
}

/* "; up to 5 without -N1", "; --mem=8000M: 2" */
static void brief_put_hints(struct eqt_text *line,
			    const struct eqt_quote *quote)
{
	if (quote->spread_nodes > 0) {
		eqt_text_put(line, "; up to ");
		eqt_frac_put(line,
			     eqt_price_message_amount(quote, &quote->spread));
		eqt_text_put(line, " without -N");
		eqt_text_whole(line, quote->totals.nodes);
	}
	if (quote->advice == EQT_QUOTE_ADVICE_NONE)
		return;
	eqt_text_put(line, "; ");
	eqt_price_message_put_advice(line, quote);
	eqt_text_put(line, ": ");
	eqt_frac_put(line, quote->advice_price);
}

void eqt_price_message_put_brief(struct eqt_text *line,
				 const struct eqt_quote *quote)
{
	char reason[EQT_PRICE_REASON_SIZE];

	if (quote->lack) {
		eqt_price_message_put_lack(line, quote);
		return;
	}
	if (brief_put_free(line, quote))
		return;
	PUT(line, "cost ", quote->least ? "at least " : "");
	eqt_price_message_put_price(line, quote, &quote->low, &quote->high);
	if (quote->also) {
		eqt_text_put(line, " or ");
		eqt_price_message_put_price(line, quote, &quote->also_low,
					    &quote->also_high);
	}
	PUT(line,
	    quote->array_tasks && !brief_counts_by_hours(quote) ? " a task ("
								: " (",
	    brief_reason(quote, reason), ")");
	brief_put_array(line, quote);
	brief_put_factors(line, quote);
	brief_put_hours(line, quote);
	brief_put_hints(line, quote);
}

char *eqt_price_message_brief(const struct eqt_quote *quote, char *buf,
			      size_t size)
{
	struct eqt_text line = { .data = buf, .space = size };

	eqt_price_message_put_brief(&line, quote);
	return buf;
}
