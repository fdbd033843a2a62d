/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * eqt_rules: what a partition or a QOS adds to the price table, what it wants
 * of a request, and which account a request of a pool goes to.
 *
 * Plain values all; nothing here allocates.
 */
#ifndef EQT_RULES_H
#define EQT_RULES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "price/job_spec.h"
#include "base/error.h"
#include "price/price.h"

#define EQT_RULES_MAX 128 /* partitions that have rules; as many QOS */

/* What a submission must say. */
enum eqt_want { EQT_WANT_TIME = 1, EQT_WANT_MEMORY = 2, EQT_WANT_CORES = 4 };

/* The rule of one partition or QOS. */
struct eqt_rule {
	char name[EQT_NAME_SIZE];
	uint64_t factor_u; /* of the charge; millionths */
	uint64_t max_u; /* equivalents of one request; 0: no cap */
	uint32_t wants; /* EQT_WANT_* */
	uint32_t models_off; /* as in struct eqt_bundle_table */
	bool cores_off;
	/* of one core-equivalent here; 0: as everywhere */
	uint64_t cores_u; /* cores, in millionths */
	uint64_t mem_mib_u; /* MiB, in millionths; 0: not counted */
};

struct eqt_rule_list {
	struct eqt_rule rule[EQT_RULES_MAX];
	uint32_t count;
};

/* The rule of that name (of length bytes), or NULL. */
const struct eqt_rule *eqt_rules_find(const struct eqt_rule_list *list,
				      const char *name, size_t length);

/* Put a rule (NULL: none) into the prices of one job: its bundles if it is a
 * partition's, its factor. The name is borrowed. */
void eqt_rule_apply(struct eqt_bundle_table *prices,
		    const struct eqt_rule *rule,
		    enum eqt_charge_factor_kind kind);

/*
 * What is charged for a request: the dearest price by the bundles that the
 * rules leave, else by all of them, so that a job that got what its partition
 * does not price is not free. 0, or -1 as eqt_price_range(). The prices may
 * have all their bundles then.
 */
int eqt_rules_price(struct eqt_price *out, struct eqt_bundle_table *prices,
		    const struct eqt_demand *demand, struct eqt_error *err);

/*
 * Whether a request says what the partition's rule wants. 0; or the first
 * EQT_WANT_* that is missing, with err naming all that are.
 */
uint32_t eqt_rule_missing(const struct eqt_rule *rule,
			  const struct eqt_job_spec *spec,
			  struct eqt_error *err);

/* Whether a price is within the rule's cap. 0, or -1 with err naming both. */
int eqt_rule_check(const struct eqt_rule *rule, const struct eqt_price *price,
		   struct eqt_error *err);

/* The pools that accounts belong to, by the end of their names. */
enum eqt_pool { EQT_POOL_CPU, EQT_POOL_GPU, EQT_POOLS };

struct eqt_pools {
	char suffix[EQT_POOLS][EQT_NAME_SIZE]; /* "": there is no such pool */
};

/* Whether there is any pool. */
bool eqt_pools_any(const struct eqt_pools *pools);

/*
 * The pool that an account's name says, or EQT_POOLS when it says none;
 * *length is that of the name without the pool's suffix.
 */
enum eqt_pool eqt_pools_of(const struct eqt_pools *pools, const char *account,
			   size_t *length);

/*
 * The account of a pool that belongs to a name: its suffix instead of any
 * other pool's. Without such a pool it is the name without a suffix. Returns
 * buf, or NULL when it is too small.
 */
char *eqt_pools_account(const struct eqt_pools *pools, enum eqt_pool pool,
			const char *account, char *buf, size_t size);

/* "CPUs", "GPUs"; static text. */
const char *eqt_rules_pool_name(enum eqt_pool pool);

#endif
