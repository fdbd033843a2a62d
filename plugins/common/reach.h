/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * reach: the nodes that a request could get, by its partition, --constraint,
 * --nodelist, --exclude and the GPUs that it asks for. Needs Slurm's internal headers.
 */
#ifndef EQT_REACH_H
#define EQT_REACH_H

#include <stdbool.h>

#include "eqt_ask.h"
#include "eqt_gres.h"
#include "eqt_price.h"
#include "slurm_compat.h"

#define EQT_REACH_GPUS 8 /* models in one request that are looked for */

/* Made by eqt_reach_open(). */
struct eqt_reach {
	const part_record_t *part;
	const char *features; /* borrowed; NULL: whatever they have */
	bool any_feature; /* one of them is enough */
	struct hostset *only, *without; /* owned; NULL: none is named */
	struct eqt_gres gpus[EQT_REACH_GPUS];
	uint32_t gpu_count; /* 0: nodes need no GPU */
};

/*
 * Find the nodes of a request in a partition. An expression of features that
 * is more than a&b counts as a|b|...: rather too many nodes than too few. So
 * does what is longer than anybody means: it is passed over.
 * Every opened reach is to be closed.
 */
void eqt_reach_open(struct eqt_reach *out, const struct eqt_ask *ask,
		    const part_record_t *part);
void eqt_reach_close(struct eqt_reach *reach);

/* The next node from *i on, counted on, or NULL after the last. slurmctld's
 * part and node locks are held for reading. */
const node_record_t *eqt_reach_next(const struct eqt_reach *reach, bitoff_t *i);

/*
 * Mark in *prices the bundles that are on none of the nodes, where the price of
 * the request depends on it. Looks at each node of the partition at most; most
 * requests need none of them. Same locks.
 */
void eqt_reach_apply(struct eqt_prices *prices, const struct eqt_ask *ask,
		     const part_record_t *part);

#endif
