/* SPDX-License-Identifier: GPL-2.0-or-later */
/* All amounts are for one node. A job takes the same amount, rounded up, on each of its
 * nodes, or it takes whole nodes. */
#include "base/whole.h"
#include "sim/shape.h"

struct eqt_simulation_amount eqt_shape_each(
	const struct eqt_simulation_job *job)
{
	return (struct eqt_simulation_amount){
		.cpus = eqt_whole_divide_up(job->all.cpus, job->nodes),
		.mem_mib = eqt_whole_divide_up(job->all.mem_mib, job->nodes),
		.gpus = eqt_whole_divide_up(job->all.gpus, job->nodes),
	};
}

struct eqt_simulation_amount eqt_shape_each_on(
	const struct eqt_simulation_state *state,
	const struct eqt_simulation_job *job, uint32_t node)
{
	return job->needs && job->needs->exclusive
		       ? state->in->cluster.nodes[node].has
		       : eqt_shape_each(job);
}

void eqt_shape_add(struct eqt_simulation_amount *to,
		   const struct eqt_simulation_amount *each)
{
	to->cpus += each->cpus;
	to->mem_mib += each->mem_mib;
	to->gpus += each->gpus;
}

int eqt_shape_reservation_of(const struct eqt_simulation_job *job)
{
	return job->needs ? job->needs->reservation - 1
			  : EQT_SIMULATION_NO_RESERVATION;
}

bool eqt_shape_holds(const struct eqt_simulation_amount *has,
		     const struct eqt_simulation_amount *each)
{
	return (int64_t) has->cpus >= (int64_t) each->cpus &&
	       (int64_t) has->mem_mib >= (int64_t) each->mem_mib &&
	       (int64_t) has->gpus >= (int64_t) each->gpus;
}

bool eqt_shape_node_eligible(const struct eqt_simulation_state *state,
			     uint32_t i, const struct eqt_simulation_job *job)
{
	const struct eqt_simulation_node *node = &state->in->cluster.nodes[i];

	return (node->partitions >> job->partition & 1) &&
	       (!job->all.gpus || job->model == EQT_SIMULATION_NO_MODEL ||
		job->model == node->model) &&
	       (!job->needs || !job->needs->nodes ||
		(job->needs->nodes[i / 64] >> (i % 64) & 1));
}

bool eqt_shape_is_same(const struct eqt_simulation_job *a,
		       const struct eqt_simulation_job *b)
{
	if (a->needs != b->needs &&
	    ((a->needs ? a->needs->nodes : NULL) !=
		     (b->needs ? b->needs->nodes : NULL) ||
	     (a->needs && a->needs->exclusive) !=
		     (b->needs && b->needs->exclusive) ||
	     eqt_shape_reservation_of(a) != eqt_shape_reservation_of(b)))
		return false;
	return a->nodes == b->nodes && a->spread == b->spread &&
	       a->all.cpus == b->all.cpus && a->all.mem_mib == b->all.mem_mib &&
	       a->all.gpus == b->all.gpus && a->model == b->model &&
	       a->partition == b->partition;
}
