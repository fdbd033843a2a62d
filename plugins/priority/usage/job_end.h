/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * job_end: the end of a job. It is charged when slurmctld reports it, or when a
 * pass or a search between passes finds it. From then on the job is charged for
 * the nodes that it still holds (completing.h).
 *
 * Functions that charge need slurmctld's job lock for writing and
 * EQT_CHARGE_ASSOC_LOCKS of assoc_mgr. Functions that return bool need
 * slurmctld's job lock for reading.
 */
#ifndef EQT_JOB_END_H
#define EQT_JOB_END_H

#include <stdbool.h>

#include "configuration.h"
#include "usage/charge_state.h"

/* The reason why a job that ends now is not charged, if `refund` (bits
 * EQT_REFUND_...) includes its kind of end. Returns NULL if the job is charged.
 * slurmctld's job lock is held. */
const char *eqt_job_end_refund_reason(uint32_t refund, const job_record_t *job);

/* Is the job running, or did it run before? */
bool eqt_job_end_has_run(const job_record_t *job);

/* Has the job ended since the last pass without being charged? Either slurmctld
 * did not call priority_p_job_end(), or a kill of slurmctld lost the charge. */
bool eqt_job_end_is_new(const struct eqt_pass_charge *charge,
			const struct eqt_config *config,
			const job_record_t *job);

/* Does an ended job hold nodes that completing.h does not know, because
 * slurmctld was restarted meanwhile? */
bool eqt_job_end_is_unwatched(const struct eqt_pass_charge *charge,
			      const struct eqt_config *config,
			      const job_record_t *job);

/* Charge an ended job that a pass or a search has found, if its end is new, and
 * watch the nodes that the job holds. Returns how many jobs were charged, 0 or
 * 1. */
unsigned int eqt_job_end_find(struct eqt_pass_charge *charge,
			      const struct eqt_config *config,
			      job_record_t *job,
			      const struct eqt_charge_span *span);

/* Charge an end or a resize that slurmctld reports, write its line to the
 * journal, and watch the nodes that the job holds. *end is filled as by
 * eqt_job_charge_end(). */
void eqt_job_end_charge(struct eqt_pass_charge *charge,
			const struct eqt_config *config, job_record_t *job,
			const struct eqt_charge_span *span,
			struct eqt_job_end *end);

#endif
