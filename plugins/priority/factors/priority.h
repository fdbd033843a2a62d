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

/* The inputs of a priority, in addition to the configuration. The pointers are
 * borrowed. */
struct eqt_priority {
	struct eqt_rate_cache *rates;
	struct eqt_job_size *size;
	struct eqt_job_factors *job_factors;
	struct eqt_billing_tres *billing;
};

/* The locks of assoc_mgr that the functions in this file need. */
#define EQT_PRIORITY_LOCKS                           \
	{                                            \
		.assoc = READ_LOCK, .qos = READ_LOCK \
	}

/*
 * Compute the priority of a pending job, or with CALCULATE_RUNNING of a running
 * job.
 *
 * The function stores the factors in job->prio_factors for sprio, sets the
 * priorities of a job in several partitions, and sets the billing of the job's
 * request. It returns the priority, which is 0 only if the record is broken;
 * that is logged. A priority that an operator has set (direct_set_prio) is
 * returned unchanged.
 *
 * The caller holds slurmctld's locks (jobs for writing, nodes and partitions
 * for reading) and EQT_PRIORITY_LOCKS of assoc_mgr. Factors that depend on
 * other jobs come from the last pass (job_factors.h). Memory is allocated only
 * at the first call for a job and when the billing of its request changes.
 */
uint32_t eqt_priority_make(const struct eqt_priority *priority,
			   const struct eqt_config *config, job_record_t *job,
			   time_t now);

/* The priority in the job's first partition without fair share and equal
 * access, which depend on other jobs. The function changes nothing. Its locks
 * are those of eqt_priority_make(). */
double eqt_priority_rest(const struct eqt_priority *priority,
			 const struct eqt_config *config,
			 const job_record_t *job, time_t now);

/* The points of a partition's PriorityJobFactor. */
double eqt_priority_partition(const struct eqt_config *config,
			      const part_record_t *part);

/* The points of a QOS for a job that may run with it. Under stock_compat a QOS
 * with Priority 0 gives the points of the job's own QOS. assoc_mgr's QOS lock
 * is held at least for reading. */
double eqt_priority_qos_of(const struct eqt_config *config,
			   const job_record_t *job,
			   const slurmdb_qos_rec_t *qos);

/*
 * Set points[config->tres_count] to the points of each TRES in a partition,
 * which may be NULL. If the job or the partition has none of a TRES, the old
 * points are kept as its factor, so callers set the points to 0 before. Returns
 * the sum, or 0 without PriorityWeightTRES.
 */
double eqt_priority_tres(const struct eqt_config *config,
			 const job_record_t *job, const part_record_t *part,
			 double *points);

/* Does a pass set this job's priority? A priority of 0 means that the job is
 * held, and stays 0. */
bool eqt_priority_update_wants(const struct eqt_config *config,
			       const job_record_t *job);

/*
 * Set the priorities of the jobs of EQT_WALK_RANKED. Returns how many
 * priorities were set. The function takes the locks of eqt_walk_visit(), and
 * only the pass thread calls it.
 */
unsigned int eqt_priority_update_all(const struct eqt_priority *priority,
				     struct eqt_walk *walk,
				     const struct eqt_config *config,
				     time_t now);

#endif
