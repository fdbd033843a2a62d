/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Free resources of nodes, and reservations for waiting jobs. Amounts are per node: a
 * job takes the same amount, rounded up, on each of its nodes.
 */
#include <stdlib.h>
#include <string.h>

#include "sim/simulation_impl.h"

/* A job's amount on one node, rounded up: Slurm too gives the same on each node. */
static uint64_t amount_each(uint64_t all, uint64_t nodes)
{
	return all / nodes + (all % nodes != 0);
}

struct eqt_simulation_amount eqt_simulation_each(
	const struct eqt_simulation_job *job)
{
	return (struct eqt_simulation_amount){
		.cpus = amount_each(job->all.cpus, job->nodes),
		.mem_mib = amount_each(job->all.mem_mib, job->nodes),
		.gpus = amount_each(job->all.gpus, job->nodes),
	};
}

/* Is there enough of each resource? */
static bool amount_holds(const struct eqt_simulation_amount *has,
			 const struct eqt_simulation_amount *each)
{
	return has->cpus >= each->cpus && has->mem_mib >= each->mem_mib &&
	       has->gpus >= each->gpus;
}

static void amount_add(struct eqt_simulation_amount *to,
		       const struct eqt_simulation_amount *each)
{
	to->cpus += each->cpus;
	to->mem_mib += each->mem_mib;
	to->gpus += each->gpus;
}

/* The caller has checked with amount_holds() that nothing goes below 0. */
static void amount_subtract(struct eqt_simulation_amount *from,
			    const struct eqt_simulation_amount *each)
{
	from->cpus -= each->cpus;
	from->mem_mib -= each->mem_mib;
	from->gpus -= each->gpus;
}

/* Is the node in the job's partition, with the right GPU model? */
static bool node_is_eligible(const struct eqt_simulation_node *node,
			     const struct eqt_simulation_job *job)
{
	return (node->partitions >> job->partition & 1) &&
	       (!job->all.gpus || job->model == EQT_SIMULATION_NO_MODEL ||
		job->model == node->model);
}

/* Reservations do not matter here: the cluster is empty. */
bool eqt_simulation_possible(struct eqt_simulation_state *state,
			     const struct eqt_simulation_job *job)
{
	const struct eqt_simulation_cluster *cluster = &state->in->cluster;
	struct eqt_simulation_amount each = eqt_simulation_each(job);
	uint32_t found = 0;

	for (uint32_t i = 0; i < cluster->node_count && found < job->nodes; i++)
		found += node_is_eligible(&cluster->nodes[i], job) &&
			 amount_holds(&cluster->nodes[i].has, &each);
	return found == job->nodes;
}

/* Can the job use this much of the node without delaying a reservation? */
static bool node_is_free(const struct eqt_simulation_state *state,
			 uint32_t node,
			 const struct eqt_simulation_amount *each,
			 int64_t until)
{
	const struct eqt_simulation_held *held = &state->held[node];

	return amount_holds(&state->free[node], each) &&
	       !(state->in->cluster.nodes[node].partitions & state->blocked) &&
	       (until <= held->from || amount_holds(&held->spare, each));
}

bool eqt_simulation_fit(struct eqt_simulation_state *state,
			const struct eqt_simulation_job *job, int64_t until)
{
	const struct eqt_simulation_cluster *cluster = &state->in->cluster;
	struct eqt_simulation_amount each = eqt_simulation_each(job);
	uint32_t found = 0;

	/* On a full cluster this answers for most jobs without a loop over all
	 * nodes. */
	if (state->free_cpus[job->partition] < each.cpus * job->nodes)
		return false;
	for (uint32_t i = 0; i < cluster->node_count && found < job->nodes; i++)
		if (node_is_eligible(&cluster->nodes[i], job) &&
		    node_is_free(state, i, &each, until))
			state->picked[found++] = i;
	return found == job->nodes;
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

int eqt_simulation_take(struct eqt_simulation_state *state,
			struct eqt_simulation_live *live)
{
	const struct eqt_simulation_job *job = &state->in->jobs[live->job];
	struct eqt_simulation_amount each = eqt_simulation_each(job);

	live->nodes = malloc(job->nodes * sizeof(*live->nodes));
	if (!live->nodes)
		return eqt_error_set(state->err, "out of memory");
	memcpy(live->nodes, state->picked, job->nodes * sizeof(*live->nodes));
	for (uint32_t i = 0; i < job->nodes; i++) {
		struct eqt_simulation_held *held = &state->held[live->nodes[i]];

		amount_subtract(&state->free[live->nodes[i]], &each);
		free_cpus_count(state, live->nodes[i], each.cpus, false);
		/* It will still run when the reservation begins. */
		if (held->from != EQT_SIMULATION_FAR &&
		    live->limit_end > held->from)
			amount_subtract(&held->spare, &each);
	}
	return 0;
}

/* Reservations are made again by the next scheduling, so they stay as they are. */
void eqt_simulation_release(struct eqt_simulation_state *state,
			    struct eqt_simulation_live *live)
{
	const struct eqt_simulation_job *job = &state->in->jobs[live->job];
	struct eqt_simulation_amount each = eqt_simulation_each(job);

	for (uint32_t i = 0; i < job->nodes; i++) {
		amount_add(&state->free[live->nodes[i]], &each);
		free_cpus_count(state, live->nodes[i], each.cpus, true);
	}
	free(live->nodes);
	live->nodes = NULL;
}

void eqt_simulation_hold_none(struct eqt_simulation_state *state)
{
	for (uint32_t i = 0; i < state->in->cluster.node_count; i++)
		state->held[i].from = EQT_SIMULATION_FAR;
}

/* Is the node unreserved, and does it fit with the amounts in state->later? */
static bool node_will_do(const struct eqt_simulation_state *state,
			 uint32_t node, const struct eqt_simulation_job *job,
			 const struct eqt_simulation_amount *each)
{
	return node_is_eligible(&state->in->cluster.nodes[node], job) &&
	       state->held[node].from == EQT_SIMULATION_FAR &&
	       amount_holds(&state->later[node], each);
}

/* Let a running job end in state->later; returns how many more nodes then fit. */
static uint32_t later_release(struct eqt_simulation_state *state, uint32_t slot,
			      const struct eqt_simulation_job *job,
			      const struct eqt_simulation_amount *each)
{
	const struct eqt_simulation_live *live = &state->live[slot];
	const struct eqt_simulation_job *runs = &state->in->jobs[live->job];
	struct eqt_simulation_amount gone = eqt_simulation_each(runs);
	uint32_t more = 0;

	for (uint32_t i = 0; i < runs->nodes; i++) {
		uint32_t node = live->nodes[i];
		bool did = node_will_do(state, node, job, each);

		amount_add(&state->later[node], &gone);
		more += !did && node_will_do(state, node, job, each);
	}
	return more;
}

/* Reserve the first nodes that fit. The resources beyond the job's stay usable by
 * others (spare). */
static void nodes_hold_from(struct eqt_simulation_state *state,
			    const struct eqt_simulation_job *job, int64_t from)
{
	struct eqt_simulation_amount each = eqt_simulation_each(job);
	uint32_t left = job->nodes;

	for (uint32_t i = 0; i < state->in->cluster.node_count && left; i++) {
		if (!node_will_do(state, i, job, &each))
			continue;
		state->held[i] = (struct eqt_simulation_held){
			.from = from,
			.spare = state->later[i],
		};
		amount_subtract(&state->held[i].spare, &each);
		left--;
	}
}

void eqt_simulation_hold(struct eqt_simulation_state *state,
			 const struct eqt_simulation_job *job)
{
	const struct eqt_events *limits = &state->limits;
	struct eqt_simulation_amount each = eqt_simulation_each(job);
	int64_t from = state->now;
	uint32_t found = 0;

	memcpy(state->later, state->free,
	       state->in->cluster.node_count * sizeof(*state->later));
	for (uint32_t i = 0; i < state->in->cluster.node_count; i++)
		found += node_will_do(state, i, job, &each);
	/* Let running jobs end one by one, as their limits say, until enough
	 * nodes fit. The last entry of the list is the next to end. */
	for (size_t i = limits->count; i > 0 && found < job->nodes; i--) {
		from = -limits->entries[i - 1].key;
		found += later_release(state, limits->entries[i - 1].slot, job,
				       &each);
	}
	if (found >= job->nodes)
		nodes_hold_from(state, job, from);
}
