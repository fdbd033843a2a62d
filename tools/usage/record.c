/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Each line is a stretch at one price, which was charged as it says: no price is worked out
 * here, and nothing of the present configuration but the names of pools counts. Memory grows
 * with the jobs that run, never with those that ended.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/names.h"
#include "slurm/charges_folder.h"
#include "usage/record.h"

/* A stretch that goes on, until the record has more of its run. */
struct open_stretch {
	const char *name; /* job and start */
	struct eqt_charge_record record;
	bool replaced;
};

struct record_sum {
	struct eqt_year_sum *sum;
	const struct eqt_year_period *period;
	const struct eqt_conf *conf;
	struct eqt_charges_read read;
	struct eqt_names open;
	int64_t begin_s; /* INT64_MAX: no line */
	uint64_t first; /* number of its first line */
	bool weights; /* so plain GPUs cannot be told */
};

/* ---- The folder ----------------------------------------------------------- */

/* Comments and resources are in accounting alone. */
static bool options_need_accounting(const struct eqt_year_options *options)
{
	size_t i;

	for (i = 0; i < options->key_count; i++) {
		if (eqt_year_key_needs(options->keys[i]) != 0 &&
		    options->keys[i] != EQT_YEAR_BY_CLUSTER)
			return true;
	}
	return options->raw || options->reprice;
}

void eqt_year_record_folder(char folder[EQT_CHARGES_FOLDER],
			    const struct eqt_year_options *options,
			    const struct eqt_conf *conf)
{
	folder[0] = '\0';
	if (options_need_accounting(options))
		return;
	eqt_charges_folder(folder, options->charges,
			   options->job_files > 0 ? NULL : conf);
}

/* ---- Lines ---------------------------------------------------------------- */

/* The rates of a line. Slurm's UsageFactor does not count, as in billing. */
static void line_rate(const struct record_sum *record_sum,
		      struct eqt_year_rate *out,
		      const struct eqt_charge_record *record)
{
	const double charge = record->rate / (double) record->unit;
	const double money = charge * (double) record->money_u / 1e6;
	const bool gpus = record->pool == 'g';

	*out = (struct eqt_year_rate){ .source = EQT_COST_RECORD };
	out->of[gpus ? EQT_YEAR_RGU : EQT_YEAR_CORE] = charge;
	if (gpus && !record_sum->weights)
		out->of[EQT_YEAR_GPU] = charge;
	out->of[gpus ? EQT_YEAR_GPU_MONEY : EQT_YEAR_CORE_MONEY] = money;
}

/* A line in the words of sacct: the sum knows jobs by these. */
static void line_job(struct eqt_sacct_job *out, char id[32],
		     const struct eqt_charge_record *record,
		     const char *cluster)
{
	size_t i;

	for (i = 0; i < EQT_SACCT_COLUMNS; i++)
		out->text[i] = "";
	(void) snprintf(id, 32, "%" PRIu32, record->job_id);
	out->text[EQT_SACCT_ID] = id;
	out->text[EQT_SACCT_CLUSTER] = cluster;
	out->text[EQT_SACCT_ACCOUNT] = record->account;
	out->text[EQT_SACCT_USER] = record->user;
	out->text[EQT_SACCT_PARTITION] = record->partition;
	out->text[EQT_SACCT_QOS] = record->qos;
	out->start_s = record->start;
	out->end_s = record->to;
	out->ended = record->kind != EQT_CHARGE_OPEN;
	out->line = 0;
}

/* Add a line, cut to the period. A run counts with the line that ends it. */
static int charge_add(struct record_sum *with,
		      const struct eqt_charge_record *record)
{
	const struct eqt_year_period *period = with->period;
	struct eqt_year_rate rate;
	struct eqt_sacct_job job;
	char id[32];
	struct eqt_year_part part = {
		.job = &job,
		.rate = &rate,
		.active = 1,
		.from_s = record->from + (int64_t) record->idle_s,
		.until_s = record->to,
		.new = record->kind == EQT_CHARGE_END ||
		       record->kind == EQT_CHARGE_LOST ||
		       record->kind == EQT_CHARGE_OPEN,
		.back = record->factor < 0,
	};
	int unit;

	if (part.from_s < period->from_s)
		part.from_s = period->from_s;
	if (part.until_s > period->seen_s)
		part.until_s = period->seen_s;
	if (part.from_s >= part.until_s)
		return 0;
	line_rate(with, &rate, record);
	line_job(&job, id, record, with->read.cluster);
	part.more = !part.new;
	for (unit = 0; unit < EQT_YEAR_UNITS; unit++)
		part.of[unit] =
			eqt_year_amount_of_rate((long double) rate.of[unit]);
	return eqt_year_sum_add_part(with->sum, with->conf, &part);
}

/* The key of a run in the table of those that go on. */
static void open_key(char key[48], const struct eqt_charge_record *record)
{
	(void) snprintf(key, 48, "%" PRIu32 " %" PRId64, record->job_id,
			record->start);
}

/* A visitor of "open". Returns 1 where memory is short. */
static int stretch_take(const struct eqt_charge_record *record, void *arg)
{
	struct record_sum *with = arg;
	struct open_stretch *open;
	char key[48];

	open_key(key, record);
	open = eqt_names_get(&with->open, key, sizeof(*open), NULL);
	if (!open)
		return 1;
	open->record = *record;
	return 0;
}

/* A visitor of the days. */
static int charge_take(const struct eqt_charge_record *record, void *arg)
{
	struct record_sum *with = arg;
	struct open_stretch *open;
	char key[48];

	if (record->kind == EQT_CHARGE_RESET)
		return 0;
	if (record->to < with->begin_s)
		with->begin_s = record->to;
	if (!with->first)
		with->first = record->number;
	if (with->open.count > 0) {
		open_key(key, record);
		open = eqt_names_find(&with->open, key);
		if (open && record->to > open->record.from)
			open->replaced = true;
	}
	return charge_add(with, record) < 0;
}

/* ---- All ------------------------------------------------------------------ */

/* "open" first: a run that ends meanwhile is in the record then, and replaces its stretch. */
static int folder_read(struct record_sum *with, const char *folder,
		       const char *first_day, struct eqt_error *err)
{
	struct open_stretch **open;
	struct eqt_charges_read read;
	size_t i;
	int rc = eqt_charges_read_open(&read, folder, stretch_take, with, err);

	if (rc == 0)
		rc = eqt_charges_read_folder(&with->read, folder, first_day,
					     NULL, charge_take, with, err);
	open = (void *) with->open.list;
	for (i = 0; i < with->open.count && rc == 0; i++) {
		if (!open[i]->replaced)
			rc = charge_add(with, &open[i]->record) < 0;
	}
	if (rc > 0)
		return eqt_error_set(err, "out of memory");
	if (rc == 0 && with->read.damaged > 0)
		return eqt_error_set(err, "%.400s", with->read.note[0].text);
	return rc;
}

/* A run is in the file of its end or a later one, so that those before the period have
 * nothing of it. */
int eqt_year_record_add(struct eqt_year_sum *sum, int64_t *begin_s,
			const char *folder,
			const struct eqt_year_period *period,
			const struct eqt_conf *conf, struct eqt_error *err)
{
	struct record_sum with = {
		.sum = sum,
		.period = period,
		.conf = conf,
		.begin_s = INT64_MAX,
		.weights = eqt_year_has_weights(&conf->prices),
	};
	char day[EQT_YEAR_TEXT];
	int rc = folder_read(&with, folder,
			     eqt_year_day_text(period->from_s, day), err);

	*begin_s = with.begin_s;
	/* Lines of the days before are there as well. */
	if (with.first > 1 && strcmp(with.read.first_day, day) == 0)
		*begin_s = period->from_s;
	eqt_names_free(&with.open);
	return rc;
}
