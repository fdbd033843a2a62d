/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * scheduler: the least that starts jobs in order of their priorities, for
 * histories that ask who gets what. Once a second the jobs that have run their
 * time end; then, all in one go, waiting jobs start as long as there are CPUs.
 * No pass comes in between, which is the worst that can happen.
 */
#ifndef EQT_HOST_SCHEDULER_H
#define EQT_HOST_SCHEDULER_H

#include "words.h"

/* Remember how long a job runs (the key run=SECONDS of "submit"). */
void scheduler_note(const struct words *words);

/* "schedule SECONDS cpu=N": let so much time pass on so many CPUs. */
void scheduler_run(const struct words *words);

#endif
