/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A run is a cluster, a job id and a start. The set keeps 64-bit hashes of them in
 * an open table that is at most half full. Two of ten million runs have the same
 * hash once in 370,000 reports.
 */
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "usage/runs.h"

#define SLOTS_MIN 64

static uint64_t runs_hash_text(uint64_t hash, const char *text)
{
	return eqt_hash_bytes(hash, text, strlen(text));
}

/* The last step of splitmix64: each bit depends on all bits. Never 0. */
static uint64_t runs_hash_mix(uint64_t hash)
{
	hash = (hash ^ (hash >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	hash = (hash ^ (hash >> 27)) * UINT64_C(0x94d049bb133111eb);
	hash ^= hash >> 31;
	return hash ? hash : 1;
}

/* Put a hash into the table, which has room. 1: it is there already. */
static int set_put(uint64_t *slot, size_t slots, uint64_t hash)
{
	size_t at = hash & (slots - 1);

	while (slot[at] != 0 && slot[at] != hash)
		at = (at + 1) & (slots - 1);
	if (slot[at] == hash)
		return 1;
	slot[at] = hash;
	return 0;
}

static int set_make_room(struct eqt_year_runs *set)
{
	size_t slots = set->slots ? set->slots * 2 : SLOTS_MIN, i;
	uint64_t *slot;

	if (set->count * 2 < set->slots)
		return 0;
	slot = calloc(slots, sizeof(*slot));
	if (!slot)
		return -1;
	for (i = 0; i < set->slots; i++) {
		if (set->slot[i] != 0)
			(void) set_put(slot, slots, set->slot[i]);
	}
	free(set->slot);
	set->slot = slot;
	set->slots = slots;
	return 0;
}

/* Clusters come one after another, and within each the ids ascend. */
static int set_begin_job(struct eqt_year_runs *set, uint64_t cluster,
			 uint64_t id)
{
	size_t i;

	if (set->clusters > 0 && set->cluster[set->clusters - 1] == cluster) {
		if (id < set->job)
			return -2;
		if (id == set->job)
			return 0;
	} else {
		for (i = 0; i < set->clusters; i++) {
			if (set->cluster[i] == cluster)
				return -2;
		}
		if (set->clusters == EQT_YEAR_RUNS_CLUSTERS_MAX)
			return -2;
		set->cluster[set->clusters++] = cluster;
	}
	set->job = id;
	if (set->count > 0)
		memset(set->slot, 0, set->slots * sizeof(*set->slot));
	set->count = 0;
	return 0;
}

int eqt_year_runs_add(struct eqt_year_runs *set,
		      const struct eqt_sacct_job *job)
{
	uint64_t cluster =
		runs_hash_text(EQT_HASH_START, job->text[EQT_SACCT_CLUSTER]);
	uint64_t id = strtoull(job->text[EQT_SACCT_ID], NULL, 10);
	uint64_t hash;
	int rc = 0;

	if (set->check == EQT_YEAR_RUNS_NONE)
		return 0;
	if (set->check == EQT_YEAR_RUNS_ORDER)
		rc = set_begin_job(set, cluster, id);
	if (rc == 0)
		rc = set_make_room(set);
	if (rc < 0)
		return rc;
	hash = runs_hash_mix(runs_hash_mix(cluster ^ runs_hash_mix(id)) +
			     (uint64_t) job->start_s);
	rc = set_put(set->slot, set->slots, hash);
	set->count += rc == 0;
	return rc;
}

void eqt_year_runs_free(struct eqt_year_runs *set)
{
	free(set->slot);
	*set = (struct eqt_year_runs){ .check = EQT_YEAR_RUNS_NONE };
}
