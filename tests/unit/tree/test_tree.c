/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_tree: the share tree on examples small enough to rank by hand. */
#include <float.h>
#include <math.h>
#include <stdbool.h>

#include "tree/tree.h"
#include "tree_examples.h"
#include "tree_shares.h"
#include "../sanitizer.h"
#include "../unit.h"

#define COUNT(rows) (sizeof(rows) / sizeof((rows)[0]))
static uint32_t node_count(const struct example *example)
{
	uint32_t n = 0;

	while (n < NODES_MAX && example->nodes[n].name)
		n++;
	return n;
}

static struct eqt_tree *tree_of(const struct example *example)
{
	struct eqt_tree_input in[NODES_MAX] = { { 0 } };
	struct eqt_error err;
	struct eqt_tree *tree;
	uint32_t n = node_count(example);

	for (uint32_t i = 0; i < n; i++) {
		const struct node *node = &example->nodes[i];

		in[i] = (struct eqt_tree_input){
			.parent = node->parent,
			.shares = node->shares,
			.user = node->kind == USER || node->kind == PARENT_USER,
			.parent_shares = node->kind == PARENT_ACCOUNT ||
					 node->kind == PARENT_USER,
		};
	}
	tree = eqt_tree_new(in, n, &err);
	ck_assert_msg(tree != NULL, "%s: %s", example->name, err.text);
	for (uint32_t i = 0; i < n; i++)
		eqt_tree_usage_set(tree, i, example->nodes[i].usage);
	return tree;
}

static void assert_ranks(const struct example *example,
			 const struct eqt_tree *tree, bool stock)
{
	uint32_t users = eqt_tree_users(tree);

	for (uint32_t i = 0; i < node_count(example); i++) {
		const struct node *node = &example->nodes[i];
		uint32_t want = stock ? node->stock : node->rank;
		struct eqt_tree_result out = eqt_tree_node(tree, i);

		ck_assert_msg(out.rank == want,
			      "%s%s: %s has rank %u instead of %u",
			      example->name, stock ? " (stock)" : "",
			      node->name, out.rank, want);
		ck_assert(out.fs_factor == (users ? want / (double) users : 0));
	}
}

START_TEST(ranks_of_the_examples)
{
	const struct example *example = &examples[_i];
	struct eqt_tree *tree = tree_of(example);

	eqt_tree_rank(tree, EQT_TREE_DOCUMENTED);
	assert_ranks(example, tree, false);
	eqt_tree_rank(tree, EQT_TREE_STOCK);
	assert_ranks(example, tree, true);
	eqt_tree_rank(tree, EQT_TREE_DOCUMENTED);
	assert_ranks(example, tree, false);
	eqt_tree_free(tree);
}
END_TEST

/* Powers of two and whole numbers: usage itself must not be rounded. */
static const long double scales[] = { 0x1p-80L, 0x1p100L, 3, 1000 };

START_TEST(scaling_all_usage_changes_no_rank)
{
	const struct example *example = &examples[_i];
	struct eqt_tree *tree = tree_of(example);

	/* These examples depend on the last bits. */
	if (strncmp(example->name, "usage at", 8) == 0 ||
	    strncmp(example->name, "one bit", 7) == 0) {
		eqt_tree_free(tree);
		return;
	}
	for (size_t s = 0; s < COUNT(scales); s++) {
		for (uint32_t i = 0; i < node_count(example); i++)
			eqt_tree_usage_set(tree, i,
					   example->nodes[i].usage * scales[s]);
		eqt_tree_rank(tree, EQT_TREE_DOCUMENTED);
		assert_ranks(example, tree, false);
	}
	eqt_tree_free(tree);
}
END_TEST

START_TEST(scaling_the_shares_of_a_level_changes_no_rank)
{
	const struct example *example = &examples[2];
	struct eqt_tree *tree = tree_of(example);

	for (uint32_t i = 1; i <= 2; i++)
		tree_shares_set(tree, i,
				    example->nodes[i].shares *
					    UINT32_C(2147483647));
	for (uint32_t i = 3; i <= 4; i++)
		tree_shares_set(tree, i, example->nodes[i].shares * 7);
	eqt_tree_rank(tree, EQT_TREE_DOCUMENTED);
	assert_ranks(example, tree, false);
	eqt_tree_free(tree);
}
END_TEST

static const struct example *find_example(const char *name)
{
	for (size_t i = 0; i < COUNT(examples); i++) {
		if (strcmp(examples[i].name, name) == 0)
			return &examples[i];
	}
	ck_abort_msg("no example \"%s\"", name);
	return NULL;
}

struct norm_row {
	const char *node;
	double shares_norm;
	long double usage_efctv;
};

static const struct norm_row norm_rows[] = {
	{ "root", 0, 1 },
	{ "bloggs", 0.001696, 0.0004L },
	{ "bloggs.prj.high", 0.900901, 0 },
	{ "abc123 high", 0.900901, 0 },
	{ "bloggs.prj.low", 0.009009, 0 },
	{ "xyz789 low", 0.333333, 0 },
	{ "bloggs.prj", 0.090090, 1 },
	{ "abc123", 0.333333, 0 },
	{ "xyz789", 0.333333, 1 },
};

static void assert_norm(const struct example *example,
			const struct eqt_tree *tree, const struct norm_row *row)
{
	uint32_t i = 0;
	struct eqt_tree_result out;

	while (strcmp(example->nodes[i].name, row->node) != 0)
		i++;
	out = eqt_tree_node(tree, i);
	ck_assert_msg(fabs(out.shares_norm - row->shares_norm) < 5e-7, "%s: %f",
		      row->node, out.shares_norm);
	ck_assert_msg(fabsl(out.usage_efctv - row->usage_efctv) < 5e-7L,
		      "%s: %Lf", row->node, out.usage_efctv);
}

START_TEST(normalised_numbers_are_what_clients_show)
{
	const struct example *example =
		find_example("site with high, low and normal accounts");
	struct eqt_tree *tree = tree_of(example);

	eqt_tree_rank(tree, EQT_TREE_DOCUMENTED);
	for (size_t i = 0; i < COUNT(norm_rows); i++)
		assert_norm(example, tree, &norm_rows[i]);
	eqt_tree_free(tree);
}
END_TEST

START_TEST(level_fs_of_each_class)
{
	struct eqt_tree *tree =
		tree_of(find_example("parent_shares accounts, nested"));

	eqt_tree_rank(tree, EQT_TREE_DOCUMENTED);
	ck_assert(isnan(eqt_tree_node(tree, 0).level_fs));
	ck_assert(isnan(eqt_tree_node(tree, 1).level_fs));
	ck_assert(eqt_tree_node(tree, 3).level_fs == 0.25 / (20.0L / 60));
	ck_assert(eqt_tree_node(tree, 4).level_fs == INFINITY);
	ck_assert(eqt_tree_node(tree, 4).shares_norm == 0);
	eqt_tree_usage_set(tree, 5, 0);
	tree_shares_set(tree, 3, 0);
	eqt_tree_rank(tree, EQT_TREE_DOCUMENTED);
	ck_assert(eqt_tree_node(tree, 5).level_fs == INFINITY);
	ck_assert(eqt_tree_node(tree, 3).level_fs == 0);
	eqt_tree_free(tree);
}
END_TEST

START_TEST(slurms_own_normalised_shares_hold_in_stock_mode_alone)
{
	struct eqt_tree *tree =
		tree_of(find_example("parent_shares accounts, nested"));
	struct eqt_error err;

	ck_assert_int_eq(eqt_tree_norms_make(tree, &err), 0);
	eqt_tree_rank(tree, EQT_TREE_STOCK);
	ck_assert(eqt_tree_node(tree, 3).level_fs == 0.25 / (20.0L / 60));
	eqt_tree_norm_set(tree, 3, 0.75);
	eqt_tree_rank(tree, EQT_TREE_STOCK);
	ck_assert(eqt_tree_node(tree, 3).level_fs == 0.75 / (20.0L / 60));
	ck_assert(eqt_tree_node(tree, 5).level_fs == 0.5 / (20.0L / 60));
	eqt_tree_norm_set(tree, 3, 0);
	eqt_tree_rank(tree, EQT_TREE_STOCK);
	ck_assert(eqt_tree_node(tree, 3).level_fs == 0);
	eqt_tree_rank(tree, EQT_TREE_DOCUMENTED);
	ck_assert(eqt_tree_node(tree, 3).level_fs == 0.25 / (20.0L / 60));
	/* All are by the shares again. */
	ck_assert_int_eq(eqt_tree_norms_make(tree, &err), 0);
	eqt_tree_rank(tree, EQT_TREE_STOCK);
	ck_assert(eqt_tree_node(tree, 3).level_fs == 0.25 / (20.0L / 60));
	eqt_tree_free(tree);
}
END_TEST

START_TEST(shares_can_be_changed_except_the_parents)
{
	struct eqt_tree *tree =
		tree_of(find_example("parent_shares accounts, nested"));

	tree_shares_set(tree, 0, 100); /* the root has no level */
	tree_shares_set(tree, 1, 100);
	tree_shares_set(tree, 4, 100);
	tree_shares_set(tree, 3, 5);
	eqt_tree_rank(tree, EQT_TREE_DOCUMENTED);
	ck_assert(eqt_tree_node(tree, 3).shares_norm == 5.0 / 8.0);
	ck_assert(eqt_tree_node(tree, 4).level_fs == INFINITY);
	ck_assert_uint_eq(eqt_tree_node(tree, 4).rank, 6);
	ck_assert_uint_eq(eqt_tree_node(tree, 3).rank, 4);
	eqt_tree_free(tree);
}
END_TEST

static const struct {
	const char *name;
	long double usage;
	long double efctv; /* of 10 */
} usage_rows[] = {
	{ "plain", 5, 0.5L },
	{ "negative", -5, 0 },
	{ "NaN", NAN, 0 },
	{ "minus infinity", -INFINITY, 0 },
	{ "infinity", INFINITY, LDBL_MAX / 10 },
};

START_TEST(usage_is_never_negative_nor_infinite)
{
	const struct eqt_tree_input in[] = {
		{ .parent = ROOT }, { .parent = 0, .shares = 1, .user = true }
	};
	struct eqt_tree *tree = eqt_tree_new(in, 2, NULL);

	eqt_tree_usage_set(tree, 0, 10);
	eqt_tree_usage_set(tree, 1, usage_rows[_i].usage);
	eqt_tree_rank(tree, EQT_TREE_DOCUMENTED);
	ck_assert_msg(eqt_tree_node(tree, 1).usage_efctv ==
			      usage_rows[_i].efctv,
		      "%s", usage_rows[_i].name);
	ck_assert_uint_eq(eqt_tree_node(tree, 1).rank, 1);
	eqt_tree_free(tree);
}
END_TEST

static const struct {
	const char *name;
	uint32_t count;
	struct eqt_tree_input nodes[4];
	const char *error; /* part of it */
} bad_rows[] = {
	{ "nothing", 0, { { .parent = ROOT } }, "without nodes" },
	{ "root with parent",
	  2,
	  { { .parent = 1 }, { .parent = ROOT } },
	  "node 0: the root has a parent" },
	{ "root is a user",
	  1,
	  { { .parent = ROOT, .user = true } },
	  "node 0: the root is a user" },
	{ "two roots",
	  3,
	  { { .parent = ROOT }, { .parent = 0 }, { .parent = ROOT } },
	  "node 2: a second root" },
	{ "out of range",
	  2,
	  { { .parent = ROOT }, { .parent = 2 } },
	  "node 1: parent 2 is out of range" },
	{ "user as parent",
	  3,
	  { { .parent = ROOT },
	    { .parent = 0, .user = true },
	    { .parent = 1 } },
	  "node 2: parent 1 is a user" },
	{ "own parent",
	  2,
	  { { .parent = ROOT }, { .parent = 1 } },
	  "node 1: parents form a cycle" },
	{ "cycle",
	  4,
	  { { .parent = ROOT },
	    { .parent = 2 },
	    { .parent = 3 },
	    { .parent = 1 } },
	  "cycle" },
};

START_TEST(bad_trees_are_refused)
{
	struct eqt_error err = { "" };
	struct eqt_tree *tree =
		eqt_tree_new(bad_rows[_i].nodes, bad_rows[_i].count, &err);

	ck_assert_msg(!tree, "%s", bad_rows[_i].name);
	ck_assert_msg(strstr(err.text, bad_rows[_i].error) != NULL,
		      "%s: \"%s\"", bad_rows[_i].name, err.text);
	ck_assert(!eqt_tree_new(bad_rows[_i].nodes, bad_rows[_i].count, NULL));
}
END_TEST

/* A chain of accounts; the last node is a user at that depth. */
static struct eqt_tree *chain_of(uint32_t depth, bool parent_shares,
				 struct eqt_error *err)
{
	static struct eqt_tree_input in[EQT_TREE_DEPTH_MAX + 2];

	for (uint32_t i = 0; i <= depth; i++)
		in[i] = (struct eqt_tree_input){
			.parent = i ? i - 1 : ROOT,
			.shares = 1,
			.user = i == depth,
			.parent_shares = parent_shares && i < depth,
		};
	return eqt_tree_new(in, depth + 1, err);
}

START_TEST(depth_is_limited)
{
	struct eqt_error err;
	struct eqt_tree *tree = chain_of(EQT_TREE_DEPTH_MAX, _i, &err);

	ck_assert(tree != NULL);
	eqt_tree_rank(tree, EQT_TREE_DOCUMENTED);
	ck_assert_uint_eq(eqt_tree_node(tree, EQT_TREE_DEPTH_MAX).rank, 1);
	ck_assert(eqt_tree_node(tree, EQT_TREE_DEPTH_MAX).fs_factor == 1);
	eqt_tree_rank(tree, EQT_TREE_STOCK);
	ck_assert_uint_eq(eqt_tree_node(tree, EQT_TREE_DEPTH_MAX).rank, 1);
	eqt_tree_free(tree);
	ck_assert(!chain_of(EQT_TREE_DEPTH_MAX + 1, _i, &err));
	ck_assert_str_eq(err.text, "node 1025: deeper than 1024 levels");
}
END_TEST

START_TEST(a_single_root_ranks_nobody)
{
	const struct eqt_tree_input in = { .parent = ROOT, .parent_shares = true };
	struct eqt_tree *tree = eqt_tree_new(&in, 1, NULL);

	ck_assert_uint_eq(eqt_tree_count(tree), 1);
	ck_assert_uint_eq(eqt_tree_users(tree), 0);
	eqt_tree_rank(tree, EQT_TREE_DOCUMENTED);
	eqt_tree_rank(tree, EQT_TREE_STOCK);
	ck_assert_uint_eq(eqt_tree_node(tree, 0).rank, 0);
	eqt_tree_free(tree);
	eqt_tree_free(NULL);
}
END_TEST

/* Count all allocations, freed ones included. A sanitizer needs its own
 * allocator: then nothing is counted. */
static unsigned long allocations;

#if defined(__GLIBC__) && !defined(ADDRESS_SANITIZER)
#define COUNTS_ALLOCATIONS true
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *p, size_t size);

void *malloc(size_t size)
{
	allocations++;
	return __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
	allocations++;
	return __libc_calloc(count, size);
}

void *realloc(void *p, size_t size)
{
	allocations++;
	return __libc_realloc(p, size);
}
#else
#define COUNTS_ALLOCATIONS false
#endif

START_TEST(ranking_allocates_nothing)
{
	const struct example *example = &examples[_i];
	unsigned long before = allocations, built, ranked;
	struct eqt_tree *tree = tree_of(example);

	built = allocations;
	eqt_tree_usage_set(tree, 0, 100);
	tree_shares_set(tree, 1, 100);
	eqt_tree_rank(tree, EQT_TREE_DOCUMENTED);
	eqt_tree_rank(tree, EQT_TREE_STOCK);
	ranked = allocations;
	ck_assert(!COUNTS_ALLOCATIONS || built > before);
	ck_assert_uint_eq(ranked, built);
	eqt_tree_free(tree);
}
END_TEST

START_TEST(idle_siblings_do_not_dilute_shares)
{
	static const struct eqt_tree_input nodes[] = {
		{ EQT_TREE_NONE, 1, false, false },
		{ 0, 1, false, false },
		{ 0, 8, false, false },
		{ 0, 1, false, false },
		{ 1, 1, true, false },
		{ 2, 1, true, false },
		{ 3, 1, true, false },
	};
	struct eqt_tree *tree = eqt_tree_new(nodes, 7, NULL);

	ck_assert_ptr_nonnull(tree);
	eqt_tree_usage_add(tree, 4, 100);
	eqt_tree_usage_add(tree, 5, 0.5);
	eqt_tree_idle_all(tree);
	eqt_tree_idle_wake(tree, 6);
	eqt_tree_idle_wake(tree, EQT_TREE_NONE);
	eqt_tree_idle_end(tree, 1);
	eqt_tree_rank(tree, EQT_TREE_DOCUMENTED);
	/* Account 2 is idle: accounts 1 and 3 have half each. */
	ck_assert(eqt_tree_node(tree, 1).shares_norm == 0.5);
	ck_assert(eqt_tree_node(tree, 3).shares_norm == 0.5);
	ck_assert(eqt_tree_node(tree, 2).shares_norm == 0.8);
	ck_assert(isinf(eqt_tree_node(tree, 5).level_fs));
	eqt_tree_idle_all(tree);
	eqt_tree_idle_end(tree, 0);
	eqt_tree_rank(tree, EQT_TREE_DOCUMENTED);
	ck_assert(eqt_tree_node(tree, 1).shares_norm == 0.1);
	eqt_tree_free(tree);
}
END_TEST

static Suite *tree_suite(void)
{
	Suite *suite = suite_create("tree");
	TCase *tc = tcase_create("tree");
	int n = COUNT(examples);

	tcase_add_loop_test(tc, ranks_of_the_examples, 0, n);
	tcase_add_loop_test(tc, scaling_all_usage_changes_no_rank, 0, n);
	tcase_add_test(tc, scaling_the_shares_of_a_level_changes_no_rank);
	tcase_add_test(tc, normalised_numbers_are_what_clients_show);
	tcase_add_test(tc, level_fs_of_each_class);
	tcase_add_test(tc, shares_can_be_changed_except_the_parents);
	tcase_add_test(tc, slurms_own_normalised_shares_hold_in_stock_mode_alone);
	tcase_add_loop_test(tc, usage_is_never_negative_nor_infinite, 0,
			    COUNT(usage_rows));
	tcase_add_loop_test(tc, bad_trees_are_refused, 0, COUNT(bad_rows));
	tcase_add_loop_test(tc, depth_is_limited, 0, 2);
	tcase_add_test(tc, idle_siblings_do_not_dilute_shares);
	tcase_add_test(tc, a_single_root_ranks_nobody);
	tcase_add_loop_test(tc, ranking_allocates_nothing, 0, n);
	suite_add_tcase(suite, tc);
	return suite;
}

int main(void)
{
	return eqt_unit_main(tree_suite());
}
