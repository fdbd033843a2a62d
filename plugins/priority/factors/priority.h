/* SPDX-License-Identifier: GPL-2.0-or-later */
/* priority: a job's priority as the sum of its weighted factors. */
#ifndef EQT_PRIORITY_H
#define EQT_PRIORITY_H

#include <time.h>

#include "slurm/compat.h"
#include "configuration.h"
#include "factors/job_size.h"
#include "rank/job_factors.h"
#include "rate/job_rate.h"
#include "usage/limits/billing_tres.h"
#include "walk/walk.h"

/* The inputs of priorities besides the configuration; none is owned. */
struct eqt_priority {
	struct eqt_rate_cache *rates;
	struct eqt_job_size *size;
	struct eqt_job_factors *job_factors;
	struct eqt_billing_tres *billing;
};

/* The locks of assoc_mgr for the functions here. */
#define EQT_PRIORITY_LOCKS                           \
	{                                            \
		.assoc = READ_LOCK, .qos = READ_LOCK \
	}

/*
 * Compute the factors of a pending (or, with CALCULATE_RUNNING, a running) job, store
 * them in job->prio_factors for sprio, set the priorities of a job in several
 * partitions, and set the billing of its request. Returns the priority; 0 only if the
 * record is broken (logged). A priority that an operator has set (direct_set_prio) is
 * returned unchanged.
 *
 * slurmctld's locks: jobs for writing, nodes and partitions for reading;
 * assoc_mgr's as above. Factors that depend on other jobs come from the last pass
 * (job_factors.h). Allocates only at the first call for a job and when the billing of
 * its request changes.
 */
uint32_t eqt_priority_make(const struct eqt_priority *priority,
			   const struct eqt_config *config, job_record_t *job,
			   time_t now);

/* The priority for the job's first partition without fair share and equal access, which depend
 * on other jobs. Locks as above; changes nothing. */
double eqt_priority_rest(const struct eqt_priority *priority,
			 const struct eqt_config *config,
			 const job_record_t *job, time_t now);

/* The points that a partition's PriorityJobFactor gives. */
double eqt_priority_partition(const struct eqt_config *config,
			      const part_record_t *part);

/* The points of a QOS for a job that may run with it. In stock_compat mode a QOS with
 * Priority 0 gives the points of the job's own QOS. assoc_mgr's QOS lock is held, at
 * least for reading. */
double eqt_priority_qos_of(const struct eqt_config *config,
			   const job_record_t *job,
			   const slurmdb_qos_rec_t *qos);

/*
 * Set points[config->tres_count] to the points of each TRES in a partition (NULL: none).
 * A TRES of which the job or the partition has nothing keeps its old value as factor, so
 * the caller sets 0 before. Returns the sum; 0 without PriorityWeightTRES.
 */
double eqt_priority_tres(const struct eqt_config *config,
			 const job_record_t *job, const part_record_t *part,
			 double *points);

/* Does a pass set this job's priority? A priority of 0 means held and stays 0. */
bool eqt_priority_update_wants(const struct eqt_config *config,
			       const job_record_t *job);

/*
 * Set the priorities of the jobs of EQT_WALK_RANKED; returns how many. Takes the locks of
 * eqt_walk_visit(). Only the pass thread calls this.
 */
unsigned int eqt_priority_update_all(const struct eqt_priority *priority,
				     struct eqt_walk *walk,
				     const struct eqt_config *config,
				     time_t now);

#endif
