/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "slurm/name_list.h"
#include "slurm/compat.h"

#define TEXT_MAX 4096

/* In strcmp's order, each once; the names are slurm_hostlist's memory. */
struct eqt_name_list {
	size_t count;
	char *name[];
};

static int compare(const void *x, const void *y)
{
	return strcmp(*(char *const *) x, *(char *const *) y);
}

static void take_names(struct eqt_name_list *list, struct hostlist *names)
{
	char *name;

	while ((name = slurm_hostlist_shift(names)))
		list->name[list->count++] = name;
}

static struct eqt_name_list *sorted(struct hostlist *names, size_t most)
{
	struct eqt_name_list *list;
	int count;

	slurm_hostlist_uniq(names);
	count = slurm_hostlist_count(names);
	if (count < 1 || (size_t) count > most)
		return NULL;
	list = malloc(sizeof(*list) + (size_t) count * sizeof(*list->name));
	if (!list)
		return NULL;
	list->count = 0;
	take_names(list, names);
	qsort(list->name, list->count, sizeof(*list->name), compare);
	return list;
}

struct eqt_name_list *eqt_name_list_read(const char *text, size_t most)
{
	struct eqt_name_list *list;
	struct hostlist *names;

	if (!text || !text[0] || strnlen(text, TEXT_MAX + 1) > TEXT_MAX)
		return NULL;
	names = slurm_hostlist_create(text);
	if (!names)
		return NULL;
	list = sorted(names, most);
	slurm_hostlist_destroy(names);
	return list;
}

void eqt_name_list_free(struct eqt_name_list *list)
{
	for (size_t i = 0; list && i < list->count; i++)
		free(list->name[i]);
	free(list);
}

size_t eqt_name_list_count(const struct eqt_name_list *list)
{
	return list->count;
}

bool eqt_name_list_has(const struct eqt_name_list *list, const char *name)
{
	return name && bsearch(&name, list->name, list->count,
			       sizeof(*list->name), compare) != NULL;
}
