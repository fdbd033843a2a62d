/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * worst: a search for the description that takes longest to judge: known
 * attacks, then changes of the worst one so far.
 *
 * It measures processor time of the thread, the least of several measurements
 * of one description: slurmctld's locks are held for that time.
 */
#ifndef EQT_SUBMIT_WORST_H
#define EQT_SUBMIT_WORST_H

#include <stdint.h>

#include "../../plugins/slurm/compat.h"

/* A call of the plugin with the description as a submission, or as a change of
 * a pending job by its owner. */
typedef void worst_call_t(job_desc_msg_t *desc, bool is_change);

/* Search for that many rounds, print the attacks and the worst description, and
 * return its microseconds. */
double worst_search(worst_call_t *call, long rounds, uint64_t seed);

#endif
