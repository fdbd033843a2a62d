/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Slurm itself says when the job would start, by sbatch --test-only: by the limits of the
 * jobs that run, and ahead of those that wait. It is one question for a partition.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bill/json.h"
#include "bill/partitions.h"
#include "bill/refusal.h"
#include "cli/json.h"
#include "cli/table.h"
#include "slurm/scontrol/partitions.h"

#define NAME_SIZE 256
#define RANGE_SIZE (2 * EQT_FRAC_TEXT + 32)

/* What the request is in one partition. */
struct offer {
	char name[NAME_SIZE];
	struct eqt_estimate estimate;
	char start[EQT_REFUSAL_START];
	struct eqt_error refused;
	bool is_refused, cheapest, soonest;
};

/* Refused ones are last; all others by the least that they cost, then by their start. */
static int offer_compare(const void *left, const void *right)
{
	const struct offer *a = *(const struct offer *const *) left;
	const struct offer *b = *(const struct offer *const *) right;
	int order = (int) a->is_refused - (int) b->is_refused;

	if (order == 0 && !a->is_refused)
		order = eqt_frac_cmp(a->estimate.bill.low.usage,
				     b->estimate.bill.low.usage);
	if (order == 0)
		order = strcmp(a->start, b->start);
	return order ? order : strcmp(a->name, b->name);
}

/* Slurm's own no comes before a price. */
static void offer_make(struct offer *offer,
		       const struct eqt_estimate_site *site,
		       const struct eqt_bill_options *options)
{
	struct eqt_sbatch_component ask = options->request.asks[0];

	ask.partition = offer->name;
	offer->is_refused =
		eqt_bill_refusal_ask(offer->start, &options->request.words,
				     offer->name, &offer->refused) < 0 ||
		eqt_estimate_make(&offer->estimate, site, &ask,
				  &offer->refused) < 0;
}

/* Several may be cheapest, or soonest: there may be no difference. */
static void offers_mark(struct offer **offers, size_t count)
{
	const char *first = "";

	for (size_t i = 0; i < count && !offers[i]->is_refused; i++) {
		const char *start = offers[i]->start;

		offers[i]->cheapest =
			eqt_frac_cmp(offers[i]->estimate.bill.low.usage,
				     offers[0]->estimate.bill.low.usage) == 0;
		if (start[0] && (!first[0] || strcmp(start, first) < 0))
			first = start;
	}
	for (size_t i = 0; i < count; i++)
		offers[i]->soonest = first[0] && !offers[i]->is_refused &&
				     strcmp(offers[i]->start, first) == 0;
}

/* ---- Output --------------------------------------------------------------- */

/* "2.5", "1 to 4", "at least 1". */
static const char *offer_range(char buf[RANGE_SIZE], struct eqt_frac low,
			       struct eqt_frac high, bool least)
{
	char from[EQT_FRAC_TEXT], to[EQT_FRAC_TEXT];
	const bool range = eqt_frac_cmp(low, high) != 0;

	(void) snprintf(buf, RANGE_SIZE, "%s%s%s%s", least ? "at least " : "",
			eqt_frac_text(low, from, sizeof(from)),
			range ? " to " : "",
			range ? eqt_frac_text(high, to, sizeof(to)) : "");
	return buf;
}

/* Why it is refused, or what speaks for it. */
static const char *offer_remark(const struct offer *offer)
{
	if (offer->is_refused)
		return offer->refused.text;
	if (offer->cheapest)
		return offer->soonest ? "cheapest, soonest" : "cheapest";
	return offer->soonest ? "soonest" : "";
}

/* A line of the table; a partition that refuses the job has no numbers. Hours are those of
 * the time limit, with all factors. */
static void offer_add(struct libscols_table *table, const struct offer *offer)
{
	const struct eqt_quote *bill = &offer->estimate.bill;
	struct libscols_line *line = scols_table_new_line(table, NULL);
	struct eqt_frac low, high;
	char text[RANGE_SIZE];

	if (!line)
		return;
	eqt_table_cell_set(line, 0, offer->name, EQT_COLOUR_NONE);
	eqt_table_cell_set(line, 5, offer_remark(offer), EQT_COLOUR_NONE);
	if (offer->is_refused) {
		for (size_t i = 1; i < 5; i++)
			eqt_table_cell_set(line, i, "-", EQT_COLOUR_NONE);
		return;
	}
	eqt_table_cell_set(line, 1,
			   offer_range(text, bill->low.equivalents,
				       bill->high.equivalents, bill->least),
			   EQT_COLOUR_BOLD);
	eqt_table_cell_set(line, 2,
			   bill->also ? "by its nodes"
				      : eqt_price_unit(&bill->low),
			   EQT_COLOUR_NONE);
	eqt_table_cell_set(line, 3,
			   eqt_quote_hours(&low, bill, &bill->low) == 0 &&
					   eqt_quote_hours(&high, bill,
							   &bill->high) == 0
				   ? offer_range(text, low, high, bill->least)
				   : "-",
			   EQT_COLOUR_NONE);
	eqt_table_cell_set(line, 4, offer->start[0] ? offer->start : "-",
			   EQT_COLOUR_NONE);
}

/* People read the table from the top: the first line is the best one. */
static int offers_print(struct offer **offers, size_t count, bool headings)
{
	static const struct eqt_table_column columns[] = {
		{ "PARTITION", 0 }, { "COST", SCOLS_FL_RIGHT },
		{ "UNIT", 0 },	    { "HOURS", SCOLS_FL_RIGHT },
		{ "START", 0 },	    { "REMARK", SCOLS_FL_WRAP },
		{ NULL, 0 },
	};
	struct libscols_table *table = eqt_table_new(columns, headings);
	int rc;

	if (!table)
		return -1;
	for (size_t i = 0; i < count; i++)
		offer_add(table, offers[i]);
	rc = eqt_table_print(table);
	scols_unref_table(table);
	return rc;
}

/* The object of an estimate, with what only a comparison knows. */
static json_object *offer_json(const struct eqt_conf *conf,
			       const struct offer *offer)
{
	json_object *object =
		offer->is_refused ? json_object_new_object()
				  : eqt_estimate_json(conf, &offer->estimate);

	if (offer->is_refused) {
		eqt_json_add(object, "partition",
			     json_object_new_string(offer->name));
		eqt_json_add(object, "refused",
			     json_object_new_string(offer->refused.text));
		return object;
	}
	if (offer->start[0] != '\0')
		eqt_json_add(object, "start",
			     json_object_new_string(offer->start));
	eqt_json_add(object, "cheapest",
		     json_object_new_boolean(offer->cheapest));
	eqt_json_add(object, "soonest",
		     json_object_new_boolean(offer->soonest));
	return object;
}

static void offers_print_json(const struct eqt_conf *conf,
			      struct offer **offers, size_t count)
{
	json_object *object = json_object_new_object();
	json_object *array = json_object_new_array();

	for (size_t i = 0; i < count; i++)
		(void) json_object_array_add(array,
					     offer_json(conf, offers[i]));
	eqt_json_add(object, "partitions", array);
	eqt_json_print(object);
}

/* ---- All ------------------------------------------------------------------ */

/* Those that are up, in any order. */
static size_t offers_make(struct offer *all, struct offer **offers,
			  const struct eqt_estimate_site *site,
			  const struct eqt_bill_options *options)
{
	size_t count = 0;

	for (size_t i = 0; i < site->partitions.count; i++) {
		const struct eqt_scontrol_record *record =
			&site->partitions.records[i];
		const struct eqt_scontrol_value name =
			eqt_scontrol_record_get(record, "PartitionName");
		struct offer *offer = &all[count];

		if (name.length >= NAME_SIZE ||
		    !eqt_scontrol_value_is(
			    eqt_scontrol_record_get(record, "State"), "UP"))
			continue;
		(void) snprintf(offer->name, NAME_SIZE, "%.*s",
				(int) name.length, name.text);
		offer_make(offer, site, options);
		offers[count++] = offer;
	}
	qsort(offers, count, sizeof(struct offer *), offer_compare);
	return count;
}

int eqt_bill_partitions_print(const struct eqt_estimate_site *site,
			      const struct eqt_bill_options *options,
			      struct eqt_error *err)
{
	const size_t room = site->partitions.count;
	struct offer *all = calloc(room + 1, sizeof(*all));
	struct offer **offers = calloc(room + 1, sizeof(struct offer *));
	size_t count;
	int rc = 0;

	if (options->request.components > 1) {
		rc = eqt_error_set(err, "--all-partitions takes a job of one "
					"component");
	} else if (!all || !offers) {
		rc = eqt_error_set(err, "out of memory");
	} else {
		count = offers_make(all, offers, site, options);
		offers_mark(offers, count);
		if (options->request.common.json)
			offers_print_json(site->conf, offers, count);
		else
			rc = offers_print(offers, count,
					  !options->request.common.no_headings);
		if (rc < 0)
			(void) eqt_error_set(err, "out of memory");
		else if (count == 0 || offers[0]->is_refused)
			rc = eqt_error_set(err, "no partition takes the job");
	}
	free(all);
	free((void *) offers);
	return rc;
}
