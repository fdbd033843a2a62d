/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * simulation_impl: the state of one run. Private to lib/sim: simulation.c has the
 * run from event to event, sim_usage.c charges and ranks, sim_priority.c makes
 * priorities, nodes.c has what nodes have free, schedule.c starts jobs.
 */
#ifndef EQT_SIMULATION_IMPL_H
#define EQT_SIMULATION_IMPL_H

#include "prio/job_order.h"
#include "sim/simulation.h"
#include "sim/events.h"

#define EQT_SIMULATION_NO_SLOT UINT32_MAX
#define EQT_SIMULATION_FAR INT64_MAX /* no time that comes */

/* A job that waits or runs. */
struct eqt_simulation_live {
	uint32_t job;
	uint32_t next_free; /* of a slot that is not in use */
	bool used;
	bool running;
	bool parsed; /* ran when jobs were ranked last */
	double rate; /* equivalents, as charged */
	double size; /* equivalents, without the queues' factors */
	bool gpu_pool;
	int64_t charged; /* running: up to then */
	int64_t limit_end; /* running: as its limit says */
	uint32_t *nodes; /* running: those it has; owned */
	double fairshare; /* its place, where jobs have places */
	double access;
};

/* What a job that waits for its turn holds of a node. */
struct eqt_simulation_held {
	int64_t from; /* EQT_SIMULATION_FAR: nobody does */
	struct eqt_simulation_amount
		spare; /* what the others may have beyond */
};

/* All that there is in a partition. */
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
	size_t arrived; /* jobs that have */

	struct eqt_simulation_live *live;
	uint32_t live_space, live_count, free_slot;
	struct eqt_events waiting[EQT_SIMULATION_PARTITIONS_MAX];
	struct eqt_events ends; /* running, key: minus the end */
	struct eqt_events limits; /* running, key: minus limit_end */
	size_t waiting_count;

	/* sim_usage.c */
	struct eqt_tree *tree;
	long double *usage; /* own and below, as of the last pass */
	struct eqt_ordered_job *queued; /* one for each that is live */
	size_t queued_space;
	int bundles[EQT_MODELS_MAX]; /* of a model of the cluster; -1 */
	double model_weights[EQT_MODELS_MAX]; /* of PriorityWeightTRES */
	double cluster_size[2]; /* in core- and GPU-equivalents */

	/* nodes.c: all for each node */
	struct eqt_simulation_amount *free;
	struct eqt_simulation_amount *later;
	struct eqt_simulation_held *held;
	uint32_t *picked;
	uint64_t free_cpus[EQT_SIMULATION_PARTITIONS_MAX];
	struct eqt_simulation_all all[EQT_SIMULATION_PARTITIONS_MAX];
	uint64_t blocked; /* bit i: partition i waits for its first job */
	struct eqt_simulation_amount total;
};

/* ---- The ledger ----------------------------------------------------------- */

/* Price a job that comes: rate, size, gpu_pool. 0, or -1 with err. */
int eqt_simulation_price(struct eqt_simulation_state *state,
			 struct eqt_simulation_live *live);
/* What the whole cluster comes to in either pool. */
void eqt_simulation_size_cluster(struct eqt_simulation_state *state);
/* Charge a running job up to then. */
void eqt_simulation_charge(struct eqt_simulation_state *state,
			   struct eqt_simulation_live *live, int64_t to);
/* Decay all usage to now and charge all that run: a pass. */
void eqt_simulation_charge_all(struct eqt_simulation_state *state);
/* Rank users, place and compare jobs. 0, or -1 with err. */
int eqt_simulation_rank(struct eqt_simulation_state *state);
/* A job that was counted has ended. */
void eqt_simulation_note_end(struct eqt_simulation_state *state,
			     const struct eqt_simulation_live *live);

/* A waiting job's priority; the sum without fair share and equal access. */
uint32_t eqt_simulation_priority(const struct eqt_simulation_state *state,
				 const struct eqt_simulation_live *live);
double eqt_simulation_rest(const struct eqt_simulation_state *state,
			   const struct eqt_simulation_live *live);
/* All waiting jobs get theirs anew, and their lists are sorted. */
void eqt_simulation_order(struct eqt_simulation_state *state);

/* ---- Nodes ---------------------------------------------------------------- */

/* What a job takes on each of its nodes. */
struct eqt_simulation_amount eqt_simulation_each(
	const struct eqt_simulation_job *job);
/* Whether it would start on an empty cluster. */
bool eqt_simulation_possible(struct eqt_simulation_state *state,
			     const struct eqt_simulation_job *job);
/* Find nodes for a job that would run until then: state->picked. */
bool eqt_simulation_fit(struct eqt_simulation_state *state,
			const struct eqt_simulation_job *job, int64_t until);
/* Give it what was picked: live->nodes. 0, or -1 when memory is short. */
int eqt_simulation_take(struct eqt_simulation_state *state,
			struct eqt_simulation_live *live);
void eqt_simulation_release(struct eqt_simulation_state *state,
			    struct eqt_simulation_live *live);
/* Hold nodes for a job from when the jobs that run will have left them. */
void eqt_simulation_hold(struct eqt_simulation_state *state,
			 const struct eqt_simulation_job *job);
void eqt_simulation_hold_none(struct eqt_simulation_state *state);

/* ---- Starts --------------------------------------------------------------- */

/* Start jobs in the order of priority, each partition up to its first that
 * cannot start; with backfill others behind it, too. 0, or -1 with err. */
int eqt_simulation_schedule(struct eqt_simulation_state *state, bool backfill);

#endif
