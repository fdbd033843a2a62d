/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Years below ten have four decimals, so that a test job of a minute is visible, and
 * larger ones have one.
 */
#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/whole.h"
#include "cli/print.h"
#include "cli/table.h"
#include "cli/json.h"
#include "cli/plot.h"
#include "slurm/text/timestamp.h"
#include "usage/usage.h"

/* ---- Years --------------------------------------------------------------------------
 * The numbers of a report, for its table and for JSON. Until they are shown, all amounts
 * are sums of equivalents multiplied by seconds, because a year has 365 or 366 days and
 * may have been extended. */

/* The money for some usage, which is summed as the money for an hour multiplied by
 * seconds. "unit" is EQT_YEAR_CORE_MONEY or EQT_YEAR_GPU_MONEY. */
static double year_money(const long double used[EQT_YEAR_UNITS], int unit)
{
	return (double) (used[unit] / 3600);
}

/* Convert equivalent-seconds to allocation years. One core from the first to the last
 * second of an allocation year is one core-year. */
static double year_amount_years(const struct eqt_year *usage,
				long double seconds)
{
	return (double) (seconds / (long double) (usage->period.until_s -
						  usage->period.from_s));
}

/* Are the lines projected? Months, days and finished years are not. */
static bool year_is_projected(const struct eqt_year *usage)
{
	return !eqt_sum_by_date(&usage->sum) &&
	       !eqt_period_over(&usage->period);
}

/* The usage of the whole year, in years, if it goes on at the rate so far. In the first
 * days of a year this may be far off. */
static double year_projected(const struct eqt_year *usage, long double seconds)
{
	return (double) (seconds / (long double) (usage->period.seen_s -
						  usage->period.from_s));
}

/* Usage in percent of an allocation. NAN if there is no allocation. */
static double year_percent(double used, double allocated)
{
	return allocated > 0 ? 100 * used / allocated : NAN;
}

/* ---- JSON ---------------------------------------------------------------------------
 * Numbers are in years, with hours next to them. Nothing is rounded, so that programs
 * that add up lines get the sum of the jobs. */

/* Add an amount of a unit under a key such as "projected_core_years". "time" is "years"
 * or "hours". */
static void line_add_json(json_object *object, const char *what, int unit,
			  const char *time, double value)
{
	static const char *const words[EQT_YEAR_UNITS] = {
		[EQT_YEAR_CORE] = "core",
		[EQT_YEAR_GPU] = "gpu",
		[EQT_YEAR_RGU] = "rgu",
	};
	char key[64];

	(void) snprintf(key, sizeof(key), "%s%s_%s", what, words[unit], time);
	eqt_json_add(object, key, value);
}

/* NAN if charges come from the record, which does not have what was allocated. */
static double line_allocated(const struct eqt_year *usage,
			     const struct eqt_year_line *line, int unit)
{
	return usage->sum.by_source[EQT_COST_RECORD]
		       ? NAN
		       : year_amount_years(usage, line->used[unit]);
}

static json_object *line_json(const struct eqt_year *usage,
			      const struct eqt_year_line *line)
{
	json_object *object = json_object_new_object();

	for (size_t i = 0; i < usage->sum.key_count; i++)
		eqt_json_add(object, eqt_sum_key_name(usage->sum.keys[i]),
			     line->key[i]);
	if (usage->titles.table.rows > 0) {
		const char *account =
			line->key[eqt_lines_account_at(&usage->sum)];

		eqt_json_add(object, "title",
			     eqt_lines_title(&usage->titles, account));
		eqt_json_add(object, "owner",
			     eqt_lines_owner(&usage->titles, account));
	}
	eqt_json_add(object, "jobs", line->jobs);
	eqt_json_add(object, "allocated_cores_core_years",
		     line_allocated(usage, line, EQT_YEAR_CORES));
	eqt_json_add(object, "allocated_gpus_gpu_years",
		     line_allocated(usage, line, EQT_YEAR_GPUS));
	if (usage->names.currency[0] != '\0') {
		eqt_json_add(object, "core_money",
			     year_money(line->used, EQT_YEAR_CORE_MONEY));
		eqt_json_add(object, "gpu_money",
			     year_money(line->used, EQT_YEAR_GPU_MONEY));
	}
	if (usage->sum.energy) {
		eqt_json_add(object, "kwh",
			     eqt_sum_shown(&usage->period, EQT_YEAR_ENERGY,
					   line->used[EQT_YEAR_ENERGY]));
		eqt_json_add(object, "kgco2e",
			     eqt_sum_shown(&usage->period, EQT_YEAR_CO2E,
					   line->used[EQT_YEAR_CO2E]));
	}
	for (int unit = EQT_YEAR_CORE; unit <= EQT_YEAR_RGU; unit++) {
		double used = year_amount_years(usage, line->used[unit]);

		line_add_json(object, "", unit, "years", used);
		line_add_json(object, "", unit, "hours",
			      (double) (line->used[unit] / 3600));
		if (year_is_projected(usage))
			line_add_json(object, "projected_", unit, "years",
				      year_projected(usage, line->used[unit]));
		if (!usage->allocations)
			continue;
		line_add_json(object, "target_", unit, "years",
			      line->allocated[unit]);
		line_add_json(object, "percent_of_target_", unit, "years",
			      year_percent(used, line->allocated[unit]));
	}
	return object;
}

void eqt_year_show_json(const struct eqt_year *usage)
{
	const struct eqt_year_sum *sum = &usage->sum;
	json_object *object = json_object_new_object();
	json_object *array = json_object_new_array();
	json_object *sources = json_object_new_object();

	eqt_json_add(object, "from_s", usage->period.from_s);
	eqt_json_add(object, "until_s", usage->period.until_s);
	eqt_json_add(object, "seen_s", usage->period.seen_s);
	eqt_json_add(object, "jobs", sum->jobs);
	eqt_json_add(object, "listed_twice", sum->doubled);
	eqt_json_add(object, "uncertain", sum->uncertain);
	eqt_json_add(object, "unpriced", sum->unpriced);
	eqt_json_add(object, "core_unit", usage->names.years[EQT_YEAR_CORE]);
	for (int source = 0; source < EQT_COST_SOURCES; source++)
		eqt_json_add(
			sources,
			eqt_cost_source_name((enum eqt_cost_source) source),
			sum->by_source[source]);
	eqt_json_add(object, "sources", sources);
	eqt_json_add(object, "gpu_unit",
		     usage->names.years[usage->weights ? EQT_YEAR_RGU
						       : EQT_YEAR_GPU]);
	if (usage->names.currency[0] != '\0')
		eqt_json_add(object, "currency", usage->names.currency);
	if (sum->energy) {
		eqt_json_add(object, "jobs_without_energy", sum->unmeasured);
		eqt_json_add(object, "kwh_without_intensity",
			     (double) (sum->used.unknown / EQT_ENERGY_KWH));
	}
	for (size_t i = 0; i < usage->lines.count; i++)
		eqt_json_append(array, line_json(usage, &usage->lines.line[i]));
	eqt_json_add(object, "usage", array);
	eqt_json_print(object);
}

/* ---- Plot ---------------------------------------------------------------------------
 * A drawing of usage over time. It shows the mean number of equivalents in use per day or
 * month, so that months of 28 and of 31 days can be compared. */

#define WIDTH 900
#define HEIGHT 360 /* height per unit */

/* The midnight at which a line's month or day begins. */
static int64_t line_begin(const char *date)
{
	int year = 0, month = 0, day = 1;

	(void) sscanf(date, "%d-%d-%d", &year, &month, &day);
	return eqt_timestamp_midnight(year, month, day);
}

/* The seconds of a line's month or day that the report covers. */
static double line_seconds(const struct eqt_year *usage, const char *date)
{
	const bool by_day = usage->sum.keys[0] == EQT_YEAR_BY_DAY;
	const struct eqt_year_period *period = &usage->period;
	char text[EQT_YEAR_TEXT];
	int64_t from = line_begin(date);
	int64_t until = by_day ? eqt_timestamp_day(from, text)
			       : eqt_period_month(from, text);

	return eqt_whole_cut_span(&from, &until, period->from_s, period->seen_s)
		       ? (double) (until - from)
		       : 1;
}

static bool plot_has_unit(const struct eqt_year *usage, int unit)
{
	for (size_t i = 0; i < usage->lines.count; i++) {
		if (usage->lines.line[i].used[unit] > 0)
			return true;
	}
	return false;
}

/* Write a panel with a column per day or month. */
static void plot_write_unit(FILE *to, const struct eqt_year *usage, int unit)
{
	fprintf(to, "$u%d << EOD\n", unit);
	for (size_t i = 0; i < usage->lines.count; i++) {
		const struct eqt_year_line *line = &usage->lines.line[i];

		fprintf(to, "%s%s %.9g\n", line->key[0],
			strlen(line->key[0]) == 7 ? "-01" : "",
			(double) line->used[unit] /
				line_seconds(usage, line->key[0]));
	}
	fprintf(to,
		"EOD\nset ylabel '%s-equivalents in use'\n"
		"plot $u%d using 1:2 with boxes notitle lc rgb '%s'\n",
		unit == EQT_YEAR_CORE ? "core" : "GPU", unit,
		unit == EQT_YEAR_CORE ? "#2b6cb0" : "#dd6b20");
}

int eqt_year_show_plot(const struct eqt_year *usage, const char *path,
		       struct eqt_error *err)
{
	const bool cores = plot_has_unit(usage, EQT_YEAR_CORE);
	const bool gpus = plot_has_unit(usage, EQT_YEAR_GPU);
	const struct eqt_plot_panels panels = { cores + gpus, 1, WIDTH,
						HEIGHT };
	FILE *to;

	if (!cores && !gpus)
		return eqt_error_set(err, "%s: there is no usage to draw",
				     path);
	to = eqt_plot_open(path, &panels, err);
	if (!to)
		return -1;
	eqt_plot_dates(to, usage->sum.keys[0] == EQT_YEAR_BY_DAY ? "%d %b"
								 : "%b %Y");
	if (cores)
		plot_write_unit(to, usage, EQT_YEAR_CORE);
	if (gpus)
		plot_write_unit(to, usage, EQT_YEAR_GPU);
	return eqt_plot_close(to, path, err);
}

/* ---- Cells ---------------------------------------------------------------- */

/* The columns after the keys, in their order. */
enum cell {
	CELL_TITLE,
	CELL_OWNER,
	CELL_UNIT,
	CELL_USED,
	CELL_RAW,
	CELL_ALLOCATED,
	CELL_UTIL,
	CELL_PROJECTED,
	CELL_PROJ_UTIL,
	CELL_MONEY,
	CELL_SOURCE,
	CELLS
};

static char *money_text(double money, const char *currency,
			char buf[EQT_TABLE_CELL])
{
	(void) snprintf(buf, EQT_TABLE_CELL, "%.2f %s", money, currency);
	return buf;
}

/* Write an amount of years, in years or in hours. CSV has the same number of decimals
 * everywhere. */
static char *amount_text(const struct eqt_year *usage, int unit, double years,
			 char buf[EQT_TABLE_CELL])
{
	double amount = years;

	if (usage->hours && unit < EQT_YEAR_ENERGY)
		amount *= (double) (usage->period.until_s -
				    usage->period.from_s) /
			  3600;
	if (isnan(amount))
		(void) snprintf(buf, EQT_TABLE_CELL, "-");
	else if (amount > 0 && amount < 0.0001 && !eqt_output_csv())
		(void) snprintf(buf, EQT_TABLE_CELL, "<0.0001");
	else
		(void) snprintf(buf, EQT_TABLE_CELL, "%.*f",
				amount < 10 || eqt_output_csv() ? 4 : 1,
				amount);
	return buf;
}

/* "core-years" or "core-hours", or the same with the site's own word. */
static const char *amount_unit(const struct eqt_year *usage, int unit,
			       char buf[EQT_TABLE_CELL])
{
	const char *years = usage->names.years[unit];
	const int length = (int) (strlen(years) - strlen("years"));

	if (unit >= EQT_YEAR_ENERGY)
		return years;
	(void) snprintf(buf, EQT_TABLE_CELL, "%.*s%s", length, years,
			usage->hours ? "hours" : "years");
	return buf;
}

/* Write where a line's charges come from, such as "billing+prices". */
static char *sources_text(unsigned int sources, char buf[EQT_TABLE_CELL])
{
	buf[0] = '\0';
	for (int source = EQT_COST_SOURCES; source-- > 0;) {
		if (sources & (1u << source))
			eqt_print_append(buf, EQT_TABLE_CELL, "%s%s",
					 buf[0] ? "+" : "",
					 eqt_cost_source_name((
						 enum eqt_cost_source) source));
	}
	if (buf[0] == '\0')
		eqt_print_append(buf, EQT_TABLE_CELL, "-");
	return buf;
}

/* Does a line have usage or an allocation in this unit? */
static bool line_shows_unit(const struct eqt_year *usage,
			    const struct eqt_year_line *line, int unit)
{
	if (unit == EQT_YEAR_RGU && !usage->weights)
		return false;
	return line->used[unit] > 0 || line->allocated[unit] > 0;
}

/* ---- The table ------------------------------------------------------------ */

static bool cell_is_shown(const struct eqt_year *usage, enum cell cell)
{
	switch (cell) {
	case CELL_TITLE:
		return usage->titles.table.rows > 0 &&
		       usage->titles.title != EQT_COLUMNS_NONE;
	case CELL_OWNER:
		return usage->titles.table.rows > 0 &&
		       usage->titles.owner != EQT_COLUMNS_NONE;
	case CELL_RAW:
		return usage->raw;
	case CELL_MONEY:
		return usage->names.currency[0] != '\0';
	case CELL_SOURCE:
		return eqt_output_csv();
	case CELL_ALLOCATED:
	case CELL_UTIL:
		return usage->allocations;
	case CELL_PROJECTED:
		return year_is_projected(usage);
	case CELL_PROJ_UTIL:
		return usage->allocations && year_is_projected(usage);
	default:
		return true;
	}
}

/* Begin the table with the columns of this report. */
static struct libscols_table *table_begin(const struct eqt_year *usage,
					  bool headings)
{
	static const struct {
		const char *name;
		int flags;
	} all[CELLS] = {
		[CELL_TITLE] = { "TITLE", SCOLS_FL_WRAP },
		[CELL_OWNER] = { "OWNER", SCOLS_FL_WRAP },
		[CELL_UNIT] = { "UNIT", 0 },
		[CELL_USED] = { "USED", SCOLS_FL_RIGHT },
		[CELL_RAW] = { "RAW", SCOLS_FL_RIGHT },
		[CELL_ALLOCATED] = { "ALLOCATED", SCOLS_FL_RIGHT },
		[CELL_UTIL] = { "UTIL", SCOLS_FL_RIGHT },
		[CELL_PROJECTED] = { "PROJECTED", SCOLS_FL_RIGHT },
		[CELL_PROJ_UTIL] = { "PROJ UTIL", SCOLS_FL_RIGHT },
		[CELL_MONEY] = { "MONEY", SCOLS_FL_RIGHT },
		[CELL_SOURCE] = { "SOURCE", 0 },
	};
	struct libscols_table *table = eqt_table_new("", headings);
	char upper[EQT_TABLE_CELL];

	for (size_t i = 0; i < usage->sum.key_count; i++) {
		const char *name = eqt_sum_key_name(usage->sum.keys[i]);
		size_t c = 0;

		for (; name[c] != '\0'; c++)
			upper[c] = (char) toupper((unsigned char) name[c]);
		upper[c] = '\0';
		eqt_table_column(table, upper, SCOLS_FL_WRAP);
	}
	for (int cell = 0; cell < CELLS; cell++)
		if (cell_is_shown(usage, (enum cell) cell))
			eqt_table_column(table, all[cell].name,
					 all[cell].flags);
	return table;
}

/* As in sshare, accounts below others are indented by their depth. "-" stands for an
 * empty name, such as an empty comment. */
static void row_set_keys(struct libscols_line *row,
			 const struct eqt_year *usage,
			 const struct eqt_year_line *line)
{
	for (size_t i = 0; i < usage->sum.key_count; i++) {
		eqt_table_cell_print(row, i, "%*s%s", (int) line->depth, "",
				     line->key[i][0] ? line->key[i] : "-");
	}
}

/* The allocated cores or GPUs, without factors and bundles. The line of weighted GPUs has
 * none, because allocated GPUs have no weights. */
static double line_raw_years(const struct eqt_year *usage,
			     const struct eqt_year_line *line, int unit)
{
	if (unit >= EQT_YEAR_RGU)
		return NAN;
	return year_amount_years(
		usage, line->used[unit == EQT_YEAR_CORE ? EQT_YEAR_CORES
							: EQT_YEAR_GPUS]);
}

static double line_years(const struct eqt_year *usage,
			 const struct eqt_year_line *line, int unit,
			 enum cell cell)
{
	switch (cell) {
	case CELL_USED:
	case CELL_UTIL:
		return eqt_sum_shown(&usage->period, unit, line->used[unit]);
	case CELL_RAW:
		return line_raw_years(usage, line, unit);
	case CELL_ALLOCATED:
		return line->allocated[unit];
	default:
		return unit < EQT_YEAR_ENERGY
			       ? year_projected(usage, line->used[unit])
			       : NAN;
	}
}

/* "above" is the colour if usage is above the allocation. */
static void row_set_percent(struct libscols_line *row, size_t column,
			    double years, double allocated,
			    enum eqt_colour above)
{
	const double percent = year_percent(years, allocated);
	char text[EQT_TABLE_CELL] = "-";

	if (!isnan(percent))
		(void) snprintf(text, sizeof(text), "%.1f %%", percent);
	eqt_table_cell_set(row, column, text,
			   percent > 100 ? above : EQT_COLOUR_NONE);
}

/* The money for GPUs is in the line of weighted years, if there is one. */
static void row_set_money(struct libscols_line *row, size_t column,
			  const struct eqt_year *usage,
			  const struct eqt_year_line *line, int unit)
{
	char text[EQT_TABLE_CELL];

	if ((unit == EQT_YEAR_GPU && usage->weights) ||
	    unit >= EQT_YEAR_ENERGY) {
		eqt_table_cell(row, column, "-");
		return;
	}
	unit = unit == EQT_YEAR_CORE ? EQT_YEAR_CORE_MONEY : EQT_YEAR_GPU_MONEY;
	eqt_table_cell(row, column,
		       money_text(year_money(line->used, unit),
				  usage->names.currency, text));
}

static void row_set_cell(struct libscols_line *row, size_t column,
			 const struct eqt_year *usage,
			 const struct eqt_year_line *line, int unit,
			 enum cell cell)
{
	double years = line_years(usage, line, unit, cell);
	const char *account = line->key[eqt_lines_account_at(&usage->sum) %
					EQT_YEAR_KEYS_MAX];
	char text[EQT_TABLE_CELL];

	if (cell == CELL_TITLE || cell == CELL_OWNER)
		eqt_table_cell(
			row, column,
			cell == CELL_TITLE
				? eqt_lines_title(&usage->titles, account)
				: eqt_lines_owner(&usage->titles, account));
	else if (cell == CELL_UNIT)
		eqt_table_cell(row, column, amount_unit(usage, unit, text));
	else if (cell == CELL_SOURCE)
		eqt_table_cell(row, column,
			       unit >= EQT_YEAR_ENERGY
				       ? "sacct"
				       : sources_text(line->sources, text));
	else if (cell == CELL_MONEY)
		row_set_money(row, column, usage, line, unit);
	else if (cell == CELL_UTIL)
		row_set_percent(row, column, years, line->allocated[unit],
				EQT_COLOUR_BAD);
	else if (cell == CELL_PROJ_UTIL)
		row_set_percent(row, column, years, line->allocated[unit],
				EQT_COLOUR_DOUBTFUL);
	else
		eqt_table_cell(row, column,
			       amount_text(usage, unit, years, text));
}

static void row_set_cells(struct libscols_line *row,
			  const struct eqt_year *usage,
			  const struct eqt_year_line *line, int unit)
{
	size_t column = usage->sum.key_count;

	for (int cell = 0; cell < CELLS; cell++) {
		if (cell_is_shown(usage, (enum cell) cell))
			row_set_cell(row, column++, usage, line, unit,
				     (enum cell) cell);
	}
}

static void table_add_lines(struct libscols_table *table,
			    const struct eqt_year *usage,
			    const struct eqt_year_line *line)
{
	struct libscols_line *row;

	for (int unit = EQT_YEAR_CORE; unit <= EQT_YEAR_CO2E; unit++) {
		if (!line_shows_unit(usage, line, unit))
			continue;
		row = eqt_table_line(table, NULL);
		row_set_keys(row, usage, line);
		row_set_cells(row, usage, line, unit);
	}
}

static void year_sum_units(const struct eqt_year *usage,
			   long double total[EQT_YEAR_UNITS])
{
	eqt_u128 sum;

	for (int unit = 0; unit < EQT_YEAR_UNITS; unit++) {
		sum = 0;
		for (size_t i = 0; i < usage->sum.rows.count; i++) {
			const struct eqt_year_row *row =
				usage->sum.rows.list[i];

			eqt_sum_amount_add(&sum, row->of[unit], 1);
		}
		total[unit] = eqt_sum_amount_value(sum);
	}
}

/* Print the sums in words. The number of jobs shows whether records are missing. Jobs
 * that were not counted come last, where users notice them. */
static void year_print_words(const struct eqt_year *usage)
{
	const struct eqt_year_sum *sum = &usage->sum;
	long double total[EQT_YEAR_UNITS];
	char text[EQT_TABLE_CELL], unit[EQT_TABLE_CELL], day[EQT_YEAR_TEXT];

	year_sum_units(usage, total);
	printf("\nIn all %s %s",
	       amount_text(usage, EQT_YEAR_CORE,
			   year_amount_years(usage, total[EQT_YEAR_CORE]),
			   text),
	       amount_unit(usage, EQT_YEAR_CORE, unit));
	printf(" and %s %s",
	       amount_text(usage, EQT_YEAR_GPU,
			   year_amount_years(usage, total[EQT_YEAR_GPU]), text),
	       amount_unit(usage, EQT_YEAR_GPU, unit));
	printf(" of %" PRIu64 " jobs, from\n%s", sum->jobs,
	       eqt_timestamp_text(day, EQT_YEAR_TEXT, "%Y-%m-%d",
				  usage->period.from_s));
	printf(" until %s%s, in equivalents as jobs are charged.\n",
	       eqt_timestamp_text(day, EQT_YEAR_TEXT, "%Y-%m-%d",
				  usage->period.seen_s),
	       eqt_period_over(&usage->period) ? "" : " (so far)");
	if (usage->names.currency[0] != '\0')
		printf("They cost %s%s.\n",
		       money_text(year_money(total, EQT_YEAR_CORE_MONEY) +
					  year_money(total, EQT_YEAR_GPU_MONEY),
				  usage->names.currency, text),
		       sum->by_source[EQT_COST_RECORD] == sum->jobs
			       ? ""
			       : ", by the present rates");
	if (sum->by_source[EQT_COST_RECORD])
		printf("%" PRIu64 " jobs count as they were charged.\n",
		       sum->by_source[EQT_COST_RECORD]);
	if (sum->by_source[EQT_COST_BILLING])
		printf("%" PRIu64 " jobs count as they were billed.\n",
		       sum->by_source[EQT_COST_BILLING]);
	if (sum->by_source[EQT_COST_PRICES])
		printf("%" PRIu64 " jobs count at the present prices.\n",
		       sum->by_source[EQT_COST_PRICES]);
	if (sum->doubled)
		printf("%" PRIu64 " jobs are listed twice and count once.\n",
		       sum->doubled);
	if (sum->uncertain)
		printf("%" PRIu64 " jobs have the highest price of the models "
		       "that they may have had.\n",
		       sum->uncertain);
	if (sum->unpriced)
		printf("NOT COUNTED: %" PRIu64
		       " jobs without a price; the first is\n%s\n",
		       sum->unpriced, sum->example.why);
}

/* Print the energy of all jobs, and how many jobs have none in accounting. */
static void energy_print_words(const struct eqt_year *usage)
{
	const struct eqt_year_sum *sum = &usage->sum;
	char words[EQT_ENERGY_WORDS];

	printf("%" PRIu64 " jobs used %.4f kWh (%.4Lf kgCO2e); %" PRIu64
	       " that ended have no energy in\naccounting.\n%s",
	       sum->measured, eqt_energy_kwh(&sum->used),
	       sum->used.grams / 1000, sum->unmeasured,
	       eqt_energy_words(words, sum->energy, &sum->used));
}

void eqt_year_show(const struct eqt_year *usage, bool headings)
{
	struct libscols_table *table = table_begin(usage, headings);

	for (size_t i = 0; i < usage->lines.count; i++)
		table_add_lines(table, usage, &usage->lines.line[i]);
	eqt_table_print(table);
	if (eqt_output_csv())
		return;
	year_print_words(usage);
	if (usage->sum.energy)
		energy_print_words(usage);
}
