/* SPDX-License-Identifier: GPL-2.0-or-later */
/* budget_request: requests to slurmctld about budgets, and its answers. */
#ifndef EQT_BALANCE_BUDGET_REQUEST_H
#define EQT_BALANCE_BUDGET_REQUEST_H

#include "base/error.h"
#include "budget/entry.h"

/* A new id for a request. Never 0. */
uint64_t eqt_budget_request_id(void);

/* A new entry to send. "why", a text for the journal, may be NULL. */
struct eqt_entry eqt_budget_request_new(enum eqt_entry_kind kind,
					const char *why);

/* Send a request and wait for the answer. The id of the request is in the entry. Returns
 * the answer without its first word, which the caller frees with free(). Returns NULL
 * with err filled on error. */
char *eqt_budget_request_entry(const struct eqt_entry *entry,
			       struct eqt_error *err);

/* Like eqt_budget_request_entry(), for a question such as "list 1" or "verify ID". With
 * id 0 the question may be asked any number of times. */
char *eqt_budget_request_question(const char *question, uint64_t id,
				  struct eqt_error *err);

#endif
