/* SPDX-License-Identifier: GPL-2.0-or-later */
/* history: the allocated resources of each node over time, from the jobs of sacct and the
 * present sizes of the nodes. sacct has only the sum over a job's nodes, so the job is
 * divided evenly unless it held the nodes completely. */
#ifndef EQT_OVERHEAD_HISTORY_H
#define EQT_OVERHEAD_HISTORY_H

#include "cli/names.h"
#include "slurm/scontrol/nodes.h"

/* Files with the jobs, and with the times in which nodes were unavailable. If a path is
 * NULL, sacct or sacctmgr is run, but sacctmgr only if the jobs are not from a file. */
struct eqt_history_source {
	const char *jobs, *events;
};

/* A job, for bills. The history owns the texts. */
struct eqt_history_job {
	const char *id, *user, *account;
};

/* A job on a node. */
struct eqt_history_part {
	uint32_t job;
	struct eqt_unit_amounts has;
};

/* The moment at which a part begins or ends, or at which the node becomes unavailable or
 * available. */
struct eqt_history_edge {
	int64_t at_s;
	uint32_t node;
	uint32_t part; /* EQT_HISTORY_NONE: the node itself */
	bool end;
};

#define EQT_HISTORY_NONE UINT32_MAX

/* Owns its memory; {0} is empty. */
struct eqt_history {
	const struct eqt_scontrol_nodes *nodes; /* borrowed */
	int64_t from_s, until_s;
	struct eqt_names index; /* nodes by name */
	struct eqt_names texts;
	struct eqt_history_job *job;
	size_t jobs;
	struct eqt_history_part *part;
	size_t parts;
	struct eqt_history_edge *edge;
	size_t edges;
	uint64_t elsewhere; /* runs of jobs on nodes that no longer exist */
};

/* Read jobs and events between two times. Returns 0, or -1 with err filled like the
 * functions that read them. In both cases the caller must free *out. */
int eqt_history_read(struct eqt_history *out,
		     const struct eqt_scontrol_nodes *nodes, int64_t from_s,
		     int64_t until_s, const struct eqt_history_source *source,
		     struct eqt_error *err);

/* Free what *history owns. *history is empty afterwards. */
void eqt_history_free(struct eqt_history *history);

/* A node during a stretch of time in which nothing changed. Borrowed. */
struct eqt_history_span {
	const struct eqt_history *history;
	const struct eqt_scontrol_node *node;
	int64_t from_s, until_s;
	bool available;
	struct eqt_unit_amounts allocated;
	const uint32_t *active; /* indexes of parts */
	size_t count;
};

/* A function that is called for each span. */
typedef void eqt_history_each(void *with, const struct eqt_history_span *span);

/* Call each() for all nodes and all times. */
void eqt_history_sweep(struct eqt_history *history, eqt_history_each *each,
		       void *with);

#endif
