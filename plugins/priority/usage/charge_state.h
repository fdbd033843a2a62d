/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * charge_state: the times of charges, and the parts of this folder that both passes and
 * ends of jobs use.
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

/* The pass thread writes the times under assoc_mgr's assoc write lock. The pointers are
 * not owned; nothing to free. */
struct eqt_pass_charge {
	struct eqt_clock *clock;
	struct eqt_walk *walk;
	struct eqt_usage *usage;
	struct eqt_usage_unit *unit;
	struct eqt_ledger *ledger;
	struct eqt_job_charge *jobs;
	struct eqt_completing *completing;

	time_t last_ran;
	/* The time of the snapshot from which a start recovered usage with the whole journal; 0:
	 * there was none, or the first pass is over. */
	time_t recovered;
	/* The time of the pass that is charging: usage has decayed to it, but
	 * some jobs are not charged up to it yet. 0: no pass is charging. */
	time_t passing;
	time_t last_reset;
	time_t reset_from; /* usage has charges from this time on, by the clock of charges */
	time_t next_reset; /* 0: not computed yet */
	uint32_t serial; /* of the configuration that gave next_reset */
	uint32_t half_life_s; /* of the last pass */
};

#endif
