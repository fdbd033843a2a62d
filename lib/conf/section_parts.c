/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the resources of a bundle or a partition cost, from the keys of its section. */
#include <stdio.h>
#include <string.h>

#include "conf/section.h"

/* The keys, for errors. */
static const char *const part_keys[EQT_RESOURCES] = {
	[EQT_CORES] = "cores", [EQT_MEMORY] = "memory", [EQT_GPUS] = "gpu",
	[EQT_DISK] = "disk",   [EQT_NODES] = "node",
};

int eqt_section_open_term(struct eqt_section *section)
{
	for (int i = 0; i < EQT_RESOURCES; i++) {
		if (section->part[i].amount.den && !section->part[i].term)
			return eqt_source_refuse(section->source,
						 "%s is outside of the terms",
						 part_keys[i]);
	}
	return 0;
}

int eqt_section_close_term(struct eqt_section *section)
{
	bool any = false;

	section->terms++;
	for (int i = 0; i < EQT_RESOURCES; i++) {
		struct eqt_conf_part *part = &section->part[i];

		if (part->amount.den == 0 || part->term > 0)
			continue;
		part->term = section->terms;
		any = true;
	}
	return any ? 0
		   : eqt_source_refuse(
			     section->source,
			     "a term needs a resource: cores, memory, "
			     "disk, gpu or node");
}

/* How much of a part costs as much as the weight; of costs by amount it is rounded. */
static uint64_t part_amount(const struct eqt_conf_part *part, uint64_t weight_u,
			    uint64_t scale)
{
	struct eqt_frac amount = part->amount, weight;
	uint64_t rounded;

	if (amount.den == 0)
		return 0;
	if (part->cost.den > 0 &&
	    (eqt_frac_make(&weight, weight_u ? weight_u : EQT_MICRO,
			   EQT_MICRO) < 0 ||
	     eqt_frac_mul(&amount, amount,
			  (struct eqt_frac){ part->cost.den, part->cost.num }) <
		     0 ||
	     eqt_frac_mul(&amount, amount, weight) < 0))
		amount = part->amount;
	rounded = eqt_frac_round(amount, scale, EQT_ROUND_NEAREST);
	return rounded == 0 && part->cost.den > 0 ? 1 : rounded;
}

/* Sums have at most this denominator, so that they and factors fit 64 bits. */
#define SUM_DIGITS (UINT64_C(1) << 40)

/* A sum of fractions has the least common multiple of their denominators. This is that
 * of two numbers; UINT64_MAX where it is larger. */
static uint64_t lcm(uint64_t a, uint64_t b)
{
	struct eqt_frac reduced;
	uint64_t product;

	return eqt_frac_make(&reduced, a, b) < 0 ||
			       __builtin_mul_overflow(reduced.num, b, &product)
		       ? UINT64_MAX
		       : product;
}

/* The denominator of a cost. Disk in whole MiB is counted in MiB (local_disk.c). */
static uint64_t digits_of(struct eqt_frac rate, int resource)
{
	const uint64_t mib = UINT64_C(1) << 20;

	return resource == EQT_DISK && rate.den % mib == 0 ? rate.den / mib
							   : rate.den;
}

/* The rates of the parts: equivalents of one core, MiB, ... 0, or -1: too large. */
static int terms_make(struct eqt_terms *terms,
		      const struct eqt_section *section, uint64_t weight_u,
		      bool gpus)
{
	const struct eqt_conf_part *part = section->part;
	uint64_t digits = 1;

	/* A resource has a rate of its own even if its term is a maximum, so that
	 * prices need to know only which of them are compared. */
	for (int i = 0; i < EQT_RESOURCES; i++) {
		const struct eqt_conf_part *one = &part[i];
		struct eqt_frac cost = one->cost;

		for (int j = 0; j < EQT_RESOURCES; j++) {
			/* What is not counted is in no term. */
			if (i != j && section->terms > 0 &&
			    (one->term == 0 || one->term != part[j].term))
				terms->apart |= EQT_APART(i, j);
		}
		if (one->amount.den == 0 || (i == EQT_GPUS && gpus))
			continue;
		if ((cost.den == 0 &&
		     eqt_frac_make(&cost, weight_u, EQT_MICRO) < 0) ||
		    eqt_frac_mul(&terms->rate[i], cost,
				 (struct eqt_frac){ one->amount.den,
						    one->amount.num }) < 0)
			return -1;
		digits = lcm(digits, digits_of(terms->rate[i], i));
	}
	return terms->apart && digits > SUM_DIGITS ? -1 : 0;
}

/* Files of before need none of these, and so keep the price of before and its cost.
 * Does anything need terms: a term, a cost by amount, a node, powers of 1000? */
static bool parts_need_terms(const struct eqt_section *section)
{
	bool any = section->terms > 0;

	for (int i = 0; i < EQT_RESOURCES; i++)
		any |= section->part[i].cost.den > 0 ||
		       section->part[i].decimal;
	return any;
}

/* What contradicts itself in the parts of a bundle or a partition, whose GPUs weigh that
 * much; gpus: it has GPUs. */
static int parts_check(const struct eqt_section *section, bool gpus,
		       uint64_t weight_u, const char *kind, const char *name)
{
	const struct eqt_conf_part *part = section->part;

	for (int i = 0; i < EQT_RESOURCES; i++) {
		if (part[i].amount.den == 0)
			continue;
		if (section->terms > 0 && part[i].term == 0)
			return eqt_source_refuse(section->source,
						 "%s is outside of the terms",
						 part_keys[i]);
		if (i == EQT_GPUS && strcmp(name, "cores") == 0 &&
		    strcmp(kind, "bundle") == 0)
			return eqt_source_refuse(section->source,
						 "bundle \"cores\" has no gpu");
		if (i == EQT_GPUS && !gpus && section->rule.cores_off)
			return eqt_source_refuse(
				section->source,
				"%s \"%s\": gpu needs cores among its bundles",
				kind, name);
		if (part[i].cost.den == 0 && weight_u == 0)
			return eqt_source_refuse(
				section->source,
				"%s \"%s\": %s needs gpu, or a cost by amount",
				kind, name, part_keys[i]);
	}
	return 0;
}

int eqt_section_put_parts(struct eqt_section *section,
			  struct eqt_bundle *bundle, struct eqt_terms *terms,
			  bool gpus, const char *kind, const char *name)
{
	const struct eqt_conf_part *part = section->part;

	/* What weight is outside of terms, gpu is in them; without it GPUs are free and
	 * only name the bundle. */
	if (section->terms > 0 && gpus) {
		if (bundle->weight_u != EQT_MICRO)
			return eqt_source_refuse(section->source,
						 "%s \"%s\": weight is gpu in "
						 "a term",
						 kind, name);
		bundle->weight_u = part[EQT_GPUS].amount.den
					   ? eqt_frac_round(part[EQT_GPUS].cost,
							    EQT_MICRO,
							    EQT_ROUND_NEAREST)
					   : 0;
	}
	if (parts_check(section, gpus, bundle->weight_u, kind, name) < 0)
		return -1;
	bundle->cores_u =
		part_amount(&part[EQT_CORES], bundle->weight_u, EQT_MICRO);
	bundle->mem_mib_u =
		part_amount(&part[EQT_MEMORY], bundle->weight_u, EQT_MICRO);
	bundle->disk = part_amount(&part[EQT_DISK], bundle->weight_u, 1);
	if (!parts_need_terms(section))
		return 0;
	*terms = (struct eqt_terms){ .apart = 0 };
	if (terms_make(terms, section, bundle->weight_u, gpus) < 0)
		return eqt_source_refuse(section->source,
					 "%s \"%s\": its costs have too many "
					 "digits",
					 kind, name);
	bundle->terms = terms;
	return 0;
}
