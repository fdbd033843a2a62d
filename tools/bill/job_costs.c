/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sacct lists the steps of a job after the job. Steps have the memory that was used, and
 * the job has the CPU time. Each run of a requeued job has a row of its own.
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/whole.h"
#include "bill/job_costs.h"
#include "slurm/text/duration.h"
#include "cli/alloc.h"
#include "cli/json.h"
#include "cli/names.h"
#include "cli/print.h"
#include "cli/table.h"

/* ---- Job costs ------------------------------------------------------------ */

#define MIB UINT64_C(1048576)

/* Read MaxRSS in MiB, rounded up. sacct prints "1908K" or, with --noconvert, bytes.
 * Returns false if it is not known. */
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

/* Is the row a step of the job with this id? Steps are "7.batch", "7.extern" and
 * "7.0". */
static bool row_is_step_of(const struct eqt_sacct *sacct, size_t row,
			   const char *id)
{
	const char *text = eqt_sacct_cell(sacct, row, EQT_SACCT_ID);
	const size_t length = strlen(id);

	return strncmp(text, id, length) == 0 && text[length] == '.';
}

/* Find the largest memory of all steps. All tasks of a step count with the memory of its
 * largest task. */
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

/* Price a request for the cores and the memory that the job really used, with its GPUs.
 * The number of cores is the CPU time divided by the wall time, rounded up, and at least
 * one. */
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
	eqt_whole_lower(&fit.cores, cost->fit_cores);
	eqt_whole_lower(&fit.mem_mib, mem_mib);
	cost->fit_cores = fit.cores;
	cost->fit_mem_mib = fit.mem_mib;
	cost->has_fit = eqt_cost_demand(&cost->fit, &uncertain, &charge->prices,
					&fit, NULL) == 0;
}

/* The time limit in seconds. UNLIMITED and Partition_Limit count as 0, no limit.
 * TimelimitRaw is in minutes. */
static uint64_t limit_read(const char *text)
{
	char *end;
	uint64_t minutes = strtoull(text, &end, 10);

	return text[0] == '\0' || *end != '\0' || minutes > UINT32_MAX
		       ? 0
		       : minutes * 60;
}

void eqt_job_costs_take(struct eqt_job_cost *out, const struct eqt_cost *charge,
			bool priced)
{
	out->priced = priced;
	out->price = charge->price;
	out->explained = charge->explained;
	out->source = charge->source;
	out->uncertain = charge->uncertain;
}

/* Compute the cost of a row that is a job. Texts are borrowed from the list of sacct. */
static int cost_make(struct eqt_job_cost *out, const struct eqt_sacct *sacct,
		     size_t row, const struct eqt_job_pricer *pricer,
		     const struct eqt_energy *energy, struct eqt_error *err)
{
	struct eqt_cost charge;
	struct eqt_sacct_job job;
	int rc = eqt_sacct_job(&job, sacct, row, err);
	struct eqt_energy_piece piece;

	if (rc < 0)
		return -1;
	/* For a moment sacct has the start of a job while it still lists the job as
	 * waiting. */
	if (strcmp(job.text[EQT_SACCT_STATE], "PENDING") == 0) {
		job.start_s = 0;
		rc = 0;
	}
	*out = (struct eqt_job_cost){
		.job = job.text[EQT_SACCT_ID],
		.id = job.text[EQT_SACCT_NAME][0] ? job.text[EQT_SACCT_NAME]
						  : job.text[EQT_SACCT_ID],
		.user = job.text[EQT_SACCT_USER],
		.account = job.text[EQT_SACCT_ACCOUNT],
		.partition = job.text[EQT_SACCT_PARTITION],
		.state = job.text[EQT_SACCT_STATE],
		.start_s = job.start_s,
		.started = rc > 0,
		.limit_s = limit_read(job.text[EQT_SACCT_LIMIT]),
	};
	if (rc == 0)
		return 0;
	out->running = strcmp(out->state, "RUNNING") == 0 ||
		       strcmp(out->state, "SUSPENDED") == 0;
	piece.until_s = job.start_s;
	while (eqt_energy_next(&piece, energy, &job, job.end_s))
		eqt_energy_add(&out->energy, &piece);
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
		       const struct eqt_energy *energy, struct eqt_error *err)
{
	*out = (struct eqt_job_costs){
		.cost = eqt_alloc(sacct->rows + 1, sizeof(*out->cost)),
	};
	for (size_t row = 0; row < sacct->rows; row++) {
		/* The id of a step has a dot. */
		if (strchr(eqt_sacct_cell(sacct, row, EQT_SACCT_ID), '.'))
			continue;
		if (cost_make(&out->cost[out->count], sacct, row, pricer,
			      energy, err) < 0) {
			eqt_job_costs_free(out);
			return -1;
		}
		out->count++;
	}
	return 0;
}

/* Sort by start. A run that has not begun comes last. */
static int run_compare(const void *a, const void *b)
{
	const int64_t left = ((const struct eqt_job_cost *) a)->start_s;
	const int64_t right = ((const struct eqt_job_cost *) b)->start_s;

	if (!left != !right)
		return left ? -1 : 1;
	return left < right ? -1 : left > right;
}

/* The runs of a job, found by its printed id. They stand next to each other. */
struct job_runs {
	const char *name;
	size_t count, end;
};

/* Move the runs of each job together. Jobs stay in the order of their first runs. */
static void costs_group(struct eqt_job_costs *costs, struct eqt_names *jobs)
{
	struct eqt_job_cost *all = eqt_alloc(costs->count + 1, sizeof(*all));
	struct job_runs *runs;
	size_t end = 0;

	for (size_t i = 0; i < costs->count; i++) {
		runs = eqt_names_get(jobs, costs->cost[i].id, sizeof(*runs),
				     NULL);
		runs->count++;
	}
	for (size_t i = 0; i < jobs->count; i++) {
		runs = jobs->list[i];
		runs->end = end;
		end += runs->count;
	}
	for (size_t i = 0; i < costs->count; i++) {
		runs = eqt_names_find(jobs, costs->cost[i].id);
		all[runs->end++] = costs->cost[i];
	}
	free(costs->cost);
	costs->cost = all;
}

/* Does accounting have this run of squeue's list? In accounting a resized job has the
 * start of its new size, and a job that has just ended may no longer be running. In its
 * first second a run has taken no time there, and squeue knows more (live_knows()). */
static bool past_has_run(const struct eqt_job_costs *past,
			 const struct eqt_names *jobs,
			 const struct eqt_job_cost *live)
{
	const struct job_runs *runs =
		live->waits ? NULL : eqt_names_find(jobs, live->id);

	for (size_t i = runs ? runs->end - runs->count : 0;
	     runs && i < runs->end; i++)
		if (past->cost[i].started &&
		    (past->cost[i].running ||
		     past->cost[i].start_s == live->start_s))
			return true;
	return false;
}

/* The number of a job, or of its array. The caller frees it with free(). */
static char *cost_number(const struct eqt_job_cost *cost)
{
	return eqt_alloc_part(cost->id, strspn(cost->id, "0123456789"));
}

/* Does squeue list this waiting job? If so, squeue knows more, because accounting learns
 * of a start later, and may combine other waiting tasks of an array. */
static bool live_knows(const struct eqt_names *numbers,
		       const struct eqt_job_cost *past)
{
	char *number = cost_number(past);
	const bool knows = !past->started && eqt_names_find(numbers, number);

	free(number);
	return knows;
}

void eqt_job_costs_join(struct eqt_job_costs *live, struct eqt_job_costs *past)
{
	struct eqt_names jobs = { .count = 0 }, numbers = { .count = 0 };
	struct eqt_job_costs all = {
		.cost = eqt_alloc(live->count + past->count + 1,
				  sizeof(*all.cost)),
	};

	costs_group(past, &jobs);
	for (size_t i = 0; i < live->count; i++) {
		char *number = cost_number(&live->cost[i]);

		(void) eqt_names_text(&numbers, number);
		free(number);
		if (!past_has_run(past, &jobs, &live->cost[i]))
			all.cost[all.count++] = live->cost[i];
	}
	for (size_t i = 0; i < past->count; i++) {
		if (!live_knows(&numbers, &past->cost[i]))
			all.cost[all.count++] = past->cost[i];
	}
	eqt_names_free(&jobs);
	eqt_names_free(&numbers);
	eqt_job_costs_free(past);
	eqt_job_costs_free(live);
	*live = all;
}

void eqt_job_costs_order(struct eqt_job_costs *costs)
{
	struct eqt_names jobs = { .count = 0 };

	costs_group(costs, &jobs);
	for (size_t i = 0; i < jobs.count; i++) {
		const struct job_runs *runs = jobs.list[i];
		struct eqt_job_cost *first =
			&costs->cost[runs->end - runs->count];

		qsort(first, runs->count, sizeof(*first), run_compare);
		for (size_t run = 0; run < runs->count; run++) {
			first[run].run = (unsigned int) (run + 1);
			first[run].runs = (unsigned int) runs->count;
		}
	}
	eqt_names_free(&jobs);
}

void eqt_job_costs_free(struct eqt_job_costs *costs)
{
	free(costs->cost);
	*costs = (struct eqt_job_costs){ .count = 0 };
}

/* Compute the equivalent-hours of a price for some seconds, with the factors of partition
 * and QOS. Returns 0, or -1 with *out unchanged if the result does not fit. */
static int job_costs_hours(struct eqt_frac *out, const struct eqt_price *price,
			   uint64_t seconds)
{
	struct eqt_frac hours;

	if (eqt_frac_make(&hours, seconds, 3600) < 0)
		return -1;
	return eqt_frac_mul(out, price->charge, hours);
}

/* ---- Output -------------------------------------------------------------------------
 * The costs of jobs, printed as sentences in the words of the price message, as a table,
 * or as JSON. Numbers are fractions, and are printed exactly if they have few digits.
 * Equivalent-hours are what usage is charged, without decay. */

#define LINE 512

/* Write hours such as "1.25", or "-" if they do not fit. */
static char *hours_text(const struct eqt_price *price, uint64_t seconds,
			char buf[EQT_TABLE_CELL])
{
	struct eqt_frac hours;

	if (job_costs_hours(&hours, price, seconds) == 0)
		return eqt_frac_text(hours, buf, EQT_TABLE_CELL);
	(void) snprintf(buf, EQT_TABLE_CELL, "-");
	return buf;
}

/* Write money such as " (0.02 EUR)", or nothing. */
static char *money_text(const struct eqt_price *price, uint64_t seconds,
			const char *before, const char *after,
			char buf[2 * EQT_TABLE_CELL])
{
	char amount[EQT_FRAC_TEXT];
	struct eqt_frac hours, money;

	buf[0] = '\0';
	if (job_costs_hours(&hours, price, seconds) == 0 &&
	    eqt_unit_money(&money, price->unit, hours) == 0)
		(void) snprintf(buf, 2 * EQT_TABLE_CELL, "%s%s %s%s", before,
				eqt_frac_text(money, amount, sizeof(amount)),
				price->unit->currency, after);
	return buf;
}

/* The site's name for one equivalent, or for several. */
static const char *price_unit(const struct eqt_price *price)
{
	return eqt_unit_name(price->unit, price->gpu_pool,
			     eqt_frac_cmp(price->equivalents, EQT_FRAC_ONE) !=
				     0);
}

/* Write "job 7", or "job 7 run 1 of 2". */
static const char *run_text(const struct eqt_job_cost *cost,
			    char buf[2 * EQT_TABLE_CELL])
{
	if (cost->runs > 1)
		(void) snprintf(buf, 2 * EQT_TABLE_CELL, "job %s run %u of %u",
				cost->id, cost->run, cost->runs);
	else
		(void) snprintf(buf, 2 * EQT_TABLE_CELL, "job %s", cost->id);
	return buf;
}

/* Print what a waiting job will cost by its request. Its allocation may be larger. */
static void cost_print_waiting(const struct eqt_job_cost *cost)
{
	char number[EQT_FRAC_TEXT], hours[EQT_TABLE_CELL], time[EQT_TABLE_CELL];
	char money[2 * EQT_TABLE_CELL], most[LINE] = "";
	char job[2 * EQT_TABLE_CELL];
	char reason[EQT_PRICE_REASON_SIZE];
	const struct eqt_price *price = &cost->price;
	const char *range = cost->uncertain ? "at most " : "cost ";

	if (cost->limit_s > 0)
		(void) snprintf(most, sizeof(most), ", %s%s h%s for %s",
				cost->least ? "at least " : "",
				hours_text(price, cost->limit_s, hours),
				money_text(price, cost->limit_s, " (", ")",
					   money),
				eqt_duration_text(time, cost->limit_s));
	eqt_print_line(
		"%s %s: %s%s %s (%s)%s", run_text(cost, job), cost->state,
		cost->least ? "cost at least " : range,
		eqt_frac_text(price->equivalents, number, sizeof(number)),
		price_unit(price), eqt_price_reason(price, reason), most);
}

/* Where a charge comes from. This explains why it may differ from the price at
 * submission: the job may be older than the present prices. */
static const char *source_words(enum eqt_cost_source source)
{
	return source == EQT_COST_RECORD    ? "as recorded"
	       : source == EQT_COST_BILLING ? "as billed"
					    : "at present prices";
}

/* Write text such as " (memory decides)". It is empty for a billing that the present
 * prices do not explain. */
static const char *reason_text(const struct eqt_job_cost *cost, char buf[LINE])
{
	char reason[EQT_PRICE_REASON_SIZE];

	buf[0] = '\0';
	if (cost->explained)
		(void) snprintf(buf, LINE, " (%s)",
				eqt_price_reason(&cost->price, reason));
	return buf;
}

/* Print what a job has cost so far. If it still runs, also print the most that it can
 * cost by its time limit. */
static void cost_print(const struct eqt_job_cost *cost)
{
	char number[EQT_FRAC_TEXT], hours[EQT_TABLE_CELL], time[EQT_TABLE_CELL];
	char money[2 * EQT_TABLE_CELL], reason[LINE];
	const struct eqt_price *price = &cost->price;
	char job[2 * EQT_TABLE_CELL];

	if (cost->waits) {
		cost_print_waiting(cost);
		return;
	}
	eqt_print_line(
		"%s %s: %s%s %s%s, %s h%s for %s%s, %s", run_text(cost, job),
		cost->state, cost->uncertain ? "at most " : "cost ",
		eqt_frac_text(price->equivalents, number, sizeof(number)),
		price_unit(price), reason_text(cost, reason),
		hours_text(price, cost->seconds, hours),
		money_text(price, cost->seconds, " (", ")", money),
		eqt_duration_text(time, cost->seconds),
		cost->running ? " so far" : "", source_words(cost->source));
	if (!cost->running || cost->limit_s == 0)
		return;
	eqt_print_line("  at most %s h%s for %s",
		       hours_text(price, cost->limit_s, hours),
		       money_text(price, cost->limit_s, " (", ")", money),
		       eqt_duration_text(time, cost->limit_s));
}

/* Print what the resources that the job really used would have cost. */
static void fit_print(const struct eqt_job_cost *cost)
{
	char number[EQT_FRAC_TEXT], hours[EQT_TABLE_CELL];
	char money[2 * EQT_TABLE_CELL];

	if (!cost->has_fit)
		return;
	eqt_print_line("  it used %" PRIu64 " core%s and %" PRIu64
		       "M: a request of these costs %s, %s h%s",
		       cost->fit_cores, cost->fit_cores == 1 ? "" : "s",
		       cost->fit_mem_mib,
		       eqt_frac_text(cost->fit.equivalents, number,
				     sizeof(number)),
		       hours_text(&cost->fit, cost->seconds, hours),
		       money_text(&cost->fit, cost->seconds, " (", ")", money));
}

/* Print the energy that Slurm recorded, and its CO2e if the carbon intensity is known. */
static void energy_print(const struct eqt_job_cost *cost)
{
	const struct eqt_energy_sum *sum = &cost->energy;

	if (!(sum->joules > 0))
		return;
	printf("  it used %.4f kWh", eqt_energy_kwh(sum));
	if (sum->unknown < sum->joules)
		printf(", %.1Lf gCO2e%s", sum->grams,
		       sum->unknown > 0 ? " in hours of known intensity" : "");
	putchar('\n');
}

/* Print the sum over the runs of a job, of which "last" is the last. A run that waits or
 * has no price adds nothing. */
static void runs_print(const struct eqt_job_cost *last)
{
	const struct eqt_job_cost *cost = last + 1 - last->runs;
	char number[EQT_FRAC_TEXT], amount[EQT_FRAC_TEXT];
	struct eqt_frac hours, money, sum = { 0, 1 }, paid = { 0, 1 };
	const struct eqt_unit *unit = NULL;

	for (; cost <= last; cost++) {
		if (!cost->priced || cost->waits)
			continue;
		if (job_costs_hours(&hours, &cost->price, cost->seconds) < 0 ||
		    eqt_frac_add(&sum, sum, hours) < 0)
			return;
		if (eqt_unit_money(&money, cost->price.unit, hours) == 0 &&
		    eqt_frac_add(&paid, paid, money) == 0)
			unit = cost->price.unit;
	}
	(void) eqt_frac_text(sum, number, sizeof(number));
	if (unit)
		eqt_print_line("  all runs: %s h (%s %s)", number,
			       eqt_frac_text(paid, amount, sizeof(amount)),
			       unit->currency);
	else
		eqt_print_line("  all runs: %s h", number);
}

/* In a federation, Slurm revokes the other copies of a job when one cluster starts it. */
static const char *not_run_text(const struct eqt_job_cost *cost)
{
	return strcmp(cost->state, "REVOKED") == 0
		       ? "another cluster of the federation started it and "
			 "charges it (-M)"
		       : "has not run, and cost nothing";
}

/* For a job without a price, print the reason: it has no bundle, or its resources are not
 * known. */
void eqt_job_costs_print(const struct eqt_job_costs *costs)
{
	char job[2 * EQT_TABLE_CELL];

	for (size_t i = 0; i < costs->count; i++) {
		const struct eqt_job_cost *cost = &costs->cost[i];

		if (cost->priced) {
			cost_print(cost);
			fit_print(cost);
		} else {
			eqt_print_line("%s %s: %s%s", run_text(cost, job),
				       cost->state,
				       cost->started ? "no price: "
						     : not_run_text(cost),
				       cost->started ? cost->why.text : "");
		}
		energy_print(cost);
		if (cost->runs > 1 && cost->run == cost->runs)
			runs_print(cost);
	}
}

/* ---- The table ------------------------------------------------------------ */

enum column {
	JOB,
	STATE,
	PRICE,
	UNIT,
	BY,
	TIME,
	COST,
	MONEY,
	FIT,
	SOURCE,
	COLUMNS,
	/* this column and those below exist only if some job has energy */
	KWH = COLUMNS,
	KGCO2E
};

/* Write "-" into each cell without a value, so that programs can cut the columns. */
static void row_fill(struct libscols_line *row, const struct eqt_job_cost *cost)
{
	char text[2 * EQT_TABLE_CELL];
	const struct eqt_price *price = &cost->price;

	eqt_table_cell(row, JOB, cost->id);
	eqt_table_cell(row, STATE, cost->state);
	for (int i = PRICE; i < COLUMNS; i++)
		eqt_table_cell(row, (size_t) i, "-");
	if (!cost->priced)
		return;
	eqt_table_cell(row, PRICE,
		       eqt_frac_text(price->equivalents, text, sizeof(text)));
	eqt_table_cell(row, UNIT, eqt_price_unit(price));
	if (cost->explained)
		eqt_table_cell(row, BY,
			       price->minimum
				       ? "minimum"
				       : eqt_resource_name(price->dominant));
	eqt_table_cell(row, SOURCE, eqt_cost_source_name(cost->source));
	eqt_table_cell(row, TIME, eqt_duration_text(text, cost->seconds));
	eqt_table_cell(row, COST, hours_text(price, cost->seconds, text));
	if (money_text(price, cost->seconds, "", "", text)[0] != '\0')
		eqt_table_cell(row, MONEY, text);
	if (cost->has_fit)
		eqt_table_cell(row, FIT,
			       hours_text(&cost->fit, cost->seconds, text));
}

static bool costs_have_energy(const struct eqt_job_costs *costs)
{
	for (size_t i = 0; i < costs->count; i++) {
		if (costs->cost[i].energy.joules > 0)
			return true;
	}
	return false;
}

void eqt_job_costs_table(const struct eqt_job_costs *costs, bool headings)
{
	struct libscols_table *table =
		eqt_table_new("JOB|STATE|>PRICE|UNIT|BY|>TIME|>HOURS|"
			      ">MONEY|>FITTING|SOURCE",
			      headings);
	const bool energy = costs_have_energy(costs);
	struct libscols_line *row;

	if (energy) {
		eqt_table_column(table, "KWH", SCOLS_FL_RIGHT);
		eqt_table_column(table, "KGCO2E", SCOLS_FL_RIGHT);
	}
	for (size_t i = 0; i < costs->count; i++) {
		const struct eqt_energy_sum *sum = &costs->cost[i].energy;

		row = eqt_table_line(table, NULL);
		row_fill(row, &costs->cost[i]);
		if (!energy)
			continue;
		eqt_table_cell_print(row, KWH, "%.4f", eqt_energy_kwh(sum));
		eqt_table_cell_print(row, KGCO2E, "%.4Lf", sum->grams / 1000);
	}
	eqt_table_print(table);
}

/* ---- JSON ----------------------------------------------------------------- */

/* Add hours to the object, unless the number is too large for a fraction. */
static void add_hours(json_object *object, const char *key,
		      const struct eqt_price *price, uint64_t seconds)
{
	struct eqt_frac hours;

	if (job_costs_hours(&hours, price, seconds) == 0)
		eqt_json_add(object, key, hours);
}

/* Add money and its currency, if the unit has a rate in money. */
static void add_money(json_object *object, const struct eqt_job_cost *cost)
{
	struct eqt_frac hours, money;

	if (job_costs_hours(&hours, &cost->price, cost->seconds) < 0 ||
	    eqt_unit_money(&money, cost->price.unit, hours) < 0)
		return;
	eqt_json_add(object, "money", money);
	eqt_json_add(object, "currency", cost->price.unit->currency);
}

/* The factors of partition and QOS are part of "charge" but not of "equivalents".
 * "at_least" means that the job waits for whole nodes and may get larger ones. */
static void add_price(json_object *object, const struct eqt_job_cost *cost)
{
	const struct eqt_price *price = &cost->price;
	json_object *fit;

	eqt_json_add(object, "equivalents", price->equivalents);
	eqt_json_add(object, "uncertain", cost->uncertain);
	eqt_json_add(object, "unit", eqt_price_unit(price));
	if (cost->explained)
		eqt_json_add(object, "dominant",
			     price->minimum
				     ? "minimum"
				     : eqt_resource_name(price->dominant));
	eqt_json_add(object, "source", eqt_cost_source_name(cost->source));
	eqt_json_add(object, "charge", price->charge);
	eqt_json_add(object, "seconds", cost->seconds);
	add_hours(object, "equivalent_hours", price, cost->seconds);
	if (cost->least)
		eqt_json_add(object, "at_least", eqt_json_flag(true));
	if ((cost->running || cost->waits) && cost->limit_s > 0)
		add_hours(object, "equivalent_hours_max", price, cost->limit_s);
	add_money(object, cost);
	if (!cost->has_fit)
		return;
	fit = json_object_new_object();
	eqt_json_add(fit, "cores", cost->fit_cores);
	eqt_json_add(fit, "memory_mib", cost->fit_mem_mib);
	eqt_json_add(fit, "equivalents", cost->fit.equivalents);
	add_hours(fit, "equivalent_hours", &cost->fit, cost->seconds);
	eqt_json_add(object, "fitting", fit);
}

/* A job that has not started has neither a price nor a reason. */
void eqt_job_costs_json(const struct eqt_job_costs *costs)
{
	json_object *object = json_object_new_object();
	json_object *array = json_object_new_array();

	for (size_t i = 0; i < costs->count; i++) {
		const struct eqt_job_cost *cost = &costs->cost[i];
		json_object *job = json_object_new_object();

		eqt_json_add(job, "job", cost->id);
		if (cost->runs > 1)
			eqt_json_add(job, "run", cost->run);
		eqt_json_add(job, "state", cost->state);
		eqt_json_add(job, "user", cost->user);
		eqt_json_add(job, "account", cost->account);
		eqt_json_add(job, "partition", cost->partition);
		if (cost->priced)
			add_price(job, cost);
		else if (cost->started)
			eqt_json_add(job, "no_price", cost->why.text);
		if (cost->energy.joules > 0) {
			eqt_json_add(job, "kwh", eqt_energy_kwh(&cost->energy));
			eqt_json_add(job, "kgco2e",
				     (double) (cost->energy.grams / 1000));
		}
		eqt_json_append(array, job);
	}
	eqt_json_add(object, "jobs", array);
	eqt_json_print(object);
}
