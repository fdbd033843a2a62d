/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sprio_answer: the answer to the command sprio. */
#ifndef EQT_SPRIO_ANSWER_H
#define EQT_SPRIO_ANSWER_H

#include <sys/types.h>

#include "slurm/compat.h"
#include "configuration.h"
#include "guard.h"

/*
 * Make a list of the factors of all jobs that match the request and that the
 * user may see. The caller destroys the list. Returns NULL if there is no such
 * job. The strings of the list are borrowed from the job and partition records.
 * The function takes slurmctld's job, node and part locks and assoc_mgr's QOS
 * lock for reading, unless the caller holds them (EQT_FACTORS_LOCKED).
 */
list_t *eqt_sprio_answer_list(struct eqt_guard *guard,
			      const struct eqt_config *config,
			      struct eqt_factors_request request, uid_t uid);

#endif
