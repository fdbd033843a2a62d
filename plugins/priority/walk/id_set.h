/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * id_set: job ids of which one can be asked for quickly. A pass notes those that
 * it has charged, and each job that ends meanwhile asks for its own under
 * assoc_mgr's lock.
 *
 * An open table of a power of two, at most half full: an id is in the first free
 * place from its own on. Nothing is taken out but all at once.
 */
#ifndef EQT_ID_SET_H
#define EQT_ID_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* {0} is empty; eqt_id_set_free() frees what it holds. */
struct eqt_id_set {
	uint32_t *place; /* 0: free; no job has this id */
	size_t places; /* a power of two, or 0 */
};

/* Empty it, and make room for so many ids; returns for how many there is, fewer
 * when memory is short. Its memory is kept for the next time. */
size_t eqt_id_set_begin(struct eqt_id_set *set, size_t count);

/* Put an id in; no more than there is room for, 0 is not one. */
void eqt_id_set_add(struct eqt_id_set *set, uint32_t id);

bool eqt_id_set_has(const struct eqt_id_set *set, uint32_t id);

void eqt_id_set_free(struct eqt_id_set *set);

#endif
