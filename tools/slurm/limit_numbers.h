/* SPDX-License-Identifier: GPL-2.0-or-later */
/* limit_numbers: the limits of a simulation, which knows them by numbers, by their
 * names. */
#ifndef EQT_SLURM_LIMIT_NUMBERS_H
#define EQT_SLURM_LIMIT_NUMBERS_H

#include "cli/names.h"

/* Owned; {0} is empty. */
struct eqt_limit_numbers {
	uint64_t *most; /* of each limit: what running jobs may take together */
	uint32_t count, space;
	struct eqt_names names;
};

/* The number of a limit of that name, added with that most if it is new. 0, or -1: out
 * of memory. */
int eqt_limit_number(uint32_t *out, struct eqt_limit_numbers *numbers,
		     const char *name, uint64_t most);

/* Free what *numbers owns; it is empty then. */
void eqt_limit_numbers_free(struct eqt_limit_numbers *numbers);

#endif
