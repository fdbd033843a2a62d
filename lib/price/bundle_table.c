/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "price/bundle_table.h"

static bool name_is(const char *name, const char *gres, const char *type)
{
	size_t length = strlen(gres);

	if (strncmp(name, gres, length) != 0)
		return false;
	if (!type)
		return name[length] == '\0';
	return name[length] == ':' && strcmp(name + length + 1, type) == 0;
}

static int find_exact(const struct eqt_bundle_table *prices, const char *gres,
		      const char *type)
{
	uint32_t i;

	for (i = 0; i < prices->gpu_count; i++) {
		if (name_is(prices->gpu[i].name, gres, type))
			return (int) i;
	}
	return -1;
}

int eqt_bundle_table_find(const struct eqt_bundle_table *prices,
			  const char *gres, const char *type)
{
	int found = -1;

	if (!gres)
		return -1;
	if (type && type[0] != '\0')
		found = find_exact(prices, gres, type);
	return found >= 0 ? found : find_exact(prices, gres, NULL);
}

bool eqt_bundle_table_holds(const struct eqt_bundle_table *prices,
			    uint32_t model)
{
	return model < prices->gpu_count &&
	       (prices->models_off >> model & 1) == 0;
}

int eqt_bundle_table_next(const struct eqt_bundle_table *prices, uint32_t model)
{
	uint32_t i;

	for (i = model + 1; i < prices->gpu_count; i++) {
		if (strcmp(prices->gpu[i].name, prices->gpu[model].name) == 0)
			return (int) i;
	}
	return -1;
}

uint32_t eqt_bundle_table_named(const struct eqt_bundle_table *prices,
				uint32_t model)
{
	uint32_t bundles = 0;
	int i;

	for (i = (int) model; i >= 0;
	     i = eqt_bundle_table_next(prices, (uint32_t) i))
		bundles |= UINT32_C(1) << i;
	return bundles;
}

bool eqt_bundle_table_near(const struct eqt_bundle_table *prices,
			   uint32_t model)
{
	return eqt_bundle_table_holds(prices, model) &&
	       (prices->models_away >> model & 1) == 0;
}

bool eqt_bundle_table_has_steps(const struct eqt_bundle_table *prices)
{
	return !prices->steps || *prices->steps > 0;
}

void eqt_bundle_table_step(const struct eqt_bundle_table *prices,
			   uint32_t steps)
{
	if (prices->steps)
		*prices->steps -= *prices->steps < steps ? *prices->steps
							 : steps;
}

uint32_t eqt_bundle_table_held(const struct eqt_bundle_table *prices)
{
	uint32_t held = 0, i;

	for (i = 0; i < prices->gpu_count; i++)
		held |= (uint32_t) eqt_bundle_table_holds(prices, i) << i;
	return held;
}
