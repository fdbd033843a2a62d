/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The record is read from the day on which the first of the runs began: a run is in the file
 * of its end, or of a later day. One that goes on is in "open", up to the last pass. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bill/record_cost.h"
#include "cli/names.h"
#include "slurm/charges.h"
#include "slurm/text/timestamp.h"

#define KEY 64

/* A run that is sought. */
struct sought {
	const char *name; /* job and start */
	struct eqt_job_cost *cost;
	struct eqt_charge_record last; /* the latest of its lines */
	double amount; /* equivalents times seconds */
	double seconds;
	bool found;
};

/* The key of a run. */
static void sought_key(char key[KEY], const char *job, int64_t start_s)
{
	(void) snprintf(key, KEY, "%.20s %" PRId64, job, start_s);
}

static struct sought *sought_find(const struct eqt_names *names,
				  const struct eqt_charge_record *record)
{
	char job[16], key[KEY];

	(void) snprintf(job, sizeof(job), "%" PRIu32, record->job_id);
	sought_key(key, job, record->start);
	return eqt_names_find(names, key);
}

/* Add a line. UsageFactor does not count, as in billing. */
static void sought_add(struct sought *run,
		       const struct eqt_charge_record *record)
{
	const double seconds =
		(double) (record->to - record->from) - (double) record->idle_s;
	const double amount = record->rate / (double) record->unit * seconds;

	run->found = true;
	run->amount += record->factor < 0 ? -amount : amount;
	if (record->kind == EQT_CHARGE_REFUND)
		return;
	run->seconds += seconds;
	run->last = *record;
}

/* A visitor of the days. */
static int sought_take(const struct eqt_charge_record *record, void *names)
{
	struct sought *run = record->kind == EQT_CHARGE_RESET
				     ? NULL
				     : sought_find(names, record);

	if (run)
		sought_add(run, record);
	return 0;
}

/* A visitor of "open", which is read last: what has ended since then is in the days. */
static int sought_take_open(const struct eqt_charge_record *record, void *names)
{
	struct sought *run = sought_find(names, record);

	if (run && !(run->found && run->last.to > record->from))
		sought_add(run, record);
	return 0;
}

/* The price of a run is the mean over its seconds; its unit has the money of that day. */
static void cost_take(struct eqt_job_cost *cost, const struct sought *run)
{
	static const char letters[] = { EQT_CHARGE_BY_CORES,
					EQT_CHARGE_BY_MEMORY,
					EQT_CHARGE_BY_GPUS, EQT_CHARGE_BY_DISK,
					EQT_CHARGE_BY_NODES };
	const double mean = run->amount / run->seconds;
	struct eqt_price *price = &cost->price;
	struct eqt_frac charge;
	size_t i;

	if (!(mean >= 0 && mean < 1e12) ||
	    eqt_frac_make(&charge, (uint64_t) llround(mean * EQT_MICRO),
			  EQT_MICRO) < 0)
		return;
	cost->source = EQT_COST_RECORD;
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
		price->apart = 0; /* its parts were others */
	}
	price->charge = charge;
	price->unit = &cost->unit;
	price->gpu_pool = run->last.pool == 'g';
	price->minimum = run->last.decided == EQT_CHARGE_BY_MINIMUM;
	cost->explained = run->last.decided != EQT_CHARGE_BY_SLURM;
	for (i = 0; i < sizeof(letters); i++) {
		static const enum eqt_resource resources[] = {
			EQT_CORES, EQT_MEMORY, EQT_GPUS, EQT_DISK, EQT_NODES
		};

		if (run->last.decided == letters[i])
			price->dominant = resources[i];
	}
}

/* Note the runs that are sought, and when the first began. */
static int sought_note(struct eqt_names *names, int64_t *first_s,
		       struct eqt_job_costs *costs)
{
	struct sought *run;
	char key[KEY];
	size_t i;

	*first_s = INT64_MAX;
	for (i = 0; i < costs->count; i++) {
		struct eqt_job_cost *cost = &costs->cost[i];

		if (cost->start_s == 0 || cost->waits)
			continue;
		sought_key(key, cost->job, cost->start_s);
		run = eqt_names_get(names, key, sizeof(*run), NULL);
		if (!run)
			return -1;
		run->cost = cost;
		if (cost->start_s < *first_s)
			*first_s = cost->start_s;
	}
	return 0;
}

int eqt_record_costs_take(struct eqt_job_costs *costs, const char *folder,
			  struct eqt_error *err)
{
	struct eqt_names names = { .count = 0 };
	struct eqt_charges_read read;
	char day[EQT_TIMESTAMP_DAY];
	struct sought **run;
	int64_t first_s;
	size_t i;
	int rc = 0;

	if (sought_note(&names, &first_s, costs) < 0)
		rc = eqt_error_set(err, "out of memory");
	if (rc == 0 && names.count > 0) {
		(void) eqt_timestamp_day(first_s, day);
		rc = eqt_charges_read_folder(&read, folder, day, NULL,
					     sought_take, &names, err);
		if (rc == 0)
			rc = eqt_charges_read_open(
				&read, folder, sought_take_open, &names, err);
	}
	run = (void *) names.list;
	for (i = 0; i < names.count && rc == 0; i++) {
		if (run[i]->found && run[i]->seconds > 0)
			cost_take(run[i]->cost, run[i]);
	}
	eqt_names_free(&names);
	return rc;
}
