/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * assocs: accounts, users and QOS, given to assoc_mgr the way an update from
 * slurmdbd is.
 */
#ifndef EQT_HOST_ASSOCS_H
#define EQT_HOST_ASSOCS_H

#include "../../plugins/slurm/compat.h"
#include "words.h"

/* Let assoc_mgr start with empty lists, as if slurmdbd were down. */
void assocs_begin(void);

/* The root association, which every cluster has; id 1. */
void assocs_add_root(void);

/* "account NAME parent=P" and "user NAME account=A"; "qos NAME". They wait in
 * a list until assocs_flush(), since each update normalizes the whole tree. */
void assocs_add_account(const struct words *words);
void assocs_add_user(const struct words *words);
void assocs_add_qos(const struct words *words);
void assocs_flush(void);

/* Reset the usage of a QOS or an association to 0, like sacctmgr. */
void assocs_reset(const struct words *words);

/* Remove an account's or a user's association; usage goes to its parent. */
void assocs_remove(const struct words *words);

/* Set other shares for an existing association. */
void assocs_modify(const struct words *words);

/* Remove an association's parent, like a damaged database. */
void assocs_orphan(const struct words *words);

/* The association of a user (NULL: that of the account itself). Ends the
 * program if there is none. Valid until it is removed. */
slurmdb_assoc_rec_t *assocs_find(const char *account, const char *user);
slurmdb_qos_rec_t *assocs_qos(const char *name);

/*
 * A number for a name, from 1000 on; the same name always has the same number.
 */
uint32_t assocs_uid(const char *user);

/* The state of memory after a start of slurmctld: no usage beyond its own state
 * files, no factors, no run-seconds. */
void assocs_forget(void);

/* Read all associations again, with their shares normalized by the current
 * flags of slurm.conf. */
void assocs_normalize(void);

void assocs_free(void);

#endif
