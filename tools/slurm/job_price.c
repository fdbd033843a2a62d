/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A job is priced as it was charged: by the bundles and factors of its
 * partition and QOS in today's equitree.conf, on the nodes where it ran.
 * Prices of the past are not kept anywhere.
 */
#include <string.h>

#include "price/allocation.h"
#include "job/rules.h"
#include "slurm/scontrol/candidate_nodes.h"
#include "slurm/job_price.h"
#include "slurm/text/tres_list.h"

#define GPU "gpu"

/* Where a job's GRES are added. */
struct held_gres {
	struct eqt_allocation *held;
	const struct eqt_bundle_table *prices;
};

/* A GRES with or without a type, "gpu:p100", of length bytes. */
static int held_take_gres(const char *text, size_t length, uint64_t count,
			  void *with)
{
	struct held_gres *into = with;
	char name[EQT_NAME_SIZE];
	char *type;
	int model;

	if (length >= sizeof(name))
		return 0; /* no bundle has such a long name */
	memcpy(name, text, length);
	name[length] = '\0';
	type = strchr(name, ':');
	if (type)
		*type++ = '\0';
	if (!type && eqt_bundle_table_is_disk(into->prices, name))
		into->held->disk = count;
	model = eqt_bundle_table_find(into->prices, name, type);
	return model < 0 ? 0
			 : eqt_allocation_add_gpus(into->held, (uint32_t) model,
						   count);
}

/* 1: it holds something, 0: nothing, -1: not a list of amounts, or sacct rounded the
 * memory, so that its amount is not known. */
static int held_read_tres(struct eqt_allocation *held,
			  const struct eqt_bundle_table *prices,
			  const char *list)
{
	struct held_gres into = { held, prices };
	struct eqt_treslist tres;

	if (eqt_treslist_parse(&tres, list, strlen(list), held_take_gres,
			       &into) != 0 ||
	    tres.rounded)
		return -1;
	held->gpus = tres.gpus;
	held->cpus = tres.cpus;
	held->demand.mem_mib = tres.mem_mib;
	return tres.any;
}

/* CPUs per core where the job ran. */
static uint64_t pricer_threads(const struct eqt_job_pricer *pricer,
			       const char *partition)
{
	size_t i;

	if (pricer->threads > 0 || !pricer->nodes)
		return pricer->threads > 1 ? pricer->threads : 1;
	for (i = 0; i < pricer->nodes->count; i++) {
		const struct eqt_scontrol_node *node = &pricer->nodes->nodes[i];

		if (eqt_scontrol_node_in(node, partition))
			return node->threads > 1 ? node->threads : 1;
	}
	return 1;
}

static bool prices_have_twins(const struct eqt_bundle_table *prices)
{
	uint32_t i;

	for (i = 0; i < prices->gpu_count; i++) {
		if (eqt_bundle_table_next(prices, i) >= 0)
			return true;
	}
	return false;
}

/* The prices in the job's partition and QOS, and on its nodes. */
static void pricer_prices(struct eqt_bundle_table *out,
			  const struct eqt_job_pricer *pricer,
			  const struct eqt_sacct_job *job)
{
	const char *partition = job->text[EQT_SACCT_PARTITION];
	struct eqt_job_spec ask = { .tres_per_job = GPU,
				    .nodelist = job->text[EQT_SACCT_NODES] };

	eqt_conf_prices(out, pricer->conf, partition, job->text[EQT_SACCT_QOS]);
	if (pricer->nodes && ask.nodelist[0] != '\0' && prices_have_twins(out))
		eqt_scontrol_candidates(out, &ask, pricer->nodes, partition);
}

int eqt_job_price_charge(struct eqt_price *high, bool *uncertain,
			 struct eqt_bundle_table *prices,
			 const struct eqt_demand *demand, struct eqt_error *err)
{
	struct eqt_price low;

	*uncertain = false;
	if (eqt_rules_price(high, prices, demand, err) < 0)
		return -1;
	if (eqt_price_models(prices, demand) == 0)
		return 0;
	if (eqt_price_range(&low, high, prices, demand, err) < 0)
		return -1;
	*uncertain = eqt_frac_cmp(low.charge, high->charge) != 0;
	return 0;
}

int eqt_job_price_make(struct eqt_job_price *out,
		       const struct eqt_job_pricer *pricer,
		       const struct eqt_sacct_job *job, struct eqt_error *err)
{
	const char *tres = job->text[EQT_SACCT_TRES];
	struct eqt_allocation held = { .cpus = 0 };
	int any;

	*out = (struct eqt_job_price){ .uncertain = false };
	pricer_prices(&out->prices, pricer, job);
	any = held_read_tres(&held, &out->prices, tres);
	if (any < 0)
		return eqt_error_set(
			err,
			"AllocTRES: \"%.64s\": expected exact amounts, as with "
			"sacct --noconvert",
			tres);
	if (!any) {
		(void) eqt_error_set(err, "AllocTRES is empty");
		return 0;
	}
	held.threads = pricer_threads(pricer, job->text[EQT_SACCT_PARTITION]);
	out->demand = *eqt_allocation_demand(&held, &out->prices);
	out->gpus = held.gpus > held.typed ? held.gpus : held.typed;
	return eqt_job_price_charge(&out->price, &out->uncertain, &out->prices,
				    &out->demand, err) == 0;
}
