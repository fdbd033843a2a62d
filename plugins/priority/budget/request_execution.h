/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * request_execution: carries out requests in the budget thread. The entry of a
 * request takes effect only after it is on the disk. The amount that it takes
 * is frozen until then.
 */
#ifndef EQT_BUDGET_REQUEST_EXECUTION_H
#define EQT_BUDGET_REQUEST_EXECUTION_H

#include <stdbool.h>
#include <time.h>

#include "base/error.h"
#include "budget/book/budgets.h"
#include "budget/entry.h"

/* A request waits for the thread, then for all jobs to be tried again, and then
 * is answered. */
enum eqt_request_state {
	EQT_REQUEST_WAITS,
	EQT_REQUEST_SWEEPS,
	EQT_REQUEST_ANSWERED
};

/* A request in budgets->requests. budgets->lock protects it, except for the
 * entry, which belongs to the thread while the request waits. */
struct eqt_budget_request {
	struct eqt_budget_request *next;
	enum eqt_request_state state;
	/* The request is to verify the file. Otherwise its entry is carried
	   out. */
	bool verify;
	struct eqt_entry entry;
	/* The answer; if the request failed, without the answer's first
	   word. */
	struct eqt_error answer;
	bool failed;
	time_t answered;
};

/* Carry out the waiting requests. The budget thread calls this without
 * locks. */
void eqt_request_execution_serve(struct eqt_budgets *budgets);

/* Complete an entry, check that it can be carried out, and freeze the amount
 * that it takes. The thread holds budgets->lock until it has planned all
 * entries that it applies together; each of these has another budget. Returns
 * 0, or 1 if the entry was applied before, or -1 with err filled. */
int eqt_request_execution_plan(struct eqt_budgets *budgets,
			       struct eqt_entry *entry, struct eqt_error *err);

/* Write planned entries and apply them. Their lines reach the disk in one sync,
 * and then the entries count. Returns 0, or -1 with err filled. The caller
 * holds no lock. */
int eqt_request_execution_apply(struct eqt_budgets *budgets,
				struct eqt_entry *entry, size_t count,
				struct eqt_error *err);

/* Answer the requests that waited until all jobs were tried again. */
void eqt_request_execution_swept(struct eqt_budgets *budgets);

#endif
