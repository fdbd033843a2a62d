/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <pthread.h>

#include "rate/job_rate.h"
#include "factors/job_size.h"

/* The cluster in core-equivalents and in GPU-equivalents. */
static struct {
	pthread_mutex_t lock;
	double equivalents[2];
} cluster = { .lock = PTHREAD_MUTEX_INITIALIZER };

static struct eqt_demand all_cores(void)
{
	return (struct eqt_demand){
		.cores = assoc_mgr_tres_array[TRES_ARRAY_CPU]->count,
		.mem_mib = assoc_mgr_tres_array[TRES_ARRAY_MEM]->count,
	};
}

/* The cores and the memory of a cluster are more than its GPUs keep. */
static struct eqt_demand all_gpus(const struct eqt_config *settings)
{
	struct eqt_demand request = { .placed = true };
	uint64_t all = 0, typed = 0;

	for (uint32_t i = 0; i < settings->tres_count; i++) {
		const struct eqt_tres_map *map = &settings->tres_map[i];
		uint64_t count = assoc_mgr_tres_array[i]->count;

		if (map->use == EQT_TRES_GPU_ALL) {
			all += count;
		} else if (map->use == EQT_TRES_GPU_MODEL) {
			request.gpus[map->model] += count;
			typed += count;
		}
	}
	if (all > typed && settings->conf->prices.gpu_count)
		request.gpus_untyped = all - typed;
	return request;
}

/* What a job would cost that had all of it, without any rule; 0 when the
 * cluster has none. */
static double cluster_equivalents(const struct eqt_config *settings,
				  bool gpu_pool)
{
	assoc_mgr_lock_t locks = { .tres = READ_LOCK };
	struct eqt_bundle_table prices = settings->conf->prices;
	struct eqt_demand request;
	struct eqt_price low, price;
	struct eqt_error err;

	prices.minimum_u = prices.round_unit = 0;
	assoc_mgr_lock(&locks);
	request = gpu_pool ? all_gpus(settings) : all_cores();
	assoc_mgr_unlock(&locks);
	if (eqt_price_range(&low, &price, &prices, &request, &err) < 0)
		return 0;
	return eqt_frac_double(price.equivalents);
}

void eqt_job_size_update(const struct eqt_config *settings)
{
	double cores, gpus;

	if (settings->priority.size_by != EQT_SIZE_BY_EQUIVALENTS)
		return;
	cores = cluster_equivalents(settings, false);
	gpus = cluster_equivalents(settings, true);
	pthread_mutex_lock(&cluster.lock);
	cluster.equivalents[false] = cores;
	cluster.equivalents[true] = gpus;
	pthread_mutex_unlock(&cluster.lock);
}

uint32_t eqt_job_size_time_limit(const job_record_t *job)
{
	if (job->time_limit != NO_VAL)
		return job->time_limit;
	return job->part_ptr ? job->part_ptr->max_time : 1;
}

/* CPUs of the job: what it has, else what it asks for. */
static uint32_t job_cpus(const job_record_t *job)
{
	if (job->total_cpus)
		return job->total_cpus;
	if (job->details->max_cpus != NO_VAL)
		return job->details->max_cpus;
	return job->details->min_cpus;
}

static void set_equivalents(struct eqt_factor_size *size,
			    const struct eqt_config *settings,
			    const job_record_t *job)
{
	const uint64_t *counts = IS_JOB_PENDING(job) ? job->tres_req_cnt
						     : job->tres_alloc_cnt;
	struct eqt_rate rate;

	size->by_equivalents = true;
	if (!counts || eqt_job_rate(&rate, settings, job, counts) < 0)
		return;
	size->equivalents = rate.size;
	pthread_mutex_lock(&cluster.lock);
	size->cluster_equivalents = cluster.equivalents[rate.gpu_pool];
	pthread_mutex_unlock(&cluster.lock);
}

double eqt_job_size_factor(const struct eqt_config *settings,
			   const job_record_t *job)
{
	struct eqt_factor_size size = {
		.cpus = job_cpus(job),
		.nodes = job->details->min_nodes,
		.time_limit_min = eqt_job_size_time_limit(job),
		.cluster_cpus = cluster_cpus,
		.cluster_nodes = eqt_slurm_node_count(),
		.favor_small = settings->favor_small,
		.relative_to_time = settings->flags &
				    PRIORITY_FLAGS_SIZE_RELATIVE,
	};

	if (!settings->weights.size)
		return 0;
	if (settings->priority.size_by == EQT_SIZE_BY_EQUIVALENTS)
		set_equivalents(&size, settings, job);
	return eqt_factors_size(&size);
}
