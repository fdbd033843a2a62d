/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * guard: is slurmctld's memory laid out as this plugin was built for?
 *
 * Slurm compares only the version number. A build with other headers and that number
 * would read and write the wrong addresses. The magic numbers in the first job record
 * show whether the layout is right.
 */
#ifndef EQT_GUARD_H
#define EQT_GUARD_H

#include <stdatomic.h>
#include <stdbool.h>

#include "slurm/compat.h"

/* The result of the check. A plain value: {0} means not checked yet. */
struct eqt_guard {
	atomic_int verdict;
	atomic_bool undecided_logged;
};

/*
 * True once a job record was found as expected; from then on a call costs one
 * comparison. If a record is not as expected, an error is logged once, and every
 * later call returns false: the plugin then changes nothing. A job whose partition is
 * gone does not decide; until another job does, calls return false, which is logged
 * once, too. Any thread, with slurmctld's job and part locks held.
 */
bool eqt_guard_ok(struct eqt_guard *guard, const job_record_t *job);

#endif
