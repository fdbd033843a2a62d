/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * eqt_grant: what becomes of a job whose account has used up what it was
 * granted (Slurm's GrpTRESMins=billing).
 *
 * Amounts are whole billing-minutes, as Slurm counts and compares them; users
 * are told equivalent-hours. Plain values all; nothing here allocates.
 */
#ifndef EQT_GRANT_H
#define EQT_GRANT_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "price/price.h"

#define EQT_GRANTS_MAX 32
#define EQT_ACCOUNT_SIZE 256 /* an account's name, and the NUL */

/* What may be done. */
enum eqt_grant_way {
	EQT_GRANT_IGNORE,
	EQT_GRANT_REFUSE,
	EQT_GRANT_WARN,
	EQT_GRANT_BONUS /* move the job to another QOS */
};

/* What holds for some accounts. */
struct eqt_grant_rule {
	char name[EQT_NAME_SIZE]; /* their name; * is any part of it */
	enum eqt_grant_way spent; /* nothing is left */
	enum eqt_grant_way scarce; /* not enough for the time limit */
	char bonus[EQT_NAME_SIZE]; /* QOS; "": none */
};

struct eqt_grant_list {
	struct eqt_grant_rule rule[EQT_GRANTS_MAX];
	uint32_t count;
};

enum eqt_grant_state { EQT_GRANT_FINE, EQT_GRANT_SCARCE, EQT_GRANT_SPENT };

/* The grant of one association, and the job that would draw on it. */
struct eqt_grant {
	char account[EQT_ACCOUNT_SIZE]; /* who has it */
	char user[EQT_ACCOUNT_SIZE]; /* of one user of it; "": of all */
	uint64_t limit; /* billing-minutes each */
	uint64_t used;
	uint64_t running; /* that jobs may still use that run */
	uint64_t needed; /* by the job, for its time limit; 0: not
				   known */
};

/* The first rule whose name fits an account, or NULL. */
const struct eqt_grant_rule *eqt_grants_find(const struct eqt_grant_list *list,
					     const char *account);

/* What the rule does in that state. */
enum eqt_grant_way eqt_grant_way_of(const struct eqt_grant_rule *rule,
				    enum eqt_grant_state state);

/*
 * billing units times minutes times a QOS' UsageFactor (on the minutes, which
 * are whole, as Slurm has it); UINT64_MAX where that does not fit.
 */
uint64_t eqt_grant_minutes(uint64_t billing, uint64_t minutes, double factor);

/* Compare as Slurm does: what runs counts beside what is needed. */
enum eqt_grant_state eqt_grant_judge(const struct eqt_grant *grant);

/*
 * Say in *out how a grant stands that is spent or scarce, in
 * equivalent-hours, billing_scale units of billing being one equivalent.
 * partition is where so much is needed, of several; NULL: there is but one.
 */
void eqt_grant_text(struct eqt_error *out, const struct eqt_grant *grant,
		    const char *partition, uint64_t billing_scale);

#endif
