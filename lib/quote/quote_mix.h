/* SPDX-License-Identifier: GPL-2.0-or-later */
/* quote_mix: whole nodes of several kinds in one job. Private to the quote. */
#ifndef EQT_QUOTE_MIX_H
#define EQT_QUOTE_MIX_H

#include "quote/quote_impl.h"

/* What a job can have of one kind of nodes; a plain value. */
struct eqt_quote_mix_kind {
	struct eqt_demand each; /* of one node */
	uint64_t nodes; /* that it takes of this kind alone */
	uint64_t tasks; /* that one node holds, at least 1 */
	uint64_t count; /* nodes that there are */
	bool gpus; /* it has GPUs with a price */
};

/* The kinds of a request for whole nodes; {0} is empty. */
struct eqt_quote_mix {
	struct eqt_quote_mix_kind kind[EQT_NODE_OFFER_KINDS];
	uint32_t kinds;
	uint64_t tasks; /* of the job */
	uint64_t max_nodes; /* that it asks for; 0: any number */
	bool uneven; /* nodes of some kind have a part of a core */
};

/* Note a kind whose nodes hold a part of the request, or all of it. totals: the request
 * on these nodes alone. */
void eqt_quote_mix_add(struct eqt_quote_mix *mix,
		       const struct eqt_job_spec *spec,
		       const struct eqt_job_totals *totals,
		       const struct eqt_node_offer *node);

/*
 * Make low and high those of nodes of several kinds, if a job without GPUs has a task
 * on each of its nodes and some kind has fewer nodes than that. Errors as
 * eqt_quote_mix_apply().
 */
int eqt_quote_mix_single_tasks(struct eqt_quote *quote,
			       const struct eqt_quote_mix *mix, uint64_t nodes,
			       struct eqt_error *err);

/*
 * Widen a quote by the prices of nodes of several kinds in one job, some with GPUs:
 * cores and memory of all its nodes are priced by the model that has the dearest of
 * them (docs/design/0053). 0, or -1 with err filled as eqt_price_range().
 */
int eqt_quote_mix_apply(struct eqt_quote *quote,
			const struct eqt_quote_mix *mix, struct eqt_error *err);

#endif
