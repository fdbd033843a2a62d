/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * partition_quote: the price of a request in one of its partitions, with the
 * defaults and limits of that partition.
 */
#ifndef EQT_PARTITION_QUOTE_H
#define EQT_PARTITION_QUOTE_H

#include <stdbool.h>

#include <slurm/slurm.h>

#include "quote/quote.h"
#include "conf/conf.h"
#include "records/qos.h"
#include "reading.h"
#ifdef EQT_HAVE_INTERNAL
#include "slurm/compat.h"
#endif

/* A request in one of its partitions. The struct must not be copied. */
struct eqt_partition_quote {
	const job_desc_msg_t *desc; /* Borrowed, as all pointers below. */
	struct eqt_reading *reading;
	size_t number; /* The number of the partition in `reading`. */
	const char *partition; /* NULL if the partition is not known. */
#ifdef EQT_HAVE_INTERNAL
	/* NULL if there is no partition with the given name. */
	const part_record_t *part;
#endif
	const struct eqt_rule *rule; /* The rule of the partition, or NULL. */
	struct eqt_job_spec spec;
	/* The request's resources, counted for the bundles, which are the same
	   in all partitions. is_parsed is false if the request cannot be
	   counted and therefore has no price. */
	bool is_parsed;
	struct eqt_parsed_spec parsed;
};

/*
 * Fill *out with the request in the partition that has this number in *reading.
 * If `whole` is set, the job gets whole nodes, whatever the request and the
 * partition say.
 *
 * Returns false if the price equals that in the first partition; *out is not
 * complete then. The result for the first partition is valid as long as
 * *reading, and the result for another partition is valid until the next call.
 * The caller holds slurmctld's part and node locks for reading until the last
 * use of *out.
 */
bool eqt_partition_quote_make(struct eqt_partition_quote *out,
			      struct eqt_reading *reading, size_t number,
			      bool whole);

/* The prices in a QOS, without the rule of a partition. *prices borrows names
 * of conf and qos. */
void eqt_partition_quote_prices(struct eqt_bundle_table *prices,
				const struct eqt_conf *conf,
				const struct eqt_qos *qos);

/*
 * Price the request. The quote borrows *prices, and *prices borrows names of
 * conf and qos. Returns false if the request has no price, and logs the reason
 * at level debug. If `tell` is false, the quote can only be passed to
 * eqt_quote_widen(), and the widened quote has no hint.
 */
bool eqt_partition_quote_price(struct eqt_quote *quote,
			       struct eqt_bundle_table *prices,
			       const struct eqt_conf *conf,
			       const struct eqt_partition_quote *part_quote,
			       const struct eqt_qos *qos, bool tell);

/* If the request has one partition and its price is a range, record the price
 * on the nodes that are free now. The caller holds slurmctld's part and node
 * locks for reading. */
void eqt_partition_quote_note_now(struct eqt_quote *quote,
				  const struct eqt_partition_quote *part_quote);

#endif
