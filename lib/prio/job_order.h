/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * job_order: the jobs that run and wait, put in order against each other: by
 * the shares of their users (places), or by how much of the same
 * owner stands before them (equal access). A factor of one user is the same
 * for all jobs; these are of each job by itself, so that what starts between
 * two passes is divided as well.
 *
 * Jobs of one owner keep an order of their own: those that run come first,
 * then those that may start, each by falling rest, then by job id; tasks of an
 * array that are jobs of their own stand before what is left of it.
 *
 * Plain values in the caller's array, which is sorted in place. Nothing
 * allocates but what qsort() may for one sort; no locks.
 */
#ifndef EQT_JOB_ORDER_H
#define EQT_JOB_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "conf/priority_section.h"
#include "tree/tree.h"

struct eqt_ordered_job {
	uint32_t job_id;
	uint32_t assoc_id; /* the caller's, to find the node by */
	uint32_t node; /* its user's in the share tree, or EQT_TREE_NONE */
	uint64_t queue; /* which queue it is in: the same, or another */
	uint64_t owner; /* whose jobs count for equal access */
	bool running;
	bool eligible; /* waits for nothing but resources */
	uint32_t array_id; /* of a task, or of what its array has left; or 0 */
	uint32_t more_tasks; /* of an array that wait with this priority */
	double equivalents; /* of one task, with its queues' factors */
	double rest; /* its priority without what is worked out here */
	/* Results, 0 .. 1; 0 until they are worked out. */
	double fairshare; /* eqt_job_order_place() */
	double access; /* eqt_job_order_access() */
	uint32_t taken_out; /* eqt_job_order_tasks_ahead() */
};

/*
 * How long a running job counts ahead of its use, as usage: allocated_now, or 1
 * where what runs is all that counts, so that the number does not matter.
 */
double eqt_job_order_horizon_s(const struct eqt_conf_priority *conf);

/*
 * Rank the tree, whose usage is set, as equitree.conf's section priority says:
 * what runs is added to its user's usage for the horizon, or is all of it; who
 * uses nothing and has no job in the list counts for nothing if so wanted. The
 * list has the jobs that run, and those that wait where idle_shares is no.
 */
void eqt_job_order_rank(const struct eqt_ordered_job *jobs, size_t count,
			struct eqt_tree *tree,
			const struct eqt_conf_priority *conf,
			enum eqt_tree_mode mode);

/*
 * Give each job that may start a place: jobs are taken one by one, each time
 * the next of the user who then stands lowest in the tree, and count for
 * equivalents * horizon_s of usage from there on, as if they had started. The
 * order that comes out is the one whose every beginning brings what is
 * allocated closest to the shares; it stays the same while jobs start in it.
 * Level by level: the lowest usage for its shares is first; users with
 * Fairshare=parent come before all others of their level, those without shares
 * after them; between equals more shares, then the higher rest, then the older
 * job. fairshare is 1 for the first, 1/N for the last of N, 0 for jobs without
 * a place. Usage that was counted stays in the tree.
 * O(N * levels * log siblings).
 */
void eqt_job_order_place(struct eqt_ordered_job *jobs, size_t count,
			 struct eqt_tree *tree, double horizon_s);

/*
 * A job of that user (EQT_TREE_NONE: no one) has ended since jobs were placed
 * last. The places are those of the moment when they will be given next: what
 * is expected to have ended by then, as it did in the last few times, is taken
 * off first. Otherwise a user of short jobs would always lack those that have
 * ended since.
 */
void eqt_job_order_end(struct eqt_tree *tree, uint32_t node,
		       double equivalents);

/*
 * Equal access: of each waiting job, the sum of the equivalents of all jobs of
 * its owner that are before it in its queue, running ones too, is compared
 * with the others' of that queue. access is 1 for the least sum, and less by
 * the part of the queue's waiting jobs that have a lesser one; 0 for running
 * jobs. O(N * log N).
 */
void eqt_job_order_access(struct eqt_ordered_job *jobs, size_t count);

/*
 * Tasks of an array that share a record share its place, too, and once the
 * scheduler starts one it starts as many as fit. Says for each array that has
 * one of the first so many places how many tasks should become jobs of their
 * own (taken_out), so that all those places are of single jobs once this was
 * asked for a few times. Returns the sum. Places are given.
 */
size_t eqt_job_order_tasks_ahead(struct eqt_ordered_job *jobs, size_t count,
				 size_t ahead);

/* The equivalents of all its tasks. */
double eqt_job_order_equivalents(const struct eqt_ordered_job *job);

/* < 0, > 0 as a is before or after b in their owner's own order; 0: the same
 * job. */
int eqt_job_order_compare(const struct eqt_ordered_job *a,
			  const struct eqt_ordered_job *b);

#endif
