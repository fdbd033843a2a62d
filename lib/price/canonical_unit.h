/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * canonical_unit: canonical units, true overhead and the fair bill.
 *
 * The definitions are those of Andrijauskas, Sfiligoi and Wuerthwein, "Defining a
 * canonical unit for accounting purposes" (2022). A canonical unit is an amount of each
 * of some resources. The true overhead of a node is the number of whole units that fit
 * into its free resources. True overhead is never charged. All other free resources are
 * charged to the jobs of the node in proportion to their allocations. Plain values;
 * nothing is allocated.
 */
#ifndef EQT_CANONICAL_UNIT_H
#define EQT_CANONICAL_UNIT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/fraction.h"

enum eqt_unit_part {
	EQT_UNIT_PART_CORES,
	EQT_UNIT_PART_MEMORY, /* memory in MiB */
	EQT_UNIT_PART_GPUS,
	/* Local disk in Slurm's count of a GRES, or in bytes of TmpDisk. */
	EQT_UNIT_PART_DISK,
	EQT_UNIT_PARTS
};

/* The name of local disk has this size and is "gres/jobfs", for example, or
 * EQT_UNIT_TMP_DISK. */
#define EQT_UNIT_DISK_SIZE 72
#define EQT_UNIT_TMP_DISK "TmpDisk"

/* An amount of each resource. In a unit, 0 means that the unit does not count the
 * resource. */
struct eqt_unit_amounts {
	uint64_t of[EQT_UNIT_PARTS];
};

/*
 * Read a unit such as "cores=1,memory=2G,gpu=1". Memory is read as in --mem. Local disk
 * is "gres/NAME=COUNT" or "tmpdisk=SIZE", and its name is copied to `disk`, which has
 * EQT_UNIT_DISK_SIZE bytes. If `disk` already has a name, the unit must have the same
 * one, because nodes are counted by one kind of disk. Return 0, or -1 with err filled
 * if the text is empty, has an unknown name or a name twice, or if an amount is
 * malformed or 0.
 */
int eqt_canonical_unit_parse(struct eqt_unit_amounts *unit, char *disk,
			     const char *text, struct eqt_error *err);

/* Return the number of whole units that fit into some resources. For the free resources
 * of a node that is its true overhead, and for all its resources that is its capacity.
 * A unit that counts no resource fits 0 times. */
uint64_t eqt_canonical_unit_count(const struct eqt_unit_amounts *unit,
				  const struct eqt_unit_amounts *there);

/* Return the free resources of a node, total - allocated. A resource of which more is
 * allocated than the total has 0 free. */
struct eqt_unit_amounts eqt_canonical_unit_rest(
	const struct eqt_unit_amounts *total,
	const struct eqt_unit_amounts *allocated);

/* Is there at least as much of each resource as is wanted? */
bool eqt_canonical_unit_covers(const struct eqt_unit_amounts *there,
			       const struct eqt_unit_amounts *wanted);

/*
 * Compute the fair bill of one resource of a node: the factor by which the allocation
 * of each job is multiplied, (total - true overhead) / allocated. Return 0, or -1 with
 * *out unchanged if the unit does not count the resource or no job has any of it.
 */
int eqt_canonical_unit_rate(struct eqt_frac *rate,
			    const struct eqt_unit_amounts *unit,
			    const struct eqt_unit_amounts *total,
			    const struct eqt_unit_amounts *allocated,
			    enum eqt_unit_part part);

/* Return "cores", "memory", "gpus" or "disk". */
const char *eqt_canonical_unit_part_name(enum eqt_unit_part part);

#endif
