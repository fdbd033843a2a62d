/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * job_order: puts running and waiting jobs in order: by the shares of their users
 * (places), or by how much of the same owner comes before them (equal access).
 * The fair-share factor of a user is the same for all of the user's jobs. These
 * factors belong to each job, so that jobs that start between two passes are
 * divided between users as well.
 *
 * Jobs of one owner have a fixed order: running jobs first, then those that may
 * start, each by falling rest, then by job id. Array tasks with a record of their
 * own come before the record of the remaining tasks.
 *
 * Plain values in the caller's array, whose order stays. Two functions allocate; no locks.
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
	uint32_t assoc_id; /* for the caller, to find the node */
	uint32_t node; /* the user's in the share tree, or EQT_TREE_NONE */
	uint64_t queue; /* any number; equal for jobs of one queue */
	uint64_t owner; /* any number; equal for jobs of one owner */
	bool running;
	bool eligible; /* waits for nothing but resources */
	uint32_t array_id; /* of a task or of its array's record; or 0 */
	uint32_t more_tasks; /* tasks beyond the first in this record */
	double equivalents; /* of one task, with the factors of its queue */
	double rest; /* its priority without the two factors below */
	/* Results, 0 .. 1; 0 until they are computed. */
	double fairshare; /* eqt_job_order_place() */
	double access; /* eqt_job_order_access() */
	uint32_t taken_out; /* eqt_job_order_tasks_ahead() */
};

/*
 * The seconds that a running job counts as if it had run for longer: allocated_now.
 * With rank_by = allocated only running jobs count, and any number gives the same
 * order: it is 1.
 */
double eqt_job_order_horizon_s(const struct eqt_conf_priority *conf);

/*
 * Milliseconds from one ranking to the next: rank_every, or longer, so that rankings
 * that take took_ms of a processor use at most rank_cpu percent of it. 0: no rankings
 * between passes.
 */
uint64_t eqt_job_order_every_ms(const struct eqt_conf_priority *conf,
				uint64_t took_ms);

/*
 * Rank the tree, whose usage is set, by the section priority of equitree.conf.
 * Running jobs are added to their users' usage for the horizon, or replace it
 * (rank_by = allocated). With idle_shares = no, the shares of a user without
 * usage and without a job in the list do not count. The list has the running
 * jobs, and the waiting ones too if idle_shares is no.
 */
void eqt_job_order_rank(const struct eqt_ordered_job *jobs, size_t count,
			struct eqt_tree *tree,
			const struct eqt_conf_priority *conf,
			enum eqt_tree_mode mode);

/*
 * Give each job that may start a place. Jobs are taken one by one: always the next
 * job of the user with the lowest usage for their shares. A job that is taken adds
 * equivalents * horizon_s to the usage, as if it had started. Wherever the
 * resulting order is cut, the allocations before the cut are as close to the
 * shares as whole jobs allow; it stays the same while jobs start in it.
 * At each level the node with the lowest usage for its shares is first. Users with
 * Fairshare=parent come before the others of their level, nodes without shares
 * after them. Ties: more shares, then the higher rest, then the older job.
 * fairshare is 1 for the first, 1/N for the last of N, 0 for jobs without a place.
 * The added usage stays in the tree. O(N * levels * log siblings).
 * Returns 0, or -1 with nothing changed when memory is short.
 */
int eqt_job_order_place(struct eqt_ordered_job *jobs, size_t count,
			struct eqt_tree *tree, double horizon_s);

/*
 * Note that a job of a user has ended since the last placing. (EQT_TREE_NONE is no user
 * and has no effect.) Places hold until the next placing, so that one first subtracts
 * the jobs that are expected to end by then: the mean of the last few placings.
 * Otherwise a user of short jobs would always have less running than their share.
 */
void eqt_job_order_end(struct eqt_tree *tree, uint32_t node,
		       double equivalents);

/*
 * Equal access. The sum of a waiting job is the equivalents of all jobs of its
 * owner that come before it in its queue, running ones included. access is 1
 * minus the part of the queue's waiting jobs that have a smaller sum; 0 for
 * running jobs. O(N). 0; or -1 when memory is short, and nothing is changed.
 */
int eqt_job_order_access(struct eqt_ordered_job *jobs, size_t count);

/*
 * Array tasks that share a record share its place, and when the scheduler starts
 * one, it starts as many as fit. For each array record among the first so many
 * places, set how many tasks should get a record of their own (taken_out); after a
 * few calls all those places belong to single jobs. Returns the sum. Call it after
 * eqt_job_order_place().
 */
size_t eqt_job_order_tasks_ahead(struct eqt_ordered_job *jobs, size_t count,
				 size_t ahead);

/* Compare two jobs of one owner. < 0: a is before b; > 0: after it; 0: the same job. */
int eqt_job_order_compare(const struct eqt_ordered_job *a,
			  const struct eqt_ordered_job *b);

/* The order of jobs by several keys. Sort by the last key first: a sort keeps the order
 * of jobs with equal keys. Records are large, so keys move and jobs stay. Time is O(N)
 * for each byte in which keys differ. */
struct eqt_job_order_key {
	uint64_t key;
	uint32_t job; /* index in the caller's array */
};

struct eqt_job_order_sort {
	const struct eqt_ordered_job *jobs; /* borrowed */
	size_t count;
	struct eqt_job_order_key *room; /* owned; of two orders */
	struct eqt_job_order_key *order,
		*spare; /* in it; the job at each place */
};

/* Start with the jobs in the order of the array. 0, or -1 when memory is short: then
 * there is nothing to free. */
int eqt_job_order_sort_begin(struct eqt_job_order_sort *sort,
			     const struct eqt_ordered_job *jobs, size_t count);

/* Sort by a key, the lowest first. */
void eqt_job_order_sort_by(struct eqt_job_order_sort *sort,
			   uint64_t (*key)(const struct eqt_ordered_job *job));

/* Free the order. */
void eqt_job_order_sort_end(struct eqt_job_order_sort *sort);

/* The key of the job's id. */
uint64_t eqt_job_order_sort_id(const struct eqt_ordered_job *job);

#endif
