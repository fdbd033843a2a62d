/* SPDX-License-Identifier: GPL-2.0-or-later */
/* send: requests to slurmctld about budgets, and its answers. */
#ifndef EQT_BALANCE_SEND_H
#define EQT_BALANCE_SEND_H

#include "base/error.h"
#include "budget/entry.h"

/* A new id for a request, never 0. */
uint64_t eqt_send_id(void);

/* Send a request and wait for the answer; entry's request is its id. Returns
 * the answer without its first word, for free(); NULL with err filled. */
char *eqt_send_entry(const struct eqt_entry *entry, struct eqt_error *err);

/* The same for a question: "list 1", "verify ID". */
char *eqt_send_question(const char *question, uint64_t id,
			struct eqt_error *err);

#endif
