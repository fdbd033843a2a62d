/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Ranks users with their running jobs counted (allocated_now, rank_by) and without
 * idle users (idle_shares = no). */
#include "prio/job_order.h"

/* A user with less than one core-equivalent second of usage counts as idle: decay
 * never reaches 0. */
#define LEAST_USAGE 1.0L

double eqt_job_order_horizon_s(const struct eqt_conf_priority *conf)
{
	return conf->rank_by == EQT_RANK_BY_ALLOCATED
		       ? 1
		       : (double) conf->allocated_now;
}

/* Add equivalents * horizon_s for each running job, as if it went on that long. With
 * rank_by = allocated nothing else counts. */
static void usage_add_running(const struct eqt_ordered_job *jobs, size_t count,
			      struct eqt_tree *tree,
			      const struct eqt_conf_priority *conf)
{
	const double horizon_s = eqt_job_order_horizon_s(conf);

	if (conf->rank_by == EQT_RANK_BY_ALLOCATED)
		for (uint32_t i = 0; i < eqt_tree_count(tree); i++)
			eqt_tree_usage_set(tree, i, 0);
	for (size_t i = 0; i < count; i++)
		if (jobs[i].running && jobs[i].node != EQT_TREE_NONE)
			eqt_tree_usage_add(tree, jobs[i].node,
					   (long double) jobs[i].equivalents *
						   (long double) horizon_s);
}

/* A node is idle without usage and without jobs, its own or below it. */
static void tree_find_idle(const struct eqt_ordered_job *jobs, size_t count,
			   struct eqt_tree *tree)
{
	eqt_tree_idle_all(tree);
	for (size_t i = 0; i < count; i++)
		eqt_tree_idle_wake(tree, jobs[i].node);
	eqt_tree_idle_end(tree, LEAST_USAGE);
}

void eqt_job_order_rank(const struct eqt_ordered_job *jobs, size_t count,
			struct eqt_tree *tree,
			const struct eqt_conf_priority *conf,
			enum eqt_tree_mode mode)
{
	usage_add_running(jobs, count, tree, conf);
	if (conf->idle_shares)
		eqt_tree_idle_none(tree);
	else
		tree_find_idle(jobs, count, tree);
	eqt_tree_rank(tree, mode);
}
