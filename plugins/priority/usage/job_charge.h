/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * charge: what a job has used since the last pass goes to its association, to
 * all above it up to root, and to its QOS.
 *
 * Usage is kept as of the moment of the last pass (last_ran): a charge for
 * seconds after that moment is scaled up by the decay that the next pass will
 * take off them, so that usage equals the closed form whatever the periods.
 */
#ifndef EQT_JOB_CHARGE_H
#define EQT_JOB_CHARGE_H

#include <time.h>

#include "slurm/compat.h"
#include "usage/post.h"
#include "ledger/ledger.h"
#include "configuration.h"

/* The locks under which every function here is called: jobs for writing (or
 * read where said), assoc_mgr's assoc and qos for writing and TRES for
 * reading. */
#define EQT_CHARGE_ASSOC_LOCKS                                            \
	{                                                                 \
		.assoc = WRITE_LOCK, .qos = WRITE_LOCK, .tres = READ_LOCK \
	}

/*
 * Charge a running (or suspended) job from where it was charged last to
 * span->now, take the same time off the run-seconds of its limits, and note
 * it for eqt_billing_tres_update(). Where the job was not charged up to the last
 * pass (charged_until.h), *part is for the journal; else its job_id is 0.
 */
void eqt_job_charge_running(const struct eqt_config *config, job_record_t *job,
			    const struct eqt_text_slice *span,
			    struct eqt_journal_record *part);

/* UsageFactor of the job's QOS; 1 without one. assoc_mgr's QOS lock for
 * reading is enough. */
double eqt_job_charge_usage_factor(const job_record_t *job);

/*
 * Charge a job that has ended (or is requeued, or resized) to its end, give
 * back the run-seconds of its limits, and mark it (end_time_exp = NO_VAL) so
 * that a second call does nothing. Returns 1 and fills *charge (but for the
 * sequence) when the job ran, if for no second that was not charged before;
 * else 0.
 */
int eqt_job_charge_end(const struct eqt_config *config, job_record_t *job,
		       const struct eqt_text_slice *span,
		       struct eqt_journal_record *charge);

/*
 * Charge again what a journal entry says (after a crash; the job may be gone)
 * to the association that has the usage of the entry's own; NULL: to none.
 * Usage only. QOS that are gone are passed over.
 */
void eqt_job_charge_replay(const struct eqt_config *config,
			   const struct eqt_journal_record *charge,
			   slurmdb_assoc_rec_t *assoc, time_t ref);

/*
 * slurmctld restored the limits of running jobs as if they had just started:
 * take off the run-seconds that passed until last_ran.
 */
void eqt_job_charge_restart(const struct eqt_config *config, job_record_t *job,
			    time_t last_ran);

/* The QOS of the job's partition; NULL when it has none, or when it is the
 * job's own and counts already. assoc_mgr's QOS lock is held. */
slurmdb_qos_rec_t *eqt_job_charge_part_qos(const job_record_t *job);

#endif
