/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * billing_tres: the integer billing TRES of a job, kept equal to its price.
 *
 * slurmctld computes it from the request, once, when it allocates. The allocation may
 * differ from the request (whole nodes, more nodes, GPUs of a certain model, one of
 * several partitions), so the billing is corrected after the start: at the next pass, or
 * at the end of a job that no pass has seen.
 *
 * The limits that count billing are corrected as well: they always contain the amount
 * that slurmctld will subtract when the job ends.
 *
 * slurmctld takes the integer from billable_tres when the job starts. Until then,
 * billable_tres has the billing. From the first charge on it has the price in equivalents,
 * because priority/multifactor charges a running job by it (docs/design/0043).
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

/* The jobs of this pass whose billing differs from their price. guard, rates, rebuild and
 * unit are not owned; eqt_billing_tres_clear() frees the rest. */
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
 * Set the billing of a job that has not started to the price of its request; slurmctld
 * uses it when it allocates. Other jobs are not changed. With stock_billing, the functions
 * of this file give Slurm's own billing back to jobs that may still have ours, and change no
 * other job. Locks: slurmctld's jobs for writing, nodes and partitions for reading,
 * assoc_mgr's QOS and TRES for reading. Allocates when the billing changes.
 */
void eqt_billing_tres_preset(const struct eqt_billing_tres *billing,
			     const struct eqt_config *config,
			     job_record_t *job);

/*
 * Set the billing that slurmctld uses when it allocates to the most that the job may get
 * on the fewest nodes, so that limits hold from its start: the allocation may be whole
 * nodes, have the CPUs of MaxMemPerCPU, or be in a dearer partition. The next pass corrects
 * it. The billing of the request, which ReqTRES shows, stays. The job waits. Locks: as
 * above.
 */
void eqt_billing_tres_preset_most(const struct eqt_config *config,
				  job_record_t *job,
				  const struct eqt_quote *quote);

/*
 * With stock_billing: if the job may have our billing, because it started before
 * stock_billing was set, have slurmctld compute its own from the present weights. slurmctld's
 * job lock is held for writing.
 */
void eqt_billing_tres_forget(const struct eqt_billing_tres *billing,
			     const struct eqt_config *config,
			     job_record_t *job);

/*
 * Set billable_tres of a job to its equivalents, and have slurmctld save its jobs if that is
 * a change. No effect on a job without an allocation, such as one that the scheduler only
 * tests. Locks: slurmctld's jobs for writing.
 */
void eqt_billing_tres_set_rate(job_record_t *job, double rate);

/*
 * Note a job whose billing differs from this one, which is the billing of its price
 * (NO_VAL64: not known), for the next eqt_billing_tres_update(). The job is running, or it
 * has ended and slurmctld did not call priority_p_job_end(), because limits are not enforced.
 * Allocates when more jobs are noted than ever before. slurmctld's job lock is held; only the
 * pass thread calls this.
 */
void eqt_billing_tres_note(struct eqt_billing_tres *noted,
			   const job_record_t *job, uint64_t billing);

/*
 * Correct the billing of all noted jobs, in lock holds of bounded time, and report it to
 * slurmdbd. Run-seconds of their limits have been subtracted up to last_ran. Returns how
 * many were changed. Takes slurmctld's and assoc_mgr's locks; only the pass thread calls
 * this.
 */
unsigned int eqt_billing_tres_update(struct eqt_billing_tres *noted,
				     const struct eqt_config *config,
				     time_t last_ran);

/*
 * The same for one job that has ended (or is requeued, or resized) and is charged to its
 * end; billing is that of its price (NO_VAL64: compute it). Returns true if it changed:
 * then call eqt_billing_tres_report(), since slurmdbd already has the end. Locks:
 * EQT_CHARGE_ASSOC_LOCKS.
 */
bool eqt_billing_tres_end(const struct eqt_billing_tres *noted,
			  const struct eqt_config *config, job_record_t *job,
			  uint64_t billing);

/*
 * Send the job's allocation to slurmdbd again; its state and its times do not change
 * there. Does not wait for an answer. slurmctld's job lock is held for writing, no lock
 * of assoc_mgr is held.
 */
void eqt_billing_tres_report(job_record_t *job);

/* Free the notes (at fini). */
void eqt_billing_tres_clear(struct eqt_billing_tres *noted);

#endif
