/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * alloc: the memory of a command. Without memory the command ends with a message and
 * EXIT_FAILURE, so that no caller checks for it. The core and the plugins run within
 * slurmctld, must not end it, and use base/array.h.
 */
#ifndef EQT_CLI_ALLOC_H
#define EQT_CLI_ALLOC_H

#include <stddef.h>
#include <stdio.h>

/* End the command: there is no memory. */
void eqt_alloc_failed(void) __attribute__((noreturn));

/* Allocate count zeroed members of a size, at least one byte, for free(). */
void *eqt_alloc(size_t count, size_t size);

/* Resize an array to count members of a size, as realloc() does: new members are not
 * zeroed. */
void *eqt_alloc_again(void *array, size_t count, size_t size);

/* A copy of a text, or of its first length bytes, for free(). */
char *eqt_alloc_text(const char *text);
char *eqt_alloc_part(const char *text, size_t length);

/* Make room for one more member, as EQT_ARRAY_ROOM() does. */
void eqt_alloc_room(void *array, size_t count, size_t size);
#define EQT_ALLOC_ROOM(array, count) \
	eqt_alloc_room(&(array), count, sizeof(*(array)))

/* Open a stream into memory, and close it; *text is for free() after that. */
FILE *eqt_alloc_stream(char **text, size_t *length);
void eqt_alloc_stream_close(FILE *stream);

#endif
