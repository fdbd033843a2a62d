/* SPDX-License-Identifier: GPL-2.0-or-later */
/* job_page: "equitree why JOB", from what Slurm or a folder says. */
#ifndef EQT_WHY_JOB_PAGE_H
#define EQT_WHY_JOB_PAGE_H

#include <stdbool.h>

#include "base/error.h"

/* Explain the job of an id, "12" or "12_3"; folder NULL: ask Slurm. 0, or -1
 * with err filled. */
int eqt_why_job_page(const char *id, const char *folder, bool json,
		     struct eqt_error *err);

#endif
