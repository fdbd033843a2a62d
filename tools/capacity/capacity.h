/* SPDX-License-Identifier: GPL-2.0-or-later */
/* capacity: how many canonical units the nodes of a cluster have, how many are free, and
 * how much of the queue would fit into these. */
#ifndef EQT_CAPACITY_CAPACITY_H
#define EQT_CAPACITY_CAPACITY_H

#include <stdbool.h>
#include <stdint.h>

#include "price/canonical_unit.h"
#include "slurm/scontrol/nodes.h"
#include "slurm/live_jobs.h"

#define EQT_CAPACITY_BINS 65 /* bin 0 is for 0, bin i for [2^(i-1), 2^i) */
#define EQT_CAPACITY_BIN_NAME 48

/* Pending jobs compared with the chosen nodes. A plain value. */
struct eqt_capacity_fit {
	uint64_t pending; /* jobs that could start and use such units */
	/* jobs that are held, dependent and the like; not in "pending" */
	uint64_t waiting_else;
	uint64_t units; /* units that the pending jobs request */
	uint64_t fit_units; /* jobs that fit by units, highest priority first */
	uint64_t fit_request; /* jobs that fit by their requests */
	uint64_t bins[EQT_CAPACITY_BINS]; /* pending jobs by units per node */
};

/* The histogram bin for a number of units. */
int eqt_capacity_bin(uint64_t units);

/* Write the numbers of a bin: "0", "1", "2-3", "4-7" and so on. Each bin is twice as
 * large as the one before, because a node may hold one unit or hundreds. Returns buf. */
const char *eqt_capacity_bin_name(char buf[EQT_CAPACITY_BIN_NAME], int bin);

#define EQT_CAPACITY_UNITS_MAX 16
#define EQT_CAPACITY_UNIT 64 /* bytes of a unit as text, with its NUL */
/* bytes of a partition's name, with its NUL */
#define EQT_CAPACITY_PARTITION 64

/* The units of a command line. {0} has none. Must not be copied. */
struct eqt_capacity_units {
	const char *text[EQT_CAPACITY_UNITS_MAX]; /* borrowed */
	struct eqt_unit_amounts unit[EQT_CAPACITY_UNITS_MAX];
	/* The only partition for which the unit counts. "": all partitions. */
	char partition[EQT_CAPACITY_UNITS_MAX][EQT_CAPACITY_PARTITION];
	/* TRES of local disk; "": local disk is not counted */
	char disk[EQT_UNIT_DISK_SIZE];
	/* text of the unit that equitree.conf defines */
	char site[EQT_CAPACITY_UNIT];
	int count;
};

/* A cluster at one moment. */
struct eqt_capacity_cluster {
	struct eqt_scontrol_nodes nodes;
	struct eqt_live_jobs jobs;
	bool has_jobs;
	bool *chosen; /* one per node, written by eqt_capacity_sum() */
};

/* The sum of one unit over all nodes that can hold at least one. */
struct eqt_capacity_sum {
	uint64_t overhead; /* whole units that are free */
	uint64_t capacity;
	uint64_t nodes;
	uint64_t bins[EQT_CAPACITY_BINS]; /* nodes by number of free units */
	struct eqt_capacity_fit fit;
};

/* Add the unit "cores=1,memory=2G", or "PARTITION:cores=1,memory=2G" for one partition.
 * The text is borrowed. Returns 0, or -1 with err filled. */
int eqt_capacity_units_add(void *to, const char *text, struct eqt_error *err);

/* The partition in which a unit is counted: the unit's own partition, or else "partition"
 * (NULL: all partitions). */
const char *eqt_capacity_unit_partition(const struct eqt_capacity_units *units,
					int unit, const char *partition);

/* Does a unit count for this partition? A partition's own units replace the units for all
 * partitions. */
bool eqt_capacity_unit_is_for(const struct eqt_capacity_units *units, int unit,
			      const char *partition);

/* Add the two default units if there is no unit yet. The first is the bundle of cores of
 * equitree.conf, or cores=1,memory=2G without that file. The second is gpu=1. The first
 * may point into *units. Returns 0, or -1 with err filled. */
int eqt_capacity_units_default(struct eqt_capacity_units *units,
			       struct eqt_error *err);

/*
 * Sum one unit over the nodes of a partition (NULL: all nodes), and set cluster->chosen
 * for the nodes that can hold the unit.
 */
void eqt_capacity_sum(struct eqt_capacity_sum *sum,
		      const struct eqt_capacity_cluster *cluster,
		      const struct eqt_unit_amounts *unit,
		      const char *partition);

/* True overhead in percent of the capacity. 0 if there is no capacity. */
double eqt_capacity_percent(const struct eqt_capacity_sum *sum);

#endif
