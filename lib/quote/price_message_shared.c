/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The words and numbers that the short text of a quote and the long one share. */
#include "quote/price_message_shared.h"

void eqt_price_message_put_words(struct eqt_text *line,
				 const char *const *words)
{
	for (; *words; words++)
		eqt_text_put(line, *words);
}

/* As many digits as there are in 10. */
static void put_two_digits(struct eqt_text *line, uint64_t value)
{
	if (value < 10)
		eqt_text_put(line, "0");
	eqt_text_whole(line, value);
}

void eqt_price_message_put_range(struct eqt_text *line, struct eqt_frac low,
				 struct eqt_frac high)
{
	eqt_frac_put(line, low);
	if (eqt_frac_cmp(low, high) != 0) {
		eqt_text_put(line, " to ");
		eqt_frac_put(line, high);
	}
}

void eqt_price_message_put_minutes(struct eqt_text *line, uint64_t minutes)
{
	if (minutes >= 1440) {
		eqt_text_whole(line, minutes / 1440);
		eqt_text_put(line, "-");
		put_two_digits(line, minutes / 60 % 24);
	} else {
		eqt_text_whole(line, minutes / 60);
	}
	eqt_text_put(line, ":");
	put_two_digits(line, minutes % 60);
	eqt_text_put(line, ":00");
}

int eqt_price_message_all_tasks(struct eqt_frac *low, struct eqt_frac *high,
				const struct eqt_quote *quote)
{
	const struct eqt_frac tasks = { quote->array_tasks, 1 };

	if (quote->array_tasks < 2)
		return 0;
	if (eqt_frac_mul(low, *low, tasks) < 0 ||
	    eqt_frac_mul(high, *high, tasks) < 0)
		return -1;
	return 0;
}

struct eqt_frac eqt_price_message_amount(const struct eqt_quote *quote,
					 const struct eqt_price *price)
{
	return quote->by_factor ? price->charge : price->equivalents;
}

void eqt_price_message_put_price(struct eqt_text *line,
				 const struct eqt_quote *quote,
				 const struct eqt_price *low,
				 const struct eqt_price *high)
{
	const struct eqt_frac most = eqt_price_message_amount(quote, high);
	struct eqt_frac least = eqt_price_message_amount(quote, low);
	const bool one = eqt_frac_cmp(least, EQT_FRAC_ONE) == 0 &&
			 eqt_frac_cmp(most, EQT_FRAC_ONE) == 0;

	if (low->unit != high->unit) {
		eqt_frac_put(line, least);
		PUT(line, " ",
		    eqt_unit_name(low->unit, low->gpu_pool,
				  eqt_frac_cmp(least, EQT_FRAC_ONE) != 0),
		    " to ");
		least = most;
	}
	eqt_price_message_put_range(line, least, most);
	PUT(line, " ", eqt_unit_name(high->unit, high->gpu_pool, !one));
}

bool eqt_price_message_hours(struct eqt_frac *low, struct eqt_frac *high,
			     const struct eqt_quote *quote,
			     const struct eqt_price *from,
			     const struct eqt_price *to)
{
	if (eqt_quote_hours(low, quote, from) < 0)
		return false;
	*high = *low;
	if (eqt_frac_cmp(from->usage, to->usage) != 0 &&
	    eqt_quote_hours(high, quote, to) < 0)
		return false;
	return eqt_price_message_all_tasks(low, high, quote) == 0;
}

bool eqt_price_message_put_money(struct eqt_text *line,
				 const struct eqt_price *from,
				 const struct eqt_price *to,
				 struct eqt_frac low, struct eqt_frac high)
{
	struct eqt_frac least, most;

	if (from->unit != to->unit ||
	    eqt_unit_money(&least, from->unit, low) < 0 ||
	    eqt_unit_money(&most, from->unit, high) < 0)
		return false;
	eqt_price_message_put_range(line, least, most);
	PUT(line, " ", from->unit->currency);
	return true;
}

const struct eqt_charge_factor *eqt_price_message_factor(
	const struct eqt_quote *quote, int kind)
{
	const struct eqt_charge_factor *factor = &quote->prices->queue[kind];
	struct eqt_frac value;

	if (!factor->name ||
	    eqt_price_factor(&value, factor, quote->totals.demand.nodes) < 0 ||
	    eqt_frac_cmp(value, EQT_FRAC_ONE) == 0 ||
	    (quote->by_partition && kind == EQT_CHARGE_FACTOR_PARTITION) ||
	    (quote->by_qos && kind != EQT_CHARGE_FACTOR_PARTITION) ||
	    (quote->by_factor && kind != EQT_CHARGE_FACTOR_USAGE))
		return NULL;
	return factor;
}

void eqt_price_message_put_advice(struct eqt_text *line,
				  const struct eqt_quote *quote)
{
	static const char *const options[] = {
		[EQT_QUOTE_ADVICE_MEM] = "--mem=",
		[EQT_QUOTE_ADVICE_MEM_PER_CPU] = "--mem-per-cpu=",
		[EQT_QUOTE_ADVICE_MEM_PER_GPU] = "--mem-per-gpu=",
		[EQT_QUOTE_ADVICE_CPUS_PER_TASK] = "--cpus-per-task=",
		[EQT_QUOTE_ADVICE_CPUS_PER_GPU] = "--cpus-per-gpu=",
		[EQT_QUOTE_ADVICE_TASKS] = "-n",
	};
	bool mem = quote->advice < EQT_QUOTE_ADVICE_CPUS_PER_TASK;

	PUT(line, options[quote->advice]);
	eqt_text_whole(line, quote->advice_amount);
	eqt_text_put(line, mem ? "M" : "");
}

const char *eqt_price_message_factor_words(int kind)
{
	static const char *const words[EQT_CHARGE_FACTORS] = {
		[EQT_CHARGE_FACTOR_PARTITION] = " in partition ",
		[EQT_CHARGE_FACTOR_QOS] = " in QOS ",
		[EQT_CHARGE_FACTOR_USAGE] = " by UsageFactor of QOS ",
	};

	return words[kind];
}

void eqt_price_message_put_lack(struct eqt_text *line,
				const struct eqt_quote *quote)
{
	static const char *const words[] = {
		[EQT_QUOTE_LACK_NODES] =
			"no node here has what the request wants of one",
		[EQT_QUOTE_LACK_SIZE] =
			"no node here is large enough for the request",
		[EQT_QUOTE_LACK_ROOM] =
			"all nodes here together are too few for the request",
		[EQT_QUOTE_LACK_NUMBER] =
			"the request allows fewer nodes (-N) than it needs",
		[EQT_QUOTE_LACK_TASKS] =
			"the request has fewer tasks (-n) than it needs nodes",
		[EQT_QUOTE_LACK_MEM] =
			"the partition gives a job less memory of a node than "
			"the request wants (MaxMemPerNode)",
		[EQT_QUOTE_LACK_MOST] = "the partition gives a job fewer nodes "
					"than the request wants (-N)",
		[EQT_QUOTE_LACK_LEAST] = "the partition gives a job more nodes "
					 "than the request allows (-N)",
	};

	if (quote->lack)
		eqt_text_put(line, words[quote->lack]);
}
