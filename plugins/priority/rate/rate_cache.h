/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rate_cache: rates that were worked out before. A price is exact, which takes
 * long divisions; jobs ask for the same over and over, and each pass asks for
 * every job again.
 *
 * A table of fixed size in which a newer rate takes the place of an older one. It
 * belongs to the holder of slurmctld's job lock for writing.
 */
#ifndef EQT_RATE_CACHE_H
#define EQT_RATE_CACHE_H

#include <stdbool.h>
#include <stdint.h>

#include "conf/conf.h"
#include "rate/rate.h"

#define EQT_RATE_MODELS 4 /* different GPU models of a job that is kept */

/* All that a rate depends on, without gaps: it is compared byte by byte. */
struct eqt_rate_key {
	uint64_t serial; /* of the configuration */
	const struct eqt_rule *partition; /* of the configuration; NULL: none */
	const struct eqt_rule *qos;
	uint64_t cores;
	uint64_t mem_mib;
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

/* The key of a demand, by a price table of so many models. False when it has
 * too many of them to be kept. */
bool eqt_rate_key_make(struct eqt_rate_key *key,
		       const struct eqt_demand *demand, uint32_t models);

/* Whether the rate is known; out is filled then. */
bool eqt_rate_cache_get(const struct eqt_rate_cache *cache,
			const struct eqt_rate_key *key, struct eqt_rate *out);

void eqt_rate_cache_put(struct eqt_rate_cache *cache,
			const struct eqt_rate_key *key,
			const struct eqt_rate *rate);

#endif
