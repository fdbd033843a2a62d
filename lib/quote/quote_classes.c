/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The price of a request on each kind of nodes that it could get. */
#include <stddef.h>
#include <string.h>

#include "base/whole.h"
#include "job/job_spec_lists.h"
#include "job/memory_limit.h"
#include "job/near_cores.h"
#include "job/node_offer.h"
#include "quote/quote_impl.h"
#include "quote/quote_mix.h"

/* The steps of work that one kind takes besides its prices, and the number of GRES rows
 * that make one step. */
#define KIND_STEPS 6
#define ROWS_STEP 2

/* The state that is common to all kinds of nodes. */
struct kinds {
	const struct eqt_bundle_table *prices;
	const struct eqt_job_spec *spec;
	eqt_quote_fn *each;
	/* The request as it was counted, with its lists. */
	const struct eqt_parsed_spec *parsed;
	/* The GRES that the request itself names, for jobs on whole nodes. */
	struct eqt_gres_rows asked;
	/* The largest number of nodes of all kinds that one job can have. */
	uint64_t nodes;
	bool any_fits;
	bool any_part; /* whether a part of the request fits on some node */
	uint64_t fewest; /* the fewest nodes of one kind that are enough */
	/* How many nodes of each kind are enough for the request; 0 if there
	 * are too few of the kind. */
	uint64_t need[EQT_NODE_OFFER_KINDS];
	/* Another number of nodes that the job may have of the last kind: fewer, on which
	 * tasks are split, or more, whose cores near the GPUs are enough. 0 if there is
	 * none, or if the kind is not enough. */
	uint64_t other;
	/* A bit for each kind that is enough only together with nodes of other
	 * kinds. */
	uint32_t parts;
	/* Which kinds are priced in this pass: those that are enough for the request,
	 * all kinds if none is enough, or the kinds in parts. KINDS_MIXED prices the
	 * cores of each kind together with the memory and the GPUs of any kind. */
	enum { KINDS_THAT_FIT, KINDS_ALL, KINDS_OF_PARTS, KINDS_MIXED } pass;
	uint64_t mixed_mem_mib; /* the memory of a node in KINDS_MIXED */
	bool mixed_least; /* whether KINDS_MIXED looks for the least price */
	/* In KINDS_MIXED, the fewest cores of a socket that each node gives. */
	uint64_t mixed_cores;
	/* What a job takes of each kind, for its price on several kinds of nodes. NULL
	 * means that this price is not computed. */
	struct eqt_quote_mix *mix;
	bool spans; /* whether the price is a range even on nodes of one kind */
};

/* Return the largest number of nodes of one kind that a job can have. Whole nodes beyond the
 * last one of the kind are of other kinds (quote_mix). */
static uint64_t kind_most(const struct kinds *kinds,
			  const struct eqt_node_offer *kind)
{
	return kinds->mix && kinds->spec->exclusive
		       ? eqt_whole_min(kinds->nodes, kind->count)
		       : kinds->nodes;
}

/* Make the request that would get nodes of one kind only. */
static void kind_ask(struct eqt_job_spec *out, const struct kinds *kinds,
		     const struct eqt_node_offer *kind)
{
	uint64_t most = kind_most(kinds, kind);

	memcpy(out, kinds->spec, offsetof(struct eqt_job_spec, node));
	out->kinds = 0;
	out->node = *kind;
	out->node.count = kinds->nodes;
	if (kinds->pass == KINDS_MIXED) {
		out->node.mem_mib = kinds->mixed_mem_mib;
		/* GPUs without a model may be of any model. */
		out->node.differ = true;
		/* Smaller sockets of another kind may be enough. */
		if (kinds->mixed_least && out->whole_sockets) {
			out->whole_sockets = false;
			eqt_whole_raise(&out->min_cpus,
					kinds->fewest * kinds->mixed_cores *
						eqt_whole_max(kind->threads,
							      1));
		}
	}
	if (out->cpus_per_core == 0 ||
	    (kind->threads > 0 && out->cpus_per_core > kind->threads))
		out->cpus_per_core = kind->threads;
	if (most < out->min_nodes)
		most = kinds->nodes;
	if (most && out->max_nodes > most && out->min_nodes <= most) {
		out->max_nodes = most;
		out->nodes_changed = true;
	}
}

/* Does the request take the same resources on nodes of this kind as it was counted
 * with? If it wants parts of nodes and no GPUs, only the threads and the sockets of the
 * nodes matter. */
static bool kind_counts_same(const struct kinds *kinds,
			     const struct eqt_job_spec *one)
{
	const struct eqt_job_spec *spec = kinds->spec;
	const struct eqt_job_totals *totals = &kinds->parsed->totals;

	return kinds->parsed->rows.count == 0 && totals->gpus == 0 &&
	       totals->mem != EQT_MEM_ALL && !spec->exclusive &&
	       !spec->linear && !spec->whole_sockets &&
	       spec->node.threads == 1 && one->node.threads == 1 &&
	       spec->cpus_per_core <= 1 &&
	       one->node.sockets == spec->node.sockets &&
	       one->max_nodes == spec->max_nodes && !one->least_nodes;
}

static int kind_parse(struct eqt_parsed_spec *out,
		      const struct eqt_job_spec *one, const struct kinds *kinds,
		      struct eqt_error *err)
{
	const struct eqt_parsed_spec *parsed = kinds->parsed;

	eqt_bundle_table_step(kinds->prices, KIND_STEPS + (parsed->rows.count +
							   kinds->asked.count) /
								  ROWS_STEP);
	/* The lists give the same rows for each kind, unless the job takes whole
	 * nodes. */
	if (parsed->rows.room && !one->exclusive) {
		out->rows = parsed->rows;
		out->lists = NULL;
		out->totals = parsed->totals;
		if (kind_counts_same(kinds, one))
			return 0;
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

/* Return the rows that the request itself names. NULL means that there were more rows
 * than are kept. */
static const struct eqt_gres_rows *kind_asked(
	const struct kinds *kinds, const struct eqt_parsed_spec *parsed)
{
	if (kinds->spec->exclusive)
		return &kinds->asked;
	return parsed->rows.room > 0 ? &parsed->rows : NULL;
}

/* Slurm takes no node that has fewer threads in a core, or fewer sockets, than the
 * request wants. */
static bool kind_lacks_layout(const struct eqt_job_spec *spec,
			      const struct eqt_node_offer *kind)
{
	return (kind->threads > 0 &&
		spec->cpus_per_core >
			eqt_whole_max(kind->threads, kind->hw_threads)) ||
	       (kind->sockets > 0 && spec->sockets_per_node > kind->sockets);
}

/* Return how many nodes of a kind are needed so that the cores near the GPUs are
 * enough. Return 0 if there are not so many nodes, or if the request needs that many
 * anyway. */
static uint64_t kind_near(const struct eqt_job_spec *one,
			  const struct eqt_job_totals *totals,
			  const struct eqt_gres_rows *asked,
			  const struct eqt_node_offer *kind, uint64_t nodes)
{
	const uint64_t near =
		eqt_near_cores_nodes(one, totals, asked, kind, nodes);

	return near > nodes && near <= eqt_node_offers_limit(one, kind) ? near
									: 0;
}

/* Find how many nodes of a kind the request needs. Return false if this pass does not
 * price the kind. */
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
	kinds->other = 0;
	if (kinds->pass == KINDS_OF_PARTS || kinds->pass == KINDS_MIXED) {
		one->least_nodes = kinds->fewest;
		if (kinds->pass == KINDS_MIXED)
			eqt_whole_raise(&one->least_nodes, kinds->need[i]);
		return true;
	}
	if (fits && split < nodes)
		kinds->other = split;
	else if (fits)
		kinds->other = kind_near(one, totals, kind_asked(kinds, parsed),
					 kind, nodes);
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
	/* The last kind that was priced. NULL if there is none, or if the
	 * request needs more nodes than there are of the kind. */
	const struct eqt_node_offer *kind;
	uint64_t need; /* number of nodes of the kind that the request needs */
};

/* Does a kind of nodes give a request without GPUs the same resources as the last kind,
 * although the nodes have other sizes? Such a kind need not be priced again. */
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

/* Does the request fit on one node of this kind because it fits on one node of the last kind?
 * That is so if the nodes of this kind have at least as much of everything. Kinds are sorted by
 * size, so most of them do. */
static bool kind_holds_too(const struct kinds *kinds,
			   const struct kind_priced *last,
			   const struct eqt_node_offer *kind)
{
	const struct eqt_gres_rows *rows = &kinds->parsed->rows;

	return last->need == 1 && !kinds->mix && rows->room > 0 &&
	       rows->count == 0 && kinds->spec->tasks_per_socket == 0 &&
	       kind->cpus >= last->kind->cpus &&
	       kind->mem_mib >= last->kind->mem_mib &&
	       kind->mem_mib + kind->system_mib >=
		       last->kind->mem_mib + last->kind->system_mib;
}

/* Extend the range by the price on the other number of nodes that the job may have. */
static __attribute__((noinline)) int kind_widen(struct eqt_quote *out,
						struct kinds *kinds,
						struct kind_priced *last,
						struct eqt_error *err)
{
	struct eqt_quote quote;

	last->kind = NULL;
	last->one.least_nodes = kinds->other;
	if (kind_parse(&last->parsed, &last->one, kinds, err) < 0 ||
	    kinds->each(&quote, kinds->prices, &last->one, &last->parsed, err) <
		    0)
		return -1;
	out->by_nodes |= eqt_quote_widen_prices(out, &quote);
	return 0;
}

/* Does the request get the same resources on nodes of a kind as on nodes of the last
 * kind? */
static bool kind_is_known(struct kinds *kinds, struct kind_priced *last,
			  uint32_t i)
{
	const struct eqt_node_offer *kind = &kinds->spec->kind[i];

	if (!kind_is_alike(kinds, last, kind))
		return false;
	if (kind_holds_too(kinds, last, kind)) {
		kinds->need[i] = 1;
		return true;
	}
	if (!kind_fits(&last->one, kinds, &last->parsed, i) ||
	    last->one.least_nodes)
		return false;
	if (kinds->mix)
		eqt_quote_mix_add(kinds->mix, &last->one, &last->parsed.totals,
				  kind);
	return true;
}

static int kind_bill(struct eqt_quote *out, struct kinds *kinds,
		     struct kind_priced *last, uint32_t i, bool *fits,
		     struct eqt_error *err)
{
	const struct eqt_node_offer *kind = &kinds->spec->kind[i];

	last->kind = NULL;
	kind_ask(&last->one, kinds, kind);
	if (kind_parse(&last->parsed, &last->one, kinds, err) < 0)
		return -1;
	*fits = kind_fits(&last->one, kinds, &last->parsed, i);
	if (!*fits)
		return 0;
	last->need = kinds->need[i];
	if (!last->one.least_nodes)
		last->kind = kind;
	else if (kind_parse(&last->parsed, &last->one, kinds, err) < 0)
		return -1;
	if (kinds->mix)
		eqt_quote_mix_add(kinds->mix, &last->one, &last->parsed.totals,
				  kind);
	if (kinds->each(out, kinds->prices, &last->one, &last->parsed, err) < 0)
		return -1;
	return kinds->other ? kind_widen(out, kinds, last, err) : 0;
}

/* Extend the range by the price on one more kind. This is a function of its own, because
 * its quote takes stack, and most requests are priced on one kind. */
static __attribute__((noinline)) int kind_add(struct eqt_quote *out,
					      struct kinds *kinds,
					      struct kind_priced *last,
					      uint32_t i, struct eqt_error *err)
{
	struct eqt_quote quote;
	bool fits;

	if (kind_bill(&quote, kinds, last, i, &fits, err) < 0)
		return -1;
	if (!fits)
		return 0;
	kinds->spans |= eqt_quote_spans(&quote);
	if (!eqt_quote_widen_prices(out, &quote))
		return 0;
	if (out->totals.demand.gpus_untyped > 0)
		out->by_model = true;
	else
		out->by_nodes = true;
	return 0;
}

/* Can some nodes of the job be of this kind? */
static bool kind_has_part(const struct kinds *kinds, uint32_t i)
{
	return kinds->need[i] > 0 || (kinds->parts >> i & 1);
}

/* Compute the range over all kinds of a pass. */
static int kinds_range(struct eqt_quote *out, struct kinds *kinds,
		       struct eqt_error *err)
{
	const struct eqt_job_spec *spec = kinds->spec;
	struct kind_priced last;

	last.kind = NULL;
	for (uint32_t i = 0; i < spec->kinds; i++) {
		if (kind_is_known(kinds, &last, i) ||
		    (kinds->pass == KINDS_OF_PARTS &&
		     !(kinds->parts >> i & 1)) ||
		    (kinds->pass == KINDS_MIXED && !kind_has_part(kinds, i)))
			continue;
		if (kinds->any_fits) {
			if (kind_add(out, kinds, &last, i, err) < 0)
				return -1;
			continue;
		}
		if (kind_bill(out, kinds, &last, i, &kinds->any_fits, err) < 0)
			return -1;
		kinds->spans |= kinds->any_fits && eqt_quote_spans(out);
	}
	/* All other kinds must give the request the same as the smallest one. */
	out->steady = out->steady && kinds->pass == KINDS_THAT_FIT &&
		      last.kind == spec->kind;
	return 0;
}

/* Return the largest number of nodes that one job can have, from all kinds with a
 * layout that the request accepts. */
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

/* Return the number of GPUs that the request names for the job. */
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

/* Return the reason why no nodes can run the request, or EQT_QUOTE_LACK_NOTHING. */
static enum eqt_quote_lack quote_lack(const struct kinds *kinds)
{
	const char *features =
		kinds->spec->features_stay ? NULL : kinds->spec->constraint;
	const struct eqt_node_offer_gpus wanted = {
		.per_job = asked_gpus(kinds),
	};

	/* Nodes may get other features later, so a request for features is not
	 * refused. */
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

/* Are there fewer nodes than the request wants? This is only known if each node must
 * have what the request wants. The GPUs of a job with --gpus may be on some of its
 * nodes only. */
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

/* Find a reason why the job never starts in the partition. Slurm accepts a job that
 * wants more nodes, fewer nodes or more memory of a node than the partition gives, and
 * lets it wait. */
static enum eqt_quote_lack partition_lack(const struct eqt_job_spec *spec)
{
	if (eqt_memory_limit_passed(spec))
		return EQT_QUOTE_LACK_MEM;
	if (spec->node.count > 0 && spec->min_nodes > spec->node.count)
		return EQT_QUOTE_LACK_MOST;
	if (spec->max_nodes > 0 && spec->max_nodes < spec->limit.min_nodes)
		return EQT_QUOTE_LACK_LEAST;
	return nodes_are_few(spec) ? EQT_QUOTE_LACK_ROOM
				   : EQT_QUOTE_LACK_NOTHING;
}

/* Add the kinds of which the request needs more nodes than of another kind. Together
 * with nodes of the other kind, fewer nodes are enough. */
static void kinds_add_parts(struct kinds *kinds)
{
	for (uint32_t i = 0; i < kinds->spec->kinds; i++) {
		if (kinds->need[i] > kinds->fewest && kinds->fewest > 1)
			kinds->parts |= UINT32_C(1) << i;
	}
}

/* Do whole sockets, or the cores of threads, give a job different numbers of cores on
 * different nodes? */
static bool cores_are_unlike(const struct eqt_job_spec *spec,
			     const struct eqt_node_offer *a,
			     const struct eqt_node_offer *b)
{
	return a->threads != b->threads ||
	       (spec->whole_sockets &&
		(a->cpus != b->cpus || a->sockets != b->sockets));
}

/* Do whole sockets of a job on several nodes, or at least two of its resources, depend on
 * the kind of a node? These are the cores of sockets and of threads, all memory of a node,
 * and GPUs without a model. */
static bool kinds_can_mix(const struct kinds *kinds)
{
	const struct eqt_job_spec *spec = kinds->spec;
	const struct eqt_job_totals *totals = &kinds->parsed->totals;
	const int others = (totals->mem == EQT_MEM_ALL) +
			   (totals->demand.gpus_untyped > 0);
	const struct eqt_node_offer *first = NULL;
	bool cores = false, several = false;

	if ((others == 0 && !spec->whole_sockets) || spec->exclusive ||
	    spec->linear || spec->max_nodes == 1 || kinds->fewest == 0 ||
	    (kinds->fewest < 2 && spec->max_nodes == 0 && spec->tasks < 2))
		return false;
	for (uint32_t i = 0; i < spec->kinds; i++) {
		if (!kind_has_part(kinds, i))
			continue;
		several |= first != NULL;
		if (!first)
			first = &spec->kind[i];
		cores |= cores_are_unlike(spec, &spec->kind[i], first);
	}
	return several &&
	       ((cores && spec->whole_sockets) || cores + others > 1);
}

/* Extend the range to nodes of several kinds, of which one has the cores, another the
 * memory and a third the GPUs that cost most, or least. That is a bound: no set of nodes
 * may have all of them. */
static __attribute__((noinline)) int kinds_add_mixed(struct eqt_quote *out,
						     struct kinds *kinds,
						     uint64_t mem_mib, bool low,
						     struct eqt_error *err)
{
	struct eqt_quote mixed;

	kinds->pass = KINDS_MIXED;
	kinds->any_fits = false;
	kinds->mixed_mem_mib = mem_mib;
	kinds->mixed_least = low;
	if (kinds_range(&mixed, kinds, err) < 0)
		return -1;
	mixed.least = false;
	/* One node is not mixed. */
	if (kinds->fewest < 2)
		mixed.low = out->low;
	if (kinds->fewest < 2 && kinds->spec->max_nodes == 0)
		mixed.high = out->high;
	(void) eqt_quote_widen_prices(out, &mixed);
	return 0;
}

/* Return the cores of a socket, or 0 if jobs with GPUs may leave a part of it. */
static uint64_t socket_cores(const struct eqt_node_offer *kind)
{
	return kind->gres && kind->gres[0] != '\0'
		       ? 0
		       : kind->cpus / eqt_whole_max(kind->threads, 1) /
				 eqt_whole_max(kind->sockets, 1);
}

/* Extend the range to parts of nodes of several kinds. */
static int kinds_mix(struct eqt_quote *out, struct kinds *kinds,
		     struct eqt_error *err)
{
	uint64_t least = UINT64_MAX, most = 0;

	kinds->mixed_cores = UINT32_MAX;
	if (!kinds_can_mix(kinds))
		return 0;
	kinds->mix = NULL;
	for (uint32_t i = 0; i < kinds->spec->kinds; i++) {
		if (!kind_has_part(kinds, i))
			continue;
		least = eqt_whole_min(least, kinds->spec->kind[i].mem_mib);
		eqt_whole_raise(&most, kinds->spec->kind[i].mem_mib);
		kinds->mixed_cores =
			eqt_whole_min(kinds->mixed_cores,
				      socket_cores(&kinds->spec->kind[i]));
	}
	return kinds_add_mixed(out, kinds, most, false, err) < 0
		       ? -1
		       : kinds_add_mixed(out, kinds, least, true, err);
}

/* Compute the quote over all kinds. */
static int kinds_quote(struct eqt_quote *out, struct kinds *kinds,
		       struct eqt_error *err)
{
	if (kinds_range(out, kinds, err) < 0)
		return -1;
	/* Nodes of a kind that has too few of them can take a part of the job. If no
	 * kind is enough by itself, either all kinds together are enough or Slurm
	 * refuses the request. */
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
	return out->lack || kinds->mix ? 0 : kinds_mix(out, kinds, err);
}

/* Does a job without GPUs have one task on each of a given number of nodes, and does
 * some kind have fewer nodes than that? */
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

/* Extend the quote to whole nodes of several kinds. */
static int quote_mix_whole(struct eqt_quote *out, const struct kinds *kinds,
			   struct eqt_error *err)
{
	int rc = 1;

	if (kinds->pass == KINDS_THAT_FIT && !kinds->spec->more_kinds)
		rc = eqt_quote_mix_sets(out, kinds->mix, err);
	return rc > 0 ? eqt_quote_mix_apply(out, kinds->mix, err) : rc;
}

/* Compute the quote over all kinds for whole nodes, or for single tasks on nodes of
 * several kinds. This is a function of its own, because struct eqt_quote_mix takes two
 * kilobytes of the stack. */
static __attribute__((noinline)) int kinds_quote_mixed(struct eqt_quote *out,
						       struct kinds *kinds,
						       struct eqt_error *err)
{
	struct eqt_quote_mix mix;

	mix.kinds = 0;
	mix.max_nodes = kinds->nodes ? eqt_whole_min(kinds->spec->max_nodes,
						     kinds->nodes)
				     : kinds->spec->max_nodes;
	mix.uneven = false;
	kinds->mix = &mix;
	if (kinds_quote(out, kinds, err) < 0)
		return -1;
	if (out->lack)
		return 0;
	if (kinds->spec->exclusive)
		return quote_mix_whole(out, kinds, err);
	return kinds->pass != KINDS_THAT_FIT || kinds->spans || mix.uneven
		       ? kinds_mix(out, kinds, err)
		       : eqt_quote_mix_single_tasks(
				 out, &mix, kinds->parsed->totals.nodes, err);
}

/* Compute the quote for whole nodes from the lists in kinds->asked. */
static int quote_whole(struct eqt_quote *out, struct kinds *kinds,
		       struct eqt_error *err)
{
	return kinds->spec->kinds > 1 ? kinds_quote_mixed(out, kinds, err)
				      : kinds_quote(out, kinds, err);
}

/* Compute the quote for whole nodes after reading the lists. Errors of a list were
 * reported before. */
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

/* ---- The same request in another partition
 * -------------------------------------------- */

/* Return a number of nodes such that more nodes do not change the price of a request.
 * UINT64_MAX means that it is not known. */
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

/* Do nodes of both kinds have the same price? */
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
	/* The members are compared as bytes, which is enough because equal strings are
	 * the same pointers. */
	if (memcmp(spec, other, offsetof(struct eqt_job_spec, node)) != 0)
		return false;
	for (uint32_t i = 0; i < spec->kinds; i++) {
		if (!kind_same(&spec->kind[i], &other->kind[i]))
			return false;
	}
	return true;
}
