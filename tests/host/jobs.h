/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * jobs: job records as slurmctld keeps them, and what it does to them.
 *
 * Each function takes slurmctld's locks as slurmctld does; none may be held.
 * The job's number is always word 1 of the line. README.md has the keys.
 */
#ifndef EQT_HOST_JOBS_H
#define EQT_HOST_JOBS_H

#include "../../plugins/slurm/compat.h"
#include "words.h"

/* Job numbers are below this. */
#define JOBS_MAX 4000000

void jobs_begin(void);
void jobs_free(void);

/* ---- Records (job_record.c) ---- */

/* A new pending job in job_list; the program fails when the number is taken. */
job_record_t *jobs_new(const struct words *words);

/* The job of the line, or the end of the program. */
job_record_t *jobs_named(const struct words *words);

/* Take a job off job_list and free it. */
void jobs_delete(job_record_t *job);

/* What slurmctld allocates: counts and billing of a job that runs. */
void jobs_set_alloc(job_record_t *job, const struct words *words);

/* The program fails unless the two texts of what a job asks for are those that
 * Slurm makes of its counts. assoc_mgr's TRES lock is free. */
void jobs_check_texts(const job_record_t *job);

/* Ask the plugin for a priority, unless the job has finished, and check the texts
 * after that. */
void jobs_set_priority(job_record_t *job);

/* ---- Events (jobs.c) ---- */

void jobs_submit(const struct words *words);
void jobs_start(const struct words *words);
void jobs_suspend(const struct words *words);
void jobs_resume(const struct words *words);
void jobs_end(const struct words *words);
void jobs_requeue(const struct words *words);
void jobs_resize(const struct words *words);
void jobs_hold(const struct words *words);
void jobs_release(const struct words *words);
void jobs_nice(const struct words *words);
void jobs_priority(const struct words *words);
void jobs_site(const struct words *words);
void jobs_time(const struct words *words);
void jobs_purge(const struct words *words);
void jobs_recompute(const struct words *words);
void jobs_trial(const struct words *words);
void jobs_unsaved(const struct words *words);

/* assoc_mgr is about to free an association; its jobs lose it. */
void jobs_assoc_removed(const slurmdb_assoc_rec_t *assoc);

/* slurmctld has set all run-seconds to 0: count those of running jobs again. The
 * job lock is held for writing. */
void jobs_count_limits(void);

/* What is not saved with a job is gone. */
void jobs_forget(void);

#endif
