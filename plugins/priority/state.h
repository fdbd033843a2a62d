/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * state: the whole mutable state of the plugin in one struct. Only plugin.c has
 * an instance of the struct. Each folder declares its own part and gets this
 * part as a parameter. The parts point to the parts that they use, and
 * eqt_state_init() sets these pointers.
 */
#ifndef EQT_STATE_H
#define EQT_STATE_H

#include <pthread.h>
#include <stdbool.h>
#include <time.h>

#include "budget/book/budgets.h"
#include "clock.h"
#include "configuration.h"
#include "factors/priority.h"
#include "guard.h"
#include "rank/job_copies.h"
#include "rank/job_factors.h"
#include "rank/share_tree.h"
#include "rate/job_rate.h"
#include "usage/pass_charge.h"
#include "usage/ends/unreported.h"
#include "usage/amounts/usage_unit.h"
#include "walk/walk.h"

/* The pass thread and the requests to it. Only pass.c uses this struct. */
struct eqt_pass {
	/* Protects the flags, together with the condition. */
	pthread_mutex_t lock;
	pthread_cond_t wake;
	pthread_t thread;
	bool running;
	/* Both `stop` and `limits` may be read without the lock. */
	atomic_bool stop;
	bool now; /* Run a pass without waiting. */
	atomic_bool limits; /* slurmctld has rebuilt all run-seconds. */
	bool completing; /* Ended jobs may still hold nodes. */
	bool again; /* This process started the plugin before. */

	/* Only the pass thread uses the members below. */
	bool looks; /* Search for ends that slurmctld does not report. */
	/* The time of the next search; see unreported.h. */
	struct timespec look;
	bool rarer; /* Rankings were once less frequent than rank_every. */
	bool slow; /* The last pass took longer than its period. */
	/* With stock_compat: the time at which the last pass was due. */
	time_t due;
};

struct eqt_state {
	/* These members survive fini(): the plugin stays in memory, and
	   slurmctld calls init() again if its successor failed at a
	   reconfigure. */
	struct eqt_config_store config;
	struct eqt_guard guard;
	struct eqt_clock clock;
	struct eqt_rate_cache rates;
	struct eqt_pass pass;

	struct eqt_walk *walk; /* Owned; NULL before init() and after fini(). */

	struct eqt_usage usage;
	struct eqt_state_owner owner;
	struct eqt_state_folder folder;
	struct eqt_journal journal;
	struct eqt_charge_days days;
	struct eqt_run_record record;
	struct eqt_usage_unit unit;
	struct eqt_ledger ledger;
	struct eqt_run_secs_rebuild rebuild;
	struct eqt_billing_tres billing;
	struct eqt_job_charge charge;
	struct eqt_runs runs;
	struct eqt_stretch_sink sink;
	struct eqt_completing completing;
	struct eqt_pass_charge pass_charge;

	struct eqt_budgets budgets;

	struct eqt_share_tree tree;
	struct eqt_job_copies copies;
	struct eqt_job_factors job_factors;

	struct eqt_job_size size;
	struct eqt_priority priority;
};

/* The initial value, with which locks can be taken before eqt_state_init(). */
#define EQT_STATE                                                          \
	{                                                                  \
		.config = EQT_CONFIG_STORE, .journal = EQT_JOURNAL_CLOSED, \
		.pass = { .lock = PTHREAD_MUTEX_INITIALIZER },             \
		.owner = EQT_STATE_OWNER, .job_factors = EQT_JOB_FACTORS,  \
		.size = EQT_JOB_SIZE, .budgets = EQT_BUDGETS,              \
		.days = EQT_CHARGE_DAYS,                                   \
	}

/* Connect the parts, after the configuration was loaded. Returns 0, or -1 with
 * err filled if memory is short. */
int eqt_state_init(struct eqt_state *state, struct eqt_error *err);

/* Free the parts that do not survive fini(), after the pass thread has ended.
 * The function takes assoc_mgr's assoc lock for reading. */
void eqt_state_clear(struct eqt_state *state);

#endif
