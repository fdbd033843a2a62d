/* SPDX-License-Identifier: GPL-2.0-or-later */
/* For each partition "sbatch --test-only" tells when Slurm would start the job. Slurm
 * then counts running jobs up to their time limits, and no waiting jobs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fraction.h"
#include "bill/offers.h"
#include "cli/alloc.h"
#include "cli/table.h"

#define NAME_SIZE 256
#define RANGE_SIZE (2 * EQT_FRAC_TEXT + 32)

/* The request in one partition. */
struct offer {
	char name[NAME_SIZE];
	struct eqt_estimate estimate;
	char start[EQT_REFUSAL_START];
	struct eqt_error refused;
	bool is_refused, cheapest, soonest;
};

/* Sort by the lowest cost, then by start. Refused offers come last. */
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

/* Ask Slurm first, because a request that Slurm refuses has no price. */
static void offer_make(struct offer *offer,
		       const struct eqt_estimate_site *site,
		       const struct eqt_sbatch_options *request)
{
	struct eqt_sbatch_component component = request->component[0];

	component.partition = offer->name;
	offer->is_refused =
		eqt_estimate_refusal_ask(offer->start, &request->words,
					 offer->name, &offer->refused) < 0 ||
		eqt_estimate_make(&offer->estimate, site, &component,
				  &offer->refused) < 0;
}

/* Mark the cheapest and the soonest offers. There may be several of each. */
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

/* Make an offer for each partition that is up, and sort them. */
static size_t offers_make(struct offer *all, struct offer **offers,
			  const struct eqt_estimate_site *site,
			  const struct eqt_sbatch_options *request)
{
	size_t count = 0;

	for (size_t i = 0; i < site->partitions.count; i++) {
		const struct eqt_scontrol_record *record =
			&site->partitions.records[i];
		const char *name = eqt_record_text(record, "PartitionName");
		struct offer *offer = &all[count];

		if (strlen(name) >= NAME_SIZE ||
		    !eqt_record_is(record, "State", "UP"))
			continue;
		(void) snprintf(offer->name, NAME_SIZE, "%s", name);
		offer_make(offer, site, request);
		offers[count++] = offer;
	}
	qsort(offers, count, sizeof(struct offer *), offer_compare);
	return count;
}

/* ---- Output --------------------------------------------------------------- */

/* Write a range such as "2.5", "1 to 4" or "at least 1". */
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

/* Why the job is refused in the partition, or what is good about the offer. */
static const char *offer_remark(const struct offer *offer)
{
	if (offer->is_refused)
		return offer->refused.text;
	if (offer->cheapest)
		return offer->soonest ? "cheapest, soonest" : "cheapest";
	return offer->soonest ? "soonest" : "";
}

/* Add a line to the table. A partition that refuses the job has no numbers. Hours are for
 * the whole time limit, with all factors. */
static void offer_add(struct libscols_table *table, const struct offer *offer)
{
	const struct eqt_quote *bill = &offer->estimate.bill;
	struct libscols_line *line = eqt_table_line(table, NULL);
	struct eqt_frac low, high;
	char text[RANGE_SIZE];

	eqt_table_cell(line, 0, offer->name);
	eqt_table_cell(line, 5, offer_remark(offer));
	if (offer->is_refused) {
		for (size_t i = 1; i < 5; i++)
			eqt_table_cell(line, i, "-");
		return;
	}
	eqt_table_cell_set(line, 1,
			   offer_range(text, bill->low.equivalents,
				       bill->high.equivalents, bill->least),
			   EQT_COLOUR_BOLD);
	eqt_table_cell(line, 2,
		       bill->also ? "by its nodes"
				  : eqt_price_unit(&bill->low));
	eqt_table_cell(line, 3,
		       eqt_quote_hours(&low, bill, &bill->low) == 0 &&
				       eqt_quote_hours(&high, bill,
						       &bill->high) == 0
			       ? offer_range(text, low, high, bill->least)
			       : "-");
	eqt_table_cell(line, 4, offer->start[0] ? offer->start : "-");
}

static void offers_print(struct offer **offers, size_t count, bool headings)
{
	struct libscols_table *table = eqt_table_new(
		"PARTITION|>COST|UNIT|>HOURS|START|~REMARK", headings);

	for (size_t i = 0; i < count; i++)
		offer_add(table, offers[i]);
	eqt_table_print(table);
}

/* An estimate as a JSON object, with the members of a comparison added. */
static json_object *offer_json(const struct eqt_conf *conf,
			       const struct offer *offer)
{
	json_object *object =
		offer->is_refused ? json_object_new_object()
				  : eqt_estimate_json(conf, &offer->estimate);

	if (offer->is_refused) {
		eqt_json_add(object, "partition", offer->name);
		eqt_json_add(object, "refused", offer->refused.text);
		return object;
	}
	if (offer->start[0] != '\0')
		eqt_json_add(object, "start", offer->start);
	eqt_json_add(object, "cheapest", offer->cheapest);
	eqt_json_add(object, "soonest", offer->soonest);
	return object;
}

static void offers_print_json(const struct eqt_conf *conf,
			      struct offer **offers, size_t count)
{
	json_object *object = json_object_new_object();
	json_object *array = json_object_new_array();

	for (size_t i = 0; i < count; i++)
		eqt_json_append(array, offer_json(conf, offers[i]));
	eqt_json_add(object, "partitions", array);
	eqt_json_print(object);
}

int eqt_offers_print(const struct eqt_estimate_site *site,
		     const struct eqt_sbatch_options *request,
		     struct eqt_error *err)
{
	const size_t room = site->partitions.count;
	struct offer *all = eqt_alloc(room + 1, sizeof(*all));
	struct offer **offers = eqt_alloc(room + 1, sizeof(struct offer *));
	size_t count;
	int rc = 0;

	if (request->components > 1) {
		rc = eqt_error_set(
			err, "--all-partitions takes a job of one component");
	} else {
		count = offers_make(all, offers, site, request);
		offers_mark(offers, count);
		if (request->common.json)
			offers_print_json(site->conf, offers, count);
		else
			offers_print(offers, count,
				     !request->common.no_headings);
		if (count == 0 || offers[0]->is_refused)
			rc = eqt_error_set(err, "no partition takes the job");
	}
	free(all);
	free((void *) offers);
	return rc;
}
