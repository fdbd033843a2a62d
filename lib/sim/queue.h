/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * queue: the waiting jobs in the order of their priorities. Jobs of one user whose
 * priorities differ only by age are a group. The older job of a group always stays
 * ahead of the younger one, so that a pass computes only the priority of the first job.
 * Those of other jobs are computed when a scheduler reaches them. Only lib/sim uses it.
 */
#ifndef EQT_SIMULATION_QUEUE_H
#define EQT_SIMULATION_QUEUE_H

#include "sim/simulation_impl.h"

/* The inputs of a waiting job's priority except its age, and its kind. If two jobs have
 * equal inputs, the priority of the older one is not below that of the younger one. The
 * struct has no padding, so that memcmp() can compare two of them. */
struct eqt_simulation_likeness {
	double size, qos, tres, bias;
	/* 1 + index of the kind of a job that has limits, so that a walk can leave out all
	 * groups of a kind at a limit; 0 for a job without limits. */
	uint64_t kind;
	/* Time from which the age of the job counts; 0 for its arrival. */
	int64_t released;
	uint32_t user, partition;
	int32_t nice;
	/* The time limit, which is only set if there are points for the expansion
	 * factor. */
	uint32_t limit_s;
};

/* Fill in the inputs of a waiting job's priority except age, fair share and access. */
void eqt_sim_usage_likeness(struct eqt_simulation_likeness *out,
			    const struct eqt_simulation_state *state,
			    const struct eqt_simulation_live *live);

/* Make empty queues in state->queues. Return 0, or -1 with the error. */
int eqt_queue_new(struct eqt_simulation_state *state);
/* Free the queues. NULL is allowed. */
void eqt_queue_free(struct eqt_queues *queues);

/* Put a live job into the queue of its partition. Return 0, or -1 with the error. */
int eqt_queue_add(struct eqt_simulation_state *state, uint32_t slot);
/* Remove a job from its queue. During a walk, only a job that was visited may be
 * removed. */
void eqt_queue_remove(struct eqt_simulation_state *state, uint32_t slot);

/* Does the job of slot a come before that of slot b in a queue? */
bool eqt_queue_is_before(struct eqt_simulation_state *state, uint32_t a,
			 uint32_t b);

/* Sort the queues by the present priorities. Return true if the order of jobs may have
 * changed. */
bool eqt_queue_order(struct eqt_simulation_state *state);

/* Begin a walk through all queues in the order of priority. With `drops`, it leaves out
 * jobs of kinds that are at a limit. */
void eqt_queue_walk(struct eqt_simulation_state *state, bool drops);
/* Return the slot of the next job in a partition's queue, with its key in live->key.
 * Return EQT_SIMULATION_NO_SLOT at the end of the queue. */
uint32_t eqt_queue_next(struct eqt_simulation_state *state, uint32_t partition);
/* Mark the next job as visited, after which it may be removed. */
void eqt_queue_visit(struct eqt_simulation_state *state, uint32_t partition);
/* End a walk: move groups whose first job was removed to their new places. */
void eqt_queue_settle(struct eqt_simulation_state *state);

/* Call a function for each waiting job, in any order. The function may remove the job.
 * Do not call this during a walk. */
void eqt_queue_each(struct eqt_simulation_state *state,
		    void (*each)(struct eqt_simulation_state *state,
				 uint32_t slot));

#endif
