/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>

#include "held.h"

static struct {
	struct eqt_held *list;
	size_t count;
	size_t space;
} held;

void eqt_held_add(uint32_t assoc_id, double equivalents)
{
	if (held.count == held.space) {
		size_t space = held.space ? held.space * 2 : 256;
		struct eqt_held *list =
			realloc(held.list, space * sizeof(*list));

		if (!list)
			return;
		held.list = list;
		held.space = space;
	}
	held.list[held.count++] = (struct eqt_held){ assoc_id, equivalents };
}

const struct eqt_held *eqt_held_list(size_t *count)
{
	*count = held.count;
	return held.list;
}

void eqt_held_clear(void)
{
	held.count = 0;
}

void eqt_held_free(void)
{
	free(held.list);
	held.list = NULL;
	held.count = held.space = 0;
}
