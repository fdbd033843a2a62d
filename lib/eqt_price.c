/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdbool.h>
#include <string.h>

#include "eqt_price.h"

/*
 * The bundles that a request takes, added up, in millionths: the equivalents
 * they count as, and the cores and the memory that belong to them.
 */
struct bundles {
	eqt_u128 weight_u;
	eqt_u128 cores_u;
	eqt_u128 mem_mib_u;
};

static int too_large(struct eqt_error *err)
{
	return eqt_error_set(err, "the request is too large to price");
}

static bool name_is(const char *name, const char *gres, const char *type)
{
	size_t length = strlen(gres);

	if (strncmp(name, gres, length) != 0)
		return false;
	if (!type)
		return name[length] == '\0';
	return name[length] == ':' && strcmp(name + length + 1, type) == 0;
}

static int find_exact(const struct eqt_prices *prices, const char *gres,
		      const char *type)
{
	uint32_t i;

	for (i = 0; i < prices->gpu_count; i++) {
		if (name_is(prices->gpu[i].name, gres, type))
			return (int) i;
	}
	return -1;
}

int eqt_prices_find(const struct eqt_prices *prices, const char *gres,
		    const char *type)
{
	int found = -1;

	if (!gres)
		return -1;
	if (type && type[0] != '\0')
		found = find_exact(prices, gres, type);
	return found >= 0 ? found : find_exact(prices, gres, NULL);
}

/* *sum += count * unit; -1 when that does not fit. */
static int add_product(eqt_u128 *sum, uint64_t count, uint64_t unit)
{
	eqt_u128 product = (eqt_u128) count * unit;

	return __builtin_add_overflow(*sum, product, sum) ? -1 : 0;
}

static int add_bundles(struct bundles *sum, const struct eqt_bundle *bundle,
		       uint64_t count)
{
	if (add_product(&sum->weight_u, count, bundle->weight_u) < 0 ||
	    add_product(&sum->cores_u, count, bundle->cores_u) < 0 ||
	    add_product(&sum->mem_mib_u, count, bundle->mem_mib_u) < 0)
		return -1;
	return 0;
}

/* GPUs of a model, the untyped ones among them where it is the only model. */
static int gpus_count(uint64_t *count, const struct eqt_prices *prices,
		      const struct eqt_request *request, uint32_t model)
{
	uint64_t untyped = 0;

	if (prices->gpu_count == 1)
		untyped = request->gpus_untyped;
	if (__builtin_add_overflow(request->gpus[model], untyped, count))
		return -1;
	return 0;
}

/* One unit of the cores' pool, which is one equivalent whatever it holds. */
static struct bundles core_bundle(const struct eqt_prices *prices)
{
	return (struct bundles){
		.weight_u = EQT_MICRO,
		.cores_u = prices->cores.cores_u,
		.mem_mib_u = prices->cores.mem_mib_u,
	};
}

static int gpu_bundles(struct bundles *sum, const struct eqt_prices *prices,
		       const struct eqt_request *request)
{
	uint64_t count;
	uint32_t i;

	*sum = (struct bundles){ 0 };
	for (i = 0; i < prices->gpu_count; i++) {
		if (gpus_count(&count, prices, request, i) < 0 ||
		    add_bundles(sum, &prices->gpu[i], count) < 0)
			return -1;
	}
	return 0;
}

/* Refuse GPUs that no bundle prices. */
static int check_models(const struct eqt_prices *prices,
			const struct eqt_request *request,
			struct eqt_error *err)
{
	uint32_t i;

	if (request->gpus_untyped > 0 && prices->gpu_count == 0)
		return eqt_error_set(err,
				     "the request has GPUs, but no GPU model "
				     "has a price");
	if (request->gpus_untyped > 0 && prices->gpu_count > 1)
		return eqt_error_set(err,
				     "the request has GPUs without a model, "
				     "which could be any of %u models",
				     (unsigned int) prices->gpu_count);
	for (i = prices->gpu_count; i < EQT_MODELS_MAX; i++) {
		if (request->gpus[i] > 0)
			return eqt_error_set(err,
					     "the request has GPUs of a model "
					     "that has no price");
	}
	return 0;
}

static bool wants_gpus(const struct eqt_request *request)
{
	uint32_t i;

	for (i = 0; i < EQT_MODELS_MAX; i++) {
		if (request->gpus[i] > 0)
			return true;
	}
	return request->gpus_untyped > 0;
}

/*
 * What an amount costs by itself: weight * amount / part, part being what the
 * bundles hold of it. A resource that they do not hold is not counted.
 */
static int cost_alone(struct eqt_frac *out, eqt_u128 weight_u, uint64_t amount,
		      eqt_u128 part_u)
{
	struct eqt_frac rate;

	*out = EQT_FRAC_ZERO;
	if (amount == 0 || part_u == 0)
		return 0;
	if (eqt_frac_make(&rate, weight_u, part_u) < 0)
		return -1;
	return eqt_frac_mul(out, rate, (struct eqt_frac){ amount, 1 });
}

/* Say which resource decides, a tie going to the first in order. */
static void decide(struct eqt_price *price)
{
	enum eqt_resource best = price->gpu_pool ? EQT_GPUS : EQT_CORES;

	if (eqt_frac_cmp(price->by[EQT_CORES], price->by[best]) > 0)
		best = EQT_CORES;
	if (eqt_frac_cmp(price->by[EQT_MEMORY], price->by[best]) > 0)
		best = EQT_MEMORY;
	price->dominant = best;
	price->equivalents = price->by[best];
}

int eqt_price(struct eqt_price *out, const struct eqt_prices *prices,
	      const struct eqt_request *request, struct eqt_error *err)
{
	struct eqt_price price = {
		.gpu_pool = wants_gpus(request),
		.by[EQT_GPUS] = EQT_FRAC_ZERO,
	};
	struct bundles sum;

	if (check_models(prices, request, err) < 0)
		return -1;
	if (!price.gpu_pool)
		sum = core_bundle(prices);
	else if (gpu_bundles(&sum, prices, request) < 0 ||
		 eqt_frac_make(&price.by[EQT_GPUS], sum.weight_u, EQT_MICRO) <
			 0)
		return too_large(err);
	if (cost_alone(&price.by[EQT_CORES], sum.weight_u, request->cores,
		       sum.cores_u) < 0 ||
	    cost_alone(&price.by[EQT_MEMORY], sum.weight_u, request->mem_mib,
		       sum.mem_mib_u) < 0)
		return too_large(err);
	decide(&price);
	*out = price;
	return 0;
}

/* Price the request with all its untyped GPUs taken to be of one model. */
static int price_as(struct eqt_price *out, const struct eqt_prices *prices,
		    const struct eqt_request *request, uint32_t model,
		    struct eqt_error *err)
{
	struct eqt_request typed = *request;

	typed.gpus_untyped = 0;
	if (__builtin_add_overflow(request->gpus[model], request->gpus_untyped,
				   &typed.gpus[model]))
		return too_large(err);
	return eqt_price(out, prices, &typed, err);
}

int eqt_price_range(struct eqt_price *low, struct eqt_price *high,
		    const struct eqt_prices *prices,
		    const struct eqt_request *request, struct eqt_error *err)
{
	struct eqt_price dearest, cheapest, price;
	uint32_t i;

	if (request->gpus_untyped == 0 || prices->gpu_count < 2) {
		if (eqt_price(&price, prices, request, err) < 0)
			return -1;
		*low = *high = price;
		return 0;
	}
	if (price_as(&cheapest, prices, request, 0, err) < 0)
		return -1;
	dearest = cheapest;
	for (i = 1; i < prices->gpu_count; i++) {
		if (price_as(&price, prices, request, i, err) < 0)
			return -1;
		if (eqt_frac_cmp(price.equivalents, cheapest.equivalents) < 0)
			cheapest = price;
		if (eqt_frac_cmp(price.equivalents, dearest.equivalents) > 0)
			dearest = price;
	}
	*low = cheapest;
	*high = dearest;
	return 0;
}

const char *eqt_price_unit(const struct eqt_price *price)
{
	return price->gpu_pool ? "GPU-equivalents" : "core-equivalents";
}

const char *eqt_resource_name(enum eqt_resource resource)
{
	static const char *const names[EQT_RESOURCES] = {
		[EQT_CORES] = "cores",
		[EQT_MEMORY] = "memory",
		[EQT_GPUS] = "GPUs",
	};

	return names[resource];
}
