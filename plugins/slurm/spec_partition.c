/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Add a partition's defaults, limits and nodes to a request. slurmctld's part
 * and node locks are held for reading in all functions. */
#include <string.h>

#include "job/node_offer.h"
#include "slurm/spec_partition.h"
#include "slurm/node_sets.h"
#include "slurm/candidate_nodes.h"
#include "slurm/node_bits.h"
#include "slurm/compat.h"
#include "slurm/spec_field.h"

/* The first node of a partition, or NULL if it has none. Slurm uses the memory
 * of that node for --mem=0. */
static const node_record_t *part_first_node(const part_record_t *part)
{
	bitoff_t i = part->node_bitmap ? bit_ffs(part->node_bitmap) : -1;

	return i < 0 ? NULL : node_record_table_ptr[i];
}

uint64_t eqt_spec_partition_threads(const part_record_t *part)
{
	const node_record_t *node = part ? part_first_node(part) : NULL;

	return node && node->tpc > 1 ? node->tpc : 1;
}

/* The cost of visiting a line of slurm.conf, and the extra cost of a line with
 * nodes of the partition, whose records are seldom in a processor's cache. */
#define LINE_STEPS 2
#define OFFER_STEPS 6

/* The most steps that one request may take on a cluster with many lines. */
#define LINES_STEPS 1000

/* A value of JobDefaults in slurm.conf, or 0 if it is not set. */
static uint64_t defaults_find(list_t *list, uint16_t type)
{
	uint64_t value = 0;
	list_itr_t *iterator;
	job_defaults_t *one;

	if (!list)
		return 0;
	iterator = list_iterator_create(list);
	while ((one = list_next(iterator))) {
		if (one->type == type)
			value = one->value;
	}
	list_iterator_destroy(iterator);
	return value;
}

/* The partition's value of JobDefaults, or the cluster's value if the partition
 * has none. */
static uint64_t defaults_of_job(const part_record_t *part, uint16_t type)
{
	uint64_t value = defaults_find(part->job_defaults_list, type);

	return value ? value
		     : defaults_find(slurm_conf.job_defaults_list, type);
}

uint64_t eqt_spec_partition_gpu_cpus(const part_record_t *part)
{
	return defaults_of_job(part, JOB_DEF_CPU_PER_GPU);
}

uint64_t eqt_spec_partition_minutes(const part_record_t *part)
{
	const uint32_t limit = part->default_time == NO_VAL
				       ? part->max_time
				       : part->default_time;

	return limit == INFINITE ? EQT_AMOUNT_UNLIMITED : limit;
}

uint32_t eqt_spec_partition_over_minutes(const part_record_t *part)
{
	const uint16_t over = part && part->over_time_limit != NO_VAL16
				      ? part->over_time_limit
				      : slurm_conf.over_time_limit;

	return over == INFINITE16 ? INFINITE : over;
}

static void defaults_take(struct eqt_job_spec_defaults *defaults,
			  const part_record_t *part)
{
	uint64_t mem = part->def_mem_per_cpu;

	if (mem) {
		defaults->mem = mem & MEM_PER_CPU ? EQT_MEM_PER_CPU
						  : EQT_MEM_PER_NODE;
		defaults->mem_mib = mem & ~MEM_PER_CPU;
	}
	defaults->mem_per_gpu = defaults_of_job(part, JOB_DEF_MEM_PER_GPU);
	defaults->cpus_per_gpu = eqt_spec_partition_gpu_cpus(part);
	defaults->minutes = eqt_spec_partition_minutes(part);
}

/* Read MaxCPUsPerNode, MaxCPUsPerSocket, and MaxMemPerCPU or MaxMemPerNode. A
 * job above MaxMemPerNode cannot run at all. */
static void limit_read(struct eqt_node_offer_limit *limit,
		       const part_record_t *part)
{
	uint64_t most = part->max_mem_per_cpu ? part->max_mem_per_cpu
					      : slurm_conf.max_mem_per_cpu;
	const node_record_t *node = part_first_node(part);

	limit->cpus_per_node = part->max_cpus_per_node == INFINITE
				       ? 0
				       : part->max_cpus_per_node;
	limit->cpus_per_socket = EQT_MAX_CPUS_PER_SOCKET(part);
	if (limit->cpus_per_socket == INFINITE)
		limit->cpus_per_socket = 0;
	limit->node_mem_mib = node ? eqt_node_sets_memory(node) : 0;
	if (!(most & MEM_PER_CPU)) {
		limit->mem_per_node = most;
		return;
	}
	limit->mem_per_cpu = most & ~MEM_PER_CPU;
	limit->raises_tasks = EQT_MEMORY_RAISES_TASKS;
}

/* An offer of `count` nodes like this node. */
static struct eqt_node_offer offer_like(const node_record_t *node,
					uint64_t count)
{
	return (struct eqt_node_offer){
		.cpus = node->cpus_efctv,
		.mem_mib = eqt_node_sets_memory(node),
		.system_mib = node->mem_spec_limit,
		.gres = node->gres ? node->gres : "",
		.count = count,
		.threads = node->tpc,
		.hw_threads = node->threads,
		.sockets = node->tot_sockets,
	};
}

/* The state of one walk over the lines of slurm.conf. */
struct adding {
	struct eqt_job_spec *spec;
	const part_record_t *part;
	struct eqt_candidate_nodes *candidates;
	uint32_t lines; /* The number of lines visited so far. */
};

/* Can the request get a node like this? */
static bool node_fits(const node_record_t *node,
		      const struct eqt_node_requirement *wish)
{
	struct eqt_node_class like;

	/* Most requests have no features and no GPUs, so any node fits. */
	if (!wish->features && wish->gpu_count == 0)
		return true;
	like = eqt_node_sets_class(node);
	return eqt_node_class_fits(&like, wish);
}

/* Add the nodes of one line of slurm.conf. These nodes are alike, so only one
 * of them is read. */
static int line_visit(void *item, void *arg)
{
	const config_record_t *config = item;
	struct adding *adding = arg;
	struct eqt_candidate_nodes *candidates = adding->candidates;
	const bitstr_t *nodes = adding->part->node_bitmap;
	const uint32_t number = adding->lines++;
	struct eqt_node_words words = { .to = 0 };
	const node_record_t *node;
	struct eqt_node_offer kind;
	uint64_t count;
	bitoff_t first;

	candidates->compared += LINE_STEPS;
	if (!eqt_node_bits_fit(config->node_bitmap, nodes))
		return 0;
	count = eqt_node_bits_count(config->node_bitmap, nodes,
				    number < EQT_CANDIDATE_LINES
					    ? &candidates->line[number]
					    : &words,
				    &first);
	node = count > 0 ? node_record_table_ptr[first] : NULL;
	if (!node)
		return 0;
	candidates->compared += OFFER_STEPS;
	if (!node_fits(node, candidates->wish))
		return 0;
	kind = offer_like(node, count);
	(void) eqt_node_offer_add(adding->spec, &kind);
	return 0;
}

static bool text_is_given(const char *text)
{
	return text && text[0] != '\0';
}

/* Does the request select single nodes? Features select nodes, too, because the
 * active features of a node may differ from those of its line. */
static bool spec_names_nodes(const struct eqt_job_spec *spec)
{
	return text_is_given(spec->nodelist) || text_is_given(spec->exclude) ||
	       text_is_given(spec->constraint) ||
	       text_is_given(spec->reservation);
}

/*
 * Does slurm.conf have so many lines of nodes that visiting them for each of
 * the request's partitions takes longer than visiting each node once?
 */
static bool lines_are_many(const struct eqt_candidate_nodes *candidates)
{
	const uint32_t lines = config_list ? (uint32_t) list_count(config_list)
					   : UINT32_MAX;

	return lines > EQT_CANDIDATE_LINES &&
	       (lines > LINES_STEPS ||
		candidates->compared + lines * (LINE_STEPS + OFFER_STEPS) >
			LINES_STEPS);
}

/* Set the kinds of nodes that the request could get. spec->node becomes the
 * smallest kind. */
static void nodes_take(struct eqt_job_spec *spec, const part_record_t *part,
		       struct eqt_candidate_nodes *candidates)
{
	const bool many_lines = lines_are_many(candidates);
	const uint64_t count = spec->node.count;
	struct adding adding = { spec, part, candidates, 0 };

	if (!part->node_bitmap || !eqt_candidate_nodes_read(candidates, spec))
		return;
	if (spec_names_nodes(spec) || many_lines)
		eqt_candidate_nodes_offer(candidates, spec, part);
	/* If --nodelist names too few nodes, Slurm adds other nodes. If none of
	   the named nodes fits, Slurm refuses the request. */
	if (!many_lines && !eqt_node_offer_has_room(spec, &candidates->gpus) &&
	    (spec->kinds > 0 || !text_is_given(spec->nodelist)) &&
	    eqt_candidate_nodes_widen(candidates, spec)) {
		spec->kinds = 0;
		(void) list_for_each_ro(config_list, line_visit, &adding);
	}
	eqt_node_offer_sort(spec);
	eqt_node_offer_spread(spec);
	if (spec->kinds > 0)
		spec->node = spec->kind[0];
	spec->no_node = spec->kinds == 0 && (spec->features_stay ||
					     !text_is_given(spec->constraint));
	spec->node.count = count;
	spec->node.differ = spec->kinds > 1;
}

void eqt_spec_partition_add(struct eqt_job_spec *spec,
			    const part_record_t *part,
			    struct eqt_candidate_nodes *candidates)
{
	defaults_take(&spec->defaults, part);
	limit_read(&spec->limit, part);
	spec->node.count = part->total_nodes;
	if (part->max_nodes < part->total_nodes)
		spec->node.count = part->max_nodes;
	spec->features_stay = !text_is_given(slurm_conf.node_features_plugins);
	eqt_job_spec_take_least_nodes(spec, part->min_nodes);
	spec->linear = eqt_spec_partition_linear();
	if (eqt_spec_partition_whole_nodes(part, spec->linear)) {
		spec->exclusive = true;
		spec->keeps_rest = false;
	}
	/* Add the nodes of --nodelist after the decision about whole nodes. That
	   decision tells whether the job may get nodes outside --nodelist. */
	eqt_node_requirement_add_listed(
		spec, eqt_candidate_nodes_listed(candidates, spec));
	spec->single_cpus = slurm_conf.select_type_param & SELECT_CPU;
	spec->whole_sockets = slurm_conf.select_type_param & SELECT_SOCKET;
	spec->least_loaded = (part->flags & PART_FLAG_LLN) ||
			     (slurm_conf.select_type_param & SELECT_LLN);
	nodes_take(spec, part, candidates);
	if (spec->kinds == 0 && spec->cpus_per_core == 0)
		spec->cpus_per_core = eqt_spec_partition_threads(part);
}

/* Do two bitmaps have the same nodes? */
static bool bitmap_same(const bitstr_t *a, const bitstr_t *b)
{
	return a == b || (eqt_node_bits_fit(a, b) &&
			  bit_equal((bitstr_t *) (uintptr_t) a,
				    (bitstr_t *) (uintptr_t) b));
}

bool eqt_spec_partition_same(const part_record_t *a, const part_record_t *b)
{
	return a->total_nodes == b->total_nodes &&
	       a->max_nodes == b->max_nodes && a->min_nodes == b->min_nodes &&
	       a->def_mem_per_cpu == b->def_mem_per_cpu &&
	       a->max_mem_per_cpu == b->max_mem_per_cpu &&
	       a->max_cpus_per_node == b->max_cpus_per_node &&
	       EQT_MAX_CPUS_PER_SOCKET(a) == EQT_MAX_CPUS_PER_SOCKET(b) &&
	       (a->max_share == 0) == (b->max_share == 0) &&
	       (a->flags & PART_FLAG_LLN) == (b->flags & PART_FLAG_LLN) &&
	       a->qos_ptr == b->qos_ptr &&
	       bitmap_same(a->node_bitmap, b->node_bitmap) &&
	       eqt_spec_partition_keeps_block(a) ==
		       eqt_spec_partition_keeps_block(b) &&
	       eqt_spec_partition_over_minutes(a) ==
		       eqt_spec_partition_over_minutes(b) &&
	       defaults_of_job(a, JOB_DEF_MEM_PER_GPU) ==
		       defaults_of_job(b, JOB_DEF_MEM_PER_GPU) &&
	       eqt_spec_partition_gpu_cpus(a) == eqt_spec_partition_gpu_cpus(b);
}

/* The number of cached nodes, which are found by their line of slurm.conf. */
#define NODES_KNOWN 64

/* Do two nodes have the same resources? */
static bool nodes_same(const node_record_t *a, const node_record_t *b)
{
	return a->cpus_efctv == b->cpus_efctv &&
	       a->real_memory == b->real_memory &&
	       a->mem_spec_limit == b->mem_spec_limit &&
	       (a->gres == b->gres ||
		(a->gres && b->gres && strcmp(a->gres, b->gres) == 0));
}

void eqt_spec_partition_cluster_most(struct eqt_node_most *most,
				     const struct eqt_bundle_table *prices)
{
	const node_record_t *known[NODES_KNOWN] = { NULL };
	const bitoff_t slots = eqt_slurm_node_slots();

	for (bitoff_t i = 0; i < slots; i++) {
		const node_record_t *node = node_record_table_ptr[i];
		const node_record_t **last;

		eqt_node_sets_prefetch(NULL, i);
		if (!node)
			continue;
		last = &known[(uintptr_t) node->config_ptr / 64 % NODES_KNOWN];
		if (*last && nodes_same(*last, node)) {
			most->nodes++;
			continue;
		}
		*last = node;
		eqt_node_most_add(most, prices, node->cpus_efctv,
				  eqt_node_sets_memory(node), node->gres);
	}
}

/* The resources of a job that gets whole nodes are counted in job/job_totals.c
 * for a request, and in rate/job_rate.c of priority/equitree for an
 * allocation. */
bool eqt_spec_partition_linear(void)
{
	return slurm_conf.select_type &&
	       strstr(slurm_conf.select_type, "linear");
}

bool eqt_spec_partition_keeps_block(const part_record_t *part)
{
	return eqt_slurm_part_is_topo(part) &&
	       eqt_spec_field_topology_excludes();
}

bool eqt_spec_partition_whole_nodes(const part_record_t *part, bool linear)
{
	/* max_share 0 is OverSubscribe=EXCLUSIVE. */
	return part->max_share == 0 || linear ||
	       eqt_spec_partition_keeps_block(part);
}
