/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * reading: the parts of a description that are read once for all its
 * partitions: the names of the partitions, the lists of resources, and the
 * candidate nodes.
 *
 * slurmctld calls the plugin before it has checked the description. So the time
 * for each text that a user can make long is limited (docs/design/0027).
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
/* The most names that the longest text of --partition can have. */
#define EQT_PARTITIONS_MAX (EQT_PARTITION_SIZE / 2)

/* A partition that a description names. */
struct eqt_reading_partition {
	const struct eqt_rule *rule; /* NULL if the partition has no rule. */
#ifdef EQT_HAVE_INTERNAL
	/* NULL if there is no partition with the given name. */
	const part_record_t *part;
#endif
	uint16_t name_at; /* The offset of the name in `names`. */
	/* Of the partitions in which the request has the same price, the number
	   of the one with the longest time limit. */
	uint16_t same_as;
};

struct eqt_partition_quote;

/* The parts of a description that are read once. The struct must not be
 * copied. */
struct eqt_reading {
	const job_desc_msg_t *desc; /* Borrowed, as is conf. */
	const struct eqt_conf *conf;
	/* The number of different names, in the order of the description. If
	   the description names no partition, the default partition counts, if
	   it is known. */
	size_t partitions;
#ifdef EQT_HAVE_INTERNAL
	struct eqt_candidate_nodes candidates;
#endif
	/* Some name has neither a partition nor a rule, so Slurm refuses the
	   request. */
	bool unknown;
	/* Look for a cheaper request as well. decide.c sets this flag. */
	bool advises;
	/* The first partition, once the request has a price there on nodes of
	   one kind; otherwise NULL. Borrowed. */
	const struct eqt_partition_quote *first;
	/* The request gets parts of nodes in one of several partitions. */
	bool shares;
	/* The least and the most of DefCpuPerGPU in all partitions of a request
	   for GPUs, and whether slurmctld may look at another partition before
	   the first one of the description. */
	struct eqt_job_spec_defaults defaults;
	bool others_first;
	/* The steps that pricing may still take, the sum of the given steps,
	   and how often steps were given. */
	uint32_t steps, given, times;
	struct eqt_gres_row *row; /* Owned; NULL if no list was read. */
	struct eqt_job_spec_lists lists;
	/* An owned array with room for all names. It is not on the stack,
	   because slurmctld starts a new thread for each submission, and each
	   page of its stack that is touched costs time. */
	struct eqt_reading_partition *of;
	size_t room;
	char *names; /* The names, in the same block of memory as `of`. */
};

/*
 * Will Slurm refuse the description because a string is too long? Only the
 * strings on which a price, a rule or an account depends are checked. *err
 * names the first such string. No string is read beyond Slurm's limit.
 */
bool eqt_reading_too_long(const job_desc_msg_t *desc, struct eqt_error *err);

/*
 * Read the names of the partitions. Names after an unknown one are left out,
 * because Slurm refuses the description. All other parts are read when they are
 * needed. The caller holds slurmctld's part and node locks for reading until
 * eqt_reading_close().
 */
void eqt_reading_open(struct eqt_reading *out,
		      const struct eqt_shared_conf *shared,
		      const job_desc_msg_t *desc);
void eqt_reading_close(struct eqt_reading *reading);

/* The work that judging the description has taken so far, in steps of about a
 * tenth of a microsecond. */
uint32_t eqt_reading_work(const struct eqt_reading *reading);

/*
 * Give steps for pricing the request in all partitions. When the steps are used
 * up, decide.c prices the remaining partitions together. Later calls, for
 * another QOS, give fewer steps.
 */
void eqt_reading_give(struct eqt_reading *reading);

/* Subtract steps. The number of steps does not go below 0. */
void eqt_reading_take(struct eqt_reading *reading, uint32_t steps);

/*
 * Does another partition have at least the price of this one, which has the
 * given number? The other partition has the same nodes, settings and rule, and
 * its time limit is at least as long.
 */
bool eqt_reading_is_covered(const struct eqt_reading *reading, size_t number);

/* Does the description have several prices, for several partitions or several
 * QOS? */
bool eqt_reading_compares(const struct eqt_reading *reading);

/* Does every job of the partition with this number get whole nodes? */
bool eqt_reading_is_whole(const struct eqt_reading *reading, size_t number);

/* The name of the partition with this number, counted from 0. Returns NULL
 * after the last partition. */
const char *eqt_reading_partition(const struct eqt_reading *reading,
				  size_t number);

/* Add the least and the most of DefCpuPerGPU in the partitions at which slurmctld
 * may look before this one. */
void eqt_reading_add_first(const struct eqt_reading *reading,
			   struct eqt_job_spec *spec, size_t number);

/*
 * Does one of several partitions give whole nodes, although the description
 * does not ask for them? After Slurm has tried such a partition, it gives the
 * job whole nodes in the other partitions, too.
 */
bool eqt_reading_has_whole(const struct eqt_reading *reading);

/* Count the resources of the request in one partition. The result for the first
 * partition is valid as long as *reading, and the result for another partition
 * is valid until the next call. Returns 0, or -1 if the request has no
 * price. */
int eqt_reading_count(struct eqt_parsed_spec *out, struct eqt_reading *reading,
		      const struct eqt_job_spec *spec, bool first);

#endif
