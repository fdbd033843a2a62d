/* SPDX-License-Identifier: GPL-2.0-or-later */
/* user_assocs: the account and the QOS that a user has by default, from slurmdbd. */
#ifndef EQT_SLURM_USER_ASSOCS_H
#define EQT_SLURM_USER_ASSOCS_H

#include "slurm/text/columns.h"

#define EQT_USER_ASSOCS_FORMAT \
	"format=Cluster,User,DefaultAccount,Account,Partition,DefaultQOS,QOS"
#define EQT_USER_ASSOCS_COMMAND \
	"sacctmgr -P show user withassoc " EQT_USER_ASSOCS_FORMAT

/* Owned; {0} is empty: nothing is known. */
struct eqt_user_assocs {
	struct eqt_columns table;
	char cluster[128], user[128];
};

/* Read the associations of a user on a cluster from a file (NULL: ask sacctmgr). What
 * cannot be read is not known: accounting without slurmdbd has no associations. */
void eqt_user_assocs_read(struct eqt_user_assocs *out, const char *cluster,
			  const char *user, const char *path);

/* Free what *assocs owns; *assocs is empty afterwards. */
void eqt_user_assocs_free(struct eqt_user_assocs *assocs);

/* The default account; NULL: not known. Borrowed. */
const char *eqt_user_assocs_account(const struct eqt_user_assocs *assocs);

/* The QOS of a job that names none, by slurmctld's rule; NULL: no association of the
 * account is known. Borrowed. */
const char *eqt_user_assocs_qos(const struct eqt_user_assocs *assocs,
				const char *account, const char *partition);

#endif
