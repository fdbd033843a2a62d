/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rules: how sbatch combines options that depend on each other before it
 * submits a job, and combinations that it refuses.
 */
#ifndef EQT_SBATCH_RULES_H
#define EQT_SBATCH_RULES_H

#include "base/error.h"
#include "sbatch/component.h"

/*
 * Turn the options of a component into the request that sbatch of a release would
 * send; release: of struct eqt_cluster_allocation. 0, or -1 with err filled: sbatch
 * refuses them.
 */
int eqt_sbatch_rules_apply(struct eqt_sbatch_component *component,
			   unsigned int release, struct eqt_error *err);

#endif
