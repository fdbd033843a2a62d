/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gres: read the lists of generic resources that requests and nodes have.
 *
 *	gres:gpu:p100:2,gres:gpu:1	the TRES of a request in Slurm 22.05
 *	gres/gpu:p100:2			the TRES of a request in Slurm 24.11
 *	cpu=4,gres/gpu:h100=1		--tres-per-task in Slurm 24.11
 *	gpu:p100:4			the option --gres, or Gres= of a node
 *
 * A list comes from a user, so that it may have any bytes and any length.
 */
#ifndef EQT_GRES_H
#define EQT_GRES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "price/price.h"

/* The largest number of different names and types in one request. */
#define EQT_GRES_MAX 64

/* One item of a list. A plain value. Names are printable ASCII. */
struct eqt_gres {
	char name[EQT_NAME_SIZE]; /* the name without the prefix "gres:" */
	char type[EQT_NAME_SIZE]; /* the type; "" if the item has none */
	uint64_t count; /* the count, which is 1 if the item has none */
	/* A bit for each of the first 64 sockets that Gres= of a node names beside the
	 * item, as in "gpu:p100:4(S:0-1)". 0 if it names none. */
	uint64_t sockets;
};

/*
 * Read the next item at *list, and advance *list past the item and its comma. Return 1
 * with *out filled, or 0 at the end of the list. Return -1 with err filled for an item
 * that Slurm would also refuse, such as "gpu:", "gpu::1", a count that does not fit 64
 * bits, or a byte that no name has. After an error *list must not be used.
 */
int eqt_gres_next(struct eqt_gres *out, const char **list,
		  struct eqt_error *err);

/*
 * Return how many of a GRES a list such as the Gres= of a node has: of one type, or of
 * all types if type is "". An item without a type counts for each type, because Slurm
 * does not know its type. A list or a name that is NULL has none. A sum that does not
 * fit 64 bits is UINT64_MAX.
 */
uint64_t eqt_gres_list_count(const char *list, const char *name,
			     const char *type);

/* Does the Gres= of a node have GPUs without a type? NULL has none. */
bool eqt_gres_has_untyped_gpus(const char *list);

/* Does a GRES of this name ("shard", "mps") count shares of GPUs? A node that has such
 * shares also has the GPUs themselves, as "gpu". */
bool eqt_gres_is_share(const char *name);

/* What the numbers of a list count: a resource for the job, for each node, task or
 * socket, or the CPUs or the memory that come with each GPU. */
enum eqt_gres_field {
	EQT_GRES_JOB,
	EQT_GRES_NODE,
	EQT_GRES_TASK,
	EQT_GRES_SOCKET,
	/* The number of kinds of lists that count a resource. */
	EQT_GRES_COUNTS,
	EQT_GRES_CPUS = EQT_GRES_COUNTS,
	EQT_GRES_MEM
};

/* All that a request says about one name and type of GRES. A plain value. */
struct eqt_gres_row {
	char name[EQT_NAME_SIZE];
	char type[EQT_NAME_SIZE]; /* the type; "" if the request has none */
	int model; /* index of the bundle that prices the GRES, or -1 */
	bool disk; /* whether the GRES is the local disk that bundles count */
	/* The count in each kind of list; 0 if the list has none. */
	uint64_t count[EQT_GRES_COUNTS];
	uint64_t cpus; /* CPUs for each unit; 0 if the request has none */
	/* Memory for each unit in MiB; 0 if the request has none. */
	uint64_t mem_mib;
};

/* All rows of a request, in borrowed memory. {0} has no rows and no room for any. */
struct eqt_gres_rows {
	struct eqt_gres_row *row;
	uint32_t count;
	uint32_t room; /* the number of rows for which there is memory */
	/* CPUs of each task from "cpu=N" in a list; 0 if they are not given. */
	uint64_t cpus_per_task;
	/* disk_shift of the bundle table with which the rows were read. */
	uint32_t disk_shift;
	/* Whether a list names a GRES that has no row, because nothing prices it. */
	bool unpriced;
};

/*
 * Read a list into rows. NULL and "" are lists without items. An item gets a row if it
 * has a bundle in prices, if its name is "gpu", or if it is local disk. Other items are
 * ignored, except the CPUs of a task. If one kind of list has two numbers for the same
 * GRES, the larger one counts. Return 0, or -1 with err filled if the list is malformed
 * or names too many types.
 */
int eqt_gres_rows_read(struct eqt_gres_rows *rows,
		       const struct eqt_bundle_table *prices,
		       enum eqt_gres_field field, const char *list,
		       struct eqt_error *err);

/* Read the GRES of a node, all of which a job gets on this node, into rows. Shares of
 * GPUs are skipped, because the GPUs contain them. */
int eqt_gres_rows_read_node(struct eqt_gres_rows *rows,
			    const struct eqt_bundle_table *prices,
			    const char *list, struct eqt_error *err);

/* Read only the CPUs ("cpu=4") of a list for each task, and ignore its other items.
 * Return 0, or -1 with err filled if the list is malformed. */
int eqt_gres_rows_read_cpus(struct eqt_gres_rows *rows, const char *list,
			    struct eqt_error *err);

/* Does a well-formed list contain nothing but CPUs ("cpu=4")? *cpus is raised to them. */
bool eqt_gres_has_cpus_only(const char *list, uint64_t *cpus);

/*
 * Copy the CPUs and memory for each GPU from a row without a type to all rows with a
 * type of the same name, and remove the row without a type if there are such rows. Slurm
 * does the same with --cpus-per-gpu and --mem-per-gpu (_merge_generic_data()). Return 0,
 * or -1 with err filled if a name has counts both with and without a type.
 */
int eqt_gres_rows_spread(struct eqt_gres_rows *rows, struct eqt_error *err);

#endif
