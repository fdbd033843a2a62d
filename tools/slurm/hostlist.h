/* SPDX-License-Identifier: GPL-2.0-or-later */
/* hostlist: the names in a list of nodes such as gra[1-10,012],gra20. */
#ifndef EQT_SLURM_HOSTLIST_H
#define EQT_SLURM_HOSTLIST_H

#include "base/error.h"

#define EQT_HOST_SIZE 256 /* a name, and the NUL */
#define EQT_HOSTS_MAX 1000000 /* names of one list */

/* What to do with each name; the name is gone after the call. Not 0 ends the
 * list. */
typedef int eqt_host_each(const char *name, void *with);

/*
 * Call each for every name of a list, in its order. 0; -1 with err filled: a
 * bracket without its other one, a range that is none, a name too long, more
 * names than EQT_HOSTS_MAX; or what each returned, unless that is 0.
 */
int eqt_hostlist_each(const char *list, eqt_host_each *each, void *with,
		      struct eqt_error *err);

#endif
