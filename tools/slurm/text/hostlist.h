/* SPDX-License-Identifier: GPL-2.0-or-later */
/* hostlist: the names in a list of nodes such as gra[1-10,012],gra20. */
#ifndef EQT_SLURM_HOSTLIST_H
#define EQT_SLURM_HOSTLIST_H

#include "base/error.h"
#include "base/node_names.h"

#define EQT_HOSTS_MAX 1000000 /* most names in a list */

/* Called for each name, which is valid only during the call. If the result is not 0, the
 * expansion ends. */
typedef int eqt_host_each(const char *name, void *with);

/*
 * Call each() for every name of a list, in order. Returns 0, or the result of each() if
 * that is not 0. Returns -1 with err filled if a bracket is not closed, a range is
 * invalid, a name is too long, or the list has more than EQT_HOSTS_MAX names.
 */
int eqt_hostlist_each(const char *list, eqt_host_each *each, void *with,
		      struct eqt_error *err);

/* A callback that counts names. "with" points to a uint64_t. */
int eqt_hostlist_count_one(const char *name, void *with);

#endif
