/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The priority of a simulated job, from the functions that the plugin uses in
 * slurmctld (prio/factors.h): equal inputs give equal priorities.
 */
#include "sim/queue.h"

/* Time limits are whole minutes in Slurm, rounded up. */
static double job_size_factor(const struct eqt_simulation_state *state,
			      const struct eqt_simulation_live *live)
{
	const struct eqt_simulation_policy *policy = state->policy;
	const struct eqt_simulation_job *job = &state->in->jobs[live->job];
	struct eqt_factor_size size = {
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

	return policy->weights.size ? eqt_factors_size(&size) : 0;
}

/* Slurm divides by the largest factor of all partitions, unless NO_NORMAL_PART is
 * set. */
static double job_partition_factor(const struct eqt_simulation_state *state,
				   uint32_t partition)
{
	const struct eqt_simulation_cluster *cluster = &state->in->cluster;
	uint32_t most = 1;

	if (state->policy->raw_partition)
		return cluster->partitions[partition].job_factor;
	for (uint32_t i = 0; i < cluster->partition_count; i++)
		if (cluster->partitions[i].job_factor > most)
			most = cluster->partitions[i].job_factor;
	return (double) cluster->partitions[partition].job_factor / most;
}

/* Divided by the largest Priority of all QOS, unless NO_NORMAL_QOS is set. */
static double job_qos_factor(const struct eqt_simulation_state *state,
			     const struct eqt_simulation_job *job)
{
	if (!state->policy->weights.qos || !job->qos)
		return 0;
	if (state->policy->raw_qos)
		return job->qos->priority;
	return eqt_factors_part(job->qos->priority,
				state->in->qos_priority_max);
}

/* Divided by the largest Priority of all associations, unless NO_NORMAL_ASSOC is
 * set. */
static double job_assoc_factor(const struct eqt_simulation_state *state,
			       const struct eqt_simulation_job *job)
{
	uint32_t priority;

	if (!state->policy->weights.assoc || !state->in->priorities)
		return 0;
	priority = state->in->priorities[job->user];
	if (state->policy->raw_assoc)
		return priority;
	return eqt_factors_part(priority, state->in->priority_max);
}

/* Sum over a job's TRES in Slurm's order, which decides the last bit. */
static double job_tres_points(const struct eqt_simulation_state *state,
			      const struct eqt_simulation_job *job)
{
	const struct eqt_simulation_tres *tres = &state->policy->tres;
	const struct eqt_simulation_all *all = &state->all[job->partition];
	const bool modelled = job->model != EQT_SIMULATION_NO_MODEL;
	const struct {
		uint64_t count, all;
		double weight;
	} parts[] = {
		{ job->all.cpus, all->of.cpus, tres->cpus },
		{ job->all.mem_mib, all->of.mem_mib, tres->mem_mib },
		{ job->nodes, all->nodes, tres->nodes },
		{ job->all.gpus, all->of.gpus, tres->gpus },
		{ modelled ? job->all.gpus : 0,
		  modelled ? all->model[job->model] : 0,
		  modelled ? state->model_weights[job->model] : 0 },
	};
	double sum = 0;

	for (size_t i = 0; tres->any && i < sizeof(parts) / sizeof(parts[0]);
	     i++)
		sum += eqt_factors_tres(parts[i].count, parts[i].all,
					state->policy->raw_tres, 0) *
		       parts[i].weight;
	return sum;
}

/* Points for waiting long in relation to the time limit; see expansion_weight in
 * equitree.conf(5). */
static double job_expansion_points(const struct eqt_simulation_state *state,
				   const struct eqt_simulation_job *job)
{
	const struct eqt_conf_priority *conf = &state->policy->priority;

	if (!conf->expansion_weight)
		return 0;
	return (double) conf->expansion_weight *
	       eqt_factors_expansion(
		       state->now, job->at, (job->limit_s + 59) / 60,
		       (double) conf->expansion_full_u / (double) EQT_MICRO);
}

/* All points of a waiting job. fairshare and access come from the last ranking. */
static double job_points_sum(const struct eqt_simulation_state *state,
			     const struct eqt_simulation_live *live,
			     double fairshare, double access)
{
	const struct eqt_simulation_policy *policy = state->policy;
	const struct eqt_simulation_job *job = &state->in->jobs[live->job];
	struct eqt_factors points = {
		.age = eqt_factors_age(state->now, job->at, policy->max_age_s),
		.assoc = job_assoc_factor(state, job),
		.qos = job_qos_factor(state, job),
		.fairshare = fairshare,
		.size = job_size_factor(state, live),
		.partition = job_partition_factor(state, job->partition),
		.site = eqt_factors_site(
			0, (double) policy->priority.access_weight * access,
			job_expansion_points(state, job)),
		.nice = job->nice,
	};

	eqt_factors_weigh(&points, &policy->weights);
	points.tres = job_tres_points(state, job);
	return eqt_factors_sum(&points);
}

uint32_t eqt_simulation_priority(const struct eqt_simulation_state *state,
				 const struct eqt_simulation_live *live)
{
	uint32_t user = state->in->jobs[live->job].user;
	bool by_job = state->policy->priority.order == EQT_ORDER_JOBS;
	double fairshare = by_job ? live->fairshare
				  : eqt_tree_fs_factor(state->tree, user);

	return eqt_factors_clamp(
		job_points_sum(state, live, fairshare, live->access) +
		live->bias);
}

/* Orders the jobs of one user, for whom fair share and access are the same. */
double eqt_simulation_rest(const struct eqt_simulation_state *state,
			   const struct eqt_simulation_live *live)
{
	return job_points_sum(state, live, 0, 0) + live->bias;
}

void eqt_simulation_likeness(struct eqt_simulation_likeness *out,
			     const struct eqt_simulation_state *state,
			     const struct eqt_simulation_live *live)
{
	const struct eqt_simulation_job *job = &state->in->jobs[live->job];
	const struct eqt_simulation_needs *needs = job->needs;
	const bool deferred = needs && (needs->begin || needs->after_count);

	*out = (struct eqt_simulation_likeness){
		.size = job_size_factor(state, live),
		.qos = job_qos_factor(state, job),
		.tres = job_tres_points(state, job),
		.bias = live->bias,
		.released = deferred ? job->at : 0,
		.user = job->user,
		.partition = job->partition,
		.nice = job->nice,
		.limit_s = state->policy->priority.expansion_weight
				   ? job->limit_s
				   : 0,
	};
}
