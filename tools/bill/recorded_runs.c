/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The cost of runs according to the record of charges. Reading begins with the day on
 * which the first of the runs began, because a run is in the file of the day of its end
 * or of a later day. A run that still goes on is in the file "open", up to the last
 * pass. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/whole.h"
#include "bill/recorded_runs.h"
#include "cli/alloc.h"
#include "slurm/charges.h"
#include "slurm/text/timestamp.h"

/* A run that is searched for, or another run of the same job. */
struct sought {
	const char *name; /* the job and its start */
	struct sought *next; /* the next run of the job */
	struct eqt_charge_record last; /* the latest of its lines */
	double amount; /* equivalents times seconds */
	double refunded; /* "amount" after UsageFactor */
	double seconds;
	struct eqt_energy_sum energy; /* energy of its rows */
	/* row in the list, from 1; 0: neither accounting nor squeue has it */
	size_t row;
	char job[16], id[32]; /* texts of a run that is added to the list */
};

/* A job of the list, or a job that only the record has. */
struct sought_job {
	const char *name;
	/* as in the list; NULL: the list does not have the job */
	const char *id, *user;
	struct sought *runs;
};

/* The job with this number, which is added if it is missing. */
static struct sought_job *recorded_job(struct eqt_recorded_runs *recorded,
				       const char *job)
{
	return eqt_names_get(&recorded->jobs, job, sizeof(struct sought_job),
			     NULL);
}

/* The run of a job with this start, which is added if it is missing. */
static struct sought *recorded_run(struct eqt_recorded_runs *recorded,
				   const char *job, int64_t start_s)
{
	struct sought_job *of = recorded_job(recorded, job);
	struct sought *run;
	char key[64];
	int is_new;

	(void) snprintf(key, sizeof(key), "%.20s %" PRId64, job, start_s);
	run = eqt_names_get(&recorded->runs, key, sizeof(*run), &is_new);
	if (is_new) {
		run->next = of->runs;
		of->runs = run;
	}
	return run;
}

/* Add a line of the record. As in billing, UsageFactor does not count. */
static void sought_add(struct sought *run,
		       const struct eqt_charge_record *record)
{
	const double seconds =
		(double) (record->to - record->from) - (double) record->idle_s;
	const double amount = record->rate / (double) record->unit * seconds;

	if (record->kind == EQT_CHARGE_REFUND) {
		run->refunded -= record->factor * amount;
		return;
	}
	run->amount += amount;
	run->seconds += seconds;
	run->last = *record;
}

/* A visitor for eqt_charges_read_runs(). */
static int sought_take(const struct eqt_charge_record *record, void *with)
{
	struct eqt_recorded_runs *recorded = with;
	char job[16];

	(void) snprintf(job, sizeof(job), "%" PRIu32, record->job_id);
	if (recorded->user ? strcmp(record->user, recorded->user) != 0
			   : !eqt_names_find(&recorded->jobs, job))
		return 0;
	sought_add(recorded_run(recorded, job, record->start), record);
	return 0;
}

/* Give a cost the price of its run, which is the mean over the seconds of the run. The
 * rate in money is that of the run's time. */
static void cost_take(struct eqt_job_cost *cost, const struct sought *run)
{
	static const struct {
		char letter;
		enum eqt_resource is;
	} resources[] = {
		{ EQT_CHARGE_BY_CORES, EQT_CORES },
		{ EQT_CHARGE_BY_MEMORY, EQT_MEMORY },
		{ EQT_CHARGE_BY_GPUS, EQT_GPUS },
		{ EQT_CHARGE_BY_DISK, EQT_DISK },
		{ EQT_CHARGE_BY_NODES, EQT_NODES },
	};
	const double factor = run->last.factor > 0 ? run->last.factor : 1;
	const double mean =
		(run->amount - run->refunded / factor) / run->seconds;
	struct eqt_price *price = &cost->price;
	struct eqt_frac charge;

	/* Because of rounding, a refund may exceed the charge a little. */
	if (!(mean > -1e-6 && mean < 1e12) ||
	    eqt_frac_make(&charge, (uint64_t) llround(fabs(mean) * EQT_MICRO),
			  EQT_MICRO) < 0)
		return;
	cost->source = EQT_COST_RECORD;
	cost->started = true;
	cost->priced = true;
	cost->uncertain = false;
	cost->seconds = (uint64_t) run->seconds;
	cost->unit = price->unit ? *price->unit
				 : (struct eqt_unit){ .rate_u = 0 };
	cost->unit.rate_u = run->last.money_u;
	(void) snprintf(cost->unit.currency, sizeof(cost->unit.currency),
			"%.*s", (int) sizeof(cost->unit.currency) - 1,
			run->last.currency);
	if (eqt_frac_cmp(price->charge, charge) != 0 || !cost->explained) {
		price->equivalents = charge;
		price->apart = 0; /* the parts of today's price do not apply */
	}
	price->charge = charge;
	price->unit = &cost->unit;
	price->gpu_pool = run->last.pool == 'g';
	price->minimum = run->last.decided == EQT_CHARGE_BY_MINIMUM;
	cost->explained = run->last.decided != EQT_CHARGE_BY_SLURM;
	for (size_t i = 0; i < sizeof(resources) / sizeof(*resources); i++)
		if (run->last.decided == resources[i].letter)
			price->dominant = resources[i].is;
}

/* Collect the jobs and runs that are searched for, and find the earliest time for which
 * lines are needed. */
static void sought_note(struct eqt_recorded_runs *recorded, int64_t *first_s,
			const struct eqt_job_costs *costs)
{
	*first_s = recorded->user ? recorded->since_s : INT64_MAX;
	for (size_t i = 0; i < costs->count; i++) {
		const struct eqt_job_cost *cost = &costs->cost[i];
		struct sought_job *job = recorded_job(recorded, cost->job);

		job->id = cost->id;
		job->user = cost->user;
		if (cost->start_s == 0 || cost->waits)
			continue;
		(void) recorded_run(recorded, cost->job, cost->start_s);
		*first_s = eqt_whole_earlier(*first_s, cost->start_s);
	}
}

/* Does a row of the list belong to this run, or to a part of it with another size? After
 * a kill slurmctld may give the same id to a job of another user. */
static bool run_has(const struct sought *run, const struct eqt_job_cost *cost)
{
	const struct eqt_charge_record *last = &run->last;

	return run->seconds > 0 &&
	       (!last->user[0] || strcmp(last->user, cost->user) == 0) &&
	       (cost->start_s == last->start ||
		(cost->start_s > last->start && cost->start_s < last->to));
}

/* The run to which a row of the list belongs, or NULL. */
static struct sought *run_of_cost(const struct eqt_recorded_runs *recorded,
				  const struct eqt_job_cost *cost)
{
	const struct sought_job *job =
		eqt_names_find(&recorded->jobs, cost->job);
	struct sought *run = job->runs;

	if (cost->start_s == 0 || cost->waits)
		return NULL;
	while (run && !run_has(run, cost))
		run = run->next;
	return run;
}

/* Accounting has a row for each size of a resized run, but the record has one run. Keep
 * the last row, which has the final state. */
static void costs_join_sizes(struct eqt_job_costs *costs,
			     const struct eqt_recorded_runs *recorded)
{
	size_t kept = 0;

	for (size_t i = 0; i < costs->count; i++) {
		const struct eqt_job_cost *cost = &costs->cost[i];
		struct sought *run = run_of_cost(recorded, cost);

		if (!run)
			continue;
		if (!run->row || strcmp(cost->state, "RESIZING") != 0)
			run->row = i + 1;
		eqt_energy_add_sum(&run->energy, &cost->energy);
	}
	for (size_t i = 0; i < costs->count; i++) {
		struct eqt_job_cost *cost = &costs->cost[i];
		const struct sought *run = run_of_cost(recorded, cost);

		if (run && run->row != i + 1)
			continue;
		if (run) {
			cost->start_s = run->last.start;
			cost->energy = run->energy;
		}
		costs->cost[kept++] = *cost;
	}
	costs->count = kept;
}

/* Make a cost for a run that only the record has. */
static void cost_make_lost(struct eqt_job_cost *out, struct sought *run)
{
	const struct eqt_charge_record *last = &run->last;

	(void) snprintf(run->job, sizeof(run->job), "%" PRIu32, last->job_id);
	if (last->array_job_id)
		(void) snprintf(run->id, sizeof(run->id),
				"%" PRIu32 "_%" PRIu32, last->array_job_id,
				last->array_task_id);
	else
		(void) snprintf(run->id, sizeof(run->id), "%s", run->job);
	*out = (struct eqt_job_cost){
		.job = run->job,
		.id = run->id,
		.user = last->user,
		.account = last->account,
		.partition = last->partition,
		.state = "UNKNOWN",
		.start_s = last->start,
		.started = true,
	};
}

/* Add the runs that accounting lacks. Either slurmctld was killed before it reported
 * their start, or they were requeued in the same second in which they began. */
static void costs_add_lost(struct eqt_job_costs *costs,
			   const struct eqt_recorded_runs *recorded)
{
	struct sought **run = (void *) recorded->runs.list;
	struct eqt_job_cost *all = eqt_alloc(
		costs->count + recorded->runs.count + 1, sizeof(*all));

	memcpy(all, costs->cost, costs->count * sizeof(*all));
	free(costs->cost);
	costs->cost = all;
	for (size_t i = 0; i < recorded->runs.count; i++) {
		struct eqt_job_cost *lost = &all[costs->count];
		const struct sought_job *job;

		if (run[i]->row || run[i]->seconds <= 0 ||
		    run[i]->last.to <= recorded->since_s)
			continue;
		cost_make_lost(lost, run[i]);
		job = eqt_names_find(&recorded->jobs, lost->job);
		/* After a kill slurmctld may give the same id to a second job. */
		if (job->user && strcmp(lost->user, job->user) != 0)
			continue;
		/* Accounting has another name for a component of a heterogeneous job. */
		if (job->id)
			lost->id = job->id;
		costs->count++;
	}
}

int eqt_recorded_runs_take(struct eqt_recorded_runs *recorded,
			   struct eqt_job_costs *costs, const char *folder,
			   struct eqt_error *err)
{
	struct eqt_charges_read read;
	const struct sought *run;
	char day[EQT_TIMESTAMP_DAY];
	int64_t first_s;
	int rc = 0;

	sought_note(recorded, &first_s, costs);
	if (recorded->user || recorded->runs.count > 0) {
		(void) eqt_timestamp_day(first_s, day);
		rc = eqt_charges_read_runs(&read, folder, day, sought_take,
					   recorded, err);
	}
	if (rc == 0) {
		costs_join_sizes(costs, recorded);
		costs_add_lost(costs, recorded);
		eqt_job_costs_order(costs);
	}
	for (size_t i = 0; i < costs->count && rc == 0; i++) {
		run = run_of_cost(recorded, &costs->cost[i]);
		if (run)
			cost_take(&costs->cost[i], run);
	}
	return rc;
}

void eqt_recorded_runs_free(struct eqt_recorded_runs *recorded)
{
	eqt_names_free(&recorded->runs);
	eqt_names_free(&recorded->jobs);
}
