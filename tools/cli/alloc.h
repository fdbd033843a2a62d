/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * alloc: memory for subcommands. If memory runs out, the command prints a message and
 * exits with EXIT_FAILURE, so callers need no check. lib/ and the plugins use
 * base/array.h instead, because they run within slurmctld and must not end it.
 */
#ifndef EQT_CLI_ALLOC_H
#define EQT_CLI_ALLOC_H

#include <stddef.h>
#include <stdio.h>

/* Print that memory ran out, and exit with EXIT_FAILURE. */
void eqt_alloc_failed(void) __attribute__((noreturn));

/* Allocate count zeroed elements of the given size, and at least one byte. The caller
 * frees the memory with free(). */
void *eqt_alloc(size_t count, size_t size);

/* Resize an array to count elements of the given size. As with realloc(), new elements
 * are not zeroed. */
void *eqt_alloc_again(void *array, size_t count, size_t size);

/* Copy a text, or its first length bytes. The caller frees the copy with free(). */
char *eqt_alloc_text(const char *text);
char *eqt_alloc_part(const char *text, size_t length);

/* Make room for one more element, like EQT_ARRAY_ROOM(). */
void eqt_alloc_room(void *array, size_t count, size_t size);
#define EQT_ALLOC_ROOM(array, count) \
	eqt_alloc_room(&(array), count, sizeof(*(array)))

/* Open a stream that writes into memory, and close such a stream. After the close the
 * caller frees *text with free(). */
FILE *eqt_alloc_stream(char **text, size_t *length);
void eqt_alloc_stream_close(FILE *stream);

#endif
