/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * shares: the share tree out of what "sshare -alP" prints, ranked anew.
 */
#ifndef EQT_SHARES_H
#define EQT_SHARES_H

#include "tree/tree.h"
#include "slurm/table.h"

/* One association. Strings are borrowed from the table. */
struct eqt_assoc {
	const char *account;
	const char *user; /* NULL: an account's own */
	size_t row; /* of the table */
	uint32_t parent; /* EQT_TREE_NONE: the root */
	uint32_t shares;
	uint64_t usage;
	bool parent_shares;
};

/* Owned; {0} is an empty one. Association i is node i of the tree. */
struct eqt_shares {
	struct eqt_stock_table table;
	uint32_t count;
	struct eqt_assoc *assocs;
	struct eqt_tree *tree; /* ranked */
};

/* How to read it, a plain value; strings are borrowed. */
struct eqt_shares_options {
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
int eqt_shares_read(struct eqt_shares *out,
		    const struct eqt_shares_options *options,
		    struct eqt_error *err);

/* Free what *shares owns; it is empty then. */
void eqt_shares_free(struct eqt_shares *shares);

/*
 * The first association from index on that a name of length bytes means: the
 * account, the user or "account/user"; EQT_TREE_NONE when there is none.
 */
uint32_t eqt_shares_find(const struct eqt_shares *shares, const char *name,
			 size_t length, uint32_t from);

/*
 * The next association above i that has shares of its own, or the root;
 * EQT_TREE_NONE above the root.
 */
uint32_t eqt_shares_above(const struct eqt_shares *shares, uint32_t i);

#endif
