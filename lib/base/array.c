/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

#define SPACE_FIRST 4
#define SPACE_LEAST 64

/* The pointer is copied by memcpy(), because its type is not known here. */
static int array_resize(void *array, size_t space, size_t size)
{
	void *members;

	memcpy(&members, array, sizeof(members));
	if (space > SIZE_MAX / size)
		return -1;
	members = realloc(members, space * size);
	if (!members)
		return -1;
	memcpy(array, &members, sizeof(members));
	return 0;
}

int eqt_array_room(void *array, size_t count, size_t size)
{
	if ((count & (count - 1)) != 0 || (count > 0 && count < SPACE_FIRST))
		return 0;
	return array_resize(array, count ? 2 * count : SPACE_FIRST, size);
}

int eqt_array_reserve(void *array, size_t *space, size_t wanted, size_t size)
{
	const size_t more = wanted + wanted / 2 + SPACE_LEAST;

	if (wanted <= *space)
		return 0;
	if (more < wanted || array_resize(array, more, size) < 0)
		return -1;
	*space = more;
	return 0;
}
