/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * eqt_price: the price of a request in equivalents, which is how much of the cluster it
 * takes from all other users.
 *
 * A bundle is one unit of a pool: one core and its memory, or one GPU of a model with
 * its cores and its memory. A request without GPUs costs
 *
 *	max(cores / bundle cores, memory / bundle memory)
 *
 * core-equivalents. A request with g_m GPUs of the models m costs
 *
 *	max(sum(g_m * weight_m), cores * max(weight_m / cores_m),
 *	    memory * max(weight_m / memory_m))
 *
 * GPU-equivalents. Cores and memory are priced by the model of the request for which
 * they cost most. If several bundles have one name, weight_m, cores_m and memory_m are
 * their sums. For one model the price is weight * max(gpus, cores / cores_m, memory /
 * memory_m). One more GPU never costs less (docs/design/0053). Local disk is counted in
 * the same way as memory if bundles have disk. A bundle that names no memory (0) does
 * not count memory, and memory is then priced by the other bundles of the request. A
 * bundle may have terms, whose costs are added. Each term costs the maximum of its
 * resources, and a resource may have a cost by amount (docs/design/0088).
 *
 * If the bundle of the cores is not in force, a request without GPUs is priced by the
 * GPUs whose cores or memory it takes: weight * max(cores / cores_m, memory / memory_m)
 * GPU-equivalents.
 *
 * The result is raised to the minimum of a job and then rounded up to the unit, which
 * is the price. The charge is the price times the factors of the partition and the QOS.
 *
 * All types are plain values. Nothing is allocated, and nothing is locked.
 */
#ifndef EQT_PRICE_H
#define EQT_PRICE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/fraction.h"
#include "price/price_terms.h"

/* The resources that one job asks for, or that were allocated to it. */
struct eqt_demand {
	uint64_t cores; /* the number of physical cores, not of hyper-threads */
	uint64_t mem_mib; /* memory in MiB */
	uint64_t disk; /* local disk in the units of eqt_bundle_table_disk() */
	/* The number of GPUs of each bundle, by the index in eqt_bundle_table.gpu[]. */
	uint64_t gpus[EQT_MODELS_MAX];
	uint64_t gpus_untyped; /* GPUs whose model is not known */
	uint64_t nodes;
	/* Whether the nodes of the GPUs are known. A bundle then stands for itself, not
	 * for all bundles of the same name. */
	bool placed;
};

/* A price, and the reasons for it. */
struct eqt_price {
	struct eqt_frac equivalents;
	/* The price times the factors of the partition and the QOS. */
	struct eqt_frac charge;
	/* The charge times the UsageFactor and the highest factor of the week. */
	struct eqt_frac usage;
	/* The resource that decides the price, or the largest term of the price. If
	 * several resources cost the same, GPUs are preferred to cores, cores to
	 * memory, memory to disk, and disk to nodes. */
	enum eqt_resource dominant;
	/* Which resources are in different terms, as in struct eqt_terms. */
	uint32_t apart;
	/* 1 if the price is in GPU-equivalents, 0 if in core-equivalents. */
	int gpu_pool;
	/* Whether the minimum of a job decides the price, and no resource. */
	bool minimum;
	/* The price of each resource by itself. */
	struct eqt_frac by[EQT_RESOURCES];
	/* Name of the equivalents, borrowed from the prices; may be NULL. */
	const struct eqt_unit *unit;
};

/*
 * Compute the price of a request whose GPUs all have a model. gpus_untyped must be 0,
 * or exactly one GPU model must be in force, which is then used. The same is true of a
 * request without GPUs that is priced by GPUs. Return 0, or -1 with err filled and *out
 * unchanged if GPUs have no model or one that is not in force, or if a product does not
 * fit 64 bits ("the request is too large to price"). A request of no resources costs
 * the minimum of a job, which may be 0.
 */
int eqt_price(struct eqt_price *out, const struct eqt_bundle_table *prices,
	      const struct eqt_demand *demand, struct eqt_error *err);

/* Compute the price of a request as eqt_price() does, but use the model with this index
 * where the request names no model. */
int eqt_price_as(struct eqt_price *out, const struct eqt_bundle_table *prices,
		 const struct eqt_demand *demand, uint32_t model,
		 struct eqt_error *err);

/* Compute the charge and the usage from a price, for a job on so many nodes. Return 0,
 * or -1 if a product does not fit 64 bits. */
int eqt_price_charge(struct eqt_price *price,
		     const struct eqt_bundle_table *prices, uint64_t nodes);

/* Divide the usage of a price by the highest factor of the week and multiply it by the
 * lowest factor. week may be NULL. Return 0, or -1 if a product does not fit 64
 * bits. */
int eqt_price_week_least(struct eqt_price *price, const struct eqt_week *week);

/* Compute the factor of a partition or QOS for a job on so many nodes. Return 0, or -1
 * if a product does not fit 64 bits. */
int eqt_price_factor(struct eqt_frac *out,
		     const struct eqt_charge_factor *queue, uint64_t nodes);

/*
 * Compute the lowest and the highest price of a request. GPUs without a type may be of
 * any model that a candidate node has. A mix of models costs neither less nor more than
 * GPUs of one model. Bundles of the same name for other nodes count, too, unless the
 * request is placed. A request without GPUs that is priced by GPUs has its highest
 * price in both results. When no step of prices->steps is left, the search stops, and
 * the results are bounds. Errors are those of eqt_price().
 */
int eqt_price_range(struct eqt_price *low, struct eqt_price *high,
		    const struct eqt_bundle_table *prices,
		    const struct eqt_demand *demand, struct eqt_error *err);

/* The largest number of models on the nodes of a job. */
#define EQT_PRICE_STOCK_MAX 4

/* The GPUs on the nodes of a job. Each model has the index of the first bundle of its
 * name. A plain value. */
struct eqt_price_stock {
	uint32_t models;
	struct {
		uint32_t model;
		uint64_t count;
	} of[EQT_PRICE_STOCK_MAX];
};

/*
 * Compute the lowest and the highest price of a request on nodes whose GPUs are known.
 * A GPU without a model can only be of a model that these nodes have. A model with
 * fewer GPUs than the request wants is used only together with other models. If all
 * models together have too few, each model is possible. Errors are those of
 * eqt_price().
 */
int eqt_price_range_of(struct eqt_price *low, struct eqt_price *high,
		       const struct eqt_bundle_table *prices,
		       const struct eqt_demand *demand,
		       const struct eqt_price_stock *stock,
		       struct eqt_error *err);

/*
 * Compute bounds of the prices of a request in a few steps. The possible models are not
 * priced one by one, so that low may be less than the lowest price and high more than
 * the highest. The two may differ even for a request without GPUs. Errors are those of
 * eqt_price_range().
 */
int eqt_price_range_bounds(struct eqt_price *low, struct eqt_price *high,
			   const struct eqt_bundle_table *prices,
			   const struct eqt_demand *demand,
			   struct eqt_error *err);

/*
 * Return a bit for each bundle that would change the price of a request if no candidate
 * node had it. These are all bundles in force if GPUs have no model, and the bundles of
 * a name that has several. 0 means that the price is the same on all nodes.
 */
uint32_t eqt_price_range_models(const struct eqt_bundle_table *prices,
				const struct eqt_demand *demand);

/* Return the name of the equivalents of a price in the plural: "core-equivalents",
 * "GPU-equivalents" or the site's name. The text is static or belongs to the prices. */
const char *eqt_price_unit(const struct eqt_price *price);

#define EQT_PRICE_REASON_SIZE 192 /* bytes that are enough for any reason */

/* Return what decided a price, such as "cores decide" or "the least for a job". If
 * several terms cost something, the text has the cost of each, such as "cores 2, memory
 * 1, disk 0.1". The text is static or in buf. */
const char *eqt_price_reason(const struct eqt_price *price,
			     char buf[EQT_PRICE_REASON_SIZE]);

/* Return the resource that costs most in the term of a given resource. */
enum eqt_resource eqt_price_term(const struct eqt_price *price,
				 enum eqt_resource resource);

/* Add up the terms of a price, before the minimum and the rounding. Return 0, or -1 if
 * the sum does not fit 64 bits. */
int eqt_price_sum(struct eqt_frac *out, const struct eqt_price *price);

/* Return the name of a resource, such as "cores". The text is static. */
const char *eqt_resource_name(enum eqt_resource resource);

#endif
