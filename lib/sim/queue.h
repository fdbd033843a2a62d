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

/* The inputs of a waiting job's priority except its age. Of two jobs with equal inputs
 * the older one has at least the priority of the younger one. The struct has no
 * padding, so that memcmp() can compare two of them. */
struct eqt_simulation_likeness {
	double size, qos, tres, bias;
	int64_t released; /* time from which its age counts; 0: its arrival */
	uint32_t user, partition;
	int32_t nice;
	uint32_t limit_s; /* with points for the expansion factor */
};

/* Fill in the inputs of a waiting job's priority except age, fair share and access. */
void eqt_sim_usage_likeness(struct eqt_simulation_likeness *out,
			    const struct eqt_simulation_state *state,
			    const struct eqt_simulation_live *live);

/* Make empty queues in state->queues. 0, or -1 with the error. */
int eqt_queue_new(struct eqt_simulation_state *state);
/* NULL is fine. */
void eqt_queue_free(struct eqt_queues *queues);

/* Put a live job into the queue of its partition. 0, or -1 with the error. */
int eqt_queue_add(struct eqt_simulation_state *state, uint32_t slot);
/* Take a job out of its queue. During a walk this must be a job that was visited. */
void eqt_queue_remove(struct eqt_simulation_state *state, uint32_t slot);

/* Order the queues by the priorities of now. True: the order of jobs may have changed. */
bool eqt_queue_order(struct eqt_simulation_state *state);

/* Begin a walk through all queues in the order of priority. */
void eqt_queue_walk(struct eqt_simulation_state *state);
/* The next job of a partition's queue, with its key in live->key;
 * EQT_SIMULATION_NO_SLOT at its end. */
uint32_t eqt_queue_next(struct eqt_simulation_state *state, uint32_t partition);
/* Mark the next job as visited. It may be removed afterwards. */
void eqt_queue_visit(struct eqt_simulation_state *state, uint32_t partition);
/* End a walk: move groups whose first job was removed to their new places. */
void eqt_queue_settle(struct eqt_simulation_state *state);

/* Call a function for each waiting job, in any order. The function may remove the job.
 * Not to be used during a walk. */
void eqt_queue_each(struct eqt_simulation_state *state,
		    void (*each)(struct eqt_simulation_state *state,
				 uint32_t slot));

#endif
