/* SPDX-License-Identifier: GPL-2.0-or-later */
/* repair: usage that went wrong, from the record of charges. */
#ifndef EQT_LEAVE_REPAIR_H
#define EQT_LEAVE_REPAIR_H

#include <stdbool.h>

#include "base/error.h"

struct eqt_repair_options {
	const char *state; /* StateSaveLocation; NULL: that of slurm.conf */
	const char *charges; /* the folder of the record; NULL: its place */
	bool check; /* change nothing */
};

/*
 * While slurmctld is stopped: set usage in its snapshot, of all associations, to what the
 * record of charges says. 0: it is so now, or was so already; 1: it would be changed; -1
 * with err filled, and nothing changed: something cannot be read, slurmctld runs, the
 * snapshot will not be read at the next start.
 */
int eqt_leave_repair(const struct eqt_repair_options *options,
		     struct eqt_error *err);

#endif
