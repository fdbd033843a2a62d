/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Compares Slurm's billing TRES with the bundles. TRESBillingWeights are set per
 * partition, so they can match only if a single bundle prices all jobs of the partition.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/text.h"
#include "cli/print.h"
#include "cli/alloc.h"
#include "check/check.h"
#include "slurm/text/tres_list.h"

/* Weights are printed with six digits. */
#define WEIGHT_FAR 1e-4

#define MIB_PER_GIB 1024.0
#define BYTES_PER_GIB (1024.0 * 1024.0 * 1024.0)

/* How the resources of a bundle make a price. WAY_ONE means that only one resource
 * counts. WAY_BOTH means that some resources are added, and that of others only the
 * largest counts. */
enum ruler_way { WAY_ONE, WAY_MAXIMUM, WAY_SUM, WAY_BOTH };

/* The single bundle that prices all jobs of a partition. */
struct ruler {
	/* with the partition's own rates for cores and memory */
	struct eqt_bundle bundle;
	bool gpu;
	uint64_t threads; /* CPUs per core; 0: the nodes differ */
	double scale; /* billing per equivalent */
	/* unit of the weight of local disk; static text */
	const char *disk_suffix;
	unsigned int way; /* bits of enum ruler_way */
};

/* The bundles that the nodes of a partition need. */
struct search {
	const struct eqt_bundle_table *prices; /* with the partition's rules */
	int model; /* -1: none was found */
	bool several;
};

/* A bundle with nodes or features covers some nodes only, so other nodes of the partition
 * may need another bundle for the same model. */
static void search_add_model(const struct eqt_gres *gres, void *with)
{
	struct search *search = with;
	int model =
		eqt_bundle_table_find(search->prices, gres->name, gres->type);

	if (model < 0 ||
	    !eqt_bundle_table_holds(search->prices, (uint32_t) model))
		return;
	if ((search->model >= 0 && search->model != model) ||
	    search->prices->gpu[model].nodes ||
	    search->prices->gpu[model].features)
		search->several = true;
	search->model = model;
}

/* Find the bundles and the CPUs per core of a partition's nodes. Returns 0, or -1 if the
 * list of nodes is invalid. */
static int partition_search(const struct eqt_check *check, size_t line,
			    struct search *search, struct ruler *ruler)
{
	const struct eqt_cluster *cluster = &check->cluster;
	bool *in = eqt_alloc(cluster->count + 1, sizeof(*in));
	bool first = true;
	uint64_t threads;

	if (eqt_cluster_conf_partition_nodes(cluster, line, in) < 0) {
		free(in);
		return -1;
	}
	for (size_t i = 0; i < cluster->count; i++) {
		if (!in[i])
			continue;
		eqt_check_node_gpus(check, &cluster->nodes[i], search_add_model,
				    search);
		threads = eqt_cluster_conf_node_threads(cluster,
							&cluster->nodes[i]);
		ruler->threads = first || threads == ruler->threads ? threads
								    : 0;
		first = false;
	}
	free(in);
	return 0;
}

/* The billing for one unit of a resource. 0 if the bundle does not count the resource. */
static double ruler_rate(const struct ruler *ruler, enum eqt_resource resource)
{
	struct eqt_frac rate = eqt_price_terms_rate(&ruler->bundle, resource);

	if (resource == EQT_GPUS && rate.den == 0 && ruler->gpu)
		rate = (struct eqt_frac){ ruler->bundle.weight_u, EQT_MICRO };
	return rate.den ? ruler->scale * (double) rate.num / (double) rate.den
			: 0;
}

static unsigned int ruler_ways(const struct ruler *ruler)
{
	const uint32_t apart = ruler->bundle.terms ? ruler->bundle.terms->apart
						   : 0;
	unsigned int way = WAY_ONE;

	for (int i = 0; i < EQT_RESOURCES; i++) {
		for (int j = i + 1; j < EQT_RESOURCES; j++) {
			if (ruler_rate(ruler, (enum eqt_resource) i) > 0 &&
			    ruler_rate(ruler, (enum eqt_resource) j) > 0)
				way |= apart & EQT_APART(i, j) ? WAY_SUM
							       : WAY_MAXIMUM;
		}
	}
	return way;
}

/* Find the bundle of a line's partition. Returns NULL, or a text that tells why no single
 * bundle prices all jobs. */
static const char *ruler_find(const struct eqt_check *check, size_t line,
			      struct ruler *ruler)
{
	struct eqt_bundle_table prices;
	struct search search = { &prices, -1, false };
	double factor = 1;

	eqt_conf_prices(&prices, check->conf,
			check->slurm.lines[line].pairs[0].value, NULL);
	*ruler = (struct ruler){ .threads = 1 };
	if (partition_search(check, line, &search, ruler) < 0)
		return "its list of nodes is invalid";
	if (ruler->threads == 0)
		return "its nodes differ in CPUs per core";
	if (search.several)
		return "its nodes have GPUs of several bundles";
	if (eqt_price_terms_by_cores(&prices))
		search.model = -1;
	if (search.model >= 0 && !prices.cores_off)
		return "jobs with and without GPUs have different bundles "
		       "there";
	if (search.model < 0 && prices.cores_off)
		return "no bundle of the partition matches its nodes";
	ruler->gpu = search.model >= 0;
	ruler->bundle = ruler->gpu ? prices.gpu[search.model] : prices.cores;
	if (prices.queue[EQT_CHARGE_FACTOR_PARTITION].name)
		factor = (double) prices.queue[EQT_CHARGE_FACTOR_PARTITION]
				 .factor_u /
			 (double) EQT_MICRO;
	ruler->scale = (double) check->conf->billing_scale * factor;
	ruler->disk_suffix = prices.disk_shift > 0 ? "G" : "";
	/* With a factor of 0 all rates are 0, so the way is WAY_ONE. */
	ruler->way = ruler_ways(ruler);
	if (ruler->way == WAY_BOTH)
		return "its terms add up, and one of them is a maximum";
	return NULL;
}

/* Compute the weights of one CPU, one GiB, one GPU and one node. 0 means that the
 * resource is not counted. */
static void ruler_weights(const struct ruler *ruler,
			  double weight[EQT_RESOURCES])
{
	for (int i = 0; i < EQT_RESOURCES; i++)
		weight[i] = ruler_rate(ruler, (enum eqt_resource) i);
	weight[EQT_CORES] /= (double) ruler->threads;
	weight[EQT_MEMORY] *= MIB_PER_GIB;
	/* A GRES that is counted in bytes gets a weight per MiB. Any other GRES is
	 * weighted as Slurm counts it. */
	if (ruler->disk_suffix[0])
		weight[EQT_DISK] *= MIB_PER_GIB;
}

const char *eqt_check_billing_line(const struct eqt_check *check, size_t line,
				   char *buf, size_t size, const char **why)
{
	double weight[EQT_RESOURCES];
	struct ruler ruler;

	*why = ruler_find(check, line, &ruler);
	if (*why)
		return NULL;
	ruler_weights(&ruler, weight);
	(void) snprintf(buf, size, "CPU=%.6g", weight[EQT_CORES]);
	if (weight[EQT_MEMORY] > 0)
		eqt_print_append(buf, size, ",Mem=%.6gG", weight[EQT_MEMORY]);
	if (ruler.gpu || weight[EQT_GPUS] > 0)
		eqt_print_append(
			buf, size, ",GRES/%.*s=%.6g",
			ruler.gpu ? (int) strcspn(ruler.bundle.name, ":") : 3,
			ruler.gpu ? ruler.bundle.name : "gpu",
			weight[EQT_GPUS]);
	if (weight[EQT_NODES] > 0)
		eqt_print_append(buf, size, ",Node=%.6g", weight[EQT_NODES]);
	if (weight[EQT_DISK] > 0)
		eqt_print_append(buf, size, ",GRES/%s=%.6g%s",
				 check->conf->local_disk, weight[EQT_DISK],
				 ruler.disk_suffix);
	return buf;
}

/* The resource that a TRES stands for, or EQT_RESOURCES if it has no price. */
static enum eqt_resource tres_resource(const struct eqt_check *check,
				       const struct eqt_treslist_item *item)
{
	char disk[EQT_NAME_SIZE + 8];

	(void) snprintf(disk, sizeof(disk), "gres/%s", check->conf->local_disk);
	if (check->conf->local_disk[0] && eqt_tres_list_named(item, disk))
		return EQT_DISK;
	if (eqt_tres_list_named(item, "cpu"))
		return EQT_CORES;
	if (eqt_tres_list_named(item, "mem"))
		return EQT_MEMORY;
	if (eqt_tres_list_named(item, "node"))
		return EQT_NODES;
	if (strncasecmp(item->name, "gres/gpu", 8) == 0)
		return EQT_GPUS;
	return EQT_RESOURCES;
}

/* Read weights per unit of each resource. Returns -1 if the text is invalid or has a
 * weight for a TRES without a price. */
static int weights_read(const struct eqt_check *check, double is[EQT_RESOURCES],
			const char *text)
{
	struct eqt_treslist_item item;
	double value;
	int rc;

	for (int i = 0; i < EQT_RESOURCES; i++)
		is[i] = 0;

	while ((rc = eqt_tres_list_next(&item, &text)) > 0) {
		enum eqt_resource which = tres_resource(check, &item);

		if (eqt_tres_list_weight(&value, &item, which == EQT_MEMORY) <
		    0)
			return -1;
		if (which == EQT_RESOURCES && value > 0)
			return -1;
		if (which == EQT_MEMORY)
			value *= MIB_PER_GIB;
		if (which == EQT_DISK && check->conf->prices.disk_shift > 0)
			value *= BYTES_PER_GIB;
		if (which < EQT_RESOURCES)
			is[which] = value;
	}
	return rc;
}

/* Are the weights in a text the expected ones? */
static bool weights_agree(const struct eqt_check *check, const char *text,
			  const double should[EQT_RESOURCES])
{
	double is[EQT_RESOURCES];

	if (weights_read(check, is, text) < 0)
		return false;
	for (int i = 0; i < EQT_RESOURCES; i++) {
		/* This form also returns false for NAN. */
		if (!(fabs(is[i] - should[i]) <= should[i] * WEIGHT_FAR))
			return false;
	}
	return true;
}

double eqt_check_billing_unit(const struct eqt_check *check, size_t line,
			      const char *weights)
{
	double is[EQT_RESOURCES], should[EQT_RESOURCES], ratio = 0;
	struct ruler ruler;

	if (ruler_find(check, line, &ruler) ||
	    weights_read(check, is, weights) < 0)
		return 0;
	ruler_weights(&ruler, should);
	for (int i = 0; i < EQT_RESOURCES; i++) {
		/* The first priced resource gives the ratio, which all others must have
		 * as well. */
		if (ratio == 0 && should[i] > 0)
			ratio = is[i] / should[i];
		if (!(fabs(is[i] - should[i] * ratio) <=
		      should[i] * ratio * WEIGHT_FAR))
			return 0;
	}
	return ratio * (double) check->conf->billing_scale;
}

/* Compare the weights of a partition with its bundle. If they differ, print weights that
 * match. */
static void weights_check(struct eqt_check *check, size_t line,
			  const char *text)
{
	struct eqt_check_where where =
		eqt_check_where_line(check, &check->slurm.lines[line]);
	const char *name = check->slurm.lines[line].pairs[0].value, *why;
	double should[EQT_RESOURCES];
	struct ruler ruler;
	char good[256];

	why = ruler_find(check, line, &ruler);
	if (why) {
		eqt_check_find(check, EQT_CHECK_WARNING, where,
			       "partition %s: no TRESBillingWeights can match "
			       "the bundles: %s",
			       name, why);
		return;
	}
	ruler_weights(&ruler, should);
	if (weights_agree(check, text, should))
		return;
	eqt_check_find(check, EQT_CHECK_WARNING, where,
		       "partition %s: TRESBillingWeights=%s does not match "
		       "bundle \"%s\"",
		       name, text, ruler.bundle.name);
	(void) eqt_check_billing_line(check, line, good, sizeof(good), &why);
	eqt_check_find(check, EQT_CHECK_NOTE, where,
		       "a match%s: PartitionName=%s TRESBillingWeights=\"%s\"",
		       ruler.way == WAY_SUM ? ", without PriorityFlags=MAX_TRES"
					    : ", with PriorityFlags=MAX_TRES",
		       name, good);
}

static void check_weights(struct eqt_check *check)
{
	const struct eqt_slurmconf *slurm = &check->slurm;
	const char *text;

	for (size_t i = 0; i < slurm->count; i++) {
		if (!eqt_cluster_conf_is_partition(slurm, i))
			continue;
		text = eqt_slurm_conf_entity_get(slurm, i,
						 "TRESBillingWeights");
		/* Before the migration the weights may be in any unit. */
		if (text && !(check->before &&
			      eqt_check_billing_unit(check, i, text) > 0))
			weights_check(check, i, text);
	}
}

/* One finding is enough, because the flag applies to all partitions. */
static void check_max_tres(struct eqt_check *check)
{
	const struct eqt_slurmconf *slurm = &check->slurm;
	const bool max = eqt_text_list_has(
		eqt_check_value(check, "PriorityFlags", ""), "MAX_TRES");
	struct ruler ruler;

	for (size_t i = 0; i < slurm->count; i++) {
		if (!eqt_cluster_conf_is_partition(slurm, i) ||
		    !eqt_slurm_conf_entity_get(slurm, i, "TRESBillingWeights"))
			continue;
		/* If no weights match, assume that the price is a maximum. */
		if (ruler_find(check, i, &ruler))
			ruler.way = max ? WAY_ONE : WAY_MAXIMUM;
		if (ruler.way == WAY_ONE || (ruler.way == WAY_MAXIMUM) == max)
			continue;
		eqt_check_warn_line(
			check, &slurm->lines[i], "%s",
			max ? "PriorityFlags=MAX_TRES makes billing the "
			      "maximum of TRESBillingWeights, but a price is "
			      "their sum"
			    : "TRESBillingWeights without "
			      "PriorityFlags=MAX_TRES are added up, but a "
			      "price is their maximum");
		return;
	}
}

/* Check the smallest billing, which is that of one core, with a factor. "queue" is the
 * partition, or NULL for all. */
static void billing_check_least(struct eqt_check *check, const char *queue,
				uint64_t factor_u, struct eqt_check_where where)
{
	const struct eqt_bundle_table *prices = &check->conf->prices;
	/* If cores have no price, the smallest charge is the rounding unit or the
	 * minimum. */
	double least =
		prices->cores.cores_u
			? (double) EQT_MICRO / (double) prices->cores.cores_u
			: 0;
	double limit = check->conf->billing_round == EQT_ROUND_FLOOR ? 1 : 0.5;

	if (prices->round_unit)
		least = fmax(least, 1.0 / (double) prices->round_unit);
	least = fmax(least, (double) prices->minimum_u / (double) EQT_MICRO);
	least *= (double) factor_u / (double) EQT_MICRO *
		 (double) check->conf->billing_scale;
	if (check->conf->billing_round != EQT_ROUND_CEIL && least > 0 &&
	    least < limit)
		eqt_check_find(check, EQT_CHECK_WARNING, where,
			       "a job of one core%s%s has a billing of %.4g, "
			       "which is truncated to 0: raise billing_scale, "
			       "or set billing_round = ceil",
			       queue ? " in " : "", queue ? queue : "", least);
}

/* The factors of partitions are checked only if the global scale is fine. */
static void check_truncated(struct eqt_check *check)
{
	const struct eqt_rule_list *list = &check->conf->partitions;
	struct eqt_check_where where =
		eqt_check_where_conf(check, NULL, NULL, "billing_scale");
	size_t before = check->count;

	if (!where.line)
		where = eqt_check_where_conf(check, NULL, NULL,
					     "billing_round");
	billing_check_least(check, NULL, EQT_MICRO, where);
	for (uint32_t i = 0; i < list->count && check->count == before; i++)
		billing_check_least(
			check, list->rule[i].name, list->rule[i].factor_u,
			eqt_check_where_conf(check, "partition",
					     list->rule[i].name, "factor"));
}

/* With a discount for big jobs, more nodes may cost less than fewer. Users would notice
 * and exploit that. */
static void billing_check_big(struct eqt_check *check, const char *kind,
			      const struct eqt_rule_list *list)
{
	for (uint32_t i = 0; i < list->count; i++) {
		const struct eqt_rule *rule = &list->rule[i];
		const double factor = (double) rule->big_u / (double) EQT_MICRO;

		if (rule->big_nodes == 0 || rule->big_u >= EQT_MICRO)
			continue;
		eqt_check_find(check, EQT_CHECK_NOTE,
			       eqt_check_where_conf(check, kind, rule->name,
						    "big_factor"),
			       "%s %s: %ju nodes cost as much as %.6g, so that "
			       "some jobs on more nodes cost less",
			       kind, rule->name, (uintmax_t) rule->big_nodes,
			       (double) rule->big_nodes * factor);
	}
}

static void check_big(struct eqt_check *check)
{
	billing_check_big(check, "partition", &check->conf->partitions);
	billing_check_big(check, "qos", &check->conf->qos);
}

/* Slurm's limits reserve the billing of running jobs, which does not include
 * week_factor. */
static void check_week(struct eqt_check *check)
{
	const uint64_t most_u = check->conf->week.most_u;

	if (most_u > EQT_MICRO)
		eqt_check_find(check, EQT_CHECK_NOTE,
			       eqt_check_where_conf(check, NULL, NULL,
						    "week_factor"),
			       "up to %.6g is charged, and Slurm's limits of "
			       "billing count jobs that run as 1",
			       (double) most_u / (double) EQT_MICRO);
}

const struct eqt_check_row eqt_checks_billing[] = {
	{ "big-discount", 0, check_big },
	{ "billing-weights", EQT_NEEDS_SLURM, check_weights },
	{ "billing-max-tres", EQT_NEEDS_SLURM, check_max_tres },
	{ "billing-truncated", 0, check_truncated },
	{ "week-factor", 0, check_week },
	{ NULL, 0, NULL }
};
