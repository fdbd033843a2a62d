/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Price a waiting job from its record by the same functions as at its
 * submission, for which the record is converted back to a description. */
#include <string.h>

#include "slurm/spec_field.h"
#include "slurm/spec_partition.h"
#include "slurm/log.h"
#include "slurm/candidate_nodes.h"
#include "slurm/desc_from_job.h"
#include "rate/job_quote.h"

/* The result over all partitions: the first quote, widened by the other quotes,
 * and the largest need. */
struct noting {
	struct eqt_quote *sum;
	/* The job's need; NULL if the caller does not ask for it. */
	struct eqt_job_need *need;
	const job_record_t *job;
};

/* Make the quote in one of the job's partitions; part may be NULL. */
static int quote_in_partition(struct eqt_quote *quote,
			      struct eqt_bundle_table *prices,
			      const struct eqt_config *config,
			      const struct noting *noting,
			      const part_record_t *part,
			      struct eqt_candidate_nodes *candidates)
{
	const job_record_t *job = noting->job;
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
	eqt_spec_field_from_desc(&spec, &desc);
	if (part)
		eqt_spec_partition_add(&spec, part, candidates);
	if (eqt_parsed_spec_make(&parsed, prices, &spec, &err) == 0) {
		if (part)
			eqt_candidate_nodes_apply(candidates, prices, &spec,
						  &parsed.totals.demand, part);
		/* eqt_quote_price_unspread() leaves out the price on more nodes than
		   the request needs, which only a need includes. */
		if ((noting->need ? eqt_quote_price : eqt_quote_price_unspread)(
			    quote, prices, &spec, &parsed, &err) == 0)
			return 0;
	}
	eqt_log_debug2("job %u has no price: %s", job->job_id, err.text);
	return -1;
}

#define SAME_KINDS 16 /* The most kinds of partitions that are compared. */

/* The partitions that were priced, one of each kind. Each partition is compared
 * with each kind, so the table is small. When it is full, partitions of further
 * kinds are priced one by one. */
struct part_kinds {
	uint32_t count;
	struct {
		const part_record_t *part;
		const struct eqt_rule *rule;
	} kind[SAME_KINDS];
};

/* The job's time limit in a partition, in minutes, or INFINITE if it has
 * none. */
static uint32_t job_minutes(const job_record_t *job, const part_record_t *part)
{
	uint32_t minutes = job->time_limit;

	if (minutes == NO_VAL && part)
		minutes = part->default_time;
	if (minutes == NO_VAL && part)
		minutes = part->max_time;
	return minutes == NO_VAL || minutes == 0 ? INFINITE : minutes;
}

/* Does the job have the same price and time limit in a partition that was
 * already priced? */
static bool part_is_known(struct part_kinds *kinds,
			  const struct eqt_config *config,
			  const job_record_t *job, const part_record_t *part)
{
	const struct eqt_rule *rule = eqt_rules_find(
		&config->conf->partitions, part->name, strlen(part->name));

	for (uint32_t i = 0; i < kinds->count; i++) {
		const part_record_t *other = kinds->kind[i].part;

		if (kinds->kind[i].rule == rule &&
		    job_minutes(job, other) == job_minutes(job, part) &&
		    eqt_spec_partition_same(other, part))
			return true;
	}
	if (kinds->count < SAME_KINDS) {
		kinds->kind[kinds->count].part = part;
		kinds->kind[kinds->count++].rule = rule;
	}
	return false;
}

/* A rate in millionths, rounded up because a commitment must cover the
 * charge. */
static uint64_t rate_micro(struct eqt_frac rate)
{
	return eqt_frac_round(rate, EQT_MICRO, EQT_ROUND_CEIL);
}

/* Keep the larger need, with its pool. The need is the rate times the longest
 * run in a partition. It is UINT64_MAX if the run has no end or the product
 * overflows. */
static void need_widen(const struct noting *noting,
		       const struct eqt_quote *quote, const part_record_t *part)
{
	const struct eqt_price most = eqt_quote_most(quote);
	const uint32_t minutes = job_minutes(noting->job, part);
	const uint32_t over = eqt_spec_partition_over_minutes(part);
	uint64_t rate = rate_micro(most.usage), here = 0;

	if (rate && (minutes == INFINITE || over == INFINITE ||
		     __builtin_mul_overflow(
			     rate, ((uint64_t) minutes + over) * 60, &here)))
		here = UINT64_MAX;
	if (here < noting->need->need_u)
		return;
	*noting->need = (struct eqt_job_need){
		.need_u = here,
		.gpus = quote->high.gpu_pool,
		.rate_u = rate,
		.over = over,
	};
}

static void quote_note(const struct noting *noting,
		       const struct eqt_quote *quote, const part_record_t *part)
{
	if (noting->need)
		need_widen(noting, quote, part);
	if (quote != noting->sum)
		eqt_quote_widen(noting->sum, quote);
}

/* Make the quotes in the other partitions, one of each kind. The function is
 * not inlined, because it needs kilobytes of stack and most jobs have one
 * partition. */
static __attribute__((noinline)) void quote_in_others(
	const struct noting *noting, const struct eqt_config *config,
	struct eqt_candidate_nodes *candidates)
{
	const job_record_t *job = noting->job;
	list_itr_t *iterator = list_iterator_create(job->part_ptr_list);
	struct part_kinds kinds = { .count = 0 };
	struct eqt_bundle_table prices;
	struct eqt_quote quote;
	part_record_t *part;

	if (job->part_ptr)
		(void) part_is_known(&kinds, config, job, job->part_ptr);
	while ((part = list_next(iterator))) {
		if (part != job->part_ptr &&
		    !part_is_known(&kinds, config, job, part) &&
		    quote_in_partition(&quote, &prices, config, noting, part,
				       candidates) == 0)
			quote_note(noting, &quote, part);
	}
	list_iterator_destroy(iterator);
}

int eqt_job_quote(struct eqt_quote *quote, struct eqt_bundle_table *prices,
		  struct eqt_job_need *need, const struct eqt_config *config,
		  const job_record_t *job)
{
	/* Nodes that several partitions share are read once. */
	struct eqt_candidate_nodes candidates = {
		.prices = &config->conf->prices,
		.sets = &config->nodes,
		.several = job->part_ptr_list != NULL,
	};
	const struct noting noting = { quote, need, job };
	int rc = quote_in_partition(quote, prices, config, &noting,
				    job->part_ptr, &candidates);

	if (need)
		*need = (struct eqt_job_need){ .need_u = 0 };
	if (rc == 0)
		quote_note(&noting, quote, job->part_ptr);
	if (rc == 0 && job->part_ptr_list)
		quote_in_others(&noting, config, &candidates);
	eqt_candidate_nodes_close(&candidates);
	return rc;
}

int eqt_job_quote_need(struct eqt_job_need *need,
		       const struct eqt_config *config, const job_record_t *job)
{
	struct eqt_bundle_table prices;
	struct eqt_quote quote;

	return eqt_job_quote(&quote, &prices, need, config, job);
}
