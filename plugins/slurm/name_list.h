/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * name_list: the nodes that a user names, in Slurm's words: "n[1-4],big".
 *
 * Slurm's own sets go through all of a list for each node that is looked for, and a
 * user can write a thousand pieces; this one is put into order first.
 */
#ifndef EQT_NAME_LIST_H
#define EQT_NAME_LIST_H

#include <stdbool.h>
#include <stddef.h>

struct eqt_name_list;

/*
 * Read a list, to be freed by eqt_name_list_free(). NULL where nothing is named,
 * and where more is than can be meant: some thousand bytes, or more names than
 * most, of which some are no nodes then, so that slurmctld refuses the job; or
 * memory is short.
 */
struct eqt_name_list *eqt_name_list_read(const char *text, size_t most);

void eqt_name_list_free(struct eqt_name_list *list); /* NULL is none */

/* How many names it has that differ. */
size_t eqt_name_list_count(const struct eqt_name_list *list);

/* NULL is no name. */
bool eqt_name_list_has(const struct eqt_name_list *list, const char *name);

#endif
