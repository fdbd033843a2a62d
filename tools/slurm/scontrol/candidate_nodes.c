/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Partition, features, --nodelist, --exclude and --reservation decide which nodes a job
 * can get. These nodes decide which bundles the job can be charged for. In slurmctld the
 * submission plugin does the same with node records.
 */
#include <string.h>
#include <time.h>

#include "base/text.h"
#include "job/node_class.h"
#include "job/node_offer.h"
#include "slurm/text/hostlist.h"
#include "slurm/scontrol/candidate_nodes.h"

/* A callback of eqt_hostlist_each(), which ends at the name that is searched for. */
static int sought_compare(const char *name, void *with)
{
	const char *const *sought = with;

	return strcmp(name, *sought) == 0;
}

static bool node_is_listed(const char *list,
			   const struct eqt_scontrol_node *node)
{
	const char *sought = node->name;

	return eqt_hostlist_each(list, sought_compare, &sought, NULL) == 1;
}

/* The nodes that --nodelist names. With --contiguous also the nodes between them. */
struct wanted_nodes {
	const char *list; /* NULL: all nodes are allowed */
	size_t first, last; /* used with --contiguous */
	uint64_t count;
};

static void wanted_nodes_span(struct wanted_nodes *wanted,
			      const struct eqt_scontrol_nodes *nodes)
{
	wanted->first = nodes->count;
	for (size_t i = 0; i < nodes->count; i++) {
		if (!node_is_listed(wanted->list, &nodes->nodes[i]))
			continue;
		if (wanted->first == nodes->count)
			wanted->first = i;
		wanted->last = i;
	}
	if (wanted->first < nodes->count)
		wanted->count = wanted->last - wanted->first + 1;
}

/* --nodelist excludes other nodes only if it names as many nodes as are requested. */
static struct wanted_nodes wanted_nodes_of(
	const struct eqt_job_spec *spec, const struct eqt_scontrol_nodes *nodes)
{
	struct wanted_nodes wanted = { .list = spec->nodelist };

	if (!wanted.list ||
	    eqt_hostlist_each(wanted.list, eqt_hostlist_count_one,
			      &wanted.count, NULL) < 0)
		return (struct wanted_nodes){ .list = NULL };
	if (spec->contiguous)
		wanted_nodes_span(&wanted, nodes);
	if (eqt_node_requirement_chooses(spec, wanted.count))
		return wanted;
	if (spec->min_nodes > wanted.count || spec->max_nodes > wanted.count ||
	    eqt_node_offer_may_split(spec) ||
	    eqt_node_requirement_lists_others(spec))
		wanted.list = NULL;
	return wanted;
}

static bool wanted_nodes_have(const struct wanted_nodes *wanted,
			      const struct eqt_job_spec *spec, size_t number,
			      const struct eqt_scontrol_node *node)
{
	if (!wanted->list)
		return true;
	return spec->contiguous
		       ? number >= wanted->first && number <= wanted->last
		       : node_is_listed(wanted->list, node);
}

/* The bundles whose node lists contain a node, as one bit each. */
static uint32_t node_named_by(const struct eqt_bundle_table *prices,
			      const struct eqt_scontrol_node *node)
{
	uint32_t named = 0, i;

	for (i = 0; i < prices->gpu_count; i++) {
		const char *nodes = prices->gpu[i].nodes;

		if (nodes && node_is_listed(nodes, node))
			named |= UINT32_C(1) << i;
	}
	return named;
}

static bool node_is_candidate(const struct eqt_scontrol_nodes *nodes,
			      const struct eqt_job_spec *spec, size_t number,
			      const struct wanted_nodes *wanted)
{
	const struct eqt_scontrol_node *node = &nodes->nodes[number];

	if ((spec->exclude && node_is_listed(spec->exclude, node)) ||
	    (spec->reserved && !node_is_listed(spec->reserved, node)))
		return false;
	return wanted_nodes_have(wanted, spec, number, node);
}

/* The bundles for a node's GPUs, as one bit each. No bit is set if the node does not
 * match the request. */
static uint32_t node_bundles(const struct eqt_scontrol_node *node,
			     const struct eqt_bundle_table *prices,
			     const struct eqt_node_requirement *wish)
{
	uint32_t named[EQT_MODELS_MAX];
	struct eqt_node_class kind = {
		.gres = node->gres,
		.features = node->features,
		.features_length = strlen(node->features),
	};

	if (!eqt_node_class_fits(&kind, wish))
		return 0;
	kind.named = node_named_by(prices, node);
	eqt_node_class_names(named, prices);
	return eqt_node_class_bundles(&kind, prices, named,
				      eqt_node_class_models(&kind, prices));
}

void eqt_scontrol_candidates(struct eqt_bundle_table *prices,
			     const struct eqt_job_spec *spec,
			     const struct eqt_scontrol_nodes *nodes,
			     const char *partition)
{
	const struct wanted_nodes wanted = wanted_nodes_of(spec, nodes);
	struct eqt_node_requirement wish;
	uint32_t found = 0;
	bool any = false;

	if (!eqt_node_offer_has_bundles(spec, prices))
		return;
	eqt_node_requirement_make(&wish, spec);
	for (size_t i = 0; i < nodes->count; i++) {
		const struct eqt_scontrol_node *node = &nodes->nodes[i];

		if (!eqt_scontrol_node_in(node, partition))
			continue;
		any = true;
		if (node_is_candidate(nodes, spec, i, &wanted))
			found |= node_bundles(node, prices, &wish);
	}
	if (any)
		prices->models_away = ~found;
}

/* Fill an offer from a node, whose texts it borrows. Returns false if the node does not
 * match the request. */
static bool node_offer(struct eqt_node_offer *out,
		       const struct eqt_scontrol_node *node,
		       const struct eqt_node_requirement *wish)
{
	const struct eqt_node_class kind = {
		.gres = node->gres,
		.features = node->features,
		.features_length = strlen(node->features),
	};

	*out = (struct eqt_node_offer){
		.cpus = node->total.of[EQT_UNIT_PART_CORES],
		.mem_mib = node->total.of[EQT_UNIT_PART_MEMORY],
		.system_mib = node->system_mib,
		.gres = node->gres,
		.count = 1,
		.threads = node->threads,
		.hw_threads = node->hw_threads,
		.sockets = node->sockets,
	};
	return eqt_node_class_fits(&kind, wish);
}

/* Add the kinds of the nodes that the request could get. With "listed", only nodes that
 * the lists of the request allow. */
static void kinds_note(struct eqt_job_spec *spec,
		       const struct eqt_scontrol_nodes *nodes,
		       const char *partition, bool listed)
{
	const struct wanted_nodes wanted = wanted_nodes_of(spec, nodes);
	struct eqt_node_requirement wish;
	struct eqt_node_offer offer;

	eqt_node_requirement_make(&wish, spec);
	for (size_t i = 0; i < nodes->count; i++) {
		const struct eqt_scontrol_node *node = &nodes->nodes[i];

		if (eqt_scontrol_node_in(node, partition) &&
		    (!listed || node_is_candidate(nodes, spec, i, &wanted)) &&
		    node_offer(&offer, node, &wish))
			(void) eqt_node_offer_add(spec, &offer);
	}
}

/* The first node of the partition, whose memory Slurm takes for --mem=0. NULL if the
 * partition has no nodes. */
static const struct eqt_scontrol_node *candidates_first(
	const struct eqt_scontrol_nodes *nodes, const char *partition)
{
	for (size_t i = 0; i < nodes->count; i++) {
		if (eqt_scontrol_node_in(&nodes->nodes[i], partition))
			return &nodes->nodes[i];
	}
	return NULL;
}

void eqt_scontrol_candidates_offer(struct eqt_job_spec *spec,
				   const struct eqt_scontrol_nodes *nodes,
				   const char *partition)
{
	const struct eqt_scontrol_node *first =
		candidates_first(nodes, partition);
	const struct eqt_node_offer_gpus wanted = eqt_node_offer_gpus(spec);
	const uint64_t count = spec->node.count;
	const struct wanted_nodes listed = wanted_nodes_of(spec, nodes);
	const bool chooses = eqt_node_requirement_chooses(spec, listed.count);

	if (!first)
		return;
	if (spec->contiguous && !chooses)
		eqt_job_spec_raise_nodes(spec, listed.count);
	spec->limit.node_mem_mib = first->total.of[EQT_UNIT_PART_MEMORY];
	kinds_note(spec, nodes, partition, true);
	/* If the named nodes are too few, the job gets other nodes as well. If none of
	 * the named nodes fits, the job gets no node. */
	if (!chooses && !eqt_node_offer_has_room(spec, &wanted) &&
	    (spec->kinds > 0 || !spec->nodelist)) {
		spec->kinds = 0;
		spec->nodelist = NULL;
		kinds_note(spec, nodes, partition, false);
	}
	eqt_node_offer_sort(spec);
	eqt_node_offer_spread(spec);
	if (spec->kinds > 0)
		spec->node = spec->kind[0];
	else if (spec->cpus_per_core == 0)
		spec->cpus_per_core = first->threads;
	spec->no_node = spec->kinds == 0 &&
			(spec->features_stay || !spec->constraint);
	spec->node.count = count;
	spec->node.differ = spec->kinds > 1;
}

/* ---- Nodes that are free now ------------------------------------------------ */

/* Mark the nodes of reservations that begin within the job's time limit, except
 * reservations that the job names. */
static void held_read(struct eqt_scontrol_marks *held,
		      const struct eqt_job_spec *spec,
		      const struct eqt_scontrol_records *reservations)
{
	const uint64_t minutes = spec->minutes ? spec->minutes
					       : spec->defaults.minutes;
	const double now = (double) time(NULL);

	for (size_t i = 0; i < reservations->count; i++) {
		const struct eqt_scontrol_record *record =
			&reservations->records[i];
		const char *nodes = eqt_record_known(record, "Nodes");
		int64_t from, to;

		eqt_record_reservation_times(&from, &to, record);
		if (nodes && ((double) from - now) / 60 <= (double) minutes &&
		    !eqt_text_list_has(spec->reservation,
				       eqt_record_text(record,
						       "ReservationName")))
			eqt_scontrol_nodes_mark(held, nodes);
	}
}

void eqt_scontrol_candidates_now(
	struct eqt_nodes_now *now, const struct eqt_job_spec *spec,
	const struct eqt_scontrol_nodes *nodes, const char *partition,
	const struct eqt_scontrol_records *reservations)
{
	const struct wanted_nodes wanted = wanted_nodes_of(spec, nodes);
	struct eqt_scontrol_marks held;
	struct eqt_node_requirement wish;

	eqt_scontrol_nodes_marks_make(&held, nodes);
	held_read(&held, spec, reservations);
	eqt_node_requirement_make(&wish, spec);
	for (size_t i = 0; i < nodes->count; i++) {
		const struct eqt_scontrol_node *node = &nodes->nodes[i];
		struct eqt_node_now set = { .idle = node->idle,
					    .weight = node->weight };

		if (node->available && !held.mark[i] &&
		    eqt_scontrol_node_in(node, partition) &&
		    node_is_candidate(nodes, spec, i, &wanted) &&
		    node_offer(&set.offer, node, &wish))
			(void) eqt_node_offer_now_add(now, &set);
	}
	eqt_scontrol_nodes_marks_free(&held);
}
