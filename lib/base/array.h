/* SPDX-License-Identifier: GPL-2.0-or-later */
/* array: arrays that grow. */
#ifndef EQT_ARRAY_H
#define EQT_ARRAY_H

#include <stddef.h>

/*
 * Make room for one more member. array is the address of the pointer to count members of
 * that size, or to NULL, which gets the new place of the array. The space of an array
 * follows from its count: it doubles at each power of two, so that only this function may
 * allocate it. 0, or -1: out of memory; the array is unchanged.
 */
int eqt_array_room(void *array, size_t count, size_t size);

/* The same for an array whose members have a type. */
#define EQT_ARRAY_ROOM(array, count) \
	eqt_array_room(&(array), count, sizeof(*(array)))

/*
 * Make room for that many members in an array that has room for *space. It gets room
 * for half as many again, so that a growing array is seldom moved. 0, or -1: out of
 * memory; the array is unchanged.
 */
int eqt_array_reserve(void *array, size_t *space, size_t wanted, size_t size);

/* The same for an array whose members have a type. */
#define EQT_ARRAY_RESERVE(array, space, wanted) \
	eqt_array_reserve(&(array), &(space), wanted, sizeof(*(array)))

#endif
