/* SPDX-License-Identifier: GPL-2.0-or-later */
/* job_links: check that job records point to existing associations, and split
 * tasks off arrays. */
#ifndef EQT_JOB_LINKS_H
#define EQT_JOB_LINKS_H

#include <stdbool.h>

#include "slurm/compat.h"

/* The association with this id, or NULL if it was removed. assoc_mgr's assoc
 * lock is held. */
slurmdb_assoc_rec_t *eqt_job_links_assoc(uint32_t id);

/* The association of an account itself, with its name as Slurm spells it, or
 * NULL if there is none. assoc_mgr's assoc lock is held. */
slurmdb_assoc_rec_t *eqt_job_links_account(const char *account);

/*
 * Does each job with an association point to assoc_mgr's current record of that
 * association? The function takes slurmctld's job lock and assoc_mgr's assoc
 * and user locks for reading. It does not follow the pointers.
 */
bool eqt_job_links_fit(void);

/* Can one task of a waiting array be split off, so that it gets its own record
 * and another task is left? The job lock is held. */
bool eqt_split_is_possible(const job_record_t *job);

/* Split off the first task of an array. The record becomes that task's record,
 * with a new job id. Returns the new record of the remaining array, which keeps
 * the array's id, or NULL after a failure. The job lock is held for writing. */
job_record_t *eqt_split_take(job_record_t *array);

#endif
