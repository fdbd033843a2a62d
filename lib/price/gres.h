/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gres: lists of generic resources in the spellings of requests.
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

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "price/price.h"

#define EQT_GRES_MAX 64 /* names with types in one request */

/* One item of a list; a plain value. Names are printable ASCII. */
struct eqt_gres {
	char name[EQT_NAME_SIZE]; /* without "gres:" */
	char type[EQT_NAME_SIZE]; /* "": not given */
	uint64_t count; /* 1 if not given */
};

/*
 * Read the next item at *list, and step over it and its comma. Returns 1 with
 * *out filled, 0 at the end of the list, or -1 with err filled for an item that
 * Slurm would also refuse ("gpu:", "gpu::1", a count beyond 64 bits, a byte
 * that no name has). After an error *list must not be used.
 */
int eqt_gres_next(struct eqt_gres *out, const char **list,
		  struct eqt_error *err);

/* Whether a GRES of this name is a share of GPUs ("shard", "mps"): its parts are of
 * the GPUs that the node has as "gpu", too. */
bool eqt_gres_is_share(const char *name);

/* The meaning of a list: the number of a resource for the job, for each node, task
 * or socket; or the CPUs or memory that come with each one. */
enum eqt_gres_field {
	EQT_GRES_JOB,
	EQT_GRES_NODE,
	EQT_GRES_TASK,
	EQT_GRES_SOCKET,
	EQT_GRES_COUNTS, /* how many of these there are */
	EQT_GRES_CPUS = EQT_GRES_COUNTS,
	EQT_GRES_MEM
};

/* All data of a request for one name and type; a plain value. */
struct eqt_gres_row {
	char name[EQT_NAME_SIZE];
	char type[EQT_NAME_SIZE]; /* "": not given */
	int model; /* index of the bundle that prices it, or -1 */
	bool disk; /* local disk that bundles count */
	uint64_t count[EQT_GRES_COUNTS]; /* by kind of list; 0: not given */
	uint64_t cpus; /* for each; 0: not given */
	uint64_t mem_mib; /* for each; 0: not given */
};

/* All rows of a request, in borrowed memory; {0} has no rows and no room. */
struct eqt_gres_rows {
	struct eqt_gres_row *row;
	uint32_t count;
	uint32_t room; /* size of row[] */
	uint64_t cpus_per_task; /* "cpu=N" in a task's list; 0: not given */
	uint32_t disk_shift; /* that of the prices, when the rows were read */
};

/*
 * Read a list (NULL and "" have no items) into rows: each GRES with a bundle in
 * prices, every "gpu", and local disk. Other items are ignored, except the CPUs of a
 * task.
 * If one kind of list gives a number twice, the larger one counts. Returns 0,
 * or -1 with err filled: malformed, too many types.
 */
int eqt_gres_rows_read(struct eqt_gres_rows *rows,
		       const struct eqt_bundle_table *prices,
		       enum eqt_gres_field field, const char *list,
		       struct eqt_error *err);

/* The same for the GRES of each node, of which a job gets all. Shares of GPUs are
 * skipped: the GPUs contain them. */
int eqt_gres_rows_read_node(struct eqt_gres_rows *rows,
			    const struct eqt_bundle_table *prices,
			    const char *list, struct eqt_error *err);

/* Read only the CPUs ("cpu=4") of a task's list, when its other items do not count.
 * Returns 0, or -1 with err filled: malformed. */
int eqt_gres_rows_read_cpus(struct eqt_gres_rows *rows, const char *list,
			    struct eqt_error *err);

/*
 * Copy the CPUs and memory of a row without a type to the rows of all types of its
 * name, as Slurm does with --cpus-per-gpu and --mem-per-gpu. Returns 0, or -1 with
 * err filled: a name has counts with and without a type.
 */
int eqt_gres_rows_spread(struct eqt_gres_rows *rows, struct eqt_error *err);

#endif
