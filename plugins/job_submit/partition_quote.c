/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "slurm/spec_fields.h"
#include "slurm/log.h"
#include "slurm/spec_from_desc.h"
#include "partition_quote.h"
#ifdef EQT_HAVE_INTERNAL
#include "slurm/spec_partition.h"
#include "slurm/candidate_nodes.h"
#include "partition.h"
#endif

bool eqt_partition_quote_next(char *name, const char **list)
{
	size_t length;

	*list += strspn(*list, ",");
	length = strcspn(*list, ",");
	if (length == 0)
		return false;
	if (length < EQT_PARTITION_SIZE) {
		memcpy(name, *list, length);
		name[length] = '\0';
	} else {
		/* Slurm refuses it; it is nobody's name. */
		memcpy(name, "?", sizeof("?"));
	}
	*list += length;
	return true;
}

const char *eqt_partition_quote_partitions(const job_desc_msg_t *desc)
{
	if (desc->partition && desc->partition[0] != '\0')
		return desc->partition;
#ifdef EQT_HAVE_INTERNAL
	return eqt_partition_default();
#else
	return NULL;
#endif
}

static void add_partition(struct eqt_partition_quote *part_quote,
			  const struct eqt_conf *conf)
{
	const char *partition = part_quote->partition;

	part_quote->rule =
		eqt_rules_find(&conf->partitions, partition, strlen(partition));
#ifdef EQT_HAVE_INTERNAL
	part_quote->part = eqt_partition_find(partition);
	if (part_quote->part)
		eqt_spec_add_partition(&part_quote->spec, part_quote->part);
#endif
}

void eqt_partition_quote_make(struct eqt_partition_quote *out,
			      const struct eqt_conf *conf,
			      const job_desc_msg_t *desc, const char *partition)
{
	out->desc = desc;
	out->partition = partition;
	out->rule = NULL;
#ifdef EQT_HAVE_INTERNAL
	out->part = NULL;
#endif
	eqt_spec_from_desc(&out->spec, desc);
	if (partition)
		add_partition(out, conf);
	out->is_parsed = eqt_parsed_spec_make(&out->parsed, &conf->prices,
					      &out->spec, NULL) == 0;
}

static void log_no_price(const struct eqt_error *err)
{
	eqt_log_debug("a submission has no price: %s", err->text);
}

/* Why it could not be counted, which is seldom asked. */
static void log_uncounted(const struct eqt_bundle_table *prices,
			  const struct eqt_job_spec *spec)
{
	struct eqt_job_totals totals;
	struct eqt_error err;

	if (eqt_job_spec_compute(&totals, prices, spec, &err) < 0)
		log_no_price(&err);
}

bool eqt_partition_quote_price(struct eqt_quote *quote,
			       struct eqt_bundle_table *prices,
			       const struct eqt_conf *conf,
			       const struct eqt_partition_quote *part_quote,
			       const struct eqt_qos *qos)
{
	struct eqt_error err;

	eqt_conf_prices(prices, conf, part_quote->partition,
			qos->name[0] ? qos->name : NULL);
	if (qos->name[0])
		prices->queue[EQT_CHARGE_FACTOR_USAGE] =
			(struct eqt_charge_factor){
				qos->name,
				eqt_spec_field_factor_u(qos->usage_factor)
			};
	if (!part_quote->is_parsed) {
		log_uncounted(prices, &part_quote->spec);
		return false;
	}
#ifdef EQT_HAVE_INTERNAL
	if (part_quote->part)
		eqt_candidate_nodes_apply(prices, &part_quote->spec,
					  &part_quote->parsed.totals.demand,
					  part_quote->part);
#endif
	if (eqt_quote_count(quote, prices, &part_quote->spec,
			    &part_quote->parsed, &err) == 0)
		return true;
	log_no_price(&err);
	return false;
}
