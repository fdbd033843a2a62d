/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * completing: jobs that have ended and still hold nodes. Slurm kills their
 * processes and runs epilogs; a node is kept from others until it has reported that
 * this is over (docs/design/0052).
 *
 * slurmctld calls no hook when a node becomes free. So the pass thread looks at
 * these jobs a few times a second. A charge is for the nodes that a job holds, and ends
 * when it holds fewer, at a pass, or after some seconds. Each charge is posted and has a
 * line in the journal, like the end of a job: the line says up to when the job is charged.
 *
 * Whole seconds since the end are charged, up to the moment at which the job was
 * last seen to hold the nodes. An epilog of less than a second costs nothing.
 */
#ifndef EQT_COMPLETING_H
#define EQT_COMPLETING_H

#include <stdbool.h>
#include <stddef.h>
#include <time.h>

#include "usage/charge/job_charge.h"

#define EQT_COMPLETING_LOOK_MS 250 /* between two looks */

/* One job; a plain value except for the charge. */
struct eqt_completing_job {
	uint32_t job_id;
	uint32_t nodes; /* held at the last look */
	time_t from; /* the time at which it was added */
	struct timespec since; /* the same by eqt_clock_steady() */
	time_t until; /* charged up to */
	bool is_free; /* not charged (refund in equitree.conf) */
	/* Owned: not posted yet; NULL: none */
	struct eqt_journal_record *charge;
};

/*
 * Empty: {0} with its pointers set, which are not owned. eqt_completing_free()
 * frees the rest. Changed under slurmctld's job lock, by holders of it for
 * writing and by the pass thread.
 */
struct eqt_completing {
	struct eqt_job_charge *charges;
	struct eqt_completing_job *jobs; /* in no order; marks.completes of
					    their runs is set */
	size_t count;
};

/* Does this job hold nodes after its end? slurmctld's job lock is held. */
bool eqt_completing_holds(const job_record_t *job);

/* Is the job one of eqt_completing.jobs? Locks as above. */
bool eqt_completing_has(const struct eqt_completing *completing,
			uint32_t job_id);

/*
 * Add a job that has ended, and is charged up to a time that is not in the future. If it
 * still holds nodes now, a charge begins at that time; is_free: it is not charged. Nothing
 * happens if the job is there already; if memory is short, the job is left out. slurmctld's
 * job lock is held for writing, assoc_mgr's as in EQT_CHARGE_ASSOC_LOCKS.
 */
void eqt_completing_add(struct eqt_completing *completing,
			const struct eqt_config *config, job_record_t *job,
			time_t until, time_t now, bool is_free);

/*
 * Look at all jobs, charge those that hold less than before, and forget those
 * that hold nothing. Usage refers to the time ref. A pass charges all jobs.
 * Takes slurmctld's job lock and assoc_mgr's in holds of bounded time; the pass
 * thread calls it. Returns whether any job is left.
 */
bool eqt_completing_look(struct eqt_completing *completing,
			 const struct eqt_config *config, time_t ref,
			 bool pass);

/* End all charges and forget all jobs, at fini. Takes assoc_mgr's locks. */
void eqt_completing_close(struct eqt_completing *completing,
			  const struct eqt_config *config, time_t ref);

/* Move the times of all charges by a step of the clock. slurmctld's job lock is held for
 * writing. */
void eqt_completing_shift(struct eqt_completing *completing, time_t step);

/* Free what *completing owns, without a charge; it is empty then. */
void eqt_completing_free(struct eqt_completing *completing);

#endif
