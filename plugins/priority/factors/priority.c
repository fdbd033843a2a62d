/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A job's priority: prio/factors.h weights and sums the factors of slurmctld's
 * records. The order of operations is Slurm's, so that the result has the same
 * bits as that of priority/multifactor where the factors are the same.
 */
#include <string.h>

#include "slurm/log.h"
#include "usage/limits/billing_tres.h"
#include "factors/priority.h"
#include "trace.h"

static bool config_has_flag(const struct eqt_config *config, uint32_t flag)
{
	return (config->flags & flag) != 0;
}

double eqt_priority_partition(const struct eqt_config *config,
			      const part_record_t *part)
{
	if (!part || !part->priority_job_factor)
		return 0;
	return (config_has_flag(config, PRIORITY_FLAGS_NO_NORMAL_PART)
			? part->priority_job_factor
			: part->norm_priority) *
	       (double) config->weights.partition;
}

/* The count of a TRES that a job has, or else requests. */
static uint64_t job_tres_count(const job_record_t *job, uint32_t i)
{
	if (job->tres_alloc_cnt && job->tres_alloc_cnt[i] != NO_CONSUME_VAL64)
		return job->tres_alloc_cnt[i];
	return job->tres_req_cnt ? job->tres_req_cnt[i] : 0;
}

double eqt_priority_tres(const struct eqt_config *config,
			 const job_record_t *job, const part_record_t *part,
			 double *points)
{
	bool raw = config_has_flag(config, PRIORITY_FLAGS_NO_NORMAL_TRES);
	double sum = 0;

	if (!config->tres_weights)
		return 0;
	for (uint32_t i = 0; i < config->tres_count; i++) {
		uint64_t all = part && part->tres_cnt ? part->tres_cnt[i] : 0;

		/* A TRES without a factor keeps its old points. Under
		   stock_compat sprio.c passes the old points here, as Slurm
		   does. */
		points[i] = eqt_factors_tres(job_tres_count(job, i), all, raw,
					     points[i]);
		points[i] *= config->tres_weights[i];
		sum += points[i];
	}
	return sum;
}

static double job_fairshare_factor(const struct eqt_config *config,
				   const job_record_t *job,
				   const struct eqt_job_factor *job_factor)
{
	if (!config->weights.fairshare || !job->assoc_ptr)
		return 0;
	/* A new job has factor 0, which puts it behind all others until it is
	   ranked. */
	if (eqt_config_place_jobs(config) && IS_JOB_PENDING(job))
		return job_factor->fairshare;
	return job->assoc_ptr->usage->fs_factor;
}

static double job_assoc_factor(const struct eqt_config *config,
			       const job_record_t *job)
{
	if (!config->weights.assoc || !job->assoc_ptr)
		return 0;
	return config_has_flag(config, PRIORITY_FLAGS_NO_NORMAL_ASSOC)
		       ? job->assoc_ptr->priority
		       : job->assoc_ptr->usage->priority_norm;
}

static double qos_factor(const struct eqt_config *config,
			 const slurmdb_qos_rec_t *qos)
{
	if (!config->weights.qos || !qos || !qos->priority)
		return 0;
	return config_has_flag(config, PRIORITY_FLAGS_NO_NORMAL_QOS)
		       ? qos->priority
		       : qos->usage->norm_priority;
}

double eqt_priority_qos_of(const struct eqt_config *config,
			   const job_record_t *job,
			   const slurmdb_qos_rec_t *qos)
{
	if (config->stock.qos && !qos->priority)
		qos = job->qos_ptr;
	return qos_factor(config, qos) * (double) config->weights.qos;
}

static void tres_points_clear(const struct eqt_config *config, double *points)
{
	memset(points, 0, config->tres_count * sizeof(*points));
}

/* Clear the record that sprio reads. Its arrays are reused. */
static eqt_factors_t *sprio_record_clear(const struct eqt_config *config,
					 job_record_t *job)
{
	eqt_factors_t *factors = job->prio_factors;
	double *points, *weights;

	if (!factors)
		factors = job->prio_factors = xmalloc(sizeof(*factors));
	if (factors->priority_tres &&
	    (factors->tres_cnt != config->tres_count ||
	     !config->tres_weights)) {
		xfree(factors->priority_tres);
		xfree(factors->tres_weights);
	}
	points = factors->priority_tres;
	weights = factors->tres_weights;
	if (points)
		tres_points_clear(config, points);
	memset(factors, 0, sizeof(*factors));
	if (!config->tres_weights)
		return factors;
	factors->tres_cnt = config->tres_count;
	factors->priority_tres =
		points ? points : xcalloc(config->tres_count, sizeof(double));
	factors->tres_weights =
		weights ? weights : xcalloc(config->tres_count, sizeof(double));
	memcpy(factors->tres_weights, config->tres_weights,
	       config->tres_count * sizeof(double));
	return factors;
}

static void sprio_record_set(eqt_factors_t *factors,
			     const struct eqt_factors *points,
			     const job_record_t *job)
{
	factors->priority_age = points->age;
	factors->priority_assoc = points->assoc;
	factors->priority_fs = points->fairshare;
	factors->priority_js = points->size;
	factors->priority_part = points->partition;
	factors->priority_qos = points->qos;
	factors->priority_site = (uint32_t) (points->site + NICE_OFFSET);
	factors->nice = job->details->nice;
}

/* The points in sprio's column SITE: the site's own factor, equal access, and
 * expansion. Slurm has no columns for the last two. */
static int64_t job_site_points(const struct eqt_config *config,
			       const job_record_t *job,
			       const struct eqt_job_factor *job_factor,
			       time_t now)
{
	const struct eqt_conf_priority *conf = &config->priority;
	double access = (double) conf->access_weight * job_factor->access;
	double expansion = 0;

	if (conf->expansion_weight)
		expansion =
			(double) conf->expansion_weight *
			eqt_factors_expansion(now, job->details->accrue_time,
					      eqt_job_size_time_limit(job),
					      (double) conf->expansion_full_u /
						      (double) EQT_MICRO);
	return eqt_factors_site((int64_t) job->site_factor - NICE_OFFSET,
				access, expansion);
}

/* All factors except those of the TRES, which depend on the partition. */
static struct eqt_factors job_factors_weigh(
	const struct eqt_priority *priority, const struct eqt_config *config,
	const job_record_t *job, const struct eqt_job_factor *job_factor,
	time_t now)
{
	struct eqt_factors points = {
		.fairshare = job_fairshare_factor(config, job, job_factor),
		.assoc = job_assoc_factor(config, job),
		.qos = qos_factor(config, job->qos_ptr),
		.size = eqt_job_size_factor(priority->size, config, job),
		.site = job_site_points(config, job, job_factor, now),
		.nice = (int64_t) job->details->nice - NICE_OFFSET,
	};

	if (config->weights.age)
		points.age = eqt_factors_age(now, job->details->accrue_time,
					     config->max_age_s);
	eqt_factors_weigh(&points, &config->weights);
	points.partition = eqt_priority_partition(config, job->part_ptr);
	return points;
}

double eqt_priority_rest(const struct eqt_priority *priority,
			 const struct eqt_config *config,
			 const job_record_t *job, time_t now)
{
	const struct eqt_job_factor none = { 0 };
	struct eqt_factors points =
		job_factors_weigh(priority, config, job, &none, now);

	points.fairshare = 0;
	tres_points_clear(config, config->tres_scratch);
	points.tres = eqt_priority_tres(config, job, job->part_ptr,
					config->tres_scratch);
	return eqt_factors_sum(&points);
}

/* Clamp the sum to 1 .. 2^32 - 1, because 0 would mean that the job is held. */
static uint32_t priority_clamp(const job_record_t *job, double sum)
{
	if (sum > (double) UINT32_MAX)
		eqt_log_debug("job %u: priority %.0f exceeds 32 bits, cut to "
			      "4294967295: the weights are too large",
			      job->job_id, sum);
	return eqt_factors_clamp(sum);
}

/* The state of one walk over the partitions of a job and, in each partition,
 * over the job's QOS. */
struct choices {
	const struct eqt_config *config;
	job_record_t *job;
	/* The points of the choice without the partition's points. */
	struct eqt_factors points;
	double partition; /* The points of the partition. */
	uint32_t *priority; /* Where the priority of the choice is stored. */
};

static int choice_set_priority(void *item, void *arg)
{
	struct choices *choices = arg;
	uint32_t priority;

	if (item)
		choices->points.qos = eqt_priority_qos_of(choices->config,
							  choices->job, item);
	/* Slurm adds the partition's points last, which decides the last bit of
	   the sum. */
	priority = priority_clamp(choices->job,
				  choices->partition +
					  eqt_factors_sum(&choices->points));
	if (!config_has_flag(choices->config, PRIORITY_FLAGS_INCR_ONLY) ||
	    *choices->priority < priority)
		*choices->priority = priority;
	choices->priority++;
	return 0;
}

static int choices_set_partition(void *item, void *arg)
{
	struct choices *choices = arg;
	const struct eqt_config *config = choices->config;
	list_t *qos = eqt_job_qos_list(choices->job);

	choices->partition = eqt_priority_partition(config, item);
	tres_points_clear(config, config->tres_scratch);
	choices->points.tres = eqt_priority_tres(config, choices->job, item,
						 config->tres_scratch);
	if (qos)
		list_for_each_ro(qos, choice_set_priority, choices);
	else
		(void) choice_set_priority(NULL, choices);
	return 0;
}

/* Set the priorities of a job with several partitions or several QOS, for
 * Slurm's schedulers. Partitions are in the order of their tier. */
static void job_set_choices(const struct eqt_config *config, job_record_t *job,
			    struct eqt_factors points)
{
	list_t *qos = eqt_job_qos_list(job);
	list_t *parts = job->part_ptr_list;
	size_t count = 0;
	struct choices choices = {
		.config = config,
		.job = job,
		.points = points,
	};

	choices.points.partition = 0;
	if (parts || qos)
		count = (size_t) (parts ? list_count(parts) : 1) *
			(size_t) (qos ? list_count(qos) : 1);
	if (count == 0) {
		eqt_job_priorities_free(job);
		return;
	}
	choices.priority = eqt_job_priorities_make(job, count);
	if (!parts) {
		(void) choices_set_partition(job->part_ptr, &choices);
		return;
	}
	eqt_job_partitions_sort(job);
	list_for_each_ro(parts, choices_set_partition, &choices);
}

static void sprio_record_reset(job_record_t *job)
{
	if (!job->prio_factors)
		return;
	xfree(job->prio_factors->priority_tres);
	xfree(job->prio_factors->tres_weights);
	memset(job->prio_factors, 0, sizeof(*job->prio_factors));
}

uint32_t eqt_priority_make(const struct eqt_priority *priority,
			   const struct eqt_config *config, job_record_t *job,
			   time_t now)
{
	struct eqt_job_factor job_factor = { 0 };
	struct eqt_factors points;
	eqt_factors_t *factors;

	if (job->details)
		eqt_billing_tres_preset(priority->billing, config, job);
	if (job->direct_set_prio && job->priority > 0) {
		sprio_record_reset(job);
		return job->priority;
	}
	if (!job->details) {
		eqt_log_error("job %u has no details: no priority",
			      job->job_id);
		sprio_record_reset(job);
		return 0;
	}
	if (config->priority.access_weight || eqt_config_place_jobs(config))
		job_factor =
			eqt_job_factors_of(priority->job_factors, job->job_id);
	points = job_factors_weigh(priority, config, job, &job_factor, now);
	factors = sprio_record_clear(config, job);
	sprio_record_set(factors, &points, job);
	points.tres = eqt_priority_tres(config, job, job->part_ptr,
					factors->priority_tres);
	job_set_choices(config, job, points);
	eqt_trace_priority(config, job, &points);
	return priority_clamp(job, eqt_factors_sum(&points));
}

/* ---- The priorities that a pass writes ---------------------------------------------- */

/* The state of one walk over the jobs. */
struct priority_walk {
	const struct eqt_priority *priority;
	const struct eqt_config *config;
	time_t now;
	unsigned int updated;
};

bool eqt_priority_update_wants(const struct eqt_config *config,
			       const job_record_t *job)
{
	if (!job->priority || IS_JOB_POWER_UP_NODE(job))
		return false;
	if (IS_JOB_PENDING(job))
		return true;
	if (!(config->flags & PRIORITY_FLAGS_CALCULATE_RUNNING))
		return false;
	return config->stock.ended ||
	       (!IS_JOB_FINISHED(job) && !IS_JOB_COMPLETING(job));
}

/* Set the price of a job that is submitted held, so that scontrol shows it
 * before the job is released. slurmctld asks for no priority of such a job. */
static void held_job_set_price(const struct priority_walk *walk,
			       job_record_t *job)
{
	const struct eqt_billing_tres *billing = walk->priority->billing;
	const struct eqt_config *config = walk->config;

	if (job->details &&
	    (!config->stock.billing ||
	     eqt_usage_unit_is_older(billing->unit, config,
				     job->details->submit_time)))
		eqt_billing_tres_preset(billing, config, job);
}

static void priority_update_visit(job_record_t *job, void *arg)
{
	struct priority_walk *walk = arg;
	const struct eqt_config *config = walk->config;
	uint32_t priority;

	if (!eqt_priority_update_wants(config, job)) {
		held_job_set_price(walk, job);
		return;
	}
	walk->updated++;
	priority = eqt_priority_make(walk->priority, config, job, walk->now);
	if (config->flags & PRIORITY_FLAGS_INCR_ONLY &&
	    job->priority >= priority)
		return;
	if (job->priority == priority)
		return;
	job->priority = priority;
	/* A newer last_job_update makes slurmctld save its jobs, and makes
	   clients read them again. */
	last_job_update = time(NULL);
	eqt_log_debug2("job %u: priority is now %u", job->job_id, priority);
}

unsigned int eqt_priority_update_all(const struct eqt_priority *priority,
				     struct eqt_walk *walk,
				     const struct eqt_config *config,
				     time_t now)
{
	struct priority_walk visit = { priority, config, now, 0 };

	eqt_walk_visit(walk, EQT_WALK_RANKED,
		       (assoc_mgr_lock_t) EQT_PRIORITY_LOCKS,
		       priority_update_visit, &visit);
	return visit.updated;
}
