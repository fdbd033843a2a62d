/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * guard: is slurmctld's memory laid out as this plugin was built for?
 *
 * Slurm checks the version number; a build that paired other headers with that
 * number would read and write the wrong places. The magic numbers of the
 * first job record that we see tell.
 */
#ifndef EQT_GUARD_H
#define EQT_GUARD_H

#include <stdatomic.h>
#include <stdbool.h>

#include "slurm/compat.h"

/* What the first records have shown. A plain value: {0} has seen none. */
struct eqt_guard {
	atomic_int verdict;
	atomic_bool undecided_logged;
};

/*
 * True once a job record was found to be as expected; then it costs one
 * comparison. When it is not, an error is logged, once, and every later call
 * is false: the plugin then changes nothing. A job that says too little (its
 * partition is gone) is false as long as no other has decided; the log says
 * that, too. Any thread, under slurmctld's job and part locks.
 */
bool eqt_guard_ok(struct eqt_guard *guard, const job_record_t *job);

#endif
