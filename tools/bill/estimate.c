/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The order of the calls is that of the submission plugin: partition defaults,
 * the partition's rule, its prices, then the bill. A job with several
 * partitions is priced in each, and the result is widened to the range of all.
 */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "bill/estimate.h"
#include "bill/pool_account.h"
#include "quote/price_message.h"
#include "slurm/scontrol/partitions.h"
#include "slurm/scontrol/candidate_nodes.h"

#define QOS_SIZE 256

/* Slurm keeps QOS names in lower case; NULL for no QOS. */
static const char *qos_lower(const char *name, char buf[QOS_SIZE])
{
	return name && eqt_text_lower(buf, QOS_SIZE, name) ? buf : NULL;
}

/* Add what the partition's files say; its name goes into the estimate. */
static int estimate_apply_site(struct eqt_estimate *quote,
			       struct eqt_job_spec *ask, unsigned int keeps,
			       const struct eqt_estimate_site *site,
			       struct eqt_error *err)
{
	const char *name = quote->partition[0] ? quote->partition : NULL;
	const struct eqt_scontrol_record *partition =
		eqt_scontrol_partition_find(&site->partitions, name);
	struct eqt_scontrol_value value;
	struct eqt_error why;

	eqt_cluster_allocation_apply(ask, keeps, &site->cluster);
	if (site->partitions.count > 0 && !partition)
		return eqt_error_set(err, "%s: no partition %s",
				     site->partitions.text.name,
				     name ? name : "with Default=YES");
	if (partition &&
	    eqt_scontrol_partition_apply(
		    ask, partition,
		    eqt_cluster_allocation_blocks(&site->cluster), &why) < 0)
		return eqt_error_set(err, "%s: line %zu: %s",
				     site->partitions.text.name,
				     partition->number, why.text);
	if (partition && !name) {
		value = eqt_scontrol_record_get(partition, "PartitionName");
		(void) snprintf(quote->partition, sizeof(quote->partition),
				"%.*s", (int) value.length, value.text);
	}
	if (quote->partition[0] != '\0')
		eqt_scontrol_candidates_offer(ask, &site->nodes,
					      quote->partition, quote->gres,
					      sizeof(quote->gres));
	return 0;
}

/* What is priced in each of several partitions. */
struct ask_in {
	const struct eqt_sbatch_component *component;
	bool first; /* partition; others add to the price alone */
	bool whole; /* with whole nodes, whatever it and the partition say */
};

static int estimate_quote(struct eqt_estimate *quote,
			  const struct eqt_job_spec *ask, bool first,
			  struct eqt_error *err)
{
	struct eqt_parsed_spec parsed;

	if (eqt_parsed_spec_make(&parsed, &quote->prices, ask, err) < 0)
		return -1;
	return (first ? eqt_quote_count : eqt_quote_other)(
		&quote->bill, &quote->prices, ask, &parsed, err);
}

/* UsageFactor of a QOS, in millionths. */
static uint64_t usage_factor(const struct eqt_estimate_site *site,
			     const char *qos)
{
	uint64_t factor_u;

	if (site->usage_factor_u)
		return site->usage_factor_u;
	return qos && eqt_bill_owner_factor(&factor_u, &site->owner, qos)
		       ? factor_u
		       : EQT_MICRO;
}

/* Price the component in the partition that the estimate names. */
static int estimate_partition(struct eqt_estimate *quote,
			      const struct eqt_estimate_site *site,
			      const struct ask_in *in, struct eqt_error *err)
{
	const struct eqt_sbatch_component *totals = in->component;
	const struct eqt_conf *conf = site->conf;
	const struct eqt_rule *rule = NULL;
	struct eqt_job_spec ask = totals->ask;
	struct eqt_price most;
	const char *name = quote->partition, *qos_name;
	char qos[QOS_SIZE];

	if (estimate_apply_site(quote, &ask, totals->keeps, site, err) < 0)
		return -1;
	ask.exclusive |= in->whole;
	if (name[0] != '\0')
		rule = eqt_rules_find(&conf->partitions, name, strlen(name));
	if (rule && eqt_rule_missing(rule, &ask, err))
		return -1;
	qos_name = totals->qos ? totals->qos
			       : eqt_bill_owner_qos(&site->owner,
						    totals->account, name);
	eqt_conf_prices(&quote->prices, conf, name[0] ? name : NULL,
			qos_lower(qos_name, qos));
	quote->prices.queue[EQT_CHARGE_FACTOR_USAGE] =
		(struct eqt_charge_factor){
			.name = qos_name ? qos_name : "(default)",
			.factor_u = usage_factor(site, qos_name)
		};
	eqt_scontrol_candidates(&quote->prices, &ask, &site->nodes, name);
	if (estimate_quote(quote, &ask, in->first, err) < 0)
		return -1;
	most = eqt_quote_most(&quote->bill);
	return rule ? eqt_rule_check(rule, &most, err) : 0;
}

/* Take the next name of "a,b" as the estimate's partition; false at the end. */
static bool estimate_next_partition(struct eqt_estimate *quote,
				    const char **list)
{
	quote->partition[0] = '\0';
	return eqt_text_next_name(quote->partition, sizeof(quote->partition),
				  list);
}

/* select/linear knows the GPUs of a node and no others. 23.11 and 24.05 take the options
 * for others, but those for tasks, and give out whole nodes. */
static int estimate_check_linear(const struct eqt_estimate_site *site,
				 const struct eqt_job_spec *ask,
				 struct eqt_error *err)
{
	const unsigned int release = site->cluster.release;
	const bool takes = release >= EQT_RELEASE(23, 11, 0) &&
			   release < EQT_RELEASE(24, 11, 0);
	const bool others = ask->cpus_per_tres || ask->tres_per_job ||
			    ask->tres_per_socket || ask->mem_per_tres ||
			    ask->tasks_per_gpu;

	if (!site->cluster.linear ||
	    (!ask->tres_per_task && (takes || !others)))
		return 0;
	return eqt_error_set(err, "SelectType=select/linear knows GPUs by "
				  "--gres and --gpus-per-node alone");
}

/* Whether one of several partitions gives out whole nodes, or one parts of them. */
static bool list_has(const struct eqt_estimate_site *site, const char *list,
		     bool whole)
{
	const bool blocks = eqt_cluster_allocation_blocks(&site->cluster);
	struct eqt_estimate one;
	size_t names = 0;
	bool found = false;

	while (estimate_next_partition(&one, &list)) {
		const struct eqt_scontrol_record *partition =
			eqt_scontrol_partition_find(&site->partitions,
						    one.partition);
		const bool is_whole =
			site->cluster.linear ||
			(partition &&
			 eqt_scontrol_partition_whole(partition, blocks));

		found |= is_whole == whole;
		names++;
	}
	return found && names > 1;
}

/* Widen the first partition's price by those of the list. */
static int estimate_widen(struct eqt_estimate *out,
			  const struct eqt_estimate_site *site,
			  const struct ask_in *in, const char *list,
			  struct eqt_error *err)
{
	struct eqt_estimate other;

	while (estimate_next_partition(&other, &list)) {
		if (estimate_partition(&other, site, in, err) < 0)
			return -1;
		eqt_quote_widen(&out->bill, &other.bill);
	}
	return 0;
}

/* Price the request in one QOS, in all partitions that it names. */
static int estimate_in_qos(struct eqt_estimate *out,
			   const struct eqt_estimate_site *site,
			   const struct eqt_sbatch_component *ask,
			   struct eqt_error *err)
{
	const char *list = ask->partition ? ask->partition : "", *all = list;
	struct eqt_sbatch_component one = *ask;
	struct ask_in in = { .component = &one, .first = true };

	one.ask.shares_elsewhere = !ask->ask.exclusive &&
				   list_has(site, all, false);
	(void) estimate_next_partition(out, &list);
	if (estimate_partition(out, site, &in, err) < 0)
		return -1;
	in.first = false;
	if (estimate_widen(out, site, &in, list, err) < 0)
		return -1;
	/* Once Slurm has tried a partition of whole nodes, the job has whole nodes in the
	 * others, too. */
	in.whole = true;
	return list_has(site, all, true)
		       ? estimate_widen(out, site, &in, all, err)
		       : 0;
}

int eqt_estimate_make(struct eqt_estimate *out,
		      const struct eqt_estimate_site *site,
		      const struct eqt_sbatch_component *ask,
		      struct eqt_error *err)
{
	struct eqt_sbatch_component one = *ask;
	const char *list = ask->qos ? ask->qos : "";
	char text[EQT_ERROR_SIZE];
	struct eqt_estimate other;

	if (estimate_check_linear(site, &ask->ask, err) < 0)
		return -1;
	if (!one.account)
		one.account = eqt_bill_owner_account(&site->owner);
	one.qos = eqt_text_next_name(out->qos, sizeof(out->qos), &list)
			  ? out->qos
			  : NULL;
	if (estimate_in_qos(out, site, &one, err) < 0)
		return -1;
	while (eqt_text_next_name(other.qos, sizeof(other.qos), &list)) {
		one.qos = other.qos;
		if (estimate_in_qos(&other, site, &one, err) < 0)
			return -1;
		eqt_quote_widen(&out->bill, &other.bill);
	}
	if (out->bill.lack)
		return eqt_error_set(err, "%s",
				     eqt_price_message_brief(&out->bill, text,
							     sizeof(text)));
	return eqt_bill_pool_account(out->account, &site->conf->pools,
				     one.account, &out->bill, err);
}
