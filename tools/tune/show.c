/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints the advice for people, as JSON, and as a drawing. Aims are named by letters. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/whole.h"
#include "cli/json.h"
#include "cli/plot.h"
#include "cli/print.h"
#include "cli/table.h"
#include "tune/tune.h"
#include "slurm/text/timestamp.h"

#define NO_WORSE 0.01 /* a smaller part of an aim is not mentioned */
/* a larger loss in the part that was held out is mentioned */
#define FITTED 0.1
#define WORDS_SIZE 512

/* There are at most as many aims as capital letters. */
static char aim_letter(int i)
{
	return (char) ('A' + i);
}

/* Write "-" if the run has no job that the aim is about. The colour tells whether the aim
 * is met. */
static void cell_set_value(struct libscols_line *line, size_t column,
			   const struct eqt_tune_aim *aim,
			   const struct eqt_tune_run *run, int i)
{
	char text[EQT_TABLE_CELL];

	eqt_table_cell_set(
		line, column,
		eqt_tune_aim_value(aim, run ? run->measure[i] : NAN, text),
		!run || isnan(run->measure[i])		 ? EQT_COLOUR_NONE
		: eqt_tune_aim_met(aim, run->measure[i]) ? EQT_COLOUR_GOOD
							 : EQT_COLOUR_BAD);
}

/* ---- Jobs and times --------------------------------------------------------- */

/* The number of jobs that are submitted in the span. Jobs that wait or run when it begins
 * are simulated, but do not count. */
static size_t span_jobs(const struct eqt_tune *tune, int span)
{
	size_t count = 0;

	for (size_t i = 0; i < tune->sim.now.count; i++)
		count += tune->sim.jobs[i].at >= tune->span[span].from &&
			 tune->sim.jobs[i].at < tune->span[span].to;
	return count;
}

static void show_span(const struct eqt_tune *tune, int span, const char *what)
{
	char from[EQT_TABLE_CELL], to[EQT_TABLE_CELL];

	printf("%s %zu jobs from %s to %s.\n", what, span_jobs(tune, span),
	       eqt_timestamp_text(from, sizeof(from), "%Y-%m-%d %H:%M",
				  tune->span[span].from),
	       eqt_timestamp_text(to, sizeof(to), "%Y-%m-%d %H:%M",
				  tune->span[span].to));
}

/* Kept parameters are named, so that nobody wonders why they did not change. */
static void show_summary(const struct eqt_tune *tune,
			 const struct eqt_tune_result *result)
{
	char words[WORDS_SIZE * 4] = "Kept:";

	printf("%zu setting%s of %d parameters %s simulated.\n",
	       eqt_archive_settings(tune),
	       eqt_archive_settings(tune) == 1 ? "" : "s", tune->params,
	       eqt_archive_settings(tune) == 1 ? "was" : "were");
	show_span(tune, EQT_TUNE_FIT, "Fitted:");
	if (result->best_held)
		show_span(tune, EQT_TUNE_HELD, "Held out:");
	if (tune->fixed_count) {
		for (int i = 0; i < tune->fixed_count; i++)
			eqt_print_append(words, sizeof(words), "%s %s",
					 i ? "," : "", tune->fixed[i].name);
		eqt_print_line("%s", words);
	}
	putchar('\n');
}

/* ---- Aims ------------------------------------------------------------------- */

static void show_aims(const struct eqt_tune *tune,
		      const struct eqt_tune_result *result, bool headings)
{
	struct libscols_table *table = eqt_table_new(
		"AIM|>NOW|>BEST|>HELD OUT: NOW|>HELD OUT: BEST", headings);

	for (int i = 0; i < tune->aims.count; i++) {
		eqt_print_line("%c: %s", aim_letter(i), tune->aims.aim[i].text);
	}
	for (int i = 0; i < tune->aims.count; i++) {
		const struct eqt_tune_aim *aim = &tune->aims.aim[i];
		struct libscols_line *line = eqt_table_line(table, NULL);
		const char letter[] = { aim_letter(i), '\0' };

		eqt_table_cell(line, 0, letter);
		cell_set_value(line, 1, aim, result->now, i);
		cell_set_value(line, 2, aim, result->best, i);
		cell_set_value(line, 3, aim, result->now_held, i);
		cell_set_value(line, 4, aim, result->best_held, i);
	}
	eqt_table_print(table);
}

/* Write a text such as "A 2:10:00 (missed)" if undoing a change makes that aim worse.
 * Changes act together, so the effect of undoing a change shows what it is good for. */
static bool change_words(char words[WORDS_SIZE], const struct eqt_tune *tune,
			 const struct eqt_tune_result *result,
			 const struct eqt_tune_run *without, int i)
{
	const struct eqt_tune_aim *aim = &tune->aims.aim[i];
	const double other = without->measure[i];
	char text[EQT_TABLE_CELL];

	if (eqt_tune_aim_miss(aim, other) <=
	    eqt_tune_aim_miss(aim, result->best->measure[i]) + NO_WORSE)
		return false;
	(void) snprintf(words, WORDS_SIZE, "%c %s%s", aim_letter(i),
			eqt_tune_aim_value(aim, other, text),
			!eqt_tune_aim_met(aim, other) ? " (missed)" : "");
	return true;
}

/* Add a line for the change, and a line for each further aim. If undoing the change alone
 * makes no aim worse, the change helps only together with others. */
static int change_show(struct libscols_table *table,
		       const struct eqt_tune *tune,
		       const struct eqt_tune_result *result,
		       const struct eqt_tune_change *change)
{
	const struct eqt_tune_param *param = &tune->param[change->param];
	const double value = result->point.value[change->param];
	struct libscols_line *line = eqt_table_line(table, NULL);
	char text[EQT_TABLE_CELL], words[WORDS_SIZE];
	int told = 0;

	eqt_table_cell(line, 0, param->name);
	eqt_table_cell(line, 1, eqt_tune_param_text(param, param->now, text));
	eqt_table_cell(line, 2, eqt_tune_param_text(param, value, text));
	for (int i = 0; i < tune->aims.count; i++) {
		if (!change_words(words, tune, result, change->without, i))
			continue;
		if (told++)
			line = eqt_table_line(table, NULL);
		if (scols_line_set_data(line, 3, words) < 0)
			return -1;
	}
	if (!told)
		eqt_table_cell(line, 3, "only with the others");
	return 0;
}

/* Print a table of the changes, each with the cost of undoing it. */
static void show_changes(const struct eqt_tune *tune,
			 const struct eqt_tune_result *result, bool headings)
{
	struct libscols_table *table =
		eqt_table_new("CHANGE|>FROM|>TO|WORSE WITHOUT IT", headings);

	for (int i = 0; i < result->changes; i++)
		if (change_show(table, tune, result, &result->change[i]) < 0)
			break;
	eqt_table_print(table);
}

/* ---- Trade-offs ------------------------------------------------------------- */

/* Add a line to the table: the value of each aim in one run. */
static void tradeoff_add(struct libscols_table *table,
			 const struct eqt_tune *tune, const char *name,
			 const struct eqt_tune_run *run)
{
	struct libscols_line *line = eqt_table_line(table, NULL);

	eqt_table_cell(line, 0, name);
	for (int i = 0; i < tune->aims.count; i++)
		cell_set_value(line, (size_t) i + 1, &tune->aims.aim[i], run,
			       i);
}

/* Print what each aim could have if it were the only one, next to the setting that is
 * best for all. */
static void show_tradeoffs(const struct eqt_tune *tune,
			   const struct eqt_tune_result *result, bool headings)
{
	struct libscols_table *table = eqt_table_new("BEST FOR", headings);
	char letters[EQT_TUNE_AIMS_MAX][2];

	for (int i = 0; i < tune->aims.count; i++) {
		letters[i][0] = aim_letter(i);
		letters[i][1] = '\0';
		eqt_table_column(table, letters[i], SCOLS_FL_RIGHT);
	}
	tradeoff_add(table, tune, "all", result->best);
	for (int i = 0; i < tune->aims.count; i++)
		tradeoff_add(table, tune, letters[i], result->of_aim[i]);
	eqt_table_print(table);
}

/* Print the two aims of a pair, and how close the best setting comes to both. "pair" has
 * the bits of the two aims. */
static void show_conflict(const struct eqt_tune *tune, uint32_t pair)
{
	const int one = __builtin_ctz(pair),
		  other = __builtin_ctz(pair & (pair - 1));
	const struct eqt_tune_run *best = eqt_archive_best(tune, pair);
	char a[EQT_TABLE_CELL], b[EQT_TABLE_CELL];

	eqt_print_line(
		"These two are in conflict: %c (%s) and %c (%s). Each can be "
		"met alone; both together come no nearer than %s and %s.",
		aim_letter(one), tune->aims.aim[one].text, aim_letter(other),
		tune->aims.aim[other].text,
		eqt_tune_aim_value(&tune->aims.aim[one], best->measure[one], a),
		eqt_tune_aim_value(&tune->aims.aim[other], best->measure[other],
				   b));
}

/* Print why no setting meets all aims: because none meets one of them, or because two are
 * in conflict. */
static void show_conflicts(const struct eqt_tune *tune,
			   const struct eqt_tune_result *result)
{
	uint32_t pairs[EQT_TUNE_AIMS_MAX * EQT_TUNE_AIMS_MAX];
	const int count = eqt_tune_conflicts(tune, pairs);
	char text[EQT_TABLE_CELL];
	int alone = 0;

	printf("No setting that was simulated meets all aims.\n");
	for (int i = 0; i < tune->aims.count; i++) {
		const struct eqt_tune_aim *aim = &tune->aims.aim[i];
		const double best = result->of_aim[i]->measure[i];

		if (eqt_tune_aim_met(aim, best))
			continue;
		alone++;
		eqt_print_line(
			"None meets %c (%s), even alone: the best has %s.",
			aim_letter(i), aim->text,
			eqt_tune_aim_value(aim, best, text));
	}
	for (int i = 0; i < count; i++)
		show_conflict(tune, pairs[i]);
	if (count == 0 && alone == 0)
		printf("Each two aims can be met together, but not all.\n");
}

/* Print a sentence such as "In the part held out it misses A, B." The callback selects
 * the aims. */
static void show_held_list(const struct eqt_tune *tune,
			   const struct eqt_tune_result *result,
			   const char *what,
			   bool (*counts)(const struct eqt_tune_aim *aim,
					  double now, double best))
{
	int count = 0;

	for (int i = 0; result->best_held && i < tune->aims.count; i++) {
		const double best = result->best_held->measure[i];

		if (isnan(best) || !counts(&tune->aims.aim[i],
					   result->now_held->measure[i], best))
			continue;
		printf("%s%c", count++ ? ", " : what, aim_letter(i));
	}
	if (count)
		printf(".\n");
}

/* A callback of show_held_list(). */
static bool held_misses(const struct eqt_tune_aim *aim, double now, double best)
{
	(void) now;
	return !eqt_tune_aim_met(aim, best);
}

/* Is the value worse than with the present setting, by more than a tenth of the aim's
 * factor? */
static bool held_worsens(const struct eqt_tune_aim *aim, double now,
			 double best)
{
	return eqt_tune_aim_miss(aim, best) >
	       eqt_tune_aim_miss(aim, now) + FITTED;
}

/* Print the results for jobs that the search has not seen. A setting that is good only
 * for the fitted jobs is worth less. */
static void show_held(const struct eqt_tune *tune,
		      const struct eqt_tune_result *result)
{
	show_held_list(tune, result, "In the part held out it misses ",
		       held_misses);
	show_held_list(tune, result,
		       "There it is worse than the present setting for ",
		       held_worsens);
}

/* ---- The gain in parts of the time ------------------------------------------ */

/* By how much the best setting improves on the present one in a part of the time, in the
 * unit of the aim; NAN if there is no job to measure. */
static double part_gain(const struct eqt_tune *tune,
			const struct eqt_tune_result *result, int aim, int part)
{
	const double gain =
		result->parts_now[part][aim] - result->parts_best[part][aim];

	return tune->aims.aim[aim].kind == EQT_TUNE_USE ? -gain : gain;
}

/* For qsort(): ascending. */
/* Add the line of an aim: how many parts are measured, better and worse, and their
 * gains. */
static void gains_add(struct libscols_table *table, const struct eqt_tune *tune,
		      const struct eqt_tune_result *result, int aim)
{
	static const double quantiles[] = { 0, 0.5, 1 };
	const char letter[] = { aim_letter(aim), '\0' };
	struct libscols_line *line = eqt_table_line(table, NULL);
	int count = 0, better = 0, worse = 0;
	double gains[EQT_TUNE_PARTS];
	char text[EQT_TABLE_CELL];

	for (int i = 0; i < EQT_TUNE_PARTS; i++) {
		const double gain = part_gain(tune, result, aim, i);

		better += gain > 0;
		worse += gain < 0;
		if (!isnan(gain))
			gains[count++] = gain;
	}
	qsort(gains, (size_t) count, sizeof(*gains), eqt_whole_compare_doubles);
	eqt_table_cell(line, 0, letter);
	eqt_table_cell_print(line, 1, "%d", count);
	eqt_table_cell_print(line, 2, "%d", better);
	eqt_table_cell_print(line, 3, "%d", worse);
	for (size_t i = 0; count && i < 3; i++) {
		const size_t at =
			eqt_whole_quantile(quantiles[i], (size_t) count);

		eqt_table_cell(line, 4 + i,
			       eqt_tune_aim_value(&tune->aims.aim[aim],
						  gains[at], text));
	}
}

/* A gain in a single part may be luck, so print for each aim in how many parts there is a
 * gain. */
static void show_gains(const struct eqt_tune *tune,
		       const struct eqt_tune_result *result, bool headings)
{
	struct libscols_table *table = eqt_table_new(
		"GAIN|>PARTS|>BETTER|>WORSE|>LEAST|>MEDIAN|>MOST", headings);

	for (int i = 0; i < tune->aims.count; i++)
		gains_add(table, tune, result, i);
	eqt_table_print(table);
}

/* ---- Fewer changes, and others ---------------------------------------------- */

/* Print what fewer changes achieve, and their lines. */
static int show_few(const struct eqt_tune *tune,
		    const struct eqt_tune_result *result, struct eqt_error *err)
{
	char text[EQT_TABLE_CELL];

	if (result->few_changes >= result->changes)
		return 0;
	printf("With %d of these %d changes most of the gain is left",
	       result->few_changes, result->changes);
	for (int i = 0; i < tune->aims.count; i++)
		printf("%s %c %s", i ? "," : ":", aim_letter(i),
		       eqt_tune_aim_value(&tune->aims.aim[i],
					  result->few_run->measure[i], text));
	printf("\n");
	return eqt_tune_lines_print(tune, &result->few, result->slurm_conf,
				    err);
}

/* Print the waits of all jobs, of partitions and of accounts, now and with the best
 * setting. */
static void show_others(const struct eqt_tune_result *result, bool headings)
{
	struct libscols_table *table =
		eqt_table_new("EVERYBODY|>NOW|>BEST", headings);

	for (int i = 0; i < result->others.count; i++) {
		const struct eqt_tune_aim *aim = &result->others.aim[i];
		struct libscols_line *line = eqt_table_line(table, NULL);
		char text[EQT_TABLE_CELL];

		eqt_table_cell(line, 0, aim->text);
		eqt_table_cell(line, 1,
			       eqt_tune_aim_value(aim, result->others_now[i],
						  text));
		eqt_table_cell_set(
			line, 2,
			eqt_tune_aim_value(aim, result->others_best[i], text),
			held_worsens(aim, result->others_now[i],
				     result->others_best[i])
				? EQT_COLOUR_BAD
				: EQT_COLOUR_NONE);
	}
	eqt_table_print(table);
}

int eqt_tune_show(const struct eqt_tune *tune,
		  const struct eqt_tune_result *result, bool headings,
		  struct eqt_error *err)
{
	if (headings)
		show_summary(tune, result);
	show_aims(tune, result, headings);
	putchar('\n');
	if (result->met && result->changes == 0)
		printf("The present setting meets all aims.\n");
	else if (result->met)
		printf("All aims are met with these changes:\n");
	else
		show_conflicts(tune, result);
	if (!result->met && result->changes)
		printf("The nearest setting has these changes:\n");
	if (result->changes &&
	    eqt_tune_lines_print(tune, &result->point, result->slurm_conf,
				 err) < 0)
		return -1;
	show_held(tune, result);
	if (result->changes) {
		if (show_few(tune, result, err) < 0)
			return -1;
		putchar('\n');
		show_changes(tune, result, headings);
		putchar('\n');
		show_gains(tune, result, headings);
		putchar('\n');
		show_others(result, headings);
	}
	putchar('\n');
	show_tradeoffs(tune, result, headings);
	return 0;
}

/* ---- JSON ------------------------------------------------------------------- */

/* Measures in the order of the aims. null if a run has no job for an aim. */
static json_object *measures_json(const struct eqt_tune *tune,
				  const struct eqt_tune_run *run)
{
	json_object *list = json_object_new_array();

	for (int i = 0; run && i < tune->aims.count; i++)
		eqt_json_append(list, run->measure[i]);
	return list;
}

/* Gains in the order of time. null if a part has no job for the aim. */
static json_object *gains_json(const struct eqt_tune *tune,
			       const struct eqt_tune_result *result, int aim)
{
	json_object *list = json_object_new_array();

	for (int i = 0; result->changes && i < EQT_TUNE_PARTS; i++)
		eqt_json_append(list, part_gain(tune, result, aim, i));
	return list;
}

/* Waits are in seconds. Shares and utilisation are from 0 to 1. Without --hold-out the
 * values of the part held out are null. */
static json_object *aims_json(const struct eqt_tune *tune,
			      const struct eqt_tune_result *result)
{
	json_object *list = json_object_new_array();

	for (int i = 0; i < tune->aims.count; i++) {
		const struct eqt_tune_aim *aim = &tune->aims.aim[i];
		json_object *one = json_object_new_object();

		eqt_json_add(one, "aim", aim->text);
		eqt_json_add(one, "target", aim->target);
		eqt_json_add(one, "now", result->now->measure[i]);
		eqt_json_add(one, "best", result->best->measure[i]);
		eqt_json_add(one, "best_alone", result->of_aim[i]->measure[i]);
		eqt_json_add(one, "now_held",
			     result->now_held ? result->now_held->measure[i]
					      : NAN);
		eqt_json_add(one, "best_held",
			     result->best_held ? result->best_held->measure[i]
					       : NAN);
		eqt_json_add(one, "gains", gains_json(tune, result, i));
		eqt_json_add(one, "met",
			     eqt_tune_aim_met(aim, result->best->measure[i]));
		eqt_json_append(list, one);
	}
	return list;
}

/* Values are texts in the form that slurm.conf and equitree.conf have. */
static json_object *changes_json(const struct eqt_tune *tune,
				 const struct eqt_tune_result *result)
{
	json_object *list = json_object_new_array();

	for (int i = 0; i < result->changes; i++) {
		const struct eqt_tune_change *change = &result->change[i];
		const struct eqt_tune_param *param =
			&tune->param[change->param];
		json_object *one = json_object_new_object();
		char text[EQT_TABLE_CELL];

		eqt_json_add(one, "parameter", param->name);
		eqt_json_add(one, "from",
			     eqt_tune_param_text(param, param->now, text));
		eqt_json_add(one, "to",
			     eqt_tune_param_text(
				     param, result->point.value[change->param],
				     text));
		eqt_json_add(one, "without",
			     measures_json(tune, change->without));
		eqt_json_append(list, one);
	}
	return list;
}

/* Pairs of aims, by their texts. */
static json_object *conflicts_json(const struct eqt_tune *tune)
{
	uint32_t pairs[EQT_TUNE_AIMS_MAX * EQT_TUNE_AIMS_MAX];
	const int count = eqt_tune_conflicts(tune, pairs);
	json_object *list = json_object_new_array();

	for (int i = 0; i < count; i++) {
		json_object *pair = json_object_new_array();

		for (uint32_t left = pairs[i]; left; left &= left - 1)
			eqt_json_append(
				pair, tune->aims.aim[__builtin_ctz(left)].text);
		eqt_json_append(list, pair);
	}
	return list;
}

/* The JSON object of the fewest changes: their names, and the values of the aims with
 * them. */
static json_object *few_json(const struct eqt_tune *tune,
			     const struct eqt_tune_result *result)
{
	json_object *object = json_object_new_object();
	json_object *names = json_object_new_array();

	for (int i = 0; i < tune->params; i++) {
		if (result->few.value[i] != tune->param[i].now)
			eqt_json_append(names, tune->param[i].name);
	}
	eqt_json_add(object, "parameters", names);
	eqt_json_add(object, "measures", measures_json(tune, result->few_run));
	return object;
}

static json_object *others_json(const struct eqt_tune_result *result)
{
	json_object *list = json_object_new_array();

	for (int i = 0; i < result->others.count; i++) {
		json_object *one = json_object_new_object();

		eqt_json_add(one, "wait", result->others.aim[i].text);
		eqt_json_add(one, "now", result->others_now[i]);
		eqt_json_add(one, "best", result->others_best[i]);
		eqt_json_append(list, one);
	}
	return list;
}

void eqt_tune_json(const struct eqt_tune *tune,
		   const struct eqt_tune_result *result)
{
	json_object *object = json_object_new_object();
	json_object *kept = json_object_new_array();

	for (int i = 0; i < tune->fixed_count; i++)
		eqt_json_append(kept, tune->fixed[i].name);
	eqt_json_add(object, "settings", eqt_archive_settings(tune));
	eqt_json_add(object, "met", result->met);
	eqt_json_add(object, "aims", aims_json(tune, result));
	eqt_json_add(object, "changes", changes_json(tune, result));
	eqt_json_add(object, "few", few_json(tune, result));
	eqt_json_add(object, "others", others_json(result));
	eqt_json_add(object, "conflicts",
		     result->met ? json_object_new_array()
				 : conflicts_json(tune));
	eqt_json_add(object, "kept", kept);
	eqt_json_print(object);
}

/* ---- A drawing ------------------------------------------------------------------------
 * A drawing of the trade-offs. Each pair of aims has a panel with a point for each
 * setting that was simulated, the aims as lines, and the present and the best setting. */

#define PANEL 420 /* width and height in points */
#define COLUMNS 2
#define PANELS_MAX 6

/* A value in the unit of its axis: hours or percent. */
static double axis_value(const struct eqt_tune_aim *aim, double value)
{
	return aim->kind == EQT_TUNE_WAIT ? value / 3600 : 100 * value;
}

/* Nine digits are more than a drawing shows. */
static void plot_write_run(FILE *to, const struct eqt_tune *tune,
			   const struct eqt_tune_run *run, int x, int y)
{
	fprintf(to, "%.9g %.9g\n",
		axis_value(&tune->aims.aim[x], run->measure[x]),
		axis_value(&tune->aims.aim[y], run->measure[y]));
}

/* Write points as a block of data. run NULL means all settings that were simulated on the
 * fitted jobs. */
static void plot_write_block(FILE *to, const struct eqt_tune *tune,
			     const char *name, const struct eqt_tune_run *run,
			     int x, int y)
{
	fprintf(to, "$%s << EOD\n", name);
	if (run)
		plot_write_run(to, tune, run, x, y);
	for (size_t i = 0; !run && i < tune->archive.count; i++) {
		const struct eqt_tune_run *one = tune->archive.list[i];

		if (one->key[0] == 'f')
			plot_write_run(to, tune, one, x, y);
	}
	fprintf(to, "EOD\n");
}

/* The letter is the same as in the tables. */
static void plot_write_label(FILE *to, const struct eqt_tune *tune,
			     const char *axis, int i)
{
	const struct eqt_tune_aim *aim = &tune->aims.aim[i];
	char text[EQT_TUNE_AIM_TEXT + 32];

	(void) snprintf(text, sizeof(text), "%c: %s (%s)", 'A' + i, aim->text,
			aim->kind == EQT_TUNE_WAIT ? "hours" : "%");
	fprintf(to, "set %slabel ", axis);
	eqt_plot_quoted(to, text);
	fprintf(to, " font ',9'\n");
}

/* The lines of the aims divide the panel. A good setting is on the better side of
 * both. */
static void plot_write_panel(FILE *to, const struct eqt_tune *tune,
			     const struct eqt_tune_result *result, int x, int y)
{
	plot_write_block(to, tune, "all", NULL, x, y);
	plot_write_block(to, tune, "now", result->now, x, y);
	plot_write_block(to, tune, "best", result->best, x, y);
	plot_write_label(to, tune, "x", x);
	plot_write_label(to, tune, "y", y);
	fprintf(to,
		"set arrow 1 from first %.9g, graph 0 to first %.9g, graph 1 "
		"nohead lc rgb '#38a169' dt 2\n"
		"set arrow 2 from graph 0, first %.9g to graph 1, first %.9g "
		"nohead lc rgb '#38a169' dt 2\n",
		axis_value(&tune->aims.aim[x], tune->aims.aim[x].target),
		axis_value(&tune->aims.aim[x], tune->aims.aim[x].target),
		axis_value(&tune->aims.aim[y], tune->aims.aim[y].target),
		axis_value(&tune->aims.aim[y], tune->aims.aim[y].target));
	fprintf(to, "plot $all with points pt 7 ps 0.4 lc rgb '#a0aec0' title "
		    "'simulated', $now with points pt 5 ps 1.2 lc rgb "
		    "'#dd6b20' title 'now', $best with points pt 9 ps 1.4 lc "
		    "rgb '#2b6cb0' title 'best for all'\n");
}

/* There are as many panels as pairs of aims, up to a limit. */
int eqt_tune_plot(const struct eqt_tune *tune,
		  const struct eqt_tune_result *result, const char *path,
		  struct eqt_error *err)
{
	const int aims = tune->aims.count;
	int panels = aims * (aims - 1) / 2, columns, rows, drawn = 0;
	struct eqt_plot_panels layout;
	FILE *to;

	if (panels == 0)
		return eqt_error_set(err, "%s: a trade-off needs two aims",
				     path);
	if (panels > PANELS_MAX)
		panels = PANELS_MAX;
	columns = panels < COLUMNS ? panels : COLUMNS;
	rows = (panels + columns - 1) / columns;
	layout = (struct eqt_plot_panels){ rows, columns, PANEL, PANEL };
	to = eqt_plot_open(path, &layout, err);
	if (!to)
		return -1;
	fprintf(to,
		"set grid\nset key top right font ',8'\n"
		"set offsets graph 0.05, graph 0.05, graph 0.05, graph 0.05\n");
	for (int x = 0; x < aims; x++)
		for (int y = x + 1; y < aims && drawn < panels; y++, drawn++)
			plot_write_panel(to, tune, result, x, y);
	return eqt_plot_close(to, path, err);
}
