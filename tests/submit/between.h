/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * between: a submission in the middle of another one, which is possible where
 * slurmctld calls the plugin from several threads.
 *
 * Nothing is random about the moment: the first submission is stopped in turn
 * at each moment at which it asks for assoc_mgr's locks, and continues when the
 * other one is done. Both must end as they do alone.
 */
#ifndef EQT_SUBMIT_BETWEEN_H
#define EQT_SUBMIT_BETWEEN_H

#include <stdint.h>

#include "../../plugins/slurm/compat.h"

typedef int between_submit_t(job_desc_msg_t *desc, uint32_t uid,
			     char **err_msg);

/*
 * Try that many pairs of random descriptions; slurmctld's locks are held for
 * reading. Ends the program if a result differs from that of the description
 * alone. Returns how often one submission was in the middle of another.
 */
unsigned long between_run(between_submit_t *submit, long pairs, uint64_t seed);

#endif
