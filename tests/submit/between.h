/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * between: a submission that comes in the middle of another, as it may where
 * slurmctld calls the plugin from several threads.
 *
 * Nothing is left to chance: the first one is stopped at each moment in turn at
 * which it asks for assoc_mgr's locks, and goes on when the other is done. Both
 * must end as they do alone.
 */
#ifndef EQT_SUBMIT_BETWEEN_H
#define EQT_SUBMIT_BETWEEN_H

#include <stdint.h>

#include "../../plugins/slurm/compat.h"

typedef int between_submit_t(job_desc_msg_t *desc, uint32_t uid,
			     char **err_msg);

/* So many pairs of random descriptions; slurmctld's locks are held for reading.
 * The program ends where one is not as it is alone. Returns how often one was
 * in the middle of another. */
unsigned long between_run(between_submit_t *submit, long pairs, uint64_t seed);

#endif
