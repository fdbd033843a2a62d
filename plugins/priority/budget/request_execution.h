/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * request_execution: carries out requests in the budget thread. The entry of a request
 * takes effect only after it is on the disk; the amount that it takes is frozen until
 * then.
 */
#ifndef EQT_BUDGET_REQUEST_EXECUTION_H
#define EQT_BUDGET_REQUEST_EXECUTION_H

#include <stdbool.h>
#include <time.h>

#include "base/error.h"
#include "budget/book/budgets.h"
#include "budget/entry.h"

/* A request waits for the thread, then for the check of all jobs, and is answered. */
enum eqt_request_state {
	EQT_REQUEST_WAITS,
	EQT_REQUEST_SWEEPS,
	EQT_REQUEST_ANSWERED
};

/* A request in budgets->requests. budgets->lock covers it, except for entry, which belongs to
 * the thread while the request waits. */
struct eqt_budget_request {
	struct eqt_budget_request *next;
	enum eqt_request_state state;
	bool verify; /* otherwise the entry is carried out */
	struct eqt_entry entry;
	struct eqt_error answer; /* without its first word if it failed */
	bool failed;
	time_t answered;
};

/* Carry out the waiting requests; for the budget thread, without locks. */
void eqt_request_execution_serve(struct eqt_budgets *budgets);

/* Complete an entry, check that it can be carried out, and freeze the amount that it takes. The
 * thread holds the lock of the budgets until it has planned all entries that it applies
 * together; each of them has another budget. 0; 1: it was done before; -1 with err filled. */
int eqt_request_execution_plan(struct eqt_budgets *budgets,
			       struct eqt_entry *entry, struct eqt_error *err);

/* Write planned entries and apply them: their lines reach the disk in one sync, then they count.
 * 0, or -1 with err filled. Without locks. */
int eqt_request_execution_apply(struct eqt_budgets *budgets,
				struct eqt_entry *entry, size_t count,
				struct eqt_error *err);

/* All jobs have been checked: answer the requests that waited for this. */
void eqt_request_execution_swept(struct eqt_budgets *budgets);

#endif
