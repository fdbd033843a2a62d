/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * simulation_impl: the state of one run. Only lib/sim uses it. run.c checks the input
 * and runs from event to event. sim_usage.c charges, ranks and computes priorities.
 * sim_nodes.c has the free resources of nodes, and backfill_reservations.c the nodes
 * that a backfill reserves for jobs that must wait. queue.c sorts the waiting jobs,
 * schedule.c starts jobs, and kinds.c counts the waiting jobs that are equal. spending.c
 * has what is left of the limits that jobs spend.
 */
#ifndef EQT_SIMULATION_IMPL_H
#define EQT_SIMULATION_IMPL_H

#include "prio/job_order.h"
#include "sim/simulation.h"
#include "sim/events.h"

#define EQT_SIMULATION_NO_RESERVATION (-1)
#define EQT_SIMULATION_NO_SLOT UINT32_MAX
#define EQT_SIMULATION_FAR INT64_MAX /* a time that never comes */

/* A job that waits or runs. */
struct eqt_simulation_live {
	uint32_t job;
	uint32_t kind; /* index of the job's kind in kinds */
	uint32_t next_free; /* the next slot that is not in use */
	/* The members of queue.c for a waiting job: its group, its neighbours in the
	 * group by slot, and the number of the ordering and the value of its key. */
	uint32_t group, next, previous, keyed;
	int64_t key;
	bool used;
	bool running;
	/* Whether the job was running at the last ranking. */
	bool ranked_running;
	double rate; /* equivalents of the job that are charged */
	double size; /* equivalents without the factors of partition and QOS */
	bool gpu_pool;
	/* The time up to which a running job is charged. */
	int64_t charged;
	int64_t limit_end; /* end of a running job's time limit */
	bool paid; /* whether the job has taken what it spends */
	bool late; /* whether the job had to wait before it could take that */
	int64_t paid_at;
	uint32_t *nodes; /* nodes of a running job; the array is owned */
	/* Number of CPUs of a running job that is spread, each with an entry in nodes.
	 * 0 means that the job is not spread. */
	uint32_t slots;
	double fairshare; /* the factor of its place if order = jobs */
	double access;
	/* The difference between the priority with which the job begins and the
	 * computed one. */
	double bias;
};

struct eqt_queues; /* defined in queue.h */

/* The limits that jobs spend (spending.h). */
struct eqt_spending {
	uint64_t *left; /* what is left of each limit */
	/* for each limit, the least amount with which a job in `unpaid` can go on */
	uint64_t *least;
	/* for each limit: jobs that paid before this get nothing back */
	int64_t *lapsed_at;
	/* jobs that wait until enough is left; the key is 0 */
	struct eqt_events unpaid;
	bool due; /* whether a job in `unpaid` may have enough now */
	uint32_t renewed; /* number of renewals that are over */
};

/* The resources of a partition. */
struct eqt_simulation_all {
	struct eqt_simulation_amount of;
	uint64_t nodes;
	uint64_t model[EQT_MODELS_MAX]; /* number of GPUs of each model */
};

struct eqt_simulation_state {
	const struct eqt_simulation *in;
	const struct eqt_simulation_policy *policy;
	struct eqt_simulation_sum *sum;
	struct eqt_error *err;
	int64_t now, last_pass, last_rank, next_backfill;
	uint64_t work; /* as in struct eqt_simulation_watch, without arrivals */
	size_t arrived; /* number of jobs that have arrived */
	/* The job that arrives next; NULL if there is none. */
	struct eqt_simulation_job *coming;
	/* Reads stored jobs; the state owns the cursor. */
	struct eqt_stored_cursor *cursor;
	/* Copies of stored jobs by slot; the state owns the array. */
	struct eqt_simulation_job *own;

	struct eqt_simulation_live *live;
	uint32_t live_space, live_count, free_slot;
	/* The waiting jobs; the state owns the queues. */
	struct eqt_queues *queues;
	/* Jobs that arrive when the simulation begins. */
	struct eqt_events arriving;
	struct eqt_events ends; /* running jobs; the key is minus their end */
	size_t waiting_count;
	/* Kinds of the waiting jobs, which the state owns. */
	struct eqt_simulation_kinds *kinds;
	/* Number of the present or last walk through the queues. */
	uint32_t walk;

	struct eqt_spending spending;

	/* The next members belong to sim_admission.c. */
	uint64_t *used; /* what running jobs take of each limit */
	/* Jobs that may not start yet; the key is their begin time. */
	struct eqt_events deferred;
	int64_t next_edge; /* time when the next reservation begins or ends */
	/* Whether the reservation of a waiting job may have ended. */
	bool may_outlive;
	double bias; /* the bias of jobs without a priority in their needs */
	/* Whether many jobs arrive at once, so that lists are sorted afterwards. */
	bool bulk;
	uint32_t priced; /* slot of the job that was priced last */

	/* The next members belong to sim_usage.c. */
	struct eqt_tree *tree;
	long double *usage; /* usage at and below each node at the last pass */
	struct eqt_ordered_job *queued; /* copies of live jobs for a ranking */
	size_t queued_space;
	struct eqt_job_order order; /* of these copies */
	/* Weights of the GPU models in PriorityWeightTRES. */
	double model_weights[EQT_MODELS_MAX];
	/* Size of the cluster in core-equivalents and in GPU-equivalents. */
	double cluster_size[2];

	/* The next members belong to sim_nodes.c. free has one member for each node. */
	struct eqt_simulation_amount *free;
	/* Reservations of the backfill, which the state owns. */
	struct eqt_backfill_reservations *backfill;
	uint32_t *picked;
	/* Number of slots of a spread job, as in struct eqt_simulation_live. */
	uint32_t picked_slots;
	uint64_t free_cpus[EQT_SIMULATION_PARTITIONS_MAX];
	struct eqt_simulation_all all[EQT_SIMULATION_PARTITIONS_MAX];
	/* Whether a backfill could start other jobs than the last backfill did. */
	bool stirred;
	/* Whether no waiting job fits in any order, so that passes can be omitted. */
	bool stuck;
	/* Bit i is set if a job of partition i has had to wait. */
	uint64_t blocked;
	/* Whether another round of the main scheduler would start no job again. */
	bool settled;
	/* The slot of the job at which the last round stopped each partition;
	 * NO_SLOT if it did not stop the partition. */
	uint32_t stopped_at[EQT_SIMULATION_PARTITIONS_MAX];
	struct eqt_simulation_amount total;
};

/* Return the job in a slot. The pointer is valid until the slots grow. */
static inline struct eqt_simulation_job *eqt_simulation_job_of(
	const struct eqt_simulation_state *state,
	const struct eqt_simulation_live *live)
{
	return state->own ? &state->own[live - state->live]
			  : &state->in->jobs[live->job];
}

/* ---- Usage ---------------------------------------------------------------- */

/* Compute the price of a job that arrives: rate, size and gpu_pool. Return 0, or -1
 * with err filled. */
int eqt_sim_usage_price(struct eqt_simulation_state *state,
			struct eqt_simulation_live *live);
/* Compute the size of the whole cluster in equivalents of each pool. */
void eqt_sim_usage_size_cluster(struct eqt_simulation_state *state);
/* Charge a running job up to a time. */
void eqt_sim_usage_charge(struct eqt_simulation_state *state,
			  struct eqt_simulation_live *live, int64_t to);
/* Do what a pass does: decay all usage to now, and charge all running jobs. */
void eqt_sim_usage_charge_all(struct eqt_simulation_state *state);
/* Rank users, and compute the places and the access of jobs. Return 0, or -1 with err
 * filled. */
int eqt_sim_usage_rank(struct eqt_simulation_state *state);
/* Note the end of a job that was running at the last ranking. */
void eqt_sim_usage_note_end(struct eqt_simulation_state *state,
			    const struct eqt_simulation_live *live);

/* Return the priority of a waiting job. */
uint32_t eqt_sim_usage_priority(const struct eqt_simulation_state *state,
				const struct eqt_simulation_live *live);

/* ---- Starts --------------------------------------------------------------- */

/* Start jobs in the order of priority. Each partition stops at the first job that
 * cannot start. A backfill also starts later jobs. Return 0, or -1 with err filled. */
int eqt_schedule_run(struct eqt_simulation_state *state, bool backfill);

/* Remove the waiting jobs whose reservation has ended, because they never start. */
void eqt_schedule_drop_outlived(struct eqt_simulation_state *state);

/* Free the slot of a job that has ended or never starts. */
void eqt_schedule_leave_slot(struct eqt_simulation_state *state, uint32_t slot);
/* Could any waiting job start now within its limits, in any order? The result is also
 * true if the search would take too long. */
bool eqt_schedule_any_fits(const struct eqt_simulation_state *state);

#endif
