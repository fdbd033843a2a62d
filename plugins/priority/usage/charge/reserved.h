/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * reserved: reservations that equitree.conf charges. A pass charges the price of a
 * reservation, times the factor of its rule, less what its jobs were charged meanwhile. So
 * both together are the price of the reservation.
 */
#ifndef EQT_RESERVED_H
#define EQT_RESERVED_H

#include "configuration.h"
#include "usage/charge/job_charge.h"

/* The inputs for the charges of reservations; a plain value that owns nothing. */
struct eqt_reserved {
	struct eqt_job_charge *jobs;
	const struct eqt_config *config;
	struct eqt_charge_span
		span; /* of the pass, which has charged all jobs */
};

/*
 * Charge all reservations from the last pass to this one, and end those that are over.
 * Takes the locks of eqt_walk_steps(), but only if reservations are charged. If there are new
 * reservations, it looks at each job; if some are gone, at each run.
 */
void eqt_reserved_charge(const struct eqt_reserved *pass);

#endif
