/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * canonical_unit: canonical units, true overhead and the fair bill.
 *
 * The definitions are those of Andrijauskas, Sfiligoi and Wuerthwein,
 * "Defining a canonical unit for accounting purposes" (2022): a canonical
 * unit is a threshold for each of some resources; the true overhead of a node
 * is how many whole units fit into what it has free. True overhead is never
 * charged; what else is left over is shared in proportion among the jobs of
 * the node. Plain values; nothing allocates.
 */
#ifndef EQT_CANONICAL_UNIT_H
#define EQT_CANONICAL_UNIT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/fraction.h"

enum eqt_unit_part {
	EQT_UNIT_PART_CORES,
	EQT_UNIT_PART_MEMORY, /* MiB */
	EQT_UNIT_PART_GPUS,
	EQT_UNIT_PART_DISK, /* counts of a GRES; bytes of TmpDisk */
	EQT_UNIT_PARTS
};

/* What local disk is: "gres/jobfs", or EQT_UNIT_TMP_DISK. */
#define EQT_UNIT_DISK_SIZE 72
#define EQT_UNIT_TMP_DISK "TmpDisk"

/* An amount of each resource; in a unit 0 means: does not count. */
struct eqt_unit_amounts {
	uint64_t of[EQT_UNIT_PARTS];
};

/*
 * Read a unit such as "cores=1,memory=2G,gpu=1"; memory as in --mem. Local disk is
 * "gres/NAME=COUNT" or "tmpdisk=SIZE"; disk (EQT_UNIT_DISK_SIZE bytes) is set to what it
 * is, and if it is not "", that must be the same: nodes are counted by one. 0, or -1 with
 * err filled: an unknown name, one that is named twice, an amount that is none or 0, an
 * empty text.
 */
int eqt_canonical_unit_parse(struct eqt_unit_amounts *unit, char *disk,
			     const char *text, struct eqt_error *err);

/* Whole units that fit into what is there: of a node's free amounts its true
 * overhead, of all it has its capacity. A unit that counts nothing gives 0. */
uint64_t eqt_canonical_unit_count(const struct eqt_unit_amounts *unit,
				  const struct eqt_unit_amounts *there);

/* What a node has free: total less allocated, 0 where more is allocated. */
struct eqt_unit_amounts eqt_canonical_unit_rest(
	const struct eqt_unit_amounts *total,
	const struct eqt_unit_amounts *allocated);

/* Whether there is at least as much of each part as is wanted. */
bool eqt_canonical_unit_covers(const struct eqt_unit_amounts *there,
			       const struct eqt_unit_amounts *wanted);

/*
 * The fair bill of one resource of a node: by what each job's amount of it is
 * multiplied, (total - true overhead) / allocated. 0, or -1 (out untouched)
 * when there is nothing to bill: the unit does not count the resource, or no
 * job has any of it.
 */
int eqt_canonical_unit_rate(struct eqt_frac *rate,
			    const struct eqt_unit_amounts *unit,
			    const struct eqt_unit_amounts *total,
			    const struct eqt_unit_amounts *allocated,
			    enum eqt_unit_part part);

/* "cores", "memory", "gpus", "disk". */
const char *eqt_canonical_unit_part_name(enum eqt_unit_part part);

#endif
