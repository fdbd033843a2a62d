/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * billing_tres: the integer billing TRES of a job, kept equal to its price.
 *
 * slurmctld makes it from the request, and only once, when it allocates. What
 * was allocated may be another thing (whole nodes, more nodes than asked for,
 * the GPUs of a model, one of several partitions), so it is corrected after
 * the start: at the next pass, or at the end of a job that no pass has seen.
 *
 * The limits that count billing follow: each owner of the job holds at any moment
 * the amount that slurmctld will take off at its end.
 */
#ifndef EQT_BILLING_TRES_H
#define EQT_BILLING_TRES_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "slurm/compat.h"
#include "configuration.h"
#include "guard.h"
#include "rate/rate_cache.h"
#include "usage/run_secs_rebuild.h"
#include "usage/usage_unit.h"

/* The jobs of this pass that have another billing than their price. guard,
 * rates, rebuild and unit are not owned; eqt_billing_tres_clear() frees the rest. */
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
 * The billing of a job that has not started is that of its request; slurmctld
 * takes over what it finds here when it allocates. Nothing changes for other
 * jobs. With stock_billing neither this nor any function here changes it, but of
 * jobs that may have ours from before: these get Slurm's own billing back.
 * Locks: slurmctld's jobs for writing, nodes and partitions for reading,
 * assoc_mgr's QOS and TRES for reading. Allocates when the billing changes.
 */
void eqt_billing_tres_preset(const struct eqt_billing_tres *billing,
			     const struct eqt_config *config,
			     job_record_t *job);

/*
 * With stock_billing: a job that started before that came into force has our
 * billing. Have slurmctld work its own out again, from the weights that hold now.
 * slurmctld's jobs are locked for writing.
 */
void eqt_billing_tres_forget(const struct eqt_billing_tres *billing,
			     const struct eqt_config *config,
			     job_record_t *job);

/*
 * Note a job whose price gives that billing (NO_VAL64: not known) if it has
 * another: the next eqt_billing_tres_update() puts it right. One that runs, or one
 * that has ended where limits are not enforced, so that slurmctld did not call
 * priority_p_job_end(). Allocates when more jobs are noted than ever before.
 * slurmctld's jobs are locked; the pass thread alone calls.
 */
void eqt_billing_tres_note(struct eqt_billing_tres *noted,
			   const job_record_t *job, uint64_t billing);

/*
 * Correct the billing of all jobs that are noted, in lock holds of bounded time,
 * and report it to slurmdbd. Run-seconds of their limits have been taken off up to
 * last_ran. Returns how many were changed. Takes slurmctld's and assoc_mgr's
 * locks; the pass thread alone calls.
 */
unsigned int eqt_billing_tres_update(struct eqt_billing_tres *noted,
				     const struct eqt_config *config,
				     time_t last_ran);

/*
 * The same for one job that has ended (or is requeued, or resized) and has been
 * charged to its end; billing is that of its price (NO_VAL64: work it out).
 * Returns whether it was changed; slurmdbd, which has heard of the end, must be
 * told then. Locks as EQT_CHARGE_ASSOC_LOCKS.
 */
bool eqt_billing_tres_end(const struct eqt_billing_tres *noted,
			  const struct eqt_config *config, job_record_t *job,
			  uint64_t billing);

/*
 * Send what the job holds to slurmdbd once more; its state and its times stay
 * there as they are. Never waits for it. slurmctld's jobs are locked for
 * writing, no lock of assoc_mgr is held.
 */
void eqt_billing_tres_report(job_record_t *job);

/* Forget what is noted (at fini). */
void eqt_billing_tres_clear(struct eqt_billing_tres *noted);

#endif
