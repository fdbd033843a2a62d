/* SPDX-License-Identifier: GPL-2.0-or-later */
/* hostlist: the names in a list of nodes such as gra[1-10,012],gra20. */
#ifndef EQT_SLURM_HOSTLIST_H
#define EQT_SLURM_HOSTLIST_H

#include "base/error.h"

#define EQT_HOST_SIZE 256 /* a name, and the NUL */
#define EQT_HOSTS_MAX 1000000 /* names of one list */

/* Called for each name, which is valid only during the call. A result other
 * than 0 ends the list. */
typedef int eqt_host_each(const char *name, void *with);

/*
 * Call each for every name of a list, in order. 0; -1 with err filled: an
 * unbalanced bracket, an invalid range, a name that is too long, more than
 * EQT_HOSTS_MAX names; or the result of each if not 0.
 */
int eqt_hostlist_each(const char *list, eqt_host_each *each, void *with,
		      struct eqt_error *err);

/* A callback that counts names: with is a uint64_t. */
int eqt_hostlist_count_one(const char *name, void *with);

#endif
