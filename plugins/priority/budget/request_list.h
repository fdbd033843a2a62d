/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * request_list: the requests that wait for the budget thread, or whose answers
 * were not fetched yet.
 */
#ifndef EQT_BUDGET_REQUEST_LIST_H
#define EQT_BUDGET_REQUEST_LIST_H

#include <stdbool.h>
#include <time.h>

#include "base/error.h"
#include "budget/entry.h"

/* A request waits for the thread, then for the check of all jobs, and is
 * answered. */
enum eqt_request_state {
	EQT_REQUEST_WAITS,
	EQT_REQUEST_SWEEPS,
	EQT_REQUEST_ANSWERED
};

/* A request; budgets->lock is held, except for entry, which belongs to the
 * thread while the request waits. */

struct eqt_budget_request {
	struct eqt_budget_request *next;
	enum eqt_request_state state;
	bool verify; /* otherwise the entry is carried out */
	struct eqt_entry entry;
	struct eqt_error answer; /* without its first word if it failed */
	bool failed;
	time_t answered;
};

#endif
