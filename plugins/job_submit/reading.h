/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * reading: the parts of a description that are read once, however many partitions it
 * names: their names, its lists of resources, the nodes that it could get.
 *
 * slurmctld calls the plugin before it has checked the description. So everything that a
 * user can make long is bounded here (docs/design/0027).
 */
#ifndef EQT_READING_H
#define EQT_READING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <slurm/slurm.h>

#include "job/job_spec_lists.h"
#include "base/error.h"
#include "conf_swap.h"
#ifdef EQT_HAVE_INTERNAL
#include "slurm/candidate_nodes.h"
#endif

/* The longest text of --partition that Slurm accepts, with its NUL. */
#define EQT_PARTITION_SIZE 1025
#define EQT_PARTITIONS_MAX (EQT_PARTITION_SIZE / 2) /* names in such a text */

/* A partition that a description names. */
struct eqt_reading_partition {
	const struct eqt_rule *rule; /* NULL: none */
#ifdef EQT_HAVE_INTERNAL
	const part_record_t *part; /* NULL: no partition */
#endif
	uint16_t name_at; /* in names */
	/* Of the partitions where the request has the same price: the number of the
	   one with the longest time limit. */
	uint16_t same_as;
};

struct eqt_partition_quote;

/* Not to be copied. */
struct eqt_reading {
	const job_desc_msg_t *desc; /* borrowed, as is conf */
	const struct eqt_conf *conf;
	/* The number of different names, in the order of the description. Without
	   one it is the default partition's, if that is known. */
	size_t partitions;
#ifdef EQT_HAVE_INTERNAL
	struct eqt_candidate_nodes candidates;
#endif
	bool unknown; /* a name has neither a partition nor a rule: Slurm refuses it */
	bool advises; /* look for a cheaper request; set by decide.c */
	/* The first partition, after it got a price on nodes of one kind; NULL: there
	   is no such price. Borrowed. */
	const struct eqt_partition_quote *first;
	bool shares; /* it gets parts of nodes in one of several partitions */
	/* Steps that pricing may still take, the sum of those that were given, and
	   how often they were given. */
	uint32_t steps, given, times;
	struct eqt_gres_row *row; /* owned; NULL: no list was read */
	struct eqt_job_spec_lists lists;
	/* Owned, with room for all names. It is not on the stack, because slurmctld
	   has a new thread for each submission, and each page of its stack that is
	   touched costs time. */
	struct eqt_reading_partition *of;
	size_t room;
	char *names; /* in the block of *of */
};

/*
 * Will Slurm refuse a description because a string is too long? Only strings are checked that
 * a price, a rule or an account depends on; *err names the first. No string is read beyond
 * Slurm's limit.
 */
bool eqt_reading_too_long(const job_desc_msg_t *desc, struct eqt_error *err);

/*
 * Read the names of the partitions. The names after an unknown one are left out, because
 * Slurm refuses the description. All other parts are read when they are needed. The caller
 * holds slurmctld's part and node locks for reading until eqt_reading_close().
 */
void eqt_reading_open(struct eqt_reading *out,
		      const struct eqt_shared_conf *shared,
		      const job_desc_msg_t *desc);
void eqt_reading_close(struct eqt_reading *reading);

/* The work that judging the description has taken so far, in steps of about a tenth of a
 * microsecond. */
uint32_t eqt_reading_work(const struct eqt_reading *reading);

/*
 * Give steps for pricing the request in all partitions. When they are spent, the partitions
 * that are left are priced together (decide.c). Later calls, for another QOS, give fewer.
 */
void eqt_reading_give(struct eqt_reading *reading);

/* Take steps away, as far as there are any. */
void eqt_reading_take(struct eqt_reading *reading, uint32_t steps);

/*
 * Is the price in a partition, by its number, covered by that in another one? The other one
 * has the same nodes, settings and rule, and its time limit is not shorter.
 */
bool eqt_reading_is_covered(const struct eqt_reading *reading, size_t number);

/* Does the description have several prices, for several partitions or QOS? */
bool eqt_reading_compares(const struct eqt_reading *reading);

/* Does every job of a partition, by its number, get whole nodes? */
bool eqt_reading_is_whole(const struct eqt_reading *reading, size_t number);

/* The name of a partition by its number from 0; NULL after the last. */
const char *eqt_reading_partition(const struct eqt_reading *reading,
				  size_t number);

/*
 * Does one of several partitions give whole nodes, which the description does not ask for?
 * After Slurm has tried such a partition, it gives the job whole nodes in the others, too.
 */
bool eqt_reading_has_whole(const struct eqt_reading *reading);

/* Count the resources of the request in one partition. The result for the first partition is
 * valid as long as *reading, that for another one until the next call. Returns 0, or -1: it
 * has no price. */
int eqt_reading_count(struct eqt_parsed_spec *out, struct eqt_reading *reading,
		      const struct eqt_job_spec *spec, bool first);

#endif
