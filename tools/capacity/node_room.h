/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * node_room: what is left on nodes while jobs are placed on them, and which nodes
 * have room for a job. Each partition and GPU model that jobs name gets a
 * list, so that a job does not visit every node.
 */
#ifndef EQT_CAPACITY_NODE_ROOM_H
#define EQT_CAPACITY_NODE_ROOM_H

#include "slurm/live_jobs.h"
#include "slurm/scontrol/nodes.h"

struct eqt_node_room; /* opaque */

/* Make a room of the nodes for which chosen[] is set. Both arguments are borrowed. */
struct eqt_node_room *eqt_node_room_new(const struct eqt_scontrol_nodes *nodes,
					const bool *chosen);

/* Free the room and its own texts, but not the nodes. room may be NULL. */
void eqt_node_room_free(struct eqt_node_room *room);

/* The functions below keep borrowed texts of the jobs until eqt_node_room_free(). */

/* Is any of the nodes in one of the job's partitions? */
bool eqt_node_room_concerns(struct eqt_node_room *room,
			    const struct eqt_live_job *job);

/*
 * Take the wanted amounts from each of the first nodes that are in the job's partitions,
 * have its GPU model, and have enough left. If there are too few such nodes, take nothing
 * and return false.
 */
bool eqt_node_room_take(struct eqt_node_room *room,
			const struct eqt_live_job *job,
			const struct eqt_unit_amounts *wanted);

#endif
