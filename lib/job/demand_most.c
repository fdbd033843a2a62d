/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/whole.h"
#include "job/demand_most.h"

void eqt_node_most_add(struct eqt_node_most *most,
		       const struct eqt_bundle_table *prices, uint64_t cpus,
		       uint64_t mem_mib, const char *gres)
{
	const uint64_t gpus = eqt_gres_list_count(gres, "gpu", "");

	most->nodes++;
	eqt_whole_raise(&most->cpus, cpus);
	eqt_whole_raise(&most->mem_mib, mem_mib);
	eqt_whole_raise(&most->gpus, gpus);
	eqt_whole_raise(
		&most->disk,
		eqt_bundle_table_disk(
			eqt_gres_list_count(gres, prices->disk_gres, ""),
			prices->disk_shift));
	most->some_without |= gpus == 0;
}

/* Return the largest number of nodes of a request. If the request gives no number of
 * nodes, it gets at most as many nodes as it has tasks, GPUs or CPUs, because each node
 * has at least one of these. */
static uint64_t nodes_most(const struct eqt_job_spec *spec,
			   const struct eqt_job_totals *totals,
			   const struct eqt_node_most *most)
{
	uint64_t nodes = totals->nodes;

	eqt_whole_raise(&nodes, spec->max_nodes);
	if (spec->max_nodes == 0) {
		eqt_whole_raise(&nodes, totals->tasks);
		eqt_whole_raise(&nodes, totals->gpus);
		eqt_whole_raise(&nodes, spec->min_cpus);
	}
	return eqt_whole_min(nodes, most->nodes);
}

int eqt_demand_most(struct eqt_demand *out, const struct eqt_job_spec *spec,
		    const struct eqt_job_totals *totals,
		    const struct eqt_node_most *most)
{
	const uint64_t nodes = nodes_most(spec, totals, most);
	struct eqt_demand demand = { .cores = totals->demand.cores,
				     .mem_mib = totals->demand.mem_mib,
				     .disk = totals->demand.disk,
				     .nodes = nodes,
				     .gpus_untyped = totals->gpus };

	if (eqt_whole_raise_product(&demand.cores, most->cpus, nodes) < 0 ||
	    eqt_whole_raise_product(&demand.mem_mib, most->mem_mib, nodes) <
		    0 ||
	    eqt_whole_raise_product(&demand.disk, most->disk, nodes) < 0 ||
	    eqt_whole_raise_product(&demand.gpus_untyped, most->gpus, nodes) <
		    0)
		return -1;
	*out = demand;
	return 0;
}
