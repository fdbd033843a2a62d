/* SPDX-License-Identifier: GPL-2.0-or-later */
/* job_rate: the rate of a job, from Slurm's TRES arrays, and rates computed before. */
#ifndef EQT_JOB_RATE_H
#define EQT_JOB_RATE_H

#include <stdint.h>

#include "slurm/compat.h"
#include "configuration.h"
#include "price/unit.h"

/* The price of a job's resources per second; a plain value. */
struct eqt_rate {
	double equivalents; /* for usage_raw, with the factors of partition and
			       QOS; the nearest double to the exact value */
	uint64_t billing; /* for the integer billing TRES */
	double size; /* equivalents without any factor */
	bool gpu_pool; /* equivalents are GPU-equivalents */
	char decided; /* enum eqt_charge_priced; 0: no price */
	const struct eqt_unit *unit; /* of the configuration; NULL: none */
};

/*
 * Rates that were computed before. An exact price takes long divisions; many jobs have the
 * same demand, and each pass needs the rate of every job. A table of fixed size, in which a
 * newer rate replaces an older one. Access requires slurmctld's job lock for writing.
 */
#define EQT_RATE_MODELS 4 /* different GPU models of a job that is kept */

/* Everything that a rate depends on. Without padding, because it is compared bytewise. */
struct eqt_rate_key {
	uint64_t serial; /* of the configuration */
	const struct eqt_rule *partition; /* of the configuration; NULL: none */
	const struct eqt_rule *qos;
	uint64_t cores;
	uint64_t mem_mib;
	uint64_t disk;
	uint64_t nodes;
	uint64_t gpus_untyped;
	uint64_t placed; /* 0 or 1 */
	uint64_t gpus[EQT_RATE_MODELS];
	uint64_t models[EQT_RATE_MODELS]; /* index + 1; 0: no more */
};

#define EQT_RATE_ENTRIES 4096 /* a power of two */

/* {0} is empty; nothing to free. */
struct eqt_rate_cache {
	struct {
		struct eqt_rate_key key; /* serial 0: empty */
		struct eqt_rate rate;
	} entry[EQT_RATE_ENTRIES];
};

/*
 * The rate of a job with these TRES counts, by the rules of its partition and QOS.
 * counts is its tres_alloc_cnt or, without an allocation, its tres_req_cnt. A GPU of
 * unknown model is priced as the most expensive model. If the partition's bundles
 * cannot price the job, all bundles are used. Returns 0, or -1 (out untouched) when no
 * bundle can. Allocates nothing.
 *
 * Locks: slurmctld's jobs for writing (they cover the cache, too), nodes and
 * partitions for reading, assoc_mgr's QOS for reading.
 */
int eqt_job_rate(struct eqt_rate *out, struct eqt_rate_cache *cache,
		 const struct eqt_config *config, const job_record_t *job,
		 const uint64_t *counts);

/* The rate of the nodes that an ended job still holds: they become free one by one. Also sets
 * counts[config->tres_count] to their TRES. 0; or -1 if only counts are set, because there is
 * no price, or stock_billing is set. Locks as above, and assoc_mgr's TRES for reading. */
int eqt_job_rate_held(struct eqt_rate *out, struct eqt_rate_cache *cache,
		      const struct eqt_config *config, const job_record_t *job,
		      bitstr_t *nodes, uint64_t *counts);

/* The rate of all that a reservation keeps from others: its nodes with all they have, or its
 * cores. Locks as above. */
int eqt_job_rate_reserved(struct eqt_rate *out, struct eqt_rate_cache *cache,
			  const struct eqt_config *config,
			  const slurmctld_resv_t *reservation);

#endif
