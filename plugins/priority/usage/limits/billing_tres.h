/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * billing_tres: the integer TRES billing of a job, kept equal to the job's
 * price.
 *
 * slurmctld computes the billing from the request, once, when it allocates. The
 * allocation may differ from the request (whole nodes, more nodes, GPUs of a
 * certain model, one of several partitions). So the billing is corrected after
 * the start: at the next pass, or at the end of a job that no pass has seen.
 *
 * The limits that count billing are corrected as well. They always contain the
 * amount that slurmctld will subtract when the job ends.
 *
 * slurmctld takes the integer from billable_tres when the job starts. Until
 * then billable_tres holds the billing. From the first charge on it holds the
 * price in equivalents, because priority/multifactor charges a running job by
 * it (docs/design/0043).
 */
#ifndef EQT_BILLING_TRES_H
#define EQT_BILLING_TRES_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "configuration.h"
#include "guard.h"
#include "quote/quote.h"
#include "rate/job_rate.h"
#include "slurm/compat.h"
#include "usage/amounts/usage_unit.h"
#include "usage/limits/run_secs.h"

/* The jobs of this pass whose billing differs from their price. guard, rates,
 * rebuild and unit are borrowed. eqt_billing_tres_clear() frees the other
 * members. */
struct eqt_billing_tres {
	struct eqt_guard *guard;
	struct eqt_rate_cache *rates;
	struct eqt_run_secs_rebuild *rebuild;
	struct eqt_usage_unit *unit;

	uint32_t *ids;
	size_t count;
	size_t space;
};

/*
 * Set the billing of a job that has not started to the price of its request;
 * slurmctld uses it when it allocates. Other jobs are not changed. With
 * stock_billing, the functions of this file restore Slurm's own billing in jobs
 * that may still have ours, and change no other job.
 *
 * Memory is allocated when the billing changes. slurmctld's job lock is held
 * for writing, its node and part locks and assoc_mgr's QOS and TRES locks for
 * reading.
 */
void eqt_billing_tres_preset(const struct eqt_billing_tres *billing,
			     const struct eqt_config *config,
			     job_record_t *job);

/*
 * Set the billing that slurmctld uses when it allocates to the most that the
 * job may get on the fewest nodes. So limits hold from its start, even if the
 * allocation has whole nodes, has the CPUs of MaxMemPerCPU, or is in a more
 * expensive partition. The next pass corrects the billing. The billing of the
 * request, which ReqTRES shows, stays. The job must be pending, and the locks
 * are those of eqt_billing_tres_preset().
 */
void eqt_billing_tres_preset_most(const struct eqt_config *config,
				  job_record_t *job,
				  const struct eqt_quote *quote);

/*
 * With stock_billing, let slurmctld compute its own billing from the present
 * weights, if the job may have our billing because it started before
 * stock_billing was set. slurmctld's job lock is held for writing.
 */
void eqt_billing_tres_forget(const struct eqt_billing_tres *billing,
			     const struct eqt_config *config,
			     job_record_t *job);

/*
 * Set billable_tres of a job to its equivalents, and if that is a change, make
 * slurmctld save its jobs. The function does nothing for a job without an
 * allocation, such as one that the scheduler only tests. slurmctld's job lock
 * is held for writing.
 */
void eqt_billing_tres_set_rate(job_record_t *job, double rate);

/*
 * Record a job for the next eqt_billing_tres_update() if its billing differs
 * from `billing`, which is the billing of its price, or NO_VAL64 if that is not
 * known. The job is running, or it has ended and slurmctld did not call
 * priority_p_job_end() because limits are not enforced. Memory is allocated
 * when more jobs are recorded than ever before. slurmctld's job lock is held,
 * and only the pass thread calls this.
 */
void eqt_billing_tres_note(struct eqt_billing_tres *noted,
			   const job_record_t *job, uint64_t billing);

/*
 * Correct the billing of all recorded jobs, and report the changes to slurmdbd.
 * The run-seconds of their limits were subtracted up to last_ran. Returns how
 * many jobs were changed. The function takes slurmctld's and assoc_mgr's locks,
 * and releases them after a limited time each. Only the pass thread calls this.
 */
unsigned int eqt_billing_tres_update(struct eqt_billing_tres *noted,
				     const struct eqt_config *config,
				     time_t last_ran);

/*
 * Correct the billing of one job that has ended, is requeued or is resized, and
 * that is charged to its end. `billing` is that of its price; NO_VAL64 lets the
 * function compute it. Returns true if the billing changed. Then call
 * eqt_billing_tres_report(), because slurmdbd already has the end. The locks
 * are those of EQT_CHARGE_ASSOC_LOCKS.
 */
bool eqt_billing_tres_end(const struct eqt_billing_tres *noted,
			  const struct eqt_config *config, job_record_t *job,
			  uint64_t billing);

/*
 * Send the job's allocation to slurmdbd again. The job's state and times do not
 * change there, and the function does not wait for an answer. slurmctld's job
 * lock is held for writing, and no lock of assoc_mgr is held.
 */
void eqt_billing_tres_report(job_record_t *job);

/* Free the recorded ids when the plugin is unloaded. */
void eqt_billing_tres_clear(struct eqt_billing_tres *noted);

#endif
