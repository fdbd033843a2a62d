/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The price of a request on the nodes that it would get now. */
#include "quote/price_message.h"
#include "quote/quote.h"
#include "../unit.h"

#define COUNT(rows) (sizeof(rows) / sizeof((rows)[0]))
/* Whole nodes of 4 and of 8 cores. Memory has no price. */
#define SMALL(nodes) { .cpus = 4, .mem_mib = 1000, .threads = 1, .count = (nodes) }
#define LARGE(nodes) { .cpus = 8, .mem_mib = 1000, .threads = 1, .count = (nodes) }

static const struct eqt_bundle_table plain = {
	.cores = { .name = "cores", .cores_u = EQT_MICRO },
};

static const struct now_row {
	const char *name;
	struct eqt_nodes_now now;
	uint64_t charge; /* of the price; 0 if there is none */
} now_rows[] = {
	{ "idle nodes of the lowest weight are taken first",
	  { .set = { { SMALL(2), .idle = 2, .weight = 1 },
		     { LARGE(2), .idle = 2, .weight = 5 } }, .sets = 2 }, 4 },
	{ "the lowest weight may be that of the large nodes",
	  { .set = { { SMALL(2), .idle = 2, .weight = 9 },
		     { LARGE(2), .idle = 1, .weight = 0 } }, .sets = 2 }, 8 },
	{ "nodes of the next weight are taken if none is idle",
	  { .set = { { SMALL(2), .idle = 0, .weight = 1 },
		     { LARGE(2), .idle = 1, .weight = 5 } }, .sets = 2 }, 8 },
	{ "nodes of one weight and two sizes have no single price",
	  { .set = { { SMALL(2), .idle = 1, .weight = 1 },
		     { LARGE(2), .idle = 1, .weight = 1 } }, .sets = 2 }, 0 },
	{ "no node is idle",
	  { .set = { { SMALL(2), .idle = 0, .weight = 1 },
		     { LARGE(2), .idle = 0, .weight = 5 } }, .sets = 2 }, 0 },
	{ "there are more kinds of nodes than are known",
	  { .set = { { SMALL(2), .idle = 2, .weight = 1 } }, .sets = 1,
	    .more = true }, 0 },
	{ "there are no nodes", { .sets = 0 }, 0 },
};

/* One whole node, of either size. */
static const struct eqt_job_spec whole = {
	.tasks = 1,
	.min_nodes = 1,
	.max_nodes = 1,
	.exclusive = true,
	.kinds = 2,
	.kind = { SMALL(2), LARGE(2) },
};

static struct eqt_quote quote_of(const struct eqt_job_spec *spec)
{
	struct eqt_quote quote;

	ck_assert_int_eq(eqt_quote_make(&quote, &plain, spec, NULL), 0);
	return quote;
}

START_TEST(price_of_now_is_that_of_the_row)
{
	const struct now_row *row = &now_rows[_i];
	struct eqt_quote quote = quote_of(&whole);

	ck_assert_uint_eq(quote.low.charge.num, 4);
	ck_assert_uint_eq(quote.high.charge.num, 8);
	eqt_quote_now_note(&quote, &whole, &row->now);
	ck_assert_msg(quote.starts_now == (row->charge > 0), "%s", row->name);
	if (row->charge > 0)
		ck_assert_uint_eq(quote.now.charge.num, row->charge);
}
END_TEST

START_TEST(a_message_ends_with_the_price_of_now)
{
	char text[EQT_PRICE_MESSAGE_SIZE];
	struct eqt_quote quote = quote_of(&whole);

	eqt_quote_now_note(&quote, &whole, &now_rows[4].now);
	ck_assert_str_eq(eqt_price_message_brief(&quote, text, sizeof(text)),
			 "cost 4 to 8 core-equivalents (the nodes decide)");
	eqt_quote_now_note(&quote, &whole, &now_rows[1].now);
	ck_assert_str_eq(eqt_price_message_brief(&quote, text, sizeof(text)),
			 "cost 4 to 8 core-equivalents (the nodes decide); 8 "
			 "if it starts now");
}
END_TEST

START_TEST(nodes_used_in_part_are_no_room_but_may_be_taken)
{
	struct eqt_nodes_now now = {
		.set = { { SMALL(2), .idle = 1, .weight = 1 },
			 { LARGE(2), .idle = 0, .weight = 1 } },
		.sets = 2,
	};
	struct eqt_job_spec spec = whole;
	struct eqt_quote quote = quote_of(&spec);

	/* A whole node is idle, so that only the small one counts. */
	eqt_quote_now_note(&quote, &spec, &now);
	ck_assert(quote.starts_now);
	ck_assert_uint_eq(quote.now.charge.num, 4);
	/* A job that keeps others off may also have the rest of a large one. */
	spec.keeps_rest = true;
	spec.mem = EQT_MEM_ALL;
	quote.starts_now = false;
	eqt_quote_now_note(&quote, &spec, &now);
	ck_assert(!quote.starts_now);
}
END_TEST

START_TEST(a_price_of_now_helps_for_a_range_of_several_kinds)
{
	struct eqt_job_spec spec = whole;
	struct eqt_quote quote = quote_of(&spec);

	ck_assert(eqt_quote_now_helps(&quote, &spec));
	spec.contiguous = true;
	ck_assert(!eqt_quote_now_helps(&quote, &spec));
	spec.contiguous = false;
	spec.kinds = 1;
	ck_assert(!eqt_quote_now_helps(&quote, &spec));
	quote = quote_of(&spec);
	spec.kinds = 2;
	ck_assert(!eqt_quote_now_helps(&quote, &spec));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("price of now");
	TCase *tcase = tcase_create("nodes");

	tcase_add_loop_test(tcase, price_of_now_is_that_of_the_row, 0,
			    (int) COUNT(now_rows));
	tcase_add_test(tcase, nodes_used_in_part_are_no_room_but_may_be_taken);
	tcase_add_test(tcase, a_price_of_now_helps_for_a_range_of_several_kinds);
	tcase_add_test(tcase, a_message_ends_with_the_price_of_now);
	suite_add_tcase(suite, tcase);
	return eqt_unit_main(suite);
}
