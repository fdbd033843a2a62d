/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * unit: what a site calls the equivalents of a pool or a bundle, and what an hour of
 * one costs in money. Plain values; nothing allocates.
 */
#ifndef EQT_UNIT_H
#define EQT_UNIT_H

#include <stdint.h>

#include "base/fraction.h"

#define EQT_UNIT_SIZE 32 /* a name, and the NUL */

struct eqt_unit {
	char one[EQT_UNIT_SIZE]; /* "RGU"; "": the name that there is without */
	char many[EQT_UNIT_SIZE]; /* "": the same as one */
	char currency[EQT_UNIT_SIZE]; /* "": no money */
	uint64_t rate_u; /* of an hour of one, in millionths */
};

/* The name of one, or of several; unit may be NULL, then and without a name of its
 * own it is "core-equivalent" or, in the pool of the GPUs, "GPU-equivalent", with
 * an s for several. Static text, or of unit. */
const char *eqt_unit_name(const struct eqt_unit *unit, int gpu_pool,
			  int several);

/* What so many hours of one cost: 0, or -1 (out untouched) if there is no money, or
 * it does not fit. */
int eqt_unit_money(struct eqt_frac *out, const struct eqt_unit *unit,
		   struct eqt_frac hours);

#endif
