/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <string.h>

#include "../../common/ask_fields.h"
#include "../../common/ask_partition.h"
#include "../../common/env_names.h"
#include "../../common/log.h"
#include "../../common/reach.h"
#include "ask_from_job.h"
#include "eqt_bill.h"
#include "job_env.h"

enum variable {
	PRICE,
	PRICE_MAX,
	UNIT,
	DECIDED_BY,
	RATE,
	RATE_MAX,
	BILLING,
	VARIABLES
};

static const char *const names[VARIABLES] = {
	[PRICE] = EQT_ENV_PRICE,     [PRICE_MAX] = EQT_ENV_PRICE_MAX,
	[UNIT] = EQT_ENV_UNIT,	     [DECIDED_BY] = EQT_ENV_DECIDED_BY,
	[RATE] = EQT_ENV_RATE,	     [RATE_MAX] = EQT_ENV_RATE_MAX,
	[BILLING] = EQT_ENV_BILLING,
};

#define VALUE_SIZE 32

struct values {
	char of[VARIABLES][VALUE_SIZE]; /* "": it has no value */
};

/* The price in one of the partitions that may take the job. */
static int bill_in(struct eqt_bill *bill, struct eqt_prices *prices,
		   const struct eqt_settings *settings, const job_record_t *job,
		   const part_record_t *part)
{
	const slurmdb_qos_rec_t *qos = job->qos_ptr;
	struct eqt_counted counted;
	struct eqt_error err;
	struct eqt_ask ask;

	eqt_conf_prices(prices, settings->conf, part ? part->name : NULL,
			qos ? qos->name : NULL);
	if (qos)
		prices->queue[EQT_USAGE] = (struct eqt_queue){
			qos->name, eqt_field_factor_u(qos->usage_factor)
		};
	eqt_ask_from_job(&ask, job);
	if (part)
		eqt_ask_add_part(&ask, part);
	if (eqt_counted_make(&counted, prices, &ask, &err) == 0) {
		if (part)
			eqt_reach_apply(prices, &ask, &counted.asked.request,
					part);
		if (eqt_bill_count(bill, prices, &ask, &counted, &err) == 0)
			return 0;
	}
	eqt_log_debug2("job %u has no price: %s", job->job_id, err.text);
	return -1;
}

/* The price in any of them; *prices is the bill's. */
static int bill_of(struct eqt_bill *bill, struct eqt_prices *prices,
		   const struct eqt_settings *settings, const job_record_t *job)
{
	struct eqt_prices other_prices;
	struct eqt_bill other;
	list_itr_t *iterator;
	part_record_t *part;

	if (bill_in(bill, prices, settings, job, job->part_ptr) < 0)
		return -1;
	if (!job->part_ptr_list)
		return 0;
	iterator = list_iterator_create(job->part_ptr_list);
	while ((part = list_next(iterator))) {
		if (part != job->part_ptr &&
		    bill_in(&other, &other_prices, settings, job, part) == 0)
			eqt_bill_widen(bill, &other);
	}
	list_iterator_destroy(iterator);
	return 0;
}

/* Where the job may get more than any known price, there is no most. */
static void fill(struct values *values, const struct eqt_bill *bill,
		 const struct eqt_conf *conf)
{
	const struct eqt_price *low = &bill->low, *high = &bill->high;
	char(*of)[VALUE_SIZE] = values->of;

	(void) eqt_frac_text(low->equivalents, of[PRICE], VALUE_SIZE);
	(void) eqt_frac_text(low->usage, of[RATE], VALUE_SIZE);
	if (!bill->least) {
		(void) eqt_frac_text(high->equivalents, of[PRICE_MAX],
				     VALUE_SIZE);
		(void) eqt_frac_text(high->usage, of[RATE_MAX], VALUE_SIZE);
	}
	(void) snprintf(of[UNIT], VALUE_SIZE, "%s", eqt_price_unit(low));
	(void) snprintf(of[DECIDED_BY], VALUE_SIZE, "%s",
			low->minimum ? "minimum"
				     : eqt_resource_name(low->dominant));
	(void) snprintf(of[BILLING], VALUE_SIZE, "%" PRIu64,
			eqt_frac_round(low->charge, conf->billing_scale,
				       conf->billing_round));
}

/* Set one variable of the job; slurmctld frees it with the record. */
static void set(job_details_t *details, const char *name, const char *value)
{
	const size_t length = strlen(name);
	uint16_t i;

	for (i = 0; i < details->env_cnt; i++) {
		const char *known = details->env_sup[i];

		if (known && strncmp(known, name, length) == 0 &&
		    known[length] == '=')
			break;
	}
	if (i == details->env_cnt) {
		if (i == UINT16_MAX - 1)
			return;
		xrecalloc(details->env_sup, (size_t) i + 2, sizeof(char *));
		details->env_cnt++;
	}
	xfree(details->env_sup[i]);
	details->env_sup[i] = xstrdup_printf("%s=%s", name, value);
}

void eqt_job_env_set(const struct eqt_settings *settings, job_record_t *job)
{
	struct values values = { .of = { "" } };
	struct eqt_prices prices;
	struct eqt_bill bill;

	if (!job->details || !IS_JOB_PENDING(job) || IS_JOB_COMPLETING(job))
		return;
	if (bill_of(&bill, &prices, settings, job) == 0)
		fill(&values, &bill, settings->conf);
	for (int i = 0; i < VARIABLES; i++)
		set(job->details, names[i], values.of[i]);
}
