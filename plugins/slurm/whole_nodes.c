/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Decide which partitions and which SelectTypes let jobs keep others off their
 * nodes. The resources of such a job are counted in job/job_totals.c for a
 * request, and in rate/job_rate.c of priority/equitree for an allocation. */
#include <string.h>

#include "slurm/spec_field.h"
#include "slurm/whole_nodes.h"

bool eqt_whole_nodes_selected(void)
{
	return slurm_conf.select_type &&
	       strstr(slurm_conf.select_type, "linear");
}

bool eqt_whole_nodes_block(const part_record_t *part)
{
	return eqt_slurm_part_is_topo(part) &&
	       eqt_spec_field_topology_excludes();
}

bool eqt_whole_nodes(const part_record_t *part, bool linear)
{
	/* max_share 0 is OverSubscribe=EXCLUSIVE. */
	return part->max_share == 0 || linear || eqt_whole_nodes_block(part);
}

/* RealMemory without MemSpecLimit, which is reserved for the system. */
uint64_t eqt_whole_nodes_memory(const node_record_t *node)
{
	return node->real_memory > node->mem_spec_limit
		       ? node->real_memory - node->mem_spec_limit
		       : 0;
}
