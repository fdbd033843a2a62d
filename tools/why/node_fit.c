/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A job's request is divided evenly over its nodes, because squeue prints no other
 * division. A job that could use smaller parts may therefore fit on more nodes than are
 * counted here.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "cli/alloc.h"
#include "job/node_class.h"
#include "slurm/scontrol/partitions.h"
#include "base/whole.h"
#include "why/node_fit.h"

static const char *const node_words[EQT_NODE_KINDS][2] = {
	[EQT_NODE_FREE] = { "free", "free" },
	[EQT_NODE_BUSY] = { "busy", "busy with other jobs" },
	[EQT_NODE_RESERVED] = { "reserved", "reserved" },
	[EQT_NODE_DRAINED] = { "drained", "drained" },
	[EQT_NODE_DOWN] = { "down", "down" },
	[EQT_NODE_FEW_CPUS] = { "too_few_cpus", "too few CPUs" },
	[EQT_NODE_LITTLE_MEMORY] = { "too_little_memory", "too little memory" },
	[EQT_NODE_FEW_GPUS] = { "too_few_gpus", "too few GPUs, or others" },
	[EQT_NODE_NO_FEATURE] = { "no_feature", "without the features" },
	[EQT_NODE_NOT_NAMED] = { "not_named",
				 "not in --nodelist, or in --exclude" },
};

const char *eqt_node_fit_word(enum eqt_why_node kind)
{
	return node_words[kind][0];
}

const char *eqt_node_fit_sentence(enum eqt_why_node kind)
{
	return node_words[kind][1];
}

/* Mark the nodes of a list, and no others. */
static void nodes_mark(struct eqt_scontrol_marks *marks, const char *list)
{
	memset(marks->mark, 0, marks->count * sizeof(*marks->mark));
	eqt_scontrol_nodes_mark(marks, list);
}

/* The state of a node, as scontrol prints it. */
static const char *node_state(const struct eqt_scontrol_nodes *nodes, size_t i)
{
	return eqt_record_text(&nodes->records.records[i], "State");
}

bool eqt_node_fit_lists_meet(const char *a, const char *b)
{
	char name[256];

	while (eqt_text_next_name(name, sizeof(name), &a)) {
		if (eqt_text_list_has_exact(b, name))
			return true;
	}
	return false;
}

/* Compute what the job needs on each node. Amounts are rounded up, because the largest
 * part of the job must fit. */
static void nodes_want(struct eqt_why_nodes *out,
		       const struct eqt_live_job *job)
{
	const uint64_t n = job->nodes;

	out->nodes = n;
	out->cpus = (job->tres.cpus + n - 1) / n;
	out->mem_mib = (job->tres.mem_mib + n - 1) / n;
	out->gpus = (job->tres.gpus + n - 1) / n;
}

/* EQT_NODE_FREE if the node would be large enough without other jobs. Otherwise the
 * reason why it is not. */
static enum eqt_why_node node_suits(const struct eqt_scontrol_node *node,
				    const struct eqt_why_nodes *want,
				    const struct eqt_live_job *job,
				    const struct eqt_node_requirement *features)
{
	const struct eqt_node_class kind = {
		.features = node->features,
		.features_length = strlen(node->features),
	};

	if (!eqt_node_class_fits_features(&kind, features))
		return EQT_NODE_NO_FEATURE;
	if (node->total.of[EQT_UNIT_PART_GPUS] < want->gpus ||
	    (want->gpus > 0 && !eqt_scontrol_node_has_model(node, job->model)))
		return EQT_NODE_FEW_GPUS;
	if (node->total.of[EQT_UNIT_PART_CORES] < want->cpus)
		return EQT_NODE_FEW_CPUS;
	if (node->total.of[EQT_UNIT_PART_MEMORY] < want->mem_mib)
		return EQT_NODE_LITTLE_MEMORY;
	return EQT_NODE_FREE;
}

/* Is enough of the node free now? A job of whole nodes needs a node without any other
 * job. The allocated GPUs are known only if AccountingStorageTRES names gres/gpu. */
static bool node_has_room(const struct eqt_scontrol_node *node,
			  const struct eqt_why_nodes *want, bool whole)
{
	const uint64_t wanted[] = {
		[EQT_UNIT_PART_CORES] = want->cpus,
		[EQT_UNIT_PART_MEMORY] = want->mem_mib,
		[EQT_UNIT_PART_GPUS] = want->gpus,
	};

	if (whole && node->allocated.of[EQT_UNIT_PART_CORES] > 0)
		return false;
	for (size_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++) {
		if (node->total.of[i] < node->allocated.of[i] + wanted[i])
			return false;
	}
	return true;
}

/* Does the job need the whole node? It does if it requests whole nodes, or if one of its
 * partitions that has this node allocates whole nodes. */
static bool job_is_whole(const struct eqt_live_cluster *cluster,
			 const struct eqt_live_job *job,
			 const struct eqt_scontrol_node *node)
{
	const struct eqt_scontrol_record *part;
	const char *list = job->partition;
	bool whole = job->whole_nodes;
	char name[256];

	while (!whole && eqt_text_next_name(name, sizeof(name), &list)) {
		part = eqt_scontrol_partition_find(&cluster->partitions, name);
		whole = part && eqt_scontrol_node_in(node, name) &&
			eqt_scontrol_partition_whole(part, true);
	}
	return whole;
}

/* Set reserved[] for nodes that a reservation other than the job's own takes before the
 * job would end. The reservation that begins first is kept for the text; it is borrowed
 * from the cluster. */
static void nodes_reserve(struct eqt_why_nodes *out, bool *reserved,
			  struct eqt_scontrol_marks *marks,
			  const struct eqt_live_cluster *cluster,
			  const struct eqt_live_job *job)
{
	for (size_t i = 0; i < cluster->reservations.count; i++) {
		const struct eqt_scontrol_record *one =
			&cluster->reservations.records[i];
		const char *list = eqt_record_known(one, "Nodes");
		const int64_t from = eqt_record_time(one, "StartTime");
		const int64_t to = eqt_record_time(one, "EndTime");
		bool any = false;

		if (!list || (to > 0 && to <= cluster->now_s) ||
		    from >= cluster->now_s + (int64_t) job->limit_s ||
		    eqt_text_list_has_exact(job->reservation,
					    eqt_record_text(one,
							    "ReservationName")))
			continue;
		nodes_mark(marks, list);
		for (size_t node = 0; node < cluster->nodes.count; node++) {
			if (!marks->mark[node] ||
			    !eqt_node_fit_lists_meet(
				    job->partition,
				    cluster->nodes.nodes[node].partitions))
				continue;
			reserved[node] = any = true;
		}
		if (any && (!out->reservation || from < out->reserved_from_s)) {
			out->reservation = one;
			out->reserved_from_s = from;
			out->reserved_to_s = to;
		}
	}
}

/* The kind of a node for the job. A node that is too small counts as too small even if it
 * is down, because the job could not start there when the node returns. */
static enum eqt_why_node node_kind(const struct eqt_live_cluster *cluster,
				   size_t i, const struct eqt_why_nodes *want,
				   const struct eqt_live_job *job,
				   const struct eqt_node_requirement *features)
{
	const struct eqt_scontrol_node *node = &cluster->nodes.nodes[i];
	const char *state = node_state(&cluster->nodes, i);
	const enum eqt_why_node suits = node_suits(node, want, job, features);

	if (suits != EQT_NODE_FREE)
		return suits;
	if (!node->available)
		return strstr(state, "DRAIN") || strstr(state, "MAINT")
			       ? EQT_NODE_DRAINED
			       : EQT_NODE_DOWN;
	return node_has_room(node, want, job_is_whole(cluster, job, node))
		       ? EQT_NODE_FREE
		       : EQT_NODE_BUSY;
}

/* Count a node. The first node of each kind is the example in the text. If its state
 * keeps the job from starting, the example includes the state. */
static void node_note(struct eqt_why_nodes *out, enum eqt_why_node kind,
		      const struct eqt_live_cluster *cluster, size_t i)
{
	const struct eqt_scontrol_node *node = &cluster->nodes.nodes[i];

	if (out->of[kind]++ > 0)
		return;
	if (kind == EQT_NODE_DRAINED || kind == EQT_NODE_DOWN)
		(void) snprintf(out->example[kind], sizeof(out->example[kind]),
				"%s (%s)", node->name,
				node_state(&cluster->nodes, i));
	else
		(void) snprintf(out->example[kind], sizeof(out->example[kind]),
				"%s", node->name);
}

/* The nodes that --nodelist and --exclude of the job allow. */
static bool *nodes_named(struct eqt_scontrol_marks *marks,
			 const struct eqt_live_job *job, const char *exclude)
{
	const size_t count = marks->count;
	bool *named = eqt_alloc(count + 1, sizeof(*named));
	size_t i, listed = 0;

	for (i = 0; i < count; i++)
		named[i] = true;
	if (job->req_nodes[0] != '\0') {
		nodes_mark(marks, job->req_nodes);
		for (i = 0; i < count; i++)
			listed += marks->mark[i];
		/* A job that needs more nodes than the list has gets other nodes as
		 * well. */
		if (listed >= job->nodes)
			memcpy(named, marks->mark, count * sizeof(*named));
	}
	if (exclude && exclude[0] != '\0') {
		nodes_mark(marks, exclude);
		for (i = 0; i < count; i++)
			named[i] = named[i] && !marks->mark[i];
	}
	return named;
}

/* Count all nodes by kind. A reserved node that is too small counts as too small. If
 * kinds is not NULL, it receives the kind of each node. */
static void nodes_sort(struct eqt_why_nodes *out, enum eqt_why_node *kinds,
		       const bool *named, const bool *reserved,
		       const struct eqt_live_cluster *cluster,
		       const struct eqt_live_job *job)
{
	const struct eqt_job_spec spec = {
		.constraint = job->features[0] ? job->features : NULL,
	};
	struct eqt_node_requirement features;

	eqt_node_requirement_make(&features, &spec);
	for (size_t i = 0; i < cluster->nodes.count; i++) {
		enum eqt_why_node kind;

		if (!eqt_node_fit_lists_meet(
			    job->partition, cluster->nodes.nodes[i].partitions))
			continue;
		out->all++;
		kind = named[i] ? node_kind(cluster, i, out, job, &features)
				: EQT_NODE_NOT_NAMED;
		if (reserved[i] &&
		    (kind == EQT_NODE_FREE || kind == EQT_NODE_BUSY))
			kind = EQT_NODE_RESERVED;
		node_note(out, kind, cluster, i);
		if (kinds)
			kinds[i] = kind;
	}
}

/* Set until[] to the end of the last job on each node; 0 if the node has no jobs. */
static void nodes_note_ends(int64_t *until, struct eqt_scontrol_marks *marks,
			    const struct eqt_live_cluster *cluster)
{
	for (size_t i = 0; i < cluster->jobs.count; i++) {
		const struct eqt_live_job *job = &cluster->jobs.jobs[i];
		const int64_t end = job->end_s ? job->end_s : INT64_MAX;

		if (job->pending || job->nodelist[0] == '\0')
			continue;
		nodes_mark(marks, job->nodelist);
		for (size_t node = 0; node < cluster->nodes.count; node++) {
			if (marks->mark[node] && until[node] < end)
				until[node] = end;
		}
	}
}

/* A node counts as free once its last job and any reservation of it have ended. A job
 * that needs only a part of a node may start earlier. */
static void nodes_free_find(struct eqt_why_nodes *out,
			    const enum eqt_why_node *kinds,
			    struct eqt_scontrol_marks *marks,
			    const struct eqt_live_cluster *cluster)
{
	int64_t *until = eqt_alloc(cluster->nodes.count + 1, sizeof(*until));
	size_t i, count = 0;

	nodes_note_ends(until, marks, cluster);
	for (i = 0; i < cluster->nodes.count; i++) {
		int64_t at = until[i];

		if (kinds[i] == EQT_NODE_KINDS || kinds[i] > EQT_NODE_RESERVED)
			continue;
		if (kinds[i] == EQT_NODE_FREE)
			at = 0;
		if (kinds[i] == EQT_NODE_RESERVED && at < out->reserved_to_s)
			at = out->reserved_to_s;
		until[count++] = at;
	}
	if (count > 1)
		qsort(until, count, sizeof(*until), eqt_whole_compare_times);
	if (count >= out->nodes && until[out->nodes - 1] < INT64_MAX)
		out->free_s = until[out->nodes - 1];
	free(until);
}

static void nodes_scan(struct eqt_why_nodes *out,
		       const struct eqt_live_cluster *cluster,
		       const struct eqt_live_job *job, const char *exclude,
		       enum eqt_why_node *kinds)
{
	struct eqt_scontrol_marks marks;
	bool *reserved = eqt_alloc(cluster->nodes.count + 1, sizeof(*reserved));
	bool *named;

	*out = (struct eqt_why_nodes){ .all = 0 };
	nodes_want(out, job);
	eqt_scontrol_nodes_marks_make(&marks, &cluster->nodes);
	named = nodes_named(&marks, job, exclude);
	nodes_reserve(out, reserved, &marks, cluster, job);
	nodes_sort(out, kinds, named, reserved, cluster, job);
	if (kinds)
		nodes_free_find(out, kinds, &marks, cluster);
	eqt_scontrol_nodes_marks_free(&marks);
	free(reserved);
	free(named);
}

void eqt_node_fit_count(struct eqt_why_nodes *out,
			const struct eqt_live_cluster *cluster,
			const struct eqt_live_job *job)
{
	nodes_scan(out, cluster, job, NULL, NULL);
}

void eqt_node_fit_wait(struct eqt_why_nodes *out,
		       const struct eqt_live_cluster *cluster,
		       const struct eqt_live_job *job, const char *exclude)
{
	const size_t count = cluster->nodes.count;
	enum eqt_why_node *kinds = eqt_alloc(count + 1, sizeof(*kinds));

	for (size_t i = 0; i < count; i++)
		kinds[i] = EQT_NODE_KINDS;
	nodes_scan(out, cluster, job, exclude, kinds);
	free(kinds);
}

size_t eqt_node_fit_sum(const struct eqt_why_nodes *nodes)
{
	size_t fit = 0;

	for (int kind = EQT_NODE_FREE; kind <= EQT_NODE_DOWN; kind++)
		fit += nodes->of[kind];
	return fit;
}
