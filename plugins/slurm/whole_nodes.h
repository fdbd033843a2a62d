/* SPDX-License-Identifier: GPL-2.0-or-later */
/* whole_nodes: partitions in which no other job gets the rest of a job's nodes.
 * Needs Slurm's internal headers. */
#ifndef EQT_WHOLE_NODES_H
#define EQT_WHOLE_NODES_H

#include "slurm/compat.h"

/*
 * Does every job of a partition get whole nodes? True for OverSubscribe=EXCLUSIVE, for
 * select/linear (even if jobs share nodes, each is charged for whole ones), and for
 * eqt_whole_nodes_block(). `linear` is the result of eqt_whole_nodes_selected().
 */
bool eqt_whole_nodes(const part_record_t *part, bool linear);

/* Does every job of the partition keep other jobs off its block of the
 * topology, and so off the rest of its nodes? It does under
 * ExclusiveTopo=YES. */
bool eqt_whole_nodes_block(const part_record_t *part);

/* The memory of a node that jobs can use, in MiB. */
uint64_t eqt_whole_nodes_memory(const node_record_t *node);

/* Is SelectType=select/linear? It does not change while slurmctld runs. */
bool eqt_whole_nodes_selected(void);

#endif
