/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rules: how a partition or a QOS changes prices, which options it requires, and to
 * which account of each pool a request belongs.
 *
 * All types are plain values, and nothing is allocated.
 */
#ifndef EQT_RULES_H
#define EQT_RULES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "job/job_spec.h"
#include "base/error.h"
#include "price/price.h"

/* The largest number of partitions with rules, and of QOS with rules. */
#define EQT_RULES_MAX 128

/* The options that a partition can require of a submission, a bit each. */
enum eqt_want {
	EQT_WANT_TIME = 1,
	EQT_WANT_MEMORY = 2,
	EQT_WANT_CORES = 4,
	/* The GRES in require_gres, which is not a word of the key require. */
	EQT_WANT_GRES = 8
};

/* A QOS that replaces the QOS of submissions once this percentage of the paying budget
 * is spent and committed. */
struct eqt_rule_then {
	uint64_t percent; /* the percentage; 0 if there is no such QOS */
	char qos[EQT_NAME_SIZE];
};

/* The rule of one partition or QOS. */
struct eqt_rule {
	char name[EQT_NAME_SIZE];
	uint64_t factor_u; /* the factor of the charge, in millionths */
	/* The fewest nodes of a job to which big_u applies; 0 if there is no such
	 * factor. */
	uint64_t big_nodes;
	/* The second factor, in millionths. It must follow big_nodes, because one key
	 * of the configuration sets both. */
	uint64_t big_u;
	/* The highest price of one request in millionths of an equivalent; 0 if there
	 * is no cap. */
	uint64_t max_u;
	uint32_t wants; /* bits EQT_WANT_* other than EQT_WANT_GRES */
	/* The GRES that a request must name; "" if there is none. */
	char require_gres[EQT_NAME_SIZE];
	/* Bundles out of force, as in struct eqt_bundle_table. */
	uint32_t models_off;
	bool cores_off;
	/* What one core-equivalent is in this partition, as in struct eqt_bundle. If
	 * cores_u is 0 and there are no terms, it is the same as in other
	 * partitions. */
	uint64_t cores_u;
	uint64_t mem_mib_u;
	uint64_t disk;
	const struct eqt_terms *terms; /* borrowed from the configuration */
	struct eqt_rule_then then; /* set in rules of a QOS only */
};

struct eqt_rule_list {
	struct eqt_rule rule[EQT_RULES_MAX];
	uint32_t count;
};

/* Return the rule of a name, which has `length` bytes, or NULL. */
const struct eqt_rule *eqt_rules_find(const struct eqt_rule_list *list,
				      const char *name, size_t length);

/* Set the cores, memory, disk and terms of a bundle to those of a rule. Return false if
 * the rule has none. */
bool eqt_rule_bundle(struct eqt_bundle *cores, const struct eqt_rule *rule);

/* Apply a rule to the prices of one job: its factor and, for a partition, its bundles.
 * The rule may be NULL, which changes nothing. The name of the rule is borrowed. */
void eqt_rule_apply(struct eqt_bundle_table *prices,
		    const struct eqt_rule *rule,
		    enum eqt_charge_factor_kind kind);

/*
 * Compute the price that is charged for a request, which is its highest price by the
 * bundles that the rules allow. If these bundles cannot price the request, all bundles
 * are used and are in force in *prices after that. Otherwise a job would be free if it
 * got resources that its partition does not price. Return 0, or -1 as eqt_price_range()
 * does.
 */
int eqt_rules_price(struct eqt_price *out, struct eqt_bundle_table *prices,
		    const struct eqt_demand *demand, struct eqt_error *err);

/* Does a rule require any option? */
bool eqt_rule_wants_any(const struct eqt_rule *rule);

/*
 * Check that a request gives the options that the partition requires. Return 0, or the
 * EQT_WANT_* of the first missing option with all missing options in err.
 */
uint32_t eqt_rule_missing(const struct eqt_rule *rule,
			  const struct eqt_job_spec *spec,
			  struct eqt_error *err);

/* Check a price against the cap of a rule. Return 0, or -1 with the price and the cap
 * in err. */
int eqt_rule_check(const struct eqt_rule *rule, const struct eqt_price *price,
		   struct eqt_error *err);

/* The pools of accounts. The end of an account's name says to which pool it belongs. */
enum eqt_pool { EQT_POOL_CPU, EQT_POOL_GPU, EQT_POOLS };

struct eqt_pools {
	/* "" if the accounts of the pool have no suffix. */
	char suffix[EQT_POOLS][EQT_NAME_SIZE];
};

/* Does any pool have a suffix? */
bool eqt_pools_any(const struct eqt_pools *pools);

/*
 * Return the pool whose suffix an account's name has, or EQT_POOLS if it has none. Set
 * *length to the length of the name without the suffix.
 */
enum eqt_pool eqt_pools_of(const struct eqt_pools *pools, const char *account,
			   size_t *length);

/*
 * Write the name of the account in a pool that corresponds to an account of another
 * pool. The suffix of the pool replaces the suffix of the name, if there are any.
 * Return buf, or NULL if buf is too small.
 */
char *eqt_pools_account(const struct eqt_pools *pools, enum eqt_pool pool,
			const char *account, char *buf, size_t size);

/* Return "CPUs" or "GPUs", which is static text. */
const char *eqt_rules_pool_name(enum eqt_pool pool);

/* Refuse an account that is not for the pool of a request, or a request that may get
 * resources of two pools with different accounts. Return -1 with err filled. */
int eqt_pools_refuse_other(const char *account, enum eqt_pool pool,
			   struct eqt_error *err);
int eqt_pools_refuse_two(const char *cpus, const char *gpus,
			 struct eqt_error *err);

#endif
