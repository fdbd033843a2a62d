/* SPDX-License-Identifier: GPL-2.0-or-later */
/* why: explanations, each printed on stdout. They return an exit status, and
 * say on stderr what went wrong. */
#ifndef EQT_WHY_WHY_H
#define EQT_WHY_WHY_H

#include <json-c/json.h>
#include <stdbool.h>

#include "slurm/sprio.h"
#include "slurm/sshare.h"

/*
 * One or two names of users or accounts: the path of each association they
 * mean and, for two, who goes first and where that is decided.
 */
int eqt_why_shares(const struct eqt_sshare *shares, const char *const *names,
		   int count, bool stock, bool json);

/*
 * One or two ids of pending jobs: what their points are made of. These and
 * what follows takes only ids that eqt_why_jobs_known() knows.
 */
void eqt_why_jobs(const struct eqt_sprio *pending, const char *const *ids,
		  int count);

/* 0 if all the ids are of pending jobs; -1 with err filled. */
int eqt_why_jobs_known(const struct eqt_sprio *pending, const char *const *ids,
		       int count, struct eqt_error *err);

/* The jobs as an array, an object for each partition of each. The caller owns
 * it. */
json_object *eqt_why_jobs_json(const struct eqt_sprio *pending,
			       const char *const *ids, int count);

/* Which of two jobs goes before the other and by what points. The caller owns
 * it. */
json_object *eqt_why_difference_json(const struct eqt_sprio *pending,
				     const char *const *ids);

/*
 * The one association that a name means. 0, or -1 with err filled: none, or
 * several, which are listed.
 */
int eqt_why_choose(uint32_t *out, const struct eqt_sshare *shares,
		   const char *name, struct eqt_error *err);

#endif
