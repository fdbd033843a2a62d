/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "walk/id_set.h"

static size_t places_for(size_t count)
{
	size_t places = 1024;

	while (places < 2 * count)
		places *= 2;
	return places;
}

static void grow(struct eqt_id_set *set, size_t places)
{
	uint32_t *place = malloc(places * sizeof(*place));

	if (!place)
		return;
	free(set->place);
	set->place = place;
	set->places = places;
}

size_t eqt_id_set_begin(struct eqt_id_set *set, size_t count)
{
	const size_t places = places_for(count);

	if (places > set->places)
		grow(set, places);
	if (!set->place)
		return 0;
	memset(set->place, 0, set->places * sizeof(*set->place));
	return count < set->places / 2 ? count : set->places / 2;
}

/* Where an id is or is to be. Ids come one after the other: the product spreads
 * them, whatever the step between those that run. */
static size_t find(const struct eqt_id_set *set, uint32_t id)
{
	const size_t last = set->places - 1;
	size_t i = (size_t) ((id * UINT64_C(0x9e3779b97f4a7c15)) >> 32) & last;

	while (set->place[i] && set->place[i] != id)
		i = (i + 1) & last;
	return i;
}

void eqt_id_set_add(struct eqt_id_set *set, uint32_t id)
{
	set->place[find(set, id)] = id;
}

bool eqt_id_set_has(const struct eqt_id_set *set, uint32_t id)
{
	return id && set->place && set->place[find(set, id)] == id;
}

void eqt_id_set_free(struct eqt_id_set *set)
{
	free(set->place);
	*set = (struct eqt_id_set){ .place = NULL };
}
