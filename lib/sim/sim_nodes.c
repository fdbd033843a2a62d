/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The free resources of nodes. A job takes the same amount, rounded up, on each of its
 * nodes. A spread job takes one CPU for each entry of a node in its list.
 */
#include <stdlib.h>
#include <string.h>

#include "base/whole.h"
#include "sim/sim_admission.h"
#include "sim/backfill_reservations.h"
#include "sim/sim_nodes.h"
#include "sim/shape.h"

/* This is a quick check, which is enough for most nodes of a full cluster. */
static bool node_has_cpus(const struct eqt_simulation_state *state,
			  uint32_t node,
			  const struct eqt_simulation_amount *each)
{
	return (int64_t) state->free[node].cpus >= (int64_t) each->cpus;
}

/* Is enough free on a node? A job with whole nodes needs all of it. */
static bool node_has_free(const struct eqt_simulation_state *state,
			  uint32_t node, const struct eqt_simulation_job *job,
			  const struct eqt_simulation_amount *each)
{
	const struct eqt_simulation_amount *has =
		&state->in->cluster.nodes[node].has;

	if (!eqt_shape_holds(&state->free[node], each))
		return false;
	return !job->needs || !job->needs->exclusive ||
	       eqt_shape_holds(&state->free[node], has);
}

static void amount_subtract(struct eqt_simulation_amount *from,
			    const struct eqt_simulation_amount *each)
{
	from->cpus -= each->cpus;
	from->mem_mib -= each->mem_mib;
	from->gpus -= each->gpus;
}

/* ---- Spread jobs ------------------------------------------------------------ */

/* Return a slot, which is the room for one CPU of a job with its memory. Slurm gives a
 * job without -N more nodes than its CPUs need, if the nodes have room for some of the
 * CPUs. */
static struct eqt_simulation_amount slot_of(
	const struct eqt_simulation_job *job)
{
	return (struct eqt_simulation_amount){
		.cpus = 1,
		.mem_mib = eqt_whole_divide_up(job->all.mem_mib, job->all.cpus),
	};
}

static bool job_spreads(const struct eqt_simulation_job *job)
{
	return job->spread && job->all.gpus == 0 &&
	       job->all.cpus <= EQT_SIMULATION_SLOTS_MAX &&
	       !(job->needs && job->needs->exclusive);
}

/* Return the number of free slots of a node, which must have at least one. */
static uint64_t slots_free(const struct eqt_simulation_amount *free,
			   const struct eqt_simulation_amount *slot)
{
	const uint64_t by_memory = slot->mem_mib ? free->mem_mib / slot->mem_mib
						 : free->cpus;

	return eqt_whole_min(free->cpus, by_memory);
}

/* Return the amount that a running job takes for each entry of a node in its list. */
static struct eqt_simulation_amount live_each(
	const struct eqt_simulation_state *state,
	const struct eqt_simulation_live *live, uint32_t node)
{
	const struct eqt_simulation_job *job =
		eqt_simulation_job_of(state, live);

	return live->slots ? slot_of(job) : eqt_shape_each_on(state, job, node);
}

static uint32_t live_entries(const struct eqt_simulation_state *state,
			     const struct eqt_simulation_live *live)
{
	return live->slots ? live->slots
			   : eqt_simulation_job_of(state, live)->nodes;
}

/* The cluster is empty here, so reservations do not count. */
bool eqt_sim_nodes_possible(struct eqt_simulation_state *state,
			    const struct eqt_simulation_job *job)
{
	const struct eqt_simulation_cluster *cluster = &state->in->cluster;
	struct eqt_simulation_amount each = eqt_shape_each(job);
	uint32_t found = 0;

	for (uint32_t i = 0; i < cluster->node_count && found < job->nodes; i++)
		found += eqt_shape_node_eligible(state, i, job) &&
			 eqt_shape_holds(&cluster->nodes[i].has, &each);
	return found == job->nodes;
}

/* Can the job use this amount of the node without delaying a reservation? */
static bool node_is_free(const struct eqt_simulation_state *state,
			 uint32_t node, const struct eqt_simulation_job *job,
			 const struct eqt_simulation_amount *each,
			 int64_t until)
{
	return node_has_free(state, node, job, each) &&
	       !(state->in->cluster.nodes[node].partitions & state->blocked) &&
	       eqt_backfill_reservations_allow(state, node, until,
					       eqt_shape_reservation_of(job));
}

/* A job in a reservation must run within the time of the reservation. */
static bool reservation_allows(const struct eqt_simulation_state *state,
			       const struct eqt_simulation_job *job,
			       int64_t until)
{
	const int i = eqt_shape_reservation_of(job);

	return i == EQT_SIMULATION_NO_RESERVATION ||
	       (state->in->reservations[i].from <= state->now &&
		state->in->reservations[i].to >= until);
}

/* This is a quick check, which is enough for most jobs on a full cluster. */
static bool partition_has_free(const struct eqt_simulation_state *state,
			       const struct eqt_simulation_job *job,
			       const struct eqt_simulation_amount *each)
{
	return (int64_t) state->free_cpus[job->partition] >=
	       (int64_t) (each->cpus * job->nodes);
}

/* Find slots for a job, beginning with the first nodes. */
static bool fit_spread(struct eqt_simulation_state *state,
		       const struct eqt_simulation_job *job, int64_t until)
{
	const struct eqt_simulation_amount slot = slot_of(job);
	const uint32_t wanted = (uint32_t) job->all.cpus;
	uint32_t found = 0;

	for (uint32_t i = 0;
	     i < state->in->cluster.node_count && found < wanted; i++) {
		uint64_t free;

		if (!node_has_cpus(state, i, &slot) ||
		    !eqt_shape_node_eligible(state, i, job) ||
		    !node_is_free(state, i, job, &slot, until))
			continue;
		free = slots_free(&state->free[i], &slot);
		while (free-- > 0 && found < wanted)
			state->picked[found++] = i;
	}
	state->picked_slots = wanted;
	return found == wanted;
}

bool eqt_sim_nodes_fit(struct eqt_simulation_state *state,
		       const struct eqt_simulation_job *job, int64_t until)
{
	const struct eqt_simulation_cluster *cluster = &state->in->cluster;
	struct eqt_simulation_amount each = eqt_shape_each(job);
	uint32_t found = 0;

	if (!partition_has_free(state, job, &each) ||
	    !reservation_allows(state, job, until))
		return false;
	for (uint32_t i = 0; i < cluster->node_count && found < job->nodes; i++)
		if (node_has_cpus(state, i, &each) &&
		    eqt_shape_node_eligible(state, i, job) &&
		    node_is_free(state, i, job, &each, until))
			state->picked[found++] = i;
	state->picked_slots = 0;
	return found == job->nodes ||
	       (job_spreads(job) && fit_spread(state, job, until));
}

/* Add CPUs of a node to the free CPUs of all its partitions, or subtract them. */
static void free_cpus_count(struct eqt_simulation_state *state, uint32_t node,
			    uint64_t cpus, bool more)
{
	uint64_t bits = state->in->cluster.nodes[node].partitions;

	for (; bits; bits &= bits - 1) {
		uint64_t *sum = &state->free_cpus[__builtin_ctzll(bits)];

		*sum = more ? *sum + cpus : *sum - cpus;
	}
}

int eqt_sim_nodes_take(struct eqt_simulation_state *state,
		       struct eqt_simulation_live *live)
{
	uint32_t entries;

	live->slots = state->picked_slots;
	entries = live_entries(state, live);
	live->nodes = malloc(entries * sizeof(*live->nodes));
	if (!live->nodes)
		return eqt_error_set(state->err, "out of memory");
	memcpy(live->nodes, state->picked, entries * sizeof(*live->nodes));
	for (uint32_t i = 0; i < entries; i++) {
		const struct eqt_simulation_amount each =
			live_each(state, live, live->nodes[i]);

		amount_subtract(&state->free[live->nodes[i]], &each);
		free_cpus_count(state, live->nodes[i], each.cpus, false);
		if (eqt_backfill_reservations_note_release(
			    state, live->nodes[i], live->limit_end, &each) < 0)
			return -1;
	}
	return 0;
}

/* Reservations are not changed, because the next backfill makes them from scratch. */
void eqt_sim_nodes_release(struct eqt_simulation_state *state,
			   struct eqt_simulation_live *live)
{
	const uint32_t entries = live_entries(state, live);

	for (uint32_t i = 0; i < entries; i++) {
		const struct eqt_simulation_amount each =
			live_each(state, live, live->nodes[i]);

		eqt_shape_add(&state->free[live->nodes[i]], &each);
		free_cpus_count(state, live->nodes[i], each.cpus, true);
		eqt_backfill_reservations_drop_release(state, live->nodes[i],
						       live->limit_end, &each);
	}
	free(live->nodes);
	live->nodes = NULL;
}

static bool spread_fits_now(const struct eqt_simulation_state *state,
			    const struct eqt_simulation_job *job)
{
	const struct eqt_simulation_amount slot = slot_of(job);
	uint64_t found = 0;

	for (uint32_t i = 0;
	     i < state->in->cluster.node_count && found < job->all.cpus; i++)
		if (eqt_shape_node_eligible(state, i, job) &&
		    node_has_free(state, i, job, &slot))
			found += slots_free(&state->free[i], &slot);
	return found >= job->all.cpus;
}

bool eqt_sim_nodes_fit_now(const struct eqt_simulation_state *state,
			   const struct eqt_simulation_job *job)
{
	const struct eqt_simulation_cluster *cluster = &state->in->cluster;
	struct eqt_simulation_amount each = eqt_shape_each(job);
	uint32_t found = 0;

	if (!partition_has_free(state, job, &each) ||
	    !reservation_allows(state, job, state->now + job->limit_s) ||
	    !eqt_sim_admission_within_limits(state, job))
		return false;
	for (uint32_t i = 0; i < cluster->node_count && found < job->nodes; i++)
		found += node_has_cpus(state, i, &each) &&
			 eqt_shape_node_eligible(state, i, job) &&
			 node_has_free(state, i, job, &each);
	return found == job->nodes ||
	       (job_spreads(job) && spread_fits_now(state, job));
}

/* ---- Names ------------------------------------------------------------------ */

int eqt_sim_nodes_partition(const struct eqt_simulation_cluster *cluster,
			    const char *name, size_t length)
{
	for (uint32_t i = 0; i < cluster->partition_count; i++)
		if (strlen(cluster->partitions[i].name) == length &&
		    memcmp(cluster->partitions[i].name, name, length) == 0)
			return (int) i;
	return -1;
}

int eqt_sim_nodes_partition_first(const struct eqt_simulation_cluster *cluster,
				  const char *list)
{
	size_t length;

	for (; *list != '\0'; list += length + (list[length] == ',')) {
		int found;

		length = strcspn(list, ",");
		found = eqt_sim_nodes_partition(cluster, list, length);
		if (found >= 0)
			return found;
	}
	return -1;
}

int16_t eqt_sim_nodes_model(const struct eqt_simulation_cluster *cluster,
			    const char *name)
{
	for (int i = 0; i < cluster->model_count; i++)
		if (strcmp(cluster->models[i], name) == 0)
			return (int16_t) i;
	return EQT_SIMULATION_NO_MODEL;
}
