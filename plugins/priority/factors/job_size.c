/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The job-size factor. prio/factors.c has the rules for CPUs and nodes. This
 * file finds the sizes of the job and of the cluster. */
#include "rate/job_rate.h"
#include "factors/job_size.h"

/* All cores, memory and local disk of the cluster. assoc_mgr's TRES lock is
 * held. */
static struct eqt_demand cluster_cores(const struct eqt_config *config)
{
	struct eqt_demand demand = {
		.cores = assoc_mgr_tres_array[TRES_ARRAY_CPU]->count,
		.mem_mib = assoc_mgr_tres_array[TRES_ARRAY_MEM]->count,
		.nodes = assoc_mgr_tres_array[TRES_ARRAY_NODE]->count,
	};

	if (config->disk_tres < config->tres_count)
		demand.disk = eqt_bundle_table_disk(
			assoc_mgr_tres_array[config->disk_tres]->count,
			config->conf->prices.disk_shift);
	return demand;
}

/* All GPUs of the cluster without cores and memory, because a cluster has more
 * cores and memory than the bundles of its GPUs contain. assoc_mgr's TRES lock
 * is held. */
static struct eqt_demand cluster_gpus(const struct eqt_config *config)
{
	struct eqt_demand demand = { .placed = true };
	uint64_t all = 0, typed = 0;

	for (uint32_t i = 0; i < config->gpu_tres_count; i++) {
		const struct eqt_gpu_tres *gpu = &config->gpu_tres[i];
		uint64_t count = assoc_mgr_tres_array[gpu->tres]->count;

		if (gpu->all) {
			all += count;
		} else {
			demand.gpus[gpu->model] += count;
			typed += count;
		}
	}
	if (all > typed && config->conf->prices.gpu_count)
		demand.gpus_untyped = all - typed;
	return demand;
}

/* The price of a job that has the whole cluster, without the rules of
 * partitions and QOS. Returns 0 if the cluster has no resources of this
 * kind. */
static double cluster_equivalents(const struct eqt_config *config,
				  bool gpu_pool)
{
	assoc_mgr_lock_t locks = { .tres = READ_LOCK };
	struct eqt_bundle_table prices = config->conf->prices;
	struct eqt_demand demand;
	struct eqt_price low, price;
	struct eqt_error err;

	/* The minimum and the rounding are meant for single jobs. */
	prices.minimum_u = prices.round_unit = 0;
	assoc_mgr_lock(&locks);
	demand = gpu_pool ? cluster_gpus(config) : cluster_cores(config);
	assoc_mgr_unlock(&locks);
	if (eqt_price_range(&low, &price, &prices, &demand, &err) < 0)
		return 0;
	return eqt_frac_double(price.equivalents);
}

void eqt_job_size_update(struct eqt_job_size *cluster,
			 const struct eqt_config *config)
{
	double cores, gpus;

	if (config->priority.size_by != EQT_SIZE_BY_EQUIVALENTS)
		return;
	cores = cluster_equivalents(config, false);
	gpus = cluster_equivalents(config, true);
	pthread_mutex_lock(&cluster->lock);
	cluster->equivalents[false] = cores;
	cluster->equivalents[true] = gpus;
	pthread_mutex_unlock(&cluster->lock);
}

uint32_t eqt_job_size_time_limit(const job_record_t *job)
{
	if (job->time_limit != NO_VAL)
		return job->time_limit;
	return job->part_ptr ? job->part_ptr->max_time : 1;
}

/* The CPUs that the job has, or else requests. */
static uint32_t job_size_cpus(const job_record_t *job)
{
	if (job->total_cpus)
		return job->total_cpus;
	if (job->details->max_cpus != NO_VAL)
		return job->details->max_cpus;
	return job->details->min_cpus;
}

/* Set the sizes in equivalents. A job without a rate keeps size 0, because it
 * has no equivalents to compare. */
static void job_size_set_equivalents(struct eqt_factor_size *size,
				     struct eqt_job_size *cluster,
				     const struct eqt_config *config,
				     const job_record_t *job)
{
	const uint64_t *counts = IS_JOB_PENDING(job) ? job->tres_req_cnt
						     : job->tres_alloc_cnt;
	struct eqt_rate rate;

	size->by_equivalents = true;
	if (!counts ||
	    eqt_job_rate(&rate, cluster->rates, config, job, counts) < 0)
		return;
	size->equivalents = rate.size;
	pthread_mutex_lock(&cluster->lock);
	size->cluster_equivalents = cluster->equivalents[rate.gpu_pool];
	pthread_mutex_unlock(&cluster->lock);
}

double eqt_job_size_factor(struct eqt_job_size *cluster,
			   const struct eqt_config *config,
			   const job_record_t *job)
{
	struct eqt_factor_size size = {
		.cpus = job_size_cpus(job),
		.nodes = job->details->min_nodes,
		.time_limit_min = eqt_job_size_time_limit(job),
		.cluster_cpus = cluster_cpus,
		.cluster_nodes = eqt_slurm_node_count(),
		.favor_small = config->favor_small,
		.relative_to_time = config->flags &
				    PRIORITY_FLAGS_SIZE_RELATIVE,
	};

	if (!config->weights.size)
		return 0;
	if (config->priority.size_by == EQT_SIZE_BY_EQUIVALENTS)
		job_size_set_equivalents(&size, cluster, config, job);
	return eqt_factors_size(&size);
}
