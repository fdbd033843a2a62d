/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * held: what running jobs hold now, for sites that rank by it too
 * (allocated_now = SECONDS): a burst counts at once, not as it is used up.
 *
 * Filled while a pass charges, read when it ranks; the pass thread's own.
 */
#ifndef EQT_HELD_H
#define EQT_HELD_H

#include <stddef.h>
#include <stdint.h>

/* One running job; a plain value. */
struct eqt_held {
	uint32_t assoc_id;
	double equivalents; /* with the factors of partition and QOS */
};

/* Note a running job. Short of memory, it is not noted. */
void eqt_held_add(uint32_t assoc_id, double equivalents);

/* All that are noted, valid until the next call here. */
const struct eqt_held *eqt_held_list(size_t *count);

/* Forget all; the space is kept for the next pass. */
void eqt_held_clear(void);

/* Free the space, too (at fini). */
void eqt_held_free(void);

#endif
