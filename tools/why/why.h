/* SPDX-License-Identifier: GPL-2.0-or-later */
/* why: explanations, printed on stdout. Functions return an exit status, and
 * report errors on stderr. */
#ifndef EQT_WHY_WHY_H
#define EQT_WHY_WHY_H

#include <json-c/json.h>
#include <stdbool.h>

#include "slurm/sprio.h"
#include "slurm/sshare.h"

/*
 * Explain one or two names of users or accounts: the path of each association
 * and, for two, which one goes first and where the tree decides it. fairer: if two jobs of
 * these two are compared, the answer of eqt_why_jobs_fairer(), else NULL.
 */
int eqt_why_shares(const struct eqt_sshare *shares, const char *const *names,
		   int count, bool stock, bool json, const int *fairer);

/* The explanation of two names as an object, which the caller owns; NULL with err
 * filled. */
json_object *eqt_why_pair_json(const struct eqt_sshare *shares,
			       const char *const *names, bool stock,
			       const int *fairer, struct eqt_error *err);

/* Which of two jobs has more points by fair share: 0 or 1; -1: none. */
int eqt_why_jobs_fairer(const struct eqt_sprio *pending,
			const char *const *ids);

/* Explain one or two pending jobs: the sum of their points. This and the
 * following take only ids that eqt_why_jobs_known() accepts. */
void eqt_why_jobs(const struct eqt_sprio *pending, const char *const *ids,
		  int count);

/* Check that all ids are of pending jobs. 0, or -1 with err filled. */
int eqt_why_jobs_known(const struct eqt_sprio *pending, const char *const *ids,
		       int count, struct eqt_error *err);

/* The jobs as an array, with an object per job and partition. The caller owns
 * it. */
json_object *eqt_why_jobs_json(const struct eqt_sprio *pending,
			       const char *const *ids, int count);

/* Which of two jobs goes first, and by which points. The caller owns it. */
json_object *eqt_why_difference_json(const struct eqt_sprio *pending,
				     const char *const *ids);

#endif
