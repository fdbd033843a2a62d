/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * unit: a site's name for the equivalents of a pool or a bundle, and the price of an
 * hour of one in money. Plain values; nothing allocates.
 */
#ifndef EQT_UNIT_H
#define EQT_UNIT_H

#include <stdint.h>

#include "base/fraction.h"

#define EQT_UNIT_SIZE 32 /* a name, and the NUL */

struct eqt_unit {
	char one[EQT_UNIT_SIZE]; /* "RGU"; "": the built-in name */
	char many[EQT_UNIT_SIZE]; /* "": the same as one */
	char currency[EQT_UNIT_SIZE]; /* "": no money */
	uint64_t rate_u; /* money for an hour of one, in millionths */
};

/* The name of one or of several. If unit is NULL or has no name, that is
 * "core-equivalent" or, in the GPU pool, "GPU-equivalent", with an s for several.
 * Returns static text, or text in unit. */
const char *eqt_unit_name(const struct eqt_unit *unit, int gpu_pool,
			  int several);

/* The money for this number of equivalent-hours. Returns 0, or -1 (out untouched) if
 * the unit has no currency or the amount does not fit. */
int eqt_unit_money(struct eqt_frac *out, const struct eqt_unit *unit,
		   struct eqt_frac hours);

#endif
