/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <ctype.h>
#include <string.h>

#include <slurm/slurm_errno.h>

#include "../common/log.h"
#include "ask_from_desc.h"
#include "judge.h"
#ifdef EQT_HAVE_INTERNAL
#include "associations.h"
#include "partition_defaults.h"
#include "route.h"
#endif

/* As long as Slurm lets the text of --partition be, and the NUL. */
#define PARTITION_SIZE 1025
#define QOS_SIZE 256

/* The request as it is in one of its partitions. */
struct offer {
	const char *partition; /* NULL: not known */
	const struct eqt_rule *rule; /* the partition's, or NULL */
	struct eqt_ask ask;
};

/* The next of "a,b" into name, of PARTITION_SIZE bytes; false after the last. */
static bool next_name(char *name, const char **list)
{
	size_t length;

	*list += strspn(*list, ",");
	length = strcspn(*list, ",");
	if (length == 0)
		return false;
	if (length < PARTITION_SIZE) {
		memcpy(name, *list, length);
		name[length] = '\0';
	} else {
		/* Slurm refuses it; it is nobody's name. */
		memcpy(name, "?", sizeof("?"));
	}
	*list += length;
	return true;
}

/* What a submission names, or the default one; NULL where it is not known. */
static const char *partitions_of(const job_desc_msg_t *desc)
{
	if (desc->partition && desc->partition[0] != '\0')
		return desc->partition;
#ifdef EQT_HAVE_INTERNAL
	return eqt_partition_default();
#else
	return NULL;
#endif
}

static void offer_make(struct offer *offer, const struct eqt_conf *conf,
		       const job_desc_msg_t *desc, const char *partition)
{
	offer->partition = partition;
	offer->rule = NULL;
	eqt_ask_from_desc(&offer->ask, desc);
	if (!partition)
		return;
	offer->rule =
		eqt_rules_find(&conf->partitions, partition, strlen(partition));
#ifdef EQT_HAVE_INTERNAL
	eqt_ask_add_partition(&offer->ask, partition);
#endif
}

/* The errors of Slurm that come nearest; the text says more. */
static int check_wants(const struct offer *offer, struct eqt_error *err)
{
	uint32_t missing = 0;

	if (offer->rule)
		missing = eqt_rule_missing(offer->rule, &offer->ask, err);
	if (missing == 0)
		return SLURM_SUCCESS;
	return missing == EQT_WANT_TIME ? ESLURM_MISSING_TIME_LIMIT
					: ESLURM_ACCOUNTING_POLICY;
}

/* Price an offer; the bill borrows *prices. False when it has no price. */
static bool offer_price(struct eqt_bill *bill, struct eqt_prices *prices,
			const struct eqt_conf *conf, const struct offer *offer,
			const char *qos)
{
	struct eqt_error err;

	eqt_conf_prices(prices, conf, offer->partition, qos);
	if (eqt_bill_make(bill, prices, &offer->ask, &err) == 0)
		return true;
	eqt_log_debug("a submission has no price: %s", err.text);
	return false;
}

/* One more partition of several, the first one's price being in *out. */
static int judge_other(struct eqt_judgement *out, const struct eqt_conf *conf,
		       const job_desc_msg_t *desc, const char *partition,
		       const char *qos)
{
	struct eqt_prices prices;
	struct eqt_bill bill;
	struct offer offer;
	int rc;

	offer_make(&offer, conf, desc, partition);
	rc = check_wants(&offer, &out->refusal);
	if (rc != SLURM_SUCCESS ||
	    !offer_price(&bill, &prices, conf, &offer, qos))
		return rc;
	if (offer.rule &&
	    eqt_rule_check(offer.rule, &bill.low, &out->refusal) < 0)
		return ESLURM_ACCOUNTING_POLICY;
	if (out->priced)
		eqt_bill_widen(&out->bill, &bill);
	return SLURM_SUCCESS;
}

#ifdef EQT_HAVE_INTERNAL

/* A request that cannot be priced belongs to the GPUs if it names any. */
static enum eqt_pool pool_of(const struct eqt_conf *conf,
			     const struct offer *offer)
{
	const struct eqt_ask *ask = &offer->ask;
	const char *const lists[] = { ask->tres_per_job, ask->tres_per_node,
				      ask->tres_per_socket,
				      ask->tres_per_task };
	struct eqt_asked asked;
	size_t i;

	if (offer->rule && offer->rule->cores_off)
		return EQT_POOL_GPU;
	if (eqt_ask_compute(&asked, &conf->prices, ask, NULL) == 0)
		return asked.gpus > 0 ? EQT_POOL_GPU : EQT_POOL_CPU;
	for (i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
		if (lists[i] && strstr(lists[i], "gpu"))
			return EQT_POOL_GPU;
	}
	return EQT_POOL_CPU;
}

static int route(struct eqt_judgement *out, const struct eqt_conf *conf,
		 const struct offer *offer, job_desc_msg_t *desc)
{
	int rc;

	if (!eqt_pools_any(&conf->pools))
		return SLURM_SUCCESS;
	rc = eqt_route(desc, &conf->pools, pool_of(conf, offer),
		       offer->partition, &out->refusal);
	out->routed = rc == 1;
	return rc < 0 ? ESLURM_INVALID_ACCOUNT : SLURM_SUCCESS;
}

#else

static int route(struct eqt_judgement *out, const struct eqt_conf *conf,
		 const struct offer *offer, job_desc_msg_t *desc)
{
	(void) out;
	(void) conf;
	(void) offer;
	(void) desc;
	return SLURM_SUCCESS;
}

#endif

/* The QOS by the name that a rule has: Slurm's are in lower case. */
static const char *qos_of(char *buf, const job_desc_msg_t *desc,
			  const char *partition)
{
	const char *name = desc->qos;
	size_t length = name ? strlen(name) : 0, i;

#ifdef EQT_HAVE_INTERNAL
	if (length == 0)
		return eqt_associations_qos(desc->user_id, desc->account,
					    partition, buf, QOS_SIZE)
			       ? buf
			       : NULL;
#else
	(void) partition;
#endif
	if (length == 0 || length >= QOS_SIZE)
		return NULL;
	for (i = 0; i <= length; i++)
		buf[i] = (char) tolower((unsigned char) name[i]);
	return buf;
}

int eqt_judge(struct eqt_judgement *out, const struct eqt_conf *conf,
	      job_desc_msg_t *desc)
{
	const char *list = partitions_of(desc), *partition = NULL;
	char name[PARTITION_SIZE], qos_text[QOS_SIZE];
	const char *qos = NULL;
	struct offer offer;
	int rc;

	*out = (struct eqt_judgement){ .priced = false };
	if (list && next_name(name, &list))
		partition = name;
	offer_make(&offer, conf, desc, partition);
	rc = check_wants(&offer, &out->refusal);
	if (rc == SLURM_SUCCESS)
		rc = route(out, conf, &offer, desc);
	if (rc != SLURM_SUCCESS)
		return rc;
	if (conf->qos.count > 0)
		qos = qos_of(qos_text, desc, partition);
	out->priced = offer_price(&out->bill, &out->prices, conf, &offer, qos);
	if (out->priced && offer.rule &&
	    eqt_rule_check(offer.rule, &out->bill.low, &out->refusal) < 0)
		return ESLURM_ACCOUNTING_POLICY;
	while (rc == SLURM_SUCCESS && partition && next_name(name, &list))
		rc = judge_other(out, conf, desc, name, qos);
	return rc;
}
