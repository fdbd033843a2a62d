/* SPDX-License-Identifier: GPL-2.0-or-later */
/* equitree check --show: the meaning of equitree.conf. Amounts are fractions, so they are
 * printed exactly: 1.33 in the file is 1.33 here. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "check/check.h"
#include "conf/conf_lines.h"

/* Write millionths as a decimal number. Returns buf. */
static const char *micro_text(uint64_t value_u, char *buf, size_t size)
{
	struct eqt_frac value = EQT_FRAC_ZERO;

	(void) eqt_frac_make(&value, value_u, EQT_MICRO);
	return eqt_frac_text(value, buf, size);
}

/* Print millionths as a column of the table. */
static void print_micro(uint64_t value_u, const char *unit)
{
	char number[EQT_FRAC_TEXT], cell[EQT_FRAC_TEXT + 8];

	(void) snprintf(cell, sizeof(cell), "%s%s",
			micro_text(value_u, number, sizeof(number)), unit);
	printf(" %12s", cell);
}

/* The price of one unit of a resource, such as a core or a GiB, by a bundle or by a
 * partition's rule, which is a bundle without a name. 0 if the resource is not
 * counted. */
static struct eqt_frac cost_of(const struct eqt_bundle_table *prices,
			       const struct eqt_bundle *bundle,
			       enum eqt_resource resource)
{
	struct eqt_frac rate = eqt_price_terms_rate(bundle, resource);
	const bool gib = resource == EQT_MEMORY ||
			 (resource == EQT_DISK && prices->disk_shift > 0);

	/* For GPUs a rule has a rate, and a bundle of GPUs has a weight. */
	if (resource == EQT_GPUS && rate.den == 0 && bundle->name[0] &&
	    bundle != &prices->cores)
		rate = (struct eqt_frac){ bundle->weight_u, EQT_MICRO };
	if (rate.den == 0 ||
	    eqt_frac_make(&rate, (eqt_u128) rate.num * (gib ? 1024 : 1),
			  rate.den) < 0)
		return EQT_FRAC_ZERO;
	return rate;
}

/* Print one term, such as "max(0.75/core, 0.375/G memory)". "resources" has a bit per
 * resource. */
static void print_term(const struct eqt_bundle_table *prices,
		       const struct eqt_bundle *bundle, uint32_t resources)
{
	static const char *const units[EQT_RESOURCES] = {
		[EQT_CORES] = "core", [EQT_MEMORY] = "G memory",
		[EQT_GPUS] = "GPU",   [EQT_DISK] = "disk",
		[EQT_NODES] = "node",
	};
	const bool several = (resources & (resources - 1)) != 0;
	const char *before = several ? "max(" : "";
	char number[EQT_FRAC_TEXT];

	for (int i = 0; i < EQT_RESOURCES; i++) {
		if (!(resources >> i & 1))
			continue;
		printf("%s%s/%s%s", before,
		       eqt_frac_text(cost_of(prices, bundle,
					     (enum eqt_resource) i),
				     number, sizeof(number)),
		       i == EQT_DISK && prices->disk_shift > 0 ? "G " : "",
		       units[i]);
		before = ", ";
	}
	if (several)
		putchar(')');
}

/* Print all terms, such as "  max(0.75/core, 0.375/G memory) + 0.02/G disk". */
static void print_terms(const struct eqt_bundle_table *prices,
			const struct eqt_bundle *bundle)
{
	const char *before = "  ";
	uint32_t done = 0;

	for (int i = 0; i < EQT_RESOURCES; i++) {
		uint32_t term = 0;

		for (int j = i; j < EQT_RESOURCES; j++) {
			if (!(bundle->terms->apart & EQT_APART(i, j)) &&
			    cost_of(prices, bundle, (enum eqt_resource) j).num)
				term |= UINT32_C(1) << j;
		}
		term &= ~done;
		if (!term)
			continue;
		done |= term;
		fputs(before, stdout);
		print_term(prices, bundle, term);
		before = " + ";
	}
}

static void print_bundle(const struct eqt_bundle_table *prices,
			 const struct eqt_bundle *bundle)
{
	printf("%-20s", bundle->name);
	if (bundle->terms) {
		print_terms(prices, bundle);
		printf("%s%s\n", bundle->nodes ? "  on " : "",
		       bundle->nodes ? bundle->nodes : "");
		return;
	}
	print_micro(bundle->cores_u, "");
	if (bundle->mem_mib_u)
		print_micro(bundle->mem_mib_u, "M");
	else
		printf(" %12s", "not counted");
	print_micro(bundle->weight_u, "");
	if (bundle->disk)
		printf("  %" PRIu64 "%s of gres/%s", bundle->disk,
		       prices->disk_shift > 0 ? "M" : "", prices->disk_gres);
	if (bundle->nodes)
		printf("  on %s", bundle->nodes);
	putchar('\n');
}

/* Does an earlier bundle have the same name? */
static bool bundle_is_repeated(const struct eqt_bundle_table *prices,
			       uint32_t model)
{
	for (uint32_t i = 0; i < model; i++) {
		if (strcmp(prices->gpu[i].name, prices->gpu[model].name) == 0)
			return true;
	}
	return false;
}

/* Print the bundles that a rule enables: "all", or names such as "cores,gpu:p100". */
static void print_held(const struct eqt_conf *conf, const struct eqt_rule *rule)
{
	struct eqt_bundle_table prices = conf->prices;
	const char *comma = "";
	uint32_t i, held = 0;

	/* As for a job, the rule disables bundles in a copy of the table. */
	eqt_rule_apply(&prices, rule, EQT_CHARGE_FACTOR_PARTITION);
	for (i = 0; i < prices.gpu_count; i++)
		held += eqt_bundle_table_holds(&prices, i);
	printf("  bundles ");
	if (!prices.cores_off && held == prices.gpu_count) {
		printf("all");
		return;
	}
	if (!prices.cores_off) {
		printf("cores");
		comma = ",";
	}
	for (i = 0; i < prices.gpu_count; i++) {
		/* Bundles with the same name are enabled together. */
		if (!eqt_bundle_table_holds(&prices, i) ||
		    bundle_is_repeated(&prices, i))
			continue;
		printf("%s%s", comma, prices.gpu[i].name);
		comma = ",";
	}
}

/* Print the options that a submission to the partition must have. */
static void print_wants(const struct eqt_rule *rule)
{
	static const struct {
		uint32_t want;
		const char *name;
	} wants[] = {
		{ EQT_WANT_TIME, "time" },
		{ EQT_WANT_MEMORY, "memory" },
		{ EQT_WANT_CORES, "cores" },
	};
	const char *comma = "  require ";

	for (size_t i = 0; i < sizeof(wants) / sizeof(wants[0]); i++) {
		if (!(rule->wants & wants[i].want))
			continue;
		printf("%s%s", comma, wants[i].name);
		comma = ",";
	}
	if (rule->require_gres[0])
		printf("%sgres/%s", comma, rule->require_gres);
}

/* Print a discount for big jobs, such as "  x0.6 from 1024 nodes". */
static void print_big(const struct eqt_rule *rule)
{
	char number[EQT_FRAC_TEXT];

	if (rule->big_nodes > 0)
		printf("  x%s from %" PRIu64 " nodes",
		       micro_text(rule->big_u, number, sizeof(number)),
		       rule->big_nodes);
}

/* Print the partitions that have a section. All others have the factor 1 and no
 * maximum. */
static void print_partitions(const struct eqt_conf *conf, bool headings)
{
	const struct eqt_rule_list *list = &conf->partitions;

	if (headings && list->count > 0)
		printf("\n%-20s %12s %12s\n", "PARTITION", "FACTOR", "MAX");
	for (uint32_t i = 0; i < list->count; i++) {
		struct eqt_bundle own = { .weight_u = EQT_MICRO };

		(void) eqt_rule_bundle(&own, &list->rule[i]);
		printf("%-20s", list->rule[i].name);
		print_micro(list->rule[i].factor_u, "");
		if (list->rule[i].max_u)
			print_micro(list->rule[i].max_u, "");
		else
			printf(" %12s", "no cap");
		print_held(conf, &list->rule[i]);
		print_wants(&list->rule[i]);
		print_big(&list->rule[i]);
		if (list->rule[i].terms)
			print_terms(&conf->prices, &own);
		putchar('\n');
	}
}

static void print_qos(const struct eqt_conf *conf, bool headings)
{
	if (headings && conf->qos.count > 0)
		printf("\n%-20s %12s\n", "QOS", "FACTOR");
	for (uint32_t i = 0; i < conf->qos.count; i++) {
		printf("%-20s", conf->qos.rule[i].name);
		print_micro(conf->qos.rule[i].factor_u, "");
		print_big(&conf->qos.rule[i]);
		if (conf->qos.rule[i].then.percent)
			printf("  then %s from %" PRIu64 " %%",
			       conf->qos.rule[i].then.qos,
			       conf->qos.rule[i].then.percent);
		putchar('\n');
	}
}

static void print_reservations(const struct eqt_conf *conf, bool headings)
{
	if (headings && conf->reservations > 0)
		printf("\n%-20s %12s %12s\n", "RESERVATION", "FACTOR",
		       "ACCOUNT");
	for (uint32_t i = 0; i < conf->reservations; i++) {
		const struct eqt_conf_reservation *rule = &conf->reservation[i];

		printf("%-20s", rule->name);
		print_micro(rule->factor_u, "");
		printf(" %12s\n", rule->account[0] ? rule->account : "its own");
	}
}

/* Print the suffix of each pool's accounts. */
static void print_pools(const struct eqt_conf *conf, bool headings)
{
	if (headings && eqt_pools_any(&conf->pools))
		printf("\n%-20s %12s\n", "POOL", "SUFFIX");
	for (int i = 0; i < EQT_POOLS; i++) {
		if (conf->pools.suffix[i][0] != '\0')
			printf("%-20s %12s\n",
			       eqt_rules_pool_name((enum eqt_pool) i),
			       conf->pools.suffix[i]);
	}
}

static void print_bundles(const struct eqt_conf *conf, bool headings)
{
	if (headings)
		printf("%-20s %12s %12s %12s\n", "BUNDLE", "CORES", "MEMORY",
		       "WEIGHT");
	print_bundle(&conf->prices, &conf->prices.cores);
	for (uint32_t i = 0; i < conf->prices.gpu_count; i++)
		print_bundle(&conf->prices, &conf->prices.gpu[i]);
}

/* Print a unit, if the site has given it a name or a rate in money. */
static void print_unit(const char *whose, const struct eqt_unit *unit,
		       int gpu_pool)
{
	char rate[EQT_FRAC_TEXT];

	if (!unit)
		return;
	printf("%-20s %12s", whose, eqt_unit_name(unit, gpu_pool, false));
	if (unit->currency[0] != '\0')
		printf(" %12s %s", micro_text(unit->rate_u, rate, sizeof(rate)),
		       unit->currency);
	putchar('\n');
}

static void print_units(const struct eqt_conf *conf, bool headings)
{
	const struct eqt_bundle_table *prices = &conf->prices;
	bool any = prices->cores.unit != NULL;

	for (uint32_t i = 0; i < EQT_POOLS; i++)
		any |= prices->pool_unit[i] != NULL;
	for (uint32_t i = 0; i < prices->gpu_count; i++)
		any |= prices->gpu[i].unit != NULL;
	if (headings && any)
		printf("\n%-20s %12s %12s\n", "UNIT OF", "NAME", "AN HOUR");
	print_unit("pool cpu", prices->pool_unit[EQT_POOL_CPU], 0);
	print_unit("pool gpu", prices->pool_unit[EQT_POOL_GPU], 1);
	print_unit(prices->cores.name, prices->cores.unit, 0);
	for (uint32_t i = 0; i < prices->gpu_count; i++)
		print_unit(prices->gpu[i].name, prices->gpu[i].unit, 1);
}

/* Print all keys of a section with the values in force, including defaults. */
static void print_keys(const struct eqt_conf *conf, const char *section)
{
	struct eqt_conf_line line;
	size_t at = 0;

	putchar('\n');
	while (eqt_conf_key_next(&line, conf, section, &at))
		printf("%-17s %s\n", line.key, line.value);
}

/* Print lines for slurm.conf with TRESBillingWeights that match the bundles. If a
 * partition can have no such weights, print why. */
static void print_lines(const struct eqt_check *check)
{
	const struct eqt_slurmconf *slurm = &check->slurm;
	const char *text, *why;
	char line[256];

	putchar('\n');
	for (size_t i = 0; i < slurm->count; i++) {
		if (!eqt_cluster_conf_is_partition(slurm, i))
			continue;
		text = eqt_check_billing_line(check, i, line, sizeof(line),
					      &why);
		if (text)
			printf("PartitionName=%s TRESBillingWeights=\"%s\"\n",
			       slurm->lines[i].pairs[0].value, text);
		else
			printf("# PartitionName=%s: no TRESBillingWeights "
			       "match:\n#   %s\n",
			       slurm->lines[i].pairs[0].value, why);
	}
}

void eqt_check_show(const struct eqt_check *check, bool headings)
{
	const struct eqt_conf *conf = check->conf;

	print_bundles(conf, headings);
	print_partitions(conf, headings);
	print_qos(conf, headings);
	print_reservations(conf, headings);
	print_pools(conf, headings);
	print_units(conf, headings);
	print_keys(conf, "");
	print_keys(conf, "priority");
	print_keys(conf, "budget");
	print_keys(conf, "charges");
	if (check->have & EQT_NEEDS_SLURM)
		print_lines(check);
}
