/* SPDX-License-Identifier: GPL-2.0-or-later */
/* repair: replaces wrong usage by the sums of the record of charges. */
#ifndef EQT_LEAVE_REPAIR_H
#define EQT_LEAVE_REPAIR_H

#include <stdbool.h>

#include "base/error.h"

struct eqt_repair_options {
	const char *state; /* StateSaveLocation; NULL: that of slurm.conf */
	const char *
		charges; /* the folder of the record; NULL: that of equitree.conf */
	bool check; /* change nothing */
};

/*
 * While slurmctld is stopped, set the usage of all associations in its snapshot to the sums
 * of the record of charges. 0: the usage agrees now; 1: with check, it does not agree; -1
 * with err filled, and nothing changed: something cannot be read, slurmctld runs, or it will
 * not read the snapshot at its next start.
 */
int eqt_leave_repair(const struct eqt_repair_options *options,
		     struct eqt_error *err);

#endif
