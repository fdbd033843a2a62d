/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * job_charge: the charge of a job since the last pass, added to its association, to all
 * ancestors of it up to the root, and to its QOS.
 *
 * All usage refers to the time of the last pass (last_ran). A charge for seconds after
 * that time is scaled up by the decay that the next pass will apply to it, so that usage
 * equals the closed form for any period.
 */
#ifndef EQT_JOB_CHARGE_H
#define EQT_JOB_CHARGE_H

#include <time.h>

#include "slurm/compat.h"
#include "usage/amounts/post.h"
#include "ledger/ledger.h"
#include "configuration.h"
#include "guard.h"
#include "rate/job_rate.h"
#include "usage/limits/billing_tres.h"
#include "usage/limits/run_secs.h"
#include "usage/runs/job_run.h"
#include "usage/amounts/usage_unit.h"

/* The inputs of charges besides the configuration; none is owned. */
struct eqt_job_charge {
	struct eqt_guard *guard;
	struct eqt_journal *journal;
	struct eqt_rate_cache *rates;
	struct eqt_run_secs_rebuild *rebuild;
	struct eqt_billing_tres *billing;
	struct eqt_usage_unit *unit;
	struct eqt_job_runs runs;
	struct eqt_post_seconds last;
	/* The piece of the week that was charged last; most jobs are in the same one. */
	struct eqt_week_piece week;
	uint32_t week_serial; /* of its configuration */
};

/* A charge of a job's end. */
struct eqt_job_end {
	struct eqt_run *run; /* the job's entry in the table of runs, or NULL */
	struct eqt_journal_record record;
	time_t from; /* of this charge; the record may have only its last part */
	uint64_t billing; /* of the job's price; NO_VAL64: not computed */
};

/* Locks of all functions of this file: slurmctld's jobs for writing, assoc_mgr's as in
 * EQT_CHARGE_ASSOC_LOCKS. */

/* Set billable_tres in the job's record to the price of its allocation, as a charge does. */
void eqt_job_charge_set_rate(const struct eqt_job_charge *charge,
			     const struct eqt_config *config,
			     job_record_t *job);

/* Set the price of a charge in *part, for the record of charges; *post is in the unit of
 * usage. */
void eqt_job_charge_recorded(const struct eqt_job_charge *charge,
			     const struct eqt_post *post,
			     const struct eqt_rate *rate,
			     struct eqt_run_charge *part);

/* Begin the run of a job that runs, at its present size and price. */
void eqt_job_charge_begin(struct eqt_job_charge *charge,
			  const struct eqt_config *config, job_record_t *job,
			  const struct eqt_charge_span *span,
			  struct eqt_run *run);

/*
 * Charge a running (or suspended) job from the time up to which it is charged to
 * span->now, subtract that time from the run-seconds of its limits, and note it for
 * eqt_billing_tres_update(). run is the job's entry in the table of runs, or NULL. If the
 * job had a mark other than the last pass (charged_until), *part is a record for the
 * journal; otherwise part->job_id is 0.
 */
void eqt_job_charge_running(struct eqt_job_charge *charge,
			    const struct eqt_config *config, job_record_t *job,
			    struct eqt_run *run,
			    const struct eqt_charge_span *span,
			    struct eqt_journal_record *part);

/*
 * Charge a job that has ended (or is requeued, or resized) to its end, release the
 * run-seconds of its limits, and mark it (end_time_exp = NO_VAL) so that a second call
 * does nothing. end->run is the job's entry in the table of runs, or NULL; it may be added.
 * Returns 1 with end->record filled (without its sequence) if the job ran, even if no
 * second was left to charge; otherwise 0. Where the factor of the time of the week changes,
 * parts before the last are in the journal already.
 */
int eqt_job_charge_end(struct eqt_job_charge *charge,
		       const struct eqt_config *config, job_record_t *job,
		       const struct eqt_charge_span *span,
		       struct eqt_job_end *end);

/*
 * Fill a record of an empty interval at from, for the part of an ended job on these nodes. Its
 * rate is the rate of the resources that the job still holds, without the factor of the time
 * of the week. Returns 0, or -1 when memory is short.
 */
int eqt_job_charge_held(struct eqt_job_charge *charge,
			const struct eqt_config *config, job_record_t *job,
			bitstr_t *nodes, time_t from,
			struct eqt_journal_record *record);

/*
 * Charge a journal record again: after a crash, or at the end of a charge that
 * eqt_job_charge_held() began. The job may be gone. assoc is the association that now has
 * the usage of the record's association; with NULL only QOS are charged. Only usage is
 * changed, no run-seconds; QOS that no longer exist are skipped.
 */
void eqt_job_charge_replay(const struct eqt_config *config,
			   const struct eqt_journal_record *record,
			   slurmdb_assoc_rec_t *assoc, time_t ref);

/*
 * The wall clock was set, and a pass has charged all jobs up to now by the steady clock: move
 * all times of runs by the step, so that they are times of the wall clock again, and note the
 * step for running jobs.
 */
void eqt_job_charge_shift(struct eqt_job_charge *charge, time_t now,
			  time_t step);

#endif
