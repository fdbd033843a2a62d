/* SPDX-License-Identifier: GPL-2.0-or-later */
/* quote_mix: the price of a job that gets nodes of several kinds. Only the files of the
 * quote use it. */
#ifndef EQT_QUOTE_MIX_H
#define EQT_QUOTE_MIX_H

#include "quote/quote_impl.h"

/* What a job can have on nodes of one kind. A plain value. */
struct eqt_quote_mix_kind {
	struct eqt_demand each; /* the resources of the job on one node */
	/* The number of nodes that the job needs if it gets only this kind. */
	uint64_t nodes;
	/* The number of tasks that one node holds; at least 1. */
	uint64_t tasks;
	uint64_t count; /* the number of nodes of this kind */
	bool gpus; /* whether the nodes have GPUs with a price */
};

/* The kinds of nodes for a job. {0} has none. */
struct eqt_quote_mix {
	struct eqt_quote_mix_kind kind[EQT_NODE_OFFER_KINDS];
	uint32_t kinds;
	uint64_t tasks; /* the number of tasks of the job */
	/* The largest number of nodes of the request; 0 for any number. */
	uint64_t max_nodes;
	bool uneven; /* whether some node has a part of a core */
};

/* Add a kind of nodes that can hold a part of the request or all of it. `totals` is the
 * request on nodes of this kind alone. */
void eqt_quote_mix_add(struct eqt_quote_mix *mix,
		       const struct eqt_job_spec *spec,
		       const struct eqt_job_totals *totals,
		       const struct eqt_node_offer *node);

/*
 * Compute low and high of a job without GPUs that has one task on each of its nodes.
 * Nothing changes if there are too few nodes. Errors are those of
 * eqt_quote_mix_apply().
 */
int eqt_quote_mix_single_tasks(struct eqt_quote *quote,
			       const struct eqt_quote_mix *mix, uint64_t nodes,
			       struct eqt_error *err);

/*
 * Set the range of a job on whole nodes to the prices of all sets of nodes that the job
 * can have. The request gives a number of nodes or a range of numbers, and nodes of
 * each kind are enough for it. Return 0, 1 with *quote unchanged if there are too many
 * sets or if the kinds need different numbers of nodes, or -1 with err filled as
 * eqt_price_range() does.
 */
int eqt_quote_mix_sets(struct eqt_quote *quote, const struct eqt_quote_mix *mix,
		       struct eqt_error *err);

/*
 * Extend a quote by the prices of jobs on nodes of several kinds, some of which have
 * GPUs. Cores and memory of all nodes of such a job are priced by the model for which
 * they cost most (docs/design/0053). Return 0, or -1 with err filled as
 * eqt_price_range() does.
 */
int eqt_quote_mix_apply(struct eqt_quote *quote,
			const struct eqt_quote_mix *mix, struct eqt_error *err);

#endif
