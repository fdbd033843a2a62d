/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * charge_state: the moments of charges, and the parts of this folder that passes and
 * ends of jobs use together.
 */
#ifndef EQT_CHARGE_STATE_H
#define EQT_CHARGE_STATE_H

#include <time.h>

#include "slurm/compat.h"
#include "configuration.h"
#include "guard.h"
#include "usage/completing.h"
#include "usage/job_charge.h"
#include "usage/ledger.h"
#include "usage/lost_end.h"
#include "usage/run_watch.h"
#include "usage/usage.h"
#include "usage/usage_unit.h"
#include "walk/walk.h"

/* The moments of charges, written by the pass thread under assoc_mgr's assoc
 * write lock. The pointers are not owned; nothing to free. */
struct eqt_pass_charge {
	struct eqt_guard *guard;
	struct eqt_walk *walk;
	struct eqt_usage *usage;
	struct eqt_usage_unit *unit;
	struct eqt_ledger *ledger;
	struct eqt_lost_end *lost;
	struct eqt_job_charge *jobs;
	struct eqt_run_watch *watch;
	struct eqt_completing *completing;

	time_t last_ran;
	/* While a pass charges: usage is as of then, but some jobs are not
	 * charged up to then yet. 0: no pass charges. */
	time_t passing;
	time_t last_reset;
	time_t next_reset; /* 0: not worked out yet */
	uint32_t serial; /* of the configuration that it was worked out by */
	uint32_t half_life_s; /* of the last pass */
};

#endif
