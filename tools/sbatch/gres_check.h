/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gres_check: conclusions that sbatch draws from lists of GPUs before it
 * submits a job, and combinations that it refuses.
 */
#ifndef EQT_SBATCH_GRES_CHECK_H
#define EQT_SBATCH_GRES_CHECK_H

#include "base/error.h"
#include "job/job_spec.h"

/*
 * Set the tasks, nodes and CPUs of a request that follow from its lists in a release,
 * EQT_RELEASE. 0, or -1 with err filled: sbatch refuses it.
 */
int eqt_sbatch_gres_check(struct eqt_job_spec *ask, unsigned int release,
			  struct eqt_error *err);

#endif
