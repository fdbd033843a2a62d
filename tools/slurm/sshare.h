/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * shares: the share tree out of what "sshare -alP" prints, ranked anew.
 */
#ifndef EQT_SLURM_SSHARE_H
#define EQT_SLURM_SSHARE_H

#include "tree/tree.h"
#include "slurm/columns.h"

/* One association. Strings are borrowed from the table. */
struct eqt_sshare_assoc {
	const char *account;
	const char *user; /* NULL: an account's own */
	size_t row; /* of the table */
	uint32_t parent; /* EQT_TREE_NONE: the root */
	uint32_t shares;
	uint64_t usage;
	bool parent_shares;
};

/* Owned; {0} is an empty one. Association i is node i of the tree. */
struct eqt_sshare {
	struct eqt_columns table;
	uint32_t count;
	struct eqt_sshare_assoc *assocs;
	struct eqt_tree *tree; /* ranked */
};

/* How to read it, a plain value; strings are borrowed. */
struct eqt_sshare_options {
	const char *path; /* NULL: ask sshare; "-": stdin */
	const char *const *sets; /* "account[/user]=SHARES" */
	size_t set_count;
	bool stock; /* rank as Slurm does */
};

/*
 * Read, change as the sets say, and rank. 0, or -1 with err filled: what
 * stock_text and stock_table refuse, a missing column, rows that make no
 * tree, a list that is not complete (its NormShares tell), a set that names
 * nothing.
 */
int eqt_sshare_read(struct eqt_sshare *out,
		    const struct eqt_sshare_options *options,
		    struct eqt_error *err);

/* Free what *shares owns; it is empty then. */
void eqt_sshare_free(struct eqt_sshare *shares);

/*
 * The first association from index on that a name of length bytes means: the
 * account, the user or "account/user"; EQT_TREE_NONE when there is none.
 */
uint32_t eqt_sshare_find(const struct eqt_sshare *shares, const char *name,
			 size_t length, uint32_t from);

/*
 * The next association above i that has shares of its own, or the root;
 * EQT_TREE_NONE above the root.
 */
uint32_t eqt_sshare_above(const struct eqt_sshare *shares, uint32_t i);

#endif
