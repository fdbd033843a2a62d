/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Slurm's accounting keeps the billing of each run, which the priority plugin sets to the
 * price of the allocation at that time. Accounting does not tell who wrote a billing, nor
 * at which scale. If the present prices give the same billing, the charge is the present
 * price, which is exact and can be explained. Otherwise the charge is the billing divided
 * by its scale.
 */
#include <math.h>
#include <string.h>

#include "base/whole.h"
#include "price/allocation.h"
#include "price/gres.h"
#include "job/rules.h"
#include "prio/params.h"
#include "slurm/conf/cluster.h"
#include "slurm/cost.h"
#include "slurm/scontrol/candidate_nodes.h"
#include "slurm/text/hostlist.h"
#include "slurm/text/timestamp.h"
#include "slurm/text/tres_list.h"

#define GPU "gpu"

/* The allocation to which the GRES of a job are added. */
struct held_gres {
	struct eqt_allocation *held;
	const struct eqt_bundle_table *prices;
};

/* A callback of eqt_tres_list_parse(): add a GRES with or without a type, such as
 * "gpu:p100". */
static int held_take_gres(const char *text, uint64_t count, void *with)
{
	struct held_gres *into = with;
	char name[EQT_NAME_SIZE];
	char *type;
	int model;

	if (strlen(text) >= sizeof(name))
		return 0; /* no bundle has such a long name */
	memcpy(name, text, strlen(text) + 1);
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

/* Read AllocTRES. Returns 1, 0 if it is empty, or -1 if it is not a list of amounts or if
 * sacct rounded the memory, so that the exact amount is not known. */
static int held_read_tres(struct eqt_allocation *held, uint64_t *billing,
			  const struct eqt_bundle_table *prices,
			  const char *list)
{
	struct held_gres into = { held, prices };
	struct eqt_treslist tres;

	if (eqt_tres_list_parse(&tres, list, held_take_gres, &into) != 0 ||
	    tres.rounded)
		return -1;
	held->gpus = tres.gpus;
	held->cpus = tres.cpus;
	held->demand.mem_mib = tres.mem_mib;
	held->demand.nodes = tres.nodes;
	*billing = tres.billing;
	return tres.any;
}

/* ---- Prices --------------------------------------------------------------- */

/* A search for a node by its name. It fails if the node was removed after the job ran. */
struct node_search {
	const struct eqt_scontrol_nodes *nodes;
	const struct eqt_scontrol_node *found;
};

/* A callback of eqt_hostlist_each() that takes the first name only. */
static int held_node_find(const char *name, void *with)
{
	struct node_search *search = with;

	for (size_t i = 0; i < search->nodes->count; i++) {
		const struct eqt_scontrol_node *node = &search->nodes->nodes[i];

		if (strcmp(name, node->name) == 0)
			search->found = node;
	}
	return 1;
}

/* CPUs per core of the job's first node. If that node was removed, those of the first
 * node of the job's partition. */
static uint64_t pricer_threads(const struct eqt_job_pricer *pricer,
			       const struct eqt_sacct_job *job)
{
	struct node_search search = { pricer->nodes, NULL };

	if (pricer->threads > 0 || !pricer->nodes)
		return eqt_whole_max(pricer->threads, 1);
	(void) eqt_hostlist_each(job->text[EQT_SACCT_NODES], held_node_find,
				 &search, NULL);
	for (size_t i = 0; !search.found && i < pricer->nodes->count; i++) {
		if (eqt_scontrol_node_in(&pricer->nodes->nodes[i],
					 job->text[EQT_SACCT_PARTITION]))
			search.found = &pricer->nodes->nodes[i];
	}
	return search.found ? eqt_whole_max(search.found->threads, 1) : 1;
}

static bool prices_have_twins(const struct eqt_bundle_table *prices)
{
	for (uint32_t i = 0; i < prices->gpu_count; i++) {
		if (eqt_bundle_table_next(prices, i) >= 0)
			return true;
	}
	return false;
}

bool eqt_pricer_by_nodes(const struct eqt_job_pricer *pricer)
{
	const struct eqt_scontrol_nodes *nodes = pricer->nodes;
	const struct eqt_bundle_table *prices = &pricer->conf->prices;

	if (!nodes || !pricer->threads || prices_have_twins(prices))
		return nodes != NULL;
	for (size_t i = 0; prices->gpu_count > 1 && i < nodes->count; i++)
		if (eqt_gres_has_untyped_gpus(nodes->nodes[i].gres))
			return true;
	return false;
}

/* Leave out the bundles of GPUs that the job's nodes do not have. That matters for a model
 * with several bundles, and for GPUs that accounting counts under no type. A request for
 * exactly these nodes has no other candidate nodes. */
static void prices_note_nodes(struct eqt_bundle_table *prices,
			      const struct eqt_job_pricer *pricer,
			      const struct eqt_sacct_job *job,
			      const struct eqt_allocation *held)
{
	const struct eqt_job_spec spec = {
		.tasks = 1,
		.tres_per_job = GPU,
		.nodelist = job->text[EQT_SACCT_NODES],
	};

	if (pricer->nodes && spec.nodelist[0] != '\0' &&
	    (held->gpus > held->typed || prices_have_twins(prices)))
		eqt_scontrol_candidates(prices, &spec, pricer->nodes,
					job->text[EQT_SACCT_PARTITION]);
}

int eqt_cost_demand(struct eqt_price *high, bool *uncertain,
		    struct eqt_bundle_table *prices,
		    const struct eqt_demand *demand, struct eqt_error *err)
{
	struct eqt_price low;

	*uncertain = false;
	if (eqt_rules_price(high, prices, demand, err) < 0)
		return -1;
	if (eqt_price_range_models(prices, demand) == 0)
		return 0;
	if (eqt_price_range(&low, high, prices, demand, err) < 0)
		return -1;
	*uncertain = eqt_frac_cmp(low.charge, high->charge) != 0;
	return 0;
}

/* ---- Billing -------------------------------------------------------------- */

/* Does equitree in the running slurmctld write the billing? If slurmctld does not answer,
 * assume no. */
static bool cluster_bills(void)
{
	struct eqt_slurmconf conf;
	struct eqt_params params;
	struct eqt_error err;
	bool bills;

	if (eqt_cluster_config_read(&conf, NULL, &err) < 0)
		return false;
	bills = strcmp(eqt_cluster_config_get(&conf, "PriorityType"),
		       "priority/equitree") == 0 &&
		(eqt_params_parse(&params,
				  eqt_cluster_config_get(&conf,
							 "PriorityParameters"),
				  &err) < 0 ||
		 !params.stock.billing);
	eqt_slurm_conf_free(&conf);
	return bills;
}

int eqt_pricer_billed(struct eqt_job_pricer *pricer, bool live,
		      struct eqt_error *err)
{
	const struct eqt_conf *conf = pricer->conf;
	struct eqt_error why;
	size_t i;

	pricer->billed_count = 0;
	for (i = 0; i < EQT_BILLED_MAX && conf->billed[i].since[0]; i++) {
		struct eqt_billed_span *span = &pricer->billed[i];

		if (eqt_timestamp_option(&span->since_s, conf->billed[i].since,
					 &why) < 0)
			return eqt_error_set(err, "billing_since: %s",
					     why.text);
		span->scale = conf->billed[i].scale;
		pricer->billed_count++;
	}
	/* Without billing_since, the cluster's own configuration decides. */
	if (i == 0 && live && cluster_bills())
		pricer->billed[pricer->billed_count++] =
			(struct eqt_billed_span){ 0, 0 };
	for (i = 0; i < pricer->billed_count; i++) {
		if (!pricer->billed[i].scale)
			pricer->billed[i].scale = conf->billing_scale;
	}
	return 0;
}

/* Each pass rewrites the billing of all running jobs, so the end of a run decides which
 * span it belongs to. */
size_t eqt_cost_span(const struct eqt_job_pricer *pricer,
		     const struct eqt_sacct_job *job)
{
	size_t span = pricer->billed_count;

	while (span > 0 && pricer->billed[span - 1].since_s > job->end_s)
		span--;
	return span;
}

/* Replace the price by the billing. If "priced" is true, *out has the price of the
 * present configuration. Returns false if the billing does not fit into a fraction. */
static bool charge_bill(struct eqt_cost *out, bool priced,
			const struct eqt_billed_span *span, uint64_t billing,
			const struct eqt_conf *conf)
{
	struct eqt_price *price = &out->price;
	struct eqt_frac billed;
	double now;

	if (eqt_frac_make(&billed, billing, span->scale) < 0)
		return false;
	out->source = EQT_COST_BILLING;
	/* The billing is this price after rounding, so keep the exact price. */
	if (priced && eqt_frac_round(price->charge, span->scale,
				     conf->billing_round) == billing)
		return true;
	now = priced ? eqt_frac_double(price->charge) : 0;
	if (!priced)
		*price = (struct eqt_price){
			.gpu_pool = out->gpus > 0,
			.unit = out->prices.pool_unit[out->gpus > 0],
		};
	price->equivalents = price->charge = billed;
	/* The deciding resource and the factors at that time are not known. */
	out->explained = out->uncertain = false;
	out->ratio = now > 0 ? eqt_frac_double(billed) / now : 1;
	return true;
}

/* Multiply the charge by the mean of week_factor over the run. */
static void week_charge_apply(struct eqt_price *price,
			      const struct eqt_conf *conf,
			      const struct eqt_sacct_job *job)
{
	const double mean = eqt_week_mean(&conf->week, (time_t) job->start_s,
					  (time_t) job->end_s);
	struct eqt_frac factor, charge;

	if (eqt_frac_make(&factor,
			  (uint64_t) llround(mean * (double) EQT_MICRO),
			  EQT_MICRO) == 0 &&
	    eqt_frac_mul(&charge, price->charge, factor) == 0)
		price->charge = charge;
}

int eqt_cost_make(struct eqt_cost *out, const struct eqt_job_pricer *pricer,
		  const struct eqt_sacct_job *job, struct eqt_error *err)
{
	const char *tres = job->text[EQT_SACCT_TRES];
	const size_t span = eqt_cost_span(pricer, job);
	struct eqt_allocation held = { .cpus = 0 };
	uint64_t billing;
	bool priced;
	int any;

	*out = (struct eqt_cost){ .explained = true, .ratio = 1 };
	eqt_conf_prices(&out->prices, pricer->conf,
			job->text[EQT_SACCT_PARTITION],
			job->text[EQT_SACCT_QOS]);
	any = held_read_tres(&held, &billing, &out->prices, tres);
	if (any < 0)
		return eqt_error_set(err,
				     "AllocTRES: \"%.64s\": expected exact "
				     "amounts, as with sacct --noconvert",
				     tres);
	if (!any) {
		(void) eqt_error_set(err, "AllocTRES is empty");
		return 0;
	}
	prices_note_nodes(&out->prices, pricer, job, &held);
	held.threads = pricer_threads(pricer, job);
	out->demand = *eqt_allocation_demand(&held, &out->prices);
	out->gpus = eqt_whole_max(held.gpus, held.typed);
	priced = eqt_cost_demand(&out->price, &out->uncertain, &out->prices,
				 &out->demand, err) == 0;
	if (span > 0 && charge_bill(out, priced, &pricer->billed[span - 1],
				    billing, pricer->conf))
		return 1;
	if (priced && out->prices.week)
		week_charge_apply(&out->price, pricer->conf, job);
	return priced;
}

const char *eqt_cost_source_name(enum eqt_cost_source source)
{
	static const char *const names[EQT_COST_SOURCES] = {
		[EQT_COST_PRICES] = "prices",
		[EQT_COST_BILLING] = "billing",
		[EQT_COST_RECORD] = "record",
	};

	return names[source];
}
