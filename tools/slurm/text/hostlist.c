/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The number of names is limited, because a range of nine digits would run for minutes. */
#include <stdint.h>
#include <string.h>

#include "slurm/text/hostlist.h"

/* A walk over the names of a list. */
struct walk {
	struct eqt_node_names names; /* the first member, which take() gets */
	eqt_host_each *each;
	void *with;
	long left; /* how many more names are allowed */
	int rc; /* the result of each() */
};

static enum eqt_node_names_end hostlist_take(struct eqt_node_names *names)
{
	struct walk *walk = (struct walk *) names;

	if (strchr(names->name, ']'))
		return EQT_NODE_NAMES_NONE;
	if (walk->left-- == 0)
		return EQT_NODE_NAMES_TOO_MANY;
	walk->rc = walk->each(names->name, walk->with);
	return walk->rc ? EQT_NODE_NAMES_UNKNOWN : EQT_NODE_NAMES_READ;
}

int eqt_hostlist_each(const char *list, eqt_host_each *each, void *with,
		      struct eqt_error *err)
{
	/* Besides each name, each range takes a step. */
	int64_t steps = 2 * EQT_HOSTS_MAX;
	struct walk walk = { .names = { .budget = &steps,
					.take = hostlist_take },
			     .each = each,
			     .with = with,
			     .left = EQT_HOSTS_MAX };
	const enum eqt_node_names_end end =
		eqt_node_names_read(&walk.names, list);

	if (end == EQT_NODE_NAMES_READ || walk.rc)
		return walk.rc;
	if (end == EQT_NODE_NAMES_TOO_MANY)
		return eqt_error_set(err, "\"%.64s\": more than %d nodes", list,
				     EQT_HOSTS_MAX);
	return eqt_error_set(err, "\"%s\": expected a list of nodes", list);
}

int eqt_hostlist_count_one(const char *name, void *with)
{
	uint64_t *count = with;

	(void) name;
	++*count;
	return 0;
}
