/* SPDX-License-Identifier: GPL-2.0-or-later */
/* whole_nodes: where nobody else gets what a job leaves of its nodes. Needs
 * Slurm's internal headers. */
#ifndef EQT_WHOLE_NODES_H
#define EQT_WHOLE_NODES_H

#include "slurm/compat.h"

/*
 * Whether every job of a partition has whole nodes: OverSubscribe=EXCLUSIVE,
 * select/linear, which counts whole nodes for jobs that share them, too, or
 * eqt_whole_nodes_block().
 */
bool eqt_whole_nodes(const part_record_t *part);

/* Whether every job of a partition keeps others off its block of the topology
 * (ExclusiveTopo=YES), and so off what it leaves of its nodes. */
bool eqt_whole_nodes_block(const part_record_t *part);

/* Memory of a node that jobs can have, in MiB. */
uint64_t eqt_whole_nodes_memory(const node_record_t *node);

/* Whether select/linear gives out nodes. */
bool eqt_whole_nodes_selected(void);

#endif
