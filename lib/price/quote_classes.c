/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The price of a request on each kind of nodes that it could get. */
#include "price/job_spec_lists.h"
#include "price/node_offer.h"
#include "price/quote_impl.h"

/* Steps that one kind takes besides its prices, and how many rows are one. */
#define KIND_STEPS 6
#define ROWS_STEP 2

/* All that is the same for each kind. */
struct kinds {
	const struct eqt_bundle_table *prices;
	const struct eqt_job_spec *spec;
	eqt_quote_fn *each;
	const struct eqt_parsed_spec *parsed; /* with its lists */
	uint64_t nodes; /* that one job can have, of all kinds */
	bool any_fits;
};

/* The request as it is where there are nodes of one kind alone. */
static void kind_ask(struct eqt_job_spec *out, const struct kinds *kinds,
		     const struct eqt_node_offer *kind)
{
	*out = *kinds->spec;
	out->kinds = 0;
	out->node = *kind;
	out->node.count = kinds->nodes;
	if (out->cpus_per_core == 0)
		out->cpus_per_core = kind->threads;
	if (out->max_nodes > kinds->nodes && kinds->nodes > 0 &&
	    out->min_nodes <= kinds->nodes)
		out->max_nodes = kinds->nodes;
}

static int kind_parse(struct eqt_parsed_spec *out,
		      const struct eqt_job_spec *one, const struct kinds *kinds,
		      struct eqt_error *err)
{
	const struct eqt_parsed_spec *parsed = kinds->parsed;

	eqt_bundle_table_step(kinds->prices,
			      KIND_STEPS + parsed->rows.count / ROWS_STEP);
	/* The same on each kind, unless nodes are taken whole. */
	if (parsed->rows.room > 0 && !one->exclusive) {
		out->rows = parsed->rows;
		out->lists = NULL;
		return eqt_job_spec_count(&out->totals, one, &parsed->rows,
					  err);
	}
	if (!parsed->lists)
		return eqt_parsed_spec_make(out, kinds->prices, one, err);
	if (eqt_counted_by_lists(out, kinds->prices, one, parsed->lists,
				 parsed->spare) < 0)
		return eqt_error_set(err, "the request has no price on nodes "
					  "of one kind");
	return 0;
}

/* The least number of its nodes that the request fits on, of which it is counted
 * for as many; 0: on none. */
static int kind_count(struct eqt_parsed_spec *out, uint64_t *nodes,
		      struct eqt_job_spec *one, const struct kinds *kinds,
		      const struct eqt_node_offer *kind, struct eqt_error *err)
{
	if (kind_parse(out, one, kinds, err) < 0)
		return -1;
	*nodes = eqt_node_offers(one, &out->totals, kind);
	if (*nodes <= out->totals.nodes)
		return 0;
	one->least_nodes = *nodes;
	return kind_parse(out, one, kinds, err);
}

/* A function of its own, since most requests have one kind of nodes or none. */
static __attribute__((noinline)) int kind_bill(
	struct eqt_quote *out, struct kinds *kinds,
	const struct eqt_node_offer *kind, bool must_fit, bool *fits,
	struct eqt_error *err)
{
	struct eqt_parsed_spec parsed;
	struct eqt_job_spec one;
	uint64_t nodes;

	kind_ask(&one, kinds, kind);
	if (kind_count(&parsed, &nodes, &one, kinds, kind, err) < 0)
		return -1;
	*fits = nodes > 0 || !must_fit;
	if (!*fits)
		return 0;
	return kinds->each(out, kinds->prices, &one, &parsed, err);
}

/* The range over all kinds, or over those that fit. */
static int kinds_range(struct eqt_quote *out, struct kinds *kinds,
		       bool must_fit, struct eqt_error *err)
{
	const struct eqt_job_spec *spec = kinds->spec;
	struct eqt_quote quote;
	bool fits;
	uint32_t i;

	for (i = 0; i < spec->kinds; i++) {
		if (kind_bill(kinds->any_fits ? &quote : out, kinds,
			      &spec->kind[i], must_fit, &fits, err) < 0)
			return -1;
		if (fits && kinds->any_fits && eqt_quote_merge(out, &quote))
			out->by_nodes = true;
		kinds->any_fits |= fits;
	}
	return 0;
}

static uint64_t kinds_nodes(const struct eqt_job_spec *spec)
{
	uint64_t nodes = 0;
	uint32_t i;

	for (i = 0; i < spec->kinds; i++)
		nodes += spec->kind[i].count;
	if (spec->node.count > 0 && nodes > spec->node.count)
		nodes = spec->node.count;
	return nodes;
}

int eqt_quote_on_kinds(struct eqt_quote *out,
		       const struct eqt_bundle_table *prices,
		       const struct eqt_job_spec *spec,
		       const struct eqt_parsed_spec *parsed, eqt_quote_fn *each,
		       struct eqt_error *err)
{
	struct kinds kinds = { .prices = prices,
			       .spec = spec,
			       .each = each,
			       .parsed = parsed,
			       .nodes = kinds_nodes(spec) };

	if (kinds_range(out, &kinds, true, err) < 0)
		return -1;
	/* On nodes of one kind alone it fits nowhere: on all together, or Slurm
	   refuses it. */
	if (!kinds.any_fits && kinds_range(out, &kinds, false, err) < 0)
		return -1;
	out->least |= spec->more_kinds;
	return 0;
}
