/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The names of equivalents, and their price in money. */

#include "price/unit.h"

const char *eqt_unit_name(const struct eqt_unit *unit, int gpu_pool,
			  int several)
{
	static const char *const names[2][2] = {
		{ "core-equivalent", "core-equivalents" },
		{ "GPU-equivalent", "GPU-equivalents" },
	};

	if (!unit || unit->one[0] == '\0')
		return names[gpu_pool != 0][several != 0];
	return several && unit->many[0] != '\0' ? unit->many : unit->one;
}

int eqt_unit_money(struct eqt_frac *out, const struct eqt_unit *unit,
		   struct eqt_frac hours)
{
	struct eqt_frac rate;

	if (!unit || unit->currency[0] == '\0' ||
	    eqt_frac_make(&rate, unit->rate_u, EQT_MICRO) < 0)
		return -1;
	return eqt_frac_mul(out, hours, rate);
}
