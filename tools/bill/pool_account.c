/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rules and the words are those of plugins/job_submit/records/pool_account.c, which
 * knows the accounts of the user as well. */
#include <string.h>

#include "base/text.h"
#include "bill/pool_account.h"

/* The account of a pool, or -1 with err: the request names that of the other. */
static int account_of_pool(char account[EQT_ACCOUNT_SIZE],
			   const struct eqt_pools *pools, enum eqt_pool pool,
			   const char *own, struct eqt_error *err)
{
	size_t length;
	enum eqt_pool named = eqt_pools_of(pools, own, &length);

	if (named != EQT_POOLS && named != pool)
		return eqt_error_set(
			err,
			"account %.32s is not for %s, which the job asks for",
			own, eqt_rules_pool_name(pool));
	if (!eqt_pools_account(pools, pool, own, account, EQT_ACCOUNT_SIZE))
		(void) memcpy(account, own, strlen(own) + 1);
	return 0;
}

int eqt_bill_pool_account(char account[EQT_ACCOUNT_SIZE],
			  const struct eqt_pools *pools, const char *named,
			  const struct eqt_quote *quote, struct eqt_error *err)
{
	char own[EQT_ACCOUNT_SIZE], gpus[EQT_ACCOUNT_SIZE];
	enum eqt_pool pool = quote->low.gpu_pool ? EQT_POOL_GPU : EQT_POOL_CPU;

	account[0] = '\0';
	if (!eqt_pools_any(pools) || !named || named[0] == '\0' ||
	    !eqt_text_lower(own, sizeof(own), named))
		return 0;
	if (account_of_pool(account, pools, quote->also ? EQT_POOL_CPU : pool,
			    own, err) < 0 ||
	    (quote->also &&
	     account_of_pool(gpus, pools, EQT_POOL_GPU, own, err) < 0))
		return -1;
	if (quote->also && strcmp(account, gpus) != 0)
		return eqt_error_set(
			err,
			"the job may get nodes that are charged to account "
			"%.64s or nodes that are charged to account %.64s, and "
			"Slurm cannot change the account when it starts; name "
			"a partition or nodes of one kind",
			account, gpus);
	if (strcmp(account, own) == 0)
		account[0] = '\0';
	return 0;
}
