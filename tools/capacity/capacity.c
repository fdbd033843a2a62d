/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counts the free units and how much of the queue would fit. For each waiting job there
 * are two questions: Would its units fit into all free units? Would its request fit on
 * real nodes of its partitions? The first question ignores where the free units are. For
 * the second, jobs take the first nodes that fit, in the order of priority.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/whole.h"
#include "base/text.h"
#include "capacity/capacity.h"
#include "cli/alloc.h"
#include "cli/names.h"
#include "cli/progress.h"
#include "slurm/conf/site_conf.h"
#include "slurm/live_jobs.h"
#include "slurm/scontrol/nodes.h"

/* ---- What is left on nodes ---------------------------------------------------------
 * A segment tree over the nodes of a list stores upper bounds of the amounts that are
 * left on the nodes, so that a search need not visit every node. Lists may share
 * nodes. */

#define LIST_END SIZE_MAX

/*
 * bound[] is a binary tree over the nodes, with its root at bound[1]. Each bound is at
 * least what is left on any node below it. A bound may be too high, because another list
 * may have taken from a node. A search then corrects it. A bound is never too low,
 * because nothing is given back.
 */
struct node_list {
	const char *name; /* "MODEL|PARTITION" */
	/* borrowed; amounts only decrease */
	const struct eqt_unit_amounts *left;
	bool any; /* the partition has nodes, of whatever model */
	size_t count;
	size_t *node; /* numbers of the nodes, in ascending order */
	struct eqt_unit_amounts *bound;
};

/* A bound is the maximum of the two bounds below it. */
static void bound_join(struct eqt_unit_amounts *bound, size_t at)
{
	for (int i = 0; i < EQT_UNIT_PARTS; i++)
		bound[at].of[i] = bound[2 * at].of[i] > bound[2 * at + 1].of[i]
					  ? bound[2 * at].of[i]
					  : bound[2 * at + 1].of[i];
}

/* Leaf i of the tree is bound[width + i]. */
static size_t tree_width(size_t count)
{
	size_t width = 1;

	while (width < count)
		width *= 2;
	return width;
}

static void node_list_make_tree(struct node_list *list)
{
	size_t width = tree_width(list->count), i;

	list->bound = eqt_alloc(2 * width, sizeof(*list->bound));
	for (i = 0; i < list->count; i++)
		list->bound[width + i] = list->left[list->node[i]];
	for (i = width; i-- > 1;)
		bound_join(list->bound, i);
}

/* Fill the list with the nodes for which chosen[] is set, in their order. model "" means
 * nodes with any model. */
static void node_list_fill(struct node_list *list,
			   const struct eqt_scontrol_nodes *nodes,
			   const bool *chosen, const char *partition,
			   const char *model)
{
	list->node = eqt_alloc(nodes->count + 1, sizeof(*list->node));
	for (size_t i = 0; i < nodes->count; i++) {
		const struct eqt_scontrol_node *node = &nodes->nodes[i];

		if (!chosen[i] || !eqt_scontrol_node_in(node, partition))
			continue;
		list->any = true;
		if (eqt_scontrol_node_has_model(node, model))
			list->node[list->count++] = i;
	}
	node_list_make_tree(list);
}

/* A part of the tree: the nodes below bound[at]. The first of them has the number
 * "low". */
struct span {
	size_t at;
	size_t low;
	size_t size;
};

/* Search like node_list_find(), but within a span. On the way back up, correct bounds
 * that are too high because another list took from a node. */
static size_t node_list_find_below(struct node_list *list, struct span span,
				   size_t from,
				   const struct eqt_unit_amounts *wanted)
{
	struct eqt_unit_amounts *bound = list->bound;
	size_t half = span.size / 2, found;

	if (span.low >= list->count || span.low + span.size <= from ||
	    !eqt_canonical_unit_covers(&bound[span.at], wanted))
		return LIST_END;
	if (half == 0) {
		bound[span.at] = list->left[list->node[span.low]];
		return eqt_canonical_unit_covers(&bound[span.at], wanted)
			       ? span.low
			       : LIST_END;
	}
	found = node_list_find_below(
		list, (struct span){ 2 * span.at, span.low, half }, from,
		wanted);
	if (found == LIST_END)
		found = node_list_find_below(
			list,
			(struct span){ 2 * span.at + 1, span.low + half, half },
			from, wanted);
	bound_join(bound, span.at);
	return found;
}

/* The first node, from place "from" on, that has the wanted amounts left. Returns its
 * place in node[], or LIST_END. */
static size_t node_list_find(struct node_list *list, size_t from,
			     const struct eqt_unit_amounts *wanted)
{
	return node_list_find_below(
		list, (struct span){ 1, 0, tree_width(list->count) }, from,
		wanted);
}

/* The position of a job's search in one list. */
struct cursor {
	struct node_list *list;
	size_t at; /* place in the list, or LIST_END */
};

#define REFUSALS 16

/* A request for which there were too few nodes. Nodes only become fuller, so a larger
 * request fails as well. */
struct refusal {
	struct eqt_unit_amounts wanted;
	uint64_t nodes;
};

/* Jobs with the same partitions and GPU model share a search. A kind remembers requests
 * that failed. If the queue is long, most jobs are decided by such a request, without a
 * search. */
struct kind {
	const char *name; /* "MODEL|PARTITIONS" */
	struct cursor *cursors; /* one per partition */
	size_t count;
	struct refusal refusals[REFUSALS]; /* no refusal implies another */
	size_t refusal_count;
};

struct node_room {
	const struct eqt_scontrol_nodes *nodes;
	const bool *chosen;
	struct eqt_unit_amounts *left; /* amounts left on each node */
	size_t *taken; /* nodes of the current job */
	struct eqt_names lists; /* entries are struct node_list */
	/* entries are struct kind; users can cause thousands of them */
	struct eqt_names kinds;
};

#define PARTITION_NAME 256

/* The list of a partition and a model, which is created on first use. */
static struct node_list *room_list(struct node_room *room,
				   const char *partition, const char *model)
{
	char name[2 * PARTITION_NAME];
	struct node_list *list;
	int new;

	(void) snprintf(name, sizeof(name), "%s|%s", model, partition);
	list = eqt_names_get(&room->lists, name, sizeof(*list), &new);
	if (!new)
		return list;
	list->left = room->left;
	node_list_fill(list, room->nodes, room->chosen, partition, model);
	return list;
}

/* The kind of a job, which is created on first use. A partition without nodes gets a list
 * as well, so that its jobs are not searched for again. */
static struct kind *room_kind(struct node_room *room,
			      const struct eqt_live_job *job)
{
	const char *at = job->partition;
	const size_t length = strlen(job->model) + strlen(at) + 2;
	char *name = eqt_alloc(length, 1), partition[PARTITION_NAME];
	struct kind *kind;
	int new;

	(void) snprintf(name, length, "%s|%s", job->model, at);
	kind = eqt_names_get(&room->kinds, name, sizeof(*kind), &new);
	free(name);
	if (!new)
		return kind;
	/* A name has at least one letter and a comma, which bounds the number of
	 * names. */
	kind->cursors = eqt_alloc(strlen(at) / 2 + 1, sizeof(*kind->cursors));
	while (eqt_text_next_name(partition, sizeof(partition), &at))
		kind->cursors[kind->count++].list =
			room_list(room, partition, job->model);
	return kind;
}

static bool kind_is_refused(const struct kind *kind, uint64_t nodes,
			    const struct eqt_unit_amounts *wanted)
{
	for (size_t i = 0; i < kind->refusal_count; i++) {
		if (nodes >= kind->refusals[i].nodes &&
		    eqt_canonical_unit_covers(wanted,
					      &kind->refusals[i].wanted))
			return true;
	}
	return false;
}

/* Remember a failed request, and remove the requests that it implies. If the table is
 * full, the new request is forgotten, which only costs time. */
static void kind_note_refusal(struct kind *kind, uint64_t nodes,
			      const struct eqt_unit_amounts *wanted)
{
	size_t i, kept = 0;

	for (i = 0; i < kind->refusal_count; i++) {
		if (kind->refusals[i].nodes < nodes ||
		    !eqt_canonical_unit_covers(&kind->refusals[i].wanted,
					       wanted))
			kind->refusals[kept++] = kind->refusals[i];
	}
	if (kept < REFUSALS)
		kind->refusals[kept++] = (struct refusal){ *wanted, nodes };
	kind->refusal_count = kept;
}

/* ---- A job ---------------------------------------------------------------- */

/* The next node with enough room in any of the lists, or LIST_END if there is none. */
static size_t kind_next_node(struct kind *kind,
			     const struct eqt_unit_amounts *wanted)
{
	size_t node = LIST_END, i;

	for (i = 0; i < kind->count; i++) {
		const struct cursor *cursor = &kind->cursors[i];

		if (cursor->at != LIST_END &&
		    cursor->list->node[cursor->at] < node)
			node = cursor->list->node[cursor->at];
	}
	for (i = 0; i < kind->count; i++) {
		struct cursor *cursor = &kind->cursors[i];

		if (cursor->at != LIST_END &&
		    cursor->list->node[cursor->at] == node)
			cursor->at = node_list_find(cursor->list,
						    cursor->at + 1, wanted);
	}
	return node;
}

/* Is any of the nodes in one of the job's partitions? */
static bool node_room_concerns(struct node_room *room,
			       const struct eqt_live_job *job)
{
	const struct kind *kind = room_kind(room, job);

	for (size_t i = 0; i < kind->count; i++) {
		if (kind->cursors[i].list->any)
			return true;
	}
	return false;
}

/* Fill room->taken[] with nodes for the job. Returns false if there are too few. */
static bool kind_choose_nodes(struct node_room *room, struct kind *kind,
			      uint64_t nodes,
			      const struct eqt_unit_amounts *wanted)
{
	if (nodes > room->nodes->count)
		return false;
	for (size_t i = 0; i < kind->count; i++)
		kind->cursors[i].at =
			node_list_find(kind->cursors[i].list, 0, wanted);
	for (uint64_t found = 0; found < nodes; found++) {
		room->taken[found] = kind_next_node(kind, wanted);
		if (room->taken[found] == LIST_END)
			return false;
	}
	return true;
}

/*
 * Take the wanted amounts from each of the first nodes that are in the job's partitions,
 * have its GPU model, and have enough left. If there are too few such nodes, take nothing
 * and return false.
 */
static bool node_room_take(struct node_room *room,
			   const struct eqt_live_job *job,
			   const struct eqt_unit_amounts *wanted)
{
	struct kind *kind = room_kind(room, job);

	if (kind_is_refused(kind, job->nodes, wanted))
		return false;
	if (!kind_choose_nodes(room, kind, job->nodes, wanted)) {
		kind_note_refusal(kind, job->nodes, wanted);
		return false;
	}
	for (uint64_t i = 0; i < job->nodes; i++) {
		for (int part = 0; part < EQT_UNIT_PARTS; part++)
			room->left[room->taken[i]].of[part] -= wanted->of[part];
	}
	return true;
}

/* ---- The room ------------------------------------------------------------- */

/* Free the room and its own texts, but not the nodes. room may be NULL. */
static void node_room_free(struct node_room *room)
{
	if (!room)
		return;
	for (size_t i = 0; i < room->lists.count; i++) {
		struct node_list *list = room->lists.list[i];

		free(list->node);
		free(list->bound);
	}
	for (size_t i = 0; i < room->kinds.count; i++)
		free(((struct kind *) room->kinds.list[i])->cursors);
	eqt_names_free(&room->lists);
	eqt_names_free(&room->kinds);
	free(room->taken);
	free(room->left);
	free(room);
}

/* Make a room of the nodes for which chosen[] is set. Both arguments are borrowed. */
static struct node_room *node_room_new(const struct eqt_scontrol_nodes *nodes,
				       const bool *chosen)
{
	struct node_room *room = eqt_alloc(1, sizeof(*room));

	room->nodes = nodes;
	room->chosen = chosen;
	room->left = eqt_alloc(nodes->count + 1, sizeof(*room->left));
	room->taken = eqt_alloc(nodes->count + 1, sizeof(*room->taken));
	for (size_t i = 0; i < nodes->count; i++)
		room->left[i] = eqt_canonical_unit_rest(
			&nodes->nodes[i].total, &nodes->nodes[i].allocated);
	return room;
}

/* The queue while its jobs are placed. */
struct trial {
	struct node_room *room;
	const struct eqt_live_job **queue; /* sorted by priority */
	size_t count;
	struct eqt_progress progress;
};

int eqt_capacity_bin(uint64_t units)
{
	int bin = 0;

	for (; units > 0; units >>= 1)
		bin++;
	return bin;
}

const char *eqt_capacity_bin_name(char buf[EQT_CAPACITY_BIN_NAME], int bin)
{
	const uint64_t low = bin ? UINT64_C(1) << (bin - 1) : 0;

	if (bin > 1)
		(void) snprintf(buf, EQT_CAPACITY_BIN_NAME,
				"%" PRIu64 "-%" PRIu64, low, low + (low - 1));
	else
		(void) snprintf(buf, EQT_CAPACITY_BIN_NAME, "%" PRIu64, low);
	return buf;
}

/* The units that a job takes on a node, rounded up. 0 if the job uses nothing that the
 * unit counts. */
static uint64_t job_units(const struct eqt_unit_amounts *amounts,
			  const struct eqt_unit_amounts *unit)
{
	uint64_t most = 0;

	for (int i = 0; i < EQT_UNIT_PARTS; i++)
		if (unit->of[i] > 0)
			eqt_whole_raise(&most,
					eqt_whole_divide_up(amounts->of[i],
							    unit->of[i]));
	return most;
}

/* The amounts that a job needs on each of its nodes. disk NULL means that local disk is
 * not counted. */
static struct eqt_unit_amounts job_node_amounts(const struct eqt_live_job *job,
						const char *disk)
{
	struct eqt_unit_amounts amounts = {
		.of = { [EQT_UNIT_PART_CORES] = job->tres.cpus,
			[EQT_UNIT_PART_MEMORY] = job->tres.mem_mib,
			[EQT_UNIT_PART_GPUS] = job->tres.gpus,
			[EQT_UNIT_PART_DISK] =
				disk ? eqt_tres_list_amount(job->tres_text,
							    disk)
				     : 0 }
	};

	for (int i = 0; i < EQT_UNIT_PARTS; i++)
		amounts.of[i] = amounts.of[i] / job->nodes +
				(amounts.of[i] % job->nodes != 0);
	return amounts;
}

static int job_compare_priority(const void *a, const void *b)
{
	const struct eqt_live_job *left =
		*(const struct eqt_live_job *const *) a;
	const struct eqt_live_job *right =
		*(const struct eqt_live_job *const *) b;

	if (left->priority != right->priority)
		return left->priority < right->priority ? 1 : -1;
	/* Of jobs with the same priority slurmctld starts the earliest first. */
	return strtoull(left->id, NULL, 10) < strtoull(right->id, NULL, 10) ? -1
									    : 1;
}

/* Collect the pending jobs that may use these nodes, sorted by priority. */
static void trial_sort_jobs(struct eqt_capacity_fit *out, struct trial *trial,
			    const struct eqt_live_jobs *jobs)
{
	for (size_t i = 0; i < jobs->count; i++) {
		const struct eqt_live_job *job = &jobs->jobs[i];

		eqt_progress_update(&trial->progress, i);
		if (!node_room_concerns(trial->room, job))
			continue;
		if (eqt_live_job_waits_else(job))
			out->waiting_else++;
		else if (job->pending)
			trial->queue[trial->count++] = job;
	}
	qsort(trial->queue, trial->count, sizeof(*trial->queue),
	      job_compare_priority);
}

/* Place all jobs. left_units is the number of units that are free on all nodes. */
static void trial_run(struct eqt_capacity_fit *out, struct trial *trial,
		      const struct eqt_capacity_cluster *cluster,
		      const struct eqt_unit_amounts *unit, uint64_t left_units)
{
	struct eqt_unit_amounts wanted;
	uint64_t units;

	for (size_t i = 0; i < trial->count; i++) {
		const struct eqt_live_job *job = trial->queue[i];

		eqt_progress_update(&trial->progress, cluster->jobs.count + i);
		wanted = job_node_amounts(job, cluster->nodes.disk);
		units = job_units(&wanted, unit);
		if (units == 0)
			continue;
		out->bins[eqt_capacity_bin(units)]++;
		out->pending++;
		units *= job->nodes;
		out->units += units;
		if (units <= left_units) {
			left_units -= units;
			out->fit_units++;
		}
		out->fit_request += node_room_take(trial->room, job, &wanted);
	}
}

/* Place all pending jobs on the chosen nodes, once by units and once by request. The job
 * with the highest priority comes first. A job that does not fit takes nothing. */
static void queue_fit(struct eqt_capacity_sum *sum,
		      const struct eqt_capacity_cluster *cluster,
		      const struct eqt_unit_amounts *unit)
{
	const struct eqt_live_jobs *jobs = &cluster->jobs;
	struct trial trial = {
		.queue = eqt_alloc(jobs->count + 1,
				   sizeof(struct eqt_live_job *)),
		.room = node_room_new(&cluster->nodes, cluster->chosen),
	};

	eqt_progress_begin(&trial.progress, "pending jobs", 2 * jobs->count);
	trial_sort_jobs(&sum->fit, &trial, jobs);
	trial_run(&sum->fit, &trial, cluster, unit, sum->overhead);
	eqt_progress_end(&trial.progress);
	node_room_free(trial.room);
	free(trial.queue);
}

/* A node that is unavailable has neither overhead nor capacity. */
static bool node_is_counted(const struct eqt_scontrol_node *node,
			    const char *partition)
{
	return node->available &&
	       (!partition || eqt_scontrol_node_in(node, partition));
}

/* The whole units that still fit on a node. A free amount of one resource alone cannot
 * start a job, so it does not count. */
static uint64_t node_overhead(const struct eqt_scontrol_node *node,
			      const struct eqt_unit_amounts *unit)
{
	struct eqt_unit_amounts rest =
		eqt_canonical_unit_rest(&node->total, &node->allocated);

	return eqt_canonical_unit_count(unit, &rest);
}

int eqt_capacity_units_add(void *to, const char *text, struct eqt_error *err)
{
	struct eqt_capacity_units *units = to;
	const char *colon = strchr(text, ':'), *thresholds;
	size_t length;

	if (units->count == EQT_CAPACITY_UNITS_MAX)
		return eqt_error_set(err, "more than %d units",
				     EQT_CAPACITY_UNITS_MAX);
	thresholds = colon ? colon + 1 : text;
	length = colon ? (size_t) (colon - text) : 0;
	if (colon && (length == 0 || length >= EQT_CAPACITY_PARTITION))
		return eqt_error_set(err, "\"%.64s\": expected PARTITION:UNIT",
				     text);
	if (eqt_canonical_unit_parse(&units->unit[units->count], units->disk,
				     thresholds, err) < 0)
		return -1;
	memcpy(units->partition[units->count], text, length);
	units->partition[units->count][length] = '\0';
	units->text[units->count++] = text;
	return 0;
}

const char *eqt_capacity_unit_partition(const struct eqt_capacity_units *units,
					int unit, const char *partition)
{
	return units->partition[unit][0] ? units->partition[unit] : partition;
}

bool eqt_capacity_unit_is_for(const struct eqt_capacity_units *units, int unit,
			      const char *partition)
{
	if (units->partition[unit][0])
		return strcmp(units->partition[unit], partition) == 0;
	/* A unit without a partition counts for all partitions that have no unit of their
	 * own. */
	for (int i = 0; i < units->count; i++) {
		if (strcmp(units->partition[i], partition) == 0)
			return false;
	}
	return true;
}

/* Thresholds are whole numbers, so parts of a core or of a MiB are rounded up. */
static int units_site(struct eqt_capacity_units *units, struct eqt_error *err)
{
	const struct eqt_bundle *cores;
	const struct eqt_conf *conf;

	(void) snprintf(units->site, sizeof(units->site), "cores=1,memory=2G");
	if (eqt_site_conf_try(&conf) < 0)
		return eqt_error_set(err, "equitree.conf cannot be read");
	if (!conf)
		return 0;
	cores = &conf->prices.cores;
	(void) snprintf(units->site, sizeof(units->site), "cores=%" PRIu64,
			(cores->cores_u + EQT_MICRO - 1) / EQT_MICRO);
	if (cores->mem_mib_u)
		(void) snprintf(units->site + strlen(units->site),
				sizeof(units->site) - strlen(units->site),
				",memory=%" PRIu64 "M",
				(cores->mem_mib_u + EQT_MICRO - 1) / EQT_MICRO);
	eqt_conf_free(conf);
	return 0;
}

int eqt_capacity_units_default(struct eqt_capacity_units *units,
			       struct eqt_error *err)
{
	if (units->count > 0)
		return 0;
	if (units_site(units, err) < 0)
		return -1;
	return eqt_capacity_units_add(units, units->site, err) < 0
		       ? -1
		       : eqt_capacity_units_add(units, "gpu=1", err);
}

void eqt_capacity_sum(struct eqt_capacity_sum *sum,
		      const struct eqt_capacity_cluster *cluster,
		      const struct eqt_unit_amounts *unit,
		      const char *partition)
{
	const struct eqt_scontrol_nodes *nodes = &cluster->nodes;
	uint64_t overhead, capacity;

	*sum = (struct eqt_capacity_sum){ .nodes = 0 };
	for (size_t i = 0; i < nodes->count; i++) {
		const struct eqt_scontrol_node *node = &nodes->nodes[i];

		capacity = eqt_canonical_unit_count(unit, &node->total);
		cluster->chosen[i] = node_is_counted(node, partition) &&
				     capacity > 0;
		if (!cluster->chosen[i])
			continue;
		overhead = node_overhead(node, unit);
		sum->nodes++;
		sum->overhead += overhead;
		sum->capacity += capacity;
		sum->bins[eqt_capacity_bin(overhead)]++;
	}
	/* Without the queue it is not known how many waiting jobs fit. */
	if (cluster->has_jobs)
		queue_fit(sum, cluster, unit);
}

double eqt_capacity_percent(const struct eqt_capacity_sum *sum)
{
	if (sum->capacity == 0)
		return 0;
	return 100.0 * (double) sum->overhead / (double) sum->capacity;
}
