/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/amount.h"
#include "price/gres.h"
#include "slurm/candidate_nodes.h"
#include "usage/price.h"

#define GPU "gpu"

/* What AllocTRES says. */
struct held {
	struct eqt_demand request;
	uint64_t gpus; /* gres/gpu: of all models */
	uint64_t typed; /* of those with a bundle of their own */
	bool any;
};

/* Memory, "64000M" or "62.50G"; what was rounded is no amount. */
static int held_read_memory(uint64_t *mib, const char *text, size_t length)
{
	uint64_t micro, factor = 1;
	char number[32];
	size_t digits = strspn(text, "0123456789.");

	if (digits >= sizeof(number) || digits == 0 || length - digits > 1)
		return -1;
	memcpy(number, text, digits);
	number[digits] = '\0';
	switch (length > digits ? text[digits] : 'M') {
	case 'T':
		factor = UINT64_C(1) << 20;
		break;
	case 'G':
		factor = UINT64_C(1) << 10;
		break;
	case 'M':
		break;
	default:
		return -1;
	}
	if (eqt_frac_micro_parse(&micro, number) < 0 ||
	    __builtin_mul_overflow(micro, factor, &micro) ||
	    micro % EQT_MICRO != 0)
		return -1;
	*mib = micro / EQT_MICRO;
	return 0;
}

/* GRES "gpu" or "gpu:p100", of length bytes. */
static int held_take_gres(struct held *held,
			  const struct eqt_bundle_table *prices,
			  const char *name, size_t length, uint64_t count)
{
	char gres[EQT_NAME_SIZE];
	char *type;
	int model;

	if (length >= sizeof(gres))
		return 0; /* no bundle has such a name */
	memcpy(gres, name, length);
	gres[length] = '\0';
	if (strcmp(gres, GPU) == 0) {
		held->gpus = count;
		return 0;
	}
	type = strchr(gres, ':');
	if (type)
		*type++ = '\0';
	model = eqt_bundle_table_find(prices, gres, type);
	if (model < 0)
		return 0;
	return __builtin_add_overflow(held->request.gpus[model], count,
				      &held->request.gpus[model]) ||
			       __builtin_add_overflow(held->typed, count,
						      &held->typed)
		       ? -1
		       : 0;
}

/* One item, "gres/gpu:p100=2". */
static int held_take_item(struct held *held,
			  const struct eqt_bundle_table *prices,
			  const char *item, size_t length)
{
	const char *equals = memchr(item, '=', length);
	size_t name = equals ? (size_t) (equals - item) : 0;
	uint64_t amount;

	if (name == 0 || !isdigit((unsigned char) equals[1]))
		return -1;
	length -= name + 1;
	if (name == 3 && strncmp(item, "mem", name) == 0)
		return held_read_memory(&held->request.mem_mib, equals + 1,
					length);
	/* Energy and what else there is may be no whole number. */
	if (name == 3 && strncmp(item, "cpu", name) == 0)
		return eqt_count_parse(&held->request.cores, equals + 1,
				       length);
	if (name > 5 && strncmp(item, "gres/", 5) == 0) {
		if (eqt_count_parse(&amount, equals + 1, length) < 0)
			return -1;
		return held_take_gres(held, prices, item + 5, name - 5, amount);
	}
	return 0;
}

static int held_read_tres(struct held *held,
			  const struct eqt_bundle_table *prices,
			  const char *list)
{
	size_t length;

	for (; *list != '\0'; list += length + (list[length] == ',')) {
		length = strcspn(list, ",");
		if (held_take_item(held, prices, list, length) < 0)
			return -1;
		held->any = true;
	}
	if (held->gpus > held->typed && prices->gpu_count > 0)
		held->request.gpus_untyped = held->gpus - held->typed;
	return 0;
}

uint64_t eqt_year_threads(const struct eqt_scontrol_nodes *nodes)
{
	size_t i;

	for (i = 1; i < nodes->count; i++) {
		if (nodes->nodes[i].threads != nodes->nodes[0].threads)
			return 0;
	}
	return nodes->count > 0 ? nodes->nodes[0].threads : 0;
}

/* CPUs of a core where the job was. */
static uint64_t pricer_threads(const struct eqt_year_pricer *pricer,
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

/* The prices of the job's queues, and of the nodes where it was. */
static void pricer_prices(struct eqt_bundle_table *out,
			  const struct eqt_year_pricer *pricer,
			  const struct eqt_sacct_job *job)
{
	const char *partition = job->text[EQT_SACCT_PARTITION];
	struct eqt_job_spec ask = { .tres_per_job = GPU,
				    .nodelist = job->text[EQT_SACCT_NODES] };

	eqt_conf_prices(out, pricer->conf, partition, job->text[EQT_SACCT_QOS]);
	if (pricer->nodes && ask.nodelist[0] != '\0' && prices_have_twins(out))
		eqt_scontrol_candidates(out, &ask, pricer->nodes, partition);
}

/* The dearest by the partition's bundles, else by all: as jobs are charged. */
static int prices_dearest(struct eqt_price *high, bool *uncertain,
			  struct eqt_bundle_table *prices,
			  const struct eqt_demand *request,
			  struct eqt_error *err)
{
	struct eqt_price low;

	if (eqt_price_range(&low, high, prices, request, NULL) < 0) {
		prices->models_off = 0;
		prices->cores_off = false;
		if (eqt_price_range(&low, high, prices, request, err) < 0)
			return -1;
	}
	*uncertain = eqt_frac_cmp(low.charge, high->charge) != 0;
	return 0;
}

static int held_price(struct eqt_year_rate *out,
		      struct eqt_bundle_table *prices,
		      const struct eqt_demand *request, struct eqt_error *err)
{
	struct eqt_price price;
	bool as_well;
	uint32_t i;

	if (prices_dearest(&price, &out->uncertain, prices, request, err) < 0)
		return 0;
	if (!price.gpu_pool) {
		out->of[EQT_YEAR_CORE] = eqt_frac_double(price.charge);
		return 1;
	}
	out->of[EQT_YEAR_RGU] = eqt_frac_double(price.charge);
	for (i = 0; i < prices->gpu_count; i++)
		prices->gpu[i].weight_u = EQT_MICRO;
	if (prices_dearest(&price, &as_well, prices, request, err) < 0)
		return 0;
	out->of[EQT_YEAR_GPU] = eqt_frac_double(price.charge);
	return 1;
}

int eqt_year_price(struct eqt_year_rate *out,
		   const struct eqt_year_pricer *pricer,
		   const struct eqt_sacct_job *job, struct eqt_error *err)
{
	const char *tres = job->text[EQT_SACCT_TRES];
	struct held held = { .any = false };
	struct eqt_bundle_table prices;
	uint64_t threads;

	*out = (struct eqt_year_rate){ .uncertain = false };
	pricer_prices(&prices, pricer, job);
	if (held_read_tres(&held, &prices, tres) < 0)
		return eqt_error_set(err,
				     "AllocTRES: \"%.64s\" cannot be read; "
				     "sacct --noconvert rounds nothing",
				     tres);
	if (!held.any) {
		(void) eqt_error_set(err, "AllocTRES is empty");
		return 0;
	}
	threads = pricer_threads(pricer, job->text[EQT_SACCT_PARTITION]);
	held.request.cores = held.request.cores / threads +
			     (held.request.cores % threads != 0);
	out->of[EQT_YEAR_CORES] = (double) held.request.cores;
	out->of[EQT_YEAR_GPUS] =
		(double) (held.gpus > held.typed ? held.gpus : held.typed);
	return held_price(out, &prices, &held.request, err);
}

void eqt_year_capacity(double out[EQT_YEAR_UNITS],
		       const struct eqt_year_pricer *pricer)
{
	const struct eqt_bundle_table *prices = &pricer->conf->prices;
	const struct eqt_scontrol_nodes *nodes = pricer->nodes;
	struct eqt_gres gres;
	char buf[256];
	size_t i;

	memset(out, 0, EQT_YEAR_UNITS * sizeof(*out));
	for (i = 0; nodes && i < nodes->count; i++) {
		const struct eqt_scontrol_node *node = &nodes->nodes[i];
		const char *list =
			eqt_scontrol_node_gres(node, buf, sizeof(buf));

		if (node->total.of[EQT_UNIT_PART_GPUS] == 0)
			out[EQT_YEAR_CORE] +=
				(double) (node->total.of[EQT_UNIT_PART_CORES] /
					  (node->threads ? node->threads : 1));
		while (list && eqt_gres_next(&gres, &list, NULL) == 1) {
			int model = eqt_bundle_table_find(prices, gres.name,
							  gres.type);

			if (model < 0)
				continue;
			out[EQT_YEAR_GPU] += (double) gres.count;
			out[EQT_YEAR_RGU] +=
				(double) gres.count *
				(double) prices->gpu[model].weight_u /
				(double) EQT_MICRO;
		}
	}
}
