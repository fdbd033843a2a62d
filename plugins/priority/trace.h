/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * trace: what DebugFlags=Priority asks for, in slurmctld's log at info: the
 * settings, each charge and who has it, each level of the tree, each priority
 * as the sum that it is. Without the flag each call costs one comparison.
 */
#ifndef EQT_TRACE_H
#define EQT_TRACE_H

#include "slurm/compat.h"
#include "prio/factors.h"
#include "configuration.h"

/* Look at the flag: at the start, and at each reconfigure, also that of "scontrol
 * setdebugflags". */
void eqt_trace_read_flag(void);

/* Whether the flag is set. Any thread. */
bool eqt_trace_is_on(void);

/* A line of its own; printf format. */
void eqt_trace(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The weights and flags in force. */
void eqt_trace_settings(const struct eqt_config *config);

/* A job is charged: equivalents and the allocated TRES for some seconds. TRES
 * are locked for reading. */
void eqt_trace_charge(const job_record_t *job, double equivalents,
		      double seconds, uint32_t tres_count);

/* What an association has after a charge that added so much, and the
 * run-seconds that its running jobs may still use, by TRES (zeros left out). */
void eqt_trace_assoc(const slurmdb_assoc_rec_t *assoc, double added,
		     double added_wall, uint32_t tres_count);
void eqt_trace_qos(const slurmdb_qos_rec_t *qos, double added,
		   double added_wall, uint32_t tres_count);

/* Where an association stands among its siblings. */
void eqt_trace_level(const slurmdb_assoc_rec_t *assoc);

/* A job's priority, from weighted points. */
void eqt_trace_priority(const job_record_t *job,
			const struct eqt_config *config,
			const struct eqt_factors *points);

#endif
