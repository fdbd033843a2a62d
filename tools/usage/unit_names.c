/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <string.h>

#include "usage/unit_names.h"

static void name_set(struct eqt_year_unit_names *names, enum eqt_year_unit unit,
		     const struct eqt_unit *own, const char *built_in)
{
	(void) snprintf(names->years[unit], sizeof(names->years[unit]),
			"%s-years",
			own && own->one[0] != '\0' ? own->one : built_in);
}

/* Keep the currency of a unit; false if another one is there. */
static bool currency_keep(struct eqt_year_unit_names *names,
			  const struct eqt_unit *unit)
{
	if (!unit || unit->currency[0] == '\0')
		return true;
	if (names->currency && strcmp(names->currency, unit->currency) != 0)
		return false;
	names->currency = unit->currency;
	return true;
}

void eqt_year_unit_names_make(struct eqt_year_unit_names *out,
			      const struct eqt_bundle_table *prices,
			      bool weights)
{
	const struct eqt_unit *cores =
		prices->cores.unit ? prices->cores.unit : prices->pool_unit[0];
	const struct eqt_unit *gpus = prices->pool_unit[1];
	bool one;
	uint32_t i;

	*out = (struct eqt_year_unit_names){ .currency = NULL };
	name_set(out, EQT_YEAR_CORE, cores, "core");
	name_set(out, EQT_YEAR_GPU, weights ? NULL : gpus, "GPU");
	name_set(out, EQT_YEAR_RGU, gpus, "RGU");
	one = currency_keep(out, cores) &&
	      currency_keep(out, prices->pool_unit[0]) &&
	      currency_keep(out, gpus);
	for (i = 0; i < prices->gpu_count; i++)
		one = one && currency_keep(out, prices->gpu[i].unit);
	if (!one)
		out->currency = NULL;
}
