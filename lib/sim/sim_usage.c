/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The price, the usage and the ranks of simulated jobs. They are computed by the
 * functions that the plugins use in slurmctld: price/, prio/decay.h, tree/ and
 * prio/job_order.h.
 */
#include <string.h>

#include "base/array.h"
#include "price/allocation.h"
#include "prio/decay.h"
#include "sim/shape.h"
#include "sim/queue.h"

/* ---- Priorities ---------------------------------------------------------------------
 * The priority of a simulated job. It is computed by the functions that the plugin uses
 * in slurmctld (prio/factors.h), so that equal inputs give equal priorities. */

/* Slurm's time limits are whole minutes, rounded up. */
static double job_size_factor(const struct eqt_simulation_state *state,
			      const struct eqt_simulation_live *live)
{
	const struct eqt_simulation_policy *policy = state->policy;
	const struct eqt_simulation_job *job =
		eqt_simulation_job_of(state, live);
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

/* As in Slurm, the factor is divided by the largest one of all partitions, unless
 * NO_NORMAL_PART is set. */
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

/* The factor is divided by the largest Priority of all QOS, unless NO_NORMAL_QOS is
 * set. */
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

/* The factor is divided by the largest Priority of all associations, unless
 * NO_NORMAL_ASSOC is set. */
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

/* Add up the TRES of a job in Slurm's order, which decides the last bit. */
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

/* Return the points for a long wait in relation to the time limit. See expansion_weight
 * in equitree.conf(5). */
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

/* Return the sum of all points of a waiting job. fairshare and access come from the
 * last ranking. */
static double job_points_sum(const struct eqt_simulation_state *state,
			     const struct eqt_simulation_live *live,
			     double fairshare, double access)
{
	const struct eqt_simulation_policy *policy = state->policy;
	const struct eqt_simulation_job *job =
		eqt_simulation_job_of(state, live);
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

uint32_t eqt_sim_usage_priority(const struct eqt_simulation_state *state,
				const struct eqt_simulation_live *live)
{
	uint32_t user = eqt_simulation_job_of(state, live)->user;
	bool by_job = state->policy->priority.order == EQT_ORDER_JOBS;
	double fairshare = by_job ? live->fairshare
				  : eqt_tree_fs_factor(state->tree, user);

	return eqt_factors_clamp(
		job_points_sum(state, live, fairshare, live->access) +
		live->bias);
}

/* Return the priority without fair share and access. */
static double simulation_rest(const struct eqt_simulation_state *state,
			      const struct eqt_simulation_live *live)
{
	return job_points_sum(state, live, 0, 0) + live->bias;
}

void eqt_sim_usage_likeness(struct eqt_simulation_likeness *out,
			    const struct eqt_simulation_state *state,
			    const struct eqt_simulation_live *live)
{
	const struct eqt_simulation_job *job =
		eqt_simulation_job_of(state, live);
	const struct eqt_simulation_needs *needs = job->needs;
	const bool deferred = live->late ||
			      (needs && (needs->begin || needs->after_count));

	*out = (struct eqt_simulation_likeness){
		.size = job_size_factor(state, live),
		.qos = job_qos_factor(state, job),
		.tres = job_tres_points(state, job),
		.bias = live->bias,
		.kind = needs && needs->use_count ? live->kind + 1 : 0,
		.released = deferred ? job->at : 0,
		.user = job->user,
		.partition = job->partition,
		.nice = job->nice,
		.limit_s = state->policy->priority.expansion_weight
				   ? job->limit_s
				   : 0,
	};
}

/* ---- Prices ---------------------------------------------------------------- */

/* Return the bundle of a GPU model such as "gpu:p100", or -1 if there is none. */
static int model_bundle(const struct eqt_bundle_table *prices,
			const char *model)
{
	const char *colon = strchr(model, ':');
	const size_t length = strcspn(model, ":");
	char gres[EQT_NAME_SIZE] = { 0 };

	/* No bundle has a longer name. */
	if (length < sizeof(gres))
		memcpy(gres, model, length);
	return eqt_bundle_table_find(prices, gres, colon ? colon + 1 : NULL);
}

/* As in slurmctld, GPUs of a model that no bundle prices are not counted. */
static void held_add_gpus(struct eqt_allocation *held,
			  const struct eqt_bundle_table *prices,
			  const struct eqt_simulation_cluster *cluster,
			  int model, uint64_t gpus)
{
	const bool any = model == EQT_SIMULATION_NO_MODEL;
	const int bundle = any ? -1
			       : model_bundle(prices, cluster->models[model]);

	if (any || bundle >= 0)
		held->gpus += gpus;
	if (bundle >= 0)
		(void) eqt_allocation_add_gpus(held, (uint32_t) bundle, gpus);
}

/* The job has no nodes yet, so GPUs without a model could have several prices. As in
 * slurmctld, the highest one is charged. */
int eqt_sim_usage_job_price(struct eqt_price *out, const struct eqt_conf *conf,
			    const struct eqt_simulation_cluster *cluster,
			    const struct eqt_simulation_job *job,
			    struct eqt_error *err)
{
	const struct eqt_simulation_partition *partition =
		&cluster->partitions[job->partition];
	struct eqt_allocation held = { .cpus = job->all.cpus,
				       .threads = partition->threads,
				       .demand.mem_mib = job->all.mem_mib,
				       .demand.nodes = job->nodes };
	struct eqt_bundle_table prices;

	held_add_gpus(&held, &conf->prices, cluster, job->model, job->all.gpus);
	eqt_conf_prices(&prices, conf, partition->name,
			job->qos ? job->qos->name : NULL);
	return eqt_rules_price(out, &prices,
			       eqt_allocation_demand(&held, &prices), err);
}

static int job_price(struct eqt_simulation_state *state,
		     struct eqt_simulation_live *live)
{
	const struct eqt_simulation_job *job =
		eqt_simulation_job_of(state, live);
	struct eqt_price price;
	struct eqt_error why;

	if (eqt_sim_usage_job_price(&price, state->policy->conf,
				    &state->in->cluster, job, &why) < 0)
		return eqt_error_set(state->err, "job %u: %s", job->id,
				     why.text);
	live->rate = eqt_frac_double(price.charge);
	live->size = eqt_frac_double(price.equivalents);
	live->gpu_pool = price.gpu_pool;
	return 0;
}

/* Jobs come in bursts, so a job of the same shape as the last one gets its price
 * without computing it again. */
int eqt_sim_usage_price(struct eqt_simulation_state *state,
			struct eqt_simulation_live *live)
{
	const struct eqt_simulation_job *job =
		eqt_simulation_job_of(state, live);
	const struct eqt_simulation_live *last = &state->live[state->priced];
	const struct eqt_simulation_job *before =
		eqt_simulation_job_of(state, last);

	if (last != live && last->used && before->qos == job->qos &&
	    eqt_shape_is_same(before, job)) {
		live->rate = last->rate;
		live->size = last->size;
		live->gpu_pool = last->gpu_pool;
		return 0;
	}
	state->priced = (uint32_t) (live - state->live);
	return job_price(state, live);
}

/* Return the highest price of a demand without minimum and rounding, which is used for
 * the size of the whole cluster. Return 0 if it has no price. */
static double demand_equivalents(const struct eqt_simulation_state *state,
				 const struct eqt_demand *demand)
{
	struct eqt_bundle_table prices = state->policy->conf->prices;
	struct eqt_price low, price;
	struct eqt_error err;

	prices.minimum_u = prices.round_unit = 0;
	if (eqt_price_range(&low, &price, &prices, demand, &err) < 0)
		return 0;
	return eqt_frac_double(price.equivalents);
}

void eqt_sim_usage_size_cluster(struct eqt_simulation_state *state)
{
	const struct eqt_simulation_cluster *cluster = &state->in->cluster;
	struct eqt_demand cores = { .cores = state->total.cpus,
				    .mem_mib = state->total.mem_mib,
				    .nodes = cluster->node_count };
	struct eqt_allocation gpus = { .demand.placed = true };

	for (uint32_t i = 0; i < cluster->node_count; i++)
		held_add_gpus(&gpus, &state->policy->conf->prices, cluster,
			      cluster->nodes[i].model,
			      cluster->nodes[i].has.gpus);
	state->cluster_size[false] = demand_equivalents(state, &cores);
	state->cluster_size[true] = demand_equivalents(
		state,
		eqt_allocation_demand(&gpus, &state->policy->conf->prices));
}

/* ---- Usage ----------------------------------------------------------------- */

/* Return the seconds from `from` to `to`, each multiplied by its factor for the time of
 * the week. They are decayed to the last pass, which is the reference time of all
 * usage. */
static long double decayed_seconds(const struct eqt_simulation_state *state,
				   int64_t from, int64_t to)
{
	const struct eqt_week *week = &state->policy->conf->week;
	struct eqt_week_piece piece =
		eqt_week_first(week, (time_t) from, (time_t) to);
	uint32_t half_life_s = state->policy->half_life_s;
	long double seconds = 0;

	do
		seconds += eqt_week_factor(piece.factor_u) *
			   (state->policy->stock.decay
				    ? (long double) eqt_decay_stock_seconds(
					      half_life_s,
					      (double) (piece.to - piece.from))
				    : eqt_decay_seconds(half_life_s, piece.from,
							piece.to,
							state->last_pass));
	while (eqt_week_next(week, &piece, (time_t) to));
	return seconds;
}

/* Add usage to the job's user and all accounts above, as slurmctld does. */
static void usage_book(struct eqt_simulation_state *state,
		       struct eqt_simulation_live *live, long double seconds,
		       int64_t to)
{
	const struct eqt_simulation_job *job =
		eqt_simulation_job_of(state, live);
	long double usage = seconds * (long double) live->rate;
	uint32_t node = job->user;

	if (job->qos)
		usage *= (long double) job->qos->usage_factor;
	for (; node != EQT_TREE_NONE; node = state->in->tree[node].parent)
		state->usage[node] += usage;
	live->charged = to;
}

/* live->charged makes sure that no second is charged twice. */
void eqt_sim_usage_charge(struct eqt_simulation_state *state,
			  struct eqt_simulation_live *live, int64_t to)
{
	if (to > live->charged)
		usage_book(state, live,
			   decayed_seconds(state, live->charged, to), to);
}

void eqt_sim_usage_charge_all(struct eqt_simulation_state *state)
{
	const uint32_t half_life_s = state->policy->half_life_s;
	const int64_t before = state->last_pass, now = state->now;
	const double passed_s = (double) (now - before);
	long double factor = state->policy->stock.decay
				     ? (long double) eqt_decay_stock_factor(
					       half_life_s, passed_s)
				     : eqt_decay_factor(half_life_s, passed_s);
	long double period_s;

	for (uint32_t i = 0; i < state->in->tree_count; i++)
		state->usage[i] *= factor;
	state->last_pass = now;
	/* Most jobs ran through the whole period, so its seconds are computed once. */
	period_s = decayed_seconds(state, before, now);
	for (size_t i = 0; i < state->ends.count; i++) {
		struct eqt_simulation_live *live =
			&state->live[state->ends.entries[i].slot];

		if (live->charged == before)
			usage_book(state, live, period_s, now);
		else
			eqt_sim_usage_charge(state, live, now);
	}
}

/* ---- Ranks ----------------------------------------------------------------- */

/* Does a ranking with these settings need the waiting jobs? */
static bool order_needs_waiting(const struct eqt_conf_priority *conf)
{
	return conf->access_weight || conf->order == EQT_ORDER_JOBS ||
	       !conf->idle_shares;
}

/* Does a ranking with these settings need the running jobs? If not, no jobs are
 * copied. */
static bool order_needs_running(const struct eqt_conf_priority *conf)
{
	return order_needs_waiting(conf) || conf->allocated_now ||
	       conf->rank_by == EQT_RANK_BY_ALLOCATED;
}

/* Return a copy of a job for the ranking. assoc_id is the slot, by which
 * queue_keep_factors() finds the job again. */
static struct eqt_ordered_job queued_job(
	const struct eqt_simulation_state *state, uint32_t slot)
{
	const struct eqt_simulation_live *live = &state->live[slot];
	const struct eqt_simulation_job *job =
		eqt_simulation_job_of(state, live);
	bool by_user = state->policy->priority.access_scope == EQT_SCOPE_USER;

	return (struct eqt_ordered_job){
		.job_id = live->job,
		.assoc_id = slot,
		.node = job->user,
		.queue = job->partition,
		.owner = by_user ? job->person
				 : state->in->tree[job->user].parent,
		.running = live->running,
		.eligible = true,
		.equivalents = live->rate,
		.rest = live->running ? 0 : simulation_rest(state, live),
	};
}

/* Copy the live jobs that the ranking needs. Return their number. */
static size_t queue_fill(struct eqt_simulation_state *state)
{
	const struct eqt_conf_priority *conf = &state->policy->priority;
	size_t count = 0;

	if (!order_needs_running(conf))
		return 0;
	for (uint32_t i = 0; i < state->live_space; i++) {
		struct eqt_simulation_live *live = &state->live[i];

		if (!live->used ||
		    (!live->running && !order_needs_waiting(conf)))
			continue;
		state->queued[count++] = queued_job(state, i);
		live->ranked_running = live->running;
	}
	return count;
}

/* Copy the results back, by the slot in each copy. */
static void queue_keep_factors(struct eqt_simulation_state *state, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct eqt_ordered_job *queued = &state->queued[i];
		struct eqt_simulation_live *live =
			&state->live[queued->assoc_id];

		live->fairshare = queued->fairshare;
		live->access = queued->access;
	}
}

int eqt_sim_usage_rank(struct eqt_simulation_state *state)
{
	const struct eqt_conf_priority *conf = &state->policy->priority;
	size_t count;

	if (EQT_ARRAY_RESERVE(state->queued, state->queued_space,
			      state->live_count) < 0)
		return eqt_error_set(state->err, "out of memory");
	count = queue_fill(state);
	for (uint32_t i = 0; i < state->in->tree_count; i++)
		eqt_tree_usage_set(state->tree, i, state->usage[i]);
	eqt_job_order_rank(state->queued, count, state->tree, conf,
			   state->policy->stock.ties ? EQT_TREE_STOCK
						     : EQT_TREE_DOCUMENTED);
	if ((conf->access_weight || conf->order == EQT_ORDER_JOBS) &&
	    eqt_job_order_by_line(&state->order, state->queued, count) < 0)
		return eqt_error_set(state->err, "out of memory");
	if (conf->order == EQT_ORDER_JOBS &&
	    eqt_job_order_place(&state->order, state->tree,
				eqt_job_order_horizon_s(conf)) < 0)
		return eqt_error_set(state->err, "out of memory");
	if (conf->access_weight)
		eqt_job_order_access(&state->order);
	queue_keep_factors(state, count);
	state->last_rank = state->now;
	return 0;
}

void eqt_sim_usage_note_end(struct eqt_simulation_state *state,
			    const struct eqt_simulation_live *live)
{
	if (live->ranked_running &&
	    state->policy->priority.order == EQT_ORDER_JOBS)
		eqt_job_order_end(state->tree,
				  eqt_simulation_job_of(state, live)->user,
				  live->rate);
}
