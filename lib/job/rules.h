/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rules: how a partition or a QOS changes prices, which options it requires, and
 * which account a request goes to in each pool.
 *
 * All types are plain values; nothing here allocates.
 */
#ifndef EQT_RULES_H
#define EQT_RULES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "job/job_spec.h"
#include "base/error.h"
#include "price/price.h"

#define EQT_RULES_MAX 128 /* partitions that have rules; as many QOS */

/* Options that a submission must give. */
enum eqt_want {
	EQT_WANT_TIME = 1,
	EQT_WANT_MEMORY = 2,
	EQT_WANT_CORES = 4,
	EQT_WANT_GRES = 8 /* of the rule's require_gres; no word of require */
};

/* Another QOS for submissions once that percentage of the paying budget is spent and
 * committed. */
struct eqt_rule_then {
	uint64_t percent; /* 0: there is none */
	char qos[EQT_NAME_SIZE];
};

/* The rule of one partition or QOS. */
struct eqt_rule {
	char name[EQT_NAME_SIZE];
	uint64_t factor_u; /* of the charge; millionths */
	uint64_t big_nodes; /* nodes from which big_u counts; 0: none */
	uint64_t big_u; /* the second factor, in millionths; next to big_nodes,
			   because one key sets both */
	uint64_t max_u; /* equivalents of one request; 0: no cap */
	uint32_t wants; /* EQT_WANT_* without EQT_WANT_GRES */
	char require_gres[EQT_NAME_SIZE]; /* a GRES to request; "": none */
	uint32_t models_off; /* as in struct eqt_bundle_table */
	bool cores_off;
	/* One core-equivalent in this partition, as in struct eqt_bundle; without
	 * cores and terms as everywhere else */
	uint64_t cores_u;
	uint64_t mem_mib_u;
	uint64_t disk;
	const struct eqt_terms *terms; /* borrowed */
	struct eqt_rule_then then; /* of a QOS */
};

struct eqt_rule_list {
	struct eqt_rule rule[EQT_RULES_MAX];
	uint32_t count;
};

/* The rule of that name (of length bytes), or NULL. */
const struct eqt_rule *eqt_rules_find(const struct eqt_rule_list *list,
				      const char *name, size_t length);

/* Set the cores, memory, disk and terms of a bundle to those of the rule, if it has
 * any; false if not. */
bool eqt_rule_bundle(struct eqt_bundle *cores, const struct eqt_rule *rule);

/* Apply a rule (NULL: none) to the prices of one job: its factor and, for a
 * partition, its bundles. The name is borrowed. */
void eqt_rule_apply(struct eqt_bundle_table *prices,
		    const struct eqt_rule *rule,
		    enum eqt_charge_factor_kind kind);

/*
 * The charge for a request: the highest price by the bundles that the rules allow.
 * If those cannot price it, all bundles are used, so that a job is not free because
 * it got resources that its partition does not price; the prices then have all
 * bundles. Returns 0, or -1 as eqt_price_range().
 */
int eqt_rules_price(struct eqt_price *out, struct eqt_bundle_table *prices,
		    const struct eqt_demand *demand, struct eqt_error *err);

/* Does the rule require any option? */
bool eqt_rule_wants_any(const struct eqt_rule *rule);

/*
 * Check that a request gives the options that the partition requires. Returns 0, or
 * the first missing EQT_WANT_*, with all missing ones in err.
 */
uint32_t eqt_rule_missing(const struct eqt_rule *rule,
			  const struct eqt_job_spec *spec,
			  struct eqt_error *err);

/* Check a price against the rule's cap. 0, or -1 with both in err. */
int eqt_rule_check(const struct eqt_rule *rule, const struct eqt_price *price,
		   struct eqt_error *err);

/* The pools that accounts belong to, by the end of their names. */
enum eqt_pool { EQT_POOL_CPU, EQT_POOL_GPU, EQT_POOLS };

struct eqt_pools {
	char suffix[EQT_POOLS][EQT_NAME_SIZE]; /* "": the pool has none */
};

/* Does any pool have a suffix? */
bool eqt_pools_any(const struct eqt_pools *pools);

/*
 * The pool by the suffix of an account's name, or EQT_POOLS if it has none; *length
 * is set to the length of the name without the suffix.
 */
enum eqt_pool eqt_pools_of(const struct eqt_pools *pools, const char *account,
			   size_t *length);

/*
 * The account of a pool that belongs to an account: the same name with that
 * pool's suffix instead of another one, or without a suffix if the pool has
 * none. Returns buf, or NULL if it is too small.
 */
char *eqt_pools_account(const struct eqt_pools *pools, enum eqt_pool pool,
			const char *account, char *buf, size_t size);

/* "CPUs", "GPUs"; static text. */
const char *eqt_rules_pool_name(enum eqt_pool pool);

#endif
