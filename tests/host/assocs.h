/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * assocs: accounts, users and QOS, given to assoc_mgr the way an update from
 * slurmdbd is.
 */
#ifndef EQT_HOST_ASSOCS_H
#define EQT_HOST_ASSOCS_H

#include "../../plugins/slurm/compat.h"
#include "words.h"

/* Let assoc_mgr begin with empty lists, as if it ran from its cache. */
void assocs_begin(void);

/* The root association, which every cluster has; id 1. */
void assocs_add_root(void);

/* "account NAME parent=P" and "user NAME account=A"; "qos NAME". They wait in
 * a list until assocs_flush(), since each update normalizes the whole tree. */
void assocs_add_account(const struct words *words);
void assocs_add_user(const struct words *words);
void assocs_add_qos(const struct words *words);
void assocs_flush(void);

/* The usage of a QOS becomes 0, as an operator's sacctmgr has it. */
void assocs_reset_qos(const struct words *words);

/* Remove an account's or a user's association; usage goes to its parent. */
void assocs_remove(const struct words *words);

/* Other shares for an association that is there. */
void assocs_modify(const struct words *words);

/* Take its parent from an association, as a damaged database does. */
void assocs_orphan(const struct words *words);

/* The association of a user (NULL: the account's own); the program fails when
 * there is none. Valid until it is removed. */
slurmdb_assoc_rec_t *assocs_find(const char *account, const char *user);
slurmdb_qos_rec_t *assocs_qos(const char *name);

/* The same number for the same name, from 1000 on. */
uint32_t assocs_uid(const char *user);

/* slurmctld's memory after a start: no usage but what its own state files
 * hold, no factors, no run-seconds. */
void assocs_forget(void);

/* Associations that are read anew have their shares normalized by the flags
 * that are in slurm.conf now. */
void assocs_normalize(void);

void assocs_free(void);

#endif
