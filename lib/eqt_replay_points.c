/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "eqt_replay_impl.h"

static double size_factor(const struct eqt_replay_state *state,
			  const struct eqt_replay_live *live)
{
	const struct eqt_replay_policy *policy = state->policy;
	const struct eqt_replay_job *job = &state->in->jobs[live->job];
	struct eqt_size size = {
		.cpus = (uint32_t) job->all.cpus,
		.nodes = job->nodes,
		.time_limit_min = (job->limit_s + 59) / 60,
		.cluster_cpus = (uint32_t) state->total.cpus,
		.cluster_nodes = state->in->cluster.node_count,
		.favor_small = policy->favor_small,
		.relative_to_time = policy->relative_to_time,
		.by_equivalents = policy->priority.size_by ==
				  EQT_SIZE_BY_EQUIVALENTS,
		.equivalents = live->size,
		.cluster_equivalents = state->cluster_size[live->gpu_pool],
	};

	return policy->weights.size ? eqt_prio_size(&size) : 0;
}

static double partition_factor(const struct eqt_replay_state *state,
			       uint32_t partition)
{
	const struct eqt_replay_cluster *cluster = &state->in->cluster;
	uint32_t most = 1;

	if (state->policy->raw_partition)
		return cluster->partitions[partition].job_factor;
	for (uint32_t i = 0; i < cluster->partition_count; i++)
		if (cluster->partitions[i].job_factor > most)
			most = cluster->partitions[i].job_factor;
	return (double) cluster->partitions[partition].job_factor / most;
}

static double expansion_points(const struct eqt_replay_state *state,
			       const struct eqt_replay_job *job)
{
	const struct eqt_conf_priority *conf = &state->policy->priority;

	if (!conf->expansion_weight)
		return 0;
	return (double) conf->expansion_weight *
	       eqt_prio_expansion(state->now, job->at, (job->limit_s + 59) / 60,
				  (double) conf->expansion_full_u /
					  (double) EQT_MICRO);
}

static double sum_of(const struct eqt_replay_state *state,
		     const struct eqt_replay_live *live, double fairshare,
		     double access)
{
	const struct eqt_replay_policy *policy = state->policy;
	const struct eqt_replay_job *job = &state->in->jobs[live->job];
	struct eqt_points points = {
		.age = eqt_prio_age(state->now, job->at, policy->max_age_s),
		.fairshare = fairshare,
		.size = size_factor(state, live),
		.partition = partition_factor(state, job->partition),
		.site = eqt_prio_site(
			0, (double) policy->priority.access_weight * access,
			expansion_points(state, job)),
		.nice = job->nice,
	};

	eqt_prio_weigh(&points, &policy->weights);
	return eqt_prio_sum(&points);
}

uint32_t eqt_replay_priority(const struct eqt_replay_state *state,
			     const struct eqt_replay_live *live)
{
	uint32_t user = state->in->jobs[live->job].user;
	bool by_job = state->policy->priority.order == EQT_ORDER_JOBS;
	double fairshare = by_job ? live->fairshare
				  : eqt_tree_node(state->tree, user).fs_factor;

	return eqt_prio_clamp(sum_of(state, live, fairshare, live->access));
}

double eqt_replay_rest(const struct eqt_replay_state *state,
		       const struct eqt_replay_live *live)
{
	return sum_of(state, live, 0, 0);
}

void eqt_replay_order(struct eqt_replay_state *state)
{
	for (uint32_t p = 0; p < state->in->cluster.partition_count; p++) {
		struct eqt_replay_list *list = &state->waiting[p];

		for (size_t i = 0; i < list->count; i++)
			list->entries[i].key = -(int64_t) eqt_replay_priority(
				state, &state->live[list->entries[i].slot]);
		eqt_replay_list_sort(list);
	}
}
