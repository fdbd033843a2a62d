/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A small share tree, and queues of equal jobs of its users. */
#ifndef EQT_JOB_ORDER_FIXTURE_H
#define EQT_JOB_ORDER_FIXTURE_H

#include "prio/job_order.h"
#include "../unit.h"

/*
 * The root, three accounts with 5, 3 and 2 shares, one user in each (4, 5, 6),
 * and a second user in the first account (7); user 4 has three shares, user 7
 * one.
 */
static inline struct eqt_tree *small_tree(void)
{
	static const struct eqt_tree_input nodes[] = {
		{ EQT_TREE_NONE, 1, false, false },
		{ 0, 5, false, false },
		{ 0, 3, false, false },
		{ 0, 2, false, false },
		{ 1, 1, true, false },
		{ 2, 1, true, false },
		{ 3, 1, true, false },
		{ 1, 3, true, false },
	};
	struct eqt_tree *tree = eqt_tree_new(nodes, 8, NULL);

	ck_assert_ptr_nonnull(tree);
	return tree;
}

/* Add count waiting jobs of one equivalent for each of the users, in turn. */
static inline size_t flood(struct eqt_ordered_job *jobs, const uint32_t *users, size_t n,
		    size_t count)
{
	for (size_t i = 0; i < n * count; i++)
		jobs[i] = (struct eqt_ordered_job){
			.job_id = (uint32_t) i + 1,
			.node = users[i % n],
			.eligible = true,
			.equivalents = 1,
		};
	return n * count;
}

/* Give jobs places, or factors of equal access, without what is kept from one ranking to
 * the next. */
static inline int give_places(struct eqt_ordered_job *jobs, size_t count,
			      struct eqt_tree *tree, double horizon_s)
{
	struct eqt_job_order order = { .count = 0 };
	int rc = eqt_job_order_by_line(&order, jobs, count);

	if (rc == 0)
		rc = eqt_job_order_place(&order, tree, horizon_s);
	eqt_job_order_clear(&order);
	return rc;
}

static inline void give_access(struct eqt_ordered_job *jobs, size_t count)
{
	struct eqt_job_order order = { .count = 0 };

	ck_assert_int_eq(eqt_job_order_by_line(&order, jobs, count), 0);
	eqt_job_order_access(&order);
	eqt_job_order_clear(&order);
}

/* The jobs of a user among the first jobs of all. */
static inline int among_first(const struct eqt_ordered_job *jobs, size_t count,
		       uint32_t user, size_t first)
{
	int found = 0;

	for (size_t i = 0; i < count; i++) {
		size_t place = (size_t) ((1 - jobs[i].fairshare) *
						 (double) count +
					 0.5);

		found += jobs[i].node == user && place < first;
	}
	return found;
}

#endif
