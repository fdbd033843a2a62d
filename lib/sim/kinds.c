/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>

#include "base/hash.h"
#include "sim/kinds.h"
#include "sim/shape.h"

#define KINDS_FIRST 64 /* the number of slots at first; a power of two */

/* Do two jobs take equal amounts of the same limits? All jobs list their limits in the
 * same order. What a job spends does not count, since a waiting job has taken it. */
static bool kind_same_uses(const struct eqt_simulation_needs *a,
			   const struct eqt_simulation_needs *b)
{
	const uint32_t count = a ? a->use_count : 0;

	if (count != (b ? b->use_count : 0))
		return false;
	for (uint32_t i = 0; i < count; i++)
		if (a->uses[i].limit != b->uses[i].limit ||
		    !a->uses[i].paid_s != !b->uses[i].paid_s ||
		    (!a->uses[i].paid_s &&
		     a->uses[i].amount != b->uses[i].amount))
			return false;
	return true;
}

static bool kind_has(const struct eqt_simulation_kind *kind,
		     const struct eqt_simulation_job *job)
{
	return eqt_shape_is_same(&kind->example, job) &&
	       kind_same_uses(kind->example.needs, job->needs);
}

/* Return a hash of some of the members that kind_has() compares. */
static uint64_t kind_hash(const struct eqt_simulation_job *job)
{
	const uint64_t parts[] = { job->all.cpus,  job->all.mem_mib,
				   job->all.gpus,  job->nodes,
				   job->partition, (uint64_t) job->model };
	uint64_t hash = eqt_hash_bytes(EQT_HASH_START, parts, sizeof(parts));
	const struct eqt_simulation_needs *needs = job->needs;

	for (uint32_t i = 0; needs && i < needs->use_count; i++)
		hash = eqt_hash_bytes(hash, &needs->uses[i].limit,
				      sizeof(needs->uses[i].limit));
	return hash;
}

/* Put a kind into the hash table, before all kinds with the same hash. */
static void kinds_link(struct eqt_simulation_kinds *kinds, uint32_t place)
{
	struct eqt_simulation_kind *kind = &kinds->kind[place];
	uint32_t *first =
		&kinds->first[kind_hash(&kind->example) & (kinds->space - 1)];

	kind->next = *first;
	*first = place + 1;
}

/* Double both arrays. Return -1 with the kinds unchanged if there is no memory. */
static int kinds_grow(struct eqt_simulation_kinds *kinds)
{
	const uint32_t space = kinds->space ? 2 * kinds->space : KINDS_FIRST;
	uint32_t *first = calloc(space, sizeof(*first));
	struct eqt_simulation_kind *kind =
		first ? realloc(kinds->kind, space * sizeof(*kind)) : NULL;

	if (!kind) {
		free(first);
		return -1;
	}
	free(kinds->first);
	kinds->kind = kind;
	kinds->first = first;
	kinds->space = space;
	for (uint32_t i = 0; i < kinds->count; i++)
		kinds_link(kinds, i);
	return 0;
}

int64_t eqt_kinds_place(struct eqt_simulation_kinds *kinds,
			const struct eqt_simulation_job *job)
{
	uint32_t next =
		kinds->space ? kinds->first[kind_hash(job) & (kinds->space - 1)]
			     : 0;

	for (; next; next = kinds->kind[next - 1].next)
		if (kind_has(&kinds->kind[next - 1], job))
			return (int64_t) next - 1;
	if (kinds->count == kinds->space && kinds_grow(kinds) < 0)
		return -1;
	kinds->kind[kinds->count] =
		(struct eqt_simulation_kind){ .example = *job };
	kinds_link(kinds, kinds->count);
	return kinds->count++;
}

void eqt_kinds_free(struct eqt_simulation_kinds *kinds)
{
	if (kinds) {
		free(kinds->kind);
		free(kinds->first);
		free(kinds->at_limit);
	}
	free(kinds);
}
