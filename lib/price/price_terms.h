/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * price_terms: what the resources of a bundle cost, and which of these costs are added.
 * A term is a group of resources that cost the maximum of their costs; the costs of
 * terms are added. Plain values; nothing is allocated.
 */
#ifndef EQT_PRICE_TERMS_H
#define EQT_PRICE_TERMS_H

#include "base/fraction.h"
#include "price/bundle_table.h"

enum eqt_resource {
	EQT_CORES,
	EQT_MEMORY,
	EQT_GPUS,
	EQT_DISK,
	EQT_NODES,
	EQT_RESOURCES
};

/* The bit in struct eqt_terms for two resources that are in different terms, so that
 * their costs are added. */
#define EQT_APART(a, b) \
	(UINT32_C(1) << ((uint32_t) (a) *EQT_RESOURCES + (uint32_t) (b)))

/*
 * The costs of a bundle by amount, such as "0.1 per G", and its terms
 * (docs/design/0088). Resources in one term cost their maximum, as do all resources of
 * a bundle without terms.
 */
struct eqt_terms {
	/* The price in equivalents of a core, of a MiB, of a unit of disk as in
	 * eqt_bundle_table_disk(), or of a node. If den is 0, the price follows from
	 * the members of the bundle. GPUs have a rate only in the terms of a
	 * partition's cores; such a partition prices all its jobs by these terms. */
	struct eqt_frac rate[EQT_RESOURCES];
	/* The EQT_APART() of all pairs of resources in different terms, in both orders.
	 * A resource in no term is apart from all others. */
	uint32_t apart;
};

/* Return the price of a core, of a MiB, of a unit of disk or of a node in a bundle. The
 * fraction need not be in lowest terms. If its den is 0, the bundle does not count the
 * resource. */
static inline struct eqt_frac eqt_price_terms_rate(
	const struct eqt_bundle *bundle, enum eqt_resource resource)
{
	if (bundle->terms && bundle->terms->rate[resource].den > 0)
		return bundle->terms->rate[resource];
	switch (resource) {
	case EQT_CORES:
		return (struct eqt_frac){ bundle->weight_u, bundle->cores_u };
	case EQT_MEMORY:
		return (struct eqt_frac){ bundle->weight_u, bundle->mem_mib_u };
	case EQT_DISK:
		/* A disk is at most EQT_DISK_MAX, so that the product fits 64 bits. */
		return (struct eqt_frac){ bundle->weight_u,
					  bundle->disk * EQT_MICRO };
	default:
		return (struct eqt_frac){ 0, 0 };
	}
}

/* Raise a rate to another rate that is higher. A rate whose den is 0 is lower than any
 * other. */
static inline void eqt_price_terms_raise_rate(struct eqt_frac *rate,
					      struct eqt_frac other)
{
	if (other.den > 0 &&
	    (rate->den == 0 || (eqt_u128) other.num * rate->den >
				       (eqt_u128) rate->num * other.den))
		*rate = other;
}

/* Do the terms of the cores also price GPUs, of whatever model? */
static inline bool eqt_price_terms_by_cores(
	const struct eqt_bundle_table *prices)
{
	return prices->cores.terms &&
	       prices->cores.terms->rate[EQT_GPUS].den > 0;
}

/* Raise terms to those of a bundle: each resource gets the higher of two rates, and
 * resources are apart if either has them apart. So the new terms cost no less than the
 * old ones or the bundle. */
void eqt_price_terms_raise(struct eqt_terms *terms,
			   const struct eqt_bundle *bundle);

#endif
