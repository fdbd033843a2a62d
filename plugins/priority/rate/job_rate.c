/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "slurm/spec_fields.h"
#include "slurm/log.h"
#include "slurm/compat.h"
#include "slurm/threads_per_core.h"
#include "slurm/whole_nodes.h"
#include "rate/rate_cache.h"
#include "rate/job_rate.h"

/* A count as Slurm keeps it; some TRES are marked as not consumed. */
static uint64_t consumed(uint64_t count)
{
	return count == NO_CONSUME_VAL64 ? 0 : count;
}

/*
 * Cores of what is allocated; Slurm counts CPUs, which are hyper-threads where
 * the nodes are configured so.
 */
static uint64_t allocated_cores(const job_record_t *job, uint64_t cpus)
{
	const struct job_resources *held = job->job_resrcs;
	uint64_t each = eqt_threads_per_core(job->part_ptr);

	/* One that gave its nodes to another job keeps the map of its cores. */
	if (cpus == 0)
		return 0;
	/* CR_CPU gives threads of one core to different jobs. */
	if (held && held->core_bitmap &&
	    !(slurm_conf.select_type_param & SELECT_CPU))
		return (uint64_t) bit_set_count(held->core_bitmap);
	return (cpus + each - 1) / each;
}

/* A job that asks for CPUs gets whole cores, and the memory of all their CPUs,
 * unless it takes but one thread of each. */
static void take_whole_cores(struct eqt_demand *demand, const job_record_t *job)
{
	const job_details_t *details = job->details;
	const multi_core_data_t *wish = details ? details->mc_ptr : NULL;
	uint64_t each = eqt_threads_per_core(job->part_ptr), mem = 0;

	if (each < 2 || !details || (wish && wish->threads_per_core == 1))
		return;
	if (!wish || wish->ntasks_per_core != 1 || details->cpus_per_task > 1)
		demand->cores = (demand->cores + each - 1) / each;
	if (details->pn_min_memory & MEM_PER_CPU)
		mem = details->pn_min_memory & ~MEM_PER_CPU;
	if (mem > 0)
		demand->mem_mib = demand->cores * each * mem;
}

/* Count GPUs by these counts of TRES; gres/gpu counts every one, those with a
 * type again by their type. */
static void count_gpus(struct eqt_demand *demand,
		       const struct eqt_config *config, const uint64_t *counts)
{
	uint64_t all = 0, typed = 0;

	for (uint32_t i = 0; i < config->tres_count; i++) {
		const struct eqt_tres_map *map = &config->tres_map[i];
		uint64_t count = consumed(counts[i]);

		if (map->use == EQT_TRES_GPU_ALL) {
			all += count;
		} else if (map->use == EQT_TRES_GPU_MODEL) {
			demand->gpus[map->model] += count;
			typed += count;
		}
	}
	if (all > typed && config->conf->prices.gpu_count)
		demand->gpus_untyped += all - typed;
}

static void request_from_tres(struct eqt_demand *demand,
			      const struct eqt_config *config,
			      const job_record_t *job, const uint64_t *counts)
{
	*demand = (struct eqt_demand){
		.cores = consumed(counts[TRES_ARRAY_CPU]),
		.mem_mib = consumed(counts[TRES_ARRAY_MEM]),
	};
	if (counts == job->tres_alloc_cnt)
		demand->cores = allocated_cores(job, demand->cores);
	else
		take_whole_cores(demand, job);
	count_gpus(demand, config, counts);
}

/* Whether what a job holds may be of a bundle, "gpu" or "gpu:t4": GPUs that
 * were asked for without a type may be any. */
static bool is_of(const gres_state_t *state, const char *bundle)
{
	const gres_job_state_t *held = state->gres_data;
	size_t length = strcspn(bundle, ":");

	if (!state->gres_name || strlen(state->gres_name) != length ||
	    strncmp(state->gres_name, bundle, length) != 0)
		return false;
	return !held->type_name || bundle[length] == '\0' ||
	       strcmp(held->type_name, bundle + length + 1) == 0;
}

/* How many GPUs of a bundle the job has on its n-th node. */
static uint64_t gpus_on(const job_record_t *job, uint32_t n, const char *bundle)
{
	uint64_t count = 0;
	list_itr_t *iterator;
	gres_state_t *state;

	if (!job->gres_list_alloc)
		return 0;
	iterator = list_iterator_create(job->gres_list_alloc);
	while ((state = list_next(iterator))) {
		const gres_job_state_t *held = state->gres_data;

		if (is_of(state, bundle) && n < held->node_cnt &&
		    held->gres_cnt_node_alloc)
			count += held->gres_cnt_node_alloc[n];
	}
	list_iterator_destroy(iterator);
	return count;
}

/* Divide the GPUs of a model that has several bundles among those, by the
 * nodes that the job holds. */
static void place_model(struct eqt_demand *demand,
			const struct eqt_config *config,
			const job_record_t *job, uint32_t model)
{
	const char *name = config->conf->prices.gpu[model].name;
	const bitoff_t last = bit_fls(job->node_bitmap);
	uint64_t rest = demand->gpus[model];
	uint32_t n = 0, bundle = model;

	demand->gpus[model] = 0;
	for (bitoff_t i = 0; rest > 0 && i <= last; i++) {
		uint64_t count;

		if (!bit_test(job->node_bitmap, i) || !node_record_table_ptr[i])
			continue;
		count = gpus_on(job, n++, name);
		bundle = eqt_node_sets_bundle(&config->nodes,
					      &config->conf->prices, model,
					      node_record_table_ptr[i]);
		if (count > rest)
			count = rest;
		demand->gpus[bundle] += count;
		rest -= count;
	}
	demand->gpus[bundle] += rest;
}

static void place_gpus(struct eqt_demand *demand,
		       const struct eqt_config *config, const job_record_t *job)
{
	const struct eqt_bundle_table *prices = &config->conf->prices;
	const struct eqt_demand before = *demand;

	demand->placed = true;
	if (!job->node_bitmap)
		return;
	for (uint32_t i = 0; i < prices->gpu_count; i++) {
		if (before.gpus[i] > 0 && eqt_bundle_table_next(prices, i) >= 0)
			place_model(demand, config, job, i);
	}
}

/*
 * select/linear gives out nodes and tells of no GPU, and who keeps others off a
 * block is told of those that were asked for: the job has all that are on its
 * nodes, each node's by the bundles that hold there.
 */
static void take_node_gpus(struct eqt_demand *demand,
			   const struct eqt_config *config,
			   const job_record_t *job)
{
	const struct eqt_bundle_table *prices = &config->conf->prices;
	const bitoff_t last = bit_fls(job->node_bitmap);

	memset(demand->gpus, 0, sizeof(demand->gpus));
	demand->gpus_untyped = 0;
	demand->placed = true;
	for (bitoff_t i = 0; i <= last; i++) {
		const node_record_t *node = node_record_table_ptr[i];
		struct eqt_demand has = { .cores = 0 };

		if (!bit_test(job->node_bitmap, i) || !node || !node->tres_cnt)
			continue;
		count_gpus(&has, config, node->tres_cnt);
		demand->gpus_untyped += has.gpus_untyped;
		for (uint32_t m = 0; m < prices->gpu_count; m++) {
			if (has.gpus[m] > 0)
				demand->gpus[eqt_node_sets_bundle(
					&config->nodes, prices, m, node)] +=
					has.gpus[m];
		}
	}
}

static bool has_whole_nodes(const job_record_t *job)
{
	if (job->details &&
	    eqt_spec_field_exclusive(eqt_slurm_shared(job->details)))
		return true;
	return job->part_ptr && eqt_whole_nodes(job->part_ptr);
}

/* Whether it has them without having all of them allocated. */
static bool keeps_block(const job_record_t *job)
{
	if (job->details && eqt_slurm_is_topo(eqt_slurm_shared(job->details)) &&
	    eqt_spec_field_topology_excludes())
		return true;
	return job->part_ptr && eqt_whole_nodes_block(job->part_ptr);
}

/* Nobody else gets what a job leaves of the cores of nodes that it keeps others
 * off. */
static void take_node_cores(struct eqt_demand *demand, const job_record_t *job)
{
	const bitoff_t last = bit_fls(job->node_bitmap);
	const uint64_t each = eqt_threads_per_core(job->part_ptr);
	uint64_t cpus = 0;

	for (bitoff_t i = 0; i <= last; i++) {
		const node_record_t *node = node_record_table_ptr[i];

		if (bit_test(job->node_bitmap, i) && node)
			cpus += node->cpus_efctv;
	}
	if (cpus / each > demand->cores)
		demand->cores = cpus / each;
}

/* Nobody else gets what a job leaves of the memory of whole nodes. */
static void take_node_memory(struct eqt_demand *demand, const job_record_t *job)
{
	const bitoff_t last = bit_fls(job->node_bitmap);
	uint64_t sum = 0;

	for (bitoff_t i = 0; i <= last; i++) {
		const node_record_t *node = node_record_table_ptr[i];

		if (bit_test(job->node_bitmap, i) && node)
			sum += eqt_whole_nodes_memory(node);
	}
	if (sum > demand->mem_mib)
		demand->mem_mib = sum;
}

/* What the nodes that a job holds say of its request. */
static void add_nodes(struct eqt_demand *demand,
		      const struct eqt_config *config, const job_record_t *job)
{
	const bool kept = job->node_bitmap && keeps_block(job);

	if (job->node_bitmap && has_whole_nodes(job))
		take_node_memory(demand, job);
	if (kept)
		take_node_cores(demand, job);
	if (kept || (job->node_bitmap && eqt_whole_nodes_selected()))
		take_node_gpus(demand, config, job);
	else
		place_gpus(demand, config, job);
}

static const struct eqt_rule *rule_of(const struct eqt_rule_list *list,
				      const char *name)
{
	return name ? eqt_rules_find(list, name, strlen(name)) : NULL;
}

/* Work the rate of a request out. */
static int rate_request(struct eqt_rate *out, const struct eqt_conf *conf,
			const struct eqt_rate_key *key,
			const struct eqt_demand *demand, struct eqt_error *err)
{
	struct eqt_bundle_table prices = conf->prices;
	struct eqt_price price;

	eqt_rule_apply(&prices, key->partition, EQT_CHARGE_FACTOR_PARTITION);
	eqt_rule_apply(&prices, key->qos, EQT_CHARGE_FACTOR_QOS);
	if (eqt_rules_price(&price, &prices, demand, err) < 0)
		return -1;
	out->equivalents = eqt_frac_double(price.charge);
	out->billing = eqt_frac_round(price.charge, conf->billing_scale,
				      conf->billing_round);
	out->size = eqt_frac_double(price.equivalents);
	out->gpu_pool = price.gpu_pool;
	return 0;
}

int eqt_job_rate(struct eqt_rate *out, const struct eqt_config *config,
		 const job_record_t *job, const uint64_t *counts)
{
	const struct eqt_conf *conf = config->conf;
	struct eqt_rate_key key = {
		.serial = config->serial,
		.partition = rule_of(&conf->partitions,
				     job->part_ptr ? job->part_ptr->name
						   : job->partition),
		.qos = rule_of(&conf->qos,
			       job->qos_ptr ? job->qos_ptr->name : NULL),
	};
	struct eqt_demand demand;
	struct eqt_error err;
	bool kept;

	request_from_tres(&demand, config, job, counts);
	if (counts == job->tres_alloc_cnt)
		add_nodes(&demand, config, job);
	kept = eqt_rate_key_make(&key, &demand, conf->prices.gpu_count);
	if (kept && eqt_rate_cache_get(&key, out))
		return 0;
	if (rate_request(out, conf, &key, &demand, &err) < 0) {
		eqt_log_debug("cannot price job %u: %s", job->job_id, err.text);
		return -1;
	}
	if (kept)
		eqt_rate_cache_put(&key, out);
	return 0;
}
