/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * eqt_price: what a request takes from everybody else, in equivalents.
 *
 * A bundle is one unit of a pool: one core and its memory, or one GPU of a
 * model with its cores and its memory. A request without GPUs costs
 *
 *	max(cores / bundle cores, memory / bundle memory)
 *
 * core-equivalents; a request with g_m GPUs of the models m costs
 *
 *	max(sum(g_m * weight_m), cores * max(weight_m / cores_m),
 *	    memory * max(weight_m / memory_m))
 *
 * Local disk counts as memory does, where a site gives it out and bundles have some.
 * GPU-equivalents: cores and memory are priced by the model that has the dearest. Of
 * several bundles of one name, weight_m, cores_m and memory_m are the sums.
 * For one model that is weight * max(gpus, cores / cores_m, memory / memory_m).
 * One more GPU never costs less (docs/design/0053). A bundle that names no memory
 * (0) does not count memory, and next to one that does leaves it to that.
 * A bundle may have terms, which add up, each the maximum of its resources, and costs
 * by amount (docs/design/0088).
 *
 * Where the cores' bundle does not hold, a request without GPUs is priced by
 * the GPUs that it keeps from others: weight * max(cores / cores_m, memory /
 * memory_m) GPU-equivalents.
 *
 * The result is raised to the least that a job costs, then rounded up to the
 * unit; that is its price. What is charged is the price times the factors of
 * the queues.
 *
 * Everything here is a plain value; nothing allocates, nothing locks.
 */
#ifndef EQT_PRICE_H
#define EQT_PRICE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/fraction.h"
#include "price/price_terms.h"

/* What is asked for, or was allocated, by one job in all. */
struct eqt_demand {
	uint64_t cores; /* cores, not CPUs of hyper-threads */
	uint64_t mem_mib; /* MiB */
	uint64_t disk; /* as eqt_bundle_table_disk() counts it */
	uint64_t
		gpus[EQT_MODELS_MAX]; /* by index into eqt_bundle_table.gpu[] */
	uint64_t gpus_untyped; /* any model */
	uint64_t nodes;
	bool placed; /* gpus[] are of known nodes: a bundle stands for itself
			alone, not for all bundles of its name */
};

/* A price and why it is so. */
struct eqt_price {
	struct eqt_frac equivalents;
	struct eqt_frac charge; /* the same times the queues' factors */
	struct eqt_frac usage; /* the charge times UsageFactor and the highest
				  factor of the week */
	enum eqt_resource
		dominant; /* the resource that decides: that of the largest
				     term. Of equal ones GPUs come first, then
				     cores, memory, disk, nodes */
	uint32_t apart; /* as in struct eqt_terms: which resources add up */
	int gpu_pool; /* 1: GPU-equivalents, 0: core- */
	bool minimum; /* no resource decides: a job's least does */
	struct eqt_frac by[EQT_RESOURCES]; /* what each alone would cost */
	const struct eqt_unit *unit; /* borrowed from the prices; may be NULL */
};

/*
 * Price a request whose GPUs all have a model (gpus_untyped must be 0, or
 * exactly one GPU model must hold, which is then meant; the same where a
 * request without GPUs is priced by them). Returns 0, or -1 with err filled
 * and *out untouched: GPUs without a model or of one that does not hold, or a
 * product that does not fit 64 bits ("the request is too large to price").
 * A request of nothing at all costs 0, or a job's least.
 */
int eqt_price(struct eqt_price *out, const struct eqt_bundle_table *prices,
	      const struct eqt_demand *demand, struct eqt_error *err);

/* The same with a model, by its index, for all that has none. */
int eqt_price_as(struct eqt_price *out, const struct eqt_bundle_table *prices,
		 const struct eqt_demand *demand, uint32_t model,
		 struct eqt_error *err);

/* Set charge and usage of a price to those on so many nodes. 0, or -1: too large. */
int eqt_price_charge(struct eqt_price *price,
		     const struct eqt_bundle_table *prices, uint64_t nodes);

/* Lower the usage of a price from the dearest time of the week to the cheapest; week
 * may be NULL. 0, or -1: too large. */
int eqt_price_week_least(struct eqt_price *price, const struct eqt_week *week);

/* A queue's factor for a job on so many nodes. 0, or -1: too large. */
int eqt_price_factor(struct eqt_frac *out,
		     const struct eqt_charge_factor *queue, uint64_t nodes);

/*
 * The lowest and the highest price of a request. Its GPUs without a type may be of any
 * model that is not away; a mix of models costs neither less nor more than one model. Nodes
 * with other bundles count too, unless the request is placed. A request without GPUs that
 * is priced by GPUs has its highest price in both. When prices->steps are used up, the
 * search stops: then both are bounds. Errors as eqt_price().
 */
int eqt_price_range(struct eqt_price *low, struct eqt_price *high,
		    const struct eqt_bundle_table *prices,
		    const struct eqt_demand *demand, struct eqt_error *err);

#define EQT_PRICE_STOCK_MAX 4 /* models */

/* The GPUs of a job's nodes, by the first bundle of each model's name; a plain value. */
struct eqt_price_stock {
	uint32_t models;
	struct {
		uint32_t model;
		uint64_t count;
	} of[EQT_PRICE_STOCK_MAX];
};

/*
 * The same for a request on nodes whose GPUs are known. GPUs without a model can only
 * be of models that the nodes have; a model with too few of them is used only together
 * with others. If all models together have too few, each of them is possible. Errors as
 * eqt_price().
 */
int eqt_price_range_of(struct eqt_price *low, struct eqt_price *high,
		       const struct eqt_bundle_table *prices,
		       const struct eqt_demand *demand,
		       const struct eqt_price_stock *stock,
		       struct eqt_error *err);

/*
 * Bounds of the same prices, in a few steps. The models that the GPUs could be are not
 * told apart, so low may be less than the cheapest price, and high more than the
 * dearest. The two differ even for a request without GPUs. Errors as eqt_price_range().
 */
int eqt_price_range_bounds(struct eqt_price *low, struct eqt_price *high,
			   const struct eqt_bundle_table *prices,
			   const struct eqt_demand *demand,
			   struct eqt_error *err);

/*
 * The bundles that change the price of a request if they are away, a bit each: all that
 * hold, if GPUs have no model; those of a name that has several. 0: the price is the
 * same wherever the job runs.
 */
uint32_t eqt_price_range_models(const struct eqt_bundle_table *prices,
				const struct eqt_demand *demand);

/* "core-equivalents", "GPU-equivalents", or the site's name for several; static
 * text, or of the prices. */
const char *eqt_price_unit(const struct eqt_price *price);

#define EQT_PRICE_REASON_SIZE 192 /* bytes that hold any reason */

/* "cores decide", "the least for a job", ...; of several terms that cost something their
 * parts: "cores 2, memory 1, disk 0.1". Static text, or buf. */
const char *eqt_price_reason(const struct eqt_price *price,
			     char buf[EQT_PRICE_REASON_SIZE]);

/* The resource that decides the term of a resource. */
enum eqt_resource eqt_price_term(const struct eqt_price *price,
				 enum eqt_resource resource);

/* The sum of the terms, before minimum and rounding. 0, or -1: too large. */
int eqt_price_sum(struct eqt_frac *out, const struct eqt_price *price);

/* "cores", "memory", ...; static text. */
const char *eqt_resource_name(enum eqt_resource resource);

#endif
