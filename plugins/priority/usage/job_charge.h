/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * job_charge: the charge of a job since the last pass, added to its association,
 * to all above it up to root, and to its QOS.
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
#include "rate/rate_cache.h"
#include "usage/billing_tres.h"
#include "usage/job_marks.h"
#include "usage/run_secs_rebuild.h"
#include "usage/usage_unit.h"

/* The inputs of charges besides the configuration; none is owned. */
struct eqt_job_charge {
	struct eqt_rate_cache *rates;
	struct eqt_job_marks *marks;
	struct eqt_run_secs_rebuild *rebuild;
	struct eqt_billing_tres *billing;
	struct eqt_usage_unit *unit;
	struct eqt_post_seconds last;
};

/* A charge of a job's end. */
struct eqt_job_end {
	struct eqt_journal_record record;
	uint64_t billing; /* of the job's price; NO_VAL64: not worked out */
};

/* The locks of every function here: slurmctld's jobs for writing, assoc_mgr's
 * as in EQT_CHARGE_ASSOC_LOCKS. */

/* The moment up to which a job is charged that the last pass has seen, or that has
 * started since. */
time_t eqt_job_charge_from(const struct eqt_job_charge *charge,
			   const job_record_t *job, time_t last_ran);

/* The price of what the job holds, in the unit of usage. */
double eqt_job_charge_rate(struct eqt_job_charge *charge,
			   const struct eqt_config *config, job_record_t *job);

/*
 * Charge a running (or suspended) job from where it was charged last to
 * span->now, take the same time off the run-seconds of its limits, and note
 * it for eqt_billing_tres_update(). Where the job was not charged up to the last
 * pass (job_marks.h), *part is for the journal; else its job_id is 0. Returns the price in
 * the unit of usage.
 */
double eqt_job_charge_running(struct eqt_job_charge *charge,
			      const struct eqt_config *config,
			      job_record_t *job,
			      const struct eqt_text_slice *span,
			      struct eqt_journal_record *part);

/*
 * Charge a job that has ended (or is requeued, or resized) to its end, give
 * back the run-seconds of its limits, and mark it (end_time_exp = NO_VAL) so
 * that a second call does nothing. Returns 1 and fills end->record (but for the
 * sequence) when the job ran, if for no second that was not charged before;
 * else 0.
 */
int eqt_job_charge_end(struct eqt_job_charge *charge,
		       const struct eqt_config *config, job_record_t *job,
		       const struct eqt_text_slice *span,
		       struct eqt_job_end *end);

/*
 * The charge of no time yet, at the moment from, of the part of a job that has
 * ended which is on these nodes: usage at the rate of what the job still holds,
 * and no run-seconds. 0, or -1 when memory is short.
 */
int eqt_job_charge_held(struct eqt_job_charge *charge,
			const struct eqt_config *config, job_record_t *job,
			bitstr_t *nodes, time_t from,
			struct eqt_journal_record *record);

/*
 * Charge what a journal record says (after a crash, or at the end of a charge that
 * eqt_job_charge_held() began; the job may be gone) to the association that has
 * the usage of the record's own; NULL: to none. Usage only. QOS that are gone are
 * passed over.
 */
void eqt_job_charge_replay(const struct eqt_config *config,
			   const struct eqt_journal_record *record,
			   slurmdb_assoc_rec_t *assoc, time_t ref);

#endif
