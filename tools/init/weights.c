/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes the prices that the TRESBillingWeights of slurm.conf give as terms of
 * partitions. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "init/init.h"
#include "cli/print.h"
#include "cli/alloc.h"
#include "slurm/text/tres_list.h"
#include "base/text.h"

static bool weight_is_gpu(const struct eqt_treslist_item *item)
{
	return eqt_tres_list_named(item, "gres/gpu");
}

/* Remember the first GRES other than GPUs with a weight, because it may be local disk. */
static int weights_note_disk(struct eqt_init_plan *plan, const char *text,
			     struct eqt_error *err)
{
	struct eqt_treslist_item item;
	int rc;

	while ((rc = eqt_tres_list_next(&item, &text)) > 0) {
		const char *gres = eqt_tres_list_gres(&item);

		if (gres && !strchr(gres, ':') && !weight_is_gpu(&item) &&
		    !plan->disk[0] && strlen(gres) < sizeof(plan->disk))
			memcpy(plan->disk, gres, strlen(gres) + 1);
	}
	return rc < 0 ? eqt_error_set(
				err, "TRESBillingWeights: expected NAME=NUMBER")
		      : 0;
}

/* The CPUs per core on the first node of a partition. */
static uint64_t weights_threads(const struct eqt_cluster *cluster, size_t line,
				bool *in)
{
	memset(in, 0, (cluster->count + 1) * sizeof(*in));
	if (eqt_cluster_conf_partition_nodes(cluster, line, in) < 0)
		return 1;
	for (size_t i = 0; i < cluster->count; i++) {
		if (in[i])
			return eqt_cluster_conf_node_threads(
				cluster, &cluster->nodes[i]);
	}
	return 1;
}

int eqt_init_weights_plan(struct eqt_init_plan *plan,
			  const struct eqt_cluster *cluster,
			  struct eqt_error *err)
{
	const struct eqt_slurmconf *slurm = cluster->conf;
	bool *in = eqt_alloc(cluster->count + 1, sizeof(*in));
	const char *flags;
	int rc = 0;

	plan->weights = eqt_alloc(slurm->count + 1, sizeof(*plan->weights));

	flags = eqt_slurm_conf_get(slurm, "PriorityFlags", NULL);
	plan->largest = flags && eqt_text_list_has(flags, "MAX_TRES");
	for (size_t i = 0;
	     rc == 0 && i < slurm->count && plan->weights_count < EQT_RULES_MAX;
	     i++) {
		struct eqt_init_weights *one =
			&plan->weights[plan->weights_count];

		if (!eqt_cluster_conf_is_partition(slurm, i))
			continue;
		one->name = slurm->lines[i].pairs[0].value;
		one->weights = eqt_slurm_conf_entity_get(slurm, i,
							 "TRESBillingWeights");
		one->threads = weights_threads(cluster, i, in);
		plan->weights_count++;
		if (one->weights)
			rc = weights_note_disk(plan, one->weights, err);
	}
	free(in);
	return rc;
}

/* Write a weight with no more digits than needed. Returns buf. */
static const char *weight_number(double weight, char *buf, size_t size)
{
	(void) snprintf(buf, size, "%.6f", weight);
	return eqt_text_cut_zeros(buf);
}

/* Write one weight as a key of a term. Returns false if there is no such key, or if the
 * weight is 0. */
static bool weight_key(char *buf, size_t size, const struct eqt_init_plan *plan,
		       const struct eqt_treslist_item *item, uint64_t threads,
		       bool gpus)
{
	const char *unit = item->value + strlen(item->value) - 1;
	const bool has_unit = strchr("KMGTkmgt", *unit) != NULL;
	const double weight = strtod(item->value, NULL);
	char number[64], disk[EQT_NAME_SIZE + 8];

	(void) weight_number(weight, number, sizeof(number));
	(void) snprintf(disk, sizeof(disk), "gres/%s", plan->disk);
	if (!(weight > 0))
		return false;
	if (eqt_tres_list_named(item, "cpu"))
		(void) snprintf(buf, size, "cores = %s per core",
				weight_number(weight * (double) threads, number,
					      sizeof(number)));
	else if (eqt_tres_list_named(item, "mem"))
		(void) snprintf(buf, size, "memory = %s per %c", number,
				has_unit ? *unit : 'M');
	else if (eqt_tres_list_named(item, "node"))
		(void) snprintf(buf, size, "node = %s", number);
	else if (weight_is_gpu(item) && gpus)
		(void) snprintf(buf, size, "gpu = %s", number);
	else if (plan->disk[0] && eqt_tres_list_named(item, disk))
		(void) snprintf(buf, size, "disk = %s per %c", number,
				has_unit ? *unit : '1');
	else
		return false;
	return true;
}

/* Print the terms of one partition: a term per weight or, with MAX_TRES, one term for all
 * weights. */
static void weights_print_terms(FILE *to, const struct eqt_init_plan *plan,
				const struct eqt_init_weights *one)
{
	const char *text = one->weights ? one->weights : "CPU=1";
	const bool gpus = plan->count > 1;
	struct eqt_treslist_item item;
	char key[128], keys[1024] = "";

	fprintf(to, "partition \"%s\" {\n", one->name);
	while (eqt_tres_list_next(&item, &text) > 0) {
		const bool has = weight_key(key, sizeof(key), plan, &item,
					    one->threads, gpus);

		if (has && plan->largest)
			eqt_print_append(keys, sizeof(keys), " %s", key);
		else if (has)
			fprintf(to, "\tterm { %s }\n", key);
		else if (strtod(item.value, NULL) > 0)
			fprintf(to, "\t# not priced: %s=%s\n", item.name,
				item.value);
	}
	if (keys[0])
		fprintf(to, "\tterm {%s }\n", keys);
	fputs("}\n", to);
}

void eqt_init_weights_print(FILE *to, const struct eqt_init_plan *plan)
{
	if (!plan->weights)
		return;
	fprintf(to,
		"\n# Prices are those of TRESBillingWeights, %s. Billing is "
		"cut to a whole number,\n# as Slurm does.\nbilling_round = "
		"floor\n",
		plan->largest ? "the largest of which counts (MAX_TRES)"
			      : "which add up");
	if (plan->disk[0])
		fprintf(to, "local_disk = %s\n", plan->disk);
	for (size_t i = 0; i < plan->weights_count; i++)
		weights_print_terms(to, plan, &plan->weights[i]);
}
