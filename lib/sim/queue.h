/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * queue: the jobs that wait, in the order of their priorities. Jobs of one user whose
 * priorities differ by age alone are a group: the older one stays ahead of the younger
 * one, so a pass prices only the first of each group. Others are priced when a scheduler
 * comes to them. Private to lib/sim.
 */
#ifndef EQT_SIMULATION_QUEUE_H
#define EQT_SIMULATION_QUEUE_H

#include "sim/simulation_impl.h"

/* What decides the priority of a waiting job beside its age: of equal ones the older job
 * has at least the priority of the younger one. Without padding, so that bytes can be
 * compared. */
struct eqt_simulation_likeness {
	double size, qos, tres, bias;
	int64_t released; /* since when its age counts, if not since its coming */
	uint32_t user, partition;
	int32_t nice;
	uint32_t limit_s; /* with points for the expansion factor */
};

/* What the priority of a waiting job depends on beside age, fair share and access. */
void eqt_sim_usage_likeness(struct eqt_simulation_likeness *out,
			    const struct eqt_simulation_state *state,
			    const struct eqt_simulation_live *live);

/* 0, or -1 with the error. */
int eqt_queue_new(struct eqt_simulation_state *state);
/* NULL is fine. */
void eqt_queue_free(struct eqt_queues *queues);

/* Put a live job into the queue of its partition. 0, or -1 with the error. */
int eqt_queue_add(struct eqt_simulation_state *state, uint32_t slot);
/* Take a job out, within a walk one that it has visited. */
void eqt_queue_remove(struct eqt_simulation_state *state, uint32_t slot);

/* All priorities may have changed: order the queues as of now. True if the order of jobs
 * may be another. */
bool eqt_queue_order(struct eqt_simulation_state *state);

/* Begin a walk through all queues. */
void eqt_queue_walk(struct eqt_simulation_state *state);
/* The next job of a partition's queue, with its key in live->key;
 * EQT_SIMULATION_NO_SLOT at its end. */
uint32_t eqt_queue_next(struct eqt_simulation_state *state, uint32_t partition);
/* The walk has visited that job, which may be removed afterwards. */
void eqt_queue_visit(struct eqt_simulation_state *state, uint32_t partition);
/* Put groups whose first job has gone in their places. */
void eqt_queue_settle(struct eqt_simulation_state *state);

/* Call for each waiting job, in any order; the call may remove it. Not within a walk. */
void eqt_queue_each(struct eqt_simulation_state *state,
		    void (*each)(struct eqt_simulation_state *state,
				 uint32_t slot));

#endif
