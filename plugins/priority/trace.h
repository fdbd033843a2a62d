/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * trace: the lines of DebugFlags=Priority in slurmctld's log. They show the
 * configuration, each charge and its owners, each level of the tree, and each
 * priority as a sum. Without the flag each call costs one comparison.
 */
#ifndef EQT_TRACE_H
#define EQT_TRACE_H

#include "slurm/compat.h"
#include "prio/factors.h"
#include "configuration.h"

/* Is the flag set now, even if config is an older configuration? Any thread may
 * call this function. */
bool eqt_trace_is_on(const struct eqt_config *config);

/* Log the weights and flags of the configuration. */
void eqt_trace_config(const struct eqt_config *config);

/* Log the factor by which a pass decays all usage after `seconds` seconds. */
void eqt_trace_decay(const struct eqt_config *config, double seconds,
		     long double factor);

/* Log the charge of a job: its equivalents and allocated TRES for some seconds.
 * assoc_mgr's TRES lock is held for reading. */
void eqt_trace_charge(const struct eqt_config *config, const job_record_t *job,
		      double equivalents, double seconds);

/* Log the usage of an association or a QOS after a charge, and the run-seconds
 * of each TRES that its running jobs may still use. Zeros are left out. */
void eqt_trace_assoc(const struct eqt_config *config,
		     const slurmdb_assoc_rec_t *assoc, double added,
		     double added_wall);
void eqt_trace_qos(const struct eqt_config *config,
		   const slurmdb_qos_rec_t *qos, double added,
		   double added_wall);

/* Log the Level FS of an association, after the caller has checked
 * eqt_trace_is_on(). */
void eqt_trace_level(const slurmdb_assoc_rec_t *assoc);

/* Log a job's priority as a sum of weighted factors. */
void eqt_trace_priority(const struct eqt_config *config,
			const job_record_t *job,
			const struct eqt_factors *points);

#endif
