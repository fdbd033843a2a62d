/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pair: which of two users or accounts goes first, and the place in the tree
 * that decides it.
 */
#ifndef EQT_WHY_PAIR_H
#define EQT_WHY_PAIR_H

#include <json-c/json.h>

#include "slurm/sshare.h"

/* Two jobs of the two, for which the shares are explained. A plain value. */
struct eqt_why_pair_jobs {
	int first; /* whose job has more points by fair share: 0, 1; -1: none */
};

/*
 * Explain it on stdout. stock: tied accounts are not merged; jobs may be NULL.
 * 0, or -1 with err filled: a name that fits none or several, or one
 * association above the other.
 */
int eqt_why_pair_print(const struct eqt_sshare *shares,
		       const char *const *names, bool stock,
		       const struct eqt_why_pair_jobs *jobs,
		       struct eqt_error *err);

/* The same as an object, which the caller owns; NULL with err filled. */
json_object *eqt_why_pair_json(const struct eqt_sshare *shares,
			       const char *const *names, bool stock,
			       const struct eqt_why_pair_jobs *jobs,
			       struct eqt_error *err);

#endif
