/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

#define SPACE_FIRST 4

/* memcpy(), since a pointer of any type may be at the address. */
int eqt_array_room(void *array, size_t count, size_t size)
{
	const size_t space = count ? 2 * count : SPACE_FIRST;
	void *members;

	if ((count & (count - 1)) != 0 || (count > 0 && count < SPACE_FIRST))
		return 0;
	memcpy(&members, array, sizeof(members));
	if (space > SIZE_MAX / size)
		return -1;
	members = realloc(members, space * size);
	if (!members)
		return -1;
	memcpy(array, &members, sizeof(members));
	return 0;
}
