/* SPDX-License-Identifier: GPL-2.0-or-later */
/* capacity: canonical units that the nodes of a cluster have and have free, and how much
 * of the queue would fit into them. */
#ifndef EQT_CAPACITY_CAPACITY_H
#define EQT_CAPACITY_CAPACITY_H

#include <stdbool.h>
#include <stdint.h>

#include "price/canonical_unit.h"
#include "slurm/scontrol/nodes.h"
#include "slurm/live_jobs.h"

#define EQT_CAPACITY_BINS 65 /* 0, and [2^(i-1), 2^i) */
#define EQT_CAPACITY_BIN_NAME 48

/* Pending jobs compared with the chosen nodes; a plain value. */
struct eqt_capacity_fit {
	uint64_t pending; /* could start, and use such units */
	uint64_t waiting_else; /* held, dependent, ...: not counted */
	uint64_t units; /* requested by the pending ones */
	uint64_t fit_units; /* fit by units, highest priority first */
	uint64_t fit_request; /* fit by their requests */
	uint64_t bins[EQT_CAPACITY_BINS]; /* pending jobs by units per node */
};

/* The histogram bin of a number. */
int eqt_capacity_bin(uint64_t units);

/* The numbers of a bin: "0", "1", "2-3", "4-7", ... Bins double, since a node may hold one
 * unit or hundreds. Returns buf. */
const char *eqt_capacity_bin_name(char buf[EQT_CAPACITY_BIN_NAME], int bin);

#define EQT_CAPACITY_UNITS_MAX 16
#define EQT_CAPACITY_UNIT 64 /* of a unit as text, and the NUL */
#define EQT_CAPACITY_PARTITION 64 /* of a name, and the NUL */

/* The units of a command line; {0} has none. Not to be copied. */
struct eqt_capacity_units {
	const char *text[EQT_CAPACITY_UNITS_MAX]; /* borrowed */
	struct eqt_unit_amounts unit[EQT_CAPACITY_UNITS_MAX];
	/* the only partition that the unit is for; "": it is for all */
	char partition[EQT_CAPACITY_UNITS_MAX][EQT_CAPACITY_PARTITION];
	char disk[EQT_UNIT_DISK_SIZE]; /* what local disk is; "": not counted */
	char site[EQT_CAPACITY_UNIT]; /* one that equitree.conf makes */
	int count;
};

/* A cluster at one moment. */
struct eqt_capacity_cluster {
	struct eqt_scontrol_nodes nodes;
	struct eqt_live_jobs jobs;
	bool has_jobs;
	bool *chosen; /* per node; written by eqt_capacity_sum() */
};

/* One unit, over all nodes that can hold at least one. */
struct eqt_capacity_sum {
	uint64_t overhead; /* whole units that are free */
	uint64_t capacity;
	uint64_t nodes;
	uint64_t bins[EQT_CAPACITY_BINS]; /* nodes by free units */
	struct eqt_capacity_fit fit;
};

/* Add the unit "cores=1,memory=2G", or "PARTITION:cores=1,memory=2G" for one partition
 * (borrowed). Returns 0, or -1 with err filled. */
int eqt_capacity_units_add(void *to, const char *text, struct eqt_error *err);

/* The partition that a unit is counted in: its own, else partition (NULL: all). */
const char *eqt_capacity_unit_partition(const struct eqt_capacity_units *units,
					int unit, const char *partition);

/* Is a unit for that partition? A partition's own units replace the units of all. */
bool eqt_capacity_unit_is_for(const struct eqt_capacity_units *units, int unit,
			      const char *partition);

/* Add the two default units if there is none: the bundle of cores of the equitree.conf
 * beside slurm.conf (without one cores=1,memory=2G), and gpu=1. The first may point into
 * *units. Returns 0, or -1 with err filled. */
int eqt_capacity_units_default(struct eqt_capacity_units *units,
			       struct eqt_error *err);

/*
 * Sum one unit over the nodes of a partition (NULL: of all), and set
 * cluster->chosen for the nodes that can hold it.
 */
void eqt_capacity_sum(struct eqt_capacity_sum *sum,
		      const struct eqt_capacity_cluster *cluster,
		      const struct eqt_unit_amounts *unit,
		      const char *partition);

/* True overhead in percent of the capacity; 0 without any capacity. */
double eqt_capacity_percent(const struct eqt_capacity_sum *sum);

#endif
