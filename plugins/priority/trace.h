/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * trace: the lines of DebugFlags=Priority in slurmctld's log, at info: the
 * configuration, each charge and its owners, each level of the tree, each
 * priority as a sum. Without the flag each call costs one comparison.
 */
#ifndef EQT_TRACE_H
#define EQT_TRACE_H

#include "slurm/compat.h"
#include "prio/factors.h"
#include "configuration.h"

/* Whether the flag is set now, be the configuration an older one. Any thread. */
bool eqt_trace_is_on(const struct eqt_config *config);

/* Its weights and flags. */
void eqt_trace_config(const struct eqt_config *config);

/* The factor by which a pass decays all usage, for so many seconds. */
void eqt_trace_decay(const struct eqt_config *config, double seconds,
		     long double factor);

/* A job is charged: equivalents and the allocated TRES for some seconds. TRES
 * are locked for reading. */
void eqt_trace_charge(const struct eqt_config *config, const job_record_t *job,
		      double equivalents, double seconds);

/* What an association or a QOS has after a charge that added so much, and the
 * run seconds that its running jobs may still use, by TRES (zeros left out). */
void eqt_trace_assoc(const struct eqt_config *config,
		     const slurmdb_assoc_rec_t *assoc, double added,
		     double added_wall);
void eqt_trace_qos(const struct eqt_config *config,
		   const slurmdb_qos_rec_t *qos, double added,
		   double added_wall);

/* The level of an association among its siblings. The caller has asked
 * eqt_trace_is_on(). */
void eqt_trace_level(const slurmdb_assoc_rec_t *assoc);

/* A job's priority, from weighted points. */
void eqt_trace_priority(const struct eqt_config *config,
			const job_record_t *job,
			const struct eqt_factors *points);

#endif
