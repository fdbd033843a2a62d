/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sshare_index: the users of a share tree by name, for many searches. */
#ifndef EQT_SLURM_SSHARE_INDEX_H
#define EQT_SLURM_SSHARE_INDEX_H

#include "slurm/sshare.h"
#include "slurm/scontrol/records.h"

/* A user's association; strings are borrowed from the share tree. */
struct eqt_sshare_user {
	const char *user, *account;
	uint32_t assoc;
};

/* Sorted by user, account and position in the tree. Owned; {0} is empty. */
struct eqt_sshare_index {
	struct eqt_sshare_user *users;
	uint32_t count;
};

/* Index all users; borrows from shares. 0, or -1 with err filled: out of
 * memory. */
int eqt_sshare_index_make(struct eqt_sshare_index *out,
			  const struct eqt_sshare *shares,
			  struct eqt_error *err);

/* Free what *index owns; it is empty then. */
void eqt_sshare_index_free(struct eqt_sshare_index *index);

/* The first association of that user in that account, or EQT_TREE_NONE. */
uint32_t eqt_sshare_index_find(const struct eqt_sshare_index *index,
			       struct eqt_scontrol_value user,
			       struct eqt_scontrol_value account);

/* A number that identifies a user across accounts. */
uint32_t eqt_sshare_index_person(const struct eqt_sshare_index *index,
				 struct eqt_scontrol_value user);

#endif
