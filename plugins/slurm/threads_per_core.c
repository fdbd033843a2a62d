/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "slurm/threads_per_core.h"

uint64_t eqt_threads_per_core(const part_record_t *part)
{
	const node_record_t *node;
	bitoff_t first = -1;

	if (part && part->node_bitmap)
		first = bit_ffs(part->node_bitmap);
	if (first < 0 || !node_record_table_ptr[first])
		return 1;
	node = node_record_table_ptr[first];
	return node->tpc > 1 ? node->tpc : 1;
}
