/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * job_charge: the charge of a job since the last pass, which is added to its
 * association, to all ancestors up to the root, and to its QOS.
 *
 * All usage refers to the time of the last pass (last_ran). A charge for
 * seconds after that time is scaled up by the decay that the next pass will
 * apply to it. So the usage equals the closed form for any period.
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

/* The inputs of charges, in addition to the configuration. The pointers are
 * borrowed. */
struct eqt_job_charge {
	struct eqt_guard *guard;
	struct eqt_journal *journal;
	struct eqt_rate_cache *rates;
	struct eqt_run_secs_rebuild *rebuild;
	struct eqt_billing_tres *billing;
	struct eqt_usage_unit *unit;
	struct eqt_job_runs runs;
	struct eqt_post_seconds last;
	/* The part of the week that was charged last, because most jobs are in
	   the same part. */
	struct eqt_week_piece week;
	/* The serial number of the configuration of `week`. */
	uint32_t week_serial;
};

/* The charge of a job's end. */
struct eqt_job_end {
	/* The job's entry in the table of runs, or NULL. */
	struct eqt_run *run;
	struct eqt_journal_record record;
	/* The time at which the charge begins. The record may have only the
	   last part of the charge. */
	time_t from;
	/* The billing for the job's price, or NO_VAL64 if no billing was
	   computed. */
	uint64_t billing;
};

/* For all functions of this file, slurmctld's job lock is held for writing, and
 * the locks of assoc_mgr are those of EQT_CHARGE_ASSOC_LOCKS. */

/* Set billable_tres in the job's record to the price of its allocation, as a
 * charge does. */
void eqt_job_charge_set_rate(const struct eqt_job_charge *charge,
			     const struct eqt_config *config,
			     job_record_t *job);

/* Set the price of a charge in *part, for the record of charges. *post is in
 * the unit of usage. */
void eqt_job_charge_recorded(const struct eqt_job_charge *charge,
			     const struct eqt_post *post,
			     const struct eqt_rate *rate,
			     struct eqt_run_charge *part);

/* Begin the run of a running job at its present size and price. */
void eqt_job_charge_begin(struct eqt_job_charge *charge,
			  const struct eqt_config *config, job_record_t *job,
			  const struct eqt_charge_span *span,
			  struct eqt_run *run);

/*
 * Charge a running or suspended job from the time up to which it is charged to
 * span->now. Also subtract that time from the run-seconds of its limits, and
 * record the job for eqt_billing_tres_update(). `run` is the job's entry in the
 * table of runs, or NULL. If the job had a mark other than the last pass
 * (charged_until), *part becomes a line for the journal; otherwise part->job_id
 * becomes 0.
 */
void eqt_job_charge_running(struct eqt_job_charge *charge,
			    const struct eqt_config *config, job_record_t *job,
			    struct eqt_run *run,
			    const struct eqt_charge_span *span,
			    struct eqt_journal_record *part);

/*
 * Charge a job that has ended, is requeued or is resized up to its end. Also
 * release the run-seconds of its limits, and mark the job (end_time_exp =
 * NO_VAL) so that a second call does nothing. end->run is the job's entry in
 * the table of runs, or NULL; the function may add it.
 *
 * Returns 1 with end->record filled, except for its sequence, if the job ran,
 * even if no second was left to charge; otherwise 0. Where the factor of the
 * time of the week changes, the journal already has the earlier parts.
 */
int eqt_job_charge_end(struct eqt_job_charge *charge,
		       const struct eqt_config *config, job_record_t *job,
		       const struct eqt_charge_span *span,
		       struct eqt_job_end *end);

/*
 * Fill a line of an empty interval that begins at `from`, for the part of an
 * ended job on these nodes. Its rate is that of the resources that the job
 * still holds, without the factor of the time of the week. Returns 0, or -1 if
 * memory is short.
 */
int eqt_job_charge_held(struct eqt_job_charge *charge,
			const struct eqt_config *config, job_record_t *job,
			bitstr_t *nodes, time_t from,
			struct eqt_journal_record *record);

/*
 * Charge a journal line again, after a crash or at the end of a charge that
 * eqt_job_charge_held() began. slurmctld may have forgotten the job. `assoc` is
 * the association that now has the usage of the line's association; if it is
 * NULL, only QOS are charged. The function changes usage but no run-seconds,
 * and skips QOS that no longer exist.
 */
void eqt_job_charge_replay(const struct eqt_config *config,
			   const struct eqt_journal_record *record,
			   slurmdb_assoc_rec_t *assoc, time_t ref);

/*
 * Move all times of runs by a step of the wall clock, so that they are times of
 * that clock again, and record the step for running jobs. A pass has already
 * charged all jobs up to `now` by the steady clock.
 */
void eqt_job_charge_shift(struct eqt_job_charge *charge, time_t now,
			  time_t step);

#endif
