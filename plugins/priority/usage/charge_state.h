/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * charge_state: the times of charges, and the parts of this folder that both
 * passes and ends of jobs use.
 */
#ifndef EQT_CHARGE_STATE_H
#define EQT_CHARGE_STATE_H

#include <time.h>

#include "clock.h"
#include "usage/ends/completing.h"
#include "usage/charge/job_charge.h"
#include "usage/snapshot/ledger.h"
#include "usage/ends/unreported.h"
#include "usage/amounts/usage.h"
#include "usage/amounts/usage_unit.h"
#include "walk/walk.h"

/* The state of charging. The pass thread writes the times while it holds
 * assoc_mgr's assoc lock for writing. The pointers are borrowed, and nothing is
 * to be freed. */
struct eqt_pass_charge {
	struct eqt_clock *clock;
	struct eqt_walk *walk;
	struct eqt_usage *usage;
	struct eqt_usage_unit *unit;
	struct eqt_ledger *ledger;
	struct eqt_job_charge *jobs;
	struct eqt_completing *completing;

	time_t last_ran;
	/* The time of the snapshot, if this start recovered usage from a
	   snapshot and the whole journal. 0 if it did not, or if the first pass
	   is over. */
	time_t recovered;
	/* The time of the pass that is charging: usage has decayed to that
	   time, but some jobs are not charged up to it yet. 0 if no pass is
	   charging. */
	time_t passing;
	time_t last_reset;
	/* The time, by the clock of charges, from which on usage contains
	   charges. */
	time_t reset_from;
	/* When usage is reset next; 0 if that time was not computed yet. */
	time_t next_reset;
	/* The serial number of the configuration that gave next_reset. */
	uint32_t serial;
	uint32_t half_life_s; /* The half-life of the last pass, in seconds. */
};

#endif
