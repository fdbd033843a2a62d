/* SPDX-License-Identifier: GPL-2.0-or-later */
/* apply: carries steps out with sacctmgr, with a log and a way back. */
#ifndef EQT_SHARES_APPLY_H
#define EQT_SHARES_APPLY_H

#include <limits.h>

#include "shares/differences.h"

/* Where steps are carried out; strings are borrowed. */
struct eqt_shares_place {
	const char *cluster;
	const char *folder; /* of the log and the ways back; it exists */
};

/*
 * Write the way back, then do the steps one by one; each has a line in the log
 * before and after it. back is the file of the way back, of PATH_MAX bytes. *done is
 * the number of steps that were done. 0, or -1 with err filled.
 */
int eqt_shares_steps_apply(const struct eqt_shares_steps *steps,
			   const struct eqt_shares_place *place, char *back,
			   size_t *done, struct eqt_error *err);

#endif
