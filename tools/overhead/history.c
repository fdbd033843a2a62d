/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The edges of a node are sorted by time, so that one pass over them finds what is
 * allocated at any moment. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/whole.h"
#include "cli/alloc.h"
#include "overhead/history.h"
#include "slurm/sacct.h"
#include "slurm/text/hostlist.h"
#include "slurm/text/timestamp.h"
#include "slurm/text/tres_list.h"

/* ---- Nodes ---------------------------------------------------------------- */

/* The node with this name, or EQT_HISTORY_NONE if there is no such node now. */
static uint32_t history_find_node(const struct eqt_history *out,
				  const char *name)
{
	const struct eqt_numbered_name *found =
		eqt_names_find(&out->index, name);

	return found ? found->number : EQT_HISTORY_NONE;
}

/* An edge is the moment at which something begins or ends. */
static void history_add_edge(struct eqt_history *out, int64_t at_s,
			     uint32_t node, uint32_t part, bool end)
{
	EQT_ALLOC_ROOM(out->edge, out->edges);
	out->edge[out->edges++] =
		(struct eqt_history_edge){ at_s, node, part, end };
}

/* Add both edges of an interval, cut to the period of the history. An interval outside
 * the period has no edges. */
static void history_add_time(struct eqt_history *out, int64_t from_s,
			     int64_t until_s, uint32_t node, uint32_t part)
{
	if (!eqt_whole_cut_span(&from_s, &until_s, out->from_s, out->until_s))
		return;
	history_add_edge(out, from_s, node, part, false);
	history_add_edge(out, until_s, node, part, true);
}

/* ---- Jobs ----------------------------------------------------------------- */

/* The nodes of a job, while they are collected from its list. */
struct job_nodes {
	struct eqt_history *history;
	uint32_t *node;
	size_t count;
};

/* A callback of eqt_hostlist_each(). A node that no longer exists keeps its place, so
 * that the job is still divided by the same number of nodes. */
static int job_nodes_add(const char *name, void *with)
{
	struct job_nodes *nodes = with;

	EQT_ALLOC_ROOM(nodes->node, nodes->count);
	nodes->node[nodes->count++] = history_find_node(nodes->history, name);
	return 0;
}

/* The resources of all nodes of a job, without nodes that no longer exist. */
static struct eqt_unit_amounts job_nodes_total(const struct job_nodes *nodes)
{
	struct eqt_unit_amounts sum = { { 0 } };

	for (size_t i = 0; i < nodes->count; i++) {
		for (size_t r = 0;
		     r < EQT_UNIT_PARTS && nodes->node[i] != EQT_HISTORY_NONE;
		     r++)
			sum.of[r] +=
				nodes->history->nodes->nodes[nodes->node[i]]
					.total.of[r];
	}
	return sum;
}

/* The part of a job on one of its nodes. A job that holds all of its nodes completely has
 * the whole of each, even if their sizes differ. Any other job is divided evenly. */
static struct eqt_unit_amounts job_share(const struct job_nodes *nodes,
					 const struct eqt_unit_amounts *held,
					 const struct eqt_unit_amounts *total,
					 size_t at)
{
	const struct eqt_scontrol_node *node =
		&nodes->history->nodes->nodes[nodes->node[at]];
	struct eqt_unit_amounts share;

	for (size_t r = 0; r < EQT_UNIT_PARTS; r++) {
		share.of[r] = held->of[r] / nodes->count +
			      (at < held->of[r] % nodes->count);
		if (held->of[r] == total->of[r])
			share.of[r] = node->total.of[r];
	}
	return share;
}

/* Add a part for each node that still exists. A job that is still running counts until
 * the end of the period. */
static void history_add_parts(struct eqt_history *out,
			      const struct eqt_sacct_job *job,
			      const struct job_nodes *nodes,
			      const struct eqt_unit_amounts *held)
{
	const struct eqt_unit_amounts total = job_nodes_total(nodes);
	const int64_t end_s = job->ended ? job->end_s : out->until_s;
	bool gone = false;

	for (size_t i = 0; i < nodes->count; i++) {
		if (nodes->node[i] == EQT_HISTORY_NONE) {
			gone = true;
			continue;
		}
		EQT_ALLOC_ROOM(out->part, out->parts);
		out->part[out->parts] = (struct eqt_history_part){
			(uint32_t) out->jobs - 1,
			job_share(nodes, held, &total, i),
		};
		history_add_time(out, job->start_s, end_s, nodes->node[i],
				 (uint32_t) out->parts++);
	}
	out->elsewhere += gone;
}

/* Keep the names of a job, because bills need them longer than the reader keeps them. */
static void history_name_job(struct eqt_history *out,
			     const struct eqt_sacct_job *job)
{
	struct eqt_history_job made = {
		eqt_names_text(&out->texts, job->text[EQT_SACCT_ID]),
		eqt_names_text(&out->texts, job->text[EQT_SACCT_USER]),
		eqt_names_text(&out->texts, job->text[EQT_SACCT_ACCOUNT]),
	};

	EQT_ALLOC_ROOM(out->job, out->jobs);
	out->job[out->jobs++] = made;
}

/* Append a job. The caller adds the number of the line to the text of an error. Lists
 * made without --noconvert have rounded amounts, which are exact enough here. */
static int history_add_job(struct eqt_history *out,
			   const struct eqt_sacct_job *job,
			   struct job_nodes *nodes, struct eqt_error *err)
{
	const char *list = job->text[EQT_SACCT_TRES];
	struct eqt_treslist tres;
	struct eqt_unit_amounts held;

	if (eqt_tres_list_parse(&tres, list, NULL, NULL) < 0)
		return eqt_error_set(
			err, "AllocTRES: \"%.64s\": expected amounts", list);
	held = (struct eqt_unit_amounts){ { tres.cpus, tres.mem_mib, tres.gpus,
					    0 } };
	if (out->nodes->disk)
		held.of[EQT_UNIT_PART_DISK] =
			eqt_tres_list_amount(list, out->nodes->disk);
	nodes->count = 0;
	if (eqt_hostlist_each(job->text[EQT_SACCT_NODES], job_nodes_add, nodes,
			      err) < 0)
		return -1;
	if (nodes->count == 0)
		return 0;
	history_name_job(out, job);
	history_add_parts(out, job, nodes, &held);
	return 0;
}

/* Add the jobs that ran within the period. Saved lists have other jobs as well. */
static int history_add_jobs(struct eqt_history *out,
			    struct eqt_sacct_reader *sacct,
			    struct eqt_error *err)
{
	struct job_nodes nodes = { .history = out };
	struct eqt_sacct_job job;
	struct eqt_error why;
	int rc;

	while ((rc = eqt_sacct_reader_next(sacct, &job, err)) > 0) {
		if (job.start_s >= out->until_s ||
		    (job.ended && job.end_s <= out->from_s))
			continue;
		if (history_add_job(out, &job, &nodes, &why) < 0) {
			rc = eqt_error_set(err, "%s: line %zu: %.400s",
					   sacct->lines.name, job.line,
					   why.text);
			break;
		}
	}
	free(nodes.node);
	return rc;
}

/* Read the jobs. A job of many nodes is one line with a list of nodes. */
static int history_read_jobs(struct eqt_history *out, const char *path,
			     struct eqt_error *err)
{
	struct eqt_sacct_reader sacct;
	char command[EQT_SACCT_COMMAND];
	int rc;

	if (eqt_sacct_reader_open(
		    &sacct, path,
		    eqt_sacct_command(command, out->from_s, out->until_s, ""),
		    EQT_SACCT_RUNS | EQT_SACCT_BIT(EQT_SACCT_NODES), err) < 0)
		return -1;
	rc = history_add_jobs(out, &sacct, err);
	return eqt_sacct_reader_close(&sacct, rc, err);
}

/* ---- Unavailable nodes ---------------------------------------------------- */

/* The columns of an event. They are found by name, because saved lists may have further
 * columns. */
enum { EVENT_NODE, EVENT_FROM, EVENT_UNTIL, EVENT_COLUMNS };

/* Read a time of an event. 0 if the event goes on, for which sacctmgr prints Unknown. */
static int event_time(int64_t *out, const struct eqt_columns *table, size_t row,
		      size_t column, struct eqt_error *err)
{
	const char *cell = eqt_columns_cell(table, row, column);

	if (eqt_timestamp_parse(out, cell) < 0)
		return eqt_error_set(err,
				     "%s: line %zu: \"%.64s\": expected a time",
				     table->text.name, table->lines[row + 1],
				     cell);
	return 0;
}

/* Add an event. An event without an end goes on. An event without a node is about the
 * whole cluster and is left out. */
static int history_add_event(struct eqt_history *out,
			     const struct eqt_columns *table,
			     const size_t at[EVENT_COLUMNS], size_t row,
			     struct eqt_error *err)
{
	const char *name = eqt_columns_cell(table, row, at[EVENT_NODE]);
	int64_t from_s, until_s;
	uint32_t node;

	if (event_time(&from_s, table, row, at[EVENT_FROM], err) < 0 ||
	    event_time(&until_s, table, row, at[EVENT_UNTIL], err) < 0)
		return -1;
	if (name[0] == '\0')
		return 0;
	node = history_find_node(out, name);
	if (node == EQT_HISTORY_NONE)
		return 0;
	history_add_time(out, from_s, until_s ? until_s : out->until_s, node,
			 EQT_HISTORY_NONE);
	return 0;
}

static int history_add_events(struct eqt_history *out,
			      const struct eqt_columns *table,
			      struct eqt_error *err)
{
	static const char *const names[EVENT_COLUMNS] = { "NodeName",
							  "TimeStart",
							  "TimeEnd" };
	size_t at[EVENT_COLUMNS];
	int rc = 0;

	if (eqt_columns_find_all(at, table, names, EVENT_COLUMNS, EVENT_COLUMNS,
				 err) < 0)
		return -1;
	for (size_t row = 0; row < table->rows && rc == 0; row++)
		rc = history_add_event(out, table, at, row, err);
	return rc;
}

/* Read when nodes were down, drained or failing. slurmdbd has an event for each such
 * time. */
static int history_read_events(struct eqt_history *out, const char *path,
			       struct eqt_error *err)
{
	struct eqt_columns table;
	char command[256];
	int rc;

	(void) snprintf(command, sizeof(command),
			"SLURM_TIME_FORMAT=%%s sacctmgr -P show event "
			"event=node start=uts%" PRId64 " end=uts%" PRId64
			" format=NodeName,TimeStart,TimeEnd",
			out->from_s, out->until_s);
	if (eqt_columns_read(&table, EQT_COLUMNS_ANY, path, command, err) < 0)
		return -1;
	rc = history_add_events(out, &table, err);
	eqt_columns_free(&table);
	return rc;
}

/* ---- Reading and freeing -------------------------------------------------- */

/* For saved jobs no events are read from Slurm, because the jobs may belong to another
 * cluster. */
int eqt_history_read(struct eqt_history *out,
		     const struct eqt_scontrol_nodes *nodes, int64_t from_s,
		     int64_t until_s, const struct eqt_history_source *source,
		     struct eqt_error *err)
{
	*out = (struct eqt_history){ .nodes = nodes,
				     .from_s = from_s,
				     .until_s = until_s };
	eqt_scontrol_nodes_index(&out->index, nodes);
	if (history_read_jobs(out, source->jobs, err) < 0)
		return -1;
	if (source->events || !source->jobs)
		return history_read_events(out, source->events, err);
	return 0;
}

void eqt_history_free(struct eqt_history *history)
{
	eqt_names_free(&history->index);
	eqt_names_free(&history->texts);
	free(history->job);
	free(history->part);
	free(history->edge);
	*history = (struct eqt_history){ .jobs = 0 };
}

/* A node during the sweep over its edges. */
struct sweep {
	struct eqt_history_span span;
	uint32_t *active;
	size_t unavailable; /* number of events that go on */
	eqt_history_each *each;
	void *with;
};

/* Sort by node and time. If one thing ends when another begins, the end comes first. */
static int edge_compare(const void *a, const void *b)
{
	const struct eqt_history_edge *left = a, *right = b;

	if (left->node != right->node)
		return left->node < right->node ? -1 : 1;
	if (left->at_s != right->at_s)
		return left->at_s < right->at_s ? -1 : 1;
	if (left->end != right->end)
		return left->end ? -1 : 1;
	if (left->part != right->part)
		return left->part < right->part ? -1 : 1;
	return 0;
}

/* Report the time up to a moment, in which nothing changed. */
static void sweep_until(struct sweep *sweep, int64_t at_s)
{
	struct eqt_history_span *span = &sweep->span;

	span->until_s = at_s;
	span->active = sweep->active;
	/* A node without events in accounting counts as available, because
	 * accounting does not say since when it was unavailable. */
	span->available = sweep->unavailable == 0;
	if (span->from_s < span->until_s)
		sweep->each(sweep->with, span);
	span->from_s = at_s;
}

static void sweep_add_part(struct sweep *sweep, uint32_t part)
{
	EQT_ALLOC_ROOM(sweep->active, sweep->span.count);
	sweep->active[sweep->span.count++] = part;
}

/* The last part takes the place of the removed one, because their order does not
 * matter. */
static void sweep_remove_part(struct sweep *sweep, uint32_t part)
{
	size_t i = 0;

	while (i < sweep->span.count && sweep->active[i] != part)
		i++;
	if (i < sweep->span.count)
		sweep->active[i] = sweep->active[--sweep->span.count];
}

/* Change what is allocated, or whether the node is available. */
static void sweep_take_edge(struct sweep *sweep,
			    const struct eqt_history_edge *edge)
{
	struct eqt_unit_amounts *sum = &sweep->span.allocated;
	const struct eqt_unit_amounts *has;

	if (edge->part == EQT_HISTORY_NONE) {
		sweep->unavailable += edge->end ? (size_t) -1 : 1;
		return;
	}
	has = &sweep->span.history->part[edge->part].has;
	for (size_t r = 0; r < EQT_UNIT_PARTS; r++)
		sum->of[r] += edge->end ? -has->of[r] : has->of[r];
	if (!edge->end)
		sweep_add_part(sweep, edge->part);
	else
		sweep_remove_part(sweep, edge->part);
}

/* Sweep over one node, whose edges begin at *at. */
static void sweep_node(struct sweep *sweep, uint32_t node, size_t *at)
{
	const struct eqt_history *history = sweep->span.history;

	sweep->span.node = &history->nodes->nodes[node];
	sweep->span.from_s = history->from_s;
	sweep->span.count = 0;
	sweep->span.allocated = (struct eqt_unit_amounts){ { 0 } };
	sweep->unavailable = 0;
	for (; *at < history->edges && history->edge[*at].node == node; ++*at) {
		sweep_until(sweep, history->edge[*at].at_s);
		sweep_take_edge(sweep, &history->edge[*at]);
	}
	sweep_until(sweep, history->until_s);
}

void eqt_history_sweep(struct eqt_history *history, eqt_history_each *each,
		       void *with)
{
	struct sweep sweep = { .span.history = history,
			       .each = each,
			       .with = with };
	size_t at = 0;

	if (history->edges > 0)
		qsort(history->edge, history->edges, sizeof(*history->edge),
		      edge_compare);
	for (uint32_t node = 0; node < history->nodes->count; node++)
		sweep_node(&sweep, node, &at);
	free(sweep.active);
}
