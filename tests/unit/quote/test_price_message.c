/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The wording of a price: reasons, factors of queues, units, money, hours and rounding,
 * in the line and in the text below it. */
#include "quote/price_message.h"
#include "../unit.h"

#define COUNT(rows) (sizeof(rows) / sizeof((rows)[0]))

static const struct eqt_unit money = { .one = "SU",
				       .currency = "EUR",
				       .rate_u = 20000 };

/* A core and 4000 MiB; p100: 6 cores, v100: 8 cores, of weight 2. */
static const struct eqt_bundle gpus[] = {
	{ .name = "gpu:p100", .cores_u = 6000000, .weight_u = EQT_MICRO },
	{ .name = "gpu:v100", .cores_u = 8000000, .weight_u = 2 * EQT_MICRO },
};
#define CEDAR                                                     \
	.cores = { .name = "cores",                               \
		   .cores_u = EQT_MICRO,                          \
		   .mem_mib_u = UINT64_C(4000) * EQT_MICRO,       \
		   .weight_u = EQT_MICRO },                       \
	.gpu = gpus, .gpu_count = 2
static const struct eqt_bundle_table cedar = { CEDAR };
static const struct eqt_bundle_table queued = {
	CEDAR, .queue = { { "express", 3000000, 0, 0 },
			  { "high", 1500000, 0, 0 },
			  { "high", 2000000, 0, 0 } }
};
static const struct eqt_bundle_table usual = {
	CEDAR, .queue = { { "batch", EQT_MICRO, 0, 0 },
			  { NULL, 0, 0, 0 },
			  { NULL, 0, 0, 0 } }
};
static const struct eqt_bundle_table free_partition = {
	CEDAR, .queue = { { "idle", 0, 0, 0 },
			  { "bonus", 0, 0, 0 },
			  { NULL, 0, 0, 0 } }
};
static const struct eqt_bundle_table free_qos = {
	CEDAR, .queue = { { "express", 3000000, 0, 0 },
			  { "bonus", 0, 0, 0 },
			  { NULL, 0, 0, 0 } }
};
static const struct eqt_bundle_table free_usage = {
	CEDAR, .queue = { { "express", 3000000, 0, 0 },
			  { NULL, 0, 0, 0 },
			  { "bonus", 0, 0, 0 } }
};
static const struct eqt_bundle_table paid = { CEDAR, .pool_unit = { &money } };
static const struct eqt_week half = { .count = 1, .least_u = 500000,
				      .most_u = 1500000 };
static const struct eqt_bundle_table hourly = {
	CEDAR, .week = &half,
	.queue = { { "express", 3000000, 0, 0 },
		   { NULL, 0, 0, 0 },
		   { NULL, 0, 0, 0 } }
};
static const struct eqt_bundle_table rounded = { CEDAR, .round_unit = 4 };
static const struct eqt_bundle_table least = { CEDAR,
					       .minimum_u = 4 * EQT_MICRO };
static const struct eqt_bundle_table places = {
	.cores = { .name = "cores", .cores_u = EQT_MICRO,
		   .weight_u = EQT_MICRO },
	.gpu = (const struct eqt_bundle[]){
		{ .name = "gpu:a100", .cores_u = 12000000,
		  .weight_u = EQT_MICRO, .nodes = "a[1-2]" },
		{ .name = "gpu:a100", .cores_u = 8000000,
		  .weight_u = EQT_MICRO, .features = "big" },
	},
	.gpu_count = 2,
};

#define MEM(amount) .mem = EQT_MEM_PER_NODE, .mem_mib = (amount)
static const struct words_row {
	const char *name;
	const struct eqt_bundle_table *prices;
	struct eqt_job_spec spec;
	const char *text;
} rows[] = {
	{ "factors of queues", &queued, { .tasks = 2, .minutes = 90 },
	  "cost 2 core-equivalents (cores decide) ×3 in partition express "
	  "×1.5 in QOS high ×2 by UsageFactor of QOS high, 27 h for 1:30:00\n"
	  "  cores   2 at 1 an equivalent: 2, which decides\n"
	  "  memory  0M: 0\n"
	  "  charged 3 times the price in partition express\n"
	  "  charged 1.5 times the price in QOS high\n"
	  "  charged 2 times the price by UsageFactor of QOS high\n"
	  "  27 core-equivalent-hours for the time limit of 1:30:00" },
	{ "a factor of one", &usual, { .tasks = 2 },
	  "cost 2 core-equivalents (cores decide)\n"
	  "  cores   2 at 1 an equivalent: 2, which decides\n"
	  "  memory  0M: 0" },
	{ "a free partition", &free_partition, { .tasks = 2, .minutes = 60 },
	  "free (partition idle)\n"
	  "  cores   2 at 1 an equivalent: 2, which decides\n"
	  "  memory  0M: 0\n"
	  "  charged 0 times the price in partition idle\n"
	  "  charged 0 times the price in QOS bonus\n"
	  "  0 core-equivalent-hours for the time limit of 1:00:00" },
	{ "a free QOS", &free_qos, { .tasks = 2 },
	  "free (QOS bonus)\n"
	  "  cores   2 at 1 an equivalent: 2, which decides\n"
	  "  memory  0M: 0\n"
	  "  charged 3 times the price in partition express\n"
	  "  charged 0 times the price in QOS bonus" },
	{ "no UsageFactor", &free_usage, { .tasks = 2 },
	  "free (QOS bonus)\n"
	  "  cores   2 at 1 an equivalent: 2, which decides\n"
	  "  memory  0M: 0\n"
	  "  charged 3 times the price in partition express\n"
	  "  charged 0 times the price by UsageFactor of QOS bonus" },
	{ "a factor by the time of the week", &hourly,
	  { .tasks = 2, .minutes = 60 },
	  "cost 2 core-equivalents (cores decide) ×3 in partition express "
	  "×0.5 to 1.5 by the time of the week, 3 to 9 h for 1:00:00\n"
	  "  cores   2 at 1 an equivalent: 2, which decides\n"
	  "  memory  0M: 0\n"
	  "  charged 3 times the price in partition express\n"
	  "  charged 0.5 to 1.5 times the price by the time of the week\n"
	  "  3 to 9 core-equivalent-hours for the time limit of 1:00:00" },
	{ "money", &paid, { .tasks = 2, .minutes = 60 },
	  "cost 2 SU (cores decide), 2 h (0.04 EUR) for 1:00:00\n"
	  "  cores   2 at 1 an equivalent: 2, which decides\n"
	  "  memory  0M: 0\n"
	  "  2 SU-hours for the time limit of 1:00:00: 0.04 EUR" },
	{ "one hour", &cedar, { .minutes = 60 },
	  "cost 1 core-equivalent (cores decide), 1 h for 1:00:00\n"
	  "  cores   1 at 1 an equivalent: 1, which decides\n"
	  "  memory  0M: 0\n"
	  "  1 core-equivalent-hour for the time limit of 1:00:00" },
	{ "rounding", &rounded, { MEM(5001) },
	  "cost 1.5 core-equivalents (memory decides); --mem=4000M: 1\n"
	  "  cores   1 at 1 an equivalent: 1\n"
	  "  memory  5001M at 4000M an equivalent: 1.2503, which decides\n"
	  "  rounded up to a multiple of 0.25: 1.5\n"
	  "  --mem=4000M would make it 1" },
	{ "nothing to round", &rounded, { MEM(5000) },
	  "cost 1.25 core-equivalents (memory decides); --mem=4000M: 1\n"
	  "  cores   1 at 1 an equivalent: 1\n"
	  "  memory  5000M at 4000M an equivalent: 1.25, which decides\n"
	  "  --mem=4000M would make it 1" },
	{ "the least of a job", &least, { .tasks = 3 },
	  "cost 4 core-equivalents (the least for a job)\n"
	  "  cores   3 at 1 an equivalent: 3\n"
	  "  memory  0M: 0\n"
	  "  a job's least: 4" },
	{ "the least of a job is its price", &least, { .tasks = 4 },
	  "cost 4 core-equivalents (cores decide)\n"
	  "  cores   4 at 1 an equivalent: 4, which decides\n"
	  "  memory  0M: 0" },
	{ "bundles of places", &places,
	  { .tres_per_job = "gpu:a100:1", .cpus_per_task = 24 },
	  "cost 2 to 3 GPU-equivalents (the nodes decide)\n"
	  "  GPUs    1 gpu:a100\n"
	  "  cores   24\n"
	  "  memory  0M\n"
	  "  as gpu:a100 on a[1-2]: 2, decided by cores\n"
	  "  as gpu:a100 with feature big: 3, decided by cores" },
	{ "GPUs of two models", &cedar,
	  { .tres_per_job = "gpu:p100:1,gpu:v100:2" },
	  "cost 5 GPU-equivalents (GPUs decide)\n"
	  "  GPUs    1 gpu:p100, 2 gpu:v100 of weight 2: 5, which decides\n"
	  "  cores   1 at 4 an equivalent: 0.25\n"
	  "  memory  0M: 0" },
	{ "more nodes than needed", &cedar,
	  { .tasks = 2, MEM(10000), .node.count = 9 },
	  "cost 2.5 core-equivalents (memory decides); up to 5 without -N1; "
	  "--mem=8000M: 2\n"
	  "  cores   2 at 1 an equivalent: 2\n"
	  "  memory  10000M at 4000M an equivalent: 2.5, which decides\n"
	  "  5 if it gets 2 nodes, which -N1 prevents\n"
	  "  --mem=8000M would make it 2" },
	{ "an array of two", &cedar, { .array = "1-2", .minutes = 30 },
	  "cost 1 core-equivalent (cores decide), 1 h for 2x0:30:00\n"
	  "  cores   1 at 1 an equivalent: 1, which decides\n"
	  "  memory  0M: 0\n"
	  "  1 core-equivalent-hour for the time limit of 0:30:00" },
	{ "no node", &cedar, { .no_node = true },
	  "no node here has what the request wants of one" },
};

START_TEST(a_text_says_what_a_request_costs_and_why)
{
	const struct words_row *row = &rows[_i];
	struct eqt_job_spec spec = row->spec;
	char text[EQT_PRICE_MESSAGE_SIZE], brief[EQT_PRICE_MESSAGE_SIZE];
	struct eqt_error err;
	struct eqt_quote quote;

	if (spec.node.count == 0)
		spec.node.count = 1;
	ck_assert_msg(eqt_quote_make(&quote, row->prices, &spec, &err) == 0,
		      "%s: %s", row->name, err.text);
	ck_assert_str_eq(eqt_price_message_full(&quote, text, sizeof(text)), row->text);
	text[strcspn(text, "\n")] = '\0';
	ck_assert_str_eq(eqt_price_message_brief(&quote, brief, sizeof(brief)), text);
}
END_TEST

static struct eqt_price price_of(uint64_t equivalents, int gpu_pool)
{
	const struct eqt_frac amount = { equivalents, 1 };

	return (struct eqt_price){ .equivalents = amount,
				   .charge = amount,
				   .usage = amount,
				   .gpu_pool = gpu_pool };
}

static void brief_is(const struct eqt_quote *quote, const char *text)
{
	char buf[EQT_PRICE_MESSAGE_SIZE];

	ck_assert_str_eq(eqt_price_message_brief(quote, buf, sizeof(buf)), text);
}

START_TEST(the_reason_is_what_decides_first)
{
	struct eqt_quote quote = { .prices = &cedar,
				   .low = price_of(2, 1),
				   .high = price_of(3, 1) };

	quote.by_nodes = true;
	brief_is(&quote, "cost 2 to 3 GPU-equivalents (the nodes decide)");
	quote.by_model = true;
	brief_is(&quote, "cost 2 to 3 GPU-equivalents (the nodes decide)");
	quote.totals.demand.gpus_untyped = 1;
	brief_is(&quote,
		 "cost 2 to 3 GPU-equivalents (models and nodes decide)");
	quote.by_nodes = false;
	brief_is(&quote, "cost 2 to 3 GPU-equivalents (the model decides)");
	quote.by_qos = true;
	brief_is(&quote, "cost 2 to 3 GPU-equivalents (the QOS decides)");
	quote.by_partition = true;
	brief_is(&quote,
		 "cost 2 to 3 GPU-equivalents (partition and QOS decide)");
	quote.by_qos = false;
	brief_is(&quote, "cost 2 to 3 GPU-equivalents (the partition decides)");
}
END_TEST

START_TEST(memory_decides_where_its_limit_has_raised_the_cores)
{
	struct eqt_quote quote = { .prices = &cedar,
				   .low = price_of(2, 0),
				   .high = price_of(2, 0) };

	quote.high.dominant = EQT_CORES;
	brief_is(&quote, "cost 2 core-equivalents (cores decide)");
	quote.totals.fair_mem_mib = 4000;
	brief_is(&quote,
		 "cost 2 core-equivalents (memory decides by MaxMemPerCPU)");
	quote.low.minimum = true;
	brief_is(&quote, "cost 2 core-equivalents (the least for a job)");
	quote.low.minimum = false;
	quote.high.dominant = quote.low.dominant = EQT_MEMORY;
	brief_is(&quote, "cost 2 core-equivalents (memory decides)");
}
END_TEST

START_TEST(prices_in_two_units_are_told_side_by_side)
{
	struct eqt_quote quote = { .prices = &cedar,
				   .low = price_of(1, 0),
				   .high = price_of(1, 0),
				   .also = true,
				   .also_low = price_of(1, 1),
				   .also_high = price_of(4, 1),
				   .by_partition = true,
				   .minutes = 120 };
	char text[EQT_PRICE_MESSAGE_SIZE];

	brief_is(&quote, "cost 1 core-equivalent or 1 to 4 GPU-equivalents "
			 "(the partition decides), 2 h or 2 to 8 h for "
			 "2:00:00");
	quote.least = true;
	brief_is(&quote, "cost at least 1 core-equivalent or 1 to 4 "
			 "GPU-equivalents (the partition decides), at least 2 "
			 "h or at least 2 to 8 h for 2:00:00");
	ck_assert_ptr_nonnull(strstr(
		eqt_price_message_full(&quote, text, sizeof(text)),
		"\n  at least 2 core-equivalent-hours for the time limit of "
		"2:00:00\n  at least 2 to 8 GPU-equivalent-hours for the time "
		"limit of 2:00:00"));
}
END_TEST

START_TEST(prices_of_two_named_units_have_both_names)
{
	struct eqt_quote quote = { .prices = &cedar,
				   .low = price_of(1, 0),
				   .high = price_of(3, 0),
				   .by_partition = true };

	quote.high.unit = &money;
	brief_is(&quote, "cost 1 core-equivalent to 3 SU (the partition "
			 "decides)");
	quote.low = price_of(2, 0);
	brief_is(&quote, "cost 2 core-equivalents to 3 SU (the partition "
			 "decides)");
}
END_TEST

START_TEST(a_price_is_free_only_if_each_end_of_it_is)
{
	struct eqt_quote quote = { .prices = &cedar,
				   .low = price_of(1, 0),
				   .high = price_of(1, 0),
				   .also = true,
				   .also_low = price_of(1, 1),
				   .also_high = price_of(1, 1) };

	quote.low.usage = EQT_FRAC_ZERO;
	brief_is(&quote, "cost 1 core-equivalent or 1 GPU-equivalent (cores "
			 "decide)");
	quote.high.usage = EQT_FRAC_ZERO;
	brief_is(&quote, "cost 1 core-equivalent or 1 GPU-equivalent (cores "
			 "decide)");
	quote.also_high.usage = EQT_FRAC_ZERO;
	brief_is(&quote, "free");
	quote.also = false;
	quote.also_high.usage = EQT_FRAC_ONE;
	brief_is(&quote, "free");
}
END_TEST

START_TEST(an_array_may_have_fewer_tasks)
{
	struct eqt_quote quote = { .prices = &cedar,
				   .low = price_of(2, 0),
				   .high = price_of(3, 0),
				   .by_nodes = true,
				   .array_tasks = 10,
				   .array_at_most = true };

	brief_is(&quote, "cost 2 to 3 core-equivalents a task (the nodes "
			 "decide), up to 10 tasks: 20 to 30");
	quote.array_tasks = 1;
	quote.array_at_most = false;
	brief_is(&quote, "cost 2 to 3 core-equivalents a task (the nodes "
			 "decide), 1 task: 2 to 3");
	quote.array_tasks = 10;
	quote.array_at_most = true;
	quote.minutes = 60;
	brief_is(&quote, "cost 2 to 3 core-equivalents (the nodes decide), 20 "
			 "to 30 h for up to 10x1:00:00");
}
END_TEST

START_TEST(factors_of_what_is_open_are_not_told)
{
	struct eqt_quote quote = { .prices = &queued,
				   .low = price_of(2, 0),
				   .high = price_of(3, 0) };

	quote.by_partition = true;
	brief_is(&quote, "cost 2 to 3 core-equivalents (the partition decides) "
			 "×1.5 in QOS high ×2 by UsageFactor of QOS high");
	quote.by_partition = false;
	quote.by_qos = true;
	brief_is(&quote, "cost 2 to 3 core-equivalents (the QOS decides) ×3 in "
			 "partition express");
}
END_TEST

START_TEST(minutes_are_written_as_slurm_does)
{
	static const struct {
		uint64_t minutes;
		const char *text;
	} times[] = {
		{ 1, "0:01:00" },	  { 9, "0:09:00" },
		{ 10, "0:10:00" },	  { 59, "0:59:00" },
		{ 60, "1:00:00" },	  { 1439, "23:59:00" },
		{ 1440, "1-00:00:00" },	  { 2039, "1-09:59:00" },
		{ 2040, "1-10:00:00" },	  { 14400, "10-00:00:00" },
	};

	for (size_t i = 0; i < COUNT(times); i++) {
		char buf[32] = "";
		struct eqt_text line = { .data = buf, .space = sizeof(buf) };

		eqt_price_message_put_minutes(&line, times[i].minutes);
		ck_assert_str_eq(buf, times[i].text);
	}
}
END_TEST

START_TEST(hours_are_known_only_if_both_ends_of_the_range_fit)
{
	const struct eqt_quote quote = { .prices = &cedar, .minutes = 120 };
	const struct eqt_price one = { .usage = { 1, 1 } };
	const struct eqt_price two = { .usage = { 2, 1 } };
	const struct eqt_price huge = { .usage = { UINT64_MAX, 1 } };
	struct eqt_frac low, high;

	ck_assert(eqt_price_message_hours(&low, &high, &quote, &one, &two));
	ck_assert_uint_eq(low.num, 2);
	ck_assert_uint_eq(high.num, 4);
	ck_assert(!eqt_price_message_hours(&low, &high, &quote, &one, &huge));
	ck_assert(!eqt_price_message_hours(&low, &high, &quote, &huge, &one));
}
END_TEST

START_TEST(each_lack_of_nodes_has_its_words)
{
	struct eqt_quote quote = { .prices = &cedar,
				   .lack = EQT_QUOTE_LACK_SIZE };

	brief_is(&quote, "no node here is large enough for the request");
	quote.lack = EQT_QUOTE_LACK_ROOM;
	brief_is(&quote, "all nodes here together are too few for the "
			 "request");
	quote.lack = EQT_QUOTE_LACK_NODES;
	brief_is(&quote, "no node here has what the request wants of one");
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("quote words");
	TCase *tcase = tcase_create("quote words");

	tcase_add_loop_test(tcase, a_text_says_what_a_request_costs_and_why, 0,
			    (int) COUNT(rows));
	tcase_add_test(tcase, the_reason_is_what_decides_first);
	tcase_add_test(tcase,
		       memory_decides_where_its_limit_has_raised_the_cores);
	tcase_add_test(tcase, prices_in_two_units_are_told_side_by_side);
	tcase_add_test(tcase, prices_of_two_named_units_have_both_names);
	tcase_add_test(tcase, a_price_is_free_only_if_each_end_of_it_is);
	tcase_add_test(tcase, an_array_may_have_fewer_tasks);
	tcase_add_test(tcase, factors_of_what_is_open_are_not_told);
	tcase_add_test(tcase, minutes_are_written_as_slurm_does);
	tcase_add_test(tcase,
		       hours_are_known_only_if_both_ends_of_the_range_fit);
	tcase_add_test(tcase, each_lack_of_nodes_has_its_words);
	suite_add_tcase(suite, tcase);
	return eqt_unit_main(suite);
}
