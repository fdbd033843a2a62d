/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pair: which of two users or accounts goes first, and where in the tree that
 * is decided. */
#ifndef EQT_WHY_PAIR_H
#define EQT_WHY_PAIR_H

#include <json-c/json.h>

#include "slurm/sshare.h"

/* Explain it on stdout. stock: tied accounts are not merged. 0, or -1 with err
 * filled: a name that means none or several, one above the other. */
int eqt_why_pair_print(const struct eqt_sshare *shares,
		       const char *const *names, bool stock,
		       struct eqt_error *err);

/* The same as an object, which the caller owns; NULL with err filled. */
json_object *eqt_why_pair_json(const struct eqt_sshare *shares,
			       const char *const *names, bool stock,
			       struct eqt_error *err);

#endif
