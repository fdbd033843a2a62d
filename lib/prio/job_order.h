/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * job_order: put running and waiting jobs in order. One order is by the shares of their
 * users (places), and another is by how much of the same owner comes before a job
 * (equal access). The fair-share factor of Slurm is the same for all jobs of a user.
 * The factors here differ from job to job, so that jobs which start between two passes
 * are also divided between users.
 *
 * Jobs of one owner have a fixed order: running jobs, then jobs that may start, then
 * other jobs. Each group is in the order of falling rest and then by job id. Tasks of
 * an array that have a record of their own come before the record of the remaining
 * tasks.
 *
 * Jobs are plain values in an array of the caller, whose order is not changed.
 * Functions that return an int allocate memory. There are no locks.
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
	/* The association, by which the caller finds the node. */
	uint32_t assoc_id;
	uint32_t node; /* the user's node in the share tree, or EQT_TREE_NONE */
	/* An arbitrary number, which is equal for all jobs of one queue. */
	uint64_t queue;
	/* An arbitrary number, which is equal for all jobs of one owner. */
	uint64_t owner;
	bool running;
	bool eligible; /* whether the job waits for nothing but resources */
	/* The id of the array of a task or of the array's record; 0 for other jobs. */
	uint32_t array_id;
	/* Number of tasks in this record beyond the first. */
	uint32_t more_tasks;
	/* Equivalents of one task, with the factors of its partition and QOS. */
	double equivalents;
	double rest; /* the priority of the job without the two factors below */
	/* The results, which are 0 until they are computed. The factors are from 0 to
	 * 1. */
	double fairshare; /* the result of eqt_job_order_place() */
	double access; /* the result of eqt_job_order_access() */
	uint32_t taken_out; /* the result of eqt_job_order_tasks_ahead() */
};

struct eqt_job_order_key {
	uint64_t key;
	uint32_t job; /* index of the job in the caller's array */
};

struct eqt_job_order_line {
	double equivalents; /* equivalents of all tasks of the job */
	uint32_t job; /* index of the job in the caller's array */
	uint32_t next; /* the next line in a list, or EQT_TREE_NONE */
};

/* An order of jobs. A struct of zeros is empty. Its memory serves one order after the
 * other, until eqt_job_order_clear(). */
struct eqt_job_order {
	struct eqt_ordered_job *jobs; /* the caller's array, borrowed */
	size_t count; /* number of jobs in the order; 0 if memory is short */
	/* Member i has the i-th job, until the next call. Points into room. */
	struct eqt_job_order_key *keys;
	struct eqt_job_order_key *spare; /* the other half of room */
	struct eqt_job_order_key *room;
	size_t room_space;
	/* The jobs in the order of eqt_job_order_by_line(). */
	struct eqt_job_order_line *lines;
	size_t lines_space;
};

/* Sort jobs by id. The time is O(N). Return 0, or -1 with an empty order if there is no
 * memory. */
int eqt_job_order_by_id(struct eqt_job_order *order,
			struct eqt_ordered_job *jobs, size_t count);

/*
 * Sort jobs in the order of an owner's jobs above, whoever the owners are. Places and
 * equal access begin with this order. The time is O(N) for each byte in which the
 * numbers of jobs differ. Return 0, or -1 with an empty order if there is no memory.
 */
int eqt_job_order_by_line(struct eqt_job_order *order,
			  struct eqt_ordered_job *jobs, size_t count);

/* Free the memory of an order. */
void eqt_job_order_clear(struct eqt_job_order *order);

/*
 * Return the seconds that are added to the run time of a running job, which is
 * allocated_now. With rank_by = allocated, only running jobs count, and any number of
 * seconds gives the same order. The result is 1 then.
 */
double eqt_job_order_horizon_s(const struct eqt_conf_priority *conf);

/*
 * Return the milliseconds from one ranking to the next. That is rank_every, or more if
 * rankings that take took_ms of CPU time would use more than rank_cpu percent of a
 * core. 0 means that there are no rankings between passes.
 */
uint64_t eqt_job_order_every_ms(const struct eqt_conf_priority *conf,
				uint64_t took_ms);

/*
 * Rank the tree, whose usage is set, as the section priority of equitree.conf says.
 * Running jobs are added to the usage of their users for the seconds of
 * eqt_job_order_horizon_s(). With rank_by = allocated, they replace the usage. With
 * idle_shares = no, the shares of a user without usage and without a job in the list do
 * not count. The list has the running jobs and, if idle_shares is no, the waiting jobs.
 */
void eqt_job_order_rank(const struct eqt_ordered_job *jobs, size_t count,
			struct eqt_tree *tree,
			const struct eqt_conf_priority *conf,
			enum eqt_tree_mode mode);

/*
 * Give each job of eqt_job_order_by_line() that may start a place. Jobs are taken one
 * by one: always the next job of the user with the lowest usage for their shares. A job
 * that is taken adds equivalents * horizon_s to the usage, as if it had started. So
 * wherever the resulting order is cut, the allocations before the cut are as close to
 * the shares as whole jobs allow. The order does not change while jobs start in this
 * order.
 *
 * At each level the node with the lowest usage for its shares comes first. Users with
 * Fairshare=parent come before all other nodes of their level, and nodes without shares
 * come last. Ties are resolved by more shares, then by the higher rest, then by the
 * older job. fairshare is 1 for the first job, 1/N for the last of N jobs, and 0 for
 * jobs without a place. The usage of the tree is used up: set it before the next
 * ranking. The time is O(N * levels * log siblings). Return 0, or -1 with nothing
 * changed if there is no memory.
 */
int eqt_job_order_place(struct eqt_job_order *order, struct eqt_tree *tree,
			double horizon_s);

/*
 * Note that a job of a user has ended since the last placing. Nothing happens if node
 * is EQT_TREE_NONE, which is no user. Places remain until the next placing. So a
 * placing first subtracts the jobs that are expected to end before the next one, which
 * is the mean of the last few placings. Otherwise a user of short jobs would always
 * have less running than their share.
 */
void eqt_job_order_end(struct eqt_tree *tree, uint32_t node,
		       double equivalents);

/*
 * Compute the factors of equal access of the jobs of eqt_job_order_by_line(). The sum of
 * a waiting job is the equivalents of all jobs of its owner that come before it in its
 * queue, including running jobs. access is 1 minus the part of the queue's waiting jobs
 * that have a smaller sum. It is 0 for running jobs. The time is O(N).
 */
void eqt_job_order_access(struct eqt_job_order *order);

/*
 * Choose the tasks of arrays that get a record of their own. The waiting tasks of an
 * array share a record and its place, and when the scheduler starts one of them, it
 * starts as many as fit. For each array among the first `ahead` places, taken_out is
 * set to the number of tasks that should be split off. After a few calls all these
 * places belong to single jobs. Return the sum of these numbers. Call
 * eqt_job_order_place() first.
 */
size_t eqt_job_order_tasks_ahead(struct eqt_ordered_job *jobs, size_t count,
				 size_t ahead);

#endif
