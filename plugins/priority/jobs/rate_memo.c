/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "rate_memo.h"

#define ENTRIES 4096 /* a power of two */

static struct {
	struct eqt_rate_key key; /* serial 0: empty, settings count from 1 */
	struct eqt_rate rate;
} memo[ENTRIES];

bool eqt_rate_key_make(struct eqt_rate_key *key,
		       const struct eqt_request *request)
{
	uint32_t found = 0;

	key->cores = request->cores;
	key->mem_mib = request->mem_mib;
	key->gpus_untyped = request->gpus_untyped;
	key->placed = request->placed;
	for (uint32_t i = 0; i < EQT_MODELS_MAX; i++) {
		if (!request->gpus[i])
			continue;
		if (found == EQT_RATE_MODELS)
			return false;
		key->gpus[found] = request->gpus[i];
		key->models[found++] = i + 1;
	}
	return true;
}

/* Fowler, Noll and Vo's hash, FNV-1a, over words. */
static uint32_t entry_of(const struct eqt_rate_key *key)
{
	uint64_t words[sizeof(*key) / sizeof(uint64_t)];
	uint64_t hash = 14695981039346656037u;

	memcpy(words, key, sizeof(words));
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		hash = (hash ^ words[i]) * 1099511628211u;
	return (uint32_t) (hash >> 40) % ENTRIES;
}

bool eqt_rate_memo_get(const struct eqt_rate_key *key, struct eqt_rate *out)
{
	uint32_t i = entry_of(key);

	if (memcmp(&memo[i].key, key, sizeof(*key)) != 0)
		return false;
	*out = memo[i].rate;
	return true;
}

void eqt_rate_memo_put(const struct eqt_rate_key *key,
		       const struct eqt_rate *rate)
{
	uint32_t i = entry_of(key);

	memo[i].key = *key;
	memo[i].rate = *rate;
}
