/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * queue: the jobs that run and wait, copied for a pass that compares them
 * (section "priority" of equitree.conf). The pass thread's own.
 */
#ifndef EQT_JOB_COPIES_H
#define EQT_JOB_COPIES_H

#include <time.h>

#include "prio/job_order.h"
#include "configuration.h"

/*
 * Copy the jobs that eqt_job_walk_collect() found, as far as the settings
 * compare any: none, those that run, or all. Locks are those of
 * eqt_job_walk_visit(). The list is valid until the next call; its entries are
 * the caller's to sort and fill.
 */
struct eqt_ordered_job *eqt_job_copies_fill(const struct eqt_config *config,
					    time_t now, size_t *count);

/* Jobs that ran when the list was filled the time before and do not now; their
 * nodes are the caller's to find. Valid until the next call of
 * eqt_job_copies_fill(). */
const struct eqt_ordered_job *eqt_job_copies_ended(size_t *count);

/* Free the space (at fini). */
void eqt_job_copies_clear(void);

#endif
