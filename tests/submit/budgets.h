/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * budgets: the built priority plugin in the same process, with budgets that submissions draw
 * on and that a user may list.
 */
#ifndef EQT_SUBMIT_BUDGETS_H
#define EQT_SUBMIT_BUDGETS_H

#include <stdint.h>

#include "../../plugins/slurm/compat.h"

/*
 * Load the priority plugin that was built beside this submission plugin, and grant a hundred
 * budgets to the accounts of the crowd. Its user's accounts have some that lack what most jobs
 * need, one for each way to treat such a job. Before the first submission, which finds the
 * plugin.
 */
void budgets_set(const char *submit_plugin);

/* The hook that a submission calls. */
typedef int budgets_submit_t(job_desc_msg_t *desc, uint32_t uid,
			     char **message);

/* A user of the crowd lists the budgets: the microseconds of processor time of the longest
 * answer, of which the least of several counts. */
double budgets_list(budgets_submit_t *submit);

/* End the plugin. */
void budgets_clear(void);

#endif
