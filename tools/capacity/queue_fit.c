/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Two questions per job: would its units fit into the free units in total, and
 * would its request fit on real nodes of its partitions? The first ignores
 * where units are; the second is greedy, first fit, by priority.
 */
#include <stdlib.h>

#include "capacity/queue_fit.h"
#include "capacity/room.h"
#include "cli/progress.h"

/* The queue and the nodes while jobs are placed. */
struct trial {
	const struct eqt_scontrol_nodes *nodes;
	const bool *chosen;
	struct eqt_room *room;
	const struct eqt_squeue_job **queue; /* sorted by priority */
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

uint64_t eqt_capacity_job_units(const struct eqt_unit_amounts *amounts,
				const struct eqt_unit_amounts *unit)
{
	uint64_t most = 0, units;
	int i;

	for (i = 0; i < EQT_UNIT_PARTS; i++) {
		if (unit->of[i] == 0)
			continue;
		units = amounts->of[i] / unit->of[i] +
			(amounts->of[i] % unit->of[i] != 0);
		if (units > most)
			most = units;
	}
	return most;
}

/* What a job needs on each of its nodes. */
static struct eqt_unit_amounts job_node_amounts(
	const struct eqt_squeue_job *job)
{
	struct eqt_unit_amounts amounts;
	int i;

	for (i = 0; i < EQT_UNIT_PARTS; i++)
		amounts.of[i] = job->total.of[i] / job->nodes +
				(job->total.of[i] % job->nodes != 0);
	return amounts;
}

static int job_compare_priority(const void *a, const void *b)
{
	const struct eqt_squeue_job *left =
		*(const struct eqt_squeue_job *const *) a;
	const struct eqt_squeue_job *right =
		*(const struct eqt_squeue_job *const *) b;

	if (left->priority != right->priority)
		return left->priority < right->priority ? 1 : -1;
	/* Equal priorities keep the order of the list. */
	return left < right ? -1 : left > right;
}

/* Collect the pending jobs that may use these nodes, sorted by priority. */
static int trial_sort_jobs(struct eqt_capacity_fit *out, struct trial *trial,
			   const struct eqt_squeue *jobs)
{
	size_t i;
	int rc;

	for (i = 0; i < jobs->count; i++) {
		const struct eqt_squeue_job *job = &jobs->jobs[i];

		eqt_progress_update(&trial->progress, i);
		rc = eqt_room_concerns(trial->room, job);
		if (rc < 0)
			return -1;
		if (rc == 0)
			continue;
		out->waiting_else += job->waits_else;
		if (job->pending)
			trial->queue[trial->count++] = job;
	}
	qsort(trial->queue, trial->count, sizeof(*trial->queue),
	      job_compare_priority);
	return 0;
}

/* Whole units per node, as in the sum: rests of several nodes make no unit. */
static uint64_t trial_free_units(const struct trial *trial,
				 const struct eqt_unit_amounts *unit)
{
	uint64_t units = 0;
	size_t i;

	for (i = 0; i < trial->nodes->count; i++) {
		const struct eqt_scontrol_node *node = &trial->nodes->nodes[i];
		struct eqt_unit_amounts rest =
			eqt_unit_amounts_free(&node->total, &node->allocated);

		if (trial->chosen[i])
			units += eqt_unit_count(unit, &rest);
	}
	return units;
}

static int trial_run(struct eqt_capacity_fit *out, struct trial *trial,
		     size_t seen, const struct eqt_unit_amounts *unit)
{
	uint64_t left_units = trial_free_units(trial, unit), units;
	struct eqt_unit_amounts wanted;
	size_t i;
	int rc;

	for (i = 0; i < trial->count; i++) {
		const struct eqt_squeue_job *job = trial->queue[i];

		eqt_progress_update(&trial->progress, seen + i);
		wanted = job_node_amounts(job);
		units = eqt_capacity_job_units(&wanted, unit);
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
		rc = eqt_room_take(trial->room, job, &wanted);
		if (rc < 0)
			return -1;
		out->fit_request += (uint64_t) rc;
	}
	return 0;
}

int eqt_capacity_fit(struct eqt_capacity_fit *out,
		     const struct eqt_squeue *jobs,
		     const struct eqt_scontrol_nodes *nodes, const bool *chosen,
		     const struct eqt_unit_amounts *unit)
{
	struct trial trial = { .nodes = nodes, .chosen = chosen };
	int rc = -1;

	*out = (struct eqt_capacity_fit){ .pending = 0 };
	trial.queue = calloc(jobs->count + 1, sizeof(struct eqt_squeue_job *));
	trial.room = eqt_room_new(nodes, chosen);
	eqt_progress_begin(&trial.progress, "pending jobs", 2 * jobs->count);
	if (trial.queue && trial.room &&
	    trial_sort_jobs(out, &trial, jobs) == 0)
		rc = trial_run(out, &trial, jobs->count, unit);
	eqt_progress_end(&trial.progress);
	eqt_room_free(trial.room);
	free(trial.queue);
	return rc;
}
