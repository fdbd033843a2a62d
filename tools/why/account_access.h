/* SPDX-License-Identifier: GPL-2.0-or-later */
/* account_access: whether a job's partition allows its account, by AllowAccounts and
 * DenyAccounts. From 23.02 on Slurm gives no reason for a job whose account is not. */
#ifndef EQT_WHY_ACCOUNT_ACCESS_H
#define EQT_WHY_ACCOUNT_ACCESS_H

#include "why/wait.h"

/* Whether the account is sure not to be allowed: later releases allow the accounts
 * below an allowed one, too. */
bool eqt_why_account_is_kept_out(const struct eqt_why_wait *wait);

/* "partition long has AllowAccounts=physics"; "" where the account is allowed. */
void eqt_why_account_words(char *buf, size_t size,
			   const struct eqt_why_wait *wait);

#endif
