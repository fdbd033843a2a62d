/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * budget: what the submission plugin and the command ask of the budgets of a
 * priority plugin. Slurm's own plugin has none: only requests fail there.
 */
#ifndef EQT_HOST_BUDGET_H
#define EQT_HOST_BUDGET_H

#include <stdbool.h>
#include <stdint.h>

#include "../words.h"

/* An operator's request; its answer is printed. */
void budget_request(const struct words *words);

/* One line for each budget. */
void budget_print(void);

/* End the program if more is spent and committed than a budget has. */
void budget_check(void);

/* The submission that follows has so many tasks. */
void budget_announce(uint64_t tasks);

/* A job is about to be changed, or held. The job lock is held for writing. */
void budget_job_changed(uint32_t job_id);
void budget_job_held(uint32_t job_id, bool by_user);

#endif
