/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * booking: a charge, worked out once and then booked on each owner: the job's
 * association and all above it up to root, its QOS and that of its partition.
 * charge.h says who is charged for what.
 */
#ifndef EQT_POST_H
#define EQT_POST_H

#include <stdbool.h>
#include <time.h>

#include "slurm/compat.h"
#include "configuration.h"

/* The span that usage is charged for; seconds since the epoch. */
struct eqt_text_slice {
	time_t last_ran; /* running jobs are charged up to here */
	time_t now;
	time_t ref; /* moment that usage is kept as of */
	uint32_t half_life_s; /* 0: no decay */
	bool holds_nothing; /* the job has no run-seconds of limits any more */
};

/* What a charge adds, with UsageFactor: decayed to ref, or plain (NoDecay). */
struct eqt_post_amount {
	double wall_s;
	long double raw; /* equivalent-seconds */
	long double tres_s; /* times the count of each TRES */
};

/* One charge, worked out once and then booked on each owner. */
struct eqt_post {
	const struct eqt_config *config;
	struct eqt_post_amount decayed;
	struct eqt_post_amount plain;
	double rate; /* equivalents */
	uint64_t billing; /* units of the billing TRES */
	double run_s; /* seconds to take off run-seconds limits; whole
			     ones but for stock_limits */
	const job_record_t *job; /* NULL: one of the past, with run_s 0 */
	const uint64_t *counts; /* allocated TRES; NULL: none */
};

/*
 * Set what [from, to] adds at the booking's rate times factor: seconds decayed
 * to span->ref in closed form, or as Slurm's own plugin decays them where the
 * settings say so. assoc_mgr's assoc lock is held for writing.
 */
void eqt_post_amounts(struct eqt_post *booking, time_t from, time_t to,
		      const struct eqt_text_slice *span, double factor);

/*
 * Book it on these; each may be NULL. What the run-seconds of their limits have
 * of it is taken off. assoc_mgr's locks are those of EQT_CHARGE_ASSOC_LOCKS.
 */
void eqt_post_all(slurmdb_assoc_rec_t *assoc, slurmdb_qos_rec_t *qos,
		  slurmdb_qos_rec_t *partition, const struct eqt_post *booking);

/* Book it on the usage that is an account's own, of users removed below it; a
 * user has none, and NULL is nobody. Locks as above. */
void eqt_post_own(slurmdb_assoc_rec_t *assoc, const struct eqt_post *booking);

#endif
