/* SPDX-License-Identifier: GPL-2.0-or-later */
/* why: explanations, printed on stdout. Functions return an exit status and report errors
 * on stderr. */
#ifndef EQT_WHY_WHY_H
#define EQT_WHY_WHY_H

#include <json-c/json.h>
#include <stdbool.h>

#include "slurm/sprio.h"
#include "slurm/sshare.h"

/*
 * Explain one or two users or accounts by name: the path of each association and, for
 * two, which one goes first and which level of the tree decides. If two jobs of these
 * users are compared, "fairer" points to the result of eqt_why_jobs_fairer(). Otherwise
 * it is NULL.
 */
int eqt_why_shares(const struct eqt_sshare *shares, const char *const *names,
		   int count, bool stock, bool json, const int *fairer);

/* The explanation of two names as a JSON object, which the caller owns. Returns NULL with
 * err filled on error. */
json_object *eqt_why_pair_json(const struct eqt_sshare *shares,
			       const char *const *names, bool stock,
			       const int *fairer, struct eqt_error *err);

/* Which of two jobs has more points by fair share: 0 or 1, or -1 if both have the
 * same. */
int eqt_why_jobs_fairer(const struct eqt_sprio *pending,
			const char *const *ids);

/* Explain the points of one or two pending jobs. This function and those below take only
 * ids that eqt_why_jobs_known() accepts. */
void eqt_why_jobs(const struct eqt_sprio *pending, const char *const *ids,
		  int count);

/* Check that sprio lists all these jobs. Returns 0, or -1 with err filled. */
int eqt_why_jobs_known(const struct eqt_sprio *pending, const char *const *ids,
		       int count, struct eqt_error *err);

/* The jobs as a JSON array with an object per job and partition. The caller owns the
 * array. */
json_object *eqt_why_jobs_json(const struct eqt_sprio *pending,
			       const char *const *ids, int count);

/* Which of two jobs goes first, and by which points. The caller owns the object. */
json_object *eqt_why_difference_json(const struct eqt_sprio *pending,
				     const char *const *ids);

#endif
