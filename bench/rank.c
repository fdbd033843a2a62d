/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rank: what it takes to rank a share tree, against a bare sort of as many keys,
 * in turns. A line a size: users, nanoseconds a user of each, as medians.
 */
#include <stdio.h>
#include <stdlib.h>

#include "tree/tree.h"
#include "../tests/property/random.h"
#include "median.h"

#define TURNS 9
#define USERS_AN_ACCOUNT 19

/* The same trees each time. */
static struct eqt_random random_state = { 2463534242u };

static uint32_t dice(uint32_t faces)
{
	return (uint32_t) eqt_random_below(&random_state, faces);
}

static void *room(size_t count, size_t size)
{
	void *memory = calloc(count, size);

	if (!memory) {
		fputs("rank: out of memory\n", stderr);
		exit(2);
	}
	return memory;
}

/* Accounts in a tree of twelve children each, users below all of them. */
static struct eqt_tree *make_tree(uint32_t users)
{
	uint32_t accounts = users / USERS_AN_ACCOUNT + 1;
	uint32_t count = 1 + accounts + users;
	struct eqt_tree_input *nodes = room(count, sizeof(*nodes));
	struct eqt_error err;
	struct eqt_tree *tree;

	nodes[0] =
		(struct eqt_tree_input){ .parent = EQT_TREE_NONE, .shares = 1 };
	for (uint32_t i = 1; i < count; i++)
		nodes[i] = (struct eqt_tree_input){
			.parent = i <= accounts ? (i - 1) / 12
						: 1 + dice(accounts),
			.shares = 1 + dice(100),
			.user = i > accounts,
		};
	tree = eqt_tree_new(nodes, count, &err);
	free(nodes);
	if (!tree) {
		fprintf(stderr, "rank: %s\n", err.text);
		exit(2);
	}
	return tree;
}

static void use(struct eqt_tree *tree)
{
	for (uint32_t i = 1; i < eqt_tree_count(tree); i++)
		eqt_tree_usage_add(tree, i, (long double) dice(1000000));
}

static double time_sort(double *keys, uint32_t count)
{
	double start;

	for (uint32_t i = 0; i < count; i++)
		keys[i] = dice(UINT32_MAX);
	start = median_clock();
	qsort(keys, count, sizeof(*keys), median_compare);
	return median_clock() - start;
}

static double time_rank(struct eqt_tree *tree)
{
	double start;

	use(tree);
	start = median_clock();
	eqt_tree_rank(tree, EQT_TREE_DOCUMENTED);
	return median_clock() - start;
}

int main(void)
{
	static const uint32_t sizes[] = { 1000,	  3000,	  10000,  30000,
					  100000, 300000, 1000000 };

	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		struct eqt_tree *tree = make_tree(sizes[i]);
		double *keys = room(sizes[i], sizeof(*keys));
		double ranks[TURNS], sorts[TURNS];

		for (int turn = 0; turn < TURNS; turn++) {
			ranks[turn] = time_rank(tree);
			sorts[turn] = time_sort(keys, sizes[i]);
		}
		printf("%u\t%.1f\t%.1f\n", sizes[i],
		       median_of(ranks, TURNS) / sizes[i],
		       median_of(sorts, TURNS) / sizes[i]);
		free(keys);
		eqt_tree_free(tree);
	}
	return 0;
}
