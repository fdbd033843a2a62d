/* SPDX-License-Identifier: GPL-2.0-or-later */
/* keep: memory that lives as long as its owner. */
#ifndef EQT_CLI_KEEP_H
#define EQT_CLI_KEEP_H

#include <stddef.h>

struct eqt_keep_block;

/* Owned; {0} is empty. */
struct eqt_keep {
	struct eqt_keep_block *blocks;
};

/* Allocate zeroed bytes, which eqt_keep_free() frees. */
void *eqt_keep_new(struct eqt_keep *keep, size_t size);

/* A copy of length bytes of a text. */
const char *eqt_keep_text(struct eqt_keep *keep, const char *text,
			  size_t length);

/* Free everything; it is empty then. */
void eqt_keep_free(struct eqt_keep *keep);

#endif
