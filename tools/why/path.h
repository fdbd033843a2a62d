/* SPDX-License-Identifier: GPL-2.0-or-later */
/* why_path: an association, the way down to it, and what is said of both. */
#ifndef EQT_WHY_PATH_H
#define EQT_WHY_PATH_H

#include "slurm/sshare.h"
#include "cli/json.h"

/* The nodes from the root down to an association, those that have a Level FS
 * or are the last. A plain value. */
struct eqt_why_path {
	uint32_t length;
	uint32_t node[EQT_TREE_DEPTH_MAX + 1];
};

/* The path to association i. */
void eqt_why_path_make(struct eqt_why_path *path,
		       const struct eqt_sshare *shares, uint32_t i);

/* "account/user", or "account". Returns buf. */
#define EQT_WHY_ASSOC_NAME 256
char *eqt_why_assoc_name(const struct eqt_sshare *shares, uint32_t i,
			 char buf[EQT_WHY_ASSOC_NAME]);

/* The user or, of an account, the account; borrowed from the shares. */
const char *eqt_why_assoc_short(const struct eqt_sshare *shares, uint32_t i);

/* What a Level FS says of one who has it, e.g. "has used 50 % of its share".
 * Returns buf. */
#define EQT_WHY_LEVEL_WORDS 96
char *eqt_why_level_words(const struct eqt_sshare_assoc *assoc,
			  long double level_fs, char buf[EQT_WHY_LEVEL_WORDS]);

/* A line with its name and, of a user, rank and factor, on stdout. */
void eqt_why_assoc_print(const struct eqt_sshare *shares, uint32_t i);

/* The same for programs: an object of the association, an array of its path.
 * The caller owns them. */
json_object *eqt_why_assoc_json(const struct eqt_sshare *shares, uint32_t i);
json_object *eqt_why_path_json(const struct eqt_sshare *shares, uint32_t i);

#endif
