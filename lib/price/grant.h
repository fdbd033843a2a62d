/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * grant: what happens to a job whose account has used up its grant (Slurm's
 * GrpTRESMins=billing).
 *
 * Amounts are whole billing-minutes, as Slurm counts and compares them; messages
 * to users have equivalent-hours. All types are plain values; nothing allocates.
 */
#ifndef EQT_GRANT_H
#define EQT_GRANT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "price/price.h"

#define EQT_GRANTS_MAX 32
#define EQT_ACCOUNT_SIZE 256 /* an account's name, and the NUL */

/* What happens to a job whose grant is spent or scarce, by equitree.conf. */
enum eqt_grant_way {
	EQT_GRANT_IGNORE,
	EQT_GRANT_REFUSE,
	EQT_GRANT_WARN,
	EQT_GRANT_BONUS /* move the job to another QOS */
};

/* The rule for the accounts that match a pattern. */
struct eqt_grant_rule {
	char name[EQT_NAME_SIZE]; /* pattern; * matches any characters */
	enum eqt_grant_way spent; /* when nothing is left */
	enum eqt_grant_way scarce; /* when it is too little for the limit */
	char bonus[EQT_NAME_SIZE]; /* QOS; "": none */
};

struct eqt_grant_list {
	struct eqt_grant_rule rule[EQT_GRANTS_MAX];
	uint32_t count;
};

enum eqt_grant_state { EQT_GRANT_FINE, EQT_GRANT_SCARCE, EQT_GRANT_SPENT };

/* The grant of one association, and the job that would draw on it. */
struct eqt_grant {
	char account[EQT_ACCOUNT_SIZE]; /* its owner */
	char user[EQT_ACCOUNT_SIZE]; /* if it is one user's; "": all users' */
	/* All in billing-minutes. */
	uint64_t limit;
	uint64_t used;
	uint64_t running; /* running jobs may still use so much */
	uint64_t needed; /* by the job, for its time limit; 0: not
				   known */
};

/* Does a name match a pattern, where * is any number of characters? The time is at most the
 * product of both lengths. */
bool eqt_grant_pattern_fits(const char *pattern, const char *name);

/* The first rule whose name fits an account, or NULL. */
const struct eqt_grant_rule *eqt_grants_find(const struct eqt_grant_list *list,
					     const char *account);

/* The rule's way for that state. */
enum eqt_grant_way eqt_grant_way_of(const struct eqt_grant_rule *rule,
				    enum eqt_grant_state state);

/*
 * Billing units times minutes times the UsageFactor of a QOS. As in Slurm, the
 * factor is applied to the minutes, which stay whole. UINT64_MAX on overflow.
 */
uint64_t eqt_grant_minutes(uint64_t billing, uint64_t minutes, double factor);

/* Compare as Slurm does: the needs of running jobs and of this job count. */
enum eqt_grant_state eqt_grant_judge(const struct eqt_grant *grant);

/*
 * Describe a spent or scarce grant in *out, in equivalent-hours; billing_scale
 * units of billing are one equivalent. partition names the one of several
 * partitions that needs so much; NULL: there is only one.
 */
void eqt_grant_text(struct eqt_error *out, const struct eqt_grant *grant,
		    const char *partition, uint64_t billing_scale);

#endif
