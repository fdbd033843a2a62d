/* SPDX-License-Identifier: GPL-2.0-or-later */
/* job_rate: the rate of a job, computed from Slurm's TRES arrays, and a cache
 * of rates. */
#ifndef EQT_JOB_RATE_H
#define EQT_JOB_RATE_H

#include <stdint.h>

#include "slurm/compat.h"
#include "configuration.h"
#include "price/unit.h"

/* The price of a job's resources for one second. */
struct eqt_rate {
	/* The amount for usage_raw, including the factors of partition and QOS,
	   as the double nearest to the exact value. */
	double equivalents;
	uint64_t billing; /* The amount for the integer TRES billing. */
	double size; /* The equivalents without any factor. */
	bool gpu_pool; /* The equivalents are GPU-equivalents. */
	/* A letter of enum eqt_charge_priced, or 0 if there is no price. */
	char decided;
	/* Belongs to the configuration; NULL if there is no unit. */
	const struct eqt_unit *unit;
};

/*
 * A cache of rates. An exact price takes long divisions, many jobs have the
 * same demand, and each pass needs the rate of every job. The cache is a table
 * of fixed size, in which a newer rate replaces an older one. slurmctld's job
 * lock is held for writing.
 */
/* The most GPU models of a job whose rate is cached. */
#define EQT_RATE_MODELS 4

/* Everything on which a rate depends. The struct has no padding, because it is
 * compared byte by byte. */
struct eqt_rate_key {
	uint64_t serial; /* The serial number of the configuration. */
	/* Belongs to the configuration; NULL if there is no rule. */
	const struct eqt_rule *partition;
	const struct eqt_rule *qos;
	uint64_t cores;
	uint64_t mem_mib;
	uint64_t disk;
	uint64_t nodes;
	uint64_t gpus_untyped;
	uint64_t placed; /* 0 or 1 */
	uint64_t gpus[EQT_RATE_MODELS];
	/* Each element is the index of a model plus 1, or 0 after the last
	   model. */
	uint64_t models[EQT_RATE_MODELS];
};

#define EQT_RATE_ENTRIES 4096 /* a power of two */

/* A cache of rates. A struct of zeros is empty and has nothing to free. */
struct eqt_rate_cache {
	struct {
		/* A serial of 0 marks an empty slot. */
		struct eqt_rate_key key;
		struct eqt_rate rate;
	} entry[EQT_RATE_ENTRIES];
};

/*
 * The rate of a job with these TRES counts, by the rules of its partition and
 * QOS.
 *
 * `counts` is the job's tres_alloc_cnt, or its tres_req_cnt if it has no
 * allocation. A GPU of an unknown model is priced as the most expensive model.
 * If the partition's bundles cannot price the job, all bundles are used.
 * Returns 0, or -1 if no bundle can price the job; *out is unchanged then. The
 * function allocates no memory.
 *
 * The caller holds slurmctld's job lock for writing, which protects the cache
 * as well, its node and part locks for reading, and assoc_mgr's QOS lock for
 * reading.
 */
int eqt_job_rate(struct eqt_rate *out, struct eqt_rate_cache *cache,
		 const struct eqt_config *config, const job_record_t *job,
		 const uint64_t *counts);

/* The rate of the nodes that an ended job still holds. These become free one by
 * one. Also sets counts[config->tres_count] to the TRES of these nodes. Returns
 * 0, or -1 if only counts are set because there is no price or because of
 * stock_billing. The locks are those of eqt_job_rate() and assoc_mgr's TRES
 * lock for reading. */
int eqt_job_rate_held(struct eqt_rate *out, struct eqt_rate_cache *cache,
		      const struct eqt_config *config, const job_record_t *job,
		      bitstr_t *nodes, uint64_t *counts);

/* The rate of everything that a reservation keeps from other jobs: its nodes
 * with all their resources, or its cores. The locks are those of
 * eqt_job_rate(). */
int eqt_job_rate_reserved(struct eqt_rate *out, struct eqt_rate_cache *cache,
			  const struct eqt_config *config,
			  const slurmctld_resv_t *reservation);

#endif
