/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "cli/alloc.h"

/* Flush stdout first, so that the output so far stands before the message. */
void eqt_alloc_failed(void)
{
	(void) fflush(stdout);
	fputs("equitree: out of memory\n", stderr);
	exit(EXIT_FAILURE);
}

static void *alloc_check(void *memory)
{
	if (!memory)
		eqt_alloc_failed();
	return memory;
}

/* For a size of 0 calloc() may return NULL, which is no failure. */
void *eqt_alloc(size_t count, size_t size)
{
	return alloc_check(calloc(count ? count : 1, size));
}

/* Check the product here, so that no caller has to guard against its overflow. */
void *eqt_alloc_again(void *array, size_t count, size_t size)
{
	if (count > SIZE_MAX / size)
		eqt_alloc_failed();
	return alloc_check(realloc(array, count ? count * size : 1));
}

char *eqt_alloc_text(const char *text)
{
	return alloc_check(strdup(text));
}

char *eqt_alloc_part(const char *text, size_t length)
{
	return alloc_check(strndup(text, length));
}

void eqt_alloc_room(void *array, size_t count, size_t size)
{
	if (eqt_array_room(array, count, size) < 0)
		eqt_alloc_failed();
}

/* A stream into memory fails only for lack of memory. */
FILE *eqt_alloc_stream(char **text, size_t *length)
{
	return alloc_check(open_memstream(text, length));
}

void eqt_alloc_stream_close(FILE *stream)
{
	if (fclose(stream) != 0)
		eqt_alloc_failed();
}
