/* SPDX-License-Identifier: GPL-2.0-or-later */
/* history: allocated resources of each node over time, from the jobs of sacct and the
 * present sizes of nodes. sacct only has the sum of a job, so its nodes have equal parts,
 * unless the job held them whole. */
#ifndef EQT_OVERHEAD_HISTORY_H
#define EQT_OVERHEAD_HISTORY_H

#include "cli/names.h"
#include "slurm/scontrol/nodes.h"

/* Files of the jobs, and of the times in which nodes were unavailable. NULL: sacct is run,
 * and sacctmgr unless the jobs are from a file. */
struct eqt_history_source {
	const char *jobs, *events;
};

/* A job, for bills. Texts are owned by the history. */
struct eqt_history_job {
	const char *id, *user, *account;
};

/* A job on a node. */
struct eqt_history_part {
	uint32_t job;
	struct eqt_unit_amounts has;
};

/* A part begins or ends, or the node becomes unavailable or available. */
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
	uint64_t elsewhere; /* runs of jobs on nodes that are gone */
};

/* Read jobs and events between two times. Returns 0, or -1 with err filled: what the
 * readers refuse; free it in both cases. */
int eqt_history_read(struct eqt_history *out,
		     const struct eqt_scontrol_nodes *nodes, int64_t from_s,
		     int64_t until_s, const struct eqt_history_source *source,
		     struct eqt_error *err);

/* Free what *history owns. *history is empty afterwards. */
void eqt_history_free(struct eqt_history *history);

/* A node in a time in which nothing changed; borrowed. */
struct eqt_history_span {
	const struct eqt_history *history;
	const struct eqt_scontrol_node *node;
	int64_t from_s, until_s;
	bool available;
	struct eqt_unit_amounts allocated;
	const uint32_t *active; /* parts */
	size_t count;
};

/* A function that gets each span. */
typedef void eqt_history_each(void *with, const struct eqt_history_span *span);

/* Call each for all nodes and all times. */
void eqt_history_sweep(struct eqt_history *history, eqt_history_each *each,
		       void *with);

#endif
