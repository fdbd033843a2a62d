/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * post: a charge, worked out once and then added to each owner: the job's
 * association and all above it up to root, its QOS and that of its partition.
 * job_charge.h says who is charged for what.
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

/* The amounts of a charge, with UsageFactor: decayed to ref, or plain (NoDecay). */
struct eqt_post_amount {
	double wall_s;
	long double raw; /* equivalent-seconds */
	long double tres_s; /* times the count of each TRES */
};

/* The decayed seconds worked out last: most jobs of a pass run all of its time.
 * Written under assoc_mgr's assoc write lock. {0} is empty. */
struct eqt_post_seconds {
	struct eqt_text_slice span;
	time_t from, to;
	long double seconds;
};

/* assoc_mgr's locks for charges. */
#define EQT_CHARGE_ASSOC_LOCKS                                            \
	{                                                                 \
		.assoc = WRITE_LOCK, .qos = WRITE_LOCK, .tres = READ_LOCK \
	}

/* One charge, worked out once and then added to each owner. */
struct eqt_post {
	const struct eqt_config *config;
	struct eqt_post_seconds *last; /* for eqt_post_amounts() */
	struct eqt_post_amount decayed;
	struct eqt_post_amount plain;
	double rate; /* equivalents */
	uint64_t billing; /* units of the billing TRES */
	bool priced; /* rate and billing are the job's price */
	double run_s; /* seconds to take off run-seconds limits; whole
			     ones but for stock_limits */
	const job_record_t *job; /* NULL: one of the past, with run_s 0 */
	const uint64_t *counts; /* allocated TRES; NULL: none */
};

/*
 * Set the amounts of [from, to] at the charge's rate times factor: seconds
 * decayed to span->ref in closed form, or with stock_decay as Slurm's own plugin
 * decays them. assoc_mgr's assoc lock is held for writing.
 */
void eqt_post_amounts(struct eqt_post *post, time_t from, time_t to,
		      const struct eqt_text_slice *span, double factor);

/*
 * Add it to these; each may be NULL. Its run seconds are taken off their limits.
 * assoc_mgr's locks are those of EQT_CHARGE_ASSOC_LOCKS.
 */
void eqt_post_all(slurmdb_assoc_rec_t *assoc, slurmdb_qos_rec_t *qos,
		  slurmdb_qos_rec_t *partition, const struct eqt_post *post);

/* Add it to the usage that is an account's own, of users removed below it; a
 * user has none, NULL is ignored. Locks as above. */
void eqt_post_own(slurmdb_assoc_rec_t *assoc, const struct eqt_post *post);

#endif
