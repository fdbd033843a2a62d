/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The quote of a request that several partitions or QOS may take. */
#include "job/job_spec_lists.h"
#include "quote/quote.h"
#include "../unit.h"

static const struct eqt_bundle_table plain = {
	.cores = { .name = "cores", .cores_u = EQT_MICRO },
};
static const struct eqt_bundle_table dear_qos = {
	.cores = { .name = "cores", .cores_u = EQT_MICRO },
	.queue[EQT_CHARGE_FACTOR_QOS] = { "high", 2000000, 0, 0 },
};
static const struct eqt_bundle_table dear_usage = {
	.cores = { .name = "cores", .cores_u = EQT_MICRO },
	.queue[EQT_CHARGE_FACTOR_USAGE] = { "high", 2000000, 0, 0 },
};
static const struct eqt_bundle_table same_qos = {
	.cores = { .name = "cores", .cores_u = EQT_MICRO },
	.queue[EQT_CHARGE_FACTOR_QOS] = { "usual", EQT_MICRO, 0, 0 },
	.queue[EQT_CHARGE_FACTOR_PARTITION] = { "express", 3000000, 0, 0 },
};

static struct eqt_price price_of(uint64_t amount, int gpu_pool)
{
	const struct eqt_frac equivalents = { amount, 1 };

	return (struct eqt_price){ .equivalents = equivalents,
				   .charge = equivalents,
				   .usage = equivalents,
				   .gpu_pool = gpu_pool };
}

static struct eqt_quote quote_of(uint64_t low, uint64_t high, int gpu_pool)
{
	return (struct eqt_quote){ .prices = &plain,
				   .low = price_of(low, gpu_pool),
				   .high = price_of(high, gpu_pool),
				   .spread_nodes = 0 };
}

static void range_is(const struct eqt_price *low, const struct eqt_price *high,
		     uint64_t from, uint64_t to, int gpu_pool)
{
	ck_assert_uint_eq(low->charge.num, from);
	ck_assert_uint_eq(high->charge.num, to);
	ck_assert_int_eq(low->gpu_pool, gpu_pool);
	ck_assert_int_eq(high->gpu_pool, gpu_pool);
}

START_TEST(a_range_covers_both_partitions)
{
	static const struct {
		uint64_t low, high, from, to;
		bool differ;
	} rows[] = {
		{ 4, 6, 4, 6, false }, { 5, 5, 4, 6, true },
		{ 3, 6, 3, 6, true },  { 4, 7, 4, 7, true },
		{ 3, 7, 3, 7, true },  { 5, 6, 4, 6, true },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct eqt_quote quote = quote_of(4, 6, 0);
		const struct eqt_quote other =
			quote_of(rows[i].low, rows[i].high, 0);

		quote.advice = EQT_QUOTE_ADVICE_MEM;
		quote.by_parts = true;
		eqt_quote_widen(&quote, &other);
		range_is(&quote.low, &quote.high, rows[i].from, rows[i].to, 0);
		ck_assert(quote.by_partition == rows[i].differ);
		ck_assert(!quote.by_qos);
		ck_assert(!quote.by_parts);
		ck_assert(!quote.also);
		ck_assert_int_eq(quote.advice, EQT_QUOTE_ADVICE_NONE);
	}
}
END_TEST

START_TEST(a_hint_of_both_partitions_stays)
{
	static const struct {
		enum eqt_quote_advice advice;
		uint64_t amount, price;
		enum eqt_quote_advice stays;
	} rows[] = {
		{ EQT_QUOTE_ADVICE_MEM, 8000, 2, EQT_QUOTE_ADVICE_MEM },
		{ EQT_QUOTE_ADVICE_MEM, 4000, 2, EQT_QUOTE_ADVICE_NONE },
		{ EQT_QUOTE_ADVICE_MEM, 8000, 1, EQT_QUOTE_ADVICE_NONE },
		{ EQT_QUOTE_ADVICE_TASKS, 8000, 2, EQT_QUOTE_ADVICE_NONE },
		{ EQT_QUOTE_ADVICE_NONE, 0, 2, EQT_QUOTE_ADVICE_NONE },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct eqt_quote quote = quote_of(4, 4, 0),
				 other = quote_of(4, 4, 0);

		quote.advice = EQT_QUOTE_ADVICE_MEM;
		quote.advice_amount = 8000;
		quote.advice_price = (struct eqt_frac){ 2, 1 };
		other.advice = rows[i].advice;
		other.advice_amount = rows[i].amount;
		other.advice_price = (struct eqt_frac){ rows[i].price, 1 };
		eqt_quote_widen(&quote, &other);
		ck_assert_int_eq(quote.advice, rows[i].stays);
	}
}
END_TEST

/* Another number of equivalents with another factor, but no other charge. */
START_TEST(of_equal_charges_the_first_one_is_told)
{
	struct eqt_quote quote = quote_of(4, 4, 0), other = quote_of(4, 4, 0);

	other.low.equivalents.num = other.high.equivalents.num = 2;
	eqt_quote_widen(&quote, &other);
	ck_assert_uint_eq(quote.low.equivalents.num, 4);
	ck_assert_uint_eq(quote.high.equivalents.num, 4);
	ck_assert(!quote.by_partition);
}
END_TEST

START_TEST(a_qos_that_charges_another_factor_decides)
{
	static const struct {
		const struct eqt_bundle_table *prices;
		bool by_qos;
	} rows[] = { { &dear_qos, true },
		     { &dear_usage, true },
		     { &same_qos, false } };

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct eqt_quote quote = quote_of(4, 6, 0);
		struct eqt_quote other = quote_of(4, 8, 0);

		other.prices = rows[i].prices;
		eqt_quote_widen(&quote, &other);
		ck_assert(quote.by_qos == rows[i].by_qos);
		ck_assert(quote.by_partition == !rows[i].by_qos);
	}
}
END_TEST

START_TEST(what_either_quote_says_holds_for_both)
{
	struct eqt_quote quote = quote_of(4, 4, 0);
	struct eqt_quote other = quote_of(4, 4, 0);

	other.by_model = other.by_nodes = other.least = true;
	other.spread.charge = (struct eqt_frac){ 9, 1 };
	other.spread_nodes = 3;
	eqt_quote_widen(&quote, &other);
	ck_assert(quote.by_model && quote.by_nodes && quote.least);
	ck_assert_uint_eq(quote.spread.charge.num, 9);
	ck_assert_uint_eq(quote.spread_nodes, 3);
	other = quote_of(4, 4, 0);
	other.spread.charge = (struct eqt_frac){ 9, 1 };
	other.spread_nodes = 5;
	eqt_quote_widen(&quote, &other);
	ck_assert(quote.by_model && quote.by_nodes && quote.least);
	ck_assert_uint_eq(quote.spread_nodes, 3);
	/* Without a number of nodes, the price on more nodes has no value. */
	other.spread.charge = (struct eqt_frac){ 99, 1 };
	other.spread_nodes = 0;
	eqt_quote_widen(&quote, &other);
	ck_assert_uint_eq(quote.spread.charge.num, 9);
	ck_assert_uint_eq(quote.spread_nodes, 3);
}
END_TEST

START_TEST(partitions_of_two_units_have_a_range_each)
{
	struct eqt_quote quote = quote_of(4, 4, 0);
	struct eqt_quote other = quote_of(2, 3, 1);
	struct eqt_quote both;

	quote.advice = EQT_QUOTE_ADVICE_MEM;
	eqt_quote_widen(&quote, &other);
	ck_assert(quote.also && quote.by_partition);
	ck_assert_int_eq(quote.advice, EQT_QUOTE_ADVICE_NONE);
	range_is(&quote.low, &quote.high, 4, 4, 0);
	range_is(&quote.also_low, &quote.also_high, 2, 3, 1);
	other = quote_of(1, 5, 1);
	eqt_quote_widen(&quote, &other);
	range_is(&quote.low, &quote.high, 4, 4, 0);
	range_is(&quote.also_low, &quote.also_high, 1, 5, 1);
	both = quote;
	/* The other one may have both already, in either order. */
	quote = quote_of(7, 7, 0);
	eqt_quote_widen(&quote, &both);
	ck_assert(quote.also);
	range_is(&quote.low, &quote.high, 4, 7, 0);
	range_is(&quote.also_low, &quote.also_high, 1, 5, 1);
	quote = quote_of(6, 6, 1);
	eqt_quote_widen(&quote, &both);
	ck_assert(quote.also);
	range_is(&quote.low, &quote.high, 1, 6, 1);
	range_is(&quote.also_low, &quote.also_high, 4, 4, 0);
}
END_TEST

START_TEST(a_partition_without_nodes_does_not_count)
{
	struct eqt_quote quote = quote_of(4, 4, 0);
	struct eqt_quote other = quote_of(2, 9, 0);

	other.lack = EQT_QUOTE_LACK_SIZE;
	eqt_quote_widen(&quote, &other);
	range_is(&quote.low, &quote.high, 4, 4, 0);
	ck_assert(!quote.lack && !quote.by_partition);

	quote = quote_of(4, 4, 0);
	quote.lack = EQT_QUOTE_LACK_ROOM;
	quote.array_tasks = 7;
	quote.array_at_most = true;
	quote.minutes = 60;
	other = quote_of(2, 9, 0);
	other.prices = &dear_qos;
	other.minutes = 30;
	other.advice = EQT_QUOTE_ADVICE_MEM;
	eqt_quote_widen(&quote, &other);
	range_is(&quote.low, &quote.high, 2, 9, 0);
	ck_assert(!quote.lack && quote.by_partition);
	ck_assert_int_eq(quote.advice, EQT_QUOTE_ADVICE_NONE);
	ck_assert_ptr_eq(quote.prices, &plain);
	ck_assert_uint_eq(quote.array_tasks, 7);
	ck_assert(quote.array_at_most);
	ck_assert_uint_eq(quote.minutes, 60);

	quote.lack = other.lack = EQT_QUOTE_LACK_SIZE;
	other.low = price_of(1, 0);
	eqt_quote_widen(&quote, &other);
	ck_assert_int_eq(quote.lack, EQT_QUOTE_LACK_SIZE);
	range_is(&quote.low, &quote.high, 1, 9, 0);
}
END_TEST

START_TEST(the_most_is_the_higher_end_of_both_units)
{
	struct eqt_quote quote = quote_of(4, 6, 0);

	quote.also_low = price_of(1, 1);
	quote.also_high = price_of(9, 1);
	ck_assert_uint_eq(eqt_quote_most(&quote).charge.num, 6);
	quote.also = true;
	ck_assert_uint_eq(eqt_quote_most(&quote).charge.num, 9);
	quote.spread = quote.high;
	quote.spread.charge.num = 12;
	ck_assert_uint_eq(eqt_quote_most(&quote).charge.num, 9);
	quote.spread_nodes = 2;
	ck_assert_uint_eq(eqt_quote_most(&quote).charge.num, 12);
	ck_assert_uint_eq(eqt_quote_most_with_number(&quote).charge.num, 9);
	quote.spread_nodes = 0;
	quote.also_high = price_of(6, 1);
	ck_assert_int_eq(eqt_quote_most(&quote).gpu_pool, 0);
	quote.also_high = price_of(5, 1);
	ck_assert_uint_eq(eqt_quote_most(&quote).charge.num, 6);
}
END_TEST

START_TEST(hours_need_a_time_limit)
{
	struct eqt_quote quote = quote_of(4, 4, 0);
	const struct eqt_price price = { .charge = { 1, 1 },
					 .usage = { 5, 2 } };
	struct eqt_frac hours = EQT_FRAC_ONE;

	ck_assert_int_eq(eqt_quote_hours(&hours, &quote, &price), -1);
	quote.minutes = EQT_AMOUNT_UNLIMITED;
	ck_assert_int_eq(eqt_quote_hours(&hours, &quote, &price), -1);
	ck_assert_int_eq(eqt_frac_cmp(hours, EQT_FRAC_ONE), 0);
	quote.minutes = 90;
	ck_assert_int_eq(eqt_quote_hours(&hours, &quote, &price), 0);
	ck_assert_int_eq(eqt_frac_cmp(hours, (struct eqt_frac){ 15, 4 }), 0);
}
END_TEST

START_TEST(a_quote_for_another_partition_has_no_array_and_no_advice)
{
	static const struct eqt_bundle_table prices = {
		.cores = { .name = "cores",
			   .cores_u = EQT_MICRO,
			   .mem_mib_u = UINT64_C(4000) * EQT_MICRO },
	};
	struct eqt_job_spec spec = { .tasks = 2,
				     .mem = EQT_MEM_PER_NODE,
				     .mem_mib = 10000,
				     .array = "1-9",
				     .node.count = 4,
				     .defaults.minutes = 30 };
	struct eqt_parsed_spec parsed;
	struct eqt_quote whole, other;

	for (uint32_t kinds = 0; kinds < 2; kinds++) {
		spec.kinds = kinds;
		spec.kind[0] = (struct eqt_node_offer){ .cpus = 8,
							.mem_mib = 32000,
							.count = 4 };
		ck_assert_int_eq(eqt_parsed_spec_make(&parsed, &prices, &spec,
						      NULL),
				 0);
		ck_assert_int_eq(eqt_quote_count(&whole, &prices, &spec,
						 &parsed, NULL),
				 0);
		ck_assert_int_eq(eqt_quote_price(&other, &prices, &spec,
						 &parsed, NULL),
				 0);
		ck_assert_uint_eq(whole.array_tasks, 9);
		ck_assert_int_eq(whole.advice, EQT_QUOTE_ADVICE_MEM);
		ck_assert_uint_eq(other.array_tasks, 0);
		ck_assert_int_eq(other.advice, EQT_QUOTE_ADVICE_NONE);
		ck_assert_uint_eq(other.minutes, 30);
		ck_assert_uint_eq(other.spread_nodes, 2);
		ck_assert_int_eq(eqt_frac_cmp(other.spread.equivalents,
					      (struct eqt_frac){ 5, 1 }),
				 0);
		ck_assert_int_eq(eqt_frac_cmp(other.low.charge,
					      whole.low.charge),
				 0);
	}
	spec.kinds = 0;
	spec.tasks = 1;
	spec.tres_per_node = "gpu:1";
	ck_assert_int_eq(eqt_parsed_spec_make(&parsed, &plain, &spec, NULL), 0);
	parsed.totals.demand.gpus_untyped = 1;
	ck_assert_int_eq(eqt_quote_price(&other, &plain, &spec, &parsed, NULL),
			 -1);
}
END_TEST

/* ---- Lists that are read once ------------------------------------------------- */

static const struct eqt_bundle_table models = {
	.cores = { .name = "cores", .cores_u = EQT_MICRO },
	.gpu = (const struct eqt_bundle[]){
		{ .name = "gpu:p100", .cores_u = EQT_MICRO,
		  .weight_u = EQT_MICRO },
		{ .name = "gpu:v100", .cores_u = EQT_MICRO,
		  .weight_u = EQT_MICRO },
	},
	.gpu_count = 2,
};

#define WHOLE .exclusive = true, .node = { .cpus = 24, .mem_mib = 128000, \
		.count = 2, .gres = "gpu:p100:4" }
static const struct eqt_job_spec listed[] = {
	{ .tasks = 3 },
	{ .tres_per_job = "gpu:p100:2", .cpus_per_tres = "gpu:6",
	  .mem_per_tres = "gpu:1000" },
	{ .tres_per_node = "gpu:p100:1,gpu:v100:1", .min_nodes = 2 },
	{ WHOLE },
	{ WHOLE, .tasks = 30 },
	{ WHOLE, .tres_per_node = "gpu:p100:1", .mem_per_tres = "gpu:1000" },
	{ WHOLE, .tres_per_node = "gpu:p100:1", .cpus_per_tres = "gpu:3" },
	{ WHOLE, .tasks = 2, .tres_per_task = "gpu:p100:1,cpu=3" },
};

/* Each request, in a partition of whole nodes of another model, too. */
START_TEST(lists_that_are_read_once_give_the_same_totals)
{
	const struct eqt_job_spec *spec = &listed[_i];
	struct eqt_gres_row asked[EQT_GRES_MAX], each[EQT_GRES_MAX];
	struct eqt_gres_row spare[EQT_GRES_MAX], row[EQT_GRES_MAX];
	struct eqt_job_spec_lists lists = {
		.totals = { .row = asked, .room = EQT_GRES_MAX },
		.each = { .row = each, .room = EQT_GRES_MAX },
		.spare = spare,
	};
	struct eqt_job_spec there = *spec;
	struct eqt_parsed_spec once, parsed;

	eqt_job_spec_lists_read(&lists, &models, spec);
	for (int round = 0; round < 2; round++) {
		ck_assert_int_eq(eqt_parsed_spec_make(&parsed, &models, &there,
						      NULL),
				 0);
		ck_assert_int_eq(eqt_counted_by_lists(&once, &models, &there,
						      &lists, row),
				 0);
		ck_assert_ptr_eq(once.lists, &lists);
		ck_assert_ptr_eq(once.spare, spare);
		ck_assert_uint_eq(once.totals.nodes, parsed.totals.nodes);
		ck_assert_uint_eq(once.totals.gpus, parsed.totals.gpus);
		ck_assert_uint_eq(once.totals.cpus, parsed.totals.cpus);
		ck_assert_uint_eq(once.totals.tasks, parsed.totals.tasks);
		ck_assert_mem_eq(&once.totals.demand.gpus,
				 &parsed.totals.demand.gpus,
				 sizeof(once.totals.demand.gpus));
		ck_assert_uint_eq(once.totals.demand.cores,
				  parsed.totals.demand.cores);
		ck_assert_uint_eq(once.totals.demand.mem_mib,
				  parsed.totals.demand.mem_mib);
		there.node.cpus = 32;
		if (there.exclusive)
			there.node.gres = "gpu:v100:2,gpu:p100:4";
	}
}
END_TEST

START_TEST(a_list_that_cannot_be_read_has_no_price)
{
	static const struct eqt_job_spec bad[] = {
		{ .tres_per_job = "gpu:x" },
		{ .tres_per_job = "gpu:p100:1", .cpus_per_tres = "gpu:p100:1x" },
		{ WHOLE, .cpus_per_tres = "gpu:p100:1x" },
		{ WHOLE, .mem_per_tres = "gpu:p100:1x" },
		{ WHOLE, .tres_per_task = "gpu:p100:1x" },
		{ .exclusive = true, .node.gres = "gpu:p100:1x" },
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		struct eqt_gres_row asked[EQT_GRES_MAX], each[EQT_GRES_MAX];
		struct eqt_gres_row row[EQT_GRES_MAX];
		struct eqt_job_spec_lists lists = {
			.totals = { .row = asked, .room = EQT_GRES_MAX },
			.each = { .row = each, .room = EQT_GRES_MAX },
		};
		struct eqt_parsed_spec out;

		eqt_job_spec_lists_read(&lists, &models, &bad[i]);
		ck_assert_msg(eqt_counted_by_lists(&out, &models, &bad[i],
						   &lists, row) == -1,
			      "list %zu", i);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("quote widen");
	TCase *tcase = tcase_create("quote widen");

	tcase_add_test(tcase, a_range_covers_both_partitions);
	tcase_add_test(tcase, a_hint_of_both_partitions_stays);
	tcase_add_test(tcase, of_equal_charges_the_first_one_is_told);
	tcase_add_test(tcase, a_qos_that_charges_another_factor_decides);
	tcase_add_test(tcase, what_either_quote_says_holds_for_both);
	tcase_add_test(tcase, partitions_of_two_units_have_a_range_each);
	tcase_add_test(tcase, a_partition_without_nodes_does_not_count);
	tcase_add_test(tcase, the_most_is_the_higher_end_of_both_units);
	tcase_add_test(tcase, hours_need_a_time_limit);
	tcase_add_test(tcase,
		       a_quote_for_another_partition_has_no_array_and_no_advice);
	tcase_add_loop_test(tcase,
			    lists_that_are_read_once_give_the_same_totals, 0,
			    (int) (sizeof(listed) / sizeof(*listed)));
	tcase_add_test(tcase, a_list_that_cannot_be_read_has_no_price);
	suite_add_tcase(suite, tcase);
	return eqt_unit_main(suite);
}
