/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The text that a submission prints with message = full in equitree.conf, and that
 * `equitree bill` prints: the brief line, and below it how the price was computed. */

#include "base/text.h"
#include "quote/price_message.h"
#include "quote/quote_impl.h"

/* ---- Words of both lengths ----------------------------------------------------------
 * The words and numbers that the brief message and the full message share. */

#define PUT(line, ...)                \
	price_message_put_words(line, \
				(const char *const[]){ __VA_ARGS__, NULL })

/* Append words up to a NULL. */
static void price_message_put_words(struct eqt_text *line,
				    const char *const *words)
{
	for (; *words; words++)
		eqt_text_put(line, *words);
}

/* Append a number with at least two digits, as in a time. */
static void put_two_digits(struct eqt_text *line, uint64_t value)
{
	if (value < 10)
		eqt_text_put(line, "0");
	eqt_text_whole(line, value);
}

/* Append one number such as "2.5", or a range such as "1 to 2". */
static void price_message_put_range(struct eqt_text *line, struct eqt_frac low,
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

/* Multiply both numbers by the tasks of an array. Return 0, or -1 if a product does not
 * fit 64 bits. */
static int price_message_all_tasks(struct eqt_frac *low, struct eqt_frac *high,
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

/* Return the number that the message shows. That is the equivalents or, if factors of
 * partitions or QOS differ, the charge. */
static struct eqt_frac price_message_amount(const struct eqt_quote *quote,
					    const struct eqt_price *price)
{
	return quote->by_factor ? price->charge : price->equivalents;
}

/* Append a price such as "1 to 2 core-equivalents". If the two prices have different
 * units, each has its own. */
static void price_message_put_price(struct eqt_text *line,
				    const struct eqt_quote *quote,
				    const struct eqt_price *low,
				    const struct eqt_price *high)
{
	const struct eqt_frac most = price_message_amount(quote, high);
	struct eqt_frac least = price_message_amount(quote, low);
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
	price_message_put_range(line, least, most);
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
	return price_message_all_tasks(low, high, quote) == 0;
}

/* Append the price of the hours in money. Return false and append nothing if there is
 * no price in money. */
static bool price_message_put_money(struct eqt_text *line,
				    const struct eqt_price *from,
				    const struct eqt_price *to,
				    struct eqt_frac low, struct eqt_frac high)
{
	struct eqt_frac least, most;

	if (from->unit != to->unit ||
	    eqt_unit_money(&least, from->unit, low) < 0 ||
	    eqt_unit_money(&most, from->unit, high) < 0)
		return false;
	price_message_put_range(line, least, most);
	PUT(line, " ", from->unit->currency);
	return true;
}

/* Return the factor of a kind if the message names it, or NULL. */
static const struct eqt_charge_factor *price_message_factor(
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

/* Append the range of the factor that depends on the time of the week, such as "0.5 to
 * 1". Append nothing if there is no such factor. */
static void price_message_put_week(struct eqt_text *line,
				   const struct eqt_quote *quote,
				   const char *before, const char *after)
{
	const struct eqt_week *week = quote->prices->week;
	struct eqt_frac least, most;

	if (!week || eqt_frac_make(&least, week->least_u, EQT_MICRO) < 0 ||
	    eqt_frac_make(&most, week->most_u, EQT_MICRO) < 0)
		return;
	eqt_text_put(line, before);
	price_message_put_range(line, least, most);
	PUT(line, after, " by the time of the week");
}

/* Append the option of the advice, such as "--mem=8000M". */
static void price_message_put_advice(struct eqt_text *line,
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

/* Return the words before the name of a factor, such as " in partition ". */
static const char *price_message_factor_words(int kind)
{
	static const char *const words[EQT_CHARGE_FACTORS] = {
		[EQT_CHARGE_FACTOR_PARTITION] = " in partition ",
		[EQT_CHARGE_FACTOR_QOS] = " in QOS ",
		[EQT_CHARGE_FACTOR_USAGE] = " by UsageFactor of QOS ",
	};

	return words[kind];
}

/* Append the reason why no node can run the request. */
static void price_message_put_lack(struct eqt_text *line,
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

/* ---- The line -----------------------------------------------------------------------
 * The line that a submission prints with message = brief in equitree.conf. For an
 * ordinary request it has at most 100 characters. It has the price and what decides it,
 * the hours of the time limit, and the price of a cheaper request. */

/* Return the words for the resource that decides the price, or for the reason why this
 * is not known before the job starts. */
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

/* Append "free" and the factor that makes the job free, as in "free (QOS bonus)".
 * Append nothing and return false if Slurm could choose nodes for which the job is
 * charged. */
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
		factor = price_message_factor(quote, i);
		if (!factor || factor->factor_u > 0)
			continue;
		PUT(line, kinds[i], factor->name, ")");
		break;
	}
	return true;
}

/* Append each factor that the message names, as in " ×3 in partition express". */
static void brief_put_factors(struct eqt_text *line,
			      const struct eqt_quote *quote)
{
	for (int i = 0; i < EQT_CHARGE_FACTORS; i++) {
		const struct eqt_charge_factor *queue =
			price_message_factor(quote, i);
		struct eqt_frac factor;

		if (!queue || eqt_price_factor(&factor, queue,
					       quote->totals.demand.nodes) < 0)
			continue;
		eqt_text_put(line, " ×");
		eqt_frac_put(line, factor);
		PUT(line, price_message_factor_words(i), queue->name);
	}
	price_message_put_week(line, quote, " ×", "");
}

/* Does the text of the hours contain the number of tasks of an array? */
static bool brief_counts_by_hours(const struct eqt_quote *quote)
{
	struct eqt_frac low, high;

	return eqt_price_message_hours(&low, &high, quote, &quote->low,
				       &quote->high);
}

/* Append the number of tasks and their price, as in ", 10 tasks: 25", unless the text
 * of the hours has the number. */
static void brief_put_array(struct eqt_text *line,
			    const struct eqt_quote *quote)
{
	struct eqt_frac low = price_message_amount(quote, &quote->low);
	struct eqt_frac high = price_message_amount(quote, &quote->high);

	if (quote->array_tasks == 0 || brief_counts_by_hours(quote))
		return;
	eqt_text_put(line, quote->array_at_most ? ", up to " : ", ");
	eqt_text_whole(line, quote->array_tasks);
	eqt_text_put(line, quote->array_tasks == 1 ? " task" : " tasks");
	if (price_message_all_tasks(&low, &high, quote) < 0)
		return;
	eqt_text_put(line, ": ");
	price_message_put_range(line, low, high);
}

/* Append the hours of one unit for all tasks together, as in "2.5 h (0.05 EUR)". Return
 * false and append nothing if the hours are not known. */
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
	price_message_put_range(line, low, high);
	eqt_text_put(line, " h");
	if (price_message_put_money(&in_money, from, to, low, high))
		PUT(line, " (", money, ")");
	return true;
}

/* Append the time limit, such as " for 1:00:00", or " for 10x1:00:00" for an array. */
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

/* Append the charge for the time limit. */
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

/* Append hints such as "; up to 5 without -N1" and "; --mem=8000M: 2". */
static void brief_put_hints(struct eqt_text *line,
			    const struct eqt_quote *quote)
{
	if (quote->spread_nodes > 0) {
		eqt_text_put(line, "; up to ");
		eqt_frac_put(line, price_message_amount(quote, &quote->spread));
		eqt_text_put(line, " without -N");
		eqt_text_whole(line, quote->totals.nodes);
	}
	if (quote->starts_now) {
		eqt_text_put(line, "; ");
		eqt_frac_put(line, price_message_amount(quote, &quote->now));
		eqt_text_put(line, " if it starts now");
	}
	if (quote->advice == EQT_QUOTE_ADVICE_NONE)
		return;
	eqt_text_put(line, "; ");
	price_message_put_advice(line, quote);
	eqt_text_put(line, ": ");
	eqt_frac_put(line, quote->advice_price);
}

/* Append the brief line, which is also the first line of the full message. */
static void price_message_put_brief(struct eqt_text *line,
				    const struct eqt_quote *quote)
{
	char reason[EQT_PRICE_REASON_SIZE];

	if (quote->lack) {
		price_message_put_lack(line, quote);
		return;
	}
	if (brief_put_free(line, quote))
		return;
	PUT(line, "cost ", quote->least ? "at least " : "");
	price_message_put_price(line, quote, &quote->low, &quote->high);
	if (quote->also) {
		eqt_text_put(line, " or ");
		price_message_put_price(line, quote, &quote->also_low,
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

	price_message_put_brief(&line, quote);
	return buf;
}

/* ---- The text ------------------------------------------------------------- */

/* Append the GPUs of a request by bundle, in the order of the bundle table. */
static void full_put_gpus(struct eqt_text *line, const struct eqt_quote *quote)
{
	const struct eqt_demand *demand = &quote->totals.demand;
	const char *comma = "";

	for (uint32_t i = 0; i < quote->prices->gpu_count; i++) {
		const struct eqt_bundle *bundle = &quote->prices->gpu[i];
		struct eqt_frac weight = EQT_FRAC_ONE;

		if (demand->gpus[i] == 0)
			continue;
		eqt_text_put(line, comma);
		eqt_text_whole(line, demand->gpus[i]);
		PUT(line, " ", bundle->name);
		comma = ", ";
		(void) eqt_frac_make(&weight, bundle->weight_u, EQT_MICRO);
		if (eqt_frac_cmp(weight, EQT_FRAC_ONE) == 0)
			continue;
		eqt_text_put(line, " of weight ");
		eqt_frac_put(line, weight);
	}
	if (demand->gpus_untyped > 0) {
		eqt_text_put(line, comma);
		eqt_text_whole(line, demand->gpus_untyped);
		eqt_text_put(line, " of any model");
	}
}

/* Append the amount of a resource that costs one equivalent. */
static void full_put_rate(struct eqt_text *line, const struct eqt_price *price,
			  enum eqt_resource resource, uint64_t amount,
			  const char *suffix)
{
	struct eqt_frac inverse = { price->by[resource].den,
				    price->by[resource].num };
	struct eqt_frac each;

	if (price->by[resource].num == 0 ||
	    eqt_frac_mul(&each, inverse, (struct eqt_frac){ amount, 1 }) < 0)
		return;
	eqt_text_put(line, " at ");
	eqt_frac_put(line, each);
	PUT(line, suffix, " an equivalent");
}

/* Return the unit after the amount of a resource. */
static const char *full_suffix(const struct eqt_quote *quote,
			       enum eqt_resource resource)
{
	return resource == EQT_MEMORY || (resource == EQT_DISK &&
					  quote->prices->disk_shift > 0)
		       ? "M"
		       : "";
}

static uint64_t full_amount(const struct eqt_demand *demand,
			    enum eqt_resource resource)
{
	if (resource == EQT_DISK)
		return demand->disk;
	if (resource == EQT_NODES)
		return demand->nodes;
	return resource == EQT_CORES ? demand->cores : demand->mem_mib;
}

static void full_put_resource(struct eqt_text *line,
			      const struct eqt_quote *quote,
			      enum eqt_resource resource)
{
	/* The names of eqt_resource_name(), padded to the same width. */
	static const char *const columns[EQT_RESOURCES] = {
		[EQT_CORES] = "cores  ", [EQT_MEMORY] = "memory ",
		[EQT_GPUS] = "GPUs   ",	 [EQT_DISK] = "disk   ",
		[EQT_NODES] = "nodes  ",
	};
	const uint64_t amount = full_amount(&quote->totals.demand, resource);
	const char *suffix = full_suffix(quote, resource);

	PUT(line, "\n  ", columns[resource], " ");
	if (resource == EQT_GPUS) {
		full_put_gpus(line, quote);
	} else {
		eqt_text_whole(line, amount);
		eqt_text_put(line, suffix);
		if (!quote->by_model)
			full_put_rate(line, &quote->low, resource, amount,
				      suffix);
	}
	if (quote->by_model || quote->by_nodes || quote->by_partition)
		return;
	eqt_text_put(line, ": ");
	eqt_frac_put(line, quote->low.by[resource]);
	if (quote->low.minimum)
		return;
	if (quote->low.apart == 0 && resource == quote->low.dominant)
		eqt_text_put(line, ", which decides");
	else if (quote->low.apart && quote->low.by[resource].num > 0 &&
		 eqt_price_term(&quote->low, resource) == resource)
		eqt_text_put(line, ", which counts");
}

/* Append the nodes or features for which a bundle is meant. */
static void full_put_place(struct eqt_text *line,
			   const struct eqt_bundle *bundle)
{
	if (bundle->nodes)
		PUT(line, " on ", bundle->nodes);
	if (bundle->features)
		PUT(line, " with feature ", bundle->features);
}

static void full_put_model(struct eqt_text *line, const struct eqt_quote *quote,
			   const struct eqt_demand *demand, uint32_t model)
{
	const struct eqt_bundle *bundle = &quote->prices->gpu[model];
	struct eqt_price price;

	if (!eqt_bundle_table_near(quote->prices, model) ||
	    eqt_price_as(&price, quote->prices, demand, model, NULL) < 0)
		return;
	PUT(line, "\n  as ", bundle->name);
	full_put_place(line, bundle);
	eqt_text_put(line, ": ");
	eqt_frac_put(line, price.equivalents);
	if (!price.minimum)
		PUT(line, ", decided by ", eqt_resource_name(price.dominant));
}

/* Append a line for each model, or for each bundle of the model, that could decide the
 * price. */
static void full_put_models(struct eqt_text *line,
			    const struct eqt_quote *quote)
{
	struct eqt_demand demand = quote->totals.demand;

	for (uint32_t i = 0; i < quote->prices->gpu_count; i++) {
		if (demand.gpus_untyped > 0) {
			if (eqt_bundle_table_held(quote->prices) >> i & 1)
				full_put_model(line, quote, &demand, i);
			continue;
		}
		/* If the request has GPUs of several models, each model has its own
		 * rates, and there would be too many lines. */
		if (demand.gpus[i] != quote->totals.gpus)
			continue;
		demand.gpus_untyped = demand.gpus[i];
		demand.gpus[i] = 0;
		for (int next = (int) i; next >= 0;
		     next = eqt_bundle_table_next(quote->prices,
						  (uint32_t) next))
			full_put_model(line, quote, &demand, (uint32_t) next);
		return;
	}
}

/* Append the minimum and the rounding, which come after the resources. */
static void full_put_rounding(struct eqt_text *line,
			      const struct eqt_quote *quote)
{
	const struct eqt_price *price = &quote->low;
	struct eqt_frac unit, sum;

	if (quote->by_model || quote->by_nodes || quote->by_partition)
		return;
	if (price->minimum) {
		eqt_text_put(line, "\n  a job's least: ");
		eqt_frac_put(line, price->equivalents);
	} else if (eqt_price_sum(&sum, price) == 0 &&
		   eqt_frac_cmp(price->equivalents, sum) != 0 &&
		   eqt_frac_make(&unit, 1, quote->prices->round_unit) == 0) {
		eqt_text_put(line, "\n  rounded up to a multiple of ");
		eqt_frac_put(line, unit);
		eqt_text_put(line, ": ");
		eqt_frac_put(line, price->equivalents);
	}
}

/* Append a line for each factor of the price. */
static void full_put_factors(struct eqt_text *line,
			     const struct eqt_quote *quote)
{
	struct eqt_frac factor;

	for (int i = 0; i < EQT_CHARGE_FACTORS; i++) {
		const struct eqt_charge_factor *queue =
			price_message_factor(quote, i);

		if (!queue || eqt_price_factor(&factor, queue,
					       quote->totals.demand.nodes) < 0)
			continue;
		eqt_text_put(line, "\n  charged ");
		eqt_frac_put(line, factor);
		PUT(line, " times the price", price_message_factor_words(i),
		    queue->name);
	}
	price_message_put_week(line, quote, "\n  charged ", " times the price");
}

/* Append the hours of one unit with its full name, and their price in money. */
static void full_put_unit_hours(struct eqt_text *line,
				const struct eqt_quote *quote,
				const struct eqt_price *from,
				const struct eqt_price *to)
{
	struct eqt_frac low, high;
	bool one;

	if (!eqt_price_message_hours(&low, &high, quote, from, to))
		return;
	one = eqt_frac_cmp(low, EQT_FRAC_ONE) == 0 &&
	      eqt_frac_cmp(high, EQT_FRAC_ONE) == 0;
	PUT(line, "\n  ", quote->least ? "at least " : "");
	price_message_put_range(line, low, high);
	PUT(line, " ", eqt_unit_name(to->unit, to->gpu_pool, false), "-hour",
	    one ? "" : "s", " for the time limit of ");
	eqt_price_message_put_minutes(line, quote->minutes);
	if (from->unit && from->unit->currency[0] != '\0')
		eqt_text_put(line, ": ");
	(void) price_message_put_money(line, from, to, low, high);
}

static void full_put_hours(struct eqt_text *line, const struct eqt_quote *quote)
{
	full_put_unit_hours(line, quote, &quote->low, &quote->high);
	if (quote->also)
		full_put_unit_hours(line, quote, &quote->also_low,
				    &quote->also_high);
}

/* Append hints: the price on more nodes than the job needs, the option that prevents
 * it, and a cheaper request. */
static void full_put_hints(struct eqt_text *line, const struct eqt_quote *quote)
{
	if (quote->spread_nodes > 0) {
		eqt_text_put(line, "\n  ");
		eqt_frac_put(line, price_message_amount(quote, &quote->spread));
		eqt_text_put(line, " if it gets ");
		eqt_text_whole(line, quote->spread_nodes);
		eqt_text_put(line, " nodes, which -N");
		eqt_text_whole(line, quote->totals.nodes);
		eqt_text_put(line, " prevents");
	}
	if (quote->advice == EQT_QUOTE_ADVICE_NONE)
		return;
	eqt_text_put(line, "\n  ");
	price_message_put_advice(line, quote);
	eqt_text_put(line, " would make it ");
	eqt_frac_put(line, quote->advice_price);
}

char *eqt_price_message_full(const struct eqt_quote *quote, char *buf,
			     size_t size)
{
	struct eqt_text line = { .data = buf, .space = size };

	price_message_put_brief(&line, quote);
	if (quote->lack)
		return buf;
	if (quote->totals.gpus > 0)
		full_put_resource(&line, quote, EQT_GPUS);
	full_put_resource(&line, quote, EQT_CORES);
	full_put_resource(&line, quote, EQT_MEMORY);
	if (quote->totals.demand.disk > 0)
		full_put_resource(&line, quote, EQT_DISK);
	if (quote->low.by[EQT_NODES].num > 0)
		full_put_resource(&line, quote, EQT_NODES);
	if (quote->by_model)
		full_put_models(&line, quote);
	full_put_rounding(&line, quote);
	full_put_factors(&line, quote);
	full_put_hours(&line, quote);
	full_put_hints(&line, quote);
	return buf;
}
