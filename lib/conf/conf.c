/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The prices for one job, from a configuration that is read and never changed. */
#include <stdlib.h>
#include <string.h>

#include "conf/conf.h"

void eqt_conf_prices(struct eqt_bundle_table *out, const struct eqt_conf *conf,
		     const char *partition, const char *qos)
{
	*out = conf->prices;
	if (partition)
		eqt_rule_apply(out,
			       eqt_rules_find(&conf->partitions, partition,
					      strlen(partition)),
			       EQT_CHARGE_FACTOR_PARTITION);
	if (qos)
		eqt_rule_apply(out,
			       eqt_rules_find(&conf->qos, qos, strlen(qos)),
			       EQT_CHARGE_FACTOR_QOS);
}

/* The struct is one block; the cast removes const, which is for everybody else. */
void eqt_conf_free(const struct eqt_conf *conf)
{
	free((void *) (uintptr_t) conf);
}
