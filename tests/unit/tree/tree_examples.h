/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tree_examples: share trees small enough to be ranked by hand, by the
 * documented rule and by that of Slurm 22.05.
 */
#ifndef EQT_TESTS_TREE_EXAMPLES_H
#define EQT_TESTS_TREE_EXAMPLES_H

#include <float.h>
#include <stdint.h>

#include "tree/tree.h"

#define ROOT EQT_TREE_NONE
#define NODES_MAX 24

enum kind { ACCOUNT, USER, PARENT_ACCOUNT, PARENT_USER };

struct node {
	const char *name;
	uint32_t parent;
	enum kind kind;
	uint32_t shares;
	long double usage;
	uint32_t rank; /* as documented */
	uint32_t stock; /* as in Slurm */
};

struct example {
	const char *name;
	struct node nodes[NODES_MAX]; /* up to the first row without a name */
};

static const struct example examples[] = {
	{ "accounts without shares are tied",
	  { { "root", ROOT, ACCOUNT, 1, 115, 0, 0 },
	    { "A", 0, ACCOUNT, 0, 40, 0, 0 },
	    { "B", 0, ACCOUNT, 0, 40, 0, 0 },
	    { "C", 0, ACCOUNT, 1, 40, 0, 0 },
	    { "a1", 1, USER, 1, 10, 5, 5 },
	    { "a2", 1, USER, 1, 30, 2, 4 },
	    { "b1", 2, USER, 1, 5, 5, 4 },
	    { "b2", 2, USER, 1, 15, 2, 1 },
	    { "b3", 2, USER, 2, 20, 3, 2 },
	    { "c1", 3, USER, 1, 40, 6, 6 } } },
	{ "seven users, two accounts without shares",
	  { { "root", ROOT, ACCOUNT, 1, 19000, 0, 0 },
	    { "a", 0, ACCOUNT, 0, 10000, 0, 0 },
	    { "u1", 1, USER, 3, 3128, 4, 4 },
	    { "u2", 1, USER, 1, 6872, 1, 3 },
	    { "b", 0, ACCOUNT, 0, 3000, 0, 0 },
	    { "u3", 4, USER, 3, 2000, 3, 3 },
	    { "u4", 4, USER, 1, 1000, 2, 1 },
	    { "c", 0, ACCOUNT, 10, 6000, 0, 0 },
	    { "u5", 7, USER, 1, 1000, 7, 7 },
	    { "u6", 7, USER, 1, 2000, 6, 6 },
	    { "u7", 7, USER, 1, 3000, 5, 5 } } },
	{ "used accounts with equal quotients are tied",
	  { { "root", ROOT, ACCOUNT, 1, 60, 0, 0 },
	    { "a", 0, ACCOUNT, 1, 20, 0, 0 },
	    { "b", 0, ACCOUNT, 2, 40, 0, 0 },
	    { "a1", 1, USER, 1, 5, 4, 4 },
	    { "a2", 1, USER, 1, 15, 1, 3 },
	    { "b1", 2, USER, 1, 18, 3, 3 },
	    { "b2", 2, USER, 1, 22, 2, 1 } } },
	{ "site with high, low and normal accounts",
	  { { "root", ROOT, ACCOUNT, 1, 1000, 0, 0 },
	    { "bloggs", 0, ACCOUNT, 5, 0.4L, 0, 0 },
	    { "bloggs.prj.high", 1, ACCOUNT, 100, 0, 0, 0 },
	    { "abc123 high", 2, PARENT_USER, 0, 0, 9, 9 },
	    { "ijk456 high", 2, PARENT_USER, 0, 0, 9, 9 },
	    { "xyz789 high", 2, PARENT_USER, 0, 0, 9, 9 },
	    { "bloggs.prj.low", 1, ACCOUNT, 1, 0, 0, 0 },
	    { "abc123 low", 6, USER, 10, 0, 9, 9 },
	    { "ijk456 low", 6, USER, 10, 0, 9, 9 },
	    { "xyz789 low", 6, USER, 10, 0, 9, 9 },
	    { "bloggs.prj", 1, ACCOUNT, 10, 0.4L, 0, 0 },
	    { "abc123", 10, USER, 10, 0, 3, 3 },
	    { "ijk456", 10, USER, 10, 0, 3, 3 },
	    { "xyz789", 10, USER, 10, 0.4L, 1, 1 },
	    { "others", 0, ACCOUNT, 2943, 999, 0, 0 } } },
	{ "parent_shares accounts, nested",
	  { { "root", ROOT, ACCOUNT, 1, 60, 0, 0 },
	    { "p", 0, PARENT_ACCOUNT, 7, 40, 0, 0 },
	    { "q", 1, PARENT_ACCOUNT, 7, 40, 0, 0 },
	    { "v", 2, USER, 1, 20, 3, 3 },
	    { "w", 2, PARENT_USER, 0, 20, 6, 6 },
	    { "c", 0, ACCOUNT, 2, 20, 0, 0 },
	    { "c1", 5, USER, 1, 20, 4, 4 },
	    { "d", 2, ACCOUNT, 1, 40, 0, 0 },
	    { "d1", 7, USER, 1, 20, 2, 2 },
	    { "d2", 7, USER, 1, 20, 2, 2 },
	    { "x", 1, PARENT_USER, 0, 60, 6, 6 } } },
	{ "no shares wins over no usage",
	  { { "root", ROOT, ACCOUNT, 1, 9, 0, 0 },
	    { "unused", 0, USER, 1, 0, 4, 4 },
	    { "used", 0, USER, 1, 9, 3, 3 },
	    { "neither", 0, USER, 0, 0, 2, 2 },
	    { "no shares", 0, USER, 0, 9, 2, 2 } } },
	{ "no shares at all",
	  { { "root", ROOT, ACCOUNT, 1, 9, 0, 0 },
	    { "u", 0, USER, 0, 0, 2, 2 },
	    { "v", 0, USER, 0, 9, 2, 2 } } },
	{ "a parent without usage",
	  { { "root", ROOT, ACCOUNT, 1, 0, 0, 0 },
	    { "u", 0, USER, 1, 5, 2, 2 },
	    { "v", 0, USER, 7, 0, 2, 2 } } },
	{ "a user tied with an account",
	  { { "root", ROOT, ACCOUNT, 1, 4, 0, 0 },
	    { "a", 0, ACCOUNT, 1, 2, 0, 0 },
	    { "a1", 1, USER, 1, 2, 1, 1 },
	    { "a2", 1, USER, 3, 1, 3, 3 },
	    { "u", 0, USER, 1, 2, 3, 3 } } },
	{ "two users tied with two accounts",
	  { { "root", ROOT, ACCOUNT, 1, 4, 0, 0 },
	    { "a", 0, ACCOUNT, 1, 1, 0, 0 },
	    { "b", 0, ACCOUNT, 1, 1, 0, 0 },
	    { "u", 0, USER, 1, 1, 6, 6 },
	    { "v", 0, USER, 1, 1, 6, 6 },
	    { "a1", 1, USER, 1, 1, 1, 3 },
	    { "a2", 1, USER, 3, 0.5L, 6, 6 },
	    { "b1", 2, USER, 1, 1, 2, 1 },
	    { "b2", 2, USER, 1, 0.5L, 3, 3 } } },
	{ "an empty account does not take a user's tie",
	  { { "root", ROOT, ACCOUNT, 1, 2, 0, 0 },
	    { "u", 0, USER, 1, 1, 2, 2 },
	    { "a", 0, ACCOUNT, 1, 1, 0, 0 },
	    { "empty", 2, ACCOUNT, 1, 0, 0, 0 },
	    { "a1", 2, USER, 1, 1, 2, 1 } } },
	{ "a parent_shares account does not take a user's tie",
	  { { "root", ROOT, ACCOUNT, 1, 2, 0, 0 },
	    { "u", 0, USER, 1, 1, 2, 2 },
	    { "a", 0, ACCOUNT, 1, 1, 0, 0 },
	    { "p", 2, PARENT_ACCOUNT, 0, 0, 0, 0 },
	    { "a1", 2, USER, 1, 1, 2, 1 } } },
	{ "a list starts after Slurm's NO_VAL",
	  { { "root", ROOT, ACCOUNT, 1, 4294967294.0L, 0, 0 },
	    { "u", 0, USER, 2147483647, 0, 3, 3 },
	    { "p", 0, ACCOUNT, 2147483647, 8589934588.0L, 0, 0 },
	    { "v", 2, USER, 1, 2, 2, 3 },
	    { "e", 0, ACCOUNT, 0, 0, 0, 0 },
	    { "e1", 4, USER, 1, 1, 1, 1 } } },
	{ "accounts without users",
	  { { "root", ROOT, ACCOUNT, 1, 3, 0, 0 },
	    { "a", 0, ACCOUNT, 1, 1, 0, 0 },
	    { "b", 0, PARENT_ACCOUNT, 0, 1, 0, 0 } } },
	{ "children given before their parents",
	  { { "root", ROOT, ACCOUNT, 1, 3, 0, 0 },
	    { "a1", 3, USER, 1, 1, 1, 1 },
	    { "b1", 4, USER, 1, 2, 2, 2 },
	    { "a", 0, ACCOUNT, 1, 2, 0, 0 },
	    { "b", 0, ACCOUNT, 1, 1, 0, 0 } } },
	{ "one bit of usage apart",
	  { { "root", ROOT, ACCOUNT, 1, 0x1p64L, 0, 0 },
	    { "u", 0, USER, 1, 0x1p63L + 1, 2, 2 },
	    { "v", 0, USER, 1, 0x1p63L, 3, 3 },
	    { "w", 0, USER, 1, 0x1p63L + 2, 1, 1 } } },
	/* Slurm's quotients of these are just below and just above 1. */
	{ "equal quotients that round differently",
	  { { "root", ROOT, ACCOUNT, 1, 6, 0, 0 },
	    { "u", 0, USER, 1, 1, 2, 1 },
	    { "v", 0, USER, 5, 5, 2, 2 } } },
	{ "the shares of a level need more than 32 bits",
	  { { "root", ROOT, ACCOUNT, 1, 2, 0, 0 },
	    { "u", 0, USER, 1, 1, 1, 2 },
	    { "v", 0, USER, UINT32_MAX, 1, 2, 2 } } },
	{ "usage at the ends of its range",
	  { { "root", ROOT, ACCOUNT, 1, LDBL_MIN, 0, 0 },
	    { "u", 0, USER, 1, LDBL_MAX, 1, 1 },
	    { "v", 0, USER, 1, LDBL_MIN, 2, 2 },
	    { "w", 0, USER, 1, LDBL_TRUE_MIN, 3, 3 } } },
};

#endif
