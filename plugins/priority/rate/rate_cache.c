/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A direct-mapped cache: each key has one entry, and a new rate replaces the old one. */
#include <string.h>

#include "rate/rate_cache.h"

bool eqt_rate_key_make(struct eqt_rate_key *key,
		       const struct eqt_demand *demand, uint32_t models)
{
	uint32_t found = 0;

	key->cores = demand->cores;
	key->mem_mib = demand->mem_mib;
	key->disk = demand->disk;
	key->nodes = demand->nodes;
	key->gpus_untyped = demand->gpus_untyped;
	key->placed = demand->placed;
	for (uint32_t i = 0; i < models; i++) {
		if (!demand->gpus[i])
			continue;
		if (found == EQT_RATE_MODELS)
			return false;
		key->gpus[found] = demand->gpus[i];
		key->models[found++] = i + 1;
	}
	return true;
}

/* A hash of the members that differ between most jobs. The products do not depend on each
 * other, so the processor computes them in parallel. */
static uint32_t rate_key_place(const struct eqt_rate_key *key)
{
	uint64_t hash = key->cores * 0x9e3779b97f4a7c15u +
			(key->mem_mib + key->disk) * 0xc2b2ae3d27d4eb4fu +
			key->nodes * 0x8ebc6af09c88c6e3u +
			(uintptr_t) key->partition * 0x165667b19e3779f9u +
			(uintptr_t) key->qos * 0xd6e8feb86659fd93u +
			key->gpus[0] * 0xff51afd7ed558ccdu +
			key->models[0] * 0xa0761d6478bd642fu;

	return (uint32_t) (hash >> 40) % EQT_RATE_ENTRIES;
}

bool eqt_rate_cache_get(const struct eqt_rate_cache *cache,
			const struct eqt_rate_key *key, struct eqt_rate *out)
{
	uint32_t i = rate_key_place(key);

	/* Compare the whole key (it has no padding): a collision is a miss. */
	if (memcmp(&cache->entry[i].key, key, sizeof(*key)) != 0)
		return false;
	*out = cache->entry[i].rate;
	return true;
}

void eqt_rate_cache_put(struct eqt_rate_cache *cache,
			const struct eqt_rate_key *key,
			const struct eqt_rate *rate)
{
	uint32_t i = rate_key_place(key);

	cache->entry[i].key = *key;
	cache->entry[i].rate = *rate;
}
