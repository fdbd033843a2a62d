/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * scheduler: a minimal scheduler that starts jobs in the order of their
 * priorities, for histories about who gets which resources. Once a second the
 * jobs whose time is over end. Then waiting jobs start together as long as CPUs
 * are free. No pass runs in between, which is the worst case.
 */
#ifndef EQT_HOST_SCHEDULER_H
#define EQT_HOST_SCHEDULER_H

#include "../words.h"

/* Remember how long a job runs (the key run=SECONDS of "submit"). */
void scheduler_note(const struct words *words);

/* A job runs as long as another one. */
void scheduler_copy(uint32_t job_id, uint32_t other);

/* "schedule SECONDS cpu=N": let that time pass, with that number of CPUs. */
void scheduler_run(const struct words *words);

#endif
