/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * eqt_bundle_table: the bundles of a cluster, by which eqt_price prices a request.
 *
 * The GPU bundles belong to the configuration. A table points to them and is small:
 * there is one for each job, with what holds for that job alone. Nothing allocates,
 * nothing locks.
 */
#ifndef EQT_BUNDLE_TABLE_H
#define EQT_BUNDLE_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "price/unit.h"
#include "price/week.h"
#include "base/error.h"

#define EQT_MODELS_MAX 32 /* GPU models of one price table */
#define EQT_NAME_SIZE 64 /* a GRES name with its type, and the NUL */
#define EQT_DISK_MAX (UINT64_C(1) << 43) /* of a bundle's local disk */

struct eqt_terms; /* price_terms.h */

/* One unit of a pool. */
struct eqt_bundle {
	char name[EQT_NAME_SIZE]; /* "cores", "gpu", "gpu:p100" */
	/* In millionths. With terms about what costs as much as the weight */
	uint64_t cores_u; /* cores; 0 with terms: not counted */
	uint64_t mem_mib_u; /* MiB; 0: not counted */
	/* Equivalents of one GPU; 0 with terms: not counted */
	uint64_t weight_u;
	/* Nodes that the bundle is for, borrowed. Both NULL: all nodes that no other
	 * bundle of its name is for */
	const char *nodes; /* a list in Slurm's words */
	const char *features; /* "a,b": nodes that have all of them */
	/* What its equivalents are called, borrowed; NULL: as those of its pool */
	const struct eqt_unit *unit;
	/* Set by eqt_bundle_table_link(): this bundle and later ones of its name, a bit
	 * each; 0: they are found by name */
	uint32_t named;
	uint64_t disk; /* local disk, as eqt_bundle_table_disk() counts it;
			  0: not counted */
	const struct eqt_terms *terms; /* borrowed; NULL: one term */
};

/* The kinds of factors of the charge. The last one is Slurm's UsageFactor of the job's
 * QOS, which changes usage alone. */
enum eqt_charge_factor_kind {
	EQT_CHARGE_FACTOR_PARTITION,
	EQT_CHARGE_FACTOR_QOS,
	EQT_CHARGE_FACTOR_USAGE,
	EQT_CHARGE_FACTORS
};

struct eqt_charge_factor {
	const char *name; /* borrowed; NULL: no factor */
	uint64_t factor_u; /* millionths; 0: nothing is charged */
	/* A second factor, by which the first is multiplied for jobs on big_nodes nodes
	 * or more; 0: none */
	uint64_t big_nodes, big_u;
};

/* The bundles of a cluster, and what holds for one job or, being {0} but for
 * the bundles, for any. The cores' bundle is always there (weight 1). */
struct eqt_bundle_table {
	struct eqt_bundle cores;
	const struct eqt_bundle *gpu; /* borrowed */
	uint32_t gpu_count; /* of gpu[]; at most EQT_MODELS_MAX */
	uint32_t models_off; /* bit i: gpu[i] does not hold */
	bool cores_off; /* nor that of the cores */
	uint32_t models_away; /* bit i: no node that it could get has gpu[i] */
	uint64_t minimum_u; /* least equivalents of a job; millionths */
	uint64_t round_unit; /* prices in 1/round_unit; 0: exact */
	struct eqt_charge_factor queue[EQT_CHARGE_FACTORS];
	/* Borrowed: the factor of usage by the time of the week; prices have the
	 * most of it. NULL: none */
	const struct eqt_week *week;
	const char *disk_gres; /* borrowed: the GRES that is local disk; NULL:
				  no bundle counts local disk */
	/* Bits by which Slurm's counts of it are shifted: 20 for MiB, 0 for none */
	uint32_t disk_shift;
	/* What equivalents of the pools (cores, GPUs) are called, borrowed; NULL: no
	   name of its own. */
	const struct eqt_unit *pool_unit[2];
	/* Borrowed; the number of steps that pricing may still take: a price of a range
	 * is one step, a kind of nodes several. At 0 the ends of ranges are bounds that
	 * enclose all prices. NULL: no limit */
	uint32_t *steps;
};

/*
 * Index of the bundle for a GRES name and type ("gpu", "p100"; type may be NULL
 * or ""). "gpu:p100" is preferred, a bundle "gpu" serves every type without its
 * own bundle. Returns -1 if there is none.
 */
int eqt_bundle_table_find(const struct eqt_bundle_table *prices,
			  const char *gres, const char *type);

/* Note in each bundle which later ones have its name. Otherwise they are looked up each
 * time, thousands of times in a submission. */
void eqt_bundle_table_link(struct eqt_bundle *gpu, uint32_t count);

/* Is a GRES ("jobfs") local disk that bundles count? */
bool eqt_bundle_table_is_disk(const struct eqt_bundle_table *prices,
			      const char *gres);

/* Slurm's count of that GRES in units of 1 << shift, rounded up: bytes would make
 * fractions that do not fit 64 bits. */
static inline uint64_t eqt_bundle_table_disk(uint64_t count, uint32_t shift)
{
	const uint64_t mask = (UINT64_C(1) << shift) - 1;

	return (count >> shift) + ((count & mask) != 0);
}

/* The next bundle of the same name after gpu[model], or -1. */
int eqt_bundle_table_next(const struct eqt_bundle_table *prices,
			  uint32_t model);

/* All bundles of the same name, gpu[model] being the first, a bit each. */
uint32_t eqt_bundle_table_named(const struct eqt_bundle_table *prices,
				uint32_t model);

/* Whether the bundle of gpu[model] is there and holds. */
bool eqt_bundle_table_holds(const struct eqt_bundle_table *prices,
			    uint32_t model);

/* The bundles that hold for GPUs without a model, a bit each. Bundles of shares of GPUs
 * ("shard") count only if there are no others. */
uint32_t eqt_bundle_table_held(const struct eqt_bundle_table *prices);

/* Can ranges compute more prices? And count steps that were taken. */
bool eqt_bundle_table_has_steps(const struct eqt_bundle_table *prices);
void eqt_bundle_table_step(const struct eqt_bundle_table *prices,
			   uint32_t steps);

/* Does the bundle hold, and is it not away? Ranges are over such bundles, or over all
 * that hold if none is near. */
bool eqt_bundle_table_near(const struct eqt_bundle_table *prices,
			   uint32_t model);

/*
 * Check the GPUs of a demand, a count for each of EQT_MODELS_MAX models. 0; or -1 with
 * err filled if a demanded model has no price, also because a rule takes its bundle
 * away.
 */
int eqt_bundle_table_check(const struct eqt_bundle_table *prices,
			   const uint64_t *gpus, struct eqt_error *err);

/* Say in err that no bundle prices the GRES of a name and type ("": none); returns -1. */
int eqt_bundle_table_missing(const char *name, const char *type,
			     struct eqt_error *err);

#endif
