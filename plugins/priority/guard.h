/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * guard: does slurmctld's memory have the layout for which this plugin was
 * built?
 *
 * Slurm compares only the version number. A plugin built with other headers of
 * the same version would read and write wrong addresses. The magic numbers in
 * the first job record show whether the layout is right.
 */
#ifndef EQT_GUARD_H
#define EQT_GUARD_H

#include <stdatomic.h>
#include <stdbool.h>

#include "slurm/compat.h"

/* The result of the check. A struct of zeros means that nothing was checked
 * yet. */
struct eqt_guard {
	atomic_int verdict;
	atomic_bool undecided_logged;
};

/*
 * Does slurmctld have the expected layout of job records?
 *
 * Once a job record was found as expected, each call returns true and costs one
 * comparison. If a record is not as expected, an error is logged once and every
 * later call returns false, so that the plugin changes nothing. A job whose
 * partition was removed does not decide: calls return false until another job
 * does, which is also logged once. Any thread may call this function, with
 * slurmctld's job and part locks held.
 */
bool eqt_guard_ok(struct eqt_guard *guard, const job_record_t *job);

#endif
