/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * name_list: the nodes that a user names, in Slurm's form: "n[1-4],big".
 *
 * Slurm checks neither the length of --nodelist and --exclude nor the number of names in
 * their brackets: a text of forty bytes may have a million. It looks up all of them under
 * its locks, and logs two lines for each unknown name. Here each name takes a step of a
 * budget, as each piece without a name does, and the first unknown name ends the list.
 */
#ifndef EQT_NAME_LIST_H
#define EQT_NAME_LIST_H

#include "slurm/compat.h"

enum eqt_name_list {
	EQT_NAMES_NONE, /* no name, or no valid list, such as a bracket
			   without an end */
	EQT_NAMES_READ,
	EQT_NAMES_UNKNOWN, /* no node has the name */
	EQT_NAMES_TOO_MANY /* the budget is spent */
};

/* The steps that reading all lists of one request may take: each node named once
 * in one of them, and some more. */
int64_t eqt_name_list_budget(void);

#define EQT_NAME_LIST_UNKNOWN 64 /* bytes of an unknown name in a message */

/*
 * Read a list into a bitmap of nodes that the caller frees; NULL unless the result is
 * EQT_NAMES_READ. *budget is the number of steps that are left. *names is the number of
 * names, each as often as it occurs. If the result is EQT_NAMES_UNKNOWN, unknown is the
 * beginning of that name, in printable bytes. slurmctld's node lock is held for reading.
 */
enum eqt_name_list eqt_name_list_read(bitstr_t **out, const char *text,
				      int64_t *budget, uint64_t *names,
				      char unknown[EQT_NAME_LIST_UNKNOWN]);

#endif
