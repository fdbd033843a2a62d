/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The part of an allocation on some of its nodes. Slurm stores an allocation by the
 * position of a node within it (n), and nodes by their index in slurmctld's table.
 */
#include <string.h>

#include "rate/held.h"

/* Call each for each node of the allocation that is in nodes, with its position n in
 * the allocation and its index in the table. */
static void held_each(const struct job_resources *allocated, bitstr_t *nodes,
		      void (*each)(const struct job_resources *allocated,
				   uint32_t n, bitoff_t node, void *arg),
		      void *arg)
{
	const bitoff_t last = bit_fls(allocated->node_bitmap);
	uint32_t n = 0;

	for (bitoff_t i = 0; i <= last && n < allocated->nhosts; i++) {
		if (!bit_test(allocated->node_bitmap, i))
			continue;
		if (bit_test(nodes, i))
			each(allocated, n, i, arg);
		n++;
	}
}

/* The first bit of the n-th node in the core bitmap, that is the number of cores of all
 * nodes before it. *width is set to the number of its cores. */
static bitoff_t held_first_core(const struct job_resources *allocated,
				uint32_t n, bitoff_t *width)
{
	bitoff_t first = 0;

	for (uint32_t i = 0; i < allocated->nhosts; i++) {
		const uint32_t alike = allocated->sock_core_rep_count[i];

		*width = (bitoff_t) allocated->sockets_per_node[i] *
			 allocated->cores_per_socket[i];
		if (n < alike)
			return first + n * *width;
		first += alike * *width;
		n -= alike;
	}
	*width = 0;
	return first;
}

static void held_add_cores(const struct job_resources *allocated, uint32_t n,
			   bitoff_t node, void *arg)
{
	const bitoff_t size = bit_size(allocated->core_bitmap);
	bitoff_t width, first = held_first_core(allocated, n, &width);
	uint64_t *cores = arg;

	(void) node;
	for (bitoff_t i = first; i < first + width && i < size; i++)
		*cores += (uint64_t) bit_test(allocated->core_bitmap, i);
}

uint64_t eqt_held_cores(const job_record_t *job, bitstr_t *nodes)
{
	uint64_t cores = 0;

	held_each(job->job_resrcs, nodes, held_add_cores, &cores);
	return cores;
}

/* Has this GRES of a job the name, "gpu" or "gpu:t4"? */
static bool held_gres_is(const gres_state_t *state, const char *name)
{
	const gres_job_state_t *gres = state->gres_data;
	const size_t length = strcspn(name, ":");

	if (!state->gres_name || strlen(state->gres_name) != length ||
	    strncmp(state->gres_name, name, length) != 0)
		return false;
	return name[length] == '\0' ||
	       (gres->type_name &&
		strcmp(gres->type_name, name + length + 1) == 0);
}

/* The sums over the nodes. */
struct held_sum {
	const job_record_t *job;
	uint64_t cpus, mem_mib, nodes;
	const char *gres; /* the name to count */
	uint64_t gres_count;
	bool gres_known; /* the job has a GRES of this name */
};

static void held_add_node(const struct job_resources *allocated, uint32_t n,
			  bitoff_t node, void *arg)
{
	struct held_sum *sum = arg;
	const job_details_t *details = sum->job->details;

	sum->nodes++;
	/* For a whole node Slurm allocates all CPUs, even threads that the job
	 * does not use. */
	if (details && eqt_slurm_shared(details) == 0 &&
	    node_record_table_ptr[node])
		sum->cpus += node_record_table_ptr[node]->cpus_efctv;
	else if (allocated->cpus)
		sum->cpus += allocated->cpus[n];
	if (allocated->memory_allocated)
		sum->mem_mib += allocated->memory_allocated[n];
}

static void held_add_gres(const struct job_resources *allocated, uint32_t n,
			  bitoff_t node, void *arg)
{
	struct held_sum *sum = arg;
	list_itr_t *iterator;
	gres_state_t *state;

	(void) allocated;
	(void) node;
	iterator = list_iterator_create(sum->job->gres_list_alloc);
	while ((state = list_next(iterator))) {
		const gres_job_state_t *gres = state->gres_data;

		if (!held_gres_is(state, sum->gres) || n >= gres->node_cnt ||
		    !gres->gres_cnt_node_alloc)
			continue;
		sum->gres_known = true;
		sum->gres_count += gres->gres_cnt_node_alloc[n];
	}
	list_iterator_destroy(iterator);
}

static uint64_t held_least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

void eqt_held_counts(uint64_t *counts, uint32_t size, const job_record_t *job,
		     bitstr_t *nodes)
{
	struct held_sum sum = { .job = job };

	memcpy(counts, job->tres_alloc_cnt, size * sizeof(*counts));
	if (!job->job_resrcs || !job->job_resrcs->node_bitmap)
		return;
	held_each(job->job_resrcs, nodes, held_add_node, &sum);
	counts[TRES_ARRAY_CPU] = held_least(counts[TRES_ARRAY_CPU], sum.cpus);
	counts[TRES_ARRAY_MEM] =
		held_least(counts[TRES_ARRAY_MEM], sum.mem_mib);
	counts[TRES_ARRAY_NODE] =
		held_least(counts[TRES_ARRAY_NODE], sum.nodes);
	for (uint32_t i = 0; job->gres_list_alloc && i < size; i++) {
		const slurmdb_tres_rec_t *tres = assoc_mgr_tres_array[i];

		if (!counts[i] || counts[i] == NO_CONSUME_VAL64 ||
		    !tres->type || strcmp(tres->type, "gres") != 0 ||
		    !tres->name)
			continue;
		sum.gres = tres->name;
		sum.gres_count = 0;
		sum.gres_known = false;
		held_each(job->job_resrcs, nodes, held_add_gres, &sum);
		/* A TRES with a type may have no such GRES record in the job;
		 * then the whole count stays. */
		if (sum.gres_known)
			counts[i] = held_least(counts[i], sum.gres_count);
	}
}
