/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * unit: a site's name for the equivalents of a pool or a bundle, and the price in money
 * of one equivalent for an hour. Plain values; nothing is allocated.
 */
#ifndef EQT_UNIT_H
#define EQT_UNIT_H

#include <stdint.h>

#include "base/fraction.h"

#define EQT_UNIT_SIZE 32 /* bytes for a name and a NUL */

struct eqt_unit {
	/* The singular, such as "RGU"; "" for the built-in name. */
	char one[EQT_UNIT_SIZE];
	/* The plural; "" if it is the same as the singular. */
	char many[EQT_UNIT_SIZE];
	/* The currency of rate_u; "" if equivalents have no price in money. */
	char currency[EQT_UNIT_SIZE];
	/* The price of one equivalent for an hour, in millionths of the currency. */
	uint64_t rate_u;
};

/* Return the name of one or of several equivalents. If unit is NULL or has no name, the
 * name is "core-equivalent" or, in the GPU pool, "GPU-equivalent", with an s for
 * several. The text is static or belongs to unit. */
const char *eqt_unit_name(const struct eqt_unit *unit, int gpu_pool,
			  int several);

/* Compute the price in money of this number of equivalent-hours. Return 0, or -1 with
 * *out unchanged if the unit has no currency or the amount does not fit 64 bits. */
int eqt_unit_money(struct eqt_frac *out, const struct eqt_unit *unit,
		   struct eqt_frac hours);

#endif
