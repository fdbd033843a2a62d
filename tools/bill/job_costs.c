/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sacct lists the steps of a job after the job: steps have the memory that was used, and
 * the job has its CPU time. Each run of a requeued job is a row of its own.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "bill/job_costs.h"
#include "slurm/text/duration.h"

#define MIB UINT64_C(1048576)

/* "1908K", or bytes as with --noconvert; rounded up to MiB. false: not known. sacct
 * prints MaxRSS with K unless it was told --noconvert. */
static bool memory_read(uint64_t *mib, const char *text)
{
	uint64_t unit = 1, bytes;
	char *end;
	double value;

	if (!isdigit((unsigned char) text[0]))
		return false;
	value = strtod(text, &end);
	if (*end == 'K')
		unit = 1024;
	else if (*end == 'M')
		unit = MIB;
	else if (*end == 'G')
		unit = 1024 * MIB;
	if (*end != '\0' && (unit == 1 || end[1] != '\0'))
		return false;
	value *= (double) unit;
	if (!(value < 1e18))
		return false;
	bytes = (uint64_t) value;
	*mib = bytes / MIB + (bytes % MIB != 0);
	return true;
}

/* Is a row a step of the job with that id? Steps are "7.batch", "7.extern", "7.0". */
static bool row_is_step_of(const struct eqt_sacct *sacct, size_t row,
			   const char *id)
{
	const char *text = eqt_sacct_cell(sacct, row, EQT_SACCT_ID);
	const size_t length = strlen(id);

	return strncmp(text, id, length) == 0 && text[length] == '.';
}

/* The largest memory of all steps. For a step it is that of its largest task,
 * counted for each task. */
static bool steps_memory(uint64_t *most, const struct eqt_sacct *sacct,
			 size_t row, const char *id)
{
	uint64_t mib, tasks;
	bool any = false;

	*most = 0;
	for (row++; row < sacct->rows && row_is_step_of(sacct, row, id);
	     row++) {
		if (!memory_read(&mib,
				 eqt_sacct_cell(sacct, row, EQT_SACCT_RSS)))
			continue;
		tasks = strtoull(eqt_sacct_cell(sacct, row, EQT_SACCT_TASKS),
				 NULL, 10);
		if (__builtin_mul_overflow(mib, tasks ? tasks : 1, &mib))
			continue;
		*most = mib > *most ? mib : *most;
		any = true;
	}
	return any;
}

/* A request for the cores and the memory that the job used, with its GPUs. CPU time
 * over wall time is the mean number of cores that were busy, rounded up; one at least. */
static void cost_fit(struct eqt_job_cost *cost, struct eqt_cost *charge,
		     const struct eqt_sacct *sacct, size_t row)
{
	struct eqt_demand fit = charge->demand;
	uint64_t cpu_s, mem_mib;
	bool uncertain;

	if (cost->running || cost->seconds == 0 ||
	    !steps_memory(&mem_mib, sacct, row,
			  eqt_sacct_cell(sacct, row, EQT_SACCT_ID)) ||
	    eqt_duration_parse(&cpu_s,
			       eqt_sacct_cell(sacct, row, EQT_SACCT_CPU)) < 0)
		return;
	cost->fit_cores =
		cpu_s / cost->seconds + (cpu_s % cost->seconds != 0 || !cpu_s);
	if (cost->fit_cores > fit.cores)
		cost->fit_cores = fit.cores;
	cost->fit_mem_mib = mem_mib < fit.mem_mib ? mem_mib : fit.mem_mib;
	fit.cores = cost->fit_cores;
	fit.mem_mib = cost->fit_mem_mib;
	cost->has_fit = eqt_cost_demand(&cost->fit, &uncertain, &charge->prices,
					&fit, NULL) == 0;
}

/* The time limit in seconds; UNLIMITED and Partition_Limit are none. TimelimitRaw is in
 * minutes. */
static uint64_t limit_read(const char *text)
{
	char *end;
	uint64_t minutes = strtoull(text, &end, 10);

	return text[0] == '\0' || *end != '\0' || minutes > UINT32_MAX
		       ? 0
		       : minutes * 60;
}

/* Units and names are borrowed from the pricer, which lives longer. */
void eqt_job_costs_take(struct eqt_job_cost *out, const struct eqt_cost *charge,
			bool priced)
{
	out->priced = priced;
	out->price = charge->price;
	out->explained = charge->explained;
	out->source = charge->source;
	out->uncertain = charge->uncertain;
}

/* One row that is a job. Texts are borrowed from sacct's list. */
static int cost_make(struct eqt_job_cost *out, const struct eqt_sacct *sacct,
		     size_t row, const struct eqt_job_pricer *pricer,
		     struct eqt_error *err)
{
	struct eqt_cost charge;
	struct eqt_sacct_job job;
	int rc = eqt_sacct_job(&job, sacct, row, err);

	if (rc < 0)
		return -1;
	/* For a moment a job that has started waits, but has its start. */
	if (strcmp(job.text[EQT_SACCT_STATE], "PENDING") == 0)
		rc = 0;
	*out = (struct eqt_job_cost){
		.job = job.text[EQT_SACCT_ID],
		.id = job.text[EQT_SACCT_NAME][0] ? job.text[EQT_SACCT_NAME]
						  : job.text[EQT_SACCT_ID],
		.user = job.text[EQT_SACCT_USER],
		.account = job.text[EQT_SACCT_ACCOUNT],
		.partition = job.text[EQT_SACCT_PARTITION],
		.state = job.text[EQT_SACCT_STATE],
		.start_s = rc > 0 ? job.start_s : 0,
		.started = rc > 0,
		.limit_s = limit_read(job.text[EQT_SACCT_LIMIT]),
	};
	if (rc == 0)
		return 0;
	out->running = strcmp(out->state, "RUNNING") == 0 ||
		       strcmp(out->state, "SUSPENDED") == 0;
	out->seconds = (uint64_t) (job.end_s - job.start_s);
	if (!pricer->conf->charge_suspended)
		out->seconds -= job.suspended_s;
	rc = eqt_cost_make(&charge, pricer, &job, &out->why);
	if (rc < 0)
		return eqt_error_set(err, "%s: line %zu: %s",
				     sacct->table.text.name, job.line,
				     out->why.text);
	eqt_job_costs_take(out, &charge, rc > 0);
	if (out->priced)
		cost_fit(out, &charge, sacct, row);
	return 0;
}

int eqt_job_costs_make(struct eqt_job_costs *out, const struct eqt_sacct *sacct,
		       const struct eqt_job_pricer *pricer,
		       struct eqt_error *err)
{
	*out = (struct eqt_job_costs){
		.cost = calloc(sacct->rows + 1, sizeof(*out->cost)),
	};
	if (!out->cost)
		return eqt_error_set(err, "out of memory");
	for (size_t row = 0; row < sacct->rows; row++) {
		if (eqt_sacct_is_step(sacct, row))
			continue;
		if (cost_make(&out->cost[out->count], sacct, row, pricer, err) <
		    0) {
			eqt_job_costs_free(out);
			return -1;
		}
		out->count++;
	}
	return 0;
}

/* By the id as it is printed. */
bool eqt_job_costs_have(const struct eqt_job_costs *costs, const char *id,
			int64_t start_s)
{
	for (size_t i = 0; i < costs->count; i++) {
		if (costs->cost[i].start_s == start_s &&
		    strcmp(costs->cost[i].id, id) == 0)
			return true;
	}
	return false;
}

/* Has accounting the run that squeue has? A job that was resized runs there since then,
 * and one that has just ended has done so. */
static bool past_has_run(const struct eqt_job_costs *past,
			 const struct eqt_job_cost *live)
{
	for (size_t i = 0; i < past->count && !live->waits; i++) {
		if ((past->cost[i].running ||
		     past->cost[i].start_s == live->start_s) &&
		    strcmp(past->cost[i].id, live->id) == 0)
			return true;
	}
	return false;
}

/* Accounting hears of a start later than squeue, and may have other tasks of an array that
 * wait together: of what has not begun, squeue knows more. */
static bool live_knows(const struct eqt_job_costs *live,
		       const struct eqt_job_cost *past)
{
	const size_t length = strspn(past->id, "0123456789");

	for (size_t i = 0; i < live->count && !past->started; i++) {
		if (strspn(live->cost[i].id, "0123456789") == length &&
		    strncmp(live->cost[i].id, past->id, length) == 0)
			return true;
	}
	return false;
}

/* By their starts; a run that has not begun is the last. */
static int run_compare(const void *a, const void *b)
{
	const int64_t left = ((const struct eqt_job_cost *) a)->start_s;
	const int64_t right = ((const struct eqt_job_cost *) b)->start_s;

	if (!left != !right)
		return left ? -1 : 1;
	return left < right ? -1 : left > right;
}

int eqt_job_costs_join(struct eqt_job_costs *live, struct eqt_job_costs *past,
		       struct eqt_error *err)
{
	struct eqt_job_costs all = {
		.cost = calloc(live->count + past->count + 1,
			       sizeof(*all.cost)),
	};

	if (!all.cost)
		return eqt_error_set(err, "out of memory");
	for (size_t i = 0; i < live->count; i++) {
		if (!past_has_run(past, &live->cost[i]))
			all.cost[all.count++] = live->cost[i];
	}
	for (size_t i = 0; i < past->count; i++) {
		if (!live_knows(live, &past->cost[i]))
			all.cost[all.count++] = past->cost[i];
	}
	eqt_job_costs_free(past);
	eqt_job_costs_free(live);
	*live = all;
	return 0;
}

/* Moves each run behind the earlier ones of its job. Lists are short. */
void eqt_job_costs_order(struct eqt_job_costs *costs)
{
	struct eqt_job_cost *all = costs->cost, moved;
	size_t first, end, i;

	for (first = 0; first < costs->count; first = end) {
		end = first + 1;
		for (i = end; i < costs->count; i++) {
			if (strcmp(all[i].id, all[first].id) != 0)
				continue;
			moved = all[i];
			memmove(&all[end + 1], &all[end],
				(i - end) * sizeof(*all));
			all[end++] = moved;
		}
		qsort(&all[first], end - first, sizeof(*all), run_compare);
		for (i = first; i < end; i++) {
			all[i].run = (unsigned int) (i - first + 1);
			all[i].runs = (unsigned int) (end - first);
		}
	}
}

void eqt_job_costs_free(struct eqt_job_costs *costs)
{
	free(costs->cost);
	*costs = (struct eqt_job_costs){ .count = 0 };
}

/* Charged, with the factors of partition and QOS. 0, or -1: it does not fit. */
int eqt_job_costs_hours(struct eqt_frac *out, const struct eqt_price *price,
			uint64_t seconds)
{
	struct eqt_frac hours;

	if (eqt_frac_make(&hours, seconds, 3600) < 0)
		return -1;
	return eqt_frac_mul(out, price->charge, hours);
}
