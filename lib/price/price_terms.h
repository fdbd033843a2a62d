/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * price_terms: what the resources of a bundle cost, and which of them add up. Plain
 * values; nothing allocates.
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

/* Two resources that are in different terms of a price, and so add up. */
#define EQT_APART(a, b) \
	(UINT32_C(1) << ((uint32_t) (a) *EQT_RESOURCES + (uint32_t) (b)))

/*
 * The costs by amount of a bundle ("0.1 per G"), and which of its resources add up
 * (docs/design/0088). Resources in one term cost their maximum, as without terms.
 */
struct eqt_terms {
	/* Equivalents of a core, a MiB, a count of disk as eqt_bundle_table_disk()
	 * makes it, or a node. den 0: by the members of the bundle. That of GPUs is
	 * only in the terms of a partition's cores: they then price all its jobs */
	struct eqt_frac rate[EQT_RESOURCES];
	/* EQT_APART() of all such pairs, in both orders. What no term counts is apart
	 * from all, so that adding up is transitive */
	uint32_t apart;
};

/* What one core, MiB, count of disk or node costs by a bundle, not always in lowest
 * terms; den 0: it is not counted. */
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
		/* At most EQT_DISK_MAX, so that millionths of it fit. */
		return (struct eqt_frac){ bundle->weight_u,
					  bundle->disk * EQT_MICRO };
	default:
		return (struct eqt_frac){ 0, 0 };
	}
}

/* Raise a rate to a dearer one; den 0: none. */
static inline void eqt_price_terms_raise_rate(struct eqt_frac *rate,
					      struct eqt_frac other)
{
	if (other.den > 0 &&
	    (rate->den == 0 || (eqt_u128) other.num * rate->den >
				       (eqt_u128) rate->num * other.den))
		*rate = other;
}

/* Do the terms of the cores price GPUs of any model as well? */
static inline bool eqt_price_terms_by_cores(
	const struct eqt_bundle_table *prices)
{
	return prices->cores.terms &&
	       prices->cores.terms->rate[EQT_GPUS].den > 0;
}

/* Raise terms to those of a bundle: each resource at the dearer rate, and more of them
 * apart. What they price then costs no less than by either. */
void eqt_price_terms_raise(struct eqt_terms *terms,
			   const struct eqt_bundle *bundle);

#endif
