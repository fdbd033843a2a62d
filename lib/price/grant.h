/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * grant: what happens to a job whose account has used up its grant. A grant is Slurm's
 * limit GrpTRESMins=billing.
 *
 * Amounts are whole billing-minutes, as in Slurm. Messages to users have
 * equivalent-hours. All types are plain values, and nothing is allocated.
 */
#ifndef EQT_GRANT_H
#define EQT_GRANT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "price/price.h"

#define EQT_GRANTS_MAX 32
#define EQT_ACCOUNT_SIZE 256 /* bytes for the name of an account and a NUL */

/* What is done with a job whose grant is spent or scarce, as equitree.conf says. */
enum eqt_grant_way {
	EQT_GRANT_IGNORE,
	EQT_GRANT_REFUSE,
	EQT_GRANT_WARN,
	EQT_GRANT_BONUS /* move the job to another QOS */
};

/* The rule for the accounts that match a pattern. */
struct eqt_grant_rule {
	/* The pattern, in which * matches any characters. */
	char name[EQT_NAME_SIZE];
	/* What to do when nothing of the grant is left. */
	enum eqt_grant_way spent;
	/* What to do when less is left than the job may use up to its time limit. */
	enum eqt_grant_way scarce;
	/* The QOS for EQT_GRANT_BONUS; "" if there is none. */
	char bonus[EQT_NAME_SIZE];
};

struct eqt_grant_list {
	struct eqt_grant_rule rule[EQT_GRANTS_MAX];
	uint32_t count;
};

enum eqt_grant_state { EQT_GRANT_FINE, EQT_GRANT_SCARCE, EQT_GRANT_SPENT };

/* The grant of one association, and the job that would draw on it. */
struct eqt_grant {
	char account[EQT_ACCOUNT_SIZE]; /* the account of the association */
	/* The user of the association; "" if the association is the account itself. */
	char user[EQT_ACCOUNT_SIZE];
	/* The members below are in billing-minutes. */
	uint64_t limit;
	uint64_t used;
	/* What running jobs may still use up to their time limits. */
	uint64_t running;
	/* What the job may use up to its time limit; 0 if that is not known. */
	uint64_t needed;
};

/* Does a name match a pattern in which * stands for any number of characters? The time
 * is at most proportional to the product of the two lengths. */
bool eqt_grant_pattern_fits(const char *pattern, const char *name);

/* Return the first rule whose pattern matches the name of an account, or NULL. */
const struct eqt_grant_rule *eqt_grants_find(const struct eqt_grant_list *list,
					     const char *account);

/* Return what a rule says about a grant in this state. */
enum eqt_grant_way eqt_grant_way_of(const struct eqt_grant_rule *rule,
				    enum eqt_grant_state state);

/*
 * Return billing units times minutes times the UsageFactor of a QOS. As in Slurm, the
 * minutes are multiplied by the factor and cut to whole minutes first. Return
 * UINT64_MAX on overflow.
 */
uint64_t eqt_grant_minutes(uint64_t billing, uint64_t minutes, double factor);

/* Compare a grant with its limit as Slurm does, counting the needs of the running jobs
 * and of this job. */
enum eqt_grant_state eqt_grant_judge(const struct eqt_grant *grant);

/*
 * Describe a spent or scarce grant in *out, in equivalent-hours. One equivalent is
 * billing_scale billing units. `partition` is the partition in which the job needs so
 * much, if it asks for several partitions; otherwise it is NULL.
 */
void eqt_grant_text(struct eqt_error *out, const struct eqt_grant *grant,
		    const char *partition, uint64_t billing_scale);

#endif
