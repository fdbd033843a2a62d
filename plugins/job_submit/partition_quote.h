/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * offer: a request as it is in one of the partitions that it names, and its
 * price there.
 */
#ifndef EQT_PARTITION_QUOTE_H
#define EQT_PARTITION_QUOTE_H

#include <stdbool.h>

#include <slurm/slurm.h>

#include "price/quote.h"
#include "conf/conf.h"
#include "qos.h"
#ifdef EQT_HAVE_INTERNAL
#include "slurm/compat.h"
#endif

/* As long as Slurm lets the text of --partition be, and the NUL. */
#define EQT_PARTITION_SIZE 1025

/* Not to be copied. */
struct eqt_partition_quote {
	const job_desc_msg_t *desc; /* borrowed, as is all below */
	const char *partition; /* NULL: not known */
#ifdef EQT_HAVE_INTERNAL
	const part_record_t *part; /* NULL: there is none of that name */
#endif
	const struct eqt_rule *rule; /* the partition's, or NULL */
	struct eqt_job_spec spec;
	/* Counted once, by the names of the bundles, which are the same in all
	   partitions; not, where it has no price. */
	bool is_parsed;
	struct eqt_parsed_spec parsed;
};

/*
 * The partitions that a description names, or the default one; NULL where it
 * is not known. Borrowed from desc, or from slurmctld while its part lock is
 * held.
 */
const char *eqt_partition_quote_partitions(const job_desc_msg_t *desc);

/* Cut the next name off a list "a,b" into name, of EQT_PARTITION_SIZE bytes;
 * false after the last. */
bool eqt_partition_quote_next(char *name, const char **list);

/*
 * Fill in what the request is in a partition. slurmctld's part and node locks
 * are held for reading, until the last use of *out.
 */
void eqt_partition_quote_make(struct eqt_partition_quote *out,
			      const struct eqt_conf *conf,
			      const job_desc_msg_t *desc,
			      const char *partition);

/*
 * Price it; the bill borrows *prices, and that names of conf and qos. False
 * when it has no price; the log says why at level debug.
 */
bool eqt_partition_quote_price(struct eqt_quote *quote,
			       struct eqt_bundle_table *prices,
			       const struct eqt_conf *conf,
			       const struct eqt_partition_quote *part_quote,
			       const struct eqt_qos *qos);

#endif
