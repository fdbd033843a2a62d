/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * simulation_impl: the state of one run. Private to lib/sim. run.c checks the input and
 * runs from event to event, sim_usage.c charges, ranks and computes priorities, nodes.c
 * keeps the free resources of nodes, backfill_reservations.c what a backfill reserves for
 * jobs that must wait, queue.c orders those, schedule.c starts jobs, kinds.c counts the
 * waiting jobs that are alike.
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
	uint32_t kind; /* its place in kinds */
	uint32_t next_free; /* of a slot that is not in use */
	/* queue.c, of a waiting job: its group, its neighbours there by slot, and the
	 * ordering and value of its key */
	uint32_t group, next, previous, keyed;
	int64_t key;
	bool used;
	bool running;
	bool ranked_running; /* it was running at the last ranking */
	double rate; /* equivalents, as charged */
	double size; /* equivalents, without the queues' factors */
	bool gpu_pool;
	int64_t charged; /* running: charged up to this time */
	int64_t limit_end; /* running: end of its time limit */
	uint32_t *nodes; /* running: its nodes; owned */
	uint32_t slots; /* running, spread: a node for each CPU; 0: it is not */
	double fairshare; /* its place, with order = jobs */
	double access;
	double bias; /* its priority at the begin less the computed one */
};

struct eqt_queues; /* queue.h */

/* The resources of a partition. */
struct eqt_simulation_all {
	struct eqt_simulation_amount of;
	uint64_t nodes;
	uint64_t model[EQT_MODELS_MAX]; /* GPUs of it */
};

struct eqt_simulation_state {
	const struct eqt_simulation *in;
	const struct eqt_simulation_policy *policy;
	struct eqt_simulation_sum *sum;
	struct eqt_error *err;
	int64_t now, last_pass, last_rank, next_backfill;
	size_t arrived; /* jobs that have arrived */
	struct eqt_simulation_job *coming; /* the next one; NULL: none */
	struct eqt_stored_cursor *cursor; /* of stored jobs; owned */
	struct eqt_simulation_job *own; /* of stored jobs, by slot; owned */

	struct eqt_simulation_live *live;
	uint32_t live_space, live_count, free_slot;
	struct eqt_queues *queues; /* of waiting jobs; owned */
	struct eqt_events arriving; /* jobs that come when it begins */
	struct eqt_events ends; /* running, key: minus the end */
	size_t waiting_count;
	struct eqt_simulation_kinds *kinds; /* of waiting jobs; owned */
	uint32_t
		walk; /* number of the present or last walk through the queues */

	/* admission.c */
	uint64_t *used; /* of each limit */
	struct eqt_events deferred; /* jobs before their time, key: begin */
	int64_t next_edge; /* when the next reservation begins or ends */
	bool may_outlive; /* a waiting job may have outlived its reservation */
	double bias; /* of jobs without a priority of their own */
	bool bulk; /* many jobs come at once: lists are sorted afterwards */
	uint32_t priced; /* the last live job that was priced */

	/* sim_usage.c */
	struct eqt_tree *tree;
	long double *usage; /* own and below, as of the last pass */
	struct eqt_ordered_job *queued; /* copies of live jobs for a ranking */
	size_t queued_space;
	double model_weights[EQT_MODELS_MAX]; /* of PriorityWeightTRES */
	double cluster_size[2]; /* in core- and GPU-equivalents */

	/* nodes.c: one for each node */
	struct eqt_simulation_amount *free;
	struct eqt_backfill_reservations *backfill; /* owned */
	uint32_t *picked;
	uint32_t picked_slots; /* as slots of a live job */
	uint64_t free_cpus[EQT_SIMULATION_PARTITIONS_MAX];
	struct eqt_simulation_all all[EQT_SIMULATION_PARTITIONS_MAX];
	bool stirred; /* a backfill could start other jobs than the last one */
	bool stuck; /* no waiting job fits in any order: passes can wait */
	uint64_t blocked; /* bit i: a job of partition i has had to wait */
	struct eqt_simulation_amount total;
};

/* The job in a slot. The pointer is valid until the slots grow. */
static inline struct eqt_simulation_job *eqt_simulation_job_of(
	const struct eqt_simulation_state *state,
	const struct eqt_simulation_live *live)
{
	return state->own ? &state->own[live - state->live]
			  : &state->in->jobs[live->job];
}

/* ---- Usage ---------------------------------------------------------------- */

/* Price a job that arrives: rate, size, gpu_pool. 0, or -1 with err. */
int eqt_sim_usage_price(struct eqt_simulation_state *state,
			struct eqt_simulation_live *live);
/* Compute the size of the whole cluster in equivalents of each pool. */
void eqt_sim_usage_size_cluster(struct eqt_simulation_state *state);
/* Charge a running job up to that time. */
void eqt_sim_usage_charge(struct eqt_simulation_state *state,
			  struct eqt_simulation_live *live, int64_t to);
/* Do what a pass does: decay all usage to now and charge all running jobs. */
void eqt_sim_usage_charge_all(struct eqt_simulation_state *state);
/* Rank users, and give jobs places and access. 0, or -1 with err. */
int eqt_sim_usage_rank(struct eqt_simulation_state *state);
/* Note the end of a job that was running at the last ranking. */
void eqt_sim_usage_note_end(struct eqt_simulation_state *state,
			    const struct eqt_simulation_live *live);

/* The priority of a waiting job. */
uint32_t eqt_sim_usage_priority(const struct eqt_simulation_state *state,
				const struct eqt_simulation_live *live);

/* ---- Starts --------------------------------------------------------------- */

/* Start jobs in the order of priority, in each partition up to the first that cannot
 * start; with backfill also jobs behind it. 0, or -1 with err. */
int eqt_schedule_run(struct eqt_simulation_state *state, bool backfill);

/* Drop the waiting jobs whose reservation has ended: they never start. */
void eqt_schedule_drop_outlived(struct eqt_simulation_state *state);

/* Free the slot of a job that has ended or never starts. */
void eqt_schedule_leave_slot(struct eqt_simulation_state *state, uint32_t slot);
/* Could any waiting job start on what is free and within its limits, whatever the
 * order? True as well if the search would take too long. */
bool eqt_schedule_any_fits(const struct eqt_simulation_state *state);

#endif
