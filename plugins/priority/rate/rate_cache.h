/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rate_cache: rates that were computed before. An exact price takes long divisions; many
 * jobs have the same demand, and each pass needs the rate of every job.
 *
 * A table of fixed size, in which a newer rate replaces an older one. Access requires
 * slurmctld's job lock for writing.
 */
#ifndef EQT_RATE_CACHE_H
#define EQT_RATE_CACHE_H

#include <stdbool.h>
#include <stdint.h>

#include "conf/conf.h"
#include "price/unit.h"

/* The price of what a job holds, per second; a plain value. */
struct eqt_rate {
	double equivalents; /* for usage_raw, with the factors of partition and
			       QOS; the nearest double to the exact value */
	uint64_t billing; /* for the integer billing TRES */
	double size; /* equivalents without any factor */
	bool gpu_pool; /* equivalents are GPU-equivalents */
	char decided; /* enum eqt_charge_priced; 0: no price */
	const struct eqt_unit *unit; /* of the configuration; NULL: none */
};

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

/* Set the key's demand, for a price table with this number of models. False if the demand
 * has too many different models to be cached. */
bool eqt_rate_key_make(struct eqt_rate_key *key,
		       const struct eqt_demand *demand, uint32_t models);

/* Look up a rate: true if it is known, with *out filled. */
bool eqt_rate_cache_get(const struct eqt_rate_cache *cache,
			const struct eqt_rate_key *key, struct eqt_rate *out);

/* Remember a rate. It replaces the one of another key that has the same place. */
void eqt_rate_cache_put(struct eqt_rate_cache *cache,
			const struct eqt_rate_key *key,
			const struct eqt_rate *rate);

#endif
