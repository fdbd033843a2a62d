/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * spending: limits of which jobs take an amount for good, such as the hours of a
 * budget. A job takes its amounts before it is queued. If a limit has too little left,
 * the job waits until another job returns what it has not used, or until a renewal.
 * Only lib/sim uses it.
 */
#ifndef EQT_SIMULATION_SPENDING_H
#define EQT_SIMULATION_SPENDING_H

#include "sim/simulation_impl.h"

/* Allocate what is left of each limit. Return 0, or -1 with the error. */
int eqt_spending_prepare(struct eqt_simulation_state *state);
void eqt_spending_free(struct eqt_spending *spending);

/* Let a job take its amounts, all or none. Return false if it has to wait. The result
 * for a job that spends nothing, or has paid, is true. */
bool eqt_spending_pay(struct eqt_simulation_state *state,
		      struct eqt_simulation_live *live);
/* Return what a job has not used when it leaves after run_s seconds. */
void eqt_spending_return(struct eqt_simulation_state *state,
			 const struct eqt_simulation_live *live,
			 uint32_t run_s);
/* Carry out the renewals that are due. */
void eqt_spending_renew(struct eqt_simulation_state *state);
/* May enough be left now for one of the waiting jobs? If so, all of them must try to
 * pay again. */
bool eqt_spending_is_due(struct eqt_simulation_state *state);
/* Return the time of the next renewal if a job waits for it, or EQT_SIMULATION_FAR. */
int64_t eqt_spending_next(const struct eqt_simulation_state *state);

#endif
