/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whole nodes of two kinds in one job: how many of the second kind there may be. */
#include "quote/quote_mix.h"
#include "../unit.h"

#define COUNT(rows) (sizeof(rows) / sizeof((rows)[0]))

/* 4 cores, or 4000 MiB, are one of a GPU. */
static const struct eqt_bundle_table prices = {
	.cores = { "cores", EQT_MICRO, 0, EQT_MICRO, NULL, NULL, NULL, 0, 0, NULL },
	.gpu = (const struct eqt_bundle[]){
		{ "gpu", 4000000, UINT64_C(4000) * EQT_MICRO, EQT_MICRO, NULL,
		  NULL, NULL, 0, 0, NULL },
	},
	.gpu_count = 1,
};

/* One node of the first kind has a GPU; one of the second has 4 cores. So the price is
 * the number of nodes of the second kind, plus one for its own cores. */
static struct eqt_quote_mix mix_of(uint64_t tasks, uint64_t max_nodes,
				   uint64_t nodes, uint64_t count)
{
	struct eqt_quote_mix mix = { .kinds = 2,
				     .tasks = tasks,
				     .max_nodes = max_nodes };

	mix.kind[0] = (struct eqt_quote_mix_kind){ .nodes = 1,
						   .tasks = 1,
						   .count = 1,
						   .gpus = true };
	mix.kind[0].each = (struct eqt_demand){ .cores = 4 };
	mix.kind[0].each.gpus[0] = 1;
	mix.kind[1] = (struct eqt_quote_mix_kind){ .nodes = nodes,
						   .tasks = 1,
						   .count = count };
	mix.kind[1].each = (struct eqt_demand){ .cores = 4 };
	return mix;
}

static struct eqt_quote quote_of_one(void)
{
	struct eqt_quote quote = { .prices = &prices };

	quote.low.equivalents = quote.high.equivalents = EQT_FRAC_ONE;
	quote.low.charge = quote.high.charge = EQT_FRAC_ONE;
	quote.low.usage = quote.high.usage = EQT_FRAC_ONE;
	quote.low.gpu_pool = quote.high.gpu_pool = true;
	return quote;
}

static const struct {
	const char *name;
	uint64_t tasks, max_nodes, nodes, count;
	uint64_t high;
} rows[] = {
	{ "all but the last node of the second kind were too few", 2, 0, 4, 9,
	  4 },
	{ "so many nodes as the tasks need that the first one leaves", 9, 0, 4,
	  9, 9 },
	{ "there are no more nodes", 9, 0, 9, 2, 3 },
	{ "one node alone has no other beside it", 9, 1, 4, 9, 1 },
	{ "no more nodes than the job asks for", 9, 3, 9, 9, 3 },
	{ "a job asks for more nodes than it needs", 9, 6, 4, 9, 6 },
	{ "as many nodes as it asks for, and fewer tasks", 2, 3, 3, 9, 3 },
	{ "the first node takes all tasks", 1, 0, 1, 9, 1 },
};

START_TEST(a_job_has_one_node_of_a_kind_and_the_rest_of_another)
{
	const struct eqt_quote_mix mix =
		mix_of(rows[_i].tasks, rows[_i].max_nodes, rows[_i].nodes,
		       rows[_i].count);
	struct eqt_quote quote = quote_of_one();
	struct eqt_error err = { "" };

	ck_assert_int_eq(eqt_quote_mix_apply(&quote, &mix, &err), 0);
	ck_assert_msg(quote.high.equivalents.num == rows[_i].high &&
			      quote.high.equivalents.den == 1,
		      "%s: %llu/%llu", rows[_i].name,
		      (unsigned long long) quote.high.equivalents.num,
		      (unsigned long long) quote.high.equivalents.den);
}
END_TEST

/* Beside the node with a GPU there are nodes of eight cores and nodes of four: the price
 * is a quarter of all cores. */
static const struct {
	const char *name;
	uint64_t max_nodes;
	uint64_t fours, eights; /* the nodes that there are */
	uint64_t high;
} filled_rows[] = {
	{ "three of the largest nodes stand beside the first", 4, 9, 9, 7 },
	{ "smaller nodes fill up after the only large one", 4, 9, 1, 5 },
	{ "smaller nodes fill up after two large ones", 4, 9, 2, 6 },
	{ "too few nodes count as nodes of the largest kind", 9, 1, 1, 17 },
};

START_TEST(nodes_of_a_third_kind_fill_up_the_job)
{
	struct eqt_quote_mix mix = mix_of(1, filled_rows[_i].max_nodes, 1,
					  filled_rows[_i].fours);
	struct eqt_quote quote = quote_of_one();
	struct eqt_error err = { "" };

	mix.kinds = 3;
	mix.kind[2] = mix.kind[1];
	mix.kind[2].each.cores = 8;
	mix.kind[2].count = filled_rows[_i].eights;
	ck_assert_int_eq(eqt_quote_mix_apply(&quote, &mix, &err), 0);
	ck_assert_msg(quote.high.equivalents.num ==
			      filled_rows[_i].high * quote.high.equivalents.den,
		      "%s: %llu/%llu", filled_rows[_i].name,
		      (unsigned long long) quote.high.equivalents.num,
		      (unsigned long long) quote.high.equivalents.den);
}
END_TEST

/* Two nodes of the second kind, beside the first. */
START_TEST(an_amount_that_does_not_fit_has_no_price)
{
	static const struct eqt_demand too_large[] = {
		{ .cores = UINT64_MAX / 2 + 1 },
		{ .mem_mib = UINT64_MAX / 2 + 1 },
		{ .gpus_untyped = UINT64_MAX / 2 + 1 },
		{ .gpus = { 0, UINT64_MAX / 2 + 1 } },
		{ .cores = UINT64_MAX / 2 - 1 },
	};
	struct eqt_quote_mix mix = mix_of(9, 0, 3, 9);
	struct eqt_quote quote = quote_of_one();
	struct eqt_error err = { "" };

	mix.kind[1].each = too_large[_i];
	ck_assert_int_eq(eqt_quote_mix_apply(&quote, &mix, &err), -1);
	ck_assert_str_eq(err.text, "the request is too large to price");
}
END_TEST

/* Of three nodes with 8 cores, one with 4, and two with 2. Eight cores are 2. */
static struct eqt_quote_mix mix_of_three(uint64_t max_nodes)
{
	static const uint64_t cores[] = { 8, 4, 2 }, counts[] = { 3, 1, 2 };
	struct eqt_quote_mix mix = { .kinds = 3, .max_nodes = max_nodes };

	for (uint32_t i = 0; i < mix.kinds; i++) {
		mix.kind[i].each.cores = cores[i];
		mix.kind[i].each.gpus[0] = 1;
		mix.kind[i].nodes = 1;
		mix.kind[i].count = counts[i];
	}
	return mix;
}

static const struct {
	const char *name;
	uint64_t nodes, max_nodes;
	int rc;
	uint64_t low, high; /* equivalents */
} set_rows[] = {
	{ "one node", 1, 1, 0, 1, 2 },
	{ "three of the largest nodes", 3, 3, 0, 3, 6 },
	{ "four nodes have another one beside the three largest", 4, 4, 0, 4,
	  7 },
	{ "a range of numbers", 1, 4, 0, 1, 7 },
	{ "all nodes that there are", 6, 6, 0, 8, 8 },
	{ "more nodes than there are", 7, 7, 1, 1, 1 },
	{ "no number of nodes", 1, 0, 1, 1, 1 },
	{ "more sets than are priced", 1, 101, 1, 1, 1 },
};

START_TEST(a_job_on_a_number_of_nodes_has_the_range_of_their_sets)
{
	struct eqt_quote_mix mix = mix_of_three(set_rows[_i].max_nodes);
	struct eqt_quote quote = quote_of_one();
	struct eqt_error err = { "" };

	for (uint32_t i = 0; i < mix.kinds; i++)
		mix.kind[i].nodes = set_rows[_i].nodes;
	ck_assert_int_eq(eqt_quote_mix_sets(&quote, &mix, &err),
			 set_rows[_i].rc);
	ck_assert_msg(quote.low.equivalents.num ==
			      set_rows[_i].low * quote.low.equivalents.den,
		      "%s: the low end", set_rows[_i].name);
	ck_assert_msg(quote.high.equivalents.num ==
			      set_rows[_i].high * quote.high.equivalents.den,
		      "%s: the high end", set_rows[_i].name);
}
END_TEST

/* All ways that lead to no set would be hundreds of millions. */
START_TEST(almost_all_nodes_of_many_kinds_are_few_sets)
{
	struct eqt_quote_mix mix = mix_of_three(95);
	struct eqt_quote quote = quote_of_one();
	struct eqt_error err = { "" };

	mix.kinds = EQT_NODE_OFFER_KINDS;
	for (uint32_t i = 0; i < mix.kinds; i++) {
		mix.kind[i] = mix.kind[0];
		mix.kind[i].each.cores = 8 + 4 * i;
		mix.kind[i].count = 12;
		mix.kind[i].nodes = mix.max_nodes;
	}
	ck_assert_int_eq(eqt_quote_mix_sets(&quote, &mix, &err), 0);
	/* 12 nodes of each kind have 2,112 cores; one has 8 to 36. */
	ck_assert_uint_eq(quote.low.equivalents.num, (2112 - 36) / 4);
	ck_assert_uint_eq(quote.high.equivalents.num, (2112 - 8) / 4);
}
END_TEST

START_TEST(sets_of_kinds_that_need_unlike_numbers_of_nodes_are_not_known)
{
	struct eqt_quote_mix mix = mix_of_three(4);
	struct eqt_quote quote = quote_of_one();
	struct eqt_error err = { "" };

	mix.kind[2].nodes = 2;
	ck_assert_int_eq(eqt_quote_mix_sets(&quote, &mix, &err), 1);
}
END_TEST

#define APART(a, b) (EQT_APART(a, b) | EQT_APART(b, a))
#define ALL_APART                                                         \
	(APART(EQT_CORES, EQT_MEMORY) | APART(EQT_CORES, EQT_GPUS) |      \
	 APART(EQT_MEMORY, EQT_GPUS))

/*
 * A GPU of the first model makes a core cost 1 and a GiB 1, one of the second 1/2 and 2.
 * With both, a core costs 1 and a GiB 2. The first and second kind have a GPU each and are
 * as large as each other, the third kind has none. A job has 4 tasks, one on each node.
 */
static const struct {
	const char *name;
	uint64_t with_gpu, without; /* cores and GiB of a node */
	uint64_t high;
} term_rows[] = {
	/* 2 GPUs, 26 cores and 26 GiB */
	{ "large nodes without GPUs stand beside one node of each model", 1, 8,
	  80 },
	/* 4 GPUs, 32 cores and 32 GiB */
	{ "large nodes of one model stand beside a single node of the other", 8,
	  1, 100 },
};

START_TEST(two_models_in_one_job_cost_the_dearer_rate_in_each_term)
{
	static const struct eqt_terms terms[] = {
		{ .rate = { [EQT_CORES] = { 1, 1 }, [EQT_MEMORY] = { 1, 1024 } },
		  .apart = ALL_APART },
		{ .rate = { [EQT_CORES] = { 1, 2 }, [EQT_MEMORY] = { 2, 1024 } },
		  .apart = ALL_APART },
	};
	static const struct eqt_bundle models[] = {
		{ .name = "gpu:a", .weight_u = EQT_MICRO, .terms = &terms[0] },
		{ .name = "gpu:b", .weight_u = EQT_MICRO, .terms = &terms[1] },
	};
	static const struct eqt_bundle_table in_terms = {
		.cores = { .name = "cores", .cores_u = EQT_MICRO },
		.gpu = models,
		.gpu_count = 2,
	};
	struct eqt_quote_mix mix = { .kinds = 3, .tasks = 4 };
	struct eqt_quote quote = quote_of_one();
	struct eqt_error err = { "" };

	for (uint32_t i = 0; i < mix.kinds; i++) {
		const uint64_t size = i < 2 ? term_rows[_i].with_gpu
					    : term_rows[_i].without;

		mix.kind[i].each = (struct eqt_demand){
			.cores = size, .mem_mib = 1024 * size
		};
		mix.kind[i].nodes = i < 2 ? 1 : 3;
		mix.kind[i].tasks = 1;
		mix.kind[i].count = i < 2 ? 1 : 9;
		mix.kind[i].gpus = i < 2;
		if (i < 2)
			mix.kind[i].each.gpus[i] = 1;
	}
	quote.prices = &in_terms;
	quote.high.apart = ALL_APART;
	ck_assert_msg(eqt_quote_mix_apply(&quote, &mix, &err) == 0, "%s",
		      err.text);
	ck_assert_msg(eqt_frac_cmp(quote.high.equivalents,
				   (struct eqt_frac){ term_rows[_i].high,
						      1 }) == 0,
		      "%s: %llu/%llu", term_rows[_i].name,
		      (unsigned long long) quote.high.equivalents.num,
		      (unsigned long long) quote.high.equivalents.den);
	ck_assert(quote.by_nodes);
}
END_TEST

/* A node that holds a part of a task counts as one with a task. */
START_TEST(a_kind_has_the_tasks_that_one_node_holds)
{
	static const struct {
		uint64_t cpus, tasks;
	} kinds[] = { { 3, 1 }, { 4, 1 }, { 12, 3 }, { 99, 7 } };
	const struct eqt_job_spec spec = { .cpus_per_task = 4 };
	const struct eqt_job_totals totals = { .nodes = 1,
					       .tasks = 7,
					       .cpus_per_task = 4,
					       .cpus_per_node = 4 };
	struct eqt_quote_mix mix = { 0 };

	for (uint32_t i = 0; i < COUNT(kinds); i++) {
		const struct eqt_node_offer node = { .cpus = kinds[i].cpus };

		eqt_quote_mix_add(&mix, &spec, &totals, &node);
		ck_assert_uint_eq(mix.kinds, i + 1);
		ck_assert_uint_eq(mix.kind[i].tasks, kinds[i].tasks);
	}
}
END_TEST

/* A core or 1000 MiB cost 1. */
static const struct eqt_bundle_table cores_and_memory = {
	.cores = { .name = "cores",
		   .cores_u = EQT_MICRO,
		   .mem_mib_u = UINT64_C(1000) * EQT_MICRO,
		   .weight_u = EQT_MICRO },
};

static const struct lower_row {
	const char *name;
	uint64_t nodes;
	uint64_t cores[2], gib[2]; /* of a node of each kind */
	uint64_t low;
	bool by_nodes;
} lower_rows[] = {
	{ "a single node", 1, { 8, 1 }, { 1, 8 }, 1000, false },
	{ "one node of each kind", 2, { 8, 1 }, { 1, 8 }, 9, true },
	{ "three nodes of one kind and four of the other", 7, { 8, 1 },
	  { 1, 8 }, 35, true },
	{ "one of seven nodes is of the first kind", 7, { 20, 1 }, { 0, 4 }, 26,
	  true },
	{ "one of seven nodes is of the second kind", 7, { 1, 20 }, { 4, 0 },
	  26, true },
	{ "the fewest cores and the least memory of eight nodes", 8, { 8, 1 },
	  { 1, 8 }, 8, true },
	{ "a kind that has more of both", 2, { 8, 1 }, { 8, 1 }, 1000, false },
};

/* The kinds have no GPUs, so that the highest price is that of one kind. */
static struct eqt_quote_mix mix_to_lower(const struct lower_row *row)
{
	struct eqt_quote_mix mix = { .kinds = 2 };

	for (uint32_t i = 0; i < mix.kinds; i++)
		mix.kind[i] = (struct eqt_quote_mix_kind){
			.each = { .cores = row->cores[i],
				  .mem_mib = 1000 * row->gib[i],
				  .nodes = 1 },
			.nodes = row->nodes,
			.tasks = 1,
			.count = 9,
		};
	return mix;
}

static struct eqt_quote quote_of_thousand(void)
{
	struct eqt_quote quote = { .prices = &cores_and_memory };
	const struct eqt_frac thousand = { 1000, 1 };

	quote.low.equivalents = quote.high.equivalents = thousand;
	quote.low.charge = quote.high.charge = thousand;
	quote.low.usage = quote.high.usage = thousand;
	return quote;
}

START_TEST(nodes_of_two_kinds_may_cost_least)
{
	const struct lower_row *row = &lower_rows[_i];
	const struct eqt_quote_mix mix = mix_to_lower(row);
	struct eqt_quote quote = quote_of_thousand();
	struct eqt_error err = { "" };

	ck_assert_int_eq(eqt_quote_mix_apply(&quote, &mix, &err), 0);
	ck_assert_msg(quote.low.equivalents.num ==
			      row->low * quote.low.equivalents.den,
		      "%s: %llu/%llu", row->name,
		      (unsigned long long) quote.low.equivalents.num,
		      (unsigned long long) quote.low.equivalents.den);
	ck_assert_msg(quote.high.equivalents.num == 1000, "%s", row->name);
	ck_assert_msg(quote.by_nodes == row->by_nodes, "%s", row->name);
}
END_TEST

/* Local disk has no price here, so that its sum is the first number beyond 64 bits. */
START_TEST(disk_of_two_kinds_that_does_not_fit_has_no_price)
{
	struct eqt_quote_mix mix = mix_to_lower(&lower_rows[1]);
	struct eqt_quote quote = quote_of_thousand();
	struct eqt_error err = { "" };

	mix.kind[0].each.disk = UINT64_MAX / 2 + 1;
	ck_assert_int_eq(eqt_quote_mix_apply(&quote, &mix, &err), -1);
	ck_assert_str_eq(err.text, "the request is too large to price");
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("quote mix");
	TCase *tcase = tcase_create("quote mix");

	tcase_add_loop_test(tcase,
			    a_job_has_one_node_of_a_kind_and_the_rest_of_another,
			    0, (int) COUNT(rows));
	tcase_add_loop_test(tcase, nodes_of_a_third_kind_fill_up_the_job, 0,
			    (int) COUNT(filled_rows));
	tcase_add_loop_test(tcase, nodes_of_two_kinds_may_cost_least, 0,
			    (int) COUNT(lower_rows));
	tcase_add_test(tcase, disk_of_two_kinds_that_does_not_fit_has_no_price);
	tcase_add_loop_test(tcase, an_amount_that_does_not_fit_has_no_price, 0,
			    5);
	tcase_add_loop_test(tcase,
			    a_job_on_a_number_of_nodes_has_the_range_of_their_sets,
			    0, (int) COUNT(set_rows));
	tcase_add_test(tcase, almost_all_nodes_of_many_kinds_are_few_sets);
	tcase_add_test(
		tcase,
		sets_of_kinds_that_need_unlike_numbers_of_nodes_are_not_known);
	tcase_add_loop_test(
		tcase, two_models_in_one_job_cost_the_dearer_rate_in_each_term,
		0, (int) COUNT(term_rows));
	tcase_add_test(tcase, a_kind_has_the_tasks_that_one_node_holds);
	suite_add_tcase(suite, tcase);
	return eqt_unit_main(suite);
}
