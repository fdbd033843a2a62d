/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * completing: jobs that have ended and still hold nodes. Slurm kills their
 * processes and runs epilogs, and no other job gets a node until the node has
 * reported that this is over (docs/design/0052).
 *
 * slurmctld calls no hook when a node becomes free. So the pass thread checks
 * these jobs a few times a second. A charge is for the nodes that a job holds.
 * It ends when the job holds fewer nodes, at a pass, or after some seconds.
 * Each charge is posted and has a line in the journal, which says up to when
 * the job is charged, as at the end of a job.
 *
 * Whole seconds since the end are charged, up to the moment at which the job
 * was last seen to hold the nodes. So an epilog of less than a second costs
 * nothing.
 */
#ifndef EQT_COMPLETING_H
#define EQT_COMPLETING_H

#include <stdbool.h>
#include <stddef.h>
#include <time.h>

#include "usage/charge/job_charge.h"

#define EQT_COMPLETING_LOOK_MS 250 /* The milliseconds between two checks. */

/* One job that holds nodes. */
struct eqt_completing_job {
	uint32_t job_id;
	uint32_t nodes; /* The number of nodes held at the last check. */
	time_t from; /* The time at which the job was added. */
	/* The time at which the job was added, by eqt_clock_steady(). */
	struct timespec since;
	time_t until; /* The time up to which the job is charged. */
	bool is_free; /* The job is not charged (refund in equitree.conf). */
	/* The charge that was not posted yet, or NULL. This struct owns the
	   charge. */
	struct eqt_journal_record *charge;
};

/*
 * The jobs that hold nodes. It is empty if only its pointers are set, which are
 * borrowed. eqt_completing_free() frees the other members. Threads that hold
 * slurmctld's job lock for writing may change it, and so may the pass thread
 * while it holds that lock.
 */
struct eqt_completing {
	struct eqt_job_charge *charges;
	/* The jobs, in no order. marks.completes is set in the run of each
	   job. */
	struct eqt_completing_job *jobs;
	size_t count;
};

/* Does this job hold nodes after its end? slurmctld's job lock is held. */
bool eqt_completing_holds(const job_record_t *job);

/* Is the job one of eqt_completing.jobs? slurmctld's job lock is held. */
bool eqt_completing_has(const struct eqt_completing *completing,
			uint32_t job_id);

/*
 * Add an ended job that is charged up to `until`, which is not in the future.
 * If the job still holds nodes now, a charge begins at that time, unless
 * is_free says that the job is not charged. Nothing happens if the job was
 * added before. If memory is short, the job is left out. slurmctld's job lock
 * is held for writing, and EQT_CHARGE_ASSOC_LOCKS of assoc_mgr.
 */
void eqt_completing_add(struct eqt_completing *completing,
			const struct eqt_config *config, job_record_t *job,
			time_t until, time_t now, bool is_free);

/*
 * Check all jobs, charge those that hold fewer nodes than before, and forget
 * those that hold none. Usage refers to the time `ref`. A pass charges all
 * jobs. The function takes slurmctld's job lock and assoc_mgr's locks, and
 * releases them after a limited time each. Only the pass thread calls it.
 * Returns whether any job is left.
 */
bool eqt_completing_look(struct eqt_completing *completing,
			 const struct eqt_config *config, time_t ref,
			 bool pass);

/* End all charges and forget all jobs, when the plugin is unloaded. The
 * function takes assoc_mgr's locks. */
void eqt_completing_close(struct eqt_completing *completing,
			  const struct eqt_config *config, time_t ref);

/* Move the times of all charges by a step of the clock. slurmctld's job lock is
 * held for writing. */
void eqt_completing_shift(struct eqt_completing *completing, time_t step);

/* Free the members of *completing without posting charges, and make it
 * empty. */
void eqt_completing_free(struct eqt_completing *completing);

#endif
