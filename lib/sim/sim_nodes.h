/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sim_nodes: the free resources of nodes, and the resources that jobs take. Only lib/sim
 * uses it. */
#ifndef EQT_SIM_NODES_H
#define EQT_SIM_NODES_H

#include "sim/simulation_impl.h"

/* Would a job start on an empty cluster? */
bool eqt_sim_nodes_possible(struct eqt_simulation_state *state,
			    const struct eqt_simulation_job *job);
/* Find nodes for a job that runs until a time, and store them in state->picked. */
bool eqt_sim_nodes_fit(struct eqt_simulation_state *state,
		       const struct eqt_simulation_job *job, int64_t until);
/* Allocate the nodes in state->picked to a job, or release its nodes. Return 0, or -1
 * if there is no memory. */
int eqt_sim_nodes_take(struct eqt_simulation_state *state,
		       struct eqt_simulation_live *live);
void eqt_sim_nodes_release(struct eqt_simulation_state *state,
			   struct eqt_simulation_live *live);
/* Would a job start now if nothing were reserved and no job came before it? The result
 * is false for a job in a reservation that has not begun or that ends too early. */
bool eqt_sim_nodes_fit_now(const struct eqt_simulation_state *state,
			   const struct eqt_simulation_job *job);

#endif
