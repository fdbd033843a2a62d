/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sim_admission: the reasons other than nodes for which a job waits (limits, times, other
 * jobs), and the priorities with which jobs begin. Only lib/sim uses it. */
#ifndef EQT_SIM_ADMISSION_H
#define EQT_SIM_ADMISSION_H

#include "sim/simulation_impl.h"

/* Allocate the counters of limits and the table of kinds. Return 0, or -1 with the
 * error. */
int eqt_sim_admission_prepare(struct eqt_simulation_state *state);
/* Would a job stay within all its limits? */
bool eqt_sim_admission_within_limits(const struct eqt_simulation_state *state,
				     const struct eqt_simulation_job *job);
/* Is a kind at a limit? If it is, that is noted until running jobs take less of the
 * limit. */
bool eqt_sim_admission_at_limit(struct eqt_simulation_state *state,
				uint32_t kind);
/* Add a job that starts to the counters of its limits, or subtract a job that ends. */
void eqt_sim_admission_count(struct eqt_simulation_state *state,
			     const struct eqt_simulation_job *job, bool starts);
/* Has the reservation that a job needs ended? */
bool eqt_sim_admission_outlived(const struct eqt_simulation_state *state,
				const struct eqt_simulation_job *job);
/* Return the next time at which a deferred job may begin, a reservation begins or ends, or
 * a limit is renewed for which a job waits. */
int64_t eqt_sim_admission_needs_next(const struct eqt_simulation_state *state);
/* Queue the deferred jobs whose time has come. Return 1 if a job was queued or a
 * reservation has begun or ended, 0 if not, or -1 with the error. */
int eqt_sim_admission_needs_release(struct eqt_simulation_state *state);
/* Set the bias of each waiting job, so that the job begins with the priority of the
 * input. Return 0, or -1 with the error. */
int eqt_sim_admission_anchor(struct eqt_simulation_state *state);
/* Let a job take what it spends, and queue it if it may start. Otherwise add it to the
 * list of jobs that wait for the same reason. Return 0, or -1 with the error. */
int eqt_sim_admission_admit(struct eqt_simulation_state *state,
			    struct eqt_event entry);
/* Queue the jobs that wait for a limit which jobs spend, the oldest first, as long as
 * enough of the limit is left. Return 1 if a job was queued, 0 if none was, or -1 with
 * the error. */
int eqt_sim_admission_unpaid_release(struct eqt_simulation_state *state);
/* Add an entry to a list. While many jobs arrive at once it is added at the end, and
 * otherwise at its place. Return 0, or -1 with the error. */
int eqt_sim_admission_note(struct eqt_simulation_state *state,
			   struct eqt_events *list, struct eqt_event entry);

#endif
