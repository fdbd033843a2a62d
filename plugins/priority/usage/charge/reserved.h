/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * reserved: reservations that equitree.conf charges. A pass charges the price
 * of a reservation times the factor of its rule, less the charges of the
 * reservation's jobs meanwhile. So all charges together equal the price of the
 * reservation.
 */
#ifndef EQT_RESERVED_H
#define EQT_RESERVED_H

#include "configuration.h"
#include "usage/charge/job_charge.h"

/* The inputs for the charges of reservations. The struct owns nothing. */
struct eqt_reserved {
	struct eqt_job_charge *jobs;
	const struct eqt_config *config;
	/* The time span of the pass, which has charged all jobs. */
	struct eqt_charge_span span;
};

/*
 * Charge all reservations from the last pass to this one, and end those that
 * are over. The function takes the locks of eqt_walk_steps(), but only if
 * reservations are charged. It visits each job if there are new reservations,
 * and each run if reservations were removed.
 */
void eqt_reserved_charge(const struct eqt_reserved *pass);

#endif
