/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <pthread.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "fail.h"
#include "names.h"

struct named {
	const char *name;
	void *thing;
	char copy[];
};

/* Protects all trees: threads of a storm search at the same time. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int compare(const void *x, const void *y)
{
	return strcmp(((const struct named *) x)->name,
		      ((const struct named *) y)->name);
}

static struct named *find(const struct names *names, const char *name)
{
	struct named key = { .name = name };
	struct named **found = tfind(&key, &names->root, compare);

	return found ? *found : NULL;
}

static void set(struct names *names, const char *name, void *thing)
{
	struct named *entry = find(names, name);

	if (entry) {
		entry->thing = thing;
		return;
	}
	entry = malloc(sizeof(*entry) + strlen(name) + 1);
	if (!entry)
		fail("out of memory");
	strcpy(entry->copy, name);
	entry->name = entry->copy;
	entry->thing = thing;
	if (!tsearch(entry, &names->root, compare))
		fail("out of memory");
}

void names_set(struct names *names, const char *name, void *thing)
{
	pthread_mutex_lock(&lock);
	set(names, name, thing);
	pthread_mutex_unlock(&lock);
}

void *names_get(const struct names *names, const char *name)
{
	const struct named *entry;
	void *thing;

	pthread_mutex_lock(&lock);
	entry = find(names, name);
	thing = entry ? entry->thing : NULL;
	pthread_mutex_unlock(&lock);
	return thing;
}

void names_free(struct names *names)
{
	tdestroy(names->root, free);
	names->root = NULL;
}
