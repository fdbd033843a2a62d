/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * reading: what is read of a description once, however many partitions it names:
 * their names, its lists of resources, the nodes that it could get.
 *
 * slurmctld calls the plugin before it has looked at the description. What a user
 * can make long is bounded here: docs/design/0027.
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

/* As long as Slurm lets the text of --partition be, and the NUL. */
#define EQT_PARTITION_SIZE 1025
#define EQT_PARTITIONS_MAX (EQT_PARTITION_SIZE / 2) /* names in such a text */

/* A partition that a description names. */
struct eqt_reading_partition {
	const struct eqt_rule *rule; /* NULL: none */
#ifdef EQT_HAVE_INTERNAL
	const part_record_t *part; /* NULL: no partition */
#endif
	uint16_t name_at; /* in names */
	/* Of several: the number of the one with the longest time limit of those
	   where the request comes to the same. */
	uint16_t same_as;
};

struct eqt_partition_quote;

/* Not to be copied. */
struct eqt_reading {
	const job_desc_msg_t *desc; /* borrowed, as is conf */
	const struct eqt_conf *conf;
	/* Names that differ, in the order of the description; without one the
	   default partition's, where it is known. */
	size_t partitions;
#ifdef EQT_HAVE_INTERNAL
	struct eqt_candidate_nodes candidates;
#endif
	bool unknown; /* a name is no partition's, and no rule has it, so that
			 Slurm alone refuses it */
	bool advises; /* what would be cheaper is told: set by who judges it */
	/* Its first partition, once it has a price there on nodes of one kind; NULL:
	   it has none. Borrowed. */
	const struct eqt_partition_quote *first;
	bool shares; /* parts of nodes, in one of several partitions */
	/* Steps that pricing may still take, those that were given so far, and
	   how often. */
	uint32_t steps, given, times;
	struct eqt_gres_row *row; /* owned; NULL: no list was read */
	struct eqt_job_spec_lists lists;
	/* Owned, with room for all names: slurmctld has a new thread for each
	   submission, whose deeper pages are made when they are touched. */
	struct eqt_reading_partition *of;
	size_t room;
	char *names; /* in the block of *of */
};

/*
 * Whether Slurm will refuse a description because a string that a price, a rule
 * or an account depends on is longer than Slurm takes; *err says which. Reads no
 * string beyond that.
 */
bool eqt_reading_too_long(const job_desc_msg_t *desc, struct eqt_error *err);

/*
 * Begin with the names of its partitions; of a name that is no partition's Slurm
 * refuses the description, and those after it are left out. The rest is read when
 * it is needed. slurmctld's part and node locks are held for reading until
 * eqt_reading_close().
 */
void eqt_reading_open(struct eqt_reading *out,
		      const struct eqt_shared_conf *shared,
		      const job_desc_msg_t *desc);
void eqt_reading_close(struct eqt_reading *reading);

/* What judging it has taken so far, in steps of about a tenth of a microsecond. */
uint32_t eqt_reading_work(const struct eqt_reading *reading);

/*
 * Give steps to price the request in all partitions; when they are spent, those
 * that are left are to be priced together (decide.c). A second time, with another
 * QOS, there are fewer.
 */
void eqt_reading_give(struct eqt_reading *reading);

/* Take some of them. */
void eqt_reading_take(struct eqt_reading *reading, uint32_t steps);

/*
 * Whether the price in a partition, by its number, need not be worked out: another one
 * has the same nodes, settings and rule, and as long a time limit or a longer one.
 */
bool eqt_reading_is_covered(const struct eqt_reading *reading, size_t number);

/* Whether it has several prices: of partitions, or of QOS. */
bool eqt_reading_compares(const struct eqt_reading *reading);

/* Whether every job of a partition, by its number, has whole nodes. */
bool eqt_reading_is_whole(const struct eqt_reading *reading, size_t number);

/* The name of a partition by its number from 0; NULL after the last. */
const char *eqt_reading_partition(const struct eqt_reading *reading,
				  size_t number);

/*
 * Whether one of several partitions gives out whole nodes, which the description
 * does not ask for. Slurm remembers that it
 * has tried such a partition, and gives the job whole nodes in the others, too.
 */
bool eqt_reading_has_whole(const struct eqt_reading *reading);

/* Count what a request, the description's in one partition, comes to; the first
 * partition's result may be kept, each other one is good until the next. 0, or -1:
 * it has no price. */
int eqt_reading_count(struct eqt_parsed_spec *out, struct eqt_reading *reading,
		      const struct eqt_job_spec *spec, bool first);

#endif
