/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * state: all that the plugin remembers, in one struct. plugin.c has the one
 * there is; each room declares its own parts, and gets them as parameters. The
 * parts point to those that they use: eqt_state_init() sets these pointers.
 */
#ifndef EQT_STATE_H
#define EQT_STATE_H

#include <pthread.h>
#include <stdbool.h>
#include <time.h>

#include "budget/budgets.h"
#include "configuration.h"
#include "factors/priority.h"
#include "guard.h"
#include "rank/job_copies.h"
#include "rank/job_factors.h"
#include "rank/share_tree.h"
#include "rate/rate_cache.h"
#include "usage/pass_charge.h"
#include "usage/run_watch.h"
#include "usage/usage_unit.h"
#include "walk/walk.h"

/* The pass thread and what it is asked to do (pass.c). */
struct eqt_pass {
	pthread_mutex_t lock; /* covers the flags, with the condition */
	pthread_cond_t wake;
	pthread_t thread;
	bool running;
	bool stop;
	bool now; /* run a pass without waiting */
	bool limits; /* run seconds have been rebuilt */
	bool completing; /* jobs that have ended may hold nodes */
	bool again; /* not the first start in this process */

	bool looks; /* for ends that slurmctld does not report (run_watch.h) */
	struct timespec look; /* the next one; both are the pass thread's own */
	bool slow; /* the last pass was; the pass thread's own */
	time_t due; /* stock_clock: when the last pass was to run */
};

struct eqt_state {
	/* These outlive a fini(): the plugin stays in memory, and a slurmctld
	 * whose successor fails starts it again. */
	struct eqt_config_store config;
	struct eqt_guard guard;
	struct eqt_rate_cache rates;
	struct eqt_pass pass;

	struct eqt_walk *walk; /* owned; NULL but between init and fini */

	struct eqt_usage usage;
	struct eqt_state_folder folder;
	struct eqt_journal journal;
	struct eqt_usage_unit unit;
	struct eqt_ledger ledger;
	struct eqt_job_marks marks;
	struct eqt_lost_end lost;
	struct eqt_run_secs_rebuild rebuild;
	struct eqt_billing_tres billing;
	struct eqt_job_charge charge;
	struct eqt_run_watch watch;
	struct eqt_completing completing;
	struct eqt_pass_charge pass_charge;

	struct eqt_budgets budgets;

	struct eqt_share_tree tree;
	struct eqt_job_copies copies;
	struct eqt_job_factors job_factors;

	struct eqt_job_size size;
	struct eqt_priority priority;
};

/* Before eqt_state_init(); the locks can be taken. */
#define EQT_STATE                                                          \
	{                                                                  \
		.config = EQT_CONFIG_STORE, .journal = EQT_JOURNAL_CLOSED, \
		.pass = { .lock = PTHREAD_MUTEX_INITIALIZER },             \
		.job_factors = EQT_JOB_FACTORS, .size = EQT_JOB_SIZE,      \
		.budgets = EQT_BUDGETS,                                    \
	}

/* Join the parts, for a configuration that is loaded. 0, or -1 with err filled:
 * out of memory. */
int eqt_state_init(struct eqt_state *state, struct eqt_error *err);

/* Free and forget what does not outlive a fini(); the pass thread is gone. Takes
 * assoc_mgr's assoc lock for reading. */
void eqt_state_clear(struct eqt_state *state);

#endif
