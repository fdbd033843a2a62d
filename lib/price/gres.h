/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * eqt_gres: lists of generic resources as requests spell them.
 *
 *	gres:gpu:p100:2,gres:gpu:1	22.05
 *	gres/gpu:p100:2			24.11
 *	cpu=4,gres/gpu:h100=1		24.11, per task
 *	gpu:p100:4			--gres as typed, a node's Gres=
 *
 * A list comes from a user: any bytes, any length.
 */
#ifndef EQT_GRES_H
#define EQT_GRES_H

#include <stdint.h>

#include "base/error.h"
#include "price/price.h"

#define EQT_GRES_MAX 64 /* names with types in one request */

/* One item of a list; a plain value. Names are printable ASCII. */
struct eqt_gres {
	char name[EQT_NAME_SIZE]; /* without "gres:" */
	char type[EQT_NAME_SIZE]; /* "": none is named */
	uint64_t count; /* 1 where none is named */
};

/*
 * Read the next item at *list, and step over it and its comma. Returns 1 with
 * *out filled, 0 at the end of the list, -1 with err filled when the item is
 * none that Slurm takes ("gpu:", "gpu::1", a count beyond 64 bits, a byte that
 * no name has); *list is then of no use.
 */
int eqt_gres_next(struct eqt_gres *out, const char **list,
		  struct eqt_error *err);

/* What the lists of a request are about: how many of a resource the job, each
 * node, each task, each socket has; what each one of it brings. */
enum eqt_gres_field {
	EQT_GRES_JOB,
	EQT_GRES_NODE,
	EQT_GRES_TASK,
	EQT_GRES_SOCKET,
	EQT_GRES_COUNTS, /* how many of these there are */
	EQT_GRES_CPUS = EQT_GRES_COUNTS,
	EQT_GRES_MEM
};

/* What a request says about one name and type; a plain value. */
struct eqt_gres_row {
	char name[EQT_NAME_SIZE];
	char type[EQT_NAME_SIZE]; /* "": none is named */
	int model; /* index of the bundle that prices it, or -1 */
	uint64_t count[EQT_GRES_COUNTS]; /* by the list that says so; or 0 */
	uint64_t cpus; /* for each; 0: not given */
	uint64_t mem_mib; /* for each; 0: not given */
};

/* All rows of a request, in memory that is borrowed; {0} has none, nor room. */
struct eqt_gres_rows {
	struct eqt_gres_row *row;
	uint32_t count;
	uint32_t room; /* how many row has place for */
	uint64_t cpus_per_task; /* that a task's list names; 0: none */
};

/*
 * Read a list (NULL and "" have no items) into the rows of the GRES that
 * prices has a bundle for, and of every "gpu"; other items are passed over,
 * but for the CPUs of a task. The largest number that a row is given by one
 * kind of list stays: a user may say the same thing twice. 0, or -1 with err
 * filled: malformed, too many types.
 */
int eqt_gres_rows_read(struct eqt_gres_rows *rows,
		       const struct eqt_bundle_table *prices,
		       enum eqt_gres_field field, const char *list,
		       struct eqt_error *err);

/* Of a task's list the CPUs alone ("cpu=4"), where the rest of it does not
 * count. 0, or -1 with err filled: malformed. */
int eqt_gres_rows_read_cpus(struct eqt_gres_rows *rows, const char *list,
			    struct eqt_error *err);

/*
 * Let a row without a type say what holds for all types of its name, as Slurm
 * does with --cpus-per-gpu and --mem-per-gpu. 0, or -1 with err filled: counts
 * with and without a type cannot be mixed for one name.
 */
int eqt_gres_rows_spread(struct eqt_gres_rows *rows, struct eqt_error *err);

#endif
