/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * reserved: reservations that equitree.conf charges. A pass charges what is reserved, times
 * the factor of its rule, without what its jobs were charged meanwhile, so that both
 * together are the price of the reservation.
 */
#ifndef EQT_RESERVED_H
#define EQT_RESERVED_H

#include "configuration.h"
#include "usage/charge/job_charge.h"

/* The reservations of a pass; a plain value, of which nothing is owned. */
struct eqt_reserved {
	struct eqt_job_charge *jobs;
	const struct eqt_config *config;
	struct eqt_charge_span
		span; /* of the pass, which has charged all jobs */
};

/*
 * Charge all reservations from the last pass to this one, and end those that are over.
 * Takes the locks of eqt_walk_steps(), and only where reservations are charged. A pass that
 * meets new reservations looks at each job once, and one in which some are gone at each run.
 */
void eqt_reserved_charge(const struct eqt_reserved *pass);

#endif
