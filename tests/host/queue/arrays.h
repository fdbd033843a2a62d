/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * arrays: a job array is one record until its tasks start or are split off. Task T of
 * array J becomes job J * 1000 + T, and the last one stays job J.
 */
#ifndef EQT_HOST_ARRAYS_H
#define EQT_HOST_ARRAYS_H

#include "../../../plugins/slurm/compat.h"

#define ARRAY_TASKS_MAX 1000

/* Make a new job an array. */
void arrays_make(job_record_t *job, uint32_t tasks);

/* A task is about to start: the record of the array becomes that of the task. */
void arrays_take_task(job_record_t *job);

/* Count the running tasks of the array of a job, if it is in one. */
void arrays_count_run(const job_record_t *job, int change);

/* Free the part of a record that an array has. */
void arrays_free(job_record_t *job);

#endif
