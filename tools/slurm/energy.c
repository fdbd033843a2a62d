/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * When a job ends, slurmctld writes the energy of its steps to the job's AllocTRES.
 * sacct's ConsumedEnergyRaw of a job is the same number, so that column is not needed.
 * With PrologFlags=Contain the number is the energy of the extern step alone, which lasts
 * as long as the job. Without Contain the number does not include the batch script.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fraction.h"
#include "cli/alloc.h"
#include "slurm/energy.h"
#include "slurm/text/columns.h"
#include "slurm/text/timestamp.h"
#include "slurm/text/tres_list.h"

#define HOUR 3600
#define HOURS_MAX 1000000 /* a century */
#define FACTOR_MAX (UINT64_C(1000000) * EQT_MICRO)
/* Slurm's special values for "unknown", and the results of counters that ran backwards,
 * are far above this. */
#define JOULES_MAX (UINT64_C(1) << 60)

/* ---- The file --------------------------------------------------------------- */

/* Add an hour. Hours missing in the file before it count as unknown. Returns NULL, or the
 * text of an error. */
static const char *hour_read(struct eqt_energy *energy, const char *utc,
			     const char *factor)
{
	uint64_t factor_u;
	int64_t at_s;

	if (eqt_timestamp_utc_parse(&at_s, utc) < 0 || at_s % HOUR)
		return "utc: expected an hour such as 2026-11-28T13:00:00Z";
	if (eqt_frac_micro_parse(&factor_u, factor) < 0 ||
	    factor_u > FACTOR_MAX)
		return "gco2e_per_kwh: expected a number from 0 to 1000000, "
		       "with at most six decimals";
	if (energy->hours == 0)
		energy->begin_s = at_s;
	at_s = (at_s - energy->begin_s) / HOUR;
	if (at_s < (int64_t) energy->hours || at_s > HOURS_MAX)
		return "utc: expected a later hour than in the line before";
	while ((int64_t) energy->hours <= at_s) {
		EQT_ALLOC_ROOM(energy->hour_u, energy->hours);
		energy->hour_u[energy->hours++] = UINT64_MAX;
	}
	energy->hour_u[at_s] = factor_u;
	return NULL;
}

static int intensity_rows_read(struct eqt_energy *energy,
			       const struct eqt_columns *table,
			       struct eqt_error *err)
{
	const size_t utc = eqt_columns_find(table, "utc", err);
	const size_t factor =
		utc == EQT_COLUMNS_NONE
			? EQT_COLUMNS_NONE
			: eqt_columns_find(table, "gco2e_per_kwh", err);
	const char *why = NULL;

	if (factor == EQT_COLUMNS_NONE)
		return -1;
	for (size_t row = 0; row < table->rows && !why; row++) {
		why = hour_read(energy, eqt_columns_cell(table, row, utc),
				eqt_columns_cell(table, row, factor));
		if (why)
			(void) eqt_error_set(err, "%s: line %zu: %s",
					     energy->path,
					     table->lines[row + 1], why);
	}
	return why ? -1 : 0;
}

static int intensity_file_read(struct eqt_energy *energy, struct eqt_error *err)
{
	struct eqt_columns table;
	int rc;

	if (eqt_columns_read(&table, EQT_COLUMNS_CSV, energy->path, NULL, err) <
	    0)
		return -1;
	rc = table.rows > 0 ? intensity_rows_read(energy, &table, err)
			    : eqt_error_set(err, "%s: no rows", energy->path);
	eqt_columns_free(&table);
	return rc;
}

int eqt_energy_open(struct eqt_energy *out, const struct eqt_conf *conf,
		    struct eqt_error *err)
{
	*out = (struct eqt_energy){ .factor_u = conf->carbon_intensity_u };
	memcpy(out->path, conf->carbon_intensity_file, sizeof(out->path));
	if (out->path[0] == '\0' || intensity_file_read(out, err) == 0)
		return 0;
	eqt_energy_free(out);
	return -1;
}

void eqt_energy_free(struct eqt_energy *energy)
{
	free(energy->hour_u);
	*energy = (struct eqt_energy){ .hours = 0 };
}

/* ---- Jobs ------------------------------------------------------------------- */

/* The mean power of a run. 0 if the run has not ended or has no recorded energy. */
static long double job_watts(const struct eqt_sacct_job *job)
{
	const uint64_t joules =
		eqt_tres_list_amount(job->text[EQT_SACCT_TRES], "energy");

	return job->ended && joules <= JOULES_MAX
		       ? (long double) joules /
				 (long double) (job->end_s - job->start_s)
		       : 0;
}

/* The carbon intensity at a time, or UINT64_MAX if it is not known. */
static uint64_t energy_factor(const struct eqt_energy *energy, int64_t at_s)
{
	const int64_t hour = (at_s - energy->begin_s) / HOUR;

	if (energy->path[0] == '\0')
		return energy->factor_u ? energy->factor_u : UINT64_MAX;
	return at_s < energy->begin_s || hour >= (int64_t) energy->hours
		       ? UINT64_MAX
		       : energy->hour_u[hour];
}

bool eqt_energy_next(struct eqt_energy_piece *piece,
		     const struct eqt_energy *energy,
		     const struct eqt_sacct_job *job, int64_t to_s)
{
	const int64_t from_s = piece->until_s;
	const int64_t hour_s = from_s - from_s % HOUR + HOUR;
	const uint64_t factor_u = energy_factor(energy, from_s);

	*piece = (struct eqt_energy_piece){
		.from_s = from_s,
		.until_s = energy->path[0] && hour_s < to_s ? hour_s : to_s,
		.watts = job_watts(job),
		.known = factor_u != UINT64_MAX,
	};
	if (piece->known)
		piece->grams = piece->watts / EQT_ENERGY_KWH *
			       (long double) factor_u / (long double) EQT_MICRO;
	return piece->watts > 0 && piece->until_s > from_s;
}

void eqt_energy_add(struct eqt_energy_sum *sum,
		    const struct eqt_energy_piece *piece)
{
	const long double seconds =
		(long double) (piece->until_s - piece->from_s);

	sum->joules += piece->watts * seconds;
	sum->grams += piece->grams * seconds;
	if (piece->known)
		return;
	sum->unknown += piece->watts * seconds;
	if (sum->first_s == 0 || piece->from_s < sum->first_s)
		sum->first_s = piece->from_s - piece->from_s % HOUR;
}

void eqt_energy_add_sum(struct eqt_energy_sum *sum,
			const struct eqt_energy_sum *more)
{
	sum->joules += more->joules;
	sum->grams += more->grams;
	sum->unknown += more->unknown;
	if (more->first_s &&
	    (sum->first_s == 0 || more->first_s < sum->first_s))
		sum->first_s = more->first_s;
}

double eqt_energy_kwh(const struct eqt_energy_sum *sum)
{
	return (double) (sum->joules / EQT_ENERGY_KWH);
}

char *eqt_energy_words(char buf[EQT_ENERGY_WORDS],
		       const struct eqt_energy *energy,
		       const struct eqt_energy_sum *sum)
{
	char hour[32];

	buf[0] = '\0';
	if (sum->unknown > 0 && energy->path[0] == '\0')
		(void) snprintf(buf, EQT_ENERGY_WORDS,
				"equitree.conf has no carbon intensity.\n");
	else if (sum->unknown > 0)
		(void) snprintf(
			buf, EQT_ENERGY_WORDS,
			"No CO2e is counted for %.4Lf kWh of hours that\n%s\n"
			"lacks: the first is %s.\n",
			sum->unknown / EQT_ENERGY_KWH, energy->path,
			eqt_timestamp_utc(hour, sizeof(hour), sum->first_s));
	return buf;
}
