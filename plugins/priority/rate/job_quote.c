/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The price of a waiting job from its record, by the same functions as at
 * submission: the record is made a description again. */
#include "slurm/spec_fields.h"
#include "slurm/spec_partition.h"
#include "slurm/log.h"
#include "slurm/candidate_nodes.h"
#include "slurm/desc_from_job.h"
#include "slurm/spec_from_desc.h"
#include "rate/job_quote.h"

/* The quote in one of the job's partitions; part may be NULL. */
static int quote_in_partition(struct eqt_quote *quote,
			      struct eqt_bundle_table *prices,
			      const struct eqt_config *config,
			      const job_record_t *job,
			      const part_record_t *part,
			      struct eqt_candidate_nodes *candidates)
{
	const slurmdb_qos_rec_t *qos = job->qos_ptr;
	struct eqt_parsed_spec parsed;
	struct eqt_error err;
	struct eqt_job_spec spec;
	job_desc_msg_t desc;

	eqt_conf_prices(prices, config->conf, part ? part->name : NULL,
			qos ? qos->name : NULL);
	if (qos)
		prices->queue[EQT_CHARGE_FACTOR_USAGE] =
			(struct eqt_charge_factor){
				.name = qos->name,
				.factor_u = eqt_spec_field_factor_u(
					qos->usage_factor)
			};
	eqt_desc_from_job(&desc, job);
	eqt_spec_from_desc(&spec, &desc);
	if (part)
		eqt_spec_add_partition(&spec, part, candidates);
	if (eqt_parsed_spec_make(&parsed, prices, &spec, &err) == 0) {
		if (part)
			eqt_candidate_nodes_apply(candidates, prices, &spec,
						  &parsed.totals.demand, part);
		if (eqt_quote_price(quote, prices, &spec, &parsed, &err) == 0)
			return 0;
	}
	eqt_log_debug2("job %u has no price: %s", job->job_id, err.text);
	return -1;
}

/* The quote over all partitions of the job; nodes that several partitions share are read
 * once. The quote points into *prices. */
static int quote_with_candidates(struct eqt_quote *quote,
				 struct eqt_bundle_table *prices,
				 const struct eqt_config *config,
				 const job_record_t *job,
				 struct eqt_candidate_nodes *candidates)
{
	struct eqt_bundle_table other_prices;
	struct eqt_quote other;
	list_itr_t *iterator;
	part_record_t *part;

	if (quote_in_partition(quote, prices, config, job, job->part_ptr,
			       candidates) < 0)
		return -1;
	if (!job->part_ptr_list)
		return 0;
	iterator = list_iterator_create(job->part_ptr_list);
	while ((part = list_next(iterator))) {
		if (part != job->part_ptr &&
		    quote_in_partition(&other, &other_prices, config, job, part,
				       candidates) == 0)
			eqt_quote_widen(quote, &other);
	}
	list_iterator_destroy(iterator);
	return 0;
}

int eqt_job_quote(struct eqt_quote *quote, struct eqt_bundle_table *prices,
		  const struct eqt_config *config, const job_record_t *job)
{
	struct eqt_candidate_nodes candidates = {
		.prices = &config->conf->prices, .sets = &config->nodes
	};
	int rc = quote_with_candidates(quote, prices, config, job, &candidates);

	eqt_candidate_nodes_close(&candidates);
	return rc;
}

/* A rate in millionths, rounded up: a commitment must cover the charge. */
static uint64_t rate_micro(struct eqt_frac rate)
{
	return eqt_frac_round(rate, EQT_MICRO, EQT_ROUND_CEIL);
}

/* The time limit in a partition, in minutes; INFINITE without a limit. */
static uint32_t job_minutes(const job_record_t *job, const part_record_t *part)
{
	uint32_t minutes = job->time_limit;

	if (minutes == NO_VAL && part)
		minutes = part->default_time;
	if (minutes == NO_VAL && part)
		minutes = part->max_time;
	return minutes == NO_VAL || minutes == 0 ? INFINITE : minutes;
}

/* Keep the larger need, with its pool: rate times the longest run in a partition,
 * UINT64_MAX if that has no end or does not fit. */
static void need_widen(struct eqt_job_need *need, const struct eqt_quote *quote,
		       const job_record_t *job, const part_record_t *part)
{
	const struct eqt_price most = eqt_quote_most(quote);
	const uint32_t minutes = job_minutes(job, part);
	const uint32_t over = eqt_spec_partition_over_minutes(part);
	uint64_t rate = rate_micro(most.usage), here = 0;

	if (rate && (minutes == INFINITE || over == INFINITE ||
		     __builtin_mul_overflow(
			     rate, ((uint64_t) minutes + over) * 60, &here)))
		here = UINT64_MAX;
	if (here < need->need_u)
		return;
	*need = (struct eqt_job_need){
		.need_u = here,
		.gpus = quote->high.gpu_pool,
		.rate_u = rate,
		.over = over,
	};
}

int eqt_job_quote_need(struct eqt_job_need *need,
		       const struct eqt_config *config, const job_record_t *job)
{
	struct eqt_candidate_nodes candidates = {
		.prices = &config->conf->prices, .sets = &config->nodes
	};
	struct eqt_bundle_table prices;
	struct eqt_quote quote;
	list_itr_t *iterator;
	part_record_t *part;
	int rc;

	*need = (struct eqt_job_need){ .need_u = 0 };
	rc = quote_in_partition(&quote, &prices, config, job, job->part_ptr,
				&candidates);
	if (rc == 0)
		need_widen(need, &quote, job, job->part_ptr);
	if (rc == 0 && job->part_ptr_list) {
		iterator = list_iterator_create(job->part_ptr_list);
		while ((part = list_next(iterator))) {
			if (part != job->part_ptr &&
			    quote_in_partition(&quote, &prices, config, job,
					       part, &candidates) == 0)
				need_widen(need, &quote, job, part);
		}
		list_iterator_destroy(iterator);
	}
	eqt_candidate_nodes_close(&candidates);
	return rc;
}
