/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <string.h>

#include <slurm/slurm_errno.h>

#include "slurm/spec_from_desc.h"
#include "grant_check.h"
#include "decide.h"
#include "partition_quote.h"
#include "account.h"

/* The errors of Slurm that come nearest; the text says more. */
static int check_wants(const struct eqt_conf *conf, const job_desc_msg_t *desc,
		       struct eqt_error *err)
{
	const char *list = eqt_partition_quote_partitions(desc);
	char name[EQT_PARTITION_SIZE];
	struct eqt_job_spec spec;
	uint32_t missing;

	while (list && eqt_partition_quote_next(name, &list)) {
		const struct eqt_rule *rule =
			eqt_rules_find(&conf->partitions, name, strlen(name));

		if (!rule || rule->wants == 0)
			continue;
		eqt_spec_from_desc(&spec, desc);
		missing = eqt_rule_missing(rule, &spec, err);
		if (missing)
			return missing == EQT_WANT_TIME
				       ? ESLURM_MISSING_TIME_LIMIT
				       : ESLURM_ACCOUNTING_POLICY;
	}
	return SLURM_SUCCESS;
}

static int check_cap(struct eqt_decision *out,
		     const struct eqt_partition_quote *part_quote,
		     const struct eqt_quote *quote)
{
	if (part_quote->rule &&
	    eqt_rule_check(part_quote->rule, &quote->low, &out->refusal) < 0)
		return ESLURM_ACCOUNTING_POLICY;
	return SLURM_SUCCESS;
}

/* One more partition of several, the first one's price being in *out. Kilobytes of
 * stack that most requests do not need: not a part of its caller. */
static __attribute__((noinline)) int price_other(struct eqt_decision *out,
						 const struct eqt_conf *conf,
						 const job_desc_msg_t *desc,
						 const char *partition)
{
	struct eqt_bundle_table prices;
	struct eqt_quote quote;
	struct eqt_partition_quote part_quote;
	int rc;

	eqt_partition_quote_make(&part_quote, conf, desc, partition);
	if (!eqt_partition_quote_price(&quote, &prices, conf, &part_quote,
				       &out->qos))
		return SLURM_SUCCESS;
	rc = check_cap(out, &part_quote, &quote);
	if (rc != SLURM_SUCCESS || !out->priced)
		return rc;
	eqt_quote_widen(&out->quote, &quote);
	eqt_grant_check_note(out, conf, &part_quote, &quote, true);
	return SLURM_SUCCESS;
}

/* Price the request in the first partition and in those of the list after it. */
static int price_all(struct eqt_decision *out, const struct eqt_conf *conf,
		     const struct eqt_partition_quote *first, const char *list)
{
	char name[EQT_PARTITION_SIZE];
	int rc = SLURM_SUCCESS;

	out->draws = false;
	out->priced = eqt_partition_quote_price(&out->quote, &out->prices, conf,
						first, &out->qos);
	if (out->priced) {
		eqt_grant_check_note(out, conf, first, &out->quote,
				     list && *list != '\0');
		rc = check_cap(out, first, &out->quote);
	}
	while (rc == SLURM_SUCCESS && list &&
	       eqt_partition_quote_next(name, &list))
		rc = price_other(out, conf, first->desc, name);
	return rc;
}

/* Nothing is known yet. The rest, kilobytes of it, is filled when it is. */
static void start(struct eqt_decision *out)
{
	out->priced = false;
	out->account[0] = '\0';
	out->moved = false;
	out->draws = false;
	out->qos = (struct eqt_qos){ .usage_factor = 1.0 };
	out->note.text[0] = '\0';
	out->refusal.text[0] = '\0';
	out->default_known = false;
	out->default_account[0] = '\0';
}

int eqt_decide(struct eqt_decision *out, const struct eqt_conf *conf,
	       const job_desc_msg_t *desc)
{
	const char *list = eqt_partition_quote_partitions(desc),
		   *partition = NULL;
	char name[EQT_PARTITION_SIZE];
	struct eqt_partition_quote part_quote;
	int rc;

	start(out);
	rc = check_wants(conf, desc, &out->refusal);
	if (rc != SLURM_SUCCESS)
		return rc;
	if (list && eqt_partition_quote_next(name, &list))
		partition = name;
	eqt_partition_quote_make(&part_quote, conf, desc, partition);
	rc = eqt_account_choose(out, conf, &part_quote);
	if (rc != SLURM_SUCCESS)
		return rc;
	eqt_account_qos(out, &part_quote);
	rc = price_all(out, conf, &part_quote, list);
	if (rc == SLURM_SUCCESS)
		rc = eqt_grant_check(out, conf, &part_quote);
	if (rc == SLURM_SUCCESS && out->moved)
		rc = price_all(out, conf, &part_quote, list);
	return rc;
}
