/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * eqt_replay_impl: one run, private to eqt_replay.c, which has the events,
 * eqt_replay_ledger.c, which charges and ranks, eqt_replay_points.c, which
 * makes priorities, eqt_replay_fit.c, which has the nodes,
 * eqt_replay_schedule.c, which starts jobs, and eqt_replay_list.c.
 */
#ifndef EQT_REPLAY_IMPL_H
#define EQT_REPLAY_IMPL_H

#include "prio/job_order.h"
#include "sim/simulation.h"
#include "sim/events.h"

#define EQT_NO_SLOT UINT32_MAX
#define EQT_FAR INT64_MAX /* no time that comes */

/* A job that waits or runs. */
struct eqt_replay_live {
	uint32_t job;
	uint32_t next_free; /* of a slot that is not in use */
	bool used;
	bool running;
	bool counted; /* ran when jobs were ranked last */
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
struct eqt_replay_held {
	int64_t from; /* EQT_FAR: nobody does */
	struct eqt_replay_amount spare; /* what the others may have beyond */
};

/* All that there is in a partition. */
struct eqt_replay_all {
	struct eqt_replay_amount of;
	uint64_t nodes;
	uint64_t model[EQT_MODELS_MAX]; /* GPUs of it */
};

struct eqt_replay_state {
	const struct eqt_replay *in;
	const struct eqt_replay_policy *policy;
	struct eqt_replay_sum *sum;
	struct eqt_error *err;
	int64_t now, last_pass, last_rank, next_backfill;
	size_t arrived; /* jobs that have */

	struct eqt_replay_live *live;
	uint32_t live_space, live_count, free_slot;
	struct eqt_replay_list waiting[EQT_REPLAY_PARTITIONS_MAX];
	struct eqt_replay_list ends; /* running, key: minus the end */
	struct eqt_replay_list limits; /* running, key: minus limit_end */
	size_t waiting_count;

	/* eqt_replay_ledger.c */
	struct eqt_tree *tree;
	long double *usage; /* own and below, as of the last pass */
	struct eqt_queued *queued; /* one for each that is live */
	size_t queued_space;
	int bundles[EQT_MODELS_MAX]; /* of a model of the cluster; -1 */
	double model_weights[EQT_MODELS_MAX]; /* of PriorityWeightTRES */
	double cluster_size[2]; /* in core- and GPU-equivalents */

	/* eqt_replay_fit.c: all for each node */
	struct eqt_replay_amount *free;
	struct eqt_replay_amount *later;
	struct eqt_replay_held *held;
	uint32_t *picked;
	uint64_t free_cpus[EQT_REPLAY_PARTITIONS_MAX];
	struct eqt_replay_all all[EQT_REPLAY_PARTITIONS_MAX];
	uint64_t blocked; /* bit i: partition i waits for its first job */
	struct eqt_replay_amount total;
};

/* ---- The ledger ----------------------------------------------------------- */

/* Price a job that comes: rate, size, gpu_pool. 0, or -1 with err. */
int eqt_replay_price(struct eqt_replay_state *state,
		     struct eqt_replay_live *live);
/* What the whole cluster comes to in either pool. */
void eqt_replay_size_cluster(struct eqt_replay_state *state);
/* Charge a running job up to then. */
void eqt_replay_charge(struct eqt_replay_state *state,
		       struct eqt_replay_live *live, int64_t to);
/* Decay all usage to now and charge all that run: a pass. */
void eqt_replay_charge_all(struct eqt_replay_state *state);
/* Rank users, place and compare jobs. 0, or -1 with err. */
int eqt_replay_rank(struct eqt_replay_state *state);
/* A job that was counted has ended. */
void eqt_replay_note_end(struct eqt_replay_state *state,
			 const struct eqt_replay_live *live);

/* A waiting job's priority; the sum without fair share and equal access. */
uint32_t eqt_replay_priority(const struct eqt_replay_state *state,
			     const struct eqt_replay_live *live);
double eqt_replay_rest(const struct eqt_replay_state *state,
		       const struct eqt_replay_live *live);
/* All waiting jobs get theirs anew, and their lists are sorted. */
void eqt_replay_order(struct eqt_replay_state *state);

/* ---- Nodes ---------------------------------------------------------------- */

/* What a job takes on each of its nodes. */
struct eqt_replay_amount eqt_replay_each(const struct eqt_replay_job *job);
/* Whether it would start on an empty cluster. */
bool eqt_replay_possible(struct eqt_replay_state *state,
			 const struct eqt_replay_job *job);
/* Find nodes for a job that would run until then: state->picked. */
bool eqt_replay_fit(struct eqt_replay_state *state,
		    const struct eqt_replay_job *job, int64_t until);
/* Give it what was picked: live->nodes. 0, or -1 when memory is short. */
int eqt_replay_take(struct eqt_replay_state *state,
		    struct eqt_replay_live *live);
void eqt_replay_release(struct eqt_replay_state *state,
			struct eqt_replay_live *live);
/* Hold nodes for a job from when the jobs that run will have left them. */
void eqt_replay_hold(struct eqt_replay_state *state,
		     const struct eqt_replay_job *job);
void eqt_replay_hold_none(struct eqt_replay_state *state);

/* ---- Starts --------------------------------------------------------------- */

/* Start jobs in the order of priority, each partition up to its first that
 * cannot start; with backfill others behind it, too. 0, or -1 with err. */
int eqt_replay_schedule(struct eqt_replay_state *state, bool backfill);

#endif
