/* SPDX-License-Identifier: GPL-2.0-or-later */
/* array: arrays that grow when a member is appended. */
#ifndef EQT_ARRAY_H
#define EQT_ARRAY_H

#include <stddef.h>

/*
 * Make room for one more member of `size` bytes. `array` is the address of the pointer
 * to the first of count members, or of a NULL pointer. The function stores the new
 * place of the array there. The allocated space is not stored but follows from count:
 * it doubles at each power of two. So only this function may allocate the array. Return
 * 0, or -1 with the array unchanged if there is no memory.
 */
int eqt_array_room(void *array, size_t count, size_t size);

/* Call eqt_array_room() with the size of the members of a typed array. */
#define EQT_ARRAY_ROOM(array, count) \
	eqt_array_room(&(array), count, sizeof(*(array)))

/*
 * Make room for `wanted` members in an array that has room for *space members. If the
 * array must grow, it gets room for half as many again, so that it is seldom moved.
 * Return 0, or -1 with the array unchanged if there is no memory.
 */
int eqt_array_reserve(void *array, size_t *space, size_t wanted, size_t size);

/* Call eqt_array_reserve() with the size of the members of a typed array. */
#define EQT_ARRAY_RESERVE(array, space, wanted) \
	eqt_array_reserve(&(array), &(space), wanted, sizeof(*(array)))

#endif
