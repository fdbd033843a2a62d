/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * partition_quote: the price of a request in one of the partitions that it
 * names, with the defaults and limits of that partition.
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

/* Not to be copied. */
struct eqt_partition_quote {
	const job_desc_msg_t *desc; /* borrowed, as is all below */
	struct eqt_reading *reading;
	size_t number; /* of the partition in it */
	const char *partition; /* NULL: not known */
#ifdef EQT_HAVE_INTERNAL
	const part_record_t *part; /* NULL: there is none of that name */
#endif
	const struct eqt_rule *rule; /* the partition's, or NULL */
	struct eqt_job_spec spec;
	/* The request counted by the names of the bundles, which are the same in
	   all partitions; false if it cannot be counted, and has no price. */
	bool is_parsed;
	struct eqt_parsed_spec parsed;
};

/*
 * Fill *out with the request in a partition, by its number in *reading. whole: as a job of
 * whole nodes, whatever it and the partition say. Returns false if the price is the same as
 * in the first partition; then *out is not complete. The result for the first partition is
 * valid as long as *reading, that for another one until the next call. The caller holds
 * slurmctld's part and node locks for reading until the last use of *out.
 */
bool eqt_partition_quote_make(struct eqt_partition_quote *out,
			      struct eqt_reading *reading, size_t number,
			      bool whole);

/* The prices of a QOS, in no partition; borrows names of conf and qos. */
void eqt_partition_quote_prices(struct eqt_bundle_table *prices,
				const struct eqt_conf *conf,
				const struct eqt_qos *qos);

/*
 * Price the request. The quote borrows *prices, and *prices borrows names of conf and qos.
 * False if it has no price; the log says why at level debug. Without tell the quote is only
 * for eqt_quote_widen(), and the quote that it widens loses its hint.
 */
bool eqt_partition_quote_price(struct eqt_quote *quote,
			       struct eqt_bundle_table *prices,
			       const struct eqt_conf *conf,
			       const struct eqt_partition_quote *part_quote,
			       const struct eqt_qos *qos, bool tell);

/* If a request has one partition and its price is a range, note the price on the nodes that are
 * free now. Locks as above. */
void eqt_partition_quote_note_now(struct eqt_quote *quote,
				  const struct eqt_partition_quote *part_quote);

#endif
