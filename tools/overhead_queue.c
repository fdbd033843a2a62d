/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "overhead_queue.h"
#include "progress.h"

#define PARTITION_SIZE 256

/* The queue and what is left of the nodes while jobs are tried. */
struct trial {
	const struct eqt_nodes *nodes;
	const bool *chosen;
	struct eqt_amounts *left; /* of each node */
	size_t *taken; /* nodes of the job that is tried */
	struct eqt_progress progress;
	size_t seen; /* jobs that are sorted out */
};

int eqt_bin_of(uint64_t units)
{
	int bin = 0;

	for (; units > 0; units >>= 1)
		bin++;
	return bin;
}

uint64_t eqt_job_units(const struct eqt_amounts *amounts,
		       const struct eqt_amounts *unit)
{
	uint64_t most = 0, units;
	int i;

	for (i = 0; i < EQT_PARTS; i++) {
		if (unit->of[i] == 0)
			continue;
		units = amounts->of[i] / unit->of[i] +
			(amounts->of[i] % unit->of[i] != 0);
		if (units > most)
			most = units;
	}
	return most;
}

/* What a job wants of each of its nodes. */
static struct eqt_amounts of_node(const struct eqt_job *job)
{
	struct eqt_amounts amounts;
	int i;

	for (i = 0; i < EQT_PARTS; i++)
		amounts.of[i] = job->total.of[i] / job->nodes +
				(job->total.of[i] % job->nodes != 0);
	return amounts;
}

/* Is the node in one of the job's partitions ("a,b")? */
static bool is_in(const struct eqt_node *node, const struct eqt_job *job)
{
	const char *at = job->partition.text;
	const char *end = at + job->partition.length, *comma;
	char name[PARTITION_SIZE];
	size_t length;

	for (; at < end; at = comma + 1) {
		comma = memchr(at, ',', (size_t) (end - at));
		if (!comma)
			comma = end;
		length = (size_t) (comma - at);
		if (length >= sizeof(name))
			continue;
		memcpy(name, at, length);
		name[length] = '\0';
		if (eqt_node_in(node, name))
			return true;
	}
	return false;
}

/* Has the node the model that the job wants? */
static bool has_model(const struct eqt_node *node, const struct eqt_job *job)
{
	size_t length = job->model.length, at;

	if (!job->model.text)
		return true;
	for (at = 4; at + length <= node->gres.length; at++) {
		if (node->gres.text[at - 1] == ':' &&
		    memcmp(node->gres.text + at, job->model.text, length) == 0)
			return true;
	}
	return false;
}

static bool has_room(const struct eqt_amounts *left,
		     const struct eqt_amounts *wanted)
{
	int i;

	for (i = 0; i < EQT_PARTS; i++) {
		if (left->of[i] < wanted->of[i])
			return false;
	}
	return true;
}

/* Find nodes for a job and take their room; false when there are too few. */
static bool place(struct trial *trial, const struct eqt_job *job)
{
	struct eqt_amounts wanted = of_node(job);
	uint64_t found = 0;
	size_t i, n;
	int part;

	for (i = 0; i < trial->nodes->count && found < job->nodes; i++) {
		const struct eqt_node *node = &trial->nodes->nodes[i];

		if (trial->chosen[i] && has_room(&trial->left[i], &wanted) &&
		    is_in(node, job) && has_model(node, job))
			trial->taken[found++] = i;
	}
	if (found < job->nodes)
		return false;
	for (n = 0; n < found; n++) {
		for (part = 0; part < EQT_PARTS; part++)
			trial->left[trial->taken[n]].of[part] -=
				wanted.of[part];
	}
	return true;
}

static int by_priority(const void *a, const void *b)
{
	const struct eqt_job *left = *(const struct eqt_job *const *) a;
	const struct eqt_job *right = *(const struct eqt_job *const *) b;

	if (left->priority != right->priority)
		return left->priority < right->priority ? 1 : -1;
	/* As they were listed. */
	return left < right ? -1 : left > right;
}

/* Could any of the chosen nodes ever be the job's? */
static bool is_of_these(const struct trial *trial, const struct eqt_job *job)
{
	size_t i;

	for (i = 0; i < trial->nodes->count; i++) {
		if (trial->chosen[i] && is_in(&trial->nodes->nodes[i], job))
			return true;
	}
	return false;
}

static void try_all(struct eqt_queue_fit *out, struct trial *trial,
		    const struct eqt_job **jobs, size_t count,
		    const struct eqt_amounts *unit)
{
	uint64_t left_units = 0, units;
	struct eqt_amounts wanted;
	size_t i;

	for (i = 0; i < trial->nodes->count; i++) {
		const struct eqt_node *node = &trial->nodes->nodes[i];

		if (!trial->chosen[i])
			continue;
		trial->left[i] =
			eqt_amounts_free(&node->total, &node->allocated);
		left_units += eqt_unit_count(unit, &trial->left[i]);
	}
	for (i = 0; i < count; i++) {
		eqt_progress_tell(&trial->progress, trial->seen + i);
		wanted = of_node(jobs[i]);
		units = eqt_job_units(&wanted, unit);
		if (units == 0)
			continue;
		out->bins[eqt_bin_of(units)]++;
		out->pending++;
		units *= jobs[i]->nodes;
		out->units += units;
		if (units <= left_units) {
			left_units -= units;
			out->fit_units++;
		}
		out->fit_request += place(trial, jobs[i]);
	}
}

int eqt_queue_fit(struct eqt_queue_fit *out, const struct eqt_jobs *jobs,
		  const struct eqt_nodes *nodes, const bool *chosen,
		  const struct eqt_amounts *unit)
{
	struct trial trial = { .nodes = nodes, .chosen = chosen };
	const struct eqt_job **queue = calloc(jobs->count + 1, sizeof(*queue));
	size_t i, count = 0;

	*out = (struct eqt_queue_fit){ .pending = 0 };
	eqt_progress_begin(&trial.progress, "jobs that wait", 2 * jobs->count);
	trial.left = calloc(nodes->count + 1, sizeof(*trial.left));
	trial.taken = calloc(nodes->count + 1, sizeof(*trial.taken));
	if (queue && trial.left && trial.taken) {
		for (i = 0; i < jobs->count; i++) {
			eqt_progress_tell(&trial.progress, ++trial.seen);
			if (!is_of_these(&trial, &jobs->jobs[i]))
				continue;
			out->waiting_else += jobs->jobs[i].waits_else;
			if (jobs->jobs[i].pending)
				queue[count++] = &jobs->jobs[i];
		}
		qsort(queue, count, sizeof(*queue), by_priority);
		try_all(out, &trial, queue, count, unit);
	}
	eqt_progress_end(&trial.progress);
	i = queue && trial.left && trial.taken;
	free(trial.taken);
	free(trial.left);
	free(queue);
	return i ? 0 : -1;
}
