/* SPDX-License-Identifier: GPL-2.0-or-later */
/* path: an association, the path from the root to it, and how both are printed. */
#ifndef EQT_WHY_PATH_H
#define EQT_WHY_PATH_H

#include "slurm/sshare.h"
#include "cli/json.h"

/* An association and the nodes above it, from the root on. Nodes without a Level FS are
 * left out. A plain value. */
struct eqt_why_path {
	uint32_t length;
	uint32_t node[EQT_TREE_DEPTH_MAX + 1];
};

/* Find the path to association i. */
void eqt_path_make(struct eqt_why_path *path, const struct eqt_sshare *shares,
		   uint32_t i);

/* Write "account/user", or "account". Returns buf. */
#define EQT_WHY_ASSOC_NAME 256
char *eqt_path_assoc_name(const struct eqt_sshare *shares, uint32_t i,
			  char buf[EQT_WHY_ASSOC_NAME]);

/* The user, or the name of the account. Borrowed from shares. */
const char *eqt_path_assoc_short(const struct eqt_sshare *shares, uint32_t i);

/* Write a Level FS in words, such as "has used 50 % of its share". Returns buf. */
#define EQT_WHY_LEVEL_WORDS 96
char *eqt_path_level_words(const struct eqt_sshare_assoc *assoc,
			   long double level_fs, char buf[EQT_WHY_LEVEL_WORDS]);

/* Print a line with the name of the association and, for a user, rank and factor. */
void eqt_path_assoc_print(const struct eqt_sshare *shares, uint32_t i);

/*
 * The association as a JSON object, with its path as an array. The caller owns the
 * object.
 */
json_object *eqt_path_assoc_json(const struct eqt_sshare *shares, uint32_t i);

/* All associations from the root to i as a JSON array, which the caller owns. */
json_object *eqt_path_json(const struct eqt_sshare *shares, uint32_t i);

#endif
