/* SPDX-License-Identifier: GPL-2.0-or-later */
/* budget_request: requests to slurmctld about budgets, and its answers. */
#ifndef EQT_BALANCE_BUDGET_REQUEST_H
#define EQT_BALANCE_BUDGET_REQUEST_H

#include "base/error.h"
#include "budget/entry.h"

/* A new id for a request, never 0. */
uint64_t eqt_budget_request_id(void);

/* A new entry to be sent; why, for the journal, may be NULL. */
struct eqt_entry eqt_budget_request_new(enum eqt_entry_kind kind,
					const char *why);

/* Send a request and wait for the answer; entry's request is its id. Returns
 * the answer without its first word, for free(); NULL with err filled. */
char *eqt_budget_request_entry(const struct eqt_entry *entry,
			       struct eqt_error *err);

/* The same for a question, "list 1" or "verify ID"; id 0: it can be asked again. */
char *eqt_budget_request_question(const char *question, uint64_t id,
				  struct eqt_error *err);

#endif
