/* SPDX-License-Identifier: GPL-2.0-or-later */
/* repair: replaces wrong usage by the sums of the record of charges. */
#ifndef EQT_LEAVE_REPAIR_H
#define EQT_LEAVE_REPAIR_H

#include <stdbool.h>

#include "base/error.h"

struct eqt_repair_options {
	const char *state; /* StateSaveLocation; NULL: that of slurm.conf */
	const char *
		charges; /* folder of the record; NULL: that of equitree.conf */
	bool check; /* only check, and change nothing */
};

/*
 * While slurmctld is stopped, set the usage of all associations in its snapshot to the
 * sums of the record of charges. Returns 0 if the usage agrees now. With "check", returns
 * 1 if it does not agree. Returns -1 with err filled, and changes nothing, if a file
 * cannot be read, if slurmctld runs, or if slurmctld would not read the snapshot at its
 * next start.
 */
int eqt_leave_repair(const struct eqt_repair_options *options,
		     struct eqt_error *err);

#endif
