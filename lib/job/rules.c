/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <string.h>

#include "price/gres.h"
#include "job/rules.h"

const struct eqt_rule *eqt_rules_find(const struct eqt_rule_list *list,
				      const char *name, size_t length)
{
	if (!name || length == 0 || length >= EQT_NAME_SIZE)
		return NULL;
	for (uint32_t i = 0; i < list->count; i++) {
		const char *known = list->rule[i].name;

		/* The last character is compared first, because names such as "p1" and
		 * "p2" mostly differ at their ends. */
		if (known[length] == '\0' &&
		    known[length - 1] == name[length - 1] &&
		    memcmp(known, name, length) == 0)
			return &list->rule[i];
	}
	return NULL;
}

bool eqt_rule_bundle(struct eqt_bundle *cores, const struct eqt_rule *rule)
{
	if (rule->cores_u == 0 && !rule->terms)
		return false;
	cores->cores_u = rule->cores_u;
	cores->mem_mib_u = rule->mem_mib_u;
	cores->disk = rule->disk;
	cores->terms = rule->terms;
	return true;
}

void eqt_rule_apply(struct eqt_bundle_table *prices,
		    const struct eqt_rule *rule,
		    enum eqt_charge_factor_kind kind)
{
	if (!rule)
		return;
	prices->queue[kind] =
		(struct eqt_charge_factor){ rule->name, rule->factor_u,
					    rule->big_nodes, rule->big_u };
	if (kind != EQT_CHARGE_FACTOR_PARTITION)
		return;
	prices->models_off = rule->models_off;
	prices->cores_off = rule->cores_off;
	(void) eqt_rule_bundle(&prices->cores, rule);
}

/* Does a list of a request ask for at least one unit of a GRES? An item that Slurm will
 * refuse counts as none. */
static bool gres_is_listed(const char *list, const char *name)
{
	struct eqt_gres item;

	while (list && eqt_gres_next(&item, &list, NULL) == 1) {
		if (strcmp(item.name, name) == 0 && item.count > 0)
			return true;
	}
	return false;
}

static bool gres_is_requested(const struct eqt_job_spec *spec, const char *name)
{
	return gres_is_listed(spec->tres_per_job, name) ||
	       gres_is_listed(spec->tres_per_node, name) ||
	       gres_is_listed(spec->tres_per_socket, name) ||
	       gres_is_listed(spec->tres_per_task, name);
}

bool eqt_rule_wants_any(const struct eqt_rule *rule)
{
	return rule->wants != 0 || rule->require_gres[0] != '\0';
}

/* Return a bit EQT_WANT_* for each option that a request gives. */
static uint32_t said(const struct eqt_rule *rule,
		     const struct eqt_job_spec *spec)
{
	uint32_t wants = 0;

	if (spec->minutes > 0)
		wants |= EQT_WANT_TIME;
	if (spec->mem != EQT_MEM_NOT_GIVEN || spec->mem_per_tres)
		wants |= EQT_WANT_MEMORY;
	if (spec->tasks || spec->cpus_per_task || spec->tasks_per_node ||
	    spec->tasks_per_gpu || spec->cpus_per_tres || spec->exclusive)
		wants |= EQT_WANT_CORES;
	if (gres_is_requested(spec, rule->require_gres))
		wants |= EQT_WANT_GRES;
	return wants;
}

uint32_t eqt_rule_missing(const struct eqt_rule *rule,
			  const struct eqt_job_spec *spec,
			  struct eqt_error *err)
{
	const struct {
		uint32_t want;
		const char *option, *of;
	} options[] = {
		{ EQT_WANT_TIME, "--time", "" },
		{ EQT_WANT_MEMORY, "--mem (or --mem-per-cpu, --mem-per-gpu)",
		  "" },
		{ EQT_WANT_CORES, "--ntasks or --cpus-per-task", "" },
		{ EQT_WANT_GRES, "--gres=", rule->require_gres },
	};
	uint32_t wants = rule->wants |
			 (rule->require_gres[0] ? EQT_WANT_GRES : 0);
	uint32_t missing = wants & ~said(rule, spec), i;
	char text[EQT_ERROR_SIZE] = "";

	for (i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
		size_t length = strlen(text);

		if (missing & options[i].want)
			snprintf(text + length, sizeof(text) - length, "%s%s%s",
				 length ? ", and " : "", options[i].option,
				 options[i].of);
	}
	if (missing)
		eqt_error_set(err, "partition %s wants %s", rule->name, text);
	return missing & (~missing + 1);
}

int eqt_rule_check(const struct eqt_rule *rule, const struct eqt_price *price,
		   struct eqt_error *err)
{
	char cap_text[EQT_FRAC_TEXT], price_text[EQT_FRAC_TEXT];
	struct eqt_frac cap;

	if (rule->max_u == 0 ||
	    eqt_frac_make(&cap, rule->max_u, EQT_MICRO) < 0 ||
	    eqt_frac_cmp(price->equivalents, cap) <= 0)
		return 0;
	return eqt_error_set(
		err, "%s %s are more than the %s of one job in partition %s",
		eqt_frac_text(price->equivalents, price_text,
			      sizeof(price_text)),
		eqt_price_unit(price),
		eqt_frac_text(cap, cap_text, sizeof(cap_text)), rule->name);
}

bool eqt_pools_any(const struct eqt_pools *pools)
{
	return pools->suffix[EQT_POOL_CPU][0] != '\0' ||
	       pools->suffix[EQT_POOL_GPU][0] != '\0';
}

/* Return the length of a name without a suffix. Return -1 if the name does not end in
 * the suffix, or if nothing else is in it. */
static long length_without(const char *name, const char *suffix)
{
	size_t length = strlen(name), end = strlen(suffix);

	if (end == 0 || length <= end ||
	    strcmp(name + length - end, suffix) != 0)
		return -1;
	return (long) (length - end);
}

enum eqt_pool eqt_pools_of(const struct eqt_pools *pools, const char *account,
			   size_t *length)
{
	enum eqt_pool found = EQT_POOLS;

	*length = strlen(account);
	/* If one suffix is the end of the other, the longer one wins. */
	for (int i = 0; i < EQT_POOLS; i++) {
		long rest = length_without(account, pools->suffix[i]);

		if (rest >= 0 && (size_t) rest < *length) {
			*length = (size_t) rest;
			found = (enum eqt_pool) i;
		}
	}
	return found;
}

char *eqt_pools_account(const struct eqt_pools *pools, enum eqt_pool pool,
			const char *account, char *buf, size_t size)
{
	size_t length;
	int written;

	(void) eqt_pools_of(pools, account, &length);
	if (length >= size)
		return NULL;
	written = snprintf(buf, size, "%.*s%s", (int) length, account,
			   pools->suffix[pool]);
	return written >= 0 && (size_t) written < size ? buf : NULL;
}

const char *eqt_rules_pool_name(enum eqt_pool pool)
{
	return pool == EQT_POOL_GPU ? "GPUs" : "CPUs";
}

int eqt_pools_refuse_other(const char *account, enum eqt_pool pool,
			   struct eqt_error *err)
{
	return eqt_error_set(
		err, "account %.32s is not for %s, which the job asks for",
		account, eqt_rules_pool_name(pool));
}

int eqt_pools_refuse_two(const char *cpus, const char *gpus,
			 struct eqt_error *err)
{
	return eqt_error_set(
		err,
		"the job may get nodes that are charged to account %.64s or "
		"nodes that are charged to account %.64s, and Slurm cannot "
		"change the account when it starts; name a partition or nodes "
		"of one kind",
		cpus, gpus);
}

int eqt_rules_price(struct eqt_price *out, struct eqt_bundle_table *prices,
		    const struct eqt_demand *demand, struct eqt_error *err)
{
	struct eqt_price low;

	if (eqt_price_range(&low, out, prices, demand, err) == 0)
		return 0;
	prices->models_off = 0;
	prices->cores_off = false;
	return eqt_price_range(&low, out, prices, demand, err);
}
