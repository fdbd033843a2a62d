/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Small pieces share a block, because a simulation allocates several of them for each
 * job. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cli/alloc.h"
#include "cli/arena.h"

#define BLOCK_SIZE 65536

/* A block of memory. Its first "used" bytes are allocated. */
struct eqt_arena_block {
	struct eqt_arena_block *next;
	size_t used, size;
	max_align_t memory[];
};

/* Add a block of at least "least" bytes, and make it the first block. */
static struct eqt_arena_block *block_add(struct eqt_arena *keep, size_t least)
{
	const size_t size = least < BLOCK_SIZE ? BLOCK_SIZE : least;
	struct eqt_arena_block *block;

	if (size > SIZE_MAX - sizeof(*block))
		eqt_alloc_failed();
	block = eqt_alloc(1, sizeof(*block) + size);
	block->size = size;
	block->next = keep->blocks;
	keep->blocks = block;
	return block;
}

void *eqt_arena_new(struct eqt_arena *keep, size_t size)
{
	const size_t align = sizeof(max_align_t);
	struct eqt_arena_block *block = keep->blocks;
	size_t at;

	if (size > SIZE_MAX - align)
		eqt_alloc_failed();
	size = (size + align - 1) / align * align;
	if (!block || block->size - block->used < size)
		block = block_add(keep, size);
	at = block->used;
	block->used += size;
	return (char *) block->memory + at;
}

const char *eqt_arena_text(struct eqt_arena *keep, const char *text,
			   size_t length)
{
	char *copy = eqt_arena_new(keep, length + 1);

	memcpy(copy, text, length);
	return copy;
}

const char *eqt_arena_copy(struct eqt_arena *keep, const char *text)
{
	return text ? eqt_arena_text(keep, text, strlen(text)) : NULL;
}

void eqt_arena_free(struct eqt_arena *keep)
{
	while (keep->blocks) {
		struct eqt_arena_block *block = keep->blocks;

		keep->blocks = block->next;
		free(block);
	}
}
