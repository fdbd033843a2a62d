/* SPDX-License-Identifier: GPL-2.0-or-later */
/* job_links: check that job records point to existing associations. */
#ifndef EQT_JOB_LINKS_H
#define EQT_JOB_LINKS_H

#include <stdbool.h>

#include "slurm/compat.h"

/* The association with this id; NULL: it is gone. assoc_mgr's associations are locked. */
slurmdb_assoc_rec_t *eqt_job_links_assoc(uint32_t id);

/* The association of an account itself, with its name as Slurm spells it; NULL: there is none.
 * Lock as above. */
slurmdb_assoc_rec_t *eqt_job_links_account(const char *account);

/*
 * True if each job with an association points to assoc_mgr's current record of it.
 * Takes slurmctld's job lock and assoc_mgr's assoc and user locks for reading. Does not
 * follow the pointers.
 */
bool eqt_job_links_fit(void);

/* Can a task of a waiting array be split off its record, so that it gets a record of its own
 * and another task is left? The job lock is held. */
bool eqt_split_is_possible(const job_record_t *job);

/* Split off the first task: the record becomes that task's, with a new job id. Returns
 * the new record of the rest, which keeps the array's id, or NULL on failure. The job
 * lock is held for writing. */
job_record_t *eqt_split_take(job_record_t *array);

#endif
