/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * post: a charge, which is computed once and then added to each owner: the
 * job's association and its ancestors up to the root, the job's QOS and the QOS
 * of its partition. job_charge.h decides what is charged.
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

/* The time for which usage is charged, in seconds since the epoch. */
struct eqt_charge_span {
	time_t last_ran; /* Running jobs are charged up to this time. */
	time_t now;
	time_t ref; /* The time to which usage refers. */
	uint32_t half_life_s; /* 0 means no decay. */
	bool holds_nothing; /* Limits hold no run-seconds for the job. */
	bool reported; /* slurmctld is ending the job now. */
};

/* The amounts of a charge, including UsageFactor. They are decayed to ref, or
 * plain for a QOS with NoDecay. */
struct eqt_post_amount {
	double wall_s;
	long double raw; /* In equivalent-seconds. */
	long double tres_s; /* To be multiplied by the count of each TRES. */
};

/* The decayed seconds that were computed last, because most jobs of a pass run
 * for its whole time. They are written while assoc_mgr's assoc lock is held for
 * writing. A struct of zeros is empty. */
struct eqt_post_seconds {
	struct eqt_charge_span span;
	time_t from, to;
	long double seconds;
};

/* The locks of assoc_mgr that charges need. */
#define EQT_CHARGE_ASSOC_LOCKS                                            \
	{                                                                 \
		.assoc = WRITE_LOCK, .qos = WRITE_LOCK, .tres = READ_LOCK \
	}

/* One charge. */
struct eqt_post {
	const struct eqt_config *config;
	struct eqt_post_seconds *last; /* Used by eqt_post_amounts(). */
	struct eqt_post_amount decayed;
	struct eqt_post_amount plain;
	double rate; /* In equivalents. */
	double week; /* The factor of the time of the week. */
	double factor; /* UsageFactor times week. */
	uint64_t billing; /* In units of the TRES billing. */
	bool priced; /* The rate and the billing are the job's price. */
	/* The seconds to release from limits on run-seconds. They have a
	   fraction only with stock_compat. */
	double run_s;
	const job_record_t *job; /* NULL for a past job, whose run_s is 0. */
	/* The allocated TRES, or NULL if there are none. */
	const uint64_t *counts;
};

/*
 * Set the amounts for [from, to] at the charge's rate times factor. Seconds are
 * decayed to span->ref in closed form, or with stock_decay as in Slurm's own
 * plugin. assoc_mgr's assoc lock is held for writing.
 */
void eqt_post_amounts(struct eqt_post *post, time_t from, time_t to,
		      const struct eqt_charge_span *span, double factor);

/*
 * Add the charge to these owners, each of which may be NULL, and release its
 * run-seconds from their limits. The caller holds EQT_CHARGE_ASSOC_LOCKS.
 */
void eqt_post_all(slurmdb_assoc_rec_t *assoc, slurmdb_qos_rec_t *qos,
		  slurmdb_qos_rec_t *partition, const struct eqt_post *post);

/* Add the charge to an account's own usage, which is the usage of removed users
 * below the account. The function does nothing for a user or NULL. The caller
 * holds EQT_CHARGE_ASSOC_LOCKS. */
void eqt_post_own(slurmdb_assoc_rec_t *assoc, const struct eqt_post *post);

/*
 * The own usage of an account, which is created if there is none yet. Returns
 * NULL for a user. The association owns the result. assoc_mgr's assoc lock is
 * held for writing, and its TRES lock for reading.
 */
slurmdb_assoc_usage_t *eqt_post_own_leaf(slurmdb_assoc_rec_t *assoc);

#endif
