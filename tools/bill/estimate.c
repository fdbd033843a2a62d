/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The order of the calls is that of the submission plugin: partition defaults,
 * the partition's rule, its prices, then the bill. A job with several
 * partitions is priced in each, and the result is widened to the range of all.
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "bill/estimate.h"
#include "slurm/partitions.h"
#include "slurm/candidate_nodes.h"

#define QOS_SIZE 256

/* Slurm keeps QOS names in lower case; NULL for no QOS. */
static const char *qos_lower(const char *name, char buf[QOS_SIZE])
{
	size_t i;

	if (!name || strlen(name) >= QOS_SIZE)
		return NULL;
	for (i = 0; name[i] != '\0'; i++)
		buf[i] = (char) tolower((unsigned char) name[i]);
	buf[i] = '\0';
	return buf;
}

/* Add what the partition's files say; its name goes into the estimate. */
static int estimate_apply_site(struct eqt_estimate *quote,
			       struct eqt_job_spec *ask,
			       const struct eqt_estimate_site *site,
			       struct eqt_error *err)
{
	const char *name = quote->partition[0] ? quote->partition : NULL;
	const struct eqt_scontrol_record *partition =
		eqt_scontrol_partition_find(&site->partitions, name);
	struct eqt_scontrol_value value;
	struct eqt_error why;

	if (site->partitions.count > 0 && !partition)
		return eqt_error_set(err, "%s: no partition %s",
				     site->partitions.text.name,
				     name ? name : "with Default=YES");
	if (partition && eqt_scontrol_partition_apply(ask, partition, &why) < 0)
		return eqt_error_set(err, "%s: line %zu: %s",
				     site->partitions.text.name,
				     partition->number, why.text);
	if (partition && !name) {
		value = eqt_scontrol_record_get(partition, "PartitionName");
		(void) snprintf(quote->partition, sizeof(quote->partition),
				"%.*s", (int) value.length, value.text);
	}
	if (quote->partition[0] != '\0')
		eqt_scontrol_partition_apply_nodes(ask, &site->nodes,
						   quote->partition,
						   quote->gres,
						   sizeof(quote->gres));
	return 0;
}

/* Price the component in the partition that the estimate names. */
static int estimate_partition(struct eqt_estimate *quote,
			      const struct eqt_estimate_site *site,
			      const struct eqt_sbatch_component *totals,
			      struct eqt_error *err)
{
	const struct eqt_conf *conf = site->conf;
	const struct eqt_rule *rule = NULL;
	struct eqt_job_spec ask = totals->ask;
	struct eqt_price most;
	const char *name = quote->partition;
	char qos[QOS_SIZE];

	if (estimate_apply_site(quote, &ask, site, err) < 0)
		return -1;
	if (name[0] != '\0')
		rule = eqt_rules_find(&conf->partitions, name, strlen(name));
	if (rule && eqt_rule_missing(rule, &ask, err))
		return -1;
	eqt_conf_prices(&quote->prices, conf, name[0] ? name : NULL,
			qos_lower(totals->qos, qos));
	quote->prices.queue[EQT_CHARGE_FACTOR_USAGE] =
		(struct eqt_charge_factor){ totals->qos ? totals->qos
							: "(default)",
					    site->usage_factor_u };
	eqt_scontrol_candidates(&quote->prices, &ask, &site->nodes, name);
	if (eqt_quote_make(&quote->bill, &quote->prices, &ask, err) < 0)
		return -1;
	most = eqt_quote_most(&quote->bill);
	return rule ? eqt_rule_check(rule, &most, err) : 0;
}

/* Take the next name of "a,b" as the estimate's partition; false at the end. */
static bool estimate_next_partition(struct eqt_estimate *quote,
				    const char **list)
{
	size_t length;

	*list += strspn(*list, ",");
	length = strcspn(*list, ",");
	(void) snprintf(quote->partition, sizeof(quote->partition), "%.*s",
			length < sizeof(quote->partition) ? (int) length : 1,
			length < sizeof(quote->partition) ? *list : "?");
	*list += length;
	return length > 0;
}

int eqt_estimate_make(struct eqt_estimate *out,
		      const struct eqt_estimate_site *site,
		      const struct eqt_sbatch_component *ask,
		      struct eqt_error *err)
{
	const char *list = ask->partition ? ask->partition : "";
	struct eqt_estimate other;

	(void) estimate_next_partition(out, &list);
	if (estimate_partition(out, site, ask, err) < 0)
		return -1;
	while (estimate_next_partition(&other, &list)) {
		if (estimate_partition(&other, site, ask, err) < 0)
			return -1;
		eqt_quote_widen(&out->bill, &other.bill);
	}
	return 0;
}
