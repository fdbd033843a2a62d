/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * post: a charge, computed once and then added to each owner: the job's association and
 * its ancestors up to the root, the job's QOS and that of its partition. job_charge.h
 * decides what is charged.
 */
#ifndef EQT_POST_H
#define EQT_POST_H

#include <stdbool.h>
#include <time.h>

#include "slurm/compat.h"
#include "configuration.h"

/* The fields of usage that associations and QOS have in common. */
struct eqt_post_target {
	double *wall;
	long double *raw;
	long double *tres;
	uint64_t *run_secs;
};

static inline struct eqt_post_target eqt_post_target_of(
	slurmdb_assoc_usage_t *usage)
{
	return (struct eqt_post_target){
		.wall = &usage->grp_used_wall,
		.raw = &usage->usage_raw,
		.tres = usage->usage_tres_raw,
		.run_secs = usage->grp_used_tres_run_secs,
	};
}

static inline struct eqt_post_target eqt_post_target_of_qos(
	slurmdb_qos_usage_t *usage)
{
	return (struct eqt_post_target){
		.wall = &usage->grp_used_wall,
		.raw = &usage->usage_raw,
		.tres = usage->usage_tres_raw,
		.run_secs = usage->grp_used_tres_run_secs,
	};
}

/* The time for which usage is charged; seconds since the epoch. */
struct eqt_charge_span {
	time_t last_ran; /* running jobs are charged up to here */
	time_t now;
	time_t ref; /* the time to which usage refers */
	uint32_t half_life_s; /* 0: no decay */
	bool holds_nothing; /* limits hold no run-seconds for the job */
	bool reported; /* slurmctld ends the job at this moment */
};

/* The amounts of a charge, with UsageFactor: decayed to ref, or plain (NoDecay). */
struct eqt_post_amount {
	double wall_s;
	long double raw; /* equivalent-seconds */
	long double tres_s; /* times the count of each TRES */
};

/* The decayed seconds that were computed last, because most jobs of a pass run for its whole
 * time. Written under assoc_mgr's assoc write lock. {0} is empty. */
struct eqt_post_seconds {
	struct eqt_charge_span span;
	time_t from, to;
	long double seconds;
};

/* assoc_mgr's locks for charges. */
#define EQT_CHARGE_ASSOC_LOCKS                                            \
	{                                                                 \
		.assoc = WRITE_LOCK, .qos = WRITE_LOCK, .tres = READ_LOCK \
	}

/* One charge. */
struct eqt_post {
	const struct eqt_config *config;
	struct eqt_post_seconds *last; /* for eqt_post_amounts() */
	struct eqt_post_amount decayed;
	struct eqt_post_amount plain;
	double rate; /* equivalents */
	double week; /* the factor of the time of the week */
	double factor; /* UsageFactor times week */
	uint64_t billing; /* units of the billing TRES */
	bool priced; /* rate and billing are the job's price */
	double run_s; /* seconds to release from run-seconds limits; a
			     fraction only with stock_compat */
	const job_record_t *job; /* NULL: a past job, with run_s 0 */
	const uint64_t *counts; /* allocated TRES; NULL: none */
};

/*
 * Set the amounts for [from, to] at the charge's rate times factor. Seconds are decayed to
 * span->ref in closed form or, with stock_decay, as Slurm's own plugin does it.
 * assoc_mgr's assoc lock is held for writing.
 */
void eqt_post_amounts(struct eqt_post *post, time_t from, time_t to,
		      const struct eqt_charge_span *span, double factor);

/*
 * Add the charge to these owners, each of which may be NULL, and release its run-seconds
 * from their limits. Locks: EQT_CHARGE_ASSOC_LOCKS.
 */
void eqt_post_all(slurmdb_assoc_rec_t *assoc, slurmdb_qos_rec_t *qos,
		  slurmdb_qos_rec_t *partition, const struct eqt_post *post);

/* Add the charge to an account's own usage, which is the usage of removed users below it. No
 * effect for a user or NULL. Locks as above. */
void eqt_post_own(slurmdb_assoc_rec_t *assoc, const struct eqt_post *post);

/*
 * The own usage of an account, created if there is none yet; NULL for a user. The association
 * owns it. assoc_mgr's assoc lock is held for writing, TRES for reading.
 */
slurmdb_assoc_usage_t *eqt_post_own_leaf(slurmdb_assoc_rec_t *assoc);

#endif
