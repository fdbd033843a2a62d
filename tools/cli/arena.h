/* SPDX-License-Identifier: GPL-2.0-or-later */
/* arena: memory that lives as long as its owner. */
#ifndef EQT_CLI_ARENA_H
#define EQT_CLI_ARENA_H

#include <stddef.h>

struct eqt_arena_block;

/* Owned; {0} is empty. */
struct eqt_arena {
	struct eqt_arena_block *blocks;
};

/* Allocate zeroed bytes, which eqt_arena_free() frees. */
void *eqt_arena_new(struct eqt_arena *keep, size_t size);

/* Copy the first length bytes of a text. eqt_arena_free() frees the copy. */
const char *eqt_arena_text(struct eqt_arena *keep, const char *text,
			   size_t length);

/* Copy a whole text. NULL for NULL. */
const char *eqt_arena_copy(struct eqt_arena *keep, const char *text);

/* Free all memory. *keep is empty afterwards. */
void eqt_arena_free(struct eqt_arena *keep);

#endif
