/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Charges in the columns of FOCUS 1.2, the FinOps Open Cost and Usage Specification.
 * There is a row for each stretch at one price, cut where months begin. The bill is for
 * an account, and its users are sub accounts. The price is the one with which the charge
 * was made, so the cost of a row is its quantity multiplied by its price.
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/whole.h"
#include "cli/table.h"
#include "slurm/text/timestamp.h"
#include "usage/usage.h"

#define NUMBER 40
#define MOMENT 24

/* The code of ISO 4217 for no currency, three X. */
static const char no_currency[] = { 'X', 'X', 'X', '\0' };

/* One row. Texts are borrowed. */
struct focus_row {
	const struct eqt_sacct_job *job;
	const char *cluster, *source;
	const char *currency;
	/* In UTC, like all times in FOCUS. */
	char begin[MOMENT], end[MOMENT], month[MOMENT], next_month[MOMENT];
	char quantity[NUMBER], price[NUMBER], cost[NUMBER];
	char sku[EQT_UNIT_SIZE + 8], unit[EQT_UNIT_SIZE + 16];
	char resource[160], text[400];
};

/* Print either the names of the columns or their cells. Columns that FOCUS does not
 * define begin with x_. */
static void focus_print(const struct focus_row *row, bool names)
{
	const char *const *job = row->job->text;
	const char *const cells[][2] = {
		{ "BilledCost", row->cost },
		{ "BillingAccountId", job[EQT_SACCT_ACCOUNT] },
		{ "BillingAccountName", job[EQT_SACCT_ACCOUNT] },
		{ "BillingCurrency", row->currency },
		{ "BillingPeriodEnd", row->next_month },
		{ "BillingPeriodStart", row->month },
		{ "ChargeCategory", "Usage" },
		{ "ChargeClass", "" },
		{ "ChargeDescription", row->text },
		{ "ChargeFrequency", "Usage-Based" },
		{ "ChargePeriodEnd", row->end },
		{ "ChargePeriodStart", row->begin },
		{ "ConsumedQuantity", row->quantity },
		{ "ConsumedUnit", row->unit },
		{ "ContractedCost", row->cost },
		{ "ContractedUnitPrice", row->price },
		{ "EffectiveCost", row->cost },
		{ "InvoiceIssuerName", row->cluster },
		{ "ListCost", row->cost },
		{ "ListUnitPrice", row->price },
		{ "PricingCategory", "Standard" },
		{ "PricingQuantity", row->quantity },
		{ "PricingUnit", row->unit },
		{ "ProviderName", row->cluster },
		{ "PublisherName", row->cluster },
		{ "ResourceId", row->resource },
		{ "ResourceName", job[EQT_SACCT_ID] },
		{ "ResourceType", "Job" },
		{ "ServiceCategory", "Compute" },
		{ "ServiceName", job[EQT_SACCT_PARTITION] },
		{ "ServiceSubcategory", "Other (Compute)" },
		{ "SkuId", row->sku },
		{ "SkuMeter", row->unit },
		{ "SkuPriceDetails", "" },
		{ "SkuPriceId", row->sku },
		{ "SubAccountId", job[EQT_SACCT_USER] },
		{ "SubAccountName", job[EQT_SACCT_USER] },
		{ "SubAccountType", "User" },
		{ "x_Qos", job[EQT_SACCT_QOS] },
		{ "x_Source", row->source },
	};

	for (size_t i = 0; i < sizeof(cells) / sizeof(*cells); i++) {
		if (i > 0)
			putchar(',');
		eqt_table_csv_text(cells[i][names ? 0 : 1]);
	}
	putchar('\n');
}

/* Make "Core-Hours" from "core-years". */
static void unit_text(struct focus_row *row, const char *years)
{
	const int length = (int) (strlen(years) - strlen("-years"));

	(void) snprintf(row->sku, sizeof(row->sku), "%.*s", length, years);
	(void) snprintf(row->unit, sizeof(row->unit), "%s-Hours", row->sku);
	row->unit[0] = (char) toupper((unsigned char) row->unit[0]);
}

/* Write quantity, price and cost for some seconds. Those of a refund are negative. */
static void amounts_text(struct focus_row *row,
			 const struct eqt_year_part *part, int unit, int money,
			 int64_t seconds)
{
	const double rate = (double) eqt_sum_amount_value(part->of[unit]);
	const double hours =
		(part->back ? -1 : 1) * rate * (double) seconds / 3600;
	/* Money is for an hour of the rate. */
	const double price =
		(double) eqt_sum_amount_value(part->of[money]) / rate;

	(void) snprintf(row->quantity, NUMBER, "%.9f", hours);
	(void) snprintf(row->price, NUMBER, "%.9f", price);
	(void) snprintf(row->cost, NUMBER, "%.9f", hours * price);
}

static void row_fill(struct focus_row *row, const struct eqt_year_part *part)
{
	const char *const *job = part->job->text;

	row->job = part->job;
	/* A saved list may have no cluster, but FOCUS needs the name of a provider. */
	row->cluster = job[EQT_SACCT_CLUSTER][0] != '\0'
			       ? job[EQT_SACCT_CLUSTER]
			       : "cluster";
	row->source = eqt_cost_source_name(part->rate->source);
	/* The start makes the id unique, because Slurm uses the numbers of jobs again. */
	(void) snprintf(row->resource, sizeof(row->resource),
			"%.60s/%.30s/%" PRId64, row->cluster, job[EQT_SACCT_ID],
			part->job->start_s);
	(void) snprintf(row->text, sizeof(row->text),
			"%sjob %.30s of %.128s in partition %.128s",
			part->back ? "refund of " : "", job[EQT_SACCT_ID],
			job[EQT_SACCT_USER], job[EQT_SACCT_PARTITION]);
}

/* Print a row for each month of a charge. A charge has a price in one pool only. A charge
 * of 0 has no row. */
static void part_print(const struct eqt_year *usage,
		       const struct eqt_year_part *part)
{
	const bool cores = part->of[EQT_YEAR_CORE] > 0;
	const int unit = cores		  ? EQT_YEAR_CORE
			 : usage->weights ? EQT_YEAR_RGU
					  : EQT_YEAR_GPU;
	struct focus_row row = { .currency = usage->names.currency[0]
						     ? usage->names.currency
						     : no_currency };
	char month[EQT_YEAR_TEXT];
	int64_t at_s = part->from_s, end_s, next_s;
	int year, number;

	if (part->of[unit] == 0)
		return;
	row_fill(&row, part);
	unit_text(&row, usage->names.years[unit]);
	for (; at_s < part->until_s; at_s = end_s) {
		next_s = eqt_period_month(at_s, month);
		end_s = eqt_whole_earlier(next_s, part->until_s);
		(void) sscanf(month, "%d-%d", &year, &number);
		(void) eqt_timestamp_utc(row.month, MOMENT,
					 eqt_timestamp_midnight(year, number,
								1));
		(void) eqt_timestamp_utc(row.next_month, MOMENT, next_s);
		(void) eqt_timestamp_utc(row.begin, MOMENT, at_s);
		(void) eqt_timestamp_utc(row.end, MOMENT, end_s);
		amounts_text(&row, part, unit,
			     cores ? EQT_YEAR_CORE_MONEY : EQT_YEAR_GPU_MONEY,
			     end_s - at_s);
		focus_print(&row, false);
	}
}

/* part NULL means that the list begins, so print the names of the columns. */
void eqt_focus_part(void *with, const struct eqt_year_part *part)
{
	const struct eqt_year_focus *focus = with;
	const struct eqt_sacct_job none = { .line = 0 };
	const struct focus_row names = { .job = &none };

	if (part)
		part_print(focus->usage, part);
	else if (focus->headings)
		focus_print(&names, true);
}
