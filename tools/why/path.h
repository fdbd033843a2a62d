/* SPDX-License-Identifier: GPL-2.0-or-later */
/* path: an association, the path to it, and how both are printed. */
#ifndef EQT_WHY_PATH_H
#define EQT_WHY_PATH_H

#include "slurm/sshare.h"
#include "cli/json.h"

/* The nodes from the root to an association that have a Level FS, and the
 * association. A plain value. */
struct eqt_why_path {
	uint32_t length;
	uint32_t node[EQT_TREE_DEPTH_MAX + 1];
};

/* The path to association i. */
void eqt_path_make(struct eqt_why_path *path, const struct eqt_sshare *shares,
		   uint32_t i);

/* "account/user", or "account". Returns buf. */
#define EQT_WHY_ASSOC_NAME 256
char *eqt_path_assoc_name(const struct eqt_sshare *shares, uint32_t i,
			  char buf[EQT_WHY_ASSOC_NAME]);

/* The user, or the account's name; borrowed from the shares. */
const char *eqt_path_assoc_short(const struct eqt_sshare *shares, uint32_t i);

/* A Level FS in words, e.g. "has used 50 % of its share". Returns buf. */
#define EQT_WHY_LEVEL_WORDS 96
char *eqt_path_level_words(const struct eqt_sshare_assoc *assoc,
			   long double level_fs, char buf[EQT_WHY_LEVEL_WORDS]);

/* Print a line with its name and, for a user, rank and factor. */
void eqt_path_assoc_print(const struct eqt_sshare *shares, uint32_t i);

/*
 * The association as an object, and its path as an array. The caller owns them.
 */
json_object *eqt_path_assoc_json(const struct eqt_sshare *shares, uint32_t i);

/* All associations from the root to i, as above. The caller owns the array. */
json_object *eqt_path_json(const struct eqt_sshare *shares, uint32_t i);

#endif
