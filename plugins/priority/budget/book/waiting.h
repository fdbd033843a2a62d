/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * waiting: the state of each job that draws on budgets: held, committed, or ended. The
 * list is ordered by job id, because jobs are tried in the order of their submission.
 */
#ifndef EQT_BUDGET_WAITING_H
#define EQT_BUDGET_WAITING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

enum eqt_waiting_state {
	EQT_WAITING_HELD, /* priority 0 until it fits */
	EQT_WAITING_COMMITTED, /* it may start, or runs */
	EQT_WAITING_ENDED /* priority 0, in case it is requeued */
};

struct eqt_waiting_job {
	uint32_t id;
	enum eqt_waiting_state state;
	uint64_t request; /* a hash of the committed request; 0: not known */
	uint64_t need_u; /* of one task */
	uint64_t
		budget; /* of a held job: a budget of the level that has too little */
	uint32_t explicit_priority; /* set by an operator; 0: none */
	bool unmarked; /* its record needs its mark again */
	bool measured; /* it runs, and its commitment is that of its allocation */
	time_t booting; /* the start of a run whose nodes are not up yet; 0: they are */
};

/* {0} is empty. */
struct eqt_waiting {
	struct eqt_waiting_job *job;
	size_t count;
	size_t held; /* in that state */
};

/* The index of the first job with this id or a higher one; count if there is none. */
size_t eqt_waiting_place(const struct eqt_waiting *waiting, uint32_t id);

/* The job, or NULL. Valid until the next set or forget. */
struct eqt_waiting_job *eqt_waiting_get(const struct eqt_waiting *waiting,
					uint32_t id);

/* Add a job, or replace the one with its id. -1: out of memory. */
int eqt_waiting_set(struct eqt_waiting *waiting,
		    const struct eqt_waiting_job *job);

/* Remove a job, if it is there; free all, and be empty. */
void eqt_waiting_forget(struct eqt_waiting *waiting, uint32_t id);
void eqt_waiting_free(struct eqt_waiting *waiting);

#endif
