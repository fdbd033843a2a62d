/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * short_memory: let the n-th allocation of a program fail, and count what it holds.
 *
 * A test repeats a call with n = 1, 2, ... until it passes without a failure:
 *
 *	do {
 *		short_memory_begin(++n, _i);
 *		call();
 *		failed = short_memory_end();
 *		...
 *	} while (failed);
 *
 * Between begin and end there is no ck_assert(): Check allocates, too. The header
 * defines malloc() and its like for the whole program, so one file alone includes it.
 */
#ifndef EQT_TESTS_SHORT_MEMORY_H
#define EQT_TESTS_SHORT_MEMORY_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>

#include "sanitizer.h"

/* The address sanitizer calls malloc() before its checks work. */
#define SHORT_MEMORY_PLAIN __attribute__((no_sanitize_address))

/* Ways for a loop test: one allocation fails, or all from the n-th on. */
#define SHORT_MEMORY_WAYS 2

/* Volatile: compilers know that no malloc() or free() of a library looks at it. */
static volatile struct {
	bool watched; /* between begin and end */
	bool stays; /* all later ones fail as well */
	bool failed; /* one has failed since begin */
	unsigned long next; /* so many to the one that fails; 0: none */
	size_t refused; /* bytes that were asked for by the last that failed */
	long held; /* pieces allocated and not freed while watched */
} short_memory;

/* Watch from here on; the n-th allocation fails (0: none). */
static inline void short_memory_begin(unsigned long n, bool stays)
{
	short_memory.next = n;
	short_memory.stays = stays;
	short_memory.failed = false;
	short_memory.watched = true;
}

/* True if an allocation has failed. */
static inline bool short_memory_end(void)
{
	short_memory.watched = false;
	return short_memory.failed;
}

/* Must the call of an allocator that is going on, for so many bytes, fail? */
SHORT_MEMORY_PLAIN static inline bool short_memory_now(size_t size)
{
	if (!short_memory.watched || !short_memory.next ||
	    --short_memory.next > 0)
		return false;
	short_memory.next = short_memory.stays;
	short_memory.failed = true;
	short_memory.refused = size;
	errno = ENOMEM;
	return true;
}

SHORT_MEMORY_PLAIN static inline void *short_memory_count(void *piece)
{
	short_memory.held += short_memory.watched && piece;
	return piece;
}

/* The allocator behind that of this program. */
#ifdef ADDRESS_SANITIZER
#define SHORT_MEMORY(function) __interceptor_##function
#else
#define SHORT_MEMORY(function) __libc_##function
#endif
void *SHORT_MEMORY(malloc)(size_t size);
void *SHORT_MEMORY(calloc)(size_t count, size_t size);
void *SHORT_MEMORY(realloc)(void *piece, size_t size);
void SHORT_MEMORY(free)(void *piece);

SHORT_MEMORY_PLAIN void *malloc(size_t size)
{
	return short_memory_now(size) ? NULL
				  : short_memory_count(
					    SHORT_MEMORY(malloc)(size));
}

SHORT_MEMORY_PLAIN void *calloc(size_t count, size_t size)
{
	return short_memory_now(count * size)
		       ? NULL
		       : short_memory_count(SHORT_MEMORY(calloc)(count, size));
}

SHORT_MEMORY_PLAIN void *realloc(void *piece, size_t size)
{
	void *moved;

	if (short_memory_now(size))
		return NULL;
	moved = SHORT_MEMORY(realloc)(piece, size);
	return piece ? moved : short_memory_count(moved);
}

SHORT_MEMORY_PLAIN void free(void *piece)
{
	short_memory.held -= short_memory.watched && piece;
	SHORT_MEMORY(free)(piece);
}

#endif
