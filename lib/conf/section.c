/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Add a closed section of equitree.conf to the configuration, after the checks that
 * need the whole section and the previous ones. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "conf/section.h"

/* ---- Parts of a section -------------------------------------------------------------
 * What the resources of a bundle or a partition cost, from the keys of its section. */

/* The names of the keys, for error texts. */
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
		   : eqt_source_refuse(section->source,
				       "a term needs a resource: cores, "
				       "memory, disk, gpu or node");
}

/* Return the amount of a resource that costs as much as the weight of the bundle. The
 * amount is rounded if the key gives a cost by amount. */
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

/* The largest denominator of a sum of costs. Sums and their products with factors then
 * fit 64 bits. */
#define SUM_DIGITS (UINT64_C(1) << 40)

/* Return the least common multiple of two denominators, which is the denominator of the
 * sum of two fractions. Return UINT64_MAX if it does not fit 64 bits. */
static uint64_t lcm(uint64_t a, uint64_t b)
{
	struct eqt_frac reduced;
	uint64_t product;

	return eqt_frac_make(&reduced, a, b) < 0 ||
			       __builtin_mul_overflow(reduced.num, b, &product)
		       ? UINT64_MAX
		       : product;
}

/* Return the denominator of a cost. Disk in whole MiB is counted in MiB
 * (conf_read.c). */
static uint64_t digits_of(struct eqt_frac rate, int resource)
{
	const uint64_t mib = UINT64_C(1) << 20;

	return resource == EQT_DISK && rate.den % mib == 0 ? rate.den / mib
							   : rate.den;
}

/* Compute the rates of the resources: the equivalents of one core, of one MiB and so
 * on. Return 0, or -1 if a rate does not fit 64 bits. */
static int terms_make(struct eqt_terms *terms,
		      const struct eqt_section *section, uint64_t weight_u,
		      bool gpus)
{
	const struct eqt_conf_part *part = section->part;
	uint64_t digits = 1;

	/* Each resource has a rate of its own, even if its term is a maximum. So the
	 * code for prices only needs to know which resources are compared. */
	for (int i = 0; i < EQT_RESOURCES; i++) {
		const struct eqt_conf_part *one = &part[i];
		struct eqt_frac cost = one->cost;

		for (int j = 0; j < EQT_RESOURCES; j++) {
			/* A resource that is not counted is in no term. */
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

/* Does the section need terms? It does if it has a term, a cost by amount, a price of
 * nodes or a power of 1000. Older files have none of these and keep their exact
 * prices. */
static bool parts_need_terms(const struct eqt_section *section)
{
	bool any = section->terms > 0;

	for (int i = 0; i < EQT_RESOURCES; i++)
		any |= section->part[i].cost.den > 0 ||
		       section->part[i].decimal;
	return any;
}

/* Check the resources of a bundle or a partition. `gpus` is true for a bundle of GPUs,
 * whose weight is weight_u. Return 0, or -1 with the error. */
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

/* Store the resources of a section in a bundle or in the rule of a partition. The
 * weight must be set before. If the section needs terms, they are stored in *terms. */
static int section_put_parts(struct eqt_section *section,
			     struct eqt_bundle *bundle, struct eqt_terms *terms,
			     bool gpus, const char *kind, const char *name)
{
	const struct eqt_conf_part *part = section->part;

	/* In terms, the key gpu replaces the key weight. Without gpu, GPUs cost nothing
	 * and only give the bundle its name. */
	if (section->terms > 0 && gpus) {
		if (bundle->weight_u != EQT_MICRO)
			return eqt_source_refuse(
				section->source,
				"%s \"%s\": weight is gpu in a term", kind,
				name);
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
		return eqt_source_refuse(
			section->source,
			"%s \"%s\": its costs have too many digits", kind,
			name);
	bundle->terms = terms;
	return 0;
}

/* ---- The section ---------------------------------------------------------- */

/* Is this a GRES name with an optional type, such as "gpu" or "gpu:p100"? */
static bool gres_name_valid(const char *name)
{
	size_t length = strspn(name, EQT_SOURCE_NAME_CHARACTERS);
	const char *type = name + length;

	if (length == 0 || strlen(name) >= EQT_NAME_SIZE)
		return false;
	if (*type == '\0')
		return true;
	length = strspn(type + 1, EQT_SOURCE_NAME_CHARACTERS);
	return *type == ':' && length > 0 && type[1 + length] == '\0';
}

/* Check the unit of a bundle or a pool, copy it to *at, and let *to point to the
 * copy. */
static int unit_put(struct eqt_section *section, const struct eqt_unit **to,
		    struct eqt_unit *at, const char *kind, const char *name)
{
	const struct eqt_unit *unit = &section->unit;

	if (unit->many[0] != '\0' && unit->one[0] == '\0')
		return eqt_source_refuse(section->source,
					 "%s \"%s\": units needs unit", kind,
					 name);
	if ((unit->rate_u > 0) != (unit->currency[0] != '\0'))
		return eqt_source_refuse(section->source,
					 "%s \"%s\": missing key \"%s\"", kind,
					 name,
					 unit->rate_u ? "currency" : "rate");
	if (unit->one[0] == '\0' && unit->rate_u == 0)
		return 0;
	*at = *unit;
	*to = at;
	return 0;
}

/* Is there a bundle of this name for the same nodes? */
static bool bundle_is_duplicate(const struct eqt_section *section,
				const char *name)
{
	const struct eqt_conf *conf = section->conf;
	const struct eqt_bundle_table *prices = &conf->prices;

	if (strcmp(name, "cores") == 0)
		return prices->cores.name[0] != '\0';
	for (uint32_t i = 0; i < prices->gpu_count; i++) {
		if (strcmp(prices->gpu[i].name, name) == 0 &&
		    strcmp(conf->nodes[i], section->nodes) == 0 &&
		    strcmp(conf->features[i], section->features) == 0)
			return true;
	}
	return false;
}

/* Check a bundle whose name is valid. Return 0, or -1 with the error. */
static int bundle_check(const struct eqt_section *section, const char *name)
{
	const struct eqt_bundle *bundle = &section->bundle;
	bool cores = strcmp(name, "cores") == 0;

	if (bundle->cores_u == 0 && section->terms == 0 &&
	    section->part[EQT_NODES].amount.den == 0)
		return eqt_source_refuse(section->source,
					 "bundle \"%s\": missing key \"cores\"",
					 name);
	if (bundle_is_duplicate(section, name))
		return eqt_source_refuse(section->source,
					 "duplicate bundle \"%s\"", name);
	if (cores && bundle->weight_u != EQT_MICRO)
		return eqt_source_refuse(section->source,
					 "bundle \"cores\": weight must be 1");
	if (cores && (section->nodes[0] || section->features[0]))
		return eqt_source_refuse(section->source,
					 "bundle \"cores\": nodes and features "
					 "are for GPU bundles only");
	return 0;
}

/* Copy the list of nodes and the features to conf, because the section is used again
 * for the next bundle. */
static void bundle_put_nodes(struct eqt_section *section, uint32_t at)
{
	struct eqt_conf *conf = section->conf;

	memcpy(conf->nodes[at], section->nodes, EQT_NODES_SIZE);
	memcpy(conf->features[at], section->features, EQT_NODES_SIZE);
	if (conf->nodes[at][0] != '\0')
		section->bundle.nodes = conf->nodes[at];
	if (conf->features[at][0] != '\0')
		section->bundle.features = conf->features[at];
}

int eqt_section_add_bundle(struct eqt_section *section, const char *name)
{
	struct eqt_conf *conf = section->conf;
	const bool cores = strcmp(name, "cores") == 0;
	const uint32_t at = conf->prices.gpu_count;

	if (!gres_name_valid(name))
		return eqt_source_refuse(
			section->source,
			"bundle \"%s\": expected cores or a GRES name such as "
			"gpu or gpu:p100, of at most %d characters",
			name, EQT_NAME_SIZE - 1);
	if (!cores && at == EQT_MODELS_MAX)
		return eqt_source_refuse(
			section->source,
			"bundle \"%s\": more than %d GPU bundles", name,
			EQT_MODELS_MAX);
	if (section_put_parts(section, &section->bundle,
			      cores ? &conf->cores_terms : &conf->gpu_terms[at],
			      !cores, "bundle", name) < 0 ||
	    bundle_check(section, name) < 0 ||
	    unit_put(section, &section->bundle.unit,
		     cores ? &conf->cores_unit : &conf->gpu_unit[at], "bundle",
		     name) < 0)
		return -1;
	memcpy(section->bundle.name, name, strlen(name) + 1);
	if (cores) {
		conf->prices.cores = section->bundle;
		return 0;
	}
	bundle_put_nodes(section, at);
	conf->gpu[at] = section->bundle;
	conf->prices.gpu_count++;
	return 0;
}

/* Add the rule of a partition or a QOS to its list. `kind` is the word for the
 * section. */
static int rule_add(struct eqt_section *section, struct eqt_rule_list *list,
		    const char *kind, const char *name)
{
	size_t length = strlen(name);

	if (length == 0 || length >= EQT_NAME_SIZE ||
	    strspn(name, EQT_SOURCE_NAME_CHARACTERS) != length)
		return eqt_source_refuse(section->source,
					 "%s \"%s\": expected a name of at "
					 "most %d letters, digits, _, . and -",
					 kind, name, EQT_NAME_SIZE - 1);
	if (eqt_rules_find(list, name, length))
		return eqt_source_refuse(section->source, "duplicate %s \"%s\"",
					 kind, name);
	if (list->count == EQT_RULES_MAX)
		return eqt_source_refuse(section->source,
					 "%s \"%s\": more than %d of them",
					 kind, name, EQT_RULES_MAX);
	(void) snprintf(section->rule.name, EQT_NAME_SIZE, "%s", name);
	list->rule[list->count++] = section->rule;
	return 0;
}

/* The cores, memory, disk, nodes and terms of a partition replace those of the bundle
 * "cores" for its jobs. */
int eqt_section_add_partition(struct eqt_section *section, const char *name)
{
	struct eqt_conf *conf = section->conf;
	const struct eqt_conf_part *part = section->part;
	struct eqt_rule *rule = &section->rule;
	struct eqt_bundle own = { .weight_u = EQT_MICRO };

	if (section->terms == 0 && part[EQT_CORES].amount.den == 0 &&
	    part[EQT_NODES].amount.den == 0 &&
	    (part[EQT_MEMORY].amount.den || part[EQT_DISK].amount.den))
		return eqt_source_refuse(
			section->source, "partition \"%s\": %s needs cores",
			name, part[EQT_MEMORY].amount.den ? "memory" : "disk");
	if (conf->partitions.count < EQT_RULES_MAX &&
	    section_put_parts(section, &own,
			      &conf->partition_terms[conf->partitions.count],
			      false, "partition", name) < 0)
		return -1;
	rule->cores_u = own.cores_u;
	rule->mem_mib_u = own.mem_mib_u;
	rule->disk = own.disk;
	rule->terms = own.terms;
	return rule_add(section, &conf->partitions, "partition", name);
}

int eqt_section_add_qos(struct eqt_section *section, const char *name)
{
	return rule_add(section, &section->conf->qos, "qos", name);
}

int eqt_section_add_pool(struct eqt_section *section, const char *name)
{
	struct eqt_pools *pools = &section->conf->pools;
	enum eqt_pool pool = strcmp(name, "gpu") == 0 ? EQT_POOL_GPU
						      : EQT_POOL_CPU;

	if (pool == EQT_POOL_CPU && strcmp(name, "cpu") != 0)
		return eqt_source_refuse(section->source,
					 "pool \"%s\": expected cpu or gpu",
					 name);
	if (section->conf->pool_there[pool])
		return eqt_source_refuse(section->source,
					 "duplicate pool \"%s\"", name);
	section->conf->pool_there[pool] = true;
	if (unit_put(section, &section->conf->prices.pool_unit[pool],
		     &section->conf->pool_unit[pool], "pool", name) < 0)
		return -1;
	if (section->suffix[0] == '\0' &&
	    !section->conf->prices.pool_unit[pool])
		return eqt_source_refuse(section->source,
					 "pool \"%s\": missing key \"suffix\"",
					 name);
	memcpy(pools->suffix[pool], section->suffix, EQT_NAME_SIZE);
	if (section->suffix[0] != '\0' &&
	    strcmp(pools->suffix[EQT_POOL_CPU], pools->suffix[EQT_POOL_GPU]) ==
		    0)
		return eqt_source_refuse(section->source,
					 "both pools have the suffix \"%s\"",
					 section->suffix);
	return 0;
}

/* If two patterns match an account, the first one applies. But two equal patterns are a
 * mistake. */
static bool grant_is_duplicate(const struct eqt_grant_list *list,
			       const char *name)
{
	for (uint32_t i = 0; i < list->count; i++) {
		if (strcmp(list->rule[i].name, name) == 0)
			return true;
	}
	return false;
}

/* Check a grant whose name is valid. Return 0, or -1 with the error. */
static int grant_check(const struct eqt_section *section, const char *name)
{
	const struct eqt_grant_list *list = &section->conf->grants;
	const struct eqt_grant_rule *grant = &section->grant;

	if (grant_is_duplicate(list, name))
		return eqt_source_refuse(section->source,
					 "duplicate grant \"%s\"", name);
	if (list->count == EQT_GRANTS_MAX)
		return eqt_source_refuse(section->source,
					 "grant \"%s\": more than %d of them",
					 name, EQT_GRANTS_MAX);
	if ((grant->spent == EQT_GRANT_BONUS ||
	     grant->scarce == EQT_GRANT_BONUS) &&
	    grant->bonus[0] == '\0')
		return eqt_source_refuse(section->source,
					 "grant \"%s\": missing key \"bonus\"",
					 name);
	return 0;
}

/* Check a name in which * stands for any characters. `whose` is "an account's", for
 * example. Return 0, or -1 with the error. */
static int pattern_check(const struct eqt_section *section, const char *kind,
			 const char *whose, const char *name)
{
	const size_t length = strlen(name);

	if (length > 0 && length < EQT_NAME_SIZE &&
	    strspn(name, EQT_SOURCE_NAME_CHARACTERS "*") == length)
		return 0;
	return eqt_source_refuse(section->source,
				 "%s \"%s\": expected %s name, in which * is "
				 "any part, of at most %d characters",
				 kind, name, whose, EQT_NAME_SIZE - 1);
}

int eqt_section_add_grant(struct eqt_section *section, const char *name)
{
	struct eqt_grant_list *list = &section->conf->grants;

	if (pattern_check(section, "grant", "an account's", name) < 0 ||
	    grant_check(section, name) < 0)
		return -1;
	(void) snprintf(section->grant.name, EQT_NAME_SIZE, "%s", name);
	list->rule[list->count++] = section->grant;
	return 0;
}

int eqt_section_add_reservation(struct eqt_section *section, const char *name)
{
	struct eqt_conf *conf = section->conf;

	if (pattern_check(section, "reservation", "a reservation's", name) < 0)
		return -1;
	for (uint32_t i = 0; i < conf->reservations; i++) {
		if (strcmp(conf->reservation[i].name, name) == 0)
			return eqt_source_refuse(section->source,
						 "duplicate reservation \"%s\"",
						 name);
	}
	if (conf->reservations == EQT_RESERVATIONS_MAX)
		return eqt_source_refuse(
			section->source,
			"reservation \"%s\": more than %d of them", name,
			EQT_RESERVATIONS_MAX);
	(void) snprintf(section->reservation.name, EQT_NAME_SIZE, "%s", name);
	conf->reservation[conf->reservations++] = section->reservation;
	return 0;
}

/* Check that "none" is the only word of the key refund. */
static int section_check_refund(const struct eqt_section *section,
				uint32_t refund)
{
	if ((refund & EQT_REFUND_NONE) && refund != EQT_REFUND_NONE)
		return eqt_source_refuse(section->source,
					 "refund = none has no other states");
	return 0;
}

int eqt_section_add_priority(struct eqt_section *section, const char *name)
{
	const struct eqt_conf_priority *priority = &section->priority;

	/* A file has only one such section, so the section has no name. */
	(void) name;
	if (section->conf->priority.there)
		return eqt_source_refuse(section->source,
					 "duplicate section priority");
	/* Without these settings, a job that starts would count as nothing. */
	if (priority->order == EQT_ORDER_JOBS && !priority->allocated_now &&
	    priority->rank_by != EQT_RANK_BY_ALLOCATED)
		return eqt_source_refuse(section->source,
					 "order = jobs needs allocated_now, or "
					 "rank_by = allocated");
	if (priority->tasks_ahead && priority->order != EQT_ORDER_JOBS)
		return eqt_source_refuse(section->source,
					 "tasks_ahead needs order = jobs");
	if (section_check_refund(section, priority->refund) < 0)
		return -1;
	section->conf->priority = *priority;
	section->conf->priority.there = true;
	return 0;
}

int eqt_section_add_budget(struct eqt_section *section, const char *name)
{
	const struct eqt_conf_budget *budget = &section->budget;

	(void) name;
	if (section->conf->budget.there)
		return eqt_source_refuse(section->source,
					 "duplicate section budget");
	if (section_check_refund(section, budget->refund) < 0)
		return -1;
	if (budget->when_spent == EQT_BUDGET_BONUS && !budget->bonus[0])
		return eqt_source_refuse(
			section->source,
			"when_spent = bonus needs bonus, the name of a QOS");
	section->conf->budget = *budget;
	section->conf->budget.there = true;
	return 0;
}

int eqt_section_add_charges(struct eqt_section *section, const char *name)
{
	(void) name;
	if (section->conf->charges.there)
		return eqt_source_refuse(section->source,
					 "duplicate section charges");
	section->conf->charges = section->charges;
	section->conf->charges.there = true;
	return 0;
}
