/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * overhead_room: what is left of nodes while jobs are tried on them, and which
 * nodes have room for one. A list of nodes is kept for each partition and GPU
 * model that jobs name, with the most that is left in each half of it, half of
 * that half and so on, so that not every node is looked at for every job.
 */
#ifndef EQT_CAPACITY_ROOM_H
#define EQT_CAPACITY_ROOM_H

#include "slurm/squeue.h"
#include "slurm/nodes.h"

struct eqt_room; /* opaque */

/* The nodes for which chosen[] is set; both are borrowed. NULL: memory. */
struct eqt_room *eqt_room_new(const struct eqt_scontrol_nodes *nodes,
			      const bool *chosen);

void eqt_room_free(struct eqt_room *room);

/* What follows keeps texts of the jobs, which are borrowed until
 * eqt_room_free(). */

/* Are any of the nodes in one of the job's partitions? 1, 0, or -1: memory. */
int eqt_room_concerns(struct eqt_room *room, const struct eqt_squeue_job *job);

/*
 * Take what the job wants of each of its nodes from the first ones that are
 * its partitions', have its model and that much left. 1, 0 with nothing taken
 * when there are too few, or -1: memory.
 */
int eqt_room_take(struct eqt_room *room, const struct eqt_squeue_job *job,
		  const struct eqt_unit_amounts *wanted);

#endif
