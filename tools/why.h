/* SPDX-License-Identifier: GPL-2.0-or-later */
/* why: explanations, each printed on stdout. They return an exit status, and
 * say on stderr what went wrong. */
#ifndef EQT_WHY_H
#define EQT_WHY_H

#include <stdbool.h>

#include "pending.h"
#include "shares.h"

/*
 * One or two names of users or accounts: the path of each association they
 * mean and, for two, who goes first and where that is decided.
 */
int eqt_why_shares(const struct eqt_shares *shares, const char *const *names,
		   int count, bool stock, bool json);

/* One or two ids of pending jobs: what their points are made of. */
int eqt_why_jobs(const struct eqt_pending *pending, const char *const *ids,
		 int count, bool json);

/* What a Level FS says of one who has it, e.g. "has used 50 % of its share".
 * Returns buf. */
#define EQT_LEVEL_WORDS 96
char *eqt_level_words(const struct eqt_assoc *assoc, long double level_fs,
		      char buf[EQT_LEVEL_WORDS]);

/*
 * The one association that a name means. 0, or -1 with err filled: none, or
 * several, which are listed.
 */
int eqt_shares_choose(uint32_t *out, const struct eqt_shares *shares,
		      const char *name, struct eqt_error *err);

#endif
