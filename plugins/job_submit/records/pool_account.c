/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <string.h>

#include "slurm/compat.h"
#include "associations.h"
#include "pool_account.h"

/* The account of a submission, and the account that it should have. */
struct route {
	const struct eqt_pools *pools;
	enum eqt_pool pool;
	uint32_t uid;
	const char *partition;
	bool given; /* by the user, not the default */
	char account[EQT_ACCOUNT_SIZE];
	char wanted[EQT_ACCOUNT_SIZE];
};

/* Refuse, and name accounts that the user could use: only those that can be found
 * without a walk over all associations. why has no full stop. */
static int refuse(const struct route *route, const char *why,
		  struct eqt_error *err)
{
	char list[EQT_ERROR_SIZE / 2], other[EQT_ACCOUNT_SIZE];
	const char *const names[2] = { route->account, other };

	/* An account that was not given is the default one, which was looked for. */
	if (!route->given ||
	    !eqt_associations_default(route->uid, other, sizeof(other)))
		other[0] = '\0';
	eqt_associations_of_pool(route->uid, route->pools, route->pool, names,
				 list, sizeof(list));
	if (list[0] == '\0')
		return eqt_error_set(err,
				     "%s; no account for %s belongs to that "
				     "name or to your default account",
				     why, eqt_rules_pool_name(route->pool));
	return eqt_error_set(err, "%s; your accounts for %s: %s", why,
			     eqt_rules_pool_name(route->pool), list);
}

static int refuse_unknown(const struct route *route, const char *account,
			  struct eqt_error *err)
{
	char why[64];

	(void) snprintf(why, sizeof(why), "you may not use account %.32s",
			account);
	return refuse(route, why, err);
}

static int refuse_other_pool(const struct route *route, struct eqt_error *err)
{
	char why[96];

	(void) snprintf(why, sizeof(why),
			"account %.32s is not for %s, which the job asks for",
			route->account, eqt_rules_pool_name(route->pool));
	return refuse(route, why, err);
}

static bool has(const struct route *route, const char *account)
{
	return eqt_associations_has(route->uid, account, route->partition);
}

/* Does any pool have an account for this name? */
static bool in_pools(const struct route *route)
{
	char name[EQT_ACCOUNT_SIZE];
	int i;

	for (i = 0; i < EQT_POOLS; i++) {
		if (route->pools->suffix[i][0] != '\0' &&
		    eqt_pools_account(route->pools, (enum eqt_pool) i,
				      route->account, name, sizeof(name)) &&
		    eqt_associations_account(name))
			return true;
	}
	return false;
}

/* An account that belongs to no pool stays, if the user may use it. */
static int check_outside(const struct route *route, struct eqt_error *err)
{
	if (!(accounting_enforce & ACCOUNTING_ENFORCE_ASSOCS) ||
	    has(route, route->account))
		return 0;
	return refuse_unknown(route, route->account, err);
}

/* 1: the job goes to the wanted account; 0: it stays; -1: it is refused. */
static int decide(const struct route *route, struct eqt_error *err)
{
	size_t length;
	enum eqt_pool said =
		eqt_pools_of(route->pools, route->account, &length);

	if (said == EQT_POOLS && !in_pools(route))
		return check_outside(route, err);
	if (said != EQT_POOLS && said != route->pool && route->given)
		return refuse_other_pool(route, err);
	if (!has(route, route->wanted))
		return refuse_unknown(route, route->wanted, err);
	return strcmp(route->account, route->wanted) != 0;
}

int eqt_pool_account(char *account, const job_desc_msg_t *desc,
		     const struct eqt_pool_account *to, struct eqt_error *err)
{
	struct route route = { .pools = to->pools,
			       .pool = to->pool,
			       .uid = desc->user_id,
			       .partition = to->partition };
	int rc;

	account[0] = '\0';
	/* Without slurmdbd there are no accounts to choose from. */
	if (!eqt_associations_any())
		return 0;
	route.given = desc->account && desc->account[0] != '\0';
	/* Slurm itself refuses a name that cannot be an account. */
	if (to->own[0] == '\0' ||
	    !eqt_associations_name(route.account, sizeof(route.account),
				   to->own))
		return 0;
	if (!eqt_pools_account(route.pools, route.pool, route.account,
			       route.wanted, sizeof(route.wanted)))
		return 0;
	rc = decide(&route, err);
	if (rc == 1)
		memcpy(account, route.wanted, EQT_ACCOUNT_SIZE);
	return rc;
}
