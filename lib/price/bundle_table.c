/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "price/bundle_table.h"
#include "base/error.h"

/* ---- Without a price ----------------------------------------------------------------
 * The errors for GPUs that no bundle prices. A request with such GPUs has no price. The
 * caller decides whether the job is refused. */

int eqt_bundle_table_check(const struct eqt_bundle_table *prices,
			   const uint64_t *gpus, struct eqt_error *err)
{
	for (uint32_t i = 0; i < EQT_MODELS_MAX; i++) {
		if (gpus[i] > 0 && !eqt_bundle_table_holds(prices, i))
			return eqt_error_set(err, "the request has GPUs of a "
						  "model that has no price");
	}
	return 0;
}

int eqt_bundle_table_missing(const char *name, const char *type,
			     struct eqt_error *err)
{
	return eqt_error_set(err, "%s%s%s has no price", name,
			     type[0] ? ":" : "", type);
}

/* ---- Bundle table --------------------------------------------------------- */

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
	for (uint32_t i = 0; i < prices->gpu_count; i++) {
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

/* Return a bit for gpu[model] and for each later bundle with the same name. */
static uint32_t bundles_named(const struct eqt_bundle *gpu, uint32_t count,
			      uint32_t model)
{
	uint32_t bundles = 0, i;

	for (i = model; i < count; i++) {
		if (strcmp(gpu[i].name, gpu[model].name) == 0)
			bundles |= UINT32_C(1) << i;
	}
	return bundles;
}

bool eqt_bundle_table_is_disk(const struct eqt_bundle_table *prices,
			      const char *gres)
{
	return prices->disk_gres && strcmp(prices->disk_gres, gres) == 0;
}

void eqt_bundle_table_link(struct eqt_bundle *gpu, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		gpu[i].named = bundles_named(gpu, count, i);
}

int eqt_bundle_table_next(const struct eqt_bundle_table *prices, uint32_t model)
{
	const uint32_t later = eqt_bundle_table_named(prices, model) &
			       ~(UINT32_C(1) << model);

	return later ? __builtin_ctz(later) : -1;
}

uint32_t eqt_bundle_table_named(const struct eqt_bundle_table *prices,
				uint32_t model)
{
	const uint32_t named = prices->gpu[model].named;

	return named ? named
		     : bundles_named(prices->gpu, prices->gpu_count, model);
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

/* Is this a bundle of whole GPUs, not of shares of GPUs? */
static bool bundle_is_model(const struct eqt_bundle *bundle)
{
	return memcmp(bundle->name, "gpu", 3) == 0 &&
	       (bundle->name[3] == '\0' || bundle->name[3] == ':');
}

uint32_t eqt_bundle_table_held(const struct eqt_bundle_table *prices)
{
	uint32_t held = 0, models = 0, i;

	for (i = 0; i < prices->gpu_count; i++) {
		if (!eqt_bundle_table_holds(prices, i))
			continue;
		held |= UINT32_C(1) << i;
		models |= (uint32_t) bundle_is_model(&prices->gpu[i]) << i;
	}
	return models ? models : held;
}
