/* SPDX-License-Identifier: GPL-2.0-or-later */
/* differences: the steps from the share tree that there is to the wanted one. */
#ifndef EQT_SHARES_DIFFERENCES_H
#define EQT_SHARES_DIFFERENCES_H

#include "shares/tree_file.h"

/* In the order in which they are done. */
enum eqt_shares_step_kind {
	EQT_SHARES_ADD_ACCOUNT,
	EQT_SHARES_MOVE_ACCOUNT,
	EQT_SHARES_SET_ACCOUNT,
	EQT_SHARES_ADD_USER,
	EQT_SHARES_SET_USER,
	EQT_SHARES_REMOVE_USER,
	EQT_SHARES_REMOVE_ACCOUNT,
	EQT_SHARES_STEPS
};

/* A step; rows are borrowed. */
struct eqt_shares_step {
	enum eqt_shares_step_kind kind;
	const struct eqt_shares_row *wanted;
	const struct eqt_shares_row *now; /* NULL: not there */
	unsigned int depth; /* of an account in the wanted tree */
};

/* Owned; {0} is empty. */
struct eqt_shares_steps {
	struct eqt_shares_step *step;
	size_t count;
};

/*
 * Compare. What is not in the wanted rows stays as it is. 0, or -1 with err filled,
 * which names file and line: an account that does not exist and has no parent, a
 * parent or an account that does not exist, accounts below themselves, a removed
 * account that others are below.
 */
int eqt_shares_steps_make(struct eqt_shares_steps *out,
			  const struct eqt_shares_rows *wanted,
			  const struct eqt_shares_rows *now, const char *file,
			  struct eqt_error *err);

/* The rows that take the steps back, as a file for the next time. 0, or -1: out of
 * memory. */
int eqt_shares_steps_back(struct eqt_shares_rows *out,
			  const struct eqt_shares_steps *steps);

/* "add account", ... ; static text. */
const char *eqt_shares_step_name(enum eqt_shares_step_kind kind);

/* Free what *steps owns; it is empty then. */
void eqt_shares_steps_free(struct eqt_shares_steps *steps);

#endif
