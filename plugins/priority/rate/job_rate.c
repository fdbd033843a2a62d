/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The rate of a job. First its demand of cores, memory and GPUs is computed
 * from Slurm's TRES counts and its nodes. Then the price of that demand is
 * taken from the cache or computed.
 *
 * All functions need the locks that job_rate.h names.
 */
#include <string.h>

#include "base/whole.h"
#include "ledger/charge_record.h"
#include "price/allocation.h"
#include "price/gres.h"
#include "slurm/spec_field.h"
#include "slurm/log.h"
#include "slurm/compat.h"
#include "slurm/node_bits.h"
#include "slurm/spec_partition.h"
#include "walk/job_links.h"
#include "rate/job_rate.h"

/* A TRES count, or 0 if Slurm marks the TRES as not consumed. */
static uint64_t tres_consumed(uint64_t count)
{
	return count == NO_CONSUME_VAL64 ? 0 : count;
}

/*
 * ---- The part of an allocation on some of its nodes ----
 * Slurm stores an allocation by the position n of a node within the allocation,
 * and nodes by their index in slurmctld's table.
 */

/* Call `each` for every node of the allocation that is in `nodes`, with its
 * position n in the allocation and its index in the table. */
static void held_each(const struct job_resources *allocated, bitstr_t *nodes,
		      void (*each)(const struct job_resources *allocated,
				   uint32_t n, bitoff_t node, void *arg),
		      void *arg)
{
	bitoff_t i = -1;

	for (uint32_t n = 0; n < allocated->nhosts; n++) {
		i = eqt_node_bits_next(allocated->node_bitmap, i + 1);
		if (i < 0)
			return;
		if (bit_test(nodes, i))
			each(allocated, n, i, arg);
	}
}

/* The first bit of the n-th node in the core bitmap, which is the number of
 * cores of all earlier nodes. *width becomes the number of the node's cores. */
static bitoff_t held_first_core(const struct job_resources *allocated,
				uint32_t n, bitoff_t *width)
{
	bitoff_t first = 0;

	for (uint32_t i = 0; i < allocated->nhosts; i++) {
		const uint32_t alike = allocated->sock_core_rep_count[i];

		*width = (bitoff_t) allocated->sockets_per_node[i] *
			 allocated->cores_per_socket[i];
		if (n < alike)
			return first + n * *width;
		first += alike * *width;
		n -= alike;
	}
	*width = 0;
	return first;
}

static void held_add_cores(const struct job_resources *allocated, uint32_t n,
			   bitoff_t node, void *arg)
{
	const bitoff_t size = bit_size(allocated->core_bitmap);
	bitoff_t width, first = held_first_core(allocated, n, &width);
	uint64_t *cores = arg;

	(void) node;
	for (bitoff_t i = first; i < first + width && i < size; i++)
		*cores += (uint64_t) bit_test(allocated->core_bitmap, i);
}

static uint64_t held_cores(const job_record_t *job, bitstr_t *nodes)
{
	uint64_t cores = 0;

	held_each(job->job_resrcs, nodes, held_add_cores, &cores);
	return cores;
}

/* Does a GRES of a job have a name such as "gpu" or "gpu:t4"? If `untyped` is
 * set, a GRES that was requested without a type matches all types. */
static bool gres_is(const gres_state_t *state, const char *name, bool untyped)
{
	const gres_job_state_t *gres = state->gres_data;
	const size_t length = strcspn(name, ":");

	if (!state->gres_name || strlen(state->gres_name) != length ||
	    strncmp(state->gres_name, name, length) != 0)
		return false;
	if (name[length] == '\0')
		return true;
	return gres->type_name ? strcmp(gres->type_name, name + length + 1) == 0
			       : untyped;
}

/* Add the GRES of a name that the job has on its n-th node. Returns false if
 * the job's record has none. */
static bool gres_add_of_node(uint64_t *count, const job_record_t *job,
			     uint32_t n, const char *name, bool untyped)
{
	list_itr_t *iterator;
	gres_state_t *state;
	bool known = false;

	if (!job->gres_list_alloc)
		return false;
	iterator = list_iterator_create(job->gres_list_alloc);
	while ((state = list_next(iterator))) {
		const gres_job_state_t *gres = state->gres_data;

		if (!gres_is(state, name, untyped) || n >= gres->node_cnt ||
		    !gres->gres_cnt_node_alloc)
			continue;
		known = true;
		*count += gres->gres_cnt_node_alloc[n];
	}
	list_iterator_destroy(iterator);
	return known;
}

/* Sums over the nodes of a job. */
struct held_sum {
	const job_record_t *job;
	uint64_t cpus, mem_mib, nodes;
	const char *gres; /* The name of the GRES to count. */
	uint64_t gres_count;
	bool gres_known; /* The job has a GRES with the name in `gres`. */
};

static void held_add_node(const struct job_resources *allocated, uint32_t n,
			  bitoff_t node, void *arg)
{
	struct held_sum *sum = arg;
	const job_details_t *details = sum->job->details;

	sum->nodes++;
	/* For a whole node Slurm allocates all CPUs, including threads that the
	   job does not use. */
	if (details && eqt_slurm_shared(details) == 0 &&
	    node_record_table_ptr[node])
		sum->cpus += node_record_table_ptr[node]->cpus_efctv;
	else if (allocated->cpus)
		sum->cpus += allocated->cpus[n];
	if (allocated->memory_allocated)
		sum->mem_mib += allocated->memory_allocated[n];
}

static void held_add_model(const struct job_resources *allocated, uint32_t n,
			   bitoff_t node, void *arg)
{
	struct held_sum *sum = arg;

	(void) allocated;
	(void) node;
	sum->gres_known |= gres_add_of_node(&sum->gres_count, sum->job, n,
					    sum->gres, false);
}

/* Set counts[size] to the TRES that the job has on these nodes. A TRES that
 * belongs to no node, such as a license, counts in full. */
static void held_counts(uint64_t *counts, uint32_t size,
			const job_record_t *job, bitstr_t *nodes)
{
	struct held_sum sum = { .job = job };

	memcpy(counts, job->tres_alloc_cnt, size * sizeof(*counts));
	if (!job->job_resrcs || !job->job_resrcs->node_bitmap)
		return;
	held_each(job->job_resrcs, nodes, held_add_node, &sum);
	counts[TRES_ARRAY_CPU] =
		eqt_whole_min(counts[TRES_ARRAY_CPU], sum.cpus);
	counts[TRES_ARRAY_MEM] =
		eqt_whole_min(counts[TRES_ARRAY_MEM], sum.mem_mib);
	counts[TRES_ARRAY_NODE] =
		eqt_whole_min(counts[TRES_ARRAY_NODE], sum.nodes);
	for (uint32_t i = 0; job->gres_list_alloc && i < size; i++) {
		const slurmdb_tres_rec_t *tres = assoc_mgr_tres_array[i];

		if (!counts[i] || counts[i] == NO_CONSUME_VAL64 ||
		    !tres->type || strcmp(tres->type, "gres") != 0 ||
		    !tres->name)
			continue;
		sum.gres = tres->name;
		sum.gres_count = 0;
		sum.gres_known = false;
		held_each(job->job_resrcs, nodes, held_add_model, &sum);
		/* If the job has no GRES record for a TRES with a type, the
		   whole count remains. */
		if (sum.gres_known)
			counts[i] = eqt_whole_min(counts[i], sum.gres_count);
	}
}

/* ---- Cores ------------------------------------------------------------------------------ */

#define CORE_PARTS 840 /* divisible by every number of threads from 1 to 8 */

static void held_add_cpus(const struct job_resources *held, uint32_t n,
			  bitoff_t i, void *arg)
{
	const node_record_t *node = node_record_table_ptr[i];
	uint64_t *parts = arg;

	*parts += (uint64_t) held->cpus[n] * CORE_PARTS /
		  (node && node->tpc > 1 ? node->tpc : 1);
}

/* The cores for the CPUs of a job on some nodes, rounded up at the end. Nodes
 * differ in their threads per core, so each CPU is added as a fraction of a
 * core. */
static uint64_t job_cores_of_cpus(const struct job_resources *held,
				  bitstr_t *nodes)
{
	uint64_t parts = 0;

	held_each(held, nodes, held_add_cpus, &parts);
	return eqt_whole_divide_up(parts, CORE_PARTS);
}

/* Can the core bitmap lack cores of the job? It can after a resize. It can with
 * CR_Socket from 24.11 on, if MaxMemPerCPU has raised the job's CPUs: the job
 * has whole sockets then, whose CPUs only its TRES show. */
static bool job_bitmap_lacks_cores(const job_record_t *job)
{
	return job->resize_time ||
	       (slurm_conf.select_type_param & SELECT_SOCKET);
}

/* The most threads that a core of the job's nodes has, because the nodes of a
 * partition may differ. */
static uint64_t job_threads_per_core(const struct job_resources *held)
{
	const bitstr_t *nodes = held->node_bitmap;
	uint64_t most = 1;

	if (!nodes)
		return most;
	for (bitoff_t i = -1; (i = eqt_node_bits_next(nodes, i + 1)) >= 0;) {
		const node_record_t *node = node_record_table_ptr[i];

		if (node && node->tpc > most)
			most = node->tpc;
	}
	return most;
}

/* The smallest number of cores that can hold the CPUs of a job. */
static uint64_t job_least_cores(const struct job_resources *held, uint64_t cpus)
{
	return eqt_whole_divide_up(cpus, job_threads_per_core(held));
}

/*
 * The cores of an allocation. Slurm counts CPUs, which may be hyper-threads.
 *
 * The core bitmap is exact, with two exceptions. With CR_CPU a core may belong
 * to two jobs. After a resize, the bitmap lacks the cores of one node if the
 * job took a node over; if the job gave that node away again, the bitmap has
 * the cores of both.
 */
static uint64_t job_allocated_cores(const job_record_t *job, bitstr_t *nodes,
				    uint64_t cpus)
{
	const struct job_resources *held = job->job_resrcs;
	uint64_t each = eqt_spec_partition_threads(job->part_ptr), cores, least;

	/* A job that gave all its nodes to another job keeps its core
	   bitmap. */
	if (cpus == 0)
		return 0;
	/* With CR_CPU, the threads of one core may belong to different jobs. */
	if (held && held->core_bitmap &&
	    !(slurm_conf.select_type_param & SELECT_CPU)) {
		cores = nodes == job->node_bitmap
				? (uint64_t) bit_set_count(held->core_bitmap)
				: held_cores(job, nodes);
		least = job_bitmap_lacks_cores(job)
				? job_least_cores(held, cpus)
				: 0;
		if (cores < least)
			return least;
		return job->resize_time ? eqt_whole_min(cores, cpus) : cores;
	}
	if (held && held->cpus && held->node_bitmap && nodes &&
	    (slurm_conf.select_type_param & SELECT_CPU))
		return job_cores_of_cpus(held, nodes);
	return eqt_whole_divide_up(cpus, each);
}

/* Round up the demand of a job without an allocation. Such a job will get whole
 * cores and the memory for all their CPUs, unless it uses one thread of each
 * core. */
static void demand_round_up_cores(struct eqt_demand *demand,
				  const job_record_t *job)
{
	const job_details_t *details = job->details;
	const multi_core_data_t *wish = details ? details->mc_ptr : NULL;
	uint64_t each = eqt_spec_partition_threads(job->part_ptr), mem = 0;

	if (each < 2 || !details || (wish && wish->threads_per_core == 1))
		return;
	if (!wish || wish->ntasks_per_core != 1 || details->cpus_per_task > 1)
		demand->cores = (demand->cores + each - 1) / each;
	if (details->pn_min_memory & MEM_PER_CPU)
		mem = details->pn_min_memory & ~MEM_PER_CPU;
	if (mem > 0)
		demand->mem_mib = demand->cores * each * mem;
}

/* Add the GPUs of TRES counts. Shares of GPUs count for a job, but not for a
 * node, whose counts include the GPUs themselves. */
static void held_take_gpus(struct eqt_allocation *held,
			   const struct eqt_config *config,
			   const uint64_t *counts, bool of_node)
{
	for (uint32_t i = 0; i < config->gpu_tres_count; i++) {
		const struct eqt_gpu_tres *gpu = &config->gpu_tres[i];
		uint64_t count = tres_consumed(counts[gpu->tres]);

		if (gpu->all)
			held->gpus += count;
		else if (!(of_node && gpu->share))
			(void) eqt_allocation_add_gpus(held, gpu->model, count);
	}
}

/* The local disk in an array of TRES counts, in Slurm's unit. */
static uint64_t tres_disk(const struct eqt_config *config,
			  const uint64_t *counts)
{
	return config->disk_tres < config->tres_count
		       ? tres_consumed(counts[config->disk_tres])
		       : 0;
}

/* The demand of TRES counts, with CPUs in place of cores. The result is
 * borrowed from *held. */
static struct eqt_demand *held_from_tres(struct eqt_allocation *held,
					 const struct eqt_config *config,
					 const uint64_t *counts)
{
	*held = (struct eqt_allocation){
		.cpus = tres_consumed(counts[TRES_ARRAY_CPU]),
		.disk = tres_disk(config, counts),
		.demand.mem_mib = tres_consumed(counts[TRES_ARRAY_MEM]),
		.demand.nodes = tres_consumed(counts[TRES_ARRAY_NODE]),
	};
	held_take_gpus(held, config, counts, false);
	return eqt_allocation_demand(held, &config->conf->prices);
}

/* Divide the GPUs of a model with several bundles among these bundles, by the
 * nodes of the job. `nodes` are some or all of the job's nodes. */
static void demand_place_model(struct eqt_demand *demand,
			       const struct eqt_config *config,
			       const job_record_t *job, bitstr_t *nodes,
			       uint32_t model)
{
	const char *name = config->conf->prices.gpu[model].name;
	uint64_t rest = demand->gpus[model];
	uint32_t n = 0, bundle = model;
	bitoff_t i = -1;

	demand->gpus[model] = 0;
	while (rest > 0 &&
	       (i = eqt_node_bits_next(job->node_bitmap, i + 1)) >= 0) {
		uint64_t count = 0;

		if (!node_record_table_ptr[i])
			continue;
		(void) gres_add_of_node(&count, job, n++, name, true);
		if (!bit_test(nodes, i))
			continue;
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

/* Do some of the nodes have GPUs without a type? */
static bool nodes_have_untyped_gpus(const bitstr_t *nodes)
{
	for (bitoff_t i = -1; (i = eqt_node_bits_next(nodes, i + 1)) >= 0;) {
		const node_record_t *node = node_record_table_ptr[i];

		if (node && eqt_gres_has_untyped_gpus(node->gres))
			return true;
	}
	return false;
}

/* Price the GPUs that Slurm counts under no type by the bundle "gpu", because
 * nodes have GPUs without a type. */
static void demand_name_gpus(struct eqt_demand *demand,
			     const struct eqt_bundle_table *prices)
{
	const int bundle = eqt_bundle_table_find(prices, "gpu", NULL);

	if (bundle < 0)
		return;
	demand->gpus[bundle] += demand->gpus_untyped;
	demand->gpus_untyped = 0;
}

static void demand_place_gpus(struct eqt_demand *demand,
			      const struct eqt_config *config,
			      const job_record_t *job, bitstr_t *nodes)
{
	const struct eqt_bundle_table *prices = &config->conf->prices;
	struct eqt_demand before;

	demand->placed = true;
	if (!nodes)
		return;
	if (demand->gpus_untyped > 0 && prices->gpu_count > 1 &&
	    nodes_have_untyped_gpus(nodes))
		demand_name_gpus(demand, prices);
	before = *demand;
	for (uint32_t i = 0; i < prices->gpu_count; i++) {
		if (before.gpus[i] > 0 && eqt_bundle_table_next(prices, i) >= 0)
			demand_place_model(demand, config, job, nodes, i);
	}
}

/*
 * Count all GPUs of the job's nodes, each priced by the bundle of its node.
 * Slurm's own counts are too low: select/linear reports no GPUs, and for an
 * exclusive topology block Slurm reports only the requested GPUs.
 */
static void demand_take_node_gpus(struct eqt_demand *demand,
				  const struct eqt_config *config,
				  const bitstr_t *nodes)
{
	const struct eqt_bundle_table *prices = &config->conf->prices;

	memset(demand->gpus, 0, sizeof(demand->gpus));
	demand->gpus_untyped = 0;
	demand->placed = true;
	for (bitoff_t i = -1; (i = eqt_node_bits_next(nodes, i + 1)) >= 0;) {
		const node_record_t *node = node_record_table_ptr[i];
		struct eqt_allocation held = { .cpus = 0 };
		struct eqt_demand *has;

		if (!node || !node->tres_cnt)
			continue;
		held_take_gpus(&held, config, node->tres_cnt, true);
		has = eqt_allocation_demand(&held, prices);
		if (has->gpus_untyped > 0 &&
		    eqt_gres_has_untyped_gpus(node->gres))
			demand_name_gpus(has, prices);
		demand->gpus_untyped += has->gpus_untyped;
		for (uint32_t m = 0; m < prices->gpu_count; m++) {
			if (has->gpus[m] > 0)
				demand->gpus[eqt_node_sets_bundle(
					&config->nodes, prices, m, node)] +=
					has->gpus[m];
		}
	}
}

static bool job_has_whole_nodes(const job_record_t *job, bool linear)
{
	if (job->details &&
	    eqt_spec_field_exclusive(eqt_slurm_shared(job->details)))
		return true;
	return job->part_ptr &&
	       eqt_spec_partition_whole_nodes(job->part_ptr, linear);
}

/* Does the job block nodes of which only a part is allocated to it? It does
 * with --exclusive=user and similar options, with a topology block, and with
 * --core-spec. */
static bool job_keeps_nodes(const job_record_t *job)
{
	const job_details_t *details = job->details;

	if (details && (eqt_spec_field_keeps_rest(eqt_slurm_shared(details)) ||
			eqt_spec_field_has_core_spec(details->core_spec)))
		return true;
	return job->part_ptr && eqt_spec_partition_keeps_block(job->part_ptr);
}

/* Raise the demand to the resources of the nodes, because no other job can use
 * the idle ones. `whole` means that the job has all memory of the nodes, and
 * `kept` that it blocks all their cores. */
static void demand_take_nodes(struct eqt_demand *demand,
			      const struct eqt_config *config,
			      const bitstr_t *nodes, bool whole, bool kept)
{
	const bool has_disk = config->disk_tres != config->tres_count;
	uint64_t cores = 0, mem_mib = 0, disk = 0;

	for (bitoff_t i = -1; (i = eqt_node_bits_next(nodes, i + 1)) >= 0;) {
		const node_record_t *node = node_record_table_ptr[i];

		if (!node)
			continue;
		cores += node->cpus_efctv /
			 (uint64_t) (node->tpc > 1 ? node->tpc : 1);
		mem_mib += eqt_node_sets_memory(node);
		if (has_disk && node->tres_cnt)
			disk += tres_disk(config, node->tres_cnt);
	}
	if (kept)
		eqt_whole_raise(&demand->cores, cores);
	if (whole)
		eqt_whole_raise(&demand->mem_mib, mem_mib);
	disk = eqt_bundle_table_disk(disk, config->conf->prices.disk_shift);
	eqt_whole_raise(&demand->disk, disk);
}

/* Raise the demand to the resources that the job blocks on its nodes. `nodes`
 * is NULL if the nodes are not known. */
static void demand_add_nodes(struct eqt_demand *demand,
			     const struct eqt_config *config,
			     const job_record_t *job, bitstr_t *nodes)
{
	const bool kept = nodes && job_keeps_nodes(job);
	const bool linear = nodes && config->linear;
	const bool whole = nodes && job_has_whole_nodes(job, linear);
	/* With CR_CPU its CPUs may be one thread of each core, but the cores are its own. */
	const bool by_cpus = whole &&
			     (slurm_conf.select_type_param & SELECT_CPU);

	if (whole || kept || linear)
		demand_take_nodes(demand, config, nodes, whole,
				  kept || by_cpus);
	if (kept || linear)
		demand_take_node_gpus(demand, config, nodes);
	else
		demand_place_gpus(demand, config, job, nodes);
}

/* Set the demand in a key, for a price table with this number of models.
 * Returns false if the demand has too many different models for the cache. */
static bool rate_key_make(struct eqt_rate_key *key,
			  const struct eqt_demand *demand, uint32_t models)
{
	uint32_t found = 0;

	key->cores = demand->cores;
	key->mem_mib = demand->mem_mib;
	key->disk = demand->disk;
	key->nodes = demand->nodes;
	key->gpus_untyped = demand->gpus_untyped;
	key->placed = demand->placed;
	for (uint32_t i = 0; i < models; i++) {
		if (!demand->gpus[i])
			continue;
		if (found == EQT_RATE_MODELS)
			return false;
		key->gpus[found] = demand->gpus[i];
		key->models[found++] = i + 1;
	}
	return true;
}

/* A hash of the members in which most jobs differ. The products do not depend
 * on each other, so that the processor computes them in parallel. */
static uint32_t rate_key_place(const struct eqt_rate_key *key)
{
	uint64_t hash = key->cores * 0x9e3779b97f4a7c15u +
			(key->mem_mib + key->disk) * 0xc2b2ae3d27d4eb4fu +
			key->nodes * 0x8ebc6af09c88c6e3u +
			(uintptr_t) key->partition * 0x165667b19e3779f9u +
			(uintptr_t) key->qos * 0xd6e8feb86659fd93u +
			key->gpus[0] * 0xff51afd7ed558ccdu +
			key->models[0] * 0xa0761d6478bd642fu;

	return (uint32_t) (hash >> 40) % EQT_RATE_ENTRIES;
}

/* Look up a rate. Returns true with *out filled if the rate is in the cache. */
static bool rate_cache_get(const struct eqt_rate_cache *cache,
			   const struct eqt_rate_key *key, struct eqt_rate *out)
{
	uint32_t i = rate_key_place(key);

	/* The whole key is compared, so a collision of hashes is a miss. The
	   key has no padding. */
	if (memcmp(&cache->entry[i].key, key, sizeof(*key)) != 0)
		return false;
	*out = cache->entry[i].rate;
	return true;
}

/* Store a rate. It replaces the rate of another key with the same hash. */
static void rate_cache_put(struct eqt_rate_cache *cache,
			   const struct eqt_rate_key *key,
			   const struct eqt_rate *rate)
{
	uint32_t i = rate_key_place(key);

	cache->entry[i].key = *key;
	cache->entry[i].rate = *rate;
}

static const struct eqt_rule *rule_named(const struct eqt_rule_list *list,
					 const char *name)
{
	return name && list->count > 0
		       ? eqt_rules_find(list, name, strlen(name))
		       : NULL;
}

/* The resource that decided a price, as a letter of the record of charges. */
static char price_decided(const struct eqt_price *price)
{
	static const char by[EQT_RESOURCES] = {
		[EQT_CORES] = EQT_CHARGE_BY_CORES,
		[EQT_MEMORY] = EQT_CHARGE_BY_MEMORY,
		[EQT_GPUS] = EQT_CHARGE_BY_GPUS,
		[EQT_DISK] = EQT_CHARGE_BY_DISK,
		[EQT_NODES] = EQT_CHARGE_BY_NODES,
	};

	return price->minimum ? EQT_CHARGE_BY_MINIMUM : by[price->dominant];
}

/* Compute the rate of a demand. */
static int rate_price(struct eqt_rate *out, const struct eqt_conf *conf,
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
	out->decided = price_decided(&price);
	out->unit = price.unit;
	return 0;
}

/* The rate of a demand in a partition and a QOS. */
static int rate_of_demand(struct eqt_rate *out, struct eqt_rate_cache *cache,
			  const struct eqt_config *config,
			  const char *partition, const char *qos,
			  const struct eqt_demand *demand)
{
	const struct eqt_conf *conf = config->conf;
	struct eqt_rate_key key = {
		.serial = config->serial,
		.partition = rule_named(&conf->partitions, partition),
		.qos = rule_named(&conf->qos, qos),
	};
	struct eqt_error err;
	bool kept;

	kept = rate_key_make(&key, demand, conf->prices.gpu_count);
	if (kept && rate_cache_get(cache, &key, out))
		return 0;
	if (rate_price(out, conf, &key, demand, &err) < 0) {
		eqt_log_debug("cannot price an allocation: %s", err.text);
		return -1;
	}
	if (kept)
		rate_cache_put(cache, &key, out);
	return 0;
}

/* The rate of a demand in the partition and the QOS of a job. */
static int job_rate_of_demand(struct eqt_rate *out,
			      struct eqt_rate_cache *cache,
			      const struct eqt_config *config,
			      const job_record_t *job,
			      const struct eqt_demand *demand)
{
	const slurmdb_qos_rec_t *qos = eqt_job_links_qos(job);

	return rate_of_demand(out, cache, config,
			      job->part_ptr ? job->part_ptr->name
					    : job->partition,
			      qos ? qos->name : NULL, demand);
}

int eqt_job_rate_reserved(struct eqt_rate *out, struct eqt_rate_cache *cache,
			  const struct eqt_config *config,
			  const slurmctld_resv_t *reservation)
{
	bitstr_t *nodes = reservation->node_bitmap;
	struct eqt_demand demand = {
		.nodes = nodes ? (uint64_t) bit_set_count(nodes) : 0,
	};

	/* A reservation of cores leaves memory and GPUs to other jobs. */
	if (!(reservation->ctld_flags & RESV_CTLD_FULL_NODE)) {
		demand.cores = reservation->core_cnt;
	} else if (nodes) {
		demand_take_nodes(&demand, config, nodes, true, true);
		demand_take_node_gpus(&demand, config, nodes);
	}
	return rate_of_demand(
		out, cache, config,
		reservation->part_ptr ? reservation->part_ptr->name : NULL,
		NULL, &demand);
}

/* The rate of the part of an allocation that is on these nodes and has these
 * counts. */
static int job_rate_of_nodes(struct eqt_rate *out, struct eqt_rate_cache *cache,
			     const struct eqt_config *config,
			     const job_record_t *job, const uint64_t *counts,
			     bitstr_t *nodes)
{
	struct eqt_allocation held;
	struct eqt_demand *demand = held_from_tres(&held, config, counts);

	demand->cores = job_allocated_cores(job, nodes, demand->cores);
	demand_add_nodes(demand, config, job, nodes);
	return job_rate_of_demand(out, cache, config, job, demand);
}

int eqt_job_rate(struct eqt_rate *out, struct eqt_rate_cache *cache,
		 const struct eqt_config *config, const job_record_t *job,
		 const uint64_t *counts)
{
	struct eqt_allocation held;
	struct eqt_demand *demand;

	if (counts == job->tres_alloc_cnt)
		return job_rate_of_nodes(out, cache, config, job, counts,
					 job->node_bitmap);
	demand = held_from_tres(&held, config, counts);
	demand_round_up_cores(demand, job);
	return job_rate_of_demand(out, cache, config, job, demand);
}

int eqt_job_rate_held(struct eqt_rate *out, struct eqt_rate_cache *cache,
		      const struct eqt_config *config, const job_record_t *job,
		      bitstr_t *nodes, uint64_t *counts)
{
	const size_t size = config->tres_count * sizeof(*counts);

	if (job->node_bitmap && bit_equal(nodes, job->node_bitmap)) {
		nodes = job->node_bitmap;
		memcpy(counts, job->tres_alloc_cnt, size);
	} else {
		held_counts(counts, config->tres_count, job, nodes);
	}
	return config->stock.billing ? -1
				     : job_rate_of_nodes(out, cache, config,
							 job, counts, nodes);
}
