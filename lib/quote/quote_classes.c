/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The price of a request on each kind of nodes that it could get. */
#include <stddef.h>
#include <string.h>

#include "base/whole.h"
#include "job/job_spec_lists.h"
#include "job/node_offer.h"
#include "quote/quote_impl.h"
#include "quote/quote_mix.h"

/* Steps that one kind takes besides its prices, and how many rows are one. */
#define KIND_STEPS 6
#define ROWS_STEP 2

/* The state that all kinds of nodes share. */
struct kinds {
	const struct eqt_bundle_table *prices;
	const struct eqt_job_spec *spec;
	eqt_quote_fn *each;
	const struct eqt_parsed_spec *parsed; /* with its lists */
	struct eqt_gres_rows asked; /* of whole nodes: what the request names */
	uint64_t nodes; /* that one job can have, of all kinds */
	bool any_fits;
	bool any_part; /* of the request fits on some node */
	uint64_t fewest; /* nodes of a kind that it fits on */
	uint64_t need[EQT_NODE_OFFER_KINDS]; /* nodes of each; 0: it does not
						fit on them alone */
	/* Nodes of the last kind on which its tasks are split; 0: none, or it needs no more
	 * for whole tasks */
	uint64_t split;
	uint32_t parts; /* kinds that it fits on beside others alone, a bit
			   each */
	/* Which kinds are priced: those that hold the request, all of them where
	   none does, or those of parts. */
	enum { KINDS_THAT_FIT, KINDS_ALL, KINDS_OF_PARTS } pass;
	struct eqt_quote_mix *mix; /* of whole nodes, or of single tasks; NULL:
				      none */
	bool spans; /* the price is a range on nodes of one kind, too */
};

/* Make the request that would get nodes of one kind only. */
static void kind_ask(struct eqt_job_spec *out, const struct kinds *kinds,
		     const struct eqt_node_offer *kind)
{
	memcpy(out, kinds->spec, offsetof(struct eqt_job_spec, node));
	out->kinds = 0;
	out->node = *kind;
	out->node.count = kinds->nodes;
	if (out->cpus_per_core == 0 ||
	    (kind->threads > 0 && out->cpus_per_core > kind->threads))
		out->cpus_per_core = kind->threads;
	if (kinds->nodes && out->max_nodes > kinds->nodes &&
	    out->min_nodes <= kinds->nodes) {
		out->max_nodes = kinds->nodes;
		out->nodes_changed = true;
	}
}

static int kind_parse(struct eqt_parsed_spec *out,
		      const struct eqt_job_spec *one, const struct kinds *kinds,
		      struct eqt_error *err)
{
	const struct eqt_parsed_spec *parsed = kinds->parsed;

	eqt_bundle_table_step(kinds->prices, KIND_STEPS + (parsed->rows.count +
							   kinds->asked.count) /
								  ROWS_STEP);
	/* The same on each kind, unless nodes are taken whole. */
	if (parsed->rows.room && !one->exclusive) {
		out->rows = parsed->rows;
		out->lists = NULL;
		return eqt_job_spec_count(&out->totals, one, &parsed->rows,
					  err);
	}
	if (!parsed->lists)
		return eqt_parsed_spec_make(out, kinds->prices, one, err);
	if (eqt_counted_by_lists(out, kinds->prices, one, parsed->lists,
				 parsed->spare) < 0)
		return eqt_error_set(
			err, "the request has no price on nodes of one kind");
	return 0;
}

/* What the request itself names; NULL: these were more rows than are kept. */
static const struct eqt_gres_rows *kind_asked(
	const struct kinds *kinds, const struct eqt_parsed_spec *parsed)
{
	if (kinds->spec->exclusive)
		return &kinds->asked;
	return parsed->rows.room > 0 ? &parsed->rows : NULL;
}

/* Slurm takes no node with fewer threads in a core, or fewer sockets, than are asked
 * for. */
static bool kind_lacks_layout(const struct eqt_job_spec *spec,
			      const struct eqt_node_offer *kind)
{
	return (kind->threads > 0 && spec->cpus_per_core > kind->threads) ||
	       (kind->sockets > 0 && spec->sockets_per_node > kind->sockets);
}

/* Count the request for as many nodes of the kind as it needs; false if the kind is
 * not of this pass. */
static bool kind_fits(struct eqt_job_spec *one, struct kinds *kinds,
		      const struct eqt_parsed_spec *parsed, uint32_t i)
{
	const struct eqt_node_offer *kind = &kinds->spec->kind[i];
	const struct eqt_job_totals *totals = &parsed->totals;
	const uint64_t limit = eqt_node_offers_limit(one, kind);
	uint64_t nodes =
		eqt_node_offers(one, totals, kind_asked(kinds, parsed), kind);
	const uint64_t split =
		nodes > totals->nodes
			? eqt_node_offers_split(one, totals, kind, nodes)
			: nodes;
	const bool fits = nodes > 0 && split <= limit &&
			  !kind_lacks_layout(kinds->spec, kind);

	if (nodes > limit && fits)
		nodes = split;
	kinds->split = 0;
	if (kinds->pass == KINDS_OF_PARTS) {
		one->least_nodes = kinds->fewest;
		return true;
	}
	if (fits && split < nodes)
		kinds->split = split;
	kinds->need[i] = fits ? nodes : 0;
	if (fits && (kinds->fewest == 0 || split < kinds->fewest))
		kinds->fewest = split;
	if (nodes > limit && limit > 1)
		kinds->parts |= UINT32_C(1) << i;
	kinds->any_part |= nodes > 0;
	if (fits && nodes > totals->nodes)
		one->least_nodes = nodes;
	return fits || kinds->pass == KINDS_ALL;
}

/* The request on nodes of the kind that was priced last. */
struct kind_priced {
	struct eqt_job_spec one;
	struct eqt_parsed_spec parsed;
	/* NULL: none, or it needs more nodes of it than its count says */
	const struct eqt_node_offer *kind;
};

/* Does a kind give a request without GPUs the same as the last kind, whose nodes have
 * other sizes? Then it is priced once. */
static bool kind_is_alike(const struct kinds *kinds,
			  const struct kind_priced *last,
			  const struct eqt_node_offer *kind)
{
	const struct eqt_job_spec *spec = kinds->spec;
	const struct eqt_job_totals *totals = &last->parsed.totals;

	return last->kind && kinds->pass == KINDS_THAT_FIT &&
	       !spec->exclusive && !spec->linear && totals->gpus == 0 &&
	       totals->mem != EQT_MEM_ALL &&
	       last->kind->threads == kind->threads && !spec->whole_sockets &&
	       last->kind->sockets == kind->sockets;
}

/* Widen the price on whole tasks by that on the fewer nodes on which tasks are split. */
static __attribute__((noinline)) int kind_widen(struct eqt_quote *out,
						struct kinds *kinds,
						struct kind_priced *last,
						struct eqt_error *err)
{
	struct eqt_quote quote;

	last->kind = NULL;
	last->one.least_nodes = kinds->split;
	if (kind_parse(&last->parsed, &last->one, kinds, err) < 0 ||
	    kinds->each(&quote, kinds->prices, &last->one, &last->parsed, err) <
		    0)
		return -1;
	out->by_nodes |= eqt_quote_widen_prices(out, &quote);
	return 0;
}

static int kind_bill(struct eqt_quote *out, struct kinds *kinds,
		     struct kind_priced *last, uint32_t i, bool *fits,
		     struct eqt_error *err)
{
	const struct eqt_node_offer *kind = &kinds->spec->kind[i];

	if (kind_is_alike(kinds, last, kind) &&
	    kind_fits(&last->one, kinds, &last->parsed, i) &&
	    !last->one.least_nodes) {
		if (kinds->mix)
			eqt_quote_mix_add(kinds->mix, &last->one,
					  &last->parsed.totals, kind);
		*fits = false;
		return 0;
	}
	last->kind = NULL;
	kind_ask(&last->one, kinds, kind);
	if (kind_parse(&last->parsed, &last->one, kinds, err) < 0)
		return -1;
	*fits = kind_fits(&last->one, kinds, &last->parsed, i);
	if (!*fits)
		return 0;
	if (!last->one.least_nodes)
		last->kind = kind;
	else if (kind_parse(&last->parsed, &last->one, kinds, err) < 0)
		return -1;
	if (kinds->mix)
		eqt_quote_mix_add(kinds->mix, &last->one, &last->parsed.totals,
				  kind);
	if (kinds->each(out, kinds->prices, &last->one, &last->parsed, err) < 0)
		return -1;
	return kinds->split ? kind_widen(out, kinds, last, err) : 0;
}

/* The range over the kinds of a pass. */
static int kinds_range(struct eqt_quote *out, struct kinds *kinds,
		       struct eqt_error *err)
{
	const struct eqt_job_spec *spec = kinds->spec;
	struct kind_priced last;
	struct eqt_quote quote, *one;
	bool fits;

	last.kind = NULL;
	for (uint32_t i = 0; i < spec->kinds; i++) {
		if (kinds->pass == KINDS_OF_PARTS && !(kinds->parts >> i & 1))
			continue;
		one = kinds->any_fits ? &quote : out;
		if (kind_bill(one, kinds, &last, i, &fits, err) < 0)
			return -1;
		kinds->spans |= fits && eqt_quote_spans(one);
		if (fits && kinds->any_fits &&
		    eqt_quote_widen_prices(out, &quote)) {
			if (out->totals.demand.gpus_untyped > 0)
				out->by_model = true;
			else
				out->by_nodes = true;
		}
		kinds->any_fits |= fits;
	}
	return 0;
}

/* The nodes that one job can have, of all kinds whose layout it takes. */
static uint64_t kinds_nodes(const struct eqt_job_spec *spec)
{
	uint64_t nodes = 0, others = 0;

	for (uint32_t i = 0; i < spec->kinds; i++) {
		if (kind_lacks_layout(spec, &spec->kind[i]))
			others += spec->kind[i].count;
		else
			nodes += spec->kind[i].count;
	}
	if (nodes == 0)
		nodes = others;
	if (spec->node.count && nodes > spec->node.count)
		nodes = spec->node.count;
	return nodes;
}

/* The GPUs that the request names for the job. */
static uint64_t asked_gpus(const struct kinds *kinds)
{
	uint64_t gpus = 0;

	if (!kinds->spec->exclusive)
		return kinds->parsed->totals.gpus;
	for (uint32_t i = 0; i < kinds->asked.count; i++) {
		const struct eqt_gres_row *row = &kinds->asked.row[i];

		if (strcmp(row->name, "gpu") == 0 &&
		    __builtin_add_overflow(gpus, row->count[EQT_GRES_JOB],
					   &gpus))
			return UINT64_MAX;
	}
	return gpus;
}

/* The reason why no nodes can hold the request, or none. */
static enum eqt_quote_lack quote_lack(const struct kinds *kinds)
{
	const char *features =
		kinds->spec->features_stay ? NULL : kinds->spec->constraint;
	const struct eqt_node_offer_gpus wanted = {
		.per_job = asked_gpus(kinds),
	};

	/* Features can change. */
	if (kinds->spec->more_kinds || (features && features[0] != '\0'))
		return EQT_QUOTE_LACK_NOTHING;
	if (!kinds->any_part)
		return EQT_QUOTE_LACK_SIZE;
	if (!kinds->spec->overcommit &&
	    !eqt_node_offer_has_room(kinds->spec, &wanted))
		return EQT_QUOTE_LACK_ROOM;
	if (eqt_node_offer_number_has_room(kinds->spec, &wanted))
		return EQT_QUOTE_LACK_NOTHING;
	return eqt_node_offer_most_nodes(kinds->spec) == kinds->spec->max_nodes
		       ? EQT_QUOTE_LACK_NUMBER
		       : EQT_QUOTE_LACK_TASKS;
}

/* Is the memory of each node above MaxMemPerNode? For all memory Slurm takes that of the
 * partition's first node. */
static bool mem_passes_limit(const struct eqt_job_spec *spec)
{
	const bool given = spec->mem != EQT_MEM_NOT_GIVEN;
	const enum eqt_job_spec_mem mem = given ? spec->mem
						: spec->defaults.mem;
	uint64_t mib = given ? spec->mem_mib : spec->defaults.mem_mib;

	if (mem == EQT_MEM_ALL)
		mib = spec->limit.node_mem_mib;
	return spec->limit.mem_per_node > 0 &&
	       (mem == EQT_MEM_PER_NODE || mem == EQT_MEM_ALL) &&
	       mib > spec->limit.mem_per_node;
}

/* Are there fewer nodes than the request wants? This counts only if each node must have
 * what it wants of a node: GPUs of the job may be on some nodes only. */
static bool nodes_are_few(const struct eqt_job_spec *spec)
{
	uint64_t nodes = 0;

	if (spec->more_kinds || spec->tres_per_job ||
	    (spec->constraint && !spec->features_stay))
		return false;
	for (uint32_t i = 0; i < spec->kinds; i++)
		nodes += spec->kind[i].count;
	return spec->min_nodes > nodes;
}

/* Slurm accepts a job whose number of nodes, or whose memory of a node, its partition
 * never gives, and lets it wait. */
static enum eqt_quote_lack partition_lack(const struct eqt_job_spec *spec)
{
	if (mem_passes_limit(spec))
		return EQT_QUOTE_LACK_MEM;
	if (spec->node.count > 0 && spec->min_nodes > spec->node.count)
		return EQT_QUOTE_LACK_MOST;
	if (spec->max_nodes > 0 && spec->max_nodes < spec->limit.min_nodes)
		return EQT_QUOTE_LACK_LEAST;
	return nodes_are_few(spec) ? EQT_QUOTE_LACK_ROOM
				   : EQT_QUOTE_LACK_NOTHING;
}

/* Kinds that it takes more nodes of than of another: beside that one fewer are enough. */
static void kinds_add_parts(struct kinds *kinds)
{
	for (uint32_t i = 0; i < kinds->spec->kinds; i++) {
		if (kinds->need[i] > kinds->fewest && kinds->fewest > 1)
			kinds->parts |= UINT32_C(1) << i;
	}
}

/* The quote over all kinds. */
static int kinds_quote(struct eqt_quote *out, struct kinds *kinds,
		       struct eqt_error *err)
{
	if (kinds_range(out, kinds, err) < 0)
		return -1;
	/* Kinds that are too few for it take a part of it beside others. If it fits
	   on no kind alone, it fits on all together, or Slurm refuses it. */
	out->fits = kinds->any_fits;
	kinds_add_parts(kinds);
	if (kinds->any_fits && kinds->parts) {
		kinds->pass = KINDS_OF_PARTS;
		if (kinds_range(out, kinds, err) < 0)
			return -1;
	} else if (!kinds->any_fits) {
		kinds->pass = KINDS_ALL;
		if (kinds_range(out, kinds, err) < 0)
			return -1;
		out->lack = quote_lack(kinds);
	}
	if (!out->lack)
		out->lack = partition_lack(kinds->spec);
	out->least |= kinds->spec->more_kinds;
	return 0;
}

/* Has each of a number of nodes a task, and no GPU, and are there fewer of some kind? */
static bool kinds_have_single_tasks(const struct kinds *kinds)
{
	const struct eqt_job_spec *spec = kinds->spec;
	const struct eqt_job_totals *totals = &kinds->parsed->totals;
	bool few = false;

	for (uint32_t i = 0; i < spec->kinds; i++)
		few |= spec->kind[i].count < totals->nodes;
	return few && spec->min_nodes > 1 &&
	       spec->max_nodes == spec->min_nodes &&
	       totals->nodes == spec->min_nodes &&
	       totals->tasks == totals->nodes && totals->gpus == 0 &&
	       totals->cpus_asked / totals->nodes ==
		       eqt_whole_max(totals->cpus_per_task,
				     totals->cpus_per_node) &&
	       totals->cpus_asked % totals->nodes == 0 && !spec->linear &&
	       !spec->overcommit && spec->plane == 0 &&
	       spec->counted_nodes == 0 && !spec->more_kinds;
}

/* The same for whole nodes, or single tasks, of several kinds, whose demands take two
 * kilobytes of stack. */
static __attribute__((noinline)) int kinds_quote_mixed(struct eqt_quote *out,
						       struct kinds *kinds,
						       struct eqt_error *err)
{
	struct eqt_quote_mix mix;

	mix.kinds = 0;
	mix.uneven = false;
	kinds->mix = &mix;
	if (kinds_quote(out, kinds, err) < 0)
		return -1;
	if (out->lack)
		return 0;
	if (kinds->spec->exclusive)
		return eqt_quote_mix_apply(out, &mix, err);
	return kinds->pass != KINDS_THAT_FIT || kinds->spans || mix.uneven
		       ? 0
		       : eqt_quote_mix_single_tasks(
				 out, &mix, kinds->parsed->totals.nodes, err);
}

/* The quote for whole nodes, with the lists that were read before. */
static int quote_whole(struct eqt_quote *out, struct kinds *kinds,
		       struct eqt_error *err)
{
	return kinds->spec->kinds > 1 ? kinds_quote_mixed(out, kinds, err)
				      : kinds_quote(out, kinds, err);
}

/* The same, reading the lists; a request with a wrong list has another error by now. */
static __attribute__((noinline)) int quote_whole_read(struct eqt_quote *out,
						      struct kinds *kinds,
						      struct eqt_error *err)
{
	struct eqt_gres_row row[EQT_GRES_MAX];

	kinds->asked.row = row;
	kinds->asked.room = EQT_GRES_MAX;
	(void) eqt_job_spec_read_asked(&kinds->asked, kinds->prices,
				       kinds->spec, NULL);
	return quote_whole(out, kinds, err);
}

int eqt_quote_classes_range(struct eqt_quote *out,
			    const struct eqt_bundle_table *prices,
			    const struct eqt_job_spec *spec,
			    const struct eqt_parsed_spec *parsed,
			    eqt_quote_fn *each, struct eqt_error *err)
{
	struct kinds kinds = { .prices = prices,
			       .spec = spec,
			       .each = each,
			       .parsed = parsed,
			       .nodes = kinds_nodes(spec) };

	if (!spec->exclusive)
		return kinds_have_single_tasks(&kinds)
			       ? kinds_quote_mixed(out, &kinds, err)
			       : kinds_quote(out, &kinds, err);
	if (!parsed->lists)
		return quote_whole_read(out, &kinds, err);
	if (parsed->lists->asked_read)
		kinds.asked = parsed->lists->totals;
	return quote_whole(out, &kinds, err);
}

/* ---- The same request in another partition -------------------------------------------- */

/* More nodes than these make no difference to a request that fits on them;
 * UINT64_MAX: that is not known. */
static uint64_t nodes_enough(const struct eqt_job_spec *spec)
{
	uint64_t tasks = eqt_whole_max(spec->tasks, 1);
	uint64_t cpus = eqt_whole_max(spec->cpus_per_task, 1), nodes;

	/* Each of these settings may raise the CPUs of tasks. */
	if (spec->limit.mem_per_cpu > 0 || spec->whole_sockets ||
	    spec->layout_cpus > 0 || spec->plane > 0 ||
	    spec->tasks_per_node > 0)
		return UINT64_MAX;
	eqt_whole_raise(&tasks, spec->min_nodes);
	eqt_whole_raise(&cpus, spec->min_cpus_per_node);
	if (__builtin_mul_overflow(tasks, cpus, &nodes))
		return UINT64_MAX;
	eqt_whole_raise(&nodes, spec->min_cpus);
	eqt_whole_raise(&nodes, spec->max_nodes);
	eqt_whole_raise(&nodes, spec->counted_nodes);
	return nodes;
}

/* Are nodes of both kinds priced alike? */
static bool kind_same(const struct eqt_node_offer *a,
		      const struct eqt_node_offer *b)
{
	return eqt_node_offer_same(a, b) && a->sockets == b->sockets &&
	       a->differ == b->differ;
}

bool eqt_quote_classes_alike(const struct eqt_job_spec *spec,
			     const struct eqt_job_spec *other)
{
	const uint64_t nodes = kinds_nodes(spec), others = kinds_nodes(other);
	const uint64_t enough = nodes_enough(spec);

	if (spec->exclusive || spec->linear || eqt_node_offer_asks_gpus(spec) ||
	    spec->kinds == 0 || spec->kinds != other->kinds ||
	    (nodes != others && (nodes < enough || others < enough)))
		return false;
	/* The strings of both are the same ones. */
	if (memcmp(spec, other, offsetof(struct eqt_job_spec, node)) != 0)
		return false;
	for (uint32_t i = 0; i < spec->kinds; i++) {
		if (!kind_same(&spec->kind[i], &other->kind[i]))
			return false;
	}
	return true;
}
