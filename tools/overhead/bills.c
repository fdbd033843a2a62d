/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The fair bill of a period. The resources of a job are multiplied by the rates of its
 * node at each moment. A single unit bills each node: the unit of one of the node's
 * partitions, or else a unit that counts GPUs if the node has GPUs, or else the first
 * unit that the node can hold. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/whole.h"
#include "cli/json.h"
#include "slurm/conf/site_conf.h"
#include "cli/table.h"
#include "overhead/overhead.h"
#include "slurm/charges.h"
#include "slurm/text/timestamp.h"

/* Amounts multiplied by seconds: of cores, MiB, GPUs, and local disk. */
struct bill {
	const char *name; /* owned by the table */
	double asked[EQT_UNIT_PARTS];
	double billed[EQT_UNIT_PARTS];
	double charged; /* charge from the record, in equivalent-seconds */
};

struct bills {
	const struct eqt_overhead_options *options;
	/* entries are struct bill, sorted before they are printed */
	struct eqt_names names;
	struct bill total;
	/* amounts that are charged to nobody */
	double overhead[EQT_UNIT_PARTS];

	bool recorded; /* the record was read */
	uint64_t elsewhere;
	bool disk_bytes; /* local disk is counted in bytes */
};

/* Whose a bill is, by the key of --by: in the table and in JSON. */
static const struct {
	const char *columns, *json;
} owners[] = {
	[EQT_OVERHEAD_BY_JOB] = { "JOB|UNIT|>REQUESTED|>BILLED|>RATE", "job" },
	[EQT_OVERHEAD_BY_USER] = { "USER|UNIT|>REQUESTED|>BILLED|>RATE",
				   "user" },
	[EQT_OVERHEAD_BY_ACCOUNT] = { "ACCOUNT|UNIT|>REQUESTED|>BILLED|>RATE",
				      "account" },
};

static const char *const part_units[EQT_UNIT_PARTS] = {
	"core-hours", "GiB-hours", "GPU-hours", "disk-hours"
};

/* The unit of a part. Local disk is in GiB if Slurm counts it in bytes. */
static const char *part_unit(const struct bills *bills, int part)
{
	return part == EQT_UNIT_PART_DISK && bills->disk_bytes
		       ? "disk-GiB-hours"
		       : part_units[part];
}

/* Convert seconds to hours. Seconds of MiB or of bytes become hours of GiB. */
static double part_hours(const struct bills *bills, double seconds, int part)
{
	const double gib = 1024.0 * 1024.0 * 1024.0;
	const double hours = seconds / 3600;

	if (part == EQT_UNIT_PART_DISK)
		return bills->disk_bytes ? hours / gib : hours;
	return part == EQT_UNIT_PART_MEMORY ? hours / 1024 : hours;
}

/* ---- Sums ----------------------------------------------------------------- */

/* The unit that bills a node, or -1. The unit with the highest rank is the most specific
 * one. */
static int bills_unit(const struct eqt_overhead_options *options,
		      const struct eqt_scontrol_node *node)
{
	const struct eqt_capacity_units *units = &options->units;
	int unit, rank, best = -1, best_rank = -1;

	for (unit = 0; unit < units->count; unit++) {
		if (!eqt_overhead_unit_has(options, unit, node))
			continue;
		rank = units->partition[unit][0]		  ? 2
		       : units->unit[unit].of[EQT_UNIT_PART_GPUS] ? 1
								  : 0;
		if (rank > best_rank) {
			best = unit;
			best_rank = rank;
		}
	}
	return best;
}

/* The bill of the job, of its user or of its account, depending on --by. */
static struct bill *bills_of(struct bills *bills,
			     const struct eqt_history_job *job)
{
	const char *name =
		bills->options->by == EQT_OVERHEAD_BY_USER	? job->user
		: bills->options->by == EQT_OVERHEAD_BY_ACCOUNT ? job->account
								: job->id;

	return eqt_names_get(&bills->names, name, sizeof(struct bill), NULL);
}

/* The rates of all parts on a node, by the formula of lib/price/canonical_unit.h. 0 means
 * that nothing is billed. */
static void span_rates(double rates[EQT_UNIT_PARTS],
		       const struct eqt_history_span *span,
		       const struct eqt_unit_amounts *unit)
{
	struct eqt_frac rate;

	for (int part = 0; part < EQT_UNIT_PARTS; part++) {
		rates[part] = 0;
		if (eqt_canonical_unit_rate(&rate, unit, &span->node->total,
					    &span->allocated,
					    (enum eqt_unit_part) part) < 0)
			continue;
		/* If a node takes no jobs, the provider bears the loss, and not the
		 * jobs. */
		rates[part] = span->available ? eqt_frac_double(rate) : 1;
	}
}

/* Add amounts to a bill: "asked" is what was requested, and "billed" is that multiplied
 * by the rate of the node. */
static void bill_add(struct bill *bill, const struct eqt_unit_amounts *has,
		     const double rates[EQT_UNIT_PARTS], double seconds)
{
	for (int part = 0; part < EQT_UNIT_PARTS; part++) {
		if (!(rates[part] > 0))
			continue;
		bill->asked[part] += seconds * (double) has->of[part];
		bill->billed[part] +=
			seconds * (double) has->of[part] * rates[part];
	}
}

/* Add a stretch of time in which nothing changes. All jobs of the node pay by its rates.
 * Units that still fit on the node are true overhead and are charged to nobody. */
static void bills_add(void *with, const struct eqt_history_span *span)
{
	struct bills *bills = with;
	const int which = bills_unit(bills->options, span->node);
	const double seconds = (double) (span->until_s - span->from_s);
	const struct eqt_unit_amounts *unit;
	const struct eqt_history_part *part;
	struct eqt_unit_amounts rest;
	double rates[EQT_UNIT_PARTS];
	struct bill *bill;
	uint64_t free_units;

	if (which < 0)
		return;
	unit = &bills->options->units.unit[which];
	span_rates(rates, span, unit);
	for (size_t i = 0; i < span->count; i++) {
		part = &span->history->part[span->active[i]];
		bill = bills_of(bills, &span->history->job[part->job]);
		bill_add(bill, &part->has, rates, seconds);
		bill_add(&bills->total, &part->has, rates, seconds);
	}
	rest = eqt_canonical_unit_rest(&span->node->total, &span->allocated);
	free_units = span->available ? eqt_canonical_unit_count(unit, &rest)
				     : 0;
	for (size_t i = 0; i < EQT_UNIT_PARTS; i++)
		bills->overhead[i] +=
			seconds * (double) free_units * (double) unit->of[i];
}

/* ---- The record of charges ---------------------------------------------------- */

/* The bill to which a line of the record belongs. */
static struct bill *bills_of_record(struct bills *bills,
				    const struct eqt_charge_record *record)
{
	char id[16];
	const struct eqt_history_job job = { id, record->user,
					     record->account };

	(void) snprintf(id, sizeof(id), "%" PRIu32, record->job_id);
	return bills_of(bills, &job);
}

/* A visitor of the record: add the charge of a line within the period, at the price of
 * that time. A refund is subtracted. */
static int bills_record_line(const struct eqt_charge_record *record, void *with)
{
	struct bills *bills = with;
	const struct eqt_overhead_options *options = bills->options;
	int64_t from_s = record->from + (int64_t) record->idle_s;
	int64_t to_s = record->to;
	struct bill *bill;

	if (!eqt_whole_cut_span(&from_s, &to_s, options->since_s,
				options->until_s) ||
	    (options->partition &&
	     strcmp(options->partition, record->partition) != 0))
		return 0;
	bill = bills_of_record(bills, record);
	bill->charged += record->rate * record->factor / (double) record->unit *
			 (double) (to_s - from_s);
	return 0;
}

/* A run is in the file of the day of its end, or of a later day, so read on to today.
 * Saved jobs may belong to another cluster, so they do not use this cluster's record. */
static int bills_record(struct bills *bills, struct eqt_error *err)
{
	const struct eqt_overhead_options *options = bills->options;
	const struct eqt_conf *conf = NULL;
	char folder[EQT_CHARGES_FOLDER], day[EQT_TIMESTAMP_DAY];
	struct eqt_charges_read read;

	if (!options->charges && !options->source.jobs &&
	    eqt_site_conf_try(&conf) < 0)
		return eqt_error_set(err, "equitree.conf cannot be read");
	eqt_charges_folder(folder, options->charges, conf);
	eqt_conf_free(conf);
	if (folder[0] == '\0')
		return 0;
	bills->recorded = true;
	(void) eqt_timestamp_day(options->since_s, day);
	return eqt_charges_read_runs(&read, folder, day, bills_record_line,
				     bills, err);
}

/* ---- Order ---------------------------------------------------------------- */

/* Sort ids of jobs by number, and names by their bytes. Shorter numbers are smaller. */
static int bill_compare(const void *a, const void *b)
{
	const char *left = (*(struct bill *const *) a)->name;
	const char *right = (*(struct bill *const *) b)->name;
	const size_t longer = strlen(left), other = strlen(right);

	if (strspn(left, "0123456789") == longer &&
	    strspn(right, "0123456789") == other && longer != other)
		return longer < other ? -1 : 1;
	return strcmp(left, right);
}

/* ---- Output --------------------------------------------------------------- */

/* Add a row for a resource of a bill. The rate is the mean over the period. */
static void bills_add_row(struct libscols_table *table,
			  const struct bills *bills, const struct bill *bill,
			  int part)
{
	struct libscols_line *line = eqt_table_line(table, NULL);

	eqt_table_cell(line, 0, bill->name);
	eqt_table_cell(line, 1, part_unit(bills, part));
	eqt_table_cell_print(line, 2, "%.2f",
			     part_hours(bills, bill->asked[part], part));
	eqt_table_cell_print(line, 3, "%.2f",
			     part_hours(bills, bill->billed[part], part));
	eqt_table_cell_print(line, 4, "%.0f %%",
			     100 * bill->billed[part] / bill->asked[part]);
}

/* Add the charge of a bill from the record. */
static void bills_add_charged(struct libscols_table *table,
			      const struct bill *bill)
{
	struct libscols_line *line = eqt_table_line(table, NULL);

	eqt_table_cell(line, 0, bill->name);
	eqt_table_cell(line, 1, "charged hours");
	eqt_table_cell(line, 2, "");
	eqt_table_cell_print(line, 3, "%.2f", bill->charged / 3600);
	eqt_table_cell(line, 4, "");
}

/* Print a sentence per part: what was requested, what is billed, and the true overhead. A
 * part without any of these has no sentence. */
static void bills_print_words(const struct bills *bills)
{
	for (int part = 0; part < EQT_UNIT_PARTS; part++) {
		if (bills->total.asked[part] > 0 || bills->overhead[part] > 0)
			printf("%sIn all %.2f %s requested, %.2f billed; %.2f "
			       "true overhead, charged to nobody.\n",
			       part == 0 ? "\n" : "",
			       part_hours(bills, bills->total.asked[part],
					  part),
			       part_unit(bills, part),
			       part_hours(bills, bills->total.billed[part],
					  part),
			       part_hours(bills, bills->overhead[part], part));
	}
	if (bills->recorded)
		printf("Charged hours are equivalent-hours of the record of "
		       "charges, at the prices of their day.\n");
	eqt_overhead_elsewhere_print(bills->elsewhere);
}

static void bills_print(const struct bills *bills)
{
	struct libscols_table *table =
		eqt_table_new(owners[bills->options->by].columns,
			      !bills->options->common.no_headings);

	for (size_t i = 0; i < bills->names.count; i++) {
		const struct bill *bill = bills->names.list[i];

		for (int part = 0; part < EQT_UNIT_PARTS; part++) {
			if (bill->asked[part] > 0)
				bills_add_row(table, bills, bill, part);
		}
		if (bill->charged > 0)
			bills_add_charged(table, bill);
	}
	eqt_table_print(table);
	if (!eqt_output_csv())
		bills_print_words(bills);
}

/* All resources of a bill as JSON. The first key tells whose bill it is. */
static json_object *bill_json(const struct bills *bills,
			      const struct bill *bill)
{
	static const char *const keys[] = { "core", "memory_gib", "gpu", NULL };
	json_object *object = json_object_new_object();
	const char *const disk = bills->disk_bytes ? "disk_gib" : "disk";
	char key[64];

	eqt_json_add(object, owners[bills->options->by].json, bill->name);
	for (int part = 0; part < EQT_UNIT_PARTS; part++) {
		(void) snprintf(key, sizeof(key), "requested_%s_hours",
				part == EQT_UNIT_PART_DISK ? disk : keys[part]);
		eqt_json_add(object, key,
			     part_hours(bills, bill->asked[part], part));
		(void) snprintf(key, sizeof(key), "billed_%s_hours",
				part == EQT_UNIT_PART_DISK ? disk : keys[part]);
		eqt_json_add(object, key,
			     part_hours(bills, bill->billed[part], part));
	}
	if (bills->recorded)
		eqt_json_add(object, "charged_hours", bill->charged / 3600);
	return object;
}

/* Print the bills as JSON, in the order of the table. */
static void bills_json(const struct bills *bills)
{
	json_object *object =
		eqt_overhead_period_json(bills->options, bills->elsewhere);
	json_object *list = json_object_new_array();

	for (size_t i = 0; i < bills->names.count; i++)
		eqt_json_append(list, bill_json(bills, bills->names.list[i]));
	eqt_json_add(object, "bills", list);
	eqt_json_print(object);
}

int eqt_bills_print(const struct eqt_scontrol_nodes *nodes,
		    const struct eqt_overhead_options *options,
		    struct eqt_error *err)
{
	struct bills bills = { .options = options,
			       .disk_bytes = nodes->disk_bytes };
	int rc = eqt_overhead_period(nodes, options, bills_add, &bills,
				     &bills.elsewhere, err);

	if (rc == 0)
		rc = bills_record(&bills, err);
	if (bills.names.count > 0)
		qsort(bills.names.list, bills.names.count, sizeof(void *),
		      bill_compare);
	if (rc == 0 && options->common.json)
		bills_json(&bills);
	else if (rc == 0)
		bills_print(&bills);
	eqt_names_free(&bills.names);
	return rc;
}
