/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * waiting: the state of each job that draws on budgets: held, committed, or
 * ended. The list is sorted by job id, because jobs are tried in the order of
 * their submission.
 */
#ifndef EQT_BUDGET_WAITING_H
#define EQT_BUDGET_WAITING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

enum eqt_waiting_state {
	EQT_WAITING_HELD, /* The job's priority is 0 until the job fits. */
	EQT_WAITING_COMMITTED, /* The job may start, or is running. */
	/* The run has ended. The job's priority is 0, in case the job is
	   requeued. */
	EQT_WAITING_ENDED
};

struct eqt_waiting_job {
	uint32_t id;
	enum eqt_waiting_state state;
	/* A hash of the committed request, or 0 if the request is not known. */
	uint64_t request;
	uint64_t need_u; /* The need of one task of the job. */
	/* For a held job: a budget of the level that has too little left. */
	uint64_t budget;
	uint32_t explicit_priority; /* Set by an operator; 0 if none was set. */
	/* The job's record does not have the plugin's mark that it needs. */
	bool unmarked;
	/* The job is running, and its commitment is that of its allocation. */
	bool measured;
	/* The start of a run whose nodes are not up yet, or 0 if all nodes are
	   up. */
	time_t booting;
};

/* A struct of zeros is empty. */
struct eqt_waiting {
	struct eqt_waiting_job *job;
	size_t count;
	size_t held; /* The number of jobs in the state EQT_WAITING_HELD. */
};

/* The index of the first job with this id or a higher one, or count if there is
 * none. */
size_t eqt_waiting_place(const struct eqt_waiting *waiting, uint32_t id);

/* The job, or NULL if it is not in the list. The pointer is valid until the
 * next set or forget. */
struct eqt_waiting_job *eqt_waiting_get(const struct eqt_waiting *waiting,
					uint32_t id);

/* Add a job, or replace the job with its id. Returns -1 if memory is short. */
int eqt_waiting_set(struct eqt_waiting *waiting,
		    const struct eqt_waiting_job *job);

/* Remove a job, if it is in the list. eqt_waiting_free() frees the list and
 * makes it empty. */
void eqt_waiting_forget(struct eqt_waiting *waiting, uint32_t id);
void eqt_waiting_free(struct eqt_waiting *waiting);

#endif
