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

/* Add a pending job to job_list. Ends the program if the number is taken. */
job_record_t *jobs_new(const struct words *words);

/* The job of the line. Ends the program if there is none. */
job_record_t *jobs_named(const struct words *words);

/* Give a job another number. */
void jobs_set_id(job_record_t *job, uint32_t id);

/* A waiting job once more, with another number. */
job_record_t *jobs_copy(const job_record_t *job, uint32_t id);

/* Take a job off job_list and free it. */
void jobs_delete(job_record_t *job);

/* Set what slurmctld allocates: counts and billing of a running job. */
void jobs_set_alloc(job_record_t *job, const struct words *words);

/* End the program unless the two texts of a job's request are those that Slurm
 * makes of its counts. assoc_mgr's TRES lock is free. */
void jobs_check_texts(const job_record_t *job);

/* Call the plugin for a priority unless the job has finished, and then check
 * the texts. */
void jobs_set_priority(job_record_t *job);

/* ---- Events (jobs.c) ---- */

void jobs_submit(const struct words *words);
void jobs_start(const struct words *words);
void jobs_suspend(const struct words *words);
void jobs_resume(const struct words *words);
void jobs_end(const struct words *words);
void jobs_fail(const struct words *words);
void jobs_miss(const struct words *words);
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

/* Is the job in a state in which the event can be? Of none that has no such state:
 * true. */
bool jobs_fit(const char *event, const struct words *words);

/* assoc_mgr is about to free an association; its jobs lose it. */
void jobs_assoc_removed(const slurmdb_assoc_rec_t *assoc);

/* slurmctld has set all run-seconds to 0: add those of running jobs again. The
 * job lock is held for writing. */
void jobs_count_limits(void);

/* Reset the fields that are not saved with a job. */
void jobs_forget(void);

void jobs_saved(const struct words *words);
void jobs_forgotten(const struct words *words);

#endif
