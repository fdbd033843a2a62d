/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * name_list: the nodes that a user names, in Slurm's words: "n[1-4],big".
 *
 * Slurm checks neither the length of --nodelist and --exclude nor how many names
 * their brackets stand for: a text of forty bytes may have a million. It looks all
 * of them up under its locks, and logs two lines for each name that no node has.
 * Here each name costs a step of a budget, and so does each piece without a name;
 * the first name that no node has ends the list.
 */
#ifndef EQT_NAME_LIST_H
#define EQT_NAME_LIST_H

#include "slurm/compat.h"

enum eqt_name_list {
	EQT_NAMES_NONE, /* nothing is named, or what is no list to slurmctld: a
			   bracket without an end */
	EQT_NAMES_READ,
	EQT_NAMES_UNKNOWN, /* a name that no node has */
	EQT_NAMES_TOO_MANY /* the budget is spent */
};

/* The steps that reading all lists of one request may take: each node named once
 * in one of them, and some more. */
int64_t eqt_name_list_budget(void);

#define EQT_NAME_LIST_UNKNOWN 64 /* bytes of a name that is told */

/*
 * Read a list into a bitmap of nodes that the caller frees; NULL unless the
 * result is EQT_NAMES_READ. *budget is what is left of the steps, *names how
 * many names there are, each as often as it stands there. Where the result
 * is EQT_NAMES_UNKNOWN, unknown is the beginning of that name, of printable bytes.
 * slurmctld's node lock is held for reading.
 */
enum eqt_name_list eqt_name_list_read(bitstr_t **out, const char *text,
				      int64_t *budget, uint64_t *names,
				      char unknown[EQT_NAME_LIST_UNKNOWN]);

#endif
