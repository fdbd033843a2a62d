/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sshare: the share tree, read from the output of "sshare -alP" and then ranked. */
#ifndef EQT_SLURM_SSHARE_H
#define EQT_SLURM_SSHARE_H

#include "tree/tree.h"
#include "slurm/text/columns.h"

/* One association. Strings are borrowed from the table. */
struct eqt_sshare_assoc {
	const char *account;
	/* NULL: this is the association of the account itself */
	const char *user;
	size_t row; /* index of its row in the table */
	uint32_t parent; /* EQT_TREE_NONE for the root */
	uint32_t shares;
	uint64_t usage;
	const char *tres; /* GrpTRESRaw; "": there is no such column */
	bool parent_shares;
};

/* Owns its memory; {0} is empty. Association i is node i of the tree. */
struct eqt_sshare {
	struct eqt_columns table;
	uint32_t count;
	struct eqt_sshare_assoc *assocs;
	struct eqt_tree *tree; /* ranked */
};

/* Options of eqt_sshare_read(). A plain value; strings are borrowed. */
struct eqt_sshare_options {
	const char *path; /* NULL: run sshare; "-": read stdin */
	const char *const *sets; /* changes to make, "account[/user]=SHARES" */
	size_t set_count;
	bool stock; /* rank like Slurm's own plugin */
	bool any_norms; /* do not check that NormShares agree with the rows */
	bool tres; /* request GrpTRESRaw from sshare */
};

/*
 * Read the tree, apply "sets", and rank. Returns 0, or -1 with err filled. Possible
 * errors: an error of eqt_listing_read() or eqt_columns_cut_names(), a missing column,
 * rows that do not form a tree, a list that is incomplete by its NormShares, a set whose
 * name does not exist.
 */
int eqt_sshare_read(struct eqt_sshare *out,
		    const struct eqt_sshare_options *options,
		    struct eqt_error *err);

/* Free what *shares owns. *shares is empty afterwards. */
void eqt_sshare_free(struct eqt_sshare *shares);

/* The first association, from index "from" on, with a name of length bytes. The name is
 * an account, a user or "account/user". EQT_TREE_NONE if there is none. */
uint32_t eqt_sshare_find(const struct eqt_sshare *shares, const char *name,
			 size_t length, uint32_t from);

/* The nearest association above i that has shares of its own, or the root. EQT_TREE_NONE
 * if i is the root. */
uint32_t eqt_sshare_above(const struct eqt_sshare *shares, uint32_t i);

/* The association of a user. Strings are borrowed from the share tree. */
struct eqt_sshare_user {
	const char *user, *account;
	uint32_t assoc;
};

/* Users sorted by name, account and position in the tree. Owns its memory; {0} is
 * empty. */
struct eqt_sshare_index {
	struct eqt_sshare_user *users;
	uint32_t count;
};

/* Make an index of all users, which borrows from shares. */
void eqt_sshare_index_make(struct eqt_sshare_index *out,
			   const struct eqt_sshare *shares);

/* Free what *index owns. *index is empty afterwards. */
void eqt_sshare_index_free(struct eqt_sshare_index *index);

/* The association of the account with this name, or EQT_TREE_NONE. */
uint32_t eqt_sshare_account(const struct eqt_sshare *shares, const char *name);

/* The first association of this user in this account, or EQT_TREE_NONE. */
uint32_t eqt_sshare_index_find(const struct eqt_sshare_index *index,
			       const char *user, const char *account);

/* A number that identifies a user in all of the user's accounts. */
uint32_t eqt_sshare_index_person(const struct eqt_sshare_index *index,
				 const char *user);

#endif
