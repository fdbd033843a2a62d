/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * name_list: a list of nodes that a user names in Slurm's form, such as
 * "n[1-4],big".
 *
 * Slurm limits neither the length of --nodelist and --exclude nor the number of
 * names in their brackets. It looks up all of them while it holds its locks, and
 * logs two lines for each unknown name. Here the first unknown name ends the
 * list, and all lists of a request share a budget of steps.
 */
#ifndef EQT_NAME_LIST_H
#define EQT_NAME_LIST_H

#include "base/node_names.h"
#include "slurm/compat.h"

/* The number of steps that reading all lists of one request may take. They
 * suffice for naming each node once in one of the lists, and for some
 * separators. */
int64_t eqt_name_list_budget(void);

/* The most bytes of an unknown name that a message shows. */
#define EQT_NAME_LIST_UNKNOWN 64

/*
 * Read a list into a bitmap of nodes.
 *
 * *out is the bitmap, which the caller frees; it is NULL unless the result is
 * EQT_NODE_NAMES_READ. *budget is the number of steps that are left. *names counts
 * the names, each as often as it occurs. If the result is EQT_NODE_NAMES_UNKNOWN,
 * `unknown` is the beginning of the unknown name in printable bytes.
 * slurmctld's node lock is held for reading.
 */
enum eqt_node_names_end eqt_name_list_read(bitstr_t **out, const char *text,
					   int64_t *budget, uint64_t *names,
					   char unknown[EQT_NAME_LIST_UNKNOWN]);

#endif
