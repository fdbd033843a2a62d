/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counts the free units and how much of the queue would fit. For each waiting job there
 * are two questions: Would its units fit into all free units? Would its request fit on
 * real nodes of its partitions? The first question ignores where the free units are. For
 * the second, jobs take the first nodes that fit, in the order of priority.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capacity/capacity.h"
#include "capacity/node_room.h"
#include "cli/alloc.h"
#include "cli/progress.h"
#include "slurm/conf/site_conf.h"

/* The queue while its jobs are placed. */
struct trial {
	struct eqt_node_room *room;
	const struct eqt_live_job **queue; /* sorted by priority */
	size_t count;
	struct eqt_progress progress;
};

int eqt_capacity_bin(uint64_t units)
{
	int bin = 0;

	for (; units > 0; units >>= 1)
		bin++;
	return bin;
}

const char *eqt_capacity_bin_name(char buf[EQT_CAPACITY_BIN_NAME], int bin)
{
	const uint64_t low = bin ? UINT64_C(1) << (bin - 1) : 0;

	if (bin > 1)
		(void) snprintf(buf, EQT_CAPACITY_BIN_NAME,
				"%" PRIu64 "-%" PRIu64, low, low + (low - 1));
	else
		(void) snprintf(buf, EQT_CAPACITY_BIN_NAME, "%" PRIu64, low);
	return buf;
}

/* The units that a job takes on a node, rounded up. 0 if the job uses nothing that the
 * unit counts. */
static uint64_t job_units(const struct eqt_unit_amounts *amounts,
			  const struct eqt_unit_amounts *unit)
{
	uint64_t most = 0, units;

	for (int i = 0; i < EQT_UNIT_PARTS; i++) {
		if (unit->of[i] == 0)
			continue;
		units = amounts->of[i] / unit->of[i] +
			(amounts->of[i] % unit->of[i] != 0);
		if (units > most)
			most = units;
	}
	return most;
}

/* The amounts that a job needs on each of its nodes. disk NULL means that local disk is
 * not counted. */
static struct eqt_unit_amounts job_node_amounts(const struct eqt_live_job *job,
						const char *disk)
{
	struct eqt_unit_amounts amounts = {
		.of = { [EQT_UNIT_PART_CORES] = job->tres.cpus,
			[EQT_UNIT_PART_MEMORY] = job->tres.mem_mib,
			[EQT_UNIT_PART_GPUS] = job->tres.gpus,
			[EQT_UNIT_PART_DISK] =
				disk ? eqt_tres_list_amount(job->tres_text,
							    disk)
				     : 0 }
	};

	for (int i = 0; i < EQT_UNIT_PARTS; i++)
		amounts.of[i] = amounts.of[i] / job->nodes +
				(amounts.of[i] % job->nodes != 0);
	return amounts;
}

static int job_compare_priority(const void *a, const void *b)
{
	const struct eqt_live_job *left =
		*(const struct eqt_live_job *const *) a;
	const struct eqt_live_job *right =
		*(const struct eqt_live_job *const *) b;

	if (left->priority != right->priority)
		return left->priority < right->priority ? 1 : -1;
	/* Of jobs with the same priority slurmctld starts the earliest first. */
	return strtoull(left->id, NULL, 10) < strtoull(right->id, NULL, 10) ? -1
									    : 1;
}

/* Collect the pending jobs that may use these nodes, sorted by priority. */
static void trial_sort_jobs(struct eqt_capacity_fit *out, struct trial *trial,
			    const struct eqt_live_jobs *jobs)
{
	for (size_t i = 0; i < jobs->count; i++) {
		const struct eqt_live_job *job = &jobs->jobs[i];

		eqt_progress_update(&trial->progress, i);
		if (!eqt_node_room_concerns(trial->room, job))
			continue;
		if (eqt_live_job_waits_else(job))
			out->waiting_else++;
		else if (job->pending)
			trial->queue[trial->count++] = job;
	}
	qsort(trial->queue, trial->count, sizeof(*trial->queue),
	      job_compare_priority);
}

/* Place all jobs. left_units is the number of units that are free on all nodes. */
static void trial_run(struct eqt_capacity_fit *out, struct trial *trial,
		      const struct eqt_capacity_cluster *cluster,
		      const struct eqt_unit_amounts *unit, uint64_t left_units)
{
	struct eqt_unit_amounts wanted;
	uint64_t units;

	for (size_t i = 0; i < trial->count; i++) {
		const struct eqt_live_job *job = trial->queue[i];

		eqt_progress_update(&trial->progress, cluster->jobs.count + i);
		wanted = job_node_amounts(job, cluster->nodes.disk);
		units = job_units(&wanted, unit);
		if (units == 0)
			continue;
		out->bins[eqt_capacity_bin(units)]++;
		out->pending++;
		units *= job->nodes;
		out->units += units;
		if (units <= left_units) {
			left_units -= units;
			out->fit_units++;
		}
		out->fit_request +=
			eqt_node_room_take(trial->room, job, &wanted);
	}
}

/* Place all pending jobs on the chosen nodes, once by units and once by request. The job
 * with the highest priority comes first. A job that does not fit takes nothing. */
static void queue_fit(struct eqt_capacity_sum *sum,
		      const struct eqt_capacity_cluster *cluster,
		      const struct eqt_unit_amounts *unit)
{
	const struct eqt_live_jobs *jobs = &cluster->jobs;
	struct trial trial = {
		.queue = eqt_alloc(jobs->count + 1,
				   sizeof(struct eqt_live_job *)),
		.room = eqt_node_room_new(&cluster->nodes, cluster->chosen),
	};

	eqt_progress_begin(&trial.progress, "pending jobs", 2 * jobs->count);
	trial_sort_jobs(&sum->fit, &trial, jobs);
	trial_run(&sum->fit, &trial, cluster, unit, sum->overhead);
	eqt_progress_end(&trial.progress);
	eqt_node_room_free(trial.room);
	free(trial.queue);
}

/* A node that is unavailable has neither overhead nor capacity. */
static bool node_is_counted(const struct eqt_scontrol_node *node,
			    const char *partition)
{
	return node->available &&
	       (!partition || eqt_scontrol_node_in(node, partition));
}

/* The whole units that still fit on a node. A free amount of one resource alone cannot
 * start a job, so it does not count. */
static uint64_t node_overhead(const struct eqt_scontrol_node *node,
			      const struct eqt_unit_amounts *unit)
{
	struct eqt_unit_amounts rest =
		eqt_canonical_unit_rest(&node->total, &node->allocated);

	return eqt_canonical_unit_count(unit, &rest);
}

int eqt_capacity_units_add(void *to, const char *text, struct eqt_error *err)
{
	struct eqt_capacity_units *units = to;
	const char *colon = strchr(text, ':'), *thresholds;
	size_t length;

	if (units->count == EQT_CAPACITY_UNITS_MAX)
		return eqt_error_set(err, "more than %d units",
				     EQT_CAPACITY_UNITS_MAX);
	thresholds = colon ? colon + 1 : text;
	length = colon ? (size_t) (colon - text) : 0;
	if (colon && (length == 0 || length >= EQT_CAPACITY_PARTITION))
		return eqt_error_set(err, "\"%.64s\": expected PARTITION:UNIT",
				     text);
	if (eqt_canonical_unit_parse(&units->unit[units->count], units->disk,
				     thresholds, err) < 0)
		return -1;
	memcpy(units->partition[units->count], text, length);
	units->partition[units->count][length] = '\0';
	units->text[units->count++] = text;
	return 0;
}

const char *eqt_capacity_unit_partition(const struct eqt_capacity_units *units,
					int unit, const char *partition)
{
	return units->partition[unit][0] ? units->partition[unit] : partition;
}

bool eqt_capacity_unit_is_for(const struct eqt_capacity_units *units, int unit,
			      const char *partition)
{
	if (units->partition[unit][0])
		return strcmp(units->partition[unit], partition) == 0;
	/* A unit without a partition counts for all partitions that have no unit of their
	 * own. */
	for (int i = 0; i < units->count; i++) {
		if (strcmp(units->partition[i], partition) == 0)
			return false;
	}
	return true;
}

/* Thresholds are whole numbers, so parts of a core or of a MiB are rounded up. */
static int units_site(struct eqt_capacity_units *units, struct eqt_error *err)
{
	const struct eqt_bundle *cores;
	const struct eqt_conf *conf;

	(void) snprintf(units->site, sizeof(units->site), "cores=1,memory=2G");
	if (eqt_site_conf_try(&conf) < 0)
		return eqt_error_set(err, "equitree.conf cannot be read");
	if (!conf)
		return 0;
	cores = &conf->prices.cores;
	(void) snprintf(units->site, sizeof(units->site), "cores=%" PRIu64,
			(cores->cores_u + EQT_MICRO - 1) / EQT_MICRO);
	if (cores->mem_mib_u)
		(void) snprintf(units->site + strlen(units->site),
				sizeof(units->site) - strlen(units->site),
				",memory=%" PRIu64 "M",
				(cores->mem_mib_u + EQT_MICRO - 1) / EQT_MICRO);
	eqt_conf_free(conf);
	return 0;
}

int eqt_capacity_units_default(struct eqt_capacity_units *units,
			       struct eqt_error *err)
{
	if (units->count > 0)
		return 0;
	if (units_site(units, err) < 0)
		return -1;
	return eqt_capacity_units_add(units, units->site, err) < 0
		       ? -1
		       : eqt_capacity_units_add(units, "gpu=1", err);
}

void eqt_capacity_sum(struct eqt_capacity_sum *sum,
		      const struct eqt_capacity_cluster *cluster,
		      const struct eqt_unit_amounts *unit,
		      const char *partition)
{
	const struct eqt_scontrol_nodes *nodes = &cluster->nodes;
	uint64_t overhead, capacity;

	*sum = (struct eqt_capacity_sum){ .nodes = 0 };
	for (size_t i = 0; i < nodes->count; i++) {
		const struct eqt_scontrol_node *node = &nodes->nodes[i];

		capacity = eqt_canonical_unit_count(unit, &node->total);
		cluster->chosen[i] = node_is_counted(node, partition) &&
				     capacity > 0;
		if (!cluster->chosen[i])
			continue;
		overhead = node_overhead(node, unit);
		sum->nodes++;
		sum->overhead += overhead;
		sum->capacity += capacity;
		sum->bins[eqt_capacity_bin(overhead)]++;
	}
	/* Without the queue it is not known how many waiting jobs fit. */
	if (cluster->has_jobs)
		queue_fit(sum, cluster, unit);
}

double eqt_capacity_percent(const struct eqt_capacity_sum *sum)
{
	if (sum->capacity == 0)
		return 0;
	return 100.0 * (double) sum->overhead / (double) sum->capacity;
}
