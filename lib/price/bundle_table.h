/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * eqt_bundle_table: the bundles of a cluster, from which eqt_price computes the price
 * of a request. A bundle is one unit of a pool, such as a core with its memory, or a
 * GPU with its cores and memory.
 *
 * The bundles of GPUs belong to the configuration, and a table borrows them. A table is
 * small, because there is one for each job, with the rules that apply to this job
 * alone. Nothing is allocated, and nothing is locked.
 */
#ifndef EQT_BUNDLE_TABLE_H
#define EQT_BUNDLE_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "price/unit.h"
#include "price/week.h"
#include "base/error.h"

#define EQT_MODELS_MAX 32 /* the largest number of GPU bundles */
/* Bytes for the name of a GRES with its type and a NUL. */
#define EQT_NAME_SIZE 64
/* The largest local disk of a bundle. */
#define EQT_DISK_MAX (UINT64_C(1) << 43)

struct eqt_terms; /* defined in price_terms.h */

/* One unit of a pool, and its price in equivalents. */
struct eqt_bundle {
	/* The name, such as "cores", "gpu" or "gpu:p100". */
	char name[EQT_NAME_SIZE];
	/* The next three members are in millionths. They are the amounts of a bundle
	 * without terms. */
	/* The number of cores. With terms, 0 means that cores are not counted. */
	uint64_t cores_u;
	/* Memory in millionths of a MiB; 0 if memory is not counted. */
	uint64_t mem_mib_u;
	/* The price of one GPU in equivalents. With terms, 0 means that GPUs are not
	 * counted. */
	uint64_t weight_u;
	/* The nodes for which the bundle is meant, borrowed. If both members are NULL,
	 * the bundle is for all nodes for which no other bundle of this name is
	 * meant. */
	const char *nodes; /* a list of nodes in Slurm's notation */
	/* A list of features, such as "a,b" for nodes that have both. */
	const char *features;
	/* The name of the bundle's equivalents, borrowed. NULL means the name of its
	 * pool. */
	const struct eqt_unit *unit;
	/* A bit for this bundle and for each later bundle of the same name, which
	 * eqt_bundle_table_link() sets. 0 means that bundles are compared by name each
	 * time. */
	uint32_t named;
	/* Local disk in the units of eqt_bundle_table_disk(). 0 means that disk is not
	 * counted. */
	uint64_t disk;
	/* Borrowed; NULL means that all resources are in one term. */
	const struct eqt_terms *terms;
};

/* The factors by which a charge is multiplied. EQT_CHARGE_FACTOR_USAGE is Slurm's
 * UsageFactor of the job's QOS, which changes the usage but not the charge. */
enum eqt_charge_factor_kind {
	EQT_CHARGE_FACTOR_PARTITION,
	EQT_CHARGE_FACTOR_QOS,
	EQT_CHARGE_FACTOR_USAGE,
	EQT_CHARGE_FACTORS
};

struct eqt_charge_factor {
	/* Name of the partition or QOS, borrowed; NULL if there is no factor. */
	const char *name;
	/* The factor in millionths; with 0 nothing is charged. */
	uint64_t factor_u;
	/* For jobs on big_nodes nodes or more, factor_u is also multiplied by big_u
	 * millionths. If big_nodes is 0, no job has this second factor. */
	uint64_t big_nodes, big_u;
};

/* The bundles of a cluster, and the rules that apply to one job. A table whose other
 * members are 0 has the prices of any job without rules. The bundle of the cores always
 * exists and has the weight 1. */
struct eqt_bundle_table {
	struct eqt_bundle cores;
	/* The GPU bundles, borrowed from the configuration. */
	const struct eqt_bundle *gpu;
	uint32_t gpu_count; /* number of gpu[]; at most EQT_MODELS_MAX */
	/* Bit i is set if gpu[i] is not in force for the job. */
	uint32_t models_off;
	/* Whether the bundle of the cores is not in force for the job. */
	bool cores_off;
	/* Bit i is set if no candidate node of the job has gpu[i]. */
	uint32_t models_away;
	/* The lowest price of a job, in millionths of an equivalent. */
	uint64_t minimum_u;
	/* Prices are rounded up to multiples of 1/round_unit; 0 for exact prices. */
	uint64_t round_unit;
	struct eqt_charge_factor queue[EQT_CHARGE_FACTORS];
	/* The factor of the usage that depends on the time of the week, borrowed. A
	 * price contains the highest factor of the week. NULL means that there is no
	 * such factor. */
	const struct eqt_week *week;
	/* Name of the GRES that is local disk, borrowed; NULL if no bundle counts
	 * disk. */
	const char *disk_gres;
	/* The number of bits by which Slurm's counts of disk_gres are shifted right,
	 * such as 20 if Slurm counts bytes and bundles MiB. */
	uint32_t disk_shift;
	/* The names of equivalents in the pool of the cores and in the pool of the
	 * GPUs, borrowed. NULL means the built-in name. */
	const struct eqt_unit *pool_unit[2];
	/* The number of steps that pricing may still take, borrowed. The price of a
	 * range takes one step, a kind of nodes several. When no step is left, the ends
	 * of a range are bounds that enclose all its prices. NULL means that there is
	 * no limit. */
	uint32_t *steps;
};

/*
 * Return the index of the bundle for a GRES name and type, such as "gpu" and "p100".
 * The type may be NULL or "". A bundle "gpu:p100" is preferred. A bundle "gpu" is for
 * all types that have no bundle of their own. Return -1 if there is no bundle.
 */
int eqt_bundle_table_find(const struct eqt_bundle_table *prices,
			  const char *gres, const char *type);

/* Store in each bundle which later bundles have the same name. Without this call names
 * are compared at each use, thousands of times in one submission. */
void eqt_bundle_table_link(struct eqt_bundle *gpu, uint32_t count);

/* Is the GRES of this name (such as "jobfs") the local disk that bundles count? */
bool eqt_bundle_table_is_disk(const struct eqt_bundle_table *prices,
			      const char *gres);

/* Convert Slurm's count of local disk to units of 1 << shift, rounded up. Prices in
 * single bytes would have fractions that do not fit 64 bits. */
static inline uint64_t eqt_bundle_table_disk(uint64_t count, uint32_t shift)
{
	const uint64_t mask = (UINT64_C(1) << shift) - 1;

	return (count >> shift) + ((count & mask) != 0);
}

/* Return the index of the next bundle with the same name as gpu[model], or -1. */
int eqt_bundle_table_next(const struct eqt_bundle_table *prices,
			  uint32_t model);

/* Return a bit for each bundle with the same name as gpu[model], which must be the
 * first of them. */
uint32_t eqt_bundle_table_named(const struct eqt_bundle_table *prices,
				uint32_t model);

/* Does gpu[model] exist, and is its bundle in force for the job? */
bool eqt_bundle_table_holds(const struct eqt_bundle_table *prices,
			    uint32_t model);

/* Return a bit for each bundle that a GPU without a model could have. Bundles of shares
 * of GPUs ("shard") are included only if there is no other bundle. */
uint32_t eqt_bundle_table_held(const struct eqt_bundle_table *prices);

/* Are there steps left to compute more prices of a range? eqt_bundle_table_step()
 * subtracts the steps that were taken. */
bool eqt_bundle_table_has_steps(const struct eqt_bundle_table *prices);
void eqt_bundle_table_step(const struct eqt_bundle_table *prices,
			   uint32_t steps);

/* Is a bundle in force, and does some candidate node of the job have it? The range of a
 * price is over such bundles. If there is none, it is over all bundles in force. */
bool eqt_bundle_table_near(const struct eqt_bundle_table *prices,
			   uint32_t model);

/*
 * Check the GPUs of a demand, which has a count for each of EQT_MODELS_MAX models.
 * Return 0, or -1 with err filled if a demanded model has no bundle or if a rule takes
 * its bundle out of force.
 */
int eqt_bundle_table_check(const struct eqt_bundle_table *prices,
			   const uint64_t *gpus, struct eqt_error *err);

/* Write the error that no bundle prices the GRES of this name and type. The type may be
 * "". Returns -1. */
int eqt_bundle_table_missing(const char *name, const char *type,
			     struct eqt_error *err);

#endif
