/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tree_reference: the ranks of a share tree, computed slowly in two ways.
 *
 * Both references look at all nodes for everything, and keep no order and no
 * index. The documented one compares fractions of small integers by cross
 * multiplication. So they are simple enough to be checked by reading.
 */
#ifndef EQT_TESTS_TREE_REFERENCE_H
#define EQT_TESTS_TREE_REFERENCE_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/fraction.h"
#include "tree/tree.h"

#define NODES_MAX 40

struct plan {
	uint64_t seed;
	uint32_t count;
	struct eqt_tree_input in[NODES_MAX];
	uint64_t usage[NODES_MAX];
	uint32_t rank[NODES_MAX]; /* the ranks of a reference */
};

/* A set of nodes, in the order of their insertion. */
struct nodes {
	uint32_t n;
	uint32_t node[NODES_MAX];
};

/* The data of a tree that both references use. */

static bool own_shares(const struct plan *plan, uint32_t i)
{
	return i == 0 || !plan->in[i].parent_shares;
}

static uint32_t parent_of(const struct plan *plan, uint32_t i)
{
	do {
		i = plan->in[i].parent;
	} while (!own_shares(plan, i));
	return i;
}

static void add_children(const struct plan *plan, uint32_t parent,
			 struct nodes *to)
{
	for (uint32_t i = 1; i < plan->count; i++) {
		if (parent_of(plan, i) == parent)
			to->node[to->n++] = i;
	}
}

static uint64_t level_shares(const struct plan *plan, uint32_t i)
{
	uint64_t sum = 0;

	for (uint32_t k = 1; k < plan->count; k++) {
		if (parent_of(plan, k) == parent_of(plan, i) &&
		    own_shares(plan, k))
			sum += plan->in[k].shares;
	}
	return sum;
}

static uint32_t count_users(const struct plan *plan)
{
	uint32_t users = 0;

	for (uint32_t i = 0; i < plan->count; i++)
		users += plan->in[i].user;
	return users;
}

/* The documented rule, by classes of nodes with equal Level FS. */

/* num / den; den 0: infinite. */
struct ratio {
	eqt_u128 num, den;
};

static struct ratio ratio_of(const struct plan *plan, uint32_t i)
{
	uint64_t parent_usage = plan->usage[parent_of(plan, i)];
	uint64_t level = level_shares(plan, i);

	if (!own_shares(plan, i))
		return (struct ratio){ 1, 0 };
	if (!plan->in[i].shares)
		return (struct ratio){ 0, 1 };
	if (!plan->usage[i] || !parent_usage)
		return (struct ratio){ 1, 0 };
	return (struct ratio){ (eqt_u128) plan->in[i].shares * parent_usage,
			       (eqt_u128) level * plan->usage[i] };
}

/* No kind of numbers has terms of more than 61 bits, so the products fit. */
static int ratio_cmp(struct ratio a, struct ratio b)
{
	eqt_u128 left = a.num * b.den, right = b.num * a.den;

	if (!a.den || !b.den)
		return (a.den == 0) - (b.den == 0);
	return left < right ? -1 : left > right;
}

static bool has_users(const struct plan *plan, uint32_t i)
{
	bool found = plan->in[i].user;

	for (uint32_t k = 1; k < plan->count && !found; k++)
		found = parent_of(plan, k) == i && has_users(plan, k);
	return found;
}

/* Move the nodes with the highest ratio from a set to another. */
static void take_best(const struct plan *plan, struct nodes *from,
		      struct nodes *best)
{
	struct ratio top = { 0, 1 };
	struct nodes rest = { 0 };

	for (uint32_t k = 0; k < from->n; k++) {
		if (ratio_cmp(ratio_of(plan, from->node[k]), top) > 0)
			top = ratio_of(plan, from->node[k]);
	}
	for (uint32_t k = 0; k < from->n; k++) {
		struct nodes *to =
			ratio_cmp(ratio_of(plan, from->node[k]), top) == 0
				? best
				: &rest;

		to->node[to->n++] = from->node[k];
	}
	*from = rest;
}

/* Rank a set. *given is the number of users that have a rank already. first is
 * the rank of the best user here if it was decided above, or 0. */
static void documented_level(struct plan *plan, struct nodes level,
			     uint32_t first, uint32_t *given)
{
	while (level.n) {
		struct nodes best = { 0 }, below = { 0 };
		uint32_t rank = first ? first : count_users(plan) - *given;
		bool decided = first != 0;

		take_best(plan, &level, &best);
		for (uint32_t k = 0; k < best.n; k++) {
			if (!plan->in[best.node[k]].user) {
				add_children(plan, best.node[k], &below);
				continue;
			}
			plan->rank[best.node[k]] = rank;
			decided = true;
			(*given)++;
		}
		for (uint32_t k = 0; k < below.n; k++) {
			if (!has_users(plan, below.node[k]))
				below.node[k--] = below.node[--below.n];
		}
		documented_level(plan, below, decided ? rank : 0, given);
		first = 0;
	}
}

static void documented_ranks(struct plan *plan)
{
	struct nodes top = { 0 };
	uint32_t given = 0;

	memset(plan->rank, 0, sizeof(plan->rank));
	add_children(plan, 0, &top);
	for (uint32_t k = 0; k < top.n; k++) {
		if (!has_users(plan, top.node[k]))
			top.node[k--] = top.node[--top.n];
	}
	documented_level(plan, top, 0, &given);
}

/* Slurm's ranks, one account after the other. */

static const long double no_val = 4294967294.0L;

struct stock {
	uint32_t last; /* the last rank given */
	uint32_t given; /* number of users */
};

static long double stock_level_fs(const struct plan *plan, uint32_t i)
{
	uint32_t level = (uint32_t) level_shares(plan, i);
	double share = level ? (double) plan->in[i].shares / (double) level : 0;
	long double above = (long double) plan->usage[parent_of(plan, i)];
	long double part = above > 0 ? (long double) plan->usage[i] / above : 0;

	if (!own_shares(plan, i))
		return plan->in[i].user ? INFINITY : no_val;
	if (!(share > 0))
		return 0;
	return part > 0 ? share / part : INFINITY;
}

static bool stock_better(const struct plan *plan, uint32_t a, uint32_t b)
{
	long double x = stock_level_fs(plan, a), y = stock_level_fs(plan, b);

	if (x > y || x < y)
		return x > y;
	return plan->in[a].user && !plan->in[b].user;
}

/* Remove and return the best node; of equal ones, the first. */
static uint32_t stock_take(const struct plan *plan, struct nodes *from)
{
	uint32_t best = 0, node;

	for (uint32_t k = 1; k < from->n; k++) {
		if (stock_better(plan, from->node[k], from->node[best]))
			best = k;
	}
	node = from->node[best];
	from->n--;
	for (uint32_t k = best; k < from->n; k++)
		from->node[k] = from->node[k + 1];
	return node;
}

static void stock_level(struct plan *plan, uint32_t parent, bool tied_above,
			struct stock *stock)
{
	struct nodes level = { 0 };
	long double before = no_val, fs;
	bool tied;

	add_children(plan, parent, &level);
	while (level.n) {
		uint32_t i = stock_take(plan, &level);

		fs = stock_level_fs(plan, i);
		tied = tied_above || (before >= fs && before <= fs);
		tied_above = false;
		before = fs;
		if (!plan->in[i].user) {
			stock_level(plan, i, tied, stock);
			continue;
		}
		if (!tied)
			stock->last = count_users(plan) - stock->given;
		plan->rank[i] = stock->last;
		stock->given++;
	}
}

static void stock_ranks(struct plan *plan)
{
	struct stock stock = { .last = count_users(plan) };

	memset(plan->rank, 0, sizeof(plan->rank));
	stock_level(plan, 0, false, &stock);
}

#endif
